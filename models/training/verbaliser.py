"""Fine-tune a sequence-to-sequence verbaliser after ProVe's recipe.

The recipe is that of Ribeiro and others, *Investigating Pretrained Language Models for Graph-to-Text Generation*, which
ProVe follows: T5-base, the marks <H>, <R> and <T> added to its words, AdamW at 3e-5 falling to 0 in a line, batches of
4, 100 epochs at most, stopped when the validation rows get no better. They choose by BLEU with sentences written; we
by the loss, which needs no further library.

Rows are objects with `triples` ([[subject, relation, value], …]) and `references` (sentences that say them), as in
WebNLG. WebNLG is CC BY-NC-SA 4.0, so what is learned from it isn't free: use it yourself where that licence allows,
but it doesn't ship. `train` refuses to write under `models/weights/`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import torch
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer
from transformers.utils import logging as transformers_logging

from models.training.record import RECORD, TrainingProblem, finished, write_record
from models.training.rows import MALFORMED, BadRows, as_list, json_lines
from models.verbalise.sequence import LONGEST_INPUT, MARKS, graph_input

SHIPPED = Path(__file__).resolve().parents[1] / "weights"
STATE, DRAFT, CARD = "training.pt", "training.pt.new", "README.md"
EPOCHS, BATCH, RATE = 100, 4, 3e-5
_DIVERGED = "nothing can be learned so; choose another folder and a lower rate, or another base"
_STEEPEST = 1.0  # norm of a gradient from which it is scaled down

Example = tuple[str, str]

_CARD = """# A verbaliser

Says Wikidata statements in English. Fine-tuned from `{base}` by `python -m models.training verbaliser` on:
{data}

Seed {seed}, batches of {batch}, {steps} steps, rate {rate:g}. For Citewell's `judge.verbaliser`.

What it was learned from decides what you may do with it: weights learned from WebNLG (CC BY-NC-SA 4.0) are for
non-commercial use only, and no part of Citewell.
"""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What to learn from what. `every`: steps from one checkpoint to the next; `patience`: epochs without a better
    validation loss after which training ends; `device` is auto, cpu or cuda.
    """

    base: str
    data: tuple[Path, ...]
    out: Path
    validation: tuple[Path, ...] = ()
    epochs: int = EPOCHS
    batch: int = BATCH
    rate: float = RATE
    every: int = 500
    patience: int = 15
    seed: int = 0
    device: str = "auto"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far training is: steps done, of how many at most, the batch's loss, and the last validation loss."""

    step: int
    steps: int
    loss: float
    validation_loss: float | None


def read_examples(paths: Sequence[Path]) -> list[Example]:
    """What the model reads and what it should write, one example for each reference. Raises `TrainingProblem`."""
    examples: list[Example] = []
    for path in paths:
        if "test" in path.name.lower():
            raise TrainingProblem(f"{path.name} is test data by its name: nothing is learned from it")
        try:
            for number, row in json_lines(path):
                examples += _examples(row, f"{path}, line {number}")
        except BadRows as error:
            raise TrainingProblem(str(error)) from error
    if not examples:
        raise TrainingProblem("there is no row to learn from")
    return examples


def _examples(row: Any, where: str) -> list[Example]:
    try:
        given = graph_input(_triple(triple) for triple in as_list(row["triples"]))
        references = [one.strip() for one in as_list(row["references"]) if isinstance(one, str) and one.strip()]
        "".join((given, *references)).encode()  # a lone surrogate is no text
        if not row["triples"]:
            raise ValueError("no triple")
    except MALFORMED as error:
        raise TrainingProblem(f"{where}: not a row with `triples` and `references`") from error
    return [(given, reference) for reference in references]


def _triple(value: object) -> tuple[str, str, str]:
    subject, relation, said = map(str, as_list(value))
    return subject, relation, said


