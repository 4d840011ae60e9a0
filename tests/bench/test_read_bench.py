"""The bench of the reader: values that stand on real pages stay findable, and its figures are what they say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench.peers import trafilatura_text, whole_text
from bench.read import found, read_command
from bench.rows import DATA, load_pages, load_rows

WTR = DATA / "wtr"
needs_shared = pytest.mark.skipif(not WTR.exists(), reason="../shared/data isn't there")


@needs_shared
def test_the_values_of_supported_pairs_reach_the_judge() -> None:
    documents = load_pages([WTR / "pages.warc.gz"])
    rows = load_rows([WTR / "pairs.jsonl"])[:90]
    shares = found(rows, {url: documents[url] for url in {row.url for row in rows}})
    for kind in ("dates", "names"):
        assert shares["value_in_passages"][kind] >= 0.98  # type: ignore[index]
        assert shares["value_in_24"][kind] >= 0.95  # type: ignore[index]
        assert shares["n"][kind] >= 15  # type: ignore[index]


@needs_shared
def test_it_prints_its_figures_as_json(tmp_path: Path) -> None:
    ran = CliRunner().invoke(read_command, ["--pages", str(WTR / "pages.warc.gz"), "--first", "6"])
    assert ran.exit_code == 0, ran.output
    figures = json.loads(ran.stdout.splitlines()[-1])
    assert figures["pages"] == 6
    assert figures["pages_per_s"] > figures["trafilatura_pages_per_s"] / 4
    assert figures["passages"] > 100
    assert figures["peak_mb"]["reading"] >= figures["peak_mb"]["ready"]


def test_the_peers_read_a_page() -> None:
    page = (
        b"<html><body><nav>Home</nav><article><h1>Ada</h1><p>Ada Lovelace was born in 1815.</p></article></body></html>"
    )
    assert "born in 1815" in whole_text(page)
    assert "Home" in whole_text(page)
    assert isinstance(trafilatura_text(page), str)
