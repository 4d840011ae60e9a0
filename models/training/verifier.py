"""Train the verifier on evidence sets: stances and relevance of passages, and the verdict over them, jointly."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from models.evidence import Stance
from models.training.base import PACKAGED, base_folder
from models.training.record import RECORD, TrainingProblem, finished, write_record
from models.training.rows import MALFORMED, BadRows, as_list, json_lines, writable
from models.training.sheets.sets import EvidenceSet
from models.training.sheets.write import as_row
from models.verify.network import Network, Read, batched, from_base, save
from models.verify.verifier import LONGEST

STATE, DRAFT = "training.pt", "training.pt.new"
_ORDER = tuple(Stance)  # supports, refutes, not enough info: the order of the logits
_MARGIN = 0.5  # of ρ between a passage that bears on the claim and one that doesn't (ProVe, section 4.3)
_WARM_UP = 0.06
_STEEPEST = 1.0
_CHUNK = 40  # batches within which sets of like length come together


@dataclass(frozen=True, slots=True)
class Recipe:
    """What to learn from what. `room`: tokens of a batch, filling included; `every`: steps between checkpoints.

    `steps` ends the training after so many, the rate falling to 0 there; 0: after all epochs. `fusion` False leaves the
    verdict over the set unlearned, for measuring what it brings. `without` names sources and properties whose sets are
    left out, for measuring on them what carries over.
    """

    data: tuple[Path, ...]
    out: Path
    base: str = PACKAGED
    epochs: int = 1
    room: int = 2_048
    rate: float = 1.2e-4
    every: int = 200
    seed: int = 0
    threads: int = 0
    device: str = "auto"
    fusion: bool = True
    steps: int = 0
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """Steps done, of how many, and the mean loss since the last checkpoint."""

    step: int
    steps: int
    loss: float


def read_sets(paths: Sequence[Path]) -> list[EvidenceSet]:
    """Sets as `write_sets` wrote them. Raises `TrainingProblem`."""
    sets: list[EvidenceSet] = []
    for path in paths:
        try:
            for number, row in json_lines(path):
                try:
                    sets.append(_parsed(row))
                except MALFORMED as error:
                    raise TrainingProblem(f"{path}, line {number}: not an evidence set ({error})") from error
        except BadRows as error:
            raise TrainingProblem(str(error)) from error
    return sets


def _parsed(row: Any) -> EvidenceSet:
    passages = tuple(map(str, as_list(writable(row)["passages"])))
    stances = tuple(Stance(one) for one in as_list(row["stances"]))
    if not passages or len(passages) != len(stances):
        raise ValueError("as many stances as passages, and one at least")
    return EvidenceSet(str(row["claim"]), passages, stances, str(row["source"]), str(row["property"]))


def train(recipe: Recipe) -> Iterator[Progress]:
    """Train, giving progress after each step; `recipe.out` is then a folder that `models.verify.network.load` reads.

    Killed at any moment, the same call goes on from the last checkpoint. Raises `TrainingProblem`.
    """
    sets = [one for one in read_sets(recipe.data) if not {one.source, one.property_id} & set(recipe.without)]
    if not sets:
        raise TrainingProblem("there is no set to learn from")
    _open(recipe.out)
    identity = _identity(recipe, sets)
    if finished(recipe.out, identity, "verifier"):
        return
    training = _Training(recipe, sets)
    training.load(recipe.out / STATE, identity)
    while training.step < len(training.batches):
        loss = training.learn()
        if training.step % recipe.every == 0:
            training.save(recipe.out / STATE, identity)
        yield Progress(training.step, len(training.batches), loss)
    training.save(recipe.out / STATE, identity)  # stopped while the weights are written, it goes on here
    save(training.network, training.tokenizer, recipe.out)
    record = {
        "identity": identity, "base": recipe.base, "sets": len(sets), "steps": training.step, "seed": recipe.seed,
        "rate": recipe.rate, "epochs": recipe.epochs, "without": recipe.without,
        "data": {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in recipe.data},
    }  # fmt: skip
    write_record(recipe.out, record, indent=1)
    (recipe.out / STATE).unlink(missing_ok=True)
    (recipe.out / DRAFT).unlink(missing_ok=True)


def _open(out: Path) -> None:
    """Make the folder to write to. Raises `TrainingProblem` where it holds anything but a training."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        held = {each.name for each in out.iterdir()}
    except OSError as error:
        raise TrainingProblem(f"{out} can't be a folder to write to: {error.strerror}") from error
    if held and not held & {STATE, DRAFT, RECORD}:
        raise TrainingProblem(f"{out} holds something else: choose an empty folder")


