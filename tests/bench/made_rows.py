"""Labelled pairs with pages of our own, in the form of WTR's."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter


def pair(number: int, year: int, label: str, kind: str = "") -> dict[str, Any]:
    datavalue = {
        "type": "time",
        "value": {"time": f"+{year}-00-00T00:00:00Z", "precision": 9, "calendarmodel": "x/Q1985727"},
    }
    row = {
        "claim_id": f"Q{number}$A", "entity_id": f"Q{number}", "rank": "normal", "property_id": "P569",
        "datatype": "time", "datavalue": datavalue, "entity_label": f"Ann Number{number}",
        "entity_aliases": "no-alias", "property_label": "date of birth", "property_aliases": ["born on"],
        "object_label": str(year), "object_aliases": "no-alias", "object_description": "no-desc",
        "url": f"https://s{number % 7}.example/{number}", "label": label,
    }  # fmt: skip
    return row | ({"kind": kind} if kind else {})


def write_rows(folder: Path) -> None:
    """Twenty-one people with a page each that gives the year of birth; every third statement has another year.

    Makes `pages.warc.gz`, `pairs.jsonl` and `swaps.jsonl`.
    """
    rows, swaps = [], []
    with (folder / "pages.warc.gz").open("wb") as stream:
        writer = WARCWriter(stream, gzip=True)
        for number in range(21):
            year = 1900 + number
            name = f"Ann Number{number}"
            prose = f"<p>{name} was born in {year} in Leeds and died in 1990. She wrote of the sea.</p>"
            body = f"<title>{name}</title><h1>{name}</h1>{prose}"
            headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            url = f"https://s{number % 7}.example/{number}"
            record = writer.create_warc_record(
                url, "response", payload=io.BytesIO(body.encode()), length=len(body.encode()), http_headers=headers
            )
            writer.write_record(record)
            rows.append(pair(number, year if number % 3 else year + 40, "1.A." if number % 3 else "2.A."))
            swaps += [
                pair(number, year, "1.A.", "original"),
                pair(number, 1990, "2.P", "swap") | {"claim_id": f"Q{number}$A~"},
            ]
    for name, some in (("pairs", rows), ("swaps", swaps)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in some))
