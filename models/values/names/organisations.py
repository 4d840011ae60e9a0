"""What names of organisations, places and works are made of: legal forms, kinds, directions, regions, acronyms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

LEGAL_FORMS = frozenset(
    "inc incorporated corporation company ltd limited llc llp lp plc corp co gmbh ag kg kgaa ug ev sa sarl sas spa "
    "srl bv nv ab as asa oy "
    "oyj aps pty pte kk bhd sdn doo zrt kft ooo oao pao pvt aktiengesellschaft aktiebolag aktieselskab aksjeselskap "
    "osakeyhtio vennootschap".split()
)

# Words that make another thing of the name before them: "New York" and "New York Times".
KINDS = frozenset(
    "university college school academy institute institution press times herald post news tribune journal gazette "
    "chronicle magazine street road avenue lane drive boulevard square place bridge airport station hospital clinic "
    "library museum gallery park garden gardens county city town township parish district province prefecture river "
    "lake bay island islands isles mountain mountains hill hills valley creek canal coast beach forest church chapel "
    "cathedral abbey castle palace hotel hall house tower building theatre theater stadium arena center centre company "
    "corporation incorporated ltd limited group bank records recordings studios pictures entertainment orchestra "
    "symphony philharmonic choir band society association federation union club united fc afc league cup trophy prize "
    "award awards medal foundation trust fund act treaty agreement committee commission council ministry department "
    "bureau agency authority office court army navy airlines airways railway railways line lines express festival "
    "championship championships games olympics marathon open grand prix party movement front alliance regiment brigade "
    "division battalion squadron expedition massacre affair trial case war battle siege campaign offensive revolution "
    "rebellion uprising accords conference summit declaration convention protocol formation sea ocean strait gulf "
    "peninsula desert plateau basin island airport exchange index project program programme jets giants dodgers "
    "yankees lakers bulls tigers lions bears eagles".split()
)

# Words before a name that make another of it: "Korea" and "North Korea".
SHIFTS = frozenset(
    "north south east west northern southern eastern western central upper lower greater new old great little mid "
    "middle inner outer fort mount lake port cape saint san santa los las el la le st mt ft anti non pre post ex "
    "trans inter pan".split()
)

# Bodies of which many places have one, by the word that leads from their name to the place or the purpose.
_BODIES = (
    "gallery society academy museum university ministry institute college association department council union "
    "federation commission court office bureau agency authority library assembly parliament congress senate faculty "
    "conservatory orchestra bank church party hospital service board chamber"
)
SOCIETIES = {
    "of": frozenset(f"{_BODIES} school institution committee club league government house order guild".split()),
    "for": frozenset(
        "society academy institute association department council commission office agency centre center foundation "
        "school college ministry bureau federation hospital".split()
    ),
    "at": frozenset("university school college department faculty institute".split()),
}

# How a legal form spelled out begins, in two folded words.
LEGAL_PHRASES = frozenset(
    tuple(pair.split())
    for pair in (
        "gesellschaft mit,societe anonyme,societa per,societa a,sociedad anonima,sociedade anonima,sociedad limitada,"
        "public limited,limited liability,spolka akcyjna,spolka z,kabushiki kaisha,naamloze vennootschap,"
        "besloten vennootschap,kommanditgesellschaft auf,private limited,proprietary limited,joint stock"
    ).split(",")
)

OPPOSITES = tuple(
    frozenset(pair.split())
    for pair in (
        "north south", "east west", "north east", "north west", "south east", "south west", "northern southern",
        "eastern western", "upper lower", "inner outer", "male female", "old new", "great little", "greater lesser",
        "major minor", "senior junior", "left right", "first last", "black white", "young old", "high low",
        "royal national", "men women", "man woman", "boys girls", "mens womens", "summer winter", "northeast northwest",
        "southeast southwest", "northeastern northwestern", "southeastern southwestern", "inland island",
        "import export",
    )
)  # fmt: skip

# States and provinces that stand behind a comma to tell towns of one name apart, with their codes.
_REGIONS = {
    region: code
    for code, region in (
        pair.split(" ", 1)
        for pair in (
            "al alabama,ak alaska,az arizona,ar arkansas,ca california,co colorado,ct connecticut,de delaware,"
            "fl florida,ga georgia,hi hawaii,id idaho,il illinois,in indiana,ia iowa,ks kansas,ky kentucky,la "
            "louisiana,"
            "me maine,md maryland,ma massachusetts,mi michigan,mn minnesota,ms mississippi,mo missouri,mt montana,"
            "ne nebraska,nv nevada,nh new hampshire,nj new jersey,nm new mexico,ny new york,nc north carolina,"
            "nd north dakota,oh ohio,ok oklahoma,or oregon,pa pennsylvania,ri rhode island,sc south carolina,"
            "sd south dakota,tn tennessee,tx texas,ut utah,vt vermont,va virginia,wa washington,wv west virginia,"
            "wi wisconsin,wy wyoming,on ontario,qc quebec,mb manitoba,sk saskatchewan,ab alberta,bc british columbia,"
            "ns nova scotia,nb new brunswick,nl newfoundland,qld queensland,tas tasmania,nsw new south wales"
        ).split(",")
    )
}
_CODES = {code: region for region, code in _REGIONS.items()}

# Words right before a name that make it a ship's, a street's or a place's; True for those that do so with any name,
# False for those that do with a person's only.
BEARERS = {
    **dict.fromkeys(
        "ship liner carrier frigate destroyer cruiser submarine battleship warship yacht ferry steamer steamship "
        "vessel tanker corvette schooner brig barque locomotive airship trawler icebreaker lifeboat asteroid crater "
        "lycee gymnasium stadion stade estadio aeroporto aeropuerto flughafen aeroport "
        "grundschule realschule gesamtschule ecole liceo scuola escuela colegio szkola institut instituto istituto "
        "fondation fundacion fundacao fondazione musee museo teatro prix premio hopital parc parque parco "
        "mount lake cape fort port camp".split(),
        False,
    ),
    **dict.fromkeys(
        "boulevard bd blvd rue avenue chaussee quai viale piazza corso calle plaza paseo avenida rua praca place via "
        "ulica ulitsa prospekt".split(),
        True,
    ),
}
SHIPS = frozenset("HMS USS SS RMS MV MS NS RV TS SMS HMAS HMCS HMNZS HNLMS HDMS USNS USCGC RRS".split())
# Names inside set phrases that speak of something else, with the words before them.
IN_PHRASES = {
    "paris": ("plaster of", "judgement of", "judgment of"),
    "cologne": ("eau de",),
    "bengal": ("light of",),
    "venice": ("merchant of",),
    "verona": ("gentlemen of",),
    "hamelin": ("piper of",),
}
# Codes that lists of results put behind a competitor.
COUNTRY_CODES = frozenset(
    "AFG ALB ALG AND ANG ARG ARM AUS AUT AZE BAH BAN BAR BEL BIH BLR BOL BOT BRA BUL BUR CAN CHE CHI CHN CIV CMR COL "
    "CRC CRO CUB CYP CZE DEN DEU DNK DOM ECU EGY ENG ERI ESP EST ETH EUN FIJ FIN FRA FRG GAB GBR GDR GEO GER GHA GRC "
    "GRE GUA HAI HKG HON HRV HUN INA IND IRI IRL IRN IRQ ISL ISR ITA JAM JOR JPN KAZ KEN KGZ KOR KOS KSA KUW LAT LBN "
    "LIE LTU LUX LVA MAR MAS MDA MEX MGL MKD MLT MNE MON NAM NED NGR NIR NLD NOR NZL PAK PAN PAR PER PHI POL POR PRK "
    "PRT PUR QAT ROM ROU RSA RUS SCG SCO SEN SGP SLO SMR SRB SRI SUI SVK SVN SWE SYR TAN TCH THA TPE TRI TUN TUR UAE "
    "UGA UKR URS URU USA UZB VEN VIE WAL YUG ZAF ZAM ZIM".split()
)

# Cities of the old world and capitals whose names towns in America bear: a state behind one tells it from the city.
FAMOUS = frozenset(
    "paris london rome berlin vienna athens dublin moscow cairo warsaw madrid lisbon amsterdam rotterdam geneva "
    "florence "
    "venice naples milan toledo odessa petersburg manchester birmingham cambridge oxford plymouth bristol york perth "
    "melbourne belfast glasgow edinburgh aberdeen hamburg frankfurt dresden hanover versailles lima delhi damascus "
    "palestine lebanon jerusalem bethlehem troy sparta carthage corinth memphis alexandria".split()
)


_SHORT_REGIONS: dict[str, str] = dict(
    pair.split(" ", 1)
    for pair in (
        "mass massachusetts,conn connecticut,calif california,cal california,fla florida,ill illinois,ind indiana,"
        "mich michigan,minn minnesota,miss mississippi,mo missouri,nebr nebraska,neb nebraska,okla oklahoma,"
        "ore oregon,penn pennsylvania,penna pennsylvania,pa pennsylvania,tenn tennessee,tex texas,va virginia,"
        "vt vermont,wash washington,wis wisconsin,wisc wisconsin,wyo wyoming,ala alabama,ark arkansas,"
        "ariz arizona,colo colorado,del delaware,ga georgia,kans kansas,kan kansas,ky kentucky,la louisiana,"
        "md maryland,me maine,mont montana,nev nevada,ont ontario,que quebec,man manitoba,sask saskatchewan"
    ).split(",")
)


def region_named(first: str, second: str, surface: str, sign: str = "") -> frozenset[str]:
    """The words of the state or province that folded words behind a comma name, and its code; empty for none.

    A code must be in capitals, as `surface` shows; `sign` is what follows the first word: "Mass." and "N.Y." need it.
    """
    if sign == "." and len(first) > 1 and (short := _SHORT_REGIONS.get(first)):
        return frozenset((*short.split(), _REGIONS[short], first))
    if sign == "." and len(first) == len(second) == 1 and (whole := _CODES.get(first + second)):
        return frozenset((*whole.split(), first + second))
    region = first if first in _REGIONS else f"{first} {second}" if f"{first} {second}" in _REGIONS else ""
    if not region and surface.isupper():
        region = _CODES.get(first, "")
    return frozenset((*region.split(), _REGIONS[region])) if region else frozenset()


def names_region(words: Iterable[str]) -> bool:
    """Whether one of some folded words is a state or a province of America or Australia."""
    return any(word in _REGIONS for word in words)


def are_opposites(one: str, other: str) -> bool:
    """True for words that make two different names however alike the rest is: "north" and "south"."""
    return any(one in pair and other in pair for pair in OPPOSITES) and one != other


_UNCOUNTED = frozenset("the a an of and de la le les du des von van der den in at on for to et und y e".split())
_COMPANY = frozenset("corporation company incorporated limited".split())


def acronyms(words: Sequence[str], surfaces: Sequence[str]) -> tuple[str, ...]:
    """The first letters of a name's capitalised words, folded, from three on ("bbc"), with and without "Corporation".

    Legal forms don't count. A word in capitals ("USA") makes the name an acronym of its own, and gives none.
    """
    counted = [
        (word, surface)
        for word, surface in zip(words, surfaces, strict=True)
        if word not in _UNCOUNTED and (word not in LEGAL_FORMS or word in _COMPANY)
    ]
    if any(not surface[:1].isupper() or (len(surface) > 1 and surface.isupper()) for _, surface in counted):
        return ()
    full = "".join(word[0] for word, _ in counted)
    short = "".join(word[0] for word, _ in counted if word not in _COMPANY)
    return tuple(letters for letters in dict.fromkeys((full, short)) if 3 <= len(letters) <= 7)
