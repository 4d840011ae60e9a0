"""What pages count, in ten languages, in the forms that stand behind a number: "1954 Einwohner", "1990 человек".

Words that are another thing in a language of the ten are left out (Italian "anime", Swedish "barn"), and so are those
that say as often what somebody was in a year: "1990 membre de l'Académie", "1990 Spieler des Jahres".
"""

from __future__ import annotations

ENGLISH = (
    "people persons men women children votes seats residents inhabitants members students pupils employees pages "
    "copies points runs soldiers troops words species items units spectators visitors workers houses households "
    "prisoners victims refugees volunteers goals games matches books songs stars horses ships guests entries souls "
    "citizens voters families participants delegates passengers patients casualties dwellings rooms beds shares "
    "signatures followers subscribers speakers settlers slaves sheep cattle trees vehicles cars"
)
# Written with a capital, so that a capital says nothing of a name or a heading.
GERMAN = (
    "einwohner einwohnern einwohnerinnen menschen personen leute mitglieder mitgliedern mitarbeiter mitarbeitern "
    "mitarbeiterinnen beschäftigte beschäftigten angestellte angestellten stimmen seiten sitze sitzen sitzplätze "
    "sitzplätzen plätze plätzen schülern schülerinnen studenten studierende studierenden besucher besuchern zuschauer "
    "zuschauern soldaten tote toten kinder kindern frauen männer männern familien haushalte haushalten häuser häusern "
    "wohnungen freiwillige freiwilligen exemplare exemplaren bücher büchern lieder liedern arten stück seelen "
    "bürger bürgern teilnehmer teilnehmern gästen bände bänden gemälde gemälden flüchtlinge flüchtlingen gefangene "
    "gefangenen verletzte verletzten betten"
)
OTHERS = (
    # French
    "personnes habitants habitantes âmes membres employés salariés "
    "travailleurs ouvriers voix sièges places élèves étudiants visiteurs spectateurs soldats hommes femmes enfants "
    "morts victimes électeurs familles ménages maisons foyers logements joueurs participants exemplaires chansons "
    "espèces citoyens résidents bénévoles blessés réfugiés prisonniers adhérents lits "
    # Spanish
    "personas habitantes almas miembros empleados empleadas trabajadores votos escaños asientos "
    "plazas alumnos alumnas estudiantes visitantes espectadores soldados hombres mujeres niños muertos víctimas "
    "electores familias hogares casas viviendas jugadores participantes ejemplares libros canciones especies "
    "ciudadanos vecinos páginas socios refugiados heridos camas "
    # Italian
    "persone abitanti membri dipendenti impiegati lavoratori operai voti seggi posti alunni "
    "studenti visitatori spettatori soldati uomini donne bambini vittime elettori famiglie alloggi giocatori "
    "partecipanti copie libri canzoni cittadini residenti pagine soci feriti profughi addetti iscritti "
    # Portuguese
    "pessoas membros empregados funcionários trabalhadores lugares assentos alunos estudantes homens mulheres "
    "crianças mortos vítimas eleitores famílias moradores jogadores exemplares livros canções espécies cidadãos "
    "sócios feridos "
    # Dutch
    "personen mensen inwoners zielen leden werknemers medewerkers stemmen zetels plaatsen leerlingen "
    "bezoekers toeschouwers soldaten mannen vrouwen kinderen doden slachtoffers kiezers gezinnen huishoudens huizen "
    "woningen spelers deelnemers exemplaren boeken liedjes soorten burgers bladzijden vrijwilligers gewonden "
    "vluchtelingen "
    # Polish
    "osoby osób mieszkańcy mieszkańców ludzi dusz członków pracowników głosów miejsc uczniów "
    "studentów widzów żołnierzy mężczyzn kobiet dzieci zabitych ofiar wyborców rodzin gospodarstw domów mieszkań "
    "zawodników uczestników egzemplarzy książek piosenek gatunków obywateli stron rannych uchodźców "
    # Russian
    "человек человека людей жителя жители жителей душ членов сотрудников работников рабочих голоса "
    "голосов мест учеников учащихся студентов посетителей зрителей солдат мужчин женщин детей погибших жертв "
    "избирателей семей хозяйств домов дворов игроков участников экземпляров книг песен видов граждан страниц раненых "
    "беженцев "
    # Swedish
    "personer människor invånare själar medlemmar anställda röster platser elever studenter besökare "
    "åskådare soldater män kvinnor döda väljare familjer hushåll hus bostäder böcker låtar "
    "arter medborgare sidor sittplatser "
    # Chinese, Japanese, Korean
    "人 名 명 戸 户 隻 冊 册 票"
)