def train(recipe: Recipe) -> Iterator[Progress]:
    """Train, giving the progress after each step; at the end `recipe.out` is a folder that transformers loads.

    Killed at any moment, the same call goes on from the last checkpoint and ends with the same weights (on a CPU).
    Raises `TrainingProblem`.
    """
    if not 0 < recipe.rate <= 1:
        raise TrainingProblem(f"a rate of {recipe.rate} is none to learn at: choose one above 0, and 1 at most")
    out = _folder(recipe.out)
    examples, checked = read_examples(recipe.data), read_examples(recipe.validation) if recipe.validation else []
    identity = _identity(recipe, examples, checked)
    if finished(out, identity, "model"):
        return
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TrainingProblem(f"{out} can't be made: {error.strerror}") from error
    training = _Training(recipe, len(examples))
    state = _State(identity, out)
    if not state.load(training):
        state.save(training)
    while training.step < training.steps and training.worse < recipe.patience:
        loss = training.learn([examples[index] for index in training.chosen()])
        if checked and training.step % training.steps_an_epoch == 0 and training.check(checked):
            training.save(out)
        if training.step % recipe.every == 0:
            state.save(training)
        yield Progress(training.step, training.steps, loss, training.checked)
    if not checked:
        training.save(out)
    _finish(recipe, training, identity, out)


