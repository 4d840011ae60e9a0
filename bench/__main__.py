"""`python -m bench NAME`."""

from __future__ import annotations

import sys

import click

from bench.desk import desk
from bench.fit import fit
from bench.judge import judge_command
from bench.order import order
from bench.outcomes import outcomes
from bench.read import read_command
from bench.relevance import relevance_command
from bench.rows import MissingRows
from bench.stance import stance
from bench.survive import survive
from bench.swaps import swaps
from bench.values import values
from bench.verbalise import verbalise_command
from bench.verifier import verifier_command
from bench.walk import walk
from bench.wtr import wtr
from models.aggregate.classifier import BrokenWeights


@click.group()
def bench() -> None:
    """Measure what Citewell claims; each command prints one JSON object."""


for command in (
    wtr, swaps, relevance_command, stance, judge_command, read_command, outcomes, values, verbalise_command,
    verifier_command, fit, survive, walk, desk, order,
):  # fmt: skip
    bench.add_command(command)


def main() -> None:
    """Run a bench; bad input is one line and exit code 2."""
    try:
        bench()
    except (MissingRows, BrokenWeights, ValueError) as error:
        click.echo(f"bench: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
