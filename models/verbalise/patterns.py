"""Our sentences for the commonest properties.

A pattern has gaps in braces: {subject}, {subject's}, {object}, {an object} (a/an by its sound), {the object}
("the" where the name takes it), {quoted object}, {when} (a time with its preposition); and verbs in brackets,
which move into the past when the statement's qualifiers say that it ended.
Where English needs it, a property has several: the first whose condition holds is taken, the last has none, and is
good English for any subject and value, since a description may be missing or in another language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from models.statement import EntityValue, Statement
from models.verbalise.kinds import kinds
from models.verbalise.sentence import Sentence, parse

Condition = Callable[[Statement], bool]


def _subject(words: str) -> Condition:
    """Whether what the subject is called ends in one of the words."""
    pattern = re.compile(rf"\b(?:{words})s?\Z", re.IGNORECASE)

    def holds(statement: Statement) -> bool:
        return any(pattern.search(kind) for kind in kinds(statement))

    return holds


def _object(words: str) -> Condition:
    """Whether the value's label ends in one of the words."""
    pattern = re.compile(rf"\b(?:{words})$", re.IGNORECASE)

    def holds(statement: Statement) -> bool:
        value = statement.value
        return isinstance(value, EntityValue) and bool(pattern.search(value.term.label or ""))

    return holds


def _value_starts(words: str) -> Condition:
    """Whether the value's own text begins with one of the words."""
    pattern = re.compile(rf"(?:{words})\b", re.IGNORECASE)

    def holds(statement: Statement) -> bool:
        return pattern.match(getattr(statement.value, "text", "")) is not None

    return holds


_IS_RELEASED = _subject("film|movie|album|song|single|EP|video game|soundtrack|video|anime|television series|TV series")
_IS_FOUNDED = _subject(
    "company|organi[sz]ation|association|foundation|institut(?:e|ion)|university|college|school|academy|club|team|band|"
    "group|party|society|agency|bank|newspaper|magazine|museum|library|orchestra|business|enterprise|brand|publisher|"
    "city|town|village|municipality|settlement|commune|monastery|abbey|church|charity|airline|league|union|label|order|"
    "parish|diocese|department|hospital|studio"
)
_IS_EVENT = _subject(
    "battle|war|election|tournament|competition|championship|festival|race|conference|event|attack|disaster|accident|"
    "match|season|crash|earthquake|concert|raid|protest|riot|strike|massacre|trial|murder|edition|stage|Olympics|"
    "exhibition|ceremony|expedition|siege|pandemic|epidemic"
)
# What stands somewhere. A law, a film or a species of a country isn't located in it.
_IS_SOMEWHERE = _subject(
    "place|site|building|structure|house|school|university|college|institute|department|museum|library|archive|"
    "hospital|church|chapel|cathedral|abbey|monastery|mosque|synagogue|temple|shrine|castle|palace|villa|mansion|"
    "tower|fort|fortress|gate|bridge|tunnel|dam|canal|road|street|avenue|lane|square|highway|motorway|railway|station|"
    "stop|airport|airfield|port|harbou?r|lighthouse|city|town|village|hamlet|municipality|commune|settlement|suburb|"
    "neighbou?rhood|quarter|district|county|province|region|state|territory|parish|ward|borough|park|garden|reserve|"
    "forest|mountain|hill|peak|range|valley|river|stream|creek|lake|reservoir|bay|beach|island|peninsula|cape|cave|"
    "glacier|waterfall|spring|mine|quarry|farm|estate|cemetery|monument|memorial|statue|fountain|theatre|theater|"
    "cinema|hotel|restaurant|stadium|arena|venue|factory|plant|prison|company|organi[sz]ation|association|foundation|"
    "non-?profit|charity|club|agency|bank|business|enterprise|ministry|ministries|society|headquarters|landmark"
)
_IS_GROUP = _subject(
    "company|organi[sz]ation|association|foundation|nonprofit|club|team|band|group|charity|agency|business|enterprise|"
    "brand|publisher|airline|bank|party|society|federation|ministry|project|alliance|ministries|union|newspaper|label"
)
_IS_MUSICIAN = _subject(
    "musician|singer|band|rapper|songwriter|singer-songwriter|composer|DJ|guitarist|pianist|drummer|violinist|duo|"
    "music group|girl group|boy band|vocalist|saxophonist|trumpeter|bassist|record producer|orchestra|group"
)
_IS_BAND = _subject("band|duo|trio|group|ensemble|orchestra|quartet|collective|organi[sz]ation|company")
_KIND_OF_WORK = _object(
    "film|novel|novella|series|game|program|programme|show|opera|album|play|story|book|magazine|comedy|musical|sitcom|"
    "documentary|thriller|drama|song|ballad|short|poem|biography|autobiography|memoir|symphony|concerto|sonata|portrait|"
    "landscape|still life|anthology|encyclopedia|dictionary|newspaper|podcast|essay|epic|romance|telenovela|miniseries"
)
_IS_ADJECTIVE = _object("male|female|non-binary|nonbinary|intersex|agender|genderfluid|bigender|transgender|eunuch")
_IS_LISTED = _object("building|monument|site|structure|landmark|heritage|garden|park|place|area|property|district")
_IS_NAMED_PARTY = _object("Party|League|Union|Alliance|Coalition|Movement|Front|Labour")
_IS_NAMED_LEAGUE = _object("League|Liga|Ligue|Division|Conference|Championship|Cup|Series|Association")
_STARTS_WITH_VERB = _value_starts("is|are|was|lies|stands")
_STARTS_WITH_PLACE = _value_starts(
    "near|next|between|in|at|on|off|above|across|along|around|behind|beside|opposite|inside|outside|within|by|from|"
    "north|south|east|west|northeast|northwest|southeast|southwest|[0-9.,]+ ?(?:km|m|metres|mi|miles|kilometres)"
)

