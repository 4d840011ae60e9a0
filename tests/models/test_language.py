"""The language of pages and blocks, from the text; and what is kept of a page that the judge can't read."""

from __future__ import annotations

import hashlib
import importlib
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.rows import DATA, load_pages
from models.document import Document
from models.evidence import Evidence
from models.judge import Case, unjudged
from models.outcome import NotJudged, Outcome
from models.read import Block, Page, read, read_blocks
from models.read.language import in_languages, language_name, page_language
from models.statement import EntityValue, Statement, Term, TimeValue
from models.verbalise import verbalise

ENGLISH = (
    "She wrote about the sea and the people who lived by it, and she taught at the school of the town for years. "
    "Her letters were found in the attic of a house that belonged to the family, and they have been printed since. "
)
GERMAN = (
    "Sie schrieb über das Meer und über die Menschen, die an ihm leben, und unterrichtete lange an der Schule der "
    "Stadt. Ihre Briefe fand man später auf dem Dachboden eines Hauses, das der Familie gehörte. "
)
HUNGARIAN = (
    "A költő a városban született, és ott járt iskolába is. Később a fővárosba költözött, ahol verseit kiadták, és "
    "ahol haláláig élt. Műveit ma is sokan olvassák az országban és külföldön egyaránt. "
)
RUSSIAN = "Она писала о море и о людях, которые живут у моря, и много лет преподавала в городской школе. "
NAMES = "Jonkheer Willem Karel van Weede; Maria Anna Gräfin zu Oettingen; José Luis García Hernández; Giulia Bianchi"


def told(*blocks: Block) -> str:
    return page_language(in_languages(blocks))


def text(words: str, *, boilerplate: bool = False) -> Block:
    return Block(words, "text", boilerplate=boilerplate)


def page(html: str) -> Page:
    body = html.encode()
    url = "https://lives.example/page"
    digest = hashlib.sha256(body).hexdigest()
    made = read(Document(url, url, 200, (("content-type", "text/html"),), body, digest, datetime.now(UTC)))
    assert isinstance(made, Page), made
    return made


@pytest.mark.parametrize(
    ("words", "language"), [(ENGLISH, "en"), (GERMAN, "de"), (HUNGARIAN, "hu"), (RUSSIAN * 2, "ru")]
)
def test_prose_tells_its_language(words: str, language: str) -> None:
    assert told(text(words)) == language
    assert in_languages([text(words)])[0].language == language


def test_the_attribute_of_the_page_is_not_believed() -> None:
    assert page(f'<html lang="en"><p>{HUNGARIAN}').language == "hu"
    assert page(f'<html lang="hu"><p>{ENGLISH}').language == "en"


SPOKEN = (
    "ar bg ca cs da de el en es eu fa fi fr he hi hr hu hy id it ja ko ky lt ml nb nl pl pt ro ru sk sl sq sr sv "
    "ta te tr uk ur vi zh"
)


@pytest.mark.parametrize("language", SPOKEN.split())
def test_a_page_of_short_paragraphs_is_in_the_language_of_spacys_examples(language: str) -> None:
    sentences = importlib.import_module(f"spacy.lang.{language}.examples").sentences
    assert told(*map(text, sentences)) == {"nb": "no"}.get(language, language)


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("Ελλάδα", "el"),
        ("עברית", "he"),
        ("한국어", "ko"),
        ("これは本です", "ja"),
        ("ภาษาไทย", "th"),
        ("Russian: Севастиан Сабол родился в 1909 году в Прешове", "ru"),
        ("中文", ""),  # could be Japanese
        ("Anna Petrowna Kern", ""),
        ("12 May 1901", ""),
        ("Die Stadt", ""),
    ],
)
@pytest.mark.parametrize("kind", ["text", "heading", "table"])
def test_a_script_tells_at_once_and_a_few_latin_words_dont(words: str, language: str, kind: str) -> None:
    assert in_languages([Block(words, kind)])[0].language == language


@pytest.mark.parametrize(
    "blocks",
    [
        (Block(NAMES, "text"), Block(NAMES, "list")),
        tuple(Block(f"Name: {NAMES[:40]}; Year: {year}", "table") for year in range(1900, 1930)),
        (Block("469; 351; +118; 6", "table"), Block("Zlatorog Laško", "text")),
        (),
    ],
    ids=["names", "table", "numbers", "nothing"],
)
def test_names_numbers_and_tables_are_english(blocks: tuple[Block, ...]) -> None:
    assert told(*blocks) == "en"


def test_labels_in_another_script_are_not_english() -> None:
    rows = ("Дата рождения: 7 декабря 1909", "Место рождения: Прешов", "Гражданство: Чехословакия", "1909")
    assert told(*(Block(row, "table") for row in rows)) == "ru"


def test_a_quotation_on_a_page_of_names_changes_nothing() -> None:
    rows = [Block(f"Name: {NAMES}", "table") for _ in range(20)]
    assert told(*rows, text(GERMAN)) == "en"


@pytest.mark.parametrize(("inner", "outer", "language"), [(GERMAN, ENGLISH, "de"), (ENGLISH, GERMAN, "en")])
def test_the_sites_own_text_does_not_count(inner: str, outer: str, language: str) -> None:
    assert told(text(outer * 9, boilerplate=True), text(inner)) == language


def test_facts_for_machines_do_not_count() -> None:
    assert told(Block(f"description: {ENGLISH * 9}", "structured"), text(GERMAN)) == "de"


