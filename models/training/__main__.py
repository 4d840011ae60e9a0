"""`python -m models.training NAME`: learn what takes longer than a bench."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click

from models.training.base import PACKAGED
from models.training.record import TrainingProblem
from models.training.rows import BadRows
from models.training.sheets.write import Sources, write_sets
from models.training.verbaliser import BATCH, EPOCHS, RATE, Progress, Recipe, train
from models.training.verifier import Progress as VerifierProgress
from models.training.verifier import Recipe as VerifierRecipe
from models.training.verifier import train as train_verifier

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


@training.command("sets")
@click.option("--redocred", multiple=True, type=_FILE, help="Documents of Re-DocRED's; may be repeated.")
@click.option("--fewrel", multiple=True, type=_FILE, help="Sentences of FewRel's; may be repeated.")
@click.option("--properties", required=True, type=_FILE, help="FewRel's list of properties.")
@click.option("--infotabs", multiple=True, type=_FILE, help="Tables of InfoTabS'; may be repeated.")
@click.option("--made", default=0, show_default=True, type=click.IntRange(0), help="How many pages to make up.")
@click.option("--false-claims/--no-false-claims", default=True, show_default=True, help="Make facts false as well.")
@click.option("--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="A new .jsonl.gz file.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0, 2**63 - 1))
def sets(
    redocred: tuple[Path, ...],
    fewrel: tuple[Path, ...],
    properties: Path,
    infotabs: tuple[Path, ...],
    made: int,
    false_claims: bool,
    out: Path,
    seed: int,
) -> None:
    """Construct the evidence sets that a verifier is trained on."""
    counted = write_sets(Sources(properties, redocred, fewrel, infotabs, made, false_claims), out, seed)
    for source, number in sorted(counted.items()):
        click.echo(f"{source}: {number:,} sets")


@training.command("verifier")
@click.option("--data", multiple=True, required=True, type=_FILE, help="Sets that `sets` wrote; may be repeated.")
@click.option("--base", default=PACKAGED, show_default=True, help="A package, folder or hub name to begin with.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="A new folder, or one to go on in.")
@click.option("--epochs", default=1, show_default=True, type=click.IntRange(min=1))
@click.option("--room", default=2048, show_default=True, type=click.IntRange(min=128), help="Tokens of a batch.")
@click.option("--rate", default=1.2e-4, show_default=True, type=click.FloatRange(0, 1, min_open=True))
@click.option("--every", default=100, show_default=True, type=click.IntRange(min=1), help="Steps between checkpoints.")
@click.option("--steps", default=0, show_default=True, type=click.IntRange(min=0), help="At most; 0: all epochs.")
@click.option("--fusion/--no-fusion", default=True, show_default=True, help="Learn the verdict over a set as well.")
@click.option("--without", multiple=True, metavar="NAME", help="Leave out a source or a property; may be repeated.")
@click.option("--threads", default=0, show_default=True, type=click.IntRange(min=0), help="0: as torch chooses.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0, 2**63 - 1))
@click.option("--device", default="auto", show_default=True, type=click.Choice(["auto", "cpu", "cuda"]))
def verifier(
    data: tuple[Path, ...],
    base: str,
    out: Path,
    epochs: int,
    room: int,
    rate: float,
    every: int,
    steps: int,
    fusion: bool,
    without: tuple[str, ...],
    threads: int,
    seed: int,
    device: str,
) -> None:
    """Train a verifier on evidence sets. Stopped, it goes on there."""
    recipe = VerifierRecipe(data, out, base, epochs, room, rate, every, seed, threads, device, fusion, steps, without)
    try:
        _follow(train_verifier(recipe))
    except KeyboardInterrupt:
        click.echo("training: stopped; the same command goes on from the last checkpoint", err=True)
        sys.exit(130)
    click.echo(f"{out} is ready.")


@training.command("export")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
def export(folder: Path) -> None:
    """Export a verifier's folder to ONNX, for judge.runtime: onnx. The graphs are written beside its weights."""
    try:
        from models.training.export import export as write  # noqa: PLC0415 - needs onnx, which only this does

        paths = write(folder)
    except ModuleNotFoundError as error:
        raise TrainingProblem(f"{error.name} isn't installed: install requirements-dev.txt") from error
    except Exception as error:  # what isn't a verifier fails in many ways
        raise TrainingProblem(f"{folder} can't be exported: {' '.join(str(error).split())[:200]}") from error
    click.echo("\n".join(f"{path}: {path.stat().st_size:,} bytes" for path in paths))


def _follow(steps: Iterator[Progress | VerifierProgress]) -> None:
    """Train, and say now and then how far it is."""
    told = begun = time.monotonic()
    first: Progress | VerifierProgress | None = None
    for progress in steps:
        first = first or progress
        now = time.monotonic()
        if now - told >= TOLD_EVERY_S or progress.step == progress.steps:
            told = now
            click.echo(_line(progress, now - begun, progress.step - first.step + 1), err=True)


def _line(progress: Progress | VerifierProgress, spent_s: float, done: int) -> str:
    left_s = spent_s / done * (progress.steps - progress.step)
    validated = getattr(progress, "validation_loss", None)
    checked = "" if validated is None else f", validation {validated:.3f}"
    hours, minutes = divmod(round(left_s / 60), 60)
    return f"step {progress.step} of {progress.steps}, loss {progress.loss:.3f}{checked}, {hours} h {minutes} min left"


def main() -> None:
    """Run a training; bad input is one line and exit code 2."""
    try:
        training(prog_name="python -m models.training")
    except (TrainingProblem, BadRows, OSError) as error:  # a full disk, say
        click.echo(f"training: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