def _identity(recipe: Recipe, sets: Sequence[EvidenceSet]) -> str:
    what = [recipe.base, recipe.epochs, recipe.room, recipe.rate, recipe.seed, recipe.fusion, *map(as_row, sets)]
    if recipe.steps:  # the rate falls with them
        what.append(recipe.steps)
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()


class _Training:
    """A network as it learns."""

    def __init__(self, recipe: Recipe, sets: Sequence[EvidenceSet]) -> None:
        if recipe.threads:
            torch.set_num_threads(recipe.threads)
        torch.manual_seed(recipe.seed)
        self._recipe, self._sets, self.step = recipe, sets, 0
        wanted = recipe.device
        self._device = ("cuda" if torch.cuda.is_available() else "cpu") if wanted == "auto" else wanted
        try:
            self.network, self.tokenizer = from_base(base_folder(recipe.base))
            self.network.to(self._device).train()
        except Exception as error:  # what isn't an encoder, or is a broken one, fails in many ways
            raise TrainingProblem(f"{recipe.base!r} can't be loaded: {' '.join(str(error).split())[:200]}") from error
        self._tokens = [self._encoded(one) for one in sets]
        self.batches = [batch for epoch in range(recipe.epochs) for batch in self._batches(epoch)]
        self.batches = self.batches[: recipe.steps or None]
        plain = [value for name, value in self.network.named_parameters() if value.ndim < 2 or "embedding" in name]
        known = {id(value) for value in plain}
        rest = [value for value in self.network.parameters() if id(value) not in known]
        groups = [{"params": rest, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
        self._optimiser = torch.optim.AdamW(groups, lr=recipe.rate)

    def _encoded(self, one: EvidenceSet) -> list[list[int]]:
        """The tokens of each passage behind the claim, as the verifier cuts them."""
        claims, passages = [one.claim] * len(one.passages), list(one.passages)
        try:
            ids = self.tokenizer(claims, passages, truncation="only_second", max_length=LONGEST)["input_ids"]
        except Exception as error:  # tokenizers raises nothing narrower
            raise TrainingProblem(f"the claim {one.claim[:60]!r} leaves no room for a passage: leave it out") from error
        return list(ids)

    def _batches(self, epoch: int) -> list[list[int]]:
        """Indexes of sets, so many that a batch fills its room; sets of like length together, batches in any order."""
        random = Random(f"{self._recipe.seed}/{epoch}")  # noqa: S311 - an order, not a secret
        order = list(range(len(self._sets)))
        random.shuffle(order)
        longest = [max(map(len, tokens)) for tokens in self._tokens]
        batches: list[list[int]] = []
        size = max(1, _CHUNK * self._recipe.room // (sum(longest) * 3 // max(1, len(longest)) or 1))
        for first in range(0, len(order), size):
            chunk = sorted(order[first : first + size], key=lambda index: longest[index])
            batch: list[int] = []
            for index in chunk:
                passages = sum(len(self._tokens[one]) for one in (*batch, index))
                if batch and passages * longest[index] > self._recipe.room:
                    batches.append(batch)
                    batch = []
                batch.append(index)
            batches.append(batch)
        random.shuffle(batches)
        return batches

    def learn(self) -> float:
        """One step; the loss before it."""
        sets = [self._sets[index] for index in self.batches[self.step]]
        tokens = [ids for index in self.batches[self.step] for ids in self._tokens[index]]
        for group in self._optimiser.param_groups:
            group["lr"] = self._recipe.rate * self._share()
        padded = self.tokenizer.pad({"input_ids": tokens}, return_tensors="pt")
        padded["token_type_ids"] = _segments(padded["input_ids"], self.tokenizer.sep_token_id)
        read = self.network({name: value.to(self._device) for name, value in padded.items()})
        loss = losses(self.network, read, sets, fusion=self._recipe.fusion)
        if not loss.isfinite():
            raise TrainingProblem(f"step {self.step + 1}: the loss is {float(loss.detach())}: choose a lower rate")
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), _STEEPEST)
        self._optimiser.step()
        self._optimiser.zero_grad(set_to_none=True)
        self.step += 1
        return float(loss.detach())

    def _share(self) -> float:
        """Of the rate: rising in a line at first, then falling in a line to 0."""
        done = (self.step + 1) / len(self.batches)
        return min(done / _WARM_UP, (1 - done) / (1 - _WARM_UP))

    def save(self, path: Path, identity: str) -> None:
        """Replace the checkpoint as a whole."""
        draft = path.with_name(DRAFT)
        state = {
            "identity": identity, "step": self.step, "network": self.network.state_dict(),
            "optimiser": self._optimiser.state_dict(), "random": torch.get_rng_state(),
        }  # fmt: skip
        torch.save(state, draft)
        draft.replace(path)

    def load(self, path: Path, identity: str) -> None:
        """Go on from a checkpoint, where there is one. Raises `TrainingProblem` where it is another training's."""
        if not path.exists():
            return
        try:
            state = torch.load(path, map_location="cpu", weights_only=True)
            if state["identity"] != identity:
                raise TrainingProblem(f"{path} is of another base, data or recipe: choose another folder, or remove it")
            self.step = int(state["step"])
            self.network.load_state_dict(state["network"])
            self._optimiser.load_state_dict(state["optimiser"])
            torch.set_rng_state(state["random"])
        except TrainingProblem:
            raise
        except Exception as error:
            raise TrainingProblem(f"{path} can't be read: remove it to begin anew") from error


def _segments(ids: torch.Tensor, separator: int) -> torch.Tensor:
    """0 for the claim with its separator, 1 for the passage: what the tokenizer's padding leaves out."""
    after = (ids == separator).cumsum(dim=1) - (ids == separator).long()
    return (after == 1).long()


def losses(network: Network, read: Read, sets: Sequence[EvidenceSet], *, fusion: bool = True) -> torch.Tensor:
    """Cross-entropy of the stances and of the verdict over the set, and of ρ a margin ranking within each set."""
    device = read.vectors.device
    stances = torch.tensor([_ORDER.index(stance) for one in sets for stance in one.stances], device=device)
    bears = (stances != _ORDER.index(Stance.NOT_ENOUGH_INFO)).float()
    loss = functional.cross_entropy(read.stances, stances)
    loss = loss + 0.2 * functional.mse_loss(read.relevance, 1.6 * bears - 0.8)
    sizes = [len(one.passages) for one in sets]
    which = torch.repeat_interleave(torch.arange(len(sets), device=device), torch.tensor(sizes, device=device))
    pairs = (which[:, None] == which[None, :]) & (bears[:, None] > bears[None, :])
    if pairs.any():
        gaps = read.relevance[:, None] - read.relevance[None, :]
        loss = loss + functional.relu(_MARGIN - gaps[pairs]).mean()
    if fusion:
        vectors, relevance, present = batched(read, sizes)
        verdicts = torch.tensor([_ORDER.index(one.verdict) for one in sets], device=device)
        loss = loss + functional.cross_entropy(network.fusion(vectors, relevance, present), verdicts)
    return loss