def test_two_languages_are_judged_by_the_english_where_it_is_prose_of_its_own() -> None:
    assert told(text(ENGLISH * 4), text(HUNGARIAN * 8)) == "en"
    assert told(text(ENGLISH), text(HUNGARIAN * 8)) == "hu"  # an abstract or a notice
    assert told(text(ENGLISH * 4), text(HUNGARIAN * 60)) == "hu"  # long, and yet no more than a notice beside the rest
    assert told(text(ENGLISH), text(HUNGARIAN[:90])) == "en"


def test_soft_hyphens_do_not_hide_english() -> None:
    assert told(text(ENGLISH.replace("te", "te\xad").replace("le", "\xadle"))) == "en"


@given(st.lists(st.builds(Block, st.text(max_size=200), st.sampled_from(["text", "table", "heading"])), max_size=5))
def test_any_blocks_have_a_language_and_keep_their_text(blocks: list[Block]) -> None:
    marked = in_languages(blocks)
    assert [block.text for block in marked] == [block.text for block in blocks]
    assert page_language(marked)


def test_names_of_languages() -> None:
    assert (language_name("hu"), language_name("zz")) == ("Hungarian", "zz")


def test_the_pages_of_wtr_are_all_english() -> None:
    """Looked at by eye: a few have Italian captions or Ukrainian sources, and all of them are English."""
    path = DATA / "wtr" / "pages.warc.gz"
    if not path.exists():
        pytest.skip(f"no {path}")
    pages = {url: read_blocks(document) for url, document in load_pages([path]).items()}
    assert len(pages) == 245
    others = {url: one.language for url, one in pages.items() if isinstance(one, Page) and one.language != "en"}
    assert others == {}


BERGER = Term("Q1", "Hans Berger", ("H. Berger",), "Austrian poet")
BORN = Term("P569", "date of birth")
BIRTHDAY = Statement("Q1$A", BERGER, BORN, "time", TimeValue(1901, 5, 12, 11))
LIFE = (
    f"<h1>Hans Berger</h1><p>{GERMAN}</p><p>Hans Berger wurde am 12. Mai 1901 in einem kleinen Dorf geboren. {GERMAN}"
    f"</p><p>{GERMAN}</p><footer>Eine Seite über Hans Berger vom 12. Mai 1901</footer>"
)


def found(statement: Statement, html: str) -> NotJudged | None:
    claim = verbalise(statement)
    assert claim is not None
    return unjudged(Case(statement, claim, page(html)))


def marked(evidence: Evidence) -> set[tuple[str, str]]:
    return {(mark.part, evidence.passage.text[mark.start : mark.end]) for mark in evidence.matches}


def test_a_page_that_cant_be_read_is_not_judged_and_shows_where_it_names_the_value() -> None:
    judgement = found(BIRTHDAY, LIFE)
    assert isinstance(judgement, NotJudged)
    assert judgement.outcome is Outcome.UNSUPPORTED_LANGUAGE
    assert judgement.detail == "the text is in German (de)"
    best = judgement.evidence[0]
    assert marked(best) == {("value", "12. Mai 1901"), ("subject", "Hans Berger")}
    for one in judgement.evidence:
        assert (one.passage.kind, one.supports, one.refutes, one.not_enough_info) == ("value", 0.0, 0.0, 1.0)
        assert -1 <= one.relevance <= best.relevance
        assert not one.passage.boilerplate


def test_a_name_and_an_amount_are_found_in_another_script() -> None:
    place = Term("Q3", "Prešov", foreign=(("ru", ("Прешов",)),))
    statement = Statement("Q1$B", BERGER, Term("P19", "place of birth"), "wikibase-item", EntityValue(place))
    judgement = found(statement, f"<p>{RUSSIAN * 2}</p><p>Поэт из города Прешов жил там до 1920 года.</p>")
    assert isinstance(judgement, NotJudged)
    assert [marked(one) for one in judgement.evidence] == [{("value", "Прешов")}]


def test_another_value_is_not_shown_as_if_it_refuted() -> None:
    judgement = found(BIRTHDAY, LIFE.replace("12. Mai", "13. Juni"))
    assert isinstance(judgement, NotJudged)
    assert {part for one in judgement.evidence for part, _ in marked(one)} == {"subject"}


def test_at_most_five_different_passages() -> None:
    many = "".join(f"<p>Hans Berger schrieb den {number}. Brief am 12. Mai 1901.</p>" * 2 for number in range(9))
    judgement = found(BIRTHDAY, f"<p>{GERMAN}</p>{many}")
    assert isinstance(judgement, NotJudged)
    texts = [one.passage.text for one in judgement.evidence]
    assert len(texts) == len(set(texts)) == 5


def test_a_page_that_names_nothing_has_no_evidence() -> None:
    judgement = found(BIRTHDAY, f"<p>{HUNGARIAN}</p>")
    assert isinstance(judgement, NotJudged)
    assert judgement.evidence == ()


def test_an_english_page_is_judged() -> None:
    assert found(BIRTHDAY, f"<p>Hans Berger was born on 12 May 1901 in a village. {ENGLISH}</p>") is None


def test_a_sentence_of_ours_under_the_subjects_name_is_enough_to_judge_by() -> None:
    notice = "<p>Wir verwenden Cookies, damit die Seite funktioniert, und um Besuche zu messen. Mehr dazu hier.</p>"
    told = "<p>The poet was born in a small village on the river, went to school there and published ten books.</p>"
    assert found(BIRTHDAY, f"{notice}<h1>Büste: Hans Berger</h1>{told}") is None
