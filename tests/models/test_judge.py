"""The judge on pages of our own, with the packaged encoder and the shipped weights."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from models.aggregate import classifier as classifiers
from models.aggregate.classifier import BrokenWeights
from models.document import Document
from models.evidence import Stance
from models.judge import OWN_CLASSIFIER, Case, Judge
from models.read import Page, read
from models.statement import EntityValue, Statement, Term, TimeValue
from models.verbalise import Override, verbalise
from models.verdict import Verdict
from models.verify.loaded import load_verifier

ANN = Term("Q1", "Ann Lee", ("Ann Mary Lee",), "English writer")
BORN = Term("P569", "date of birth", ("born on", "birth date"))
STATEMENT = Statement("Q1$A", ANN, BORN, "time", TimeValue(1901, 5, 12, 11))

HTML = """<html><head><title>Ann Lee – Lives of Writers</title></head><body><nav>Home Lives Contact</nav>
<h1>Ann Lee</h1><p>Ann Lee was an English writer. She was born in Leeds on 12 May 1901, the daughter of a baker,
and went to the school there until she was fourteen years old.</p>
<p>She published her first novel in 1925 and her last one in 1970. She died in York on 3 June 1980.</p>
</body></html>"""


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge.load(device="cpu", threads=1)


def page(html: str) -> Page:
    body = html.encode()
    url = "https://lives.example/ann-lee"
    digest = "sha256:" + hashlib.sha256(body).hexdigest()
    result = read(Document(url, url, 200, (("content-type", "text/html"),), body, digest, datetime.now(UTC)))
    assert isinstance(result, Page)
    return result


def verdict(judge: Judge, statement: Statement, html: str, override: Override | None = None) -> Verdict:
    claim = verbalise(statement, override)
    assert claim is not None
    result = judge.judge(statement, claim, page(html))
    assert isinstance(result, Verdict)
    return result


def test_a_verifier_of_one_s_own_comes_with_the_classifier_that_learned_from_it(
    tiny_verifier: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "verifier"
    shutil.copytree(tiny_verifier, folder)
    with pytest.raises(BrokenWeights, match="python -m bench fit"):
        Judge.load(str(folder), device="cpu", threads=1)
    shutil.copytree(classifiers.SHIPPED, folder / OWN_CLASSIFIER)
    with pytest.raises(BrokenWeights, match=f"verifier {classifiers.load().verifier}, and this is "):
        Judge.load(str(folder), device="cpu", threads=1)
    opened = load_verifier(str(folder), device="cpu", threads=1)
    classifiers.save(replace(classifiers.load(), verifier=opened.version), folder / OWN_CLASSIFIER)
    own = Judge.load(str(folder), device="cpu", threads=1)
    assert opened.version in own.version
    assert verdict(own, STATEMENT, HTML).evidence


def test_the_verifier_reads_an_editor_s_wording(judge: Judge) -> None:
    """The value stands under words that only the editor's wording has: it is relevant by it, and less without."""
    html = HTML.replace("She was born in Leeds on", "She was first heard to cry in Leeds on")
    own = Override("pattern", "{subject} was first heard to cry on {object}")
    plain, worded = (verdict(judge, STATEMENT, html, override) for override in (None, own))
    assert worded.probability > plain.probability
    relevances = [one.evidence[0].relevance for one in (plain, worded)]
    assert relevances[1] != relevances[0]


def test_a_page_that_says_so_supports(judge: Judge) -> None:
    found = verdict(judge, STATEMENT, HTML)
    assert found.stance is Stance.SUPPORTS
    best = found.evidence[0]
    value = next(match for match in best.matches if match.part == "value")
    assert best.passage.text[value.start : value.end] == "12 May 1901"
    assert "12 May 1901" in found.reason


def test_another_day_of_birth_is_refuted_and_the_reason_names_it(judge: Judge) -> None:
    found = verdict(judge, STATEMENT, HTML.replace("12 May 1901", "13 May 1901"))
    assert found.stance is Stance.REFUTES
    assert "13 May 1901" in found.reason


def test_the_right_value_under_the_wrong_property_does_not_support(judge: Judge) -> None:
    died = replace(STATEMENT, property=Term("P570", "date of death", ("died on",)))
    assert verdict(judge, died, HTML).probability < verdict(judge, STATEMENT, HTML).probability


def test_where_one_died_does_not_tell_where_one_was_born(judge: Judge) -> None:
    place = Statement(
        "Q1$B", ANN, Term("P19", "place of birth", ("birthplace",)), "wikibase-item", EntityValue(Term("Q2", "York"))
    )
    html = HTML.replace("She was born in Leeds on 12 May 1901, the daughter", "She was the daughter")
    html = html.replace("Lives of Writers", "Lives of Writers: York").replace("<nav>Home", "<nav>York Home")
    found = verdict(judge, place, html)
    assert found.stance is Stance.NOT_ENOUGH_INFO
    assert found.reason == "The page names York, but not clearly as the place of birth."
    assert verdict(judge, place, html.replace("died in York", "was born in York")).stance is Stance.SUPPORTS


def test_a_page_on_the_topic_without_the_value_does_not_support(judge: Judge) -> None:
    married = Statement(
        "Q1$B", ANN, Term("P26", "spouse"), "wikibase-item", EntityValue(Term("Q2", "Thomas Hardcastle"))
    )
    assert verdict(judge, married, HTML).stance is not Stance.SUPPORTS


def test_evidence_is_five_at_most_without_overlap_and_in_order(judge: Judge) -> None:
    found = verdict(judge, STATEMENT, HTML)
    assert 0 < len(found.evidence) <= 5
    relevances = [one.relevance for one in found.evidence]
    assert relevances == sorted(relevances, reverse=True)
    for one in found.evidence:
        assert one.supports + one.refutes + one.not_enough_info == pytest.approx(1)


def test_judging_together_gives_what_judging_alone_gives(judge: Judge) -> None:
    other = replace(STATEMENT, guid="Q1$C", value=TimeValue(1901, None, None, 9))
    cases = [Case(s, verbalise(s), page(HTML)) for s in (STATEMENT, other)]  # type: ignore[arg-type]
    together = judge.judge_all(cases)
    for case, found in zip(cases, together, strict=True):
        alone = Judge.load(device="cpu", threads=1).judge(case.statement, case.claim, case.page)
        assert isinstance(alone, Verdict)
        assert isinstance(found, Verdict)
        assert alone.stance is found.stance
        assert alone.probability == pytest.approx(found.probability, abs=1e-3)


def test_an_override_s_words_are_looked_for_in_the_page(judge: Judge) -> None:
    html = HTML.replace("She was born in Leeds on 12 May 1901", "She first saw daylight in Leeds on 12 May 1901")
    plain = verdict(judge, STATEMENT, html)
    worded = verdict(judge, STATEMENT, html, Override("pattern", "{subject} first saw daylight on {object}."))
    assert worded.evidence[0].supports > plain.evidence[0].supports
