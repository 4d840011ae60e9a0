"""Names of persons: their titles, given names, surname and what tells namesakes apart."""

from __future__ import annotations

import re
from dataclasses import dataclass

from models.statement import Term
from models.values.names.forms import number_of, roman
from models.values.transliterate import skeleton
from models.values.words import Words, fold, words_of

TITLES = frozenset(
    "sir dame lord lady mr mrs ms miss mx master dr doctor prof professor rev revd reverend hon honourable honorable "
    "rt "
    "right saint st sainte san blessed servant god father fr brother br sister sr mother pope cardinal archbishop "
    "bishop "
    "abbot deacon canon dean monsignor msgr rabbi imam sheikh shaikh ayatollah mullah king queen prince princess duke "
    "duchess earl count countess baron baroness viscount viscountess marquess marquis marquise emperor empress tsar "
    "czar kaiser sultan shah khan emir raja maharaja president chancellor premier minister prime governor mayor "
    "senator "
    "sen representative rep congressman congresswoman delegate judge justice chief secretary ambassador speaker "
    "general "
    "gen lieutenant lt colonel col major maj captain capt cpt commander cmdr cdr commodore admiral adm vice rear field "
    "marshal sergeant sgt corporal cpl private pvt officer marshall don dona herr frau fraulein graf grafin freiherr "
    "ritter monsieur mme mlle madame signor signora senor senora comrade coach jonkheer jhr dhr mag ing dipl med phil "
    "jur habil hc emeritus late actor actress singer composer director author writer poet painter artist architect "
    "historian engineer producer musician photographer philosopher scientist astronomer activist lawyer attorney "
    "journalist editor explorer baronet knight vicar pastor".split()
)
PARTICLES = frozenset(
    "de d la le les du des von v van der den zu zur zum di da do dos das del della dei al el y e ter ten te op bin ibn "
    "ben "
    "abu af av vom und of the".split()
)
# What stands behind a name and says nothing about who it is.
POSTNOMINALS = frozenset(
    "obe mbe cbe kbe gbe kcb phd md mp qc kc frs esq esquire ba ma bsc msc dd jp mep usn ret".split()
)

_PEERAGE = (
    "baron baroness baronet bart bt viscount viscountess earl duke duchess marquess marquis count countess lord lady "
    "prince princess"
).split()
_RANK = {"bart": "baronet", "bt": "baronet", "marquis": "marquess"}

_GROUPS = tuple(
    frozenset(group.split())
    for group in (
        "alexander alex alec sandy sasha", "albert al bert bertie", "alfred alf alfie fred", "andrew andy drew",
        "anthony antony tony", "arthur art artie", "augustus gus", "barbara barb babs", "benjamin ben benny",
        "bernard bernie", "catherine katherine kate katie kathy cathy kitty kath", "charles charlie charley chuck chas",
        "christopher chris kit", "clarence clary", "daniel dan danny", "david dave davy davey", "deborah debbie deb",
        "donald don donnie", "dorothy dot dolly dorothea", "douglas doug", "edward ed eddie ned ted teddy edw",
        "edwin ed eddie", "eleanor ellie nell nellie",
        "elizabeth eliza liz lizzie beth betty bess betsy lisa libby elisabeth",
        "emily em", "ernest ernie", "eugene gene", "florence flo florrie", "frances fanny fran",
        "francis frank frankie",
        "franklin frank", "frederick fred freddie freddy frederic", "gabriel gabe", "geoffrey jeffrey geoff jeff",
        "george georgie geo", "gerald gerry jerry", "gerard gerry", "gilbert gil bert", "gregory greg",
        "harold hal harry",
        "helen nell nellie", "henry harry hank hal hen", "herbert herb bert", "isabella bella isabel belle",
        "jacob jake", "james jim jimmy jamie jas", "janet jan", "jennifer jenny jen", "jessica jess jessie",
        "john johnny jack jock jno", "jonathan jon jonny", "joseph joe joey jos", "joshua josh", "judith judy",
        "kenneth ken kenny", "kimberly kim", "lawrence laurence larry laurie", "leonard len lenny leo",
        "lewis louis lew lou",
        "margaret maggie meg peggy margie greta madge", "martha patty", "martin marty", "mary molly polly may mamie",
        "matthew matt", "maximilian max", "michael mike mick mickey mitch", "nathaniel nathan nat nate",
        "nicholas nick nicky nicolas",
        "oliver ollie oli", "patricia pat patty tricia", "patrick pat paddy", "peter pete", "philip phil phillip",
        "raymond ray", "rebecca becky", "reginald reg reggie", "richard dick rich rick ricky dickie",
        "robert bob bobby rob robbie bert robt",
        "ronald ron ronnie", "samuel sam sammy saml", "sarah sally sara", "solomon sol", "stephen steven steve steph",
        "susan sue susie susanna", "theodore ted teddy theo", "theresa teresa terry tess", "thomas tom tommy thos",
        "timothy tim",
        "victoria vicky vicki", "vincent vince vinny", "virginia ginny", "walter walt wally wat",
        "william bill billy will willie willy liam wm",
    )
)  # fmt: skip
_DIMINUTIVES: dict[str, frozenset[str]] = {}
for _group in _GROUPS:
    for _one in _group:
        _DIMINUTIVES[_one] = _DIMINUTIVES.get(_one, frozenset()) | _group


