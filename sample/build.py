"""Builds sample/dump.json.gz and sample/answers.warc.gz from statements.yaml and pages/: `python -m sample.build`."""

from __future__ import annotations

import sys
import zlib
from pathlib import Path

from sample.dump import dump_lines
from sample.statements import FOLDER, BadSample, Sample, load_sample
from sample.warc import warc_bytes

DUMP = FOLDER / "dump.json.gz"
PAGES = FOLDER / "answers.warc.gz"


def dump_bytes(sample: Sample) -> bytes:
    """The gzipped dump. The same sample gives the same bytes: a gzip header from zlib holds no time and no name."""
    text = "\n".join(dump_lines(sample)) + "\n"
    squeeze = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    return squeeze.compress(text.encode()) + squeeze.flush()


def build(sample: Sample, folder: Path = FOLDER) -> None:
    """Write both files into a folder, over those that are there. Raises `OSError` for a page whose file is missing."""
    warc = warc_bytes(sample.pages, FOLDER / "pages")
    (folder / DUMP.name).write_bytes(dump_bytes(sample))
    (folder / PAGES.name).write_bytes(warc)


def main(arguments: list[str]) -> int:
    """Build into sample/, or into the folder given; 0, or 1 with one line that says what is wrong."""
    try:
        sample = load_sample()
        build(sample, *(Path(argument) for argument in arguments[:1]))
    except (BadSample, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    pairs = sum(len(made.cites) for made in sample.statements)
    statements = len(sample.statements)
    sys.stdout.write(f"{DUMP.name}: {len(sample.entities)} entities, {statements} statements, {pairs} references\n")
    sys.stdout.write(f"{PAGES.name}: {len(sample.pages)} pages\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
