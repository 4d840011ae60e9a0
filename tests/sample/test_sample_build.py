"""The built files are what statements.yaml and pages/ say, and are what a bot can read."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType
from warcio.archiveiterator import ArchiveIterator as WarcioIterator

from models.evidence import Stance
from models.outcome import Outcome
from models.statement import EntityValue, QuantityValue, Term, TextValue, TimeValue, parse_value
from sample.build import DUMP, PAGES, build
from sample.dump import dump_lines, entity_json, guid, reference_hash
from sample.statements import FOLDER, BadSample, Entity, Sample, Thing, load_sample

WITHOUT_LABEL = {"Q14623683"}
CALENDARS_OF_DATES = {"Q1985727", "Q1985786"}
ENTITY_ID = re.compile(r'"(?:[A-Za-z:/.]*/entity/)?([QP][1-9]\d*)"')


@pytest.fixture(scope="module")
def sample() -> Sample:
    return load_sample()


@pytest.fixture(scope="module")
def dumped() -> dict[str, dict[str, Any]]:
    lines = gzip.decompress(DUMP.read_bytes()).decode().splitlines()
    assert (lines[0], lines[-1]) == ("[", "]")
    entities = [json.loads(line.removesuffix(",")) for line in lines[1:-1]]
    return {entity["id"]: entity for entity in entities}


def _words(entity: Entity | None, entity_id: str) -> Term:
    assert entity is not None, entity_id
    return Term(entity_id, entity.label, entity.aliases)


def test_committed_files_are_a_rebuild(sample: Sample, tmp_path: Path) -> None:
    build(sample, tmp_path)
    # Compared unpacked: another zlib may pack the same bytes otherwise.
    for committed in (DUMP, PAGES):
        rebuilt = gzip.decompress((tmp_path / committed.name).read_bytes())
        assert rebuilt == gzip.decompress(committed.read_bytes()), "run python -m sample.build"


def test_rebuilds_are_byte_identical(sample: Sample, tmp_path: Path) -> None:
    built = []
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        build(sample, folder)
        built.append([(folder / file.name).read_bytes() for file in (DUMP, PAGES)])
    assert built[0] == built[1]


def test_the_dump_is_lines_of_json_between_brackets(sample: Sample) -> None:
    lines = list(dump_lines(sample))
    assert json.loads("\n".join(lines)) == [entity_json(sample, entity_id) for entity_id in sample.entities]
    assert len(lines) == len(sample.entities) + 2


def test_every_id_in_use_is_in_the_dump_with_a_label(dumped: dict[str, dict[str, Any]]) -> None:
    used = set(ENTITY_ID.findall("\n".join(json.dumps(entity) for entity in dumped.values()))) - CALENDARS_OF_DATES
    assert used == set(dumped)
    assert {entity_id for entity_id, entity in dumped.items() if not entity["labels"]} == WITHOUT_LABEL


def test_one_walked_item_has_its_label_in_mul_only(dumped: dict[str, dict[str, Any]]) -> None:
    walked = [entity for entity in dumped.values() if entity["type"] == "item" and entity["claims"]]
    assert [entity["id"] for entity in walked if set(entity["labels"]) == {"mul"}] == ["Q7186"]


def test_statement_ids_are_unique_and_in_wikidata_form(sample: Sample) -> None:
    guids = [guid(made) for made in sample.statements]
    assert len(set(guids)) == len(guids)
    form = re.compile(r"Q[1-9]\d*\$[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}")
    assert all(form.fullmatch(one) for one in guids)


def test_values_are_read_as_what_was_written(sample: Sample, dumped: dict[str, dict[str, Any]]) -> None:
    read = {
        claim["id"]: parse_value(claim["mainsnak"]["datavalue"], lambda i: _words(sample.entities.get(i), i))
        for entity in dumped.values()
        if entity["claims"] and entity["type"] == "item"
        for claims in entity["claims"].values()
        for claim in claims
        if claim["mainsnak"]["snaktype"] == "value"
    }
    by_place = {(made.item, made.property, made.rank): read.get(guid(made)) for made in sample.statements}
    assert by_place["Q1048", "P570", "normal"] == TimeValue(-44, 3, 15, 11, "julian")
    assert by_place["Q692", "P569", "normal"] == TimeValue(1564, 4, None, 10, "julian")
    assert by_place["Q42", "P569", "normal"] == TimeValue(1952, 3, 11, 11)
    assert by_place["Q42", "P1477", "normal"] == TextValue("Douglas Noel Adams", "en-gb")
    height = by_place["Q42", "P2048", "normal"]
    assert isinstance(height, QuantityValue)
    assert (str(height.lower), str(height.amount), str(height.upper)) == ("1.95", "1.96", "1.97")
    assert height.unit is not None
    assert height.unit.label == "metre"
    alma_mater = by_place["Q42", "P69", "normal"]
    assert isinstance(alma_mater, EntityValue)
    assert alma_mater.term.label == "St John's College"


def test_a_shared_reference_has_one_hash(sample: Sample, dumped: dict[str, dict[str, Any]]) -> None:
    claims = [claim for group in dumped["Q42"]["claims"].values() for claim in group]
    shared = [c["id"] for c in claims for r in c["references"] if r["hash"] == reference_hash(sample, "lives-adams")]
    assert len(shared) == sum(
        citation.reference == "lives-adams" for made in sample.statements for citation in made.cites
    )
    assert len(shared) > 3
    assert len({reference_hash(sample, name) for name in sample.references}) == len(sample.references)


def _answers() -> Iterator[tuple[str, int, bytes]]:
    with PAGES.open("rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response):
            assert record.http_headers is not None
            assert record.verify_payload_digest()
            yield record.headers["WARC-Target-URI"], record.http_headers.status_code, record.reader.read()


def test_both_readers_find_every_page(sample: Sample) -> None:
    answers = [(url, status) for url, status, _ in _answers()]
    assert answers == [(page.url, page.status) for page in sample.pages]
    with PAGES.open("rb") as file:
        again = [r.rec_headers.get_header("WARC-Target-URI") for r in WarcioIterator(file) if r.rec_type == "response"]
    assert again == [page.url for page in sample.pages]


def test_bodies_are_the_files(sample: Sample) -> None:
    bodies = {url: body for url, _, body in _answers()}
    for page in sample.pages:
        assert bodies[page.url] == ((FOLDER / "pages" / page.file).read_bytes() if page.file else b"")
    files = {str(path.relative_to(FOLDER / "pages")) for path in (FOLDER / "pages").rglob("*.html")}
    assert files == {page.file for page in sample.pages if page.file}


def test_every_address_has_an_answer(sample: Sample) -> None:
    answered = {page.url for page in sample.pages}
    cited = {url for cited in sample.references.values() for url in (*cited.urls, cited.archive) if url}
    assert cited <= answered
    assert {page.location for page in sample.pages if page.location} <= answered
    # What is left over is where identifiers and redirects lead: nothing stands there unused.
    assert answered - cited == {"https://library.example/authors/OL272947A", "https://parispost.example/"}


def test_pages_are_pages(sample: Sample) -> None:
    """A page that can be judged has a title, a way around, a foot, and a text of some length."""
    for page in sample.pages:
        if page.file is None or page.status != 200 or page.file.startswith("memory.example"):
            continue
        html = (FOLDER / "pages" / page.file).read_text(encoding="utf-8")
        words = re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", html, flags=re.DOTALL).split()
        assert "<title>" in html
        assert "<h1>" in html
        assert re.search(r"<footer|id=\"bottom\"", html)
        assert re.search(r"<nav|id=\"menu\"", html)
        assert 150 <= len(words) <= 420, (page.file, len(words))


def test_hosts_are_reserved_names(sample: Sample) -> None:
    addresses = [url for cited in sample.references.values() for url in (*cited.urls, cited.archive) if url]
    addresses += [formatter.url for entity in sample.entities.values() for formatter in entity.formatters]
    addresses += [page.url for page in sample.pages]
    assert all(re.match(r"https?://[a-z-]+\.example/", url) for url in addresses)


def test_each_kind_of_result_is_there(sample: Sample) -> None:
    expected = {citation.expect for made in sample.statements for citation in made.cites}
    assert expected == {stance.value for stance in Stance} | {"skipped"} | {
        outcome.value
        for outcome in (
            Outcome.NOT_FOUND,
            Outcome.NO_LABEL,
            Outcome.NO_TEXT,
            Outcome.NO_USABLE_URL,
            Outcome.REDIRECTED_ELSEWHERE,
            Outcome.UNSUPPORTED_LANGUAGE,
        )
    }


def test_statements_are_about_what_the_sample_knows(sample: Sample) -> None:
    for made in sample.statements:
        named = {made.item, made.property, *made.qualifiers}
        named |= {value.id for value in (made.value, *made.qualifiers.values()) if isinstance(value, Thing)}
        assert named <= set(sample.entities)
        assert {citation.reference for citation in made.cites} <= set(sample.references)
        assert made.cites
        assert all(citation.because for citation in made.cites)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("entities: [", "statements.yaml"),
        ("entities: {}", "missing required field"),
        ("entities: {}\nreferences: {}\nstatements: []\npages: [{url: x, fiel: y}]", "fiel"),
        (
            "entities: {}\nreferences: {}\npages: []\nstatements:\n"
            "- {item: Q1, property: P1, value: {type: novalue}, cites: [{reference: a, expect: maybe, because: b}]}",
            "'maybe' is none of",
        ),
    ],
)
def test_a_bad_file_gives_one_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "statements.yaml"
    path.write_text(text)
    with pytest.raises(BadSample, match=said) as caught:
        load_sample(path)
    assert "\n" not in str(caught.value)


def _command(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sample.build", str(folder)]
    return subprocess.run(command, cwd=FOLDER.parent, capture_output=True, text=True, check=False)


def test_the_command_says_what_it_built(tmp_path: Path) -> None:
    done = _command(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("dump.json.gz: ")
    assert {path.name for path in tmp_path.iterdir()} == {"dump.json.gz", "answers.warc.gz"}


def test_the_command_says_what_is_wrong_in_one_line(tmp_path: Path) -> None:
    done = _command(tmp_path / "no-such-folder")
    assert done.returncode == 1
    assert "no-such-folder" in done.stderr
    assert done.stderr.count("\n") == 1