_FIRST_NAMES = frozenset(
    "aaron abigail abraham adam adolf agnes alan alice amelia ana andre andrea andreas angela anita ann anna anne "
    "annie anton antonio arnold "
    "bella brian bruce carl carla carlos carol caroline cecil charlotte claire clara claude claus colin craig dennis "
    "denis "
    "derek diana dieter dmitri edith edmund elena ellen emil emma eric erich erik ernst esther eva evelyn felix "
    "ferdinand "
    "fiona francesco francois franz friedrich fritz georg georges giovanni giuseppe gordon graham gunter gustav hannah "
    "hans harriet heinrich henri herman hermann hilda horace howard hugh hugo ian ida igor ivan jacques jane jason "
    "jean "
    "jeanne johan johann johannes jorge jose josef juan julia julian julius karen karl keith kevin klaus kurt laura "
    "leon "
    "leopold linda louisa louise lucas lucy ludwig luigi luis luke maria marie mario marion mark max miguel mohammed "
    "monica muhammad nancy neil nigel nora norman olga oscar otto paul paula paulo pablo pedro percy pierre rachel "
    "ralph "
    "roger roland rosa rudolf rupert ruth sergei sidney simon sofia sophia sophie stanley stuart sylvia ursula vera "
    "viktor vladimir wilhelm wolfgang yuri alfonso alain alessandro alexandre alfredo alois amalia antoine antonia "
    "arne "
    "astrid august axel beatrice bernd bernhard birgit bjorn bruno camille catarina catherine cesare christa christian "
    "christine claudio dario detlef dietrich dirk dominique eduard eduardo egon elisa emilio enrico erwin esteban "
    "etienne eugen fabio federico felipe fernando filippo frans frieda fritz gabriele gaston gerda gerhard gertrud "
    "giacomo gilles gino giulia gottfried greta guido guillaume gunnar gunther hans harald heike heinz helga helmut "
    "hendrik herbert hildegard horst hubert inge ingeborg ingrid isabelle jan javier jens joachim jochen joost jorg "
    "josephine julien jurgen karin karsten katharina kjell kristian lars leonardo lorenzo lothar luca manfred manuel "
    "marc marcel marco margarethe margit marguerite marianne martina massimo mathilde matteo mathias matthias mattia "
    "mauro michel moritz nicola nicole niels olaf ole oleg olivier ottilie paolo pascal patrice pieter rafael raffaele "
    "rainer ramon raoul raul reinhard renate renato rene ricardo roberto rodolfo rolf roman rosalie sabine salvatore "
    "sebastien sergio siegfried sigrid silvia simone stefan stefano susanne sven svetlana sven theo thierry tomas "
    "torsten ulrich ursula uwe valerie vincenzo vittorio walther werner willem xavier yves".split()
)


def is_first_name(word: str) -> bool:
    """True for a folded word that is a common first name. Most first names aren't listed."""
    return word in _FIRST_NAMES or word in _DIMINUTIVES


# Before a man's full name, they name his wife.
MARRIED = frozenset("mrs mme madame frau fru signora senora".split())
# Words of descriptions and names that say that a person is a woman.
WOMEN = frozenset(
    "mrs mme miss lady dame woman women female actress wife daughter mother sister queen princess duchess countess "
    "baroness empress suffragette businesswoman noblewoman heiress sculptress poetess authoress widow nee".split()
)
_WOMENS_NAMES = frozenset(
    "agnes ann anne alice mary may margaret elizabeth elisabeth catherine katherine kate jane janet jean joan "
    "joyce ruth rachel susan sarah helen ellen eleanor edith judith esther ingrid astrid sigrid birgit heike inge "
    "karin karen katrin kirsten dagmar hildegard gertrud gertrude irmgard margit ethel hazel mabel muriel isabel "
    "rosalind rose grace joy hope faith florence charlotte caroline beatrice frances vivian vivien emily dorothy "
    "lucy nancy betty molly polly sally peggy kitty patty wendy amy daisy ivy penny hilary hannah deborah leah "
    "sharon marion carol meg pearl ruby violet iris lily olive maud maude blanche june simone margot lilian "
    "gillian marian joanne harriet phyllis doris mavis gladys frieda bronwen rosemary".split()
)
_WOMENS_ENDINGS = ("a", "ie", "ine", "ette", "elle", "ise", "lyn", "een", "ys", "eth", "ene", "gard", "lind", "run")


