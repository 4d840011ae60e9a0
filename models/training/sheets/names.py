"""Invented names, put together from parts, as many cultures make them; and the few real names that facts need."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from models.statement import Term

# A culture: given names of men, of women, surnames, beginnings and endings of its places, its country.
_CULTURES: tuple[tuple[str, str, str, str, str, str], ...] = (
    (
        "John William Henry Thomas George Edward Arthur Walter Frank Hugh Ralph Oliver Martin Philip Leonard Douglas",
        "Mary Jane Alice Edith Margaret Harriet Florence Ruth Agnes Helen Louisa Sarah Eleanor Beatrice Joan Ivy",
        "Ashworth Bramley Carver Dunning Ellwood Farrow Garside Hollis Ingham Jessop Kellaway Lomax Marlowe Northcott "
        "Orme Penrose Quayle Radley Sefton Thorne Underhill Vickers Wexley Yardley Roe Blackwood Fairburn Stott",
        "Ash Bram Carl Dun Elm Far Hol Kings Long Mar North Ox Raven Stan Thorn West Wynd Black Stone Brook",
        "ford ton ley bury wick ham field mere worth stead combe minster bridge haven",
        "United Kingdom",
    ),
    (
        "James Samuel Charles Robert Earl Clayton Wesley Roy Vernon Chester Dale Leroy Curtis Nathan Eugene Floyd",
        "Martha Emma Clara Ida Bessie Loretta Dorothy Shirley Nancy Carolyn Judith Betty Wanda June Opal Hazel",
        "Abernathy Bixby Colter Dawkins Eastman Fuller Grady Hutchins Jarrell Kimball Lassiter McCray Nesbitt Oakes "
        "Pruitt Ransom Satterfield Tolliver Upshaw Vance Whitlock Yancey Barlow Crane Hendry Mott Sizemore Tully",
        "Cedar Maple Pine Clear Spring Mill Fort Eagle Union Green Silver Rock Oak Bear Salt Liberty Rose Deer",
        " Creek| Falls| Springs|ville| City| Grove|dale| Ridge| Junction| Rapids|burg| Hill",
        "United States",
    ),
    (
        "Karl Friedrich Johann Otto Heinrich Ludwig Ernst Wilhelm Hermann Georg Jürgen Dieter Matthias Uwe Anton Rolf",
        "Anna Gertrud Hedwig Elisabeth Johanna Clara Ursula Helga Ingrid Renate Monika Liesel Mathilde Frieda Käthe",
        "Adler Brandt Dietz Eckhardt Falke Grünwald Hartmann Jäger Kessler Lindner Müllerheim Neubauer Ostermann "
        "Pfeiffer Rosenthal Steinbach Trautmann Ulrich Vogelsang Weidner Zeller Bergmann Krüger Schöller Hasselbach",
        "Alten Brücken Eichen Grün Hohen Königs Linden Mühl Neuen Ober Rosen Stein Wald Winter Wolfs Schwarz",
        "burg dorf berg heim stadt tal bach hausen feld kirchen au brunn",
        "Germany",
    ),
    (
        "Jean Louis Pierre Étienne Henri Marcel Gaston Émile Auguste René Lucien Olivier Thierry Gérard Armand Paul",
        "Marie Jeanne Louise Claire Hélène Simone Odette Geneviève Thérèse Camille Céline Brigitte Sylvie Colette",
        "Aubert Beaumont Chastain Delorme Fournel Garnier Hébrard Jolivet Lacombe Marchand Noiret Poirier Renaudin "
        "Sauvage Tessier Vasseur Berthelot Carpentier Duvallon Girardin Lemaître Pelletier Rousselin Thibault",
        "Saint-Mar Beau Mont Clair Roche Ville Haut Font Pont Val Cham Bel Bois Mar",
        "mont|ville|fort|ac|court|bourg|neuve|champ|lieu|-sur-Orne|igny|val",
        "France",
    ),
    (
        "Giovanni Giuseppe Antonio Luigi Carlo Pietro Enzo Marco Alessandro Vittorio Ettore Bruno Dario Renato Paolo",
        "Maria Lucia Francesca Giulia Teresa Elena Rosa Caterina Angela Bianca Silvia Chiara Ornella Paola Lidia",
        "Bellandi Carbone Doria Ferrante Gallo Lombardini Mancuso Negri Orsini Pellegrini Ricciardi Santoro Tedesco "
        "Valenti Zambelli Barbieri Colonna Fontanella Martinelli Serafini Vianello Moretti Bassani Cortese",
        "Monte Castel Campo Ponte Villa Rocca Borgo Torre San Pietra Fonte Val Serra Colle",
        "bello|vecchio|franco|chiaro|maggiore|fiorito|santo|alto|verde|nuovo|rosso|lungo",
        "Italy",
    ),
    (
        "José Manuel Francisco Ramón Luis Carlos Miguel Javier Pablo Andrés Rafael Ignacio Tomás Julio Emilio Diego",
        "Carmen Isabel Dolores Pilar Mercedes Lucía Teresa Rosario Ana Beatriz Consuelo Elvira Inés Marta Soledad",
        "Alvarado Benítez Cifuentes Domínguez Escobar Fuentes Gallardo Herrera Ibáñez Jiménez Lozano Montero Navarrete "
        "Ortega Paredes Quintana Rivas Salcedo Tejada Urrutia Vargas Zamora Peralta Carvajal Rosales Miranda",
        "Villa Alta Monte Puerto Rio Santa Valle Torre Campo Fuente Peña Cerro Agua Casa",
        "nueva|real|blanca|hermosa|mayor|verde|alegre|rubia|seca|longa|clara|florida",
        "Spain",
    ),
    (
        "Ivan Nikolai Sergei Pavel Dmitri Alexei Mikhail Vladimir Boris Fyodor Grigori Yuri Anatoly Konstantin Lev",
        "Olga Natalia Tatiana Elena Irina Vera Ludmila Galina Sofia Anna Nadezhda Valentina Ksenia Marina Zoya",
        "Abramov Belinsky Danilov Gorin Ignatiev Karpov Lebedev Morozov Naumov Orlov Petrenko Rudakov Sokolov Tarasov "
        "Ushakov Vasilenko Zaitsev Bogdanov Chernov Kovalev Melnikov Semyonov Yakovlev Filatov",
        "Novo Krasno Verkhne Staro Belo Cherno Zeleno Kamen Ostro Petro Berezo Sosno",
        "gorsk grad polsk retsk morsk selye dolsk zersk yarsk slavl",
        "Russia",
    ),
    (
        "Lars Erik Nils Olof Gustav Anders Sven Harald Knut Ole Johan Magnus Einar Torsten Birger Rasmus",
        "Ingrid Astrid Karin Sigrid Britta Greta Solveig Kirsten Maja Elsa Gunhild Liv Hanne Ragnhild Kerstin",
        "Andersson Berglund Dahlström Ekman Forsberg Hagen Isaksen Johannessen Kjellberg Lindqvist Mortensen Nygaard "
        "Østby Palmgren Rosenqvist Sandvik Thorsen Wallin Åkesson Bjerke Hedlund Solheim Strand Vik",
        "Karls Sunds Fred Lin Nor Sand Stor Ny Öster Väster Elv Hav Berg Skog",
        "vik stad borg sund holm köping torp by dal fors ås hamn",
        "Sweden",
    ),
    (
        "Kenji Hiroshi Takeshi Akira Satoru Shigeru Masao Ichiro Yukio Daisuke Haruto Kazuo Minoru Noboru Tadashi",
        "Yoko Keiko Haruka Sachiko Michiko Emi Naoko Aiko Fumiko Hanako Kiyoko Mariko Reiko Tomoko Yumi",
        "Akiyama Fujimori Hasegawa Ishikawa Kawabata Kuroda Matsuura Morita Nakagawa Okazaki Sakamoto Shimizu Takeda "
        "Uchida Watabe Yamane Hirano Kondo Miura Noguchi Ogawa Sugita Tanabe Wakabayashi",
        "Naga Aka Kuro Shira Taka Matsu Kawa Yama Fuji Hira Miya Ao Kita Nishi",
        "saki yama hama mura shima oka zawa moto no ura bashi gawa",
        "Japan",
    ),
    (
        "Arjun Ravi Suresh Anil Vijay Mohan Kiran Rajesh Deepak Gopal Harish Ashok Naresh Prakash Sanjay Vinod",
        "Lakshmi Priya Sunita Kavita Meena Anjali Radha Usha Shanti Geeta Indira Kamala Nirmala Padma Rekha",
        "Acharya Banerjee Chatterjee Deshmukh Gokhale Iyer Joshi Kulkarni Mehta Nair Pillai Rao Sengupta Trivedi Verma "
        "Bhatt Chaudhary Dutta Kapadia Menon Patwardhan Saxena Thakkar Venkataraman",
        "Ram Chandra Kishan Raj Anand Dev Shiv Nand Hari Gopal Sur Lakh",
        "pur nagar garh abad palli gaon kot wadi pet puram",
        "India",
    ),
    (
        "Kwame Kofi Yaw Chinedu Emeka Tunde Babatunde Obinna Sipho Thabo Juma Hassan Mwangi Kamau Otieno Tendai",
        "Ama Akosua Abena Ngozi Chiamaka Folake Yetunde Nomsa Thandiwe Zanele Wanjiku Achieng Rudo Amina Adaeze",
        "Adeyemi Boateng Chukwu Dlamini Eze Gyasi Ibekwe Kariuki Mensah Ndlovu Nwosu Obi Okafor Owusu Sithole Tembo "
        "Wekesa Zuma Asante Balogun Danjuma Kiplagat Moyo Nkosi",
        "Abe Ika Obo Ado Kum Osu Aga Eno Ilo Nko Ebo Uma",
        "kuta si dan ja rodu mbe lesa wo nya ri goro ta",
        "Ghana",
    ),
    (
        "Wei Jun Ming Hao Guang Zhi Feng Tao Liang Yong Jian Bo Cheng Kai Rong Shan",
        "Mei Ling Xiu Fang Hua Yan Lan Qing Ying Xia Jing Hong Lihua Min Yue",
        "Zhao Qian Sun Zhou Wu Zheng Feng Chu Jiang Shen Han Yang Zhu Qin Xu He Lü Shi Kong Cao",
        "Long Qing Bai Hei Dong Xi Nan Bei Jin Yun Shan Jiang Hong An",
        "zhou jiang shan he hai yang men cheng ning tang feng kou",
        "China",
    ),
    (
        "Ahmed Mahmoud Khalil Youssef Ibrahim Omar Tariq Samir Nabil Karim Hamid Rashid Salim Faisal Jamal",
        "Fatima Layla Samira Nadia Huda Zaynab Amal Salma Rania Maryam Latifa Noura Dalia Hanan Yasmin",
        "al-Hashimi Haddad Mansour Khoury Najjar Qasim Sabbagh Tawfiq Zaki Barakat Darwish Fawzi Ghanem Habibi Jabri "
        "Kassab Nasrallah Rifai Shaheen Aziz",
        "Kafr Deir Tell Ain Qasr Wadi Burj Jabal Bayt Umm",
        " al-Zahra| el-Nour| Hamra| Salem| Mansur| Rashad| Karam| Safra| Yahya| al-Qadim",
        "Egypt",
    ),
    (
        "Jan Stanisław Kazimierz Tadeusz Zbigniew Jerzy Marek Wojciech Andrzej Henryk Paweł Ryszard Leszek Witold",
        "Zofia Halina Krystyna Jadwiga Barbara Wanda Maria Irena Danuta Bożena Agnieszka Ewa Teresa Helena",
        "Bielski Czarnecki Dobrowolski Głowacki Jasiński Kamiński Lipski Majewski Nowicki Olszewski Piotrowski Rybicki "
        "Sikorski Tomaszewski Urban Wilk Zawadzki Adamczyk Borkowski Górski",
        "Nowo Staro Biało Czarno Krasno Wielko Mało Zielono Brzo Lipo Jaro Mosz",
        "wice gród pole cin sław brzeg lin nica góra zów",
        "Poland",
    ),
    (
        "João Pedro António Joaquim Rui Nuno Duarte Tiago Vasco Álvaro Henrique Fernando Caio Otávio Renan",
        "Ana Beatriz Catarina Fernanda Inês Joana Leonor Mariana Rita Sofia Teresa Conceição Luísa Helena",
        "Almeida Barros Cardoso Duarte Esteves Figueira Guimarães Lacerda Macedo Nogueira Pacheco Queirós Ramalho "
        "Sampaio Teixeira Vasconcelos Azevedo Brandão Moura Peixoto",
        "São Mira Vila Porto Monte Campo Serra Lagoa Ribeira Santa",
        " Novo| Velho| Claro| Verde| do Sul| Alegre| Grande| da Serra| Formoso| das Flores",
        "Brazil",
    ),
)  # fmt: skip

DEMONYMS: dict[str, str] = {
    "United Kingdom": "British", "United States": "American", "Germany": "German", "France": "French",
    "Italy": "Italian", "Spain": "Spanish", "Russia": "Russian", "Sweden": "Swedish", "Japan": "Japanese",
    "India": "Indian", "Ghana": "Ghanaian", "China": "Chinese", "Egypt": "Egyptian", "Poland": "Polish",
    "Brazil": "Brazilian",
}  # fmt: skip
LANGUAGES: dict[str, str] = {
    "United Kingdom": "English", "United States": "English", "Ghana": "English", "India": "Hindi", "Egypt": "Arabic",
    "Brazil": "Portuguese",
}  # fmt: skip
_COUNTRY_NAMES: dict[str, tuple[str, ...]] = {
    "United Kingdom": ("UK", "Great Britain"), "United States": ("USA", "US", "United States of America"),
    "Germany": ("Federal Republic of Germany",), "China": ("People's Republic of China",),
}  # fmt: skip
CULTURES = range(len(_CULTURES))
_TITLES = ("Dr.", "Sir", "Prof.", "Rev.", "Capt.", "Hon.", "Col.")


def country(culture: int) -> Term:
    """The country of a culture."""
    name = _CULTURES[culture][5]
    return Term("", name, _COUNTRY_NAMES.get(name, ()))


def language(culture: int) -> Term:
    """The language of a culture."""
    name = _CULTURES[culture][5]
    return Term("", LANGUAGES.get(name, DEMONYMS[name]))


def surname(random: Random, culture: int) -> str:
    """A surname of a culture; two of them now and then."""
    own = _CULTURES[culture][2].split()
    name = random.choice(own)
    if culture == 5 and random.random() < 0.4:
        return f"{name} {random.choice(own)}"
    return f"{name}-{random.choice(own)}" if random.random() < 0.03 and "-" not in name else name


def person(random: Random, culture: int, woman: bool, family: str = "") -> tuple[Term, str]:
    """A person's names (label first; initials, surname first, a shorter or titled form) and surname."""
    given = _CULTURES[culture][woman].split()
    parts = random.sample(given, random.choice((1, 1, 1, 2, 2, 3) if culture not in (8, 11) else (1,)))
    family = family or surname(random, culture)
    if culture < 2 and len(parts) == 1 and random.random() < 0.3:
        parts.append(f"{random.choice('ABCDEFGHJLMRTW')}.")
    whole = f"{' '.join(parts)} {family}"
    initials = " ".join(f"{part[0]}." for part in parts)
    others = [f"{initials} {family}", f"{family}, {' '.join(parts)}", f"{family}, {initials}"]
    if len(parts) > 1:
        others += [f"{parts[0]} {family}", f"{parts[0]} {parts[1][0]}. {family}"]
    if random.random() < 0.15:
        others.append(f"{random.choice(_TITLES)} {whole}")
    if culture in (8, 11):
        others.append(f"{family} {parts[0]}")
    return Term("", whole, tuple(dict.fromkeys(name for name in others if name != whole))), family