Variants = tuple[tuple[Condition, str] | str, ...]

_PATTERNS: dict[str, str | Variants] = {
    # Life
    "P569": "{subject} was born {when}",
    "P570": "{subject} died {when}",
    "P19": "{subject} was born in {the object}",
    "P20": "{subject} died in {the object}",
    "P119": "{subject} was buried at {the object}",
    "P21": ((_IS_ADJECTIVE, "{subject} is {object}"), "{subject} is {an object}"),
    "P22": "The father of {subject} is {object}",
    "P25": "The mother of {subject} is {object}",
    "P26": "{subject} [is] married to {object}",
    "P40": "{object} is a child of {subject}",
    "P451": "{subject} [is] the partner of {object}",
    "P1038": "{subject} is a relative of {object}",
    "P1290": "A godparent of {subject} is {object}",
    "P3373": "{subject} is a sibling of {object}",
    "P3448": "A stepparent of {subject} is {object}",
    "P1971": "{subject's} number of children is {object}",
    "P53": "{subject} is a member of the family {object}",
    "P27": "{subject} [is] a citizen of {the object}",
    "P1532": "{subject} [represents] the country {object} in sport",
    "P172": "The ethnic group of {subject} is {object}",
    "P103": "The native language of {subject} is {object}",
    "P1412": "A language spoken, written or signed by {subject} [is] {object}",
    "P6886": "{subject} [is] a writer in the {object} language",
    "P140": "The religion of {subject} [is] {the object}",
    "P91": "The sexual orientation of {subject} is {object}",
    "P106": "{subject} [is] {an object}",
    "P39": "{subject} held the position of {object}",
    "P108": "{subject} [is] employed by {the object}",
    "P69": "{subject} was educated at {the object}",
    "P512": "{subject} received the academic degree of {object}",
    "P812": "{subject} studied {object} as an academic major",
    "P184": "The doctoral advisor of {subject} was {object}",
    "P185": "{object} was a doctoral student of {subject}",
    "P802": "{object} was a student of {subject}",
    "P1066": "{subject} was a student of {object}",
    "P101": "The field of work of {subject} [is] {object}",
    "P102": (
        (_IS_NAMED_PARTY, "{subject} [is] a member of {the object}"),
        "{subject} [is] a member of the political party {object}",
    ),
    "P463": "{subject} [is] a member of {the object}",
    "P54": "{subject} [is] a member of the sports team {object}",
    "P413": "{subject} [plays] in the position of {object}",
    "P1303": "{subject} [plays] the instrument {object}",
    "P412": "The voice type of {subject} is {object}",
    "P166": "{subject} received the award {object}",
    "P1411": "{subject} was nominated for {the object}",
    "P551": "The residence of {subject} [is] {the object}",
    "P937": "{subject} worked in {the object}",
    "P66": "The ancestral home of {subject} is {the object}",
    "P1321": "{subject's} place of origin is {object}",
    "P241": "{subject} served in the military branch {object}",
    "P410": "{subject} held the military rank of {object}",
    "P607": "{subject} participated in the conflict {object}",
    "P945": "{subject's} allegiance [is] to {the object}",
    "P509": "The cause of death of {subject} was {object}",
    "P1196": "The manner of death of {subject} was {object}",
    "P157": "{subject} was killed by {object}",
    "P1050": "{subject} [has] the medical condition {object}",
    "P1399": "{subject} was convicted of {object}",
    "P1595": "{subject} was charged with {object}",
    "P1596": "The penalty of {subject} was {object}",
    "P2632": "{subject} was detained at {the object}",
    "P97": "{subject} [has] the noble title {object}",
    "P511": "The honorific prefix of {subject} is {object}",
    "P1035": "The honorific suffix of {subject} is {object}",
    "P550": "{subject} is a member of the chivalric order {object}",
    "P735": "The given name of {subject} is {object}",
    "P734": "The family name of {subject} is {object}",
    "P1950": "The second Spanish family name of {subject} is {object}",
    "P1477": "The birth name of {subject} is {quoted object}",
    "P2562": "The married name of {subject} is {quoted object}",
    "P1559": "{subject's} name in the native language is {quoted object}",
    "P1449": "The nickname of {subject} is {quoted object}",
    "P742": "A pseudonym of {subject} is {quoted object}",
    "P737": "{subject} was influenced by {object}",
    "P800": "A notable work of {subject} is {object}",
    "P1344": "{subject} participated in {the object}",
    "P3602": "{subject} was a candidate in {the object}",
    "P2031": (
        (_IS_BAND, "{subject} started its work {when}"),
        "{subject} started work {when}",
    ),
    "P2032": "{subject} ended work {when}",
    "P1317": "{subject} flourished {when}",
    "P1636": "{subject} was baptised {when}",
    "P4602": "{subject} was buried or cremated {when}",
    "P746": "{subject} disappeared {when}",
    "P1340": "The eye color of {subject} is {object}",
    "P1884": "The hair color of {subject} is {object}",
    "P8839": "The hairstyle of {subject} is {object}",
    "P552": "The handedness of {subject} is {object}",
    "P1853": "The blood type of {subject} is {object}",
    "P411": "The canonization status of {subject} is {object}",
    "P841": "The feast day of {subject} is {object}",
    "P1142": "The political ideology of {subject} [is] {object}",
    "P1387": "The political alignment of {subject} [is] {object}",
    "P2218": "The net worth of {subject} [is] {object}",
    "P450": "{subject} took part in the space mission {object}",
    "P2873": "{subject} spent {object} in space",
    "P7763": "The copyright status of {subject} as a creator is {object}",
    "P6275": "The copyright representation of {subject} is: {object}",
    "P485": "The archives of {subject} are at {the object}",
    "P9493": "Artist files about {subject} are at {the object}",
    "P358": "The discography of {subject} is {object}",
    "P264": "The record label of {subject} [is] {object}",
    "P3300": "The musical conductor of {subject} is {object}",
    "P4100": "{subject} [is] a member of the parliamentary group {object}",
    "P768": "The electoral district of {subject} is {object}",
    "P2715": "{subject} was elected in {the object}",
    "P3342": "{object} is a significant person for {subject}",
    "P3902": "{subject} had {object} as last meal",
    "P1327": "{subject} [is] a partner of {object} in business or sport",
    # Sport
    "P641": "The sport of {subject} [is] {object}",
    "P118": (
        (_IS_NAMED_LEAGUE, "{subject} [plays] in {the object}"),
        "{subject} [plays] in the league {object}",
    ),
    "P115": "The home venue of {subject} [is] {the object}",
    "P286": "The head coach of {subject} [is] {object}",
    "P505": "The general manager of {subject} [is] {object}",
    "P423": "The shooting handedness of {subject} is {object}",
    "P1618": "{subject} [has] the sport number {object}",
    "P1352": "The ranking of {subject} [is] {object}",
    "P1087": "The Elo rating of {subject} [is] {object}",
    "P2962": "{subject} [has] the chess title {object}",
    "P6509": "{subject} had {object} goals in total in the career",
    "P6544": "{subject} had {object} points in total in the career",
    "P6545": "{subject} had {object} assists in total in the career",
    "P6546": "{subject} had {object} penalty minutes in the career",
    "P1346": "The winner of {subject} is {object}",
    "P2522": "{subject} won {the object}",
    "P710": "{object} participated in {subject}",
    "P1923": "{object} is a participating team of {subject}",
    "P1132": "The number of participants of {subject} [is] {object}",
    "P664": "{subject} was organized by {the object}",
    "P726": "{object} was a candidate in {subject}",
    "P991": "{object} was the successful candidate in {subject}",
    "P541": "{object} is the office contested in {subject}",
    "P1111": "{subject} received {object} votes",
    "P1000": "{subject} [holds] the record {object}",
    "P2416": "{subject} [competes] in the sports discipline {object}",
    "P3494": "The points classification of {subject} was led by {object}",
    "P4320": "The mountains classification of {subject} was led by {object}",
    "P4323": "The young rider classification of {subject} was led by {object}",
    "P2321": "{object} was in the general classification of {subject}",
    "P1029": "{object} [is] a crew member of {subject}",
    "P5138": "{subject} is a season of the club or team {object}",
    "P3450": "{subject} is a season of {the object}",
    "P393": "{subject} is edition number {object}",
    "P2094": "The competition class of {subject} is {object}",
    "P1110": "The attendance of {subject} was {object}",
    "P797": "The governing authority of {subject} [is] {the object}",
    # Names and identifiers
    "P1448": "The official name of {subject} [is] {quoted object}",
    "P1476": "The title of {subject} is {quoted object}",
    "P1680": "The subtitle of {subject} is {quoted object}",
    "P1705": "The native label of {subject} is {quoted object}",
    "P2561": "The name of {subject} is {quoted object}",
    "P1813": "The short name of {subject} [is] {quoted object}",
    "P1814": "{subject's} name in kana is {object}",
    "P1451": "The motto of {subject} is {quoted object}",
    "P1684": "The inscription of {subject} reads {quoted object}",
    "P6251": "The catchphrase of {subject} is {quoted object}",
    "P1922": "{subject} begins with the words {quoted object}",
    "P3132": "{subject} ends with the words {quoted object}",
    "P138": "{subject} was named after {the object}",
    "P3938": "{subject} was named by {object}",
    "P1942": "The McCune-Reischauer romanization of {subject} is {object}",
    "P2001": "The Revised Romanization of {subject} is {object}",
    "P282": "{subject} is written in the writing system {object}",
    "P528": "{subject} has the catalog code {object}",
    "P217": "{subject} has the inventory number {object}",
    "P1031": "The legal citation of {subject} is {object}",
    "P281": "The postal code of {subject} [is] {object}",
    "P473": "The local dialing code of {subject} [is] {object}",
    "P395": "The licence plate code of {subject} [is] {object}",
    "P238": "The IATA airport code of {subject} [is] {object}",
    "P239": "The ICAO airport code of {subject} [is] {object}",
    "P296": "The station code of {subject} [is] {object}",
    "P249": "The ticker symbol of {subject} [is] {object}",
    "P212": "The ISBN-13 of {subject} is {object}",
    "P957": "The ISBN-10 of {subject} is {object}",
    "P236": "The ISSN of {subject} is {object}",
    "P356": "The DOI of {subject} is {object}",
    "P231": "The CAS Registry Number of {subject} is {object}",
    "P458": "The IMO ship number of {subject} is {object}",
    "P617": "The yard number of {subject} is {object}",
    "P2317": "The call sign of {subject} [is] {object}",
    "P856": "The official website of {subject} [is] {object}",
    "P968": "The email address of {subject} [is] {object}",
    "P1329": "The phone number of {subject} [is] {object}",
    "P2002": "The X (Twitter) username of {subject} [is] {object}",
    "P2003": "The Instagram username of {subject} [is] {object}",
    "P2572": "The hashtag of {subject} is {object}",
    "P348": "{subject} [has] the software version {object}",
    "P433": "{subject} is in issue {object}",
    "P478": "{subject} is in volume {object}",
    "P304": "{subject} is on the pages {object}",
    "P1545": "The series ordinal of {subject} is {object}",
    "P490": "The provisional designation of {subject} is {object}",
    "P613": "The OS grid reference of {subject} is {object}",
    "P3761": "The IPv4 routing prefix of {subject} is {object}",
    "P1257": "{subject} depicts the Iconclass notation {object}",
    "P2802": "The fleet or registration number of {subject} is {object}",
    "P2598": "The serial number of {subject} is {object}",
    # Places
    "P17": (
        (_IS_EVENT, "{subject} took place in {the object}"),
        (_IS_SOMEWHERE, "{subject} [is] located in {the object}"),
        "The country of {subject} [is] {the object}",
    ),
    "P131": (
        (_IS_EVENT, "{subject} took place in {the object}"),
        "{subject} [is] located in {the object}",
    ),
    "P276": (
        (_IS_EVENT, "The location of {subject} was {the object}"),
        "The location of {subject} [is] {the object}",
    ),
    "P7959": "{subject} [is] located in the historic county of {object}",
    "P3842": "{subject} is located in present-day {object}",
    "P30": "{subject} is on the continent of {object}",
    "P706": "{subject} is located on or in the terrain feature {object}",
    "P206": "{subject} is located in or next to the body of water {object}",
    "P669": "{subject} [is] located on the street {object}",
    "P6375": "The street address of {subject} [is] {object}",
    "P4595": "The post town of {subject} is {object}",
    "P2795": (
        (_STARTS_WITH_VERB, "{subject} {object}"),
        (_STARTS_WITH_PLACE, "{subject} is located {object}"),
        "Directions to {subject}: {object}",
    ),
    "P625": "{subject} is located at {object}",
    "P421": "{subject} [is] located in the time zone {object}",
    "P159": "The headquarters of {subject} [is] located in {the object}",
    "P740": "{subject} was formed in {the object}",
    "P495": "{subject} originates from {the object}",
    "P36": "The capital of {subject} [is] {the object}",
    "P1376": "{subject} [is] the capital of {the object}",
    "P37": "{object} [is] an official language of {subject}",
    "P38": "The currency of {subject} [is] {the object}",
    "P35": "The head of state of {subject} [is] {object}",
    "P6": "The head of government of {subject} [is] {object}",
    "P122": "The form of government of {subject} [is] {object}",
    "P194": "The legislative body of {subject} [is] {the object}",
    "P208": "The executive body of {subject} [is] {the object}",
    "P1313": "The office of the head of government of {subject} [is] {object}",
    "P1906": "The office of the head of state of {subject} [is] {object}",
    "P1308": "The officeholder of {subject} [is] {object}",
    "P150": "{the object} [is] an administrative division of {subject}",
    "P47": "{subject} shares a border with {the object}",
    "P190": "{subject} [is] twinned with {the object}",
    "P610": "The highest point of {subject} is {object}",
    "P1589": "The lowest point of {subject} is {object}",
    "P403": "{subject} flows into {the object}",
    "P885": "The source of {subject} is {the object}",
    "P200": "{the object} flows into {subject}",
    "P201": "{the object} flows out of {subject}",
    "P205": "{the object} is a basin country of {subject}",
    "P974": "{the object} is a tributary of {subject}",
    "P4614": "{subject} is in the drainage basin {object}",
    "P4552": "{subject} belongs to the mountain range {object}",
    "P3137": "The parent peak of {subject} is {object}",
    "P6885": "{subject} is located in the historical region of {object}",
    "P163": "The flag of {subject} is {object}",
    "P237": "The coat of arms of {subject} is {object}",
    "P85": "The anthem of {subject} is {quoted object}",
    "P2238": "An official symbol of {subject} is {object}",
    "P417": "The patron saint of {subject} is {object}",
    "P708": "{subject} [belongs] to the diocese {object}",
    "P825": "{subject} is dedicated to {the object}",
    "P1435": (
        (_IS_LISTED, "{subject} [is] designated as {an object}"),
        "{subject} [has] the heritage designation {object}",
    ),
    "P5816": "The state of conservation of {subject} [is]: {object}",
    "P2564": "The Köppen climate classification of {subject} is {object}",
    "P149": "The architectural style of {subject} is {object}",
    "P84": "The architect of {subject} is {object}",
    "P177": "{subject} crosses {the object}",
    "P81": "{subject} [is] on the line {object}",
    "P197": "A station next to {subject} is {object}",
    "P559": "A terminus of {subject} is {the object}",
    "P609": "The terminus of {subject} is located in {the object}",
    "P931": "{subject} [serves] {the object}",
    "P521": "{object} is a scheduled service destination of {subject}",
    "P5595": "The number of platform faces of {subject} is {object}",
    "P2789": "{subject} connects with {the object}",
    "P183": "{subject} is endemic to {the object}",
    "P189": "{subject} was discovered in {the object}",
    "P1071": "{subject} was made in {the object}",
    "P915": "{subject} was filmed at {the object}",
    "P840": "{subject} is set in {the object}",
    "P291": "{subject} was published in {the object}",
    "P8047": "{subject} [is] registered in {the object}",
    "P532": "The port of registry of {subject} [is] {the object}",
    "P504": "The home port of {subject} [is] {the object}",
    "P1382": "{subject} is partially coincident with {the object}",
    # Organisations
    "P112": "{subject} was founded by {the object}",
    "P127": "{subject} [is] owned by {the object}",
    "P1830": "{subject} [is] the owner of {the object}",
    "P137": "{subject} [is] operated by {the object}",
    "P126": "{subject} [is] maintained by {the object}",
    "P749": "The parent organization of {subject} [is] {the object}",
    "P355": "{the object} [is] a subsidiary of {subject}",
    "P169": "The chief executive officer of {subject} [is] {object}",
    "P488": "The chairperson of {subject} [is] {object}",
    "P1037": "The director of {subject} [is] {object}",
    "P1075": "The rector of {subject} [is] {object}",
    "P3320": "{object} [is] a board member of {subject}",
    "P598": "{subject} [is] the commander of {the object}",
    "P4791": "{subject} [is] commanded by {object}",
    "P452": "{subject} [is] in the industry of {object}",
    "P1056": "{subject} produces {object}",
    "P121": "{subject} [operates] {object}",
    "P1336": "{subject} [is] a territory claimed by {the object}",
    "P530": "{subject} [has] diplomatic relations with {the object}",
    "P1990": "{object} is a species kept at {subject}",
    "P2851": "{subject} [accepts] {object} as payment type",
    "P2936": "{object} is a language used in {subject}",
    "P1454": "The legal form of {subject} [is] {object}",
    "P414": "{subject} [is] listed on {the object}",
    "P1416": "{subject} [is] affiliated with {the object}",
    "P859": "{subject} [is] sponsored by {the object}",
    "P1365": "{subject} replaced {the object}",
    "P1366": "{subject} was replaced by {the object}",
    "P155": "{subject} follows {the object}",
    "P156": "{subject} is followed by {the object}",
    "P167": "{subject} was replaced by the structure {object}",
    "P1398": "{subject} replaced the structure {object}",
    "P1001": "{subject} applies to the jurisdiction of {the object}",
    "P2567": "{subject} was amended by {the object}",
    "P2568": "{subject} was repealed by {the object}",
    "P3148": "{subject} repealed {the object}",
    "P467": "{subject} was legislated by {the object}",
    "P790": "{subject} was approved by {the object}",
    "P748": "{subject} was appointed by {the object}",
    "P1128": "The number of employees of {subject} [is] {object}",
    "P2196": "The number of students of {subject} [is] {object}",
    "P2124": "The number of members of {subject} [is] {object}",
    "P2139": "The total revenue of {subject} [is] {object}",
    "P2295": "The net profit of {subject} [is] {object}",
    "P2403": "The total assets of {subject} [is] {object}",
    "P2769": "The budget of {subject} [is] {object}",
    "P2142": "The box office of {subject} [is] {object}",
    "P2130": "The cost of {subject} [is] {object}",
    "P8687": "The number of social media followers of {subject} [is] {object}",
    # Works
    "P31": "{subject} [is] {an object}",
    "P279": "{subject} is a subclass of {object}",
    "P361": "{subject} [is] part of {the object}",
    "P527": "{the object} [is] part of {subject}",
    "P50": "The author of {subject} is {object}",
    "P2093": "{object} is an author of {subject}",
    "P608": "{subject} was exhibited at {the object}",
    "P2675": "{subject} is a reply to {quoted object}",
    "P98": "The editor of {subject} [is] {object}",
    "P110": "The illustrator of {subject} is {object}",
    "P655": "The translator of {subject} is {object}",
    "P123": "The publisher of {subject} [is] {object}",
    "P57": "The director of {subject} is {object}",
    "P58": "The screenwriter of {subject} is {object}",
    "P162": "The producer of {subject} is {object}",
    "P1431": "The executive producer of {subject} is {object}",
    "P161": "{object} is a cast member of {subject}",
    "P725": "{object} is a voice actor of {subject}",
    "P344": "The director of photography of {subject} is {object}",
    "P1040": "The film editor of {subject} is {object}",
    "P272": "{subject} was produced by the production company {object}",
    "P750": "{subject} is distributed by {object}",
    "P449": "The original network of {subject} is {object}",
    "P371": "{subject} [is] presented by {object}",
    "P86": "The composer of {subject} is {object}",
    "P87": "The librettist of {subject} is {object}",
    "P676": "The lyrics of {subject} are by {object}",
    "P175": "{object} is a performer of {subject}",
    "P136": (
        (_KIND_OF_WORK, "{subject} is {an object}"),
        (_IS_MUSICIAN, "The music genre of {subject} is {object}"),
        "The genre of {subject} is {object}",
    ),
    "P364": "The original language of {subject} is {object}",
    "P407": "The language of {subject} is {object}",
    "P674": "{object} is a character in {subject}",
    "P1441": "{subject} is present in the work {object}",
    "P4584": "{subject} first appeared in {object}",
    "P5800": "The narrative role of {subject} is {object}",
    "P2563": "A superhuman feature or ability of {subject} is {object}",
    "P2546": "{subject} is a sidekick of {object}",
    "P6249": "The narrative age of {subject} is {object}",
    "P8345": "{subject} belongs to the media franchise {object}",
    "P1080": "{subject} is from the fictional universe {object}",
    "P144": "{subject} is based on {object}",
    "P941": "{subject} was inspired by {object}",
    "P179": "{subject} is part of the series {object}",
    "P1433": "{subject} was published in {object}",
    "P1343": "{subject} is described by the source {object}",
    "P2860": "{subject} cites the work {quoted object}",
    "P629": "{subject} is an edition or translation of {object}",
    "P747": "{object} is an edition of {subject}",
    "P921": "The main subject of {subject} is {the object}",
    "P180": "{subject} depicts {the object}",
    "P170": "The creator of {subject} is {object}",
    "P195": "{subject} [is] in the collection of {the object}",
    "P186": "{subject} is made of {object}",
    "P135": "{subject} belongs to the movement {object}",
    "P2348": "{subject} belongs to the time period {object}",
    "P2079": "{subject} was made with the fabrication method {object}",
    "P547": "{subject} commemorates {the object}",
    "P88": "{subject} was commissioned by {the object}",
    "P6216": "The copyright status of {subject} is {object}",
    "P275": "{subject} is under the license {object}",
    "P444": "The review score of {subject} is {object}",
    "P3919": "{subject} contributed to the creative work {object}",
    "P767": "{object} contributed to {subject}",
    "P1113": "The number of episodes of {subject} [is] {object}",
    "P1104": "The number of pages of {subject} is {object}",
    "P2047": "The duration of {subject} is {object}",
    "P178": "The developer of {subject} [is] {object}",
    "P400": "{subject} is available on the platform {object}",
    "P404": "The game mode of {subject} is {object}",
    "P277": "{subject} is written in the programming language {object}",
    "P306": "{subject} runs on the operating system {object}",
    # Things
    "P176": "The manufacturer of {subject} is {object}",
    "P287": "{subject} was designed by {object}",
    "P61": "{subject} was discovered or invented by {object}",
    "P366": "The use of {subject} [is] {object}",
    "P2283": "{subject} uses {object}",
    "P516": "{subject} is powered by {object}",
    "P289": "{subject} is a vessel of the class {object}",
    "P462": "The color of {subject} is {object}",
    "P1419": "The shape of {subject} is {object}",
    "P4543": "{object} is a listed ingredient of {subject}",
    "P1552": "{subject} has the quality {object}",
    "P793": "A significant event of {subject} was {object}",
    "P1269": "{subject} is a facet of {the object}",
    "P1889": "{subject} is different from {the object}",
    "P460": "{subject} is said to be the same as {the object}",
    "P461": "{subject} is the opposite of {object}",
    "P2868": "{subject} has the role of {object}",
    "P3831": "{subject} has the role of {object}",
    "P828": "The cause of {subject} was {object}",
    "P1542": "{subject} has the effect {object}",
    "P1478": "The immediate cause of {subject} was {object}",
    "P1479": "A contributing factor of {subject} was {object}",
    "P8045": "{object} is an organized response related to {subject}",
    "P832": "{object} is a public holiday in {subject}",
    # Living things, chemistry, stars
    "P225": "The scientific name of {subject} is {object}",
    "P105": "The taxon rank of {subject} is {object}",
    "P171": "The parent taxon of {subject} is {object}",
    "P1843": "A common name of {subject} is {quoted object}",
    "P141": "The IUCN conservation status of {subject} [is] {object}",
    "P566": "The basionym of {subject} is {object}",
    "P1403": "The original combination of {subject} is {object}",
    "P6507": "The taxon author citation of {subject} is {object}",
    "P703": "{subject} is found in the taxon {object}",
    "P9072": "{subject} is derived from the organism type {object}",
    "P5166": "{subject} was established from the medical condition {object}",
    "P4628": "The ICTV virus genome composition of {subject} is {object}",
    "P688": "{subject} encodes {object}",
    "P702": "{subject} is encoded by {object}",
    "P129": "{subject} physically interacts with {object}",
    "P680": "The molecular function of {subject} is {object}",
    "P681": "{subject} is in the cell component {object}",
    "P682": "{subject} takes part in the biological process {object}",
    "P684": "{subject} is an ortholog of {object}",
    "P1910": "{subject} has a decreased expression in {object}",
    "P1911": "{subject} has an increased expression in {object}",
    "P2293": "{subject} is genetically associated with {object}",
    "P780": "A symptom of {subject} is {object}",
    "P2175": "{subject} is used to treat {object}",
    "P2176": "{object} is a drug used to treat {subject}",
    "P924": "{object} is a possible treatment of {subject}",
    "P769": "{subject} has a significant drug interaction with {object}",
    "P3780": "{subject} is an active ingredient in {object}",
    "P3781": "{object} is an active ingredient of {subject}",
    "P636": "{subject} is administered by the route {object}",
    "P274": "The chemical formula of {subject} is {object}",
    "P233": "The canonical SMILES of {subject} is {object}",
    "P2017": "The isomeric SMILES of {subject} is {object}",
    "P246": "The element symbol of {subject} is {object}",
    "P1086": "The atomic number of {subject} is {object}",
    "P3364": "{subject} is a stereoisomer of {object}",
    "P59": "{subject} is in the constellation {object}",
    "P397": "The parent astronomical body of {subject} is {the object}",
    "P398": "{the object} is a child astronomical body of {subject}",
    # Numbers
    "P1082": "The population of {subject} [is] {object}",
    "P6343": "The urban population of {subject} [is] {object}",
    "P6344": "The rural population of {subject} [is] {object}",
    "P1098": "The number of speakers of {subject} [is] {object}",
    "P1120": "The number of deaths in {subject} was {object}",
    "P1339": "The number of people injured in {subject} was {object}",
    "P1083": "The maximum capacity of {subject} [is] {object}",
    "P1174": "The number of visitors of {subject} per year [is] {object}",
    "P1101": "The number of floors above ground of {subject} is {object}",
    "P2046": "The area of {subject} [is] {object}",
    "P2043": "The length of {subject} is {object}",
    "P2044": "The elevation above sea level of {subject} is {object}",
    "P2048": "The height of {subject} is {object}",
    "P2049": "The width of {subject} is {object}",
    "P2067": "The mass of {subject} is {object}",
    "P2054": "The density of {subject} is {object}",
    "P2101": "The melting point of {subject} is {object}",
    "P2102": "The boiling point of {subject} is {object}",
    "P2177": "The solubility of {subject} is {object}",
    "P2386": "The diameter of {subject} is {object}",
    "P2120": "The radius of {subject} is {object}",
    "P1093": "The gross tonnage of {subject} is {object}",
    "P2131": "The nominal GDP of {subject} [is] {object}",
    "P2132": "The nominal GDP per capita of {subject} [is] {object}",
    "P1081": "The Human Development Index of {subject} [is] {object}",
    "P2927": "The water percentage of the area of {subject} is {object}",
    "P2658": "The Scoville grade of {subject} is {object}",
    # Times
    "P571": (
        (_IS_FOUNDED, "{subject} was founded {when}"),
        "{subject} was created {when}",
    ),
    "P576": (
        (_IS_GROUP, "{subject} was dissolved {when}"),
        "{subject} was dissolved, abolished or demolished {when}",
    ),
    "P577": ((_IS_RELEASED, "{subject} was released {when}"), "{subject} was published {when}"),
    "P580": "{subject} started {when}",
    "P582": "{subject} ended {when}",
    "P585": "{subject} took place {when}",
    "P1427": "The start point of {subject} is {the object}",
    "P1444": "The destination point of {subject} is {the object}",
    "P575": "{subject} was discovered or invented {when}",
    "P606": "The first flight of {subject} was {when}",
    "P619": "{subject} was launched {when}",
    "P620": "{subject} landed {when}",
    "P729": "{subject} entered service {when}",
    "P730": "{subject} was retired from service {when}",
    "P1191": "{subject} was first performed {when}",
    "P1249": "{subject} was first recorded in writing {when}",
    "P1619": "{subject} was officially opened {when}",
    "P3999": "{subject} was officially closed {when}",
    "P2669": "{subject} was discontinued {when}",
    "P6949": "{subject} was announced {when}",
    "P7588": "{subject} took effect {when}",
    "P7589": "{subject} received assent {when}",
    "P10135": "{subject} was recorded {when}",
    "P5204": "{subject} was first sold {when}",
}


@cache
def _table() -> dict[str, tuple[tuple[Condition | None, Sentence], ...]]:
    return {property_id: tuple(_variants(variants)) for property_id, variants in _PATTERNS.items()}


def _variants(variants: str | Variants) -> Iterator[tuple[Condition | None, Sentence]]:
    for variant in (variants,) if isinstance(variants, str) else variants:
        condition, pattern = (None, variant) if isinstance(variant, str) else variant
        yield condition, parse(pattern)


def pattern_for(statement: Statement) -> Sentence | None:
    """Our sentence for the statement's property and kind of subject and value; None where there is none."""
    for condition, sentence in _table().get(statement.property.id, ()):
        if condition is None or condition(statement):
            return sentence
    return None


def pattern_ids() -> frozenset[str]:
    """The properties that have a sentence of their own."""
    return frozenset(_PATTERNS)
