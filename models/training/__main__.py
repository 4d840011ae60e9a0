"""`python -m models.training NAME`: learn what takes longer than a bench."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click

from models.training.verbaliser import BATCH, EPOCHS, RATE, Progress, Recipe, TrainingProblem, train

TOLD_EVERY_S = 10.0
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.group()
def training() -> None:
    """Learn models on rows that you have."""


@training.command("verbaliser")
@click.option("--data", multiple=True, required=True, type=_FILE, help="Rows like WebNLG's, .jsonl or .jsonl.gz.")
@click.option("--validation", multiple=True, type=_FILE, help="Rows to stop by; without any, all epochs are run.")
@click.option("--base", required=True, help="A folder or hub name to begin with; the paper's is t5-base.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="A new folder, or one to go on in.")
@click.option("--epochs", default=EPOCHS, show_default=True, type=click.IntRange(min=1))
@click.option("--batch", default=BATCH, show_default=True, type=click.IntRange(min=1))
@click.option("--rate", default=RATE, show_default=True, type=click.FloatRange(0, 1, min_open=True))
@click.option("--every", default=500, show_default=True, type=click.IntRange(min=1), help="Steps between checkpoints.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0, 2**63 - 1))  # what torch takes
@click.option("--device", default="auto", show_default=True, type=click.Choice(["auto", "cpu", "cuda"]))
def verbaliser(
    data: tuple[Path, ...],
    validation: tuple[Path, ...],
    base: str,
    out: Path,
    epochs: int,
    batch: int,
    rate: float,
    every: int,
    seed: int,
    device: str,
) -> None:
    """Fine-tune a sequence-to-sequence model to say statements, for judge.verbaliser. Stopped, it goes on there.

    Weights learned from non-commercial rows (WebNLG's are) are yours to use as their licence allows; they don't ship.
    """
    recipe = Recipe(base, data, out, validation, epochs, batch, rate, every, seed=seed, device=device)
    try:
        _follow(train(recipe))
    except KeyboardInterrupt:
        click.echo("training: stopped; the same command goes on from the last checkpoint", err=True)
        sys.exit(130)
    click.echo(f"{out} is ready: set judge.verbaliser to it.")


def _follow(steps: Iterator[Progress]) -> None:
    """Train, and say now and then how far it is."""
    told = begun = time.monotonic()
    first: Progress | None = None
    for progress in steps:
        first = first or progress
        now = time.monotonic()
        if now - told >= TOLD_EVERY_S or progress.step == progress.steps:
            told = now
            click.echo(_line(progress, now - begun, progress.step - first.step + 1), err=True)


def _line(progress: Progress, spent_s: float, done: int) -> str:
    left_s = spent_s / done * (progress.steps - progress.step)
    checked = "" if progress.validation_loss is None else f", validation {progress.validation_loss:.3f}"
    hours, minutes = divmod(round(left_s / 60), 60)
    return f"step {progress.step} of {progress.steps}, loss {progress.loss:.3f}{checked}, {hours} h {minutes} min left"


def main() -> None:
    """Run a training; bad input is one line and exit code 2."""
    try:
        training(prog_name="python -m models.training")
    except (TrainingProblem, OSError) as error:  # a full disk, say
        click.echo(f"training: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