def place(random: Random, culture: int) -> str:
    """A town's name."""
    starts, ends = _CULTURES[culture][3].split(), _CULTURES[culture][4]
    end = random.choice(ends.split("|") if "|" in ends else ends.split())
    start = random.choice(starts)
    name = start + end if end.startswith((" ", "-")) or len(start) + len(end) > 4 else start + end + "a"
    front = random.random()
    if culture < 4 and front < 0.12:
        return f"{random.choice(('New', 'Great', 'Upper', 'Lower', 'East', 'Little'))} {name}"
    return name


_ADJECTIVES = (
    "Silent Golden Broken Distant Hidden Burning Last First Lonely Crooked Quiet Crimson Endless Frozen Hollow Paper "
    "Restless Silver Stolen Summer Winter Velvet Wandering Wooden Bitter Blue Empty Gentle Iron Lost Northern Pale"
).split()
_NOUNS = (
    "River Garden Letter Harbour Mirror Orchard Road Season Shadow Stranger Tide Tower Village Window Bridge Clock "
    "Daughter Forest Horizon Island Lantern Machine Meadow Mountain Night Ocean Promise Rain Song Station Teacher Train"
).split()
_FORMS = (
    "The {a} {n}", "{a} {n}s", "{n} of {p}", "A {n} in {p}", "The {n} and the {m}", "{a} {n}", "Beyond the {n}",
    "The {n} of {p}", "{n}s", "Letters from {p}", "No {n} for {g}", "{g} and the {n}", "Under the {a} {n}",
    "What the {n} Knew", "The {n} Keeper", "Return to {p}", "{n} Without {m}",
)  # fmt: skip