def names_woman(given: str) -> bool:
    """True for a folded first name that is, or by its ending may be, a woman's."""
    return given in _WOMENS_NAMES or given.endswith(_WOMENS_ENDINGS)


def diminutives(given: str) -> frozenset[str]:
    """Other common forms of a first name, folded: "bill" and "will" of "william". A form of a form isn't one."""
    return _DIMINUTIVES.get(given, frozenset())


def is_other_first_name(own: str, found: str) -> bool:
    """True for two folded first names that aren't spellings of one, however alike: "mario" and "maria"."""
    if own == found:
        return False
    if own[:-1] == found[:-1] or own.rstrip("aoe") == found.rstrip("aoe"):
        return "a" in {own[-1], found[-1]}
    return is_first_name(own) and is_first_name(found) and skeleton(own) != skeleton(found)


@dataclass(frozen=True, slots=True)
class Suffix:
    """What stands behind a name to tell namesakes apart.

    `generation`: "jr", "sr" or a number as text ("2" for II); `rank` and `number`: of a peerage ("baronet", 4).
    """

    generation: str = ""
    rank: str = ""
    number: int = 0

    @property
    def is_empty(self) -> bool:
        """True where nothing stands behind the name."""
        return not self.generation and not self.rank


_GENERATIONS = {
    "jr": "jr",
    "jnr": "jr",
    "junior": "jr",
    "sr": "sr",
    "snr": "sr",
    "senior": "sr",
    "younger": "jr",
    "elder": "sr",
}
# Behind a surname, in lower case: "Dumas fils", "Couperin le Jeune", "Cranach der Ältere". Said of somebody else's
# relation ("fils de Jean"), they are no suffix.
_RELATIONS = {"fils": "jr", "hijo": "jr", "filho": "jr", "pere": "sr"}
_OF = frozenset("de du des d do da del of".split())
_ARTICLES = frozenset("le l el il der den d".split())
_AGES = {
    **dict.fromkeys("jeune joven mozo giovane jungere juengere yngre".split(), "jr"),
    **dict.fromkeys("ancien aine vieux viejo vecchio altere aeltere aldre eldre".split(), "sr"),
}
_GERMAN = {"j": "jr", "a": "sr"}  # "d. J.", "d. Ä."


def suffix_at(text: Words, at: int) -> tuple[Suffix, int]:
    """The suffix that begins at a word, and how many words it takes; an empty one and 0 where there is none.

    "Jr.", "the Elder", "III", "4th Baronet", "2nd Earl of Sussex" (its place isn't counted). Several may follow.
    """
    generation, rank, number, taken = "", "", 0, 0
    while at + taken < len(text.words) and taken < 8:
        here = at + taken
        word = text.words[here]
        after = text.words[here + 1] if here + 1 < len(text.words) else ""
        if word == "the" and after in _GENERATIONS:
            generation, taken = _GENERATIONS[after], taken + 2
        elif told := _generation_abroad(text, here):
            generation, size = told
            taken += size
        elif word in _GENERATIONS and text.is_capital(here):
            generation, taken = _GENERATIONS[word], taken + 1
        elif (count := number_of(word)) and not word.isdigit() and after in _PEERAGE:
            rank, number, taken = _RANK.get(after, after), count, taken + 2
        elif (count := roman(text.surface(here))) and (count in {2, 3, 4} or (count > 5 and count != 10)):
            generation, taken = str(count), taken + 1
        elif word in {"bart", "bt", "baronet"} and not rank:
            rank, taken = "baronet", taken + 1
        else:
            break
        if text.parted(here):
            break
    return Suffix(generation, rank, number), taken


def _generation_abroad(text: Words, at: int) -> tuple[str, int] | None:
    """The generation that another language's suffix tells, and its words: "fils", "le Jeune", "d. Ä."; or None."""
    word, behind = text.words[at], at + 1
    if text.is_capital(at):
        return None
    after = text.words[behind] if behind < len(text.words) else ""
    if word in _RELATIONS:
        return None if after in _OF and text.gap(at) in {" ", "'", "’"} else (_RELATIONS[word], 1)
    if word in {"junior", "senior"}:
        return (_GENERATIONS[word], 1) if text.parted(at) or text.gap(at) in {", ", ") ", "), "} else None
    if word not in _ARTICLES or not after or not text.is_capital(behind):
        return None
    if word == "d" and after in _GERMAN:
        return (_GERMAN[after], 2) if text.gap(at) in {".", ". "} and text.behind(behind) == "." else None
    return (_AGES[after], 2) if after in _AGES else None


