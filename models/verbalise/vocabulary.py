"""The words by which the grammar knows what kind of phrase a property's label is."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


PREPOSITIONS = word_set(
    """
    about above across after against along alongside among around as at before behind below between by for from
    in inside into near next of off on onto over since than through to toward towards under until upon via with
    within without
    """
)
TIME_PREPOSITIONS = frozenset({"on", "in", "at"})
QUESTIONS = word_set("who whom whose what where when why how which")
ADVERBS = frozenset({"also", "not", "previously", "once", "currently", "partially", "first", "last"})

VERBS = word_set(
    """
    afflicts appears applies attends becomes begins belongs borders carries causes cites comes commemorates
    comprises connects consists contains contributes covers crosses decays depends depicts describes develops
    drains employs emulates encodes ends exists exhibits flows follows forms governs happens holds implements
    includes influences inhabits inhibits innervates interacts interleaves involves leads lists lives maintains
    makes manufactures measures mentions mirrors occurs offers opens operates originates overlaps overlies owns
    performs plays precedes prescribes produces promotes provides publishes qualifies quotes regulates replaces
    represents repeals requires resides results runs serves shares shows solves speaks specializes starts stars
    studies succeeds supports symbolizes takes translates treats underlies uses utilizes votes wears wields wins
    works writes
    """
)
ACTIVE_PAST = word_set(
    """
    appeared arrived attended became began belonged came ceased collaborated competed contributed departed died
    emerged emigrated existed flourished fought graduated happened immigrated joined lasted lived moved occurred
    originated participated played ran resided resulted sang served spoke starred studied succeeded took went
    won worked wrote
    """
)
PARTICIPLES = word_set(
    """
    born bought bound bred broadcast brought built cast caught chosen cut drawn driven eaten found fought given
    grown held kept known led lent lit made put read ridden run said seen sent set shot shown sold sung spoken
    spun struck sworn taken taught told won worn woven written
    """
)
STATES = word_set(
    """
    affiliated associated attached based bordered composed comprised connected contained coupled dedicated
    derived displayed employed encoded equipped found governed included inhabited innervated interested kept
    known linked listed located made maintained managed married named operated owned powered practiced regulated
    related said served situated supported surrounded treated used valued worshipped written
    """
)
ADJECTIVES = word_set(
    """
    absent active adjacent available characteristic close coextensive coincident compatible concurrent contrary
    coordinate different distinct dual due eligible endemic equal equivalent essential exempt famous homologous
    identical indigenous inverse isomorphic notable native parallel perpendicular present prior proportional
    relative resistant responsible sensitive similar sister subject susceptible together typical unique valid
    """
)
NAME_WORDS = word_set(
    """
    name names title titles subtitle motto slogan nickname catchphrase inscription quotation quote label line
    text pseudonym alias abbreviation byline
    """
)
PLACED = frozenset({"located", "situated", "based"})
# End like adverbs.
LY_NOUNS = frozenset({"reply", "family", "supply", "assembly", "anomaly", "monopoly", "subfamily", "superfamily"})
COUNTS = frozenset({"number", "total", "count", "amount"})