class _Training:
    """A model as it learns. `best` and `worse`: the lowest validation loss, and the epochs since."""

    def __init__(self, recipe: Recipe, examples: int) -> None:
        self._recipe, self._examples = recipe, examples
        self.steps_an_epoch = -(-examples // recipe.batch)
        self.steps = self.steps_an_epoch * recipe.epochs
        self.step, self.worse = 0, 0
        self._epoch, self._order = -1, list[int]()
        self.best: float | None = None
        self.checked: float | None = None
        wanted = recipe.device
        self._device = ("cuda" if torch.cuda.is_available() else "cpu") if wanted == "auto" else wanted
        torch.manual_seed(recipe.seed)
        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(recipe.base)
            self._model = AutoModelForSeq2SeqLM.from_pretrained(recipe.base, dtype=torch.float32).to(self._device)
        except Exception as error:  # what isn't a model, or is a broken one, fails in many ways
            raise TrainingProblem(f"{recipe.base!r} can't be loaded: {' '.join(str(error).split())[:200]}") from error
        self._tokenizer.add_tokens(list(MARKS), special_tokens=True)
        if self._model.get_input_embeddings().num_embeddings < len(self._tokenizer):
            self._model.resize_token_embeddings(len(self._tokenizer))
        self._optimiser = torch.optim.AdamW(self._model.parameters(), lr=recipe.rate)

    def chosen(self) -> list[int]:
        """The examples of the next step: each epoch goes through all of them, in an order of its own."""
        epoch, at = divmod(self.step, self.steps_an_epoch)
        if epoch != self._epoch:
            self._epoch, self._order = epoch, list(range(self._examples))
            Random(f"{self._recipe.seed}/{epoch}").shuffle(self._order)  # noqa: S311 - an order, not a secret
        return self._order[at * self._recipe.batch : (at + 1) * self._recipe.batch]

    def learn(self, examples: Sequence[Example]) -> float:
        """One step; the loss before it."""
        self._model.train()
        for group in self._optimiser.param_groups:
            group["lr"] = self._recipe.rate * (1 - self.step / self.steps)
        loss = self._loss(examples)
        if not loss.isfinite():
            raise TrainingProblem(f"step {self.step + 1}: the loss is {float(loss.detach())}: {_DIVERGED}")
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), _STEEPEST)
        self._optimiser.step()
        self._optimiser.zero_grad(set_to_none=True)
        self.step += 1
        return float(loss.detach())

    @torch.no_grad()
    def check(self, examples: Sequence[Example]) -> bool:
        """True where the mean loss over these examples is the lowest so far."""
        self._model.eval()
        size = self._recipe.batch
        parts = [examples[first : first + size] for first in range(0, len(examples), size)]
        self.checked = sum(float(self._loss(part)) * len(part) for part in parts) / len(examples)
        better = self.best is None or self.checked < self.best
        self.best, self.worse = (self.checked, 0) if better else (self.best, self.worse + 1)
        return better

    def _loss(self, examples: Sequence[Example]) -> torch.Tensor:
        read, written = ([example[side] for example in examples] for side in (0, 1))
        cut = {"padding": True, "truncation": True, "max_length": LONGEST_INPUT, "return_tensors": "pt"}
        given, wanted = self._tokenizer(read, **cut), self._tokenizer(text_target=written, **cut)
        labels = wanted["input_ids"].masked_fill(wanted["attention_mask"] == 0, -100)  # no loss for what only fills up
        loss: torch.Tensor = self._model(
            input_ids=given["input_ids"].to(self._device),
            attention_mask=given["attention_mask"].to(self._device),
            labels=labels.to(self._device),
        ).loss
        return loss

    def save(self, folder: Path) -> None:
        """Write the model as it is now, for transformers to load. Raises `TrainingProblem` where it diverged."""
        if not all(bool(weights.isfinite().all()) for weights in self._model.parameters()):
            raise TrainingProblem(f"step {self.step}: not all weights are finite: {_DIVERGED}")
        self._model.save_pretrained(folder)
        self._tokenizer.save_pretrained(folder)

    def state(self) -> dict[str, Any]:
        """All that going on from here needs."""
        return {
            "step": self.step,
            "worse": self.worse,
            "best": self.best,
            "checked": self.checked,
            "model": self._model.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "random": torch.get_rng_state(),
            "cuda_random": torch.cuda.get_rng_state_all() if self._device == "cuda" else [],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state` gave. Raises many things where it is another's."""
        self.step, self.worse, self.best, self.checked = (state[key] for key in ("step", "worse", "best", "checked"))
        self._model.load_state_dict(state["model"])
        self._optimiser.load_state_dict(state["optimiser"])
        torch.set_rng_state(state["random"].cpu())
        if state["cuda_random"] and self._device == "cuda":
            torch.cuda.set_rng_state_all([each.cpu() for each in state["cuda_random"]])


@dataclass(frozen=True, slots=True)
class _State:
    """The checkpoint of a training, replaced as a whole."""

    identity: str
    folder: Path

    def save(self, training: _Training) -> None:
        draft = self.folder / DRAFT
        torch.save({"identity": self.identity, **training.state()}, draft)
        draft.replace(self.folder / STATE)

    def load(self, training: _Training) -> bool:
        """False where there is none. Raises `TrainingProblem` where it can't be read or is another training's."""
        path = self.folder / STATE
        if not path.exists():
            return False
        try:
            state = torch.load(path, map_location="cpu", weights_only=True)
        except Exception as error:
            raise TrainingProblem(f"{path} can't be read: remove it to begin anew") from error
        if not isinstance(state, dict) or state.get("identity") != self.identity:
            raise TrainingProblem(f"{path} is of another base, data or recipe: choose another folder, or remove it")
        try:
            training.restore(state)
        except Exception as error:  # weights of another shape, say
            raise TrainingProblem(f"{path} isn't a state of this training: remove it to begin anew") from error
        return True


def _folder(out: Path) -> Path:
    try:
        return _free(out.resolve())
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError
        raise TrainingProblem(f"{out} can't be a folder to write to: {error}") from error


def _free(folder: Path) -> Path:
    if SHIPPED in (folder, *folder.parents):
        raise TrainingProblem("models/weights/ holds what ships: weights of a verbaliser don't, choose another folder")
    if folder.exists() and not folder.is_dir():
        raise TrainingProblem(f"{folder} isn't a folder")
    held = {each.name for each in folder.iterdir()} if folder.exists() else set()
    if held and not held & {STATE, DRAFT, RECORD}:
        raise TrainingProblem(f"{folder} holds something else: choose an empty folder")
    return folder


def _identity(recipe: Recipe, examples: Sequence[Example], checked: Sequence[Example]) -> str:
    """Two trainings with the same identity make the same weights; where they are kept plays no part."""
    what = [recipe.base, recipe.epochs, recipe.batch, recipe.rate, recipe.patience, recipe.seed, examples, checked]
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()


def _finish(recipe: Recipe, training: _Training, identity: str, folder: Path) -> None:
    data = "\n".join(
        f"- `{path.name}` (sha256 {hashlib.sha256(path.read_bytes()).hexdigest()[:16]}…)" for path in recipe.data
    )
    card = _CARD.format(
        base=recipe.base, data=data, seed=recipe.seed, batch=recipe.batch, steps=training.step, rate=recipe.rate
    )
    (folder / CARD).write_text(card, encoding="utf-8")
    record = {"identity": identity, "steps": training.step, "validation_loss": training.best}
    write_record(folder, record)
    (folder / STATE).unlink(missing_ok=True)