def agreement(own: Suffix, found: Suffix) -> float:
    """How well a name with one suffix stands for a name with another, in [0, 1]: 0 is a contradiction."""
    score = 1.0
    if own.generation != found.generation:
        if own.generation and found.generation:
            return 0.0
        score *= 0.85 if own.generation == "sr" else 0.65
    if (own.rank, own.number) != (found.rank, found.number):
        if own.rank and found.rank and (own.rank != found.rank or (own.number and found.number)):
            return 0.0 if own.rank == found.rank else 0.5
        if bool(own.rank) != bool(found.rank):
            score *= 0.75 if own.number or found.number else 0.9
    return score


_PERSON_NOUNS = frozenset(
    "actor actress author writer poet novelist painter sculptor composer singer songwriter rapper musician guitarist "
    "drummer conductor bandleader dancer choreographer director filmmaker producer screenwriter photographer architect "
    "engineer inventor scientist physicist chemist mathematician astronomer biologist botanist zoologist philosopher "
    "historian theologian linguist economist psychologist physician surgeon doctor nurse lawyer judge politician "
    "statesman diplomat ambassador senator representative congressman governor mayor president minister chancellor "
    "king queen prince princess duke duchess emperor empress nobleman noblewoman peer peeress baron baronet knight "
    "soldier officer general admiral captain commander sailor pilot aviator astronaut explorer missionary priest "
    "bishop "
    "cardinal pope rabbi monk nun saint clergyman cleric footballer cricketer golfer boxer wrestler swimmer runner "
    "cyclist racer driver player coach manager referee skater skier gymnast sprinter jockey businessman businesswoman "
    "businessperson entrepreneur banker merchant industrialist philanthropist activist suffragist feminist journalist "
    "editor publisher broadcaster presenter comedian model chef teacher professor academic scholar researcher "
    "schoolmaster librarian curator collector settler pioneer farmer weaver tailor craftsman artist illustrator "
    "cartoonist designer victim murderer killer criminal spy collaborator prisoner leader wife husband son daughter "
    "brother sister man woman person contributor official executive magistrate solicitor barrister attorney surveyor "
    "geologist trader printmaker engraver calligrapher translator critic essayist playwright dramatist blogger "
    "youtuber "
    "mp member lady socialite courtier servant chief sheriff policeman detective hunter puppeteer magician conservator "
    "conservationist sexton astrologer watercolorist lyricist violinist pianist organist cellist tenor soprano ruler "
    "pharaoh caliph sultan monarch consort governess midwife botanic humanitarian".split()
)
THING_NOUNS = frozenset(
    "film album song single novel book painting sculpture work episode series game magazine newspaper journal city "
    "town "
    "village municipality commune settlement district county province state country region river lake mountain island "
    "building church castle museum school university college company corporation organization organisation nonprofit "
    "foundation institute agency band group team club party ship vessel tanker carrier aircraft species genus language "
    "genre name surname disambiguation compound drug protein gene disease award medal event battle war act law order "
    "structure street bridge airport station place area character".split()
)
_LIFE = re.compile(
    r"\(?(?:\b(?:born|b\.|died|d\.|c\.|ca\.|bef\.|by)\s*)?\d{3,4}\??\s*[-–—/]\s*(?:c\.?\s*|\d{2,4}/)?\d{2,4}\??\)"
    r"|\b(?:born|died|b\.|d\.)\s*(?:in\s+|c\.?\s*)?(?:\d{1,2}\s+)?(?:[A-Z][a-z]{2,8}\.?\s+)?\d{3,4}\b"
)
_PERSON_ENDINGS = ("ologist", "ographer", "ician", "woman", "sman", "iatrist", "emist", "icist", "onomer", "wright")
_PERSON_HINTS = re.compile(r"\bperson id\b|\bORCID\b|\bactive (?:in|from)\b|\bpeerage\b", re.IGNORECASE)
_SPLIT = re.compile(r"[(,;]|\b(?:of|by|from|in|for|at|on|to|and|who|which|that|with|born)\b|&")


def looks_like_person(term: Term) -> bool | None:
    """Whether a term is a person by label and description ("English poet (1812–1889)"); None where neither says."""
    label, description = term.label or "", term.description[:300]
    if not label[:1].isupper() and label[:1].islower():
        return False
    words = words_of(label[:200])
    if any(word in {"of", "the", "for", "and", "in"} and "," not in label for word in words.words[:1]):
        return False
    if _LIFE.search(description) or _PERSON_HINTS.search(description):
        return "," in label or not any(c.isdigit() for c in label)
    heads = [fold(part.split()[-1].strip(".\"'")) for part in _SPLIT.split(description.lower()) if part.split()]
    for head in heads[:1]:
        if head in THING_NOUNS:
            return False
        if head in _PERSON_NOUNS or head.endswith(_PERSON_ENDINGS):
            return not re.search(r"\b(?:of|the|for)\b", label.split(",")[0]) or None
    return None