def title(random: Random, culture: int) -> str:
    """A title of a film, a book or a record."""
    given = _CULTURES[culture][random.random() < 0.5].split()
    noun, other = random.sample(_NOUNS, 2)
    return random.choice(_FORMS).format(
        a=random.choice(_ADJECTIVES), n=noun, m=other, p=place(random, culture), g=random.choice(given)
    )


def adjective_noun(random: Random) -> str:
    """Two words, for what is named after nobody."""
    return f"{random.choice(_ADJECTIVES)} {random.choice(_NOUNS)}"


_SYLLABLES = "al be cor da el fi gra ho ju ka lo mi no pra ro sa ti ul va xe zo lin ner tor mus phyl cera".split()


def latin(random: Random, ending: str) -> str:
    """A made-up word of a scientific name, in small letters."""
    return "".join(random.sample(_SYLLABLES, random.choice((2, 3)))) + ending


def coined(random: Random, ending: str = "") -> str:
    """A made-up word, for firms and programs."""
    return "".join(random.sample(_SYLLABLES, 2)).capitalize() + ending


_OTHER_NAMES = {
    "university": ("University of {p}", "{p} University", "{p} Institute of Technology", "{p} College", "{p} Academy"),
    "museum": ("{p} Museum of Art", "{p} City Museum", "National Gallery of {p}",
               "{p} Historical Museum", "{s} Collection"),
    "firm": ("{s} & Sons", "{c} Corporation", "{s} and {t}", "{c} Ltd", "{p} Iron Works", "{s} Brothers", "{c} Group",
             "{p} Trading Company", "{c} Systems", "{s} Motor Company"),
    "yard": ("{s} & Co.", "{p} Shipyard", "{s} Brothers", "{p} Shipbuilding", "{s} Yard", "{p} Dry Dock Company"),
    "publisher": ("{s} & {t}", "{p} University Press", "{c} Books", "{s} Verlag", "{p} House", "Editions {s}"),
    "label": ("{c} Records", "{a} Records", "{c} Music", "{p} Sound"),
    "team": ("{p} United", "{p} FC", "{p} Rovers", "{p} Tigers", "Sporting {p}", "{p} Athletic", "{p} Hawks"),
    "award": ("{s} Prize", "Order of the {n}", "{p} Medal", "{s} Award for Science", "{a} {n} Award", "{s} Fellowship"),
    "society": ("{p} Academy of Sciences", "Royal Society of {p}", "{p} Philharmonic Society", "{s} Club"),
    "cemetery": ("{p} Cemetery", "St. {g}'s Churchyard", "{a} Hill Cemetery", "{p} Abbey", "Old {p} Burial Ground"),
    "party": ("{p} Progressive Party", "People's Union of {p}", "{a} League"),
    "parliament": ("Parliament of {p}", "{p} General Assembly", "{p} State Council", "{p} Legislature"),
    "river": ("{p} River", "River {l}", "{l} Creek", "{l}", "Rio {l}"),
    "county": ("{p} County", "{p} District", "{p} Province", "{p}shire"),
    "house": ("{s} House", "{p} Hall", "{s} Building", "{p} Castle", "St. {g}'s Church", "{p} Town Hall", "Villa {s}",
              "{s} Mill", "{p} Lighthouse", "{s} Theatre", "{p} Station"),
    "bridge": ("{p} Bridge", "{s} Bridge", "{a} Bridge", "{s} Viaduct"),
    "mountain": ("Mount {s}", "{p} Peak", "{l} Mountain", "{a} Hill", "Pic {s}"),
    "lake": ("Lake {l}", "{l} Lake", "{p} Reservoir", "{a} Lake"),
    "event": ("{p} Open", "Battle of {p}", "{p} Film Festival", "{s} Cup", "{p} Conference on Trade", "{p} Marathon",
              "Treaty of {p}", "{p} Regatta"),
    "law": ("{n} Protection Act", "{p} Railways Act", "{a} Waters Act", "Public {n}s Ordinance", "{p} Improvement Act",
            "Statute of {p}", "Licensing of {n}s Act"),
    "newspaper": ("{p} Gazette", "{p} Courier", "Journal of {n} Studies", "The {p} Review"),
}  # fmt: skip


def name(random: Random, what: str, culture: int) -> str:
    """A name of an organisation, a building, a water, a law and the like; `what` is one of the kinds above."""
    form: str = random.choice(_OTHER_NAMES[what])
    parts: dict[str, Callable[[], str]] = {
        "{p}": lambda: place(random, culture),
        "{s}": lambda: surname(random, culture),
        "{t}": lambda: surname(random, culture),
        "{c}": lambda: coined(random),
        "{a}": lambda: random.choice(_ADJECTIVES),
        "{n}": lambda: random.choice(_NOUNS),
        "{l}": lambda: coined(random),
        "{g}": lambda: random.choice(("Mary", "Anne", "Paul", "Mark", "Luke")),
    }
    for gap, part in parts.items():
        if gap in form:
            form = form.replace(gap, part())
    return form
