"""The verifier's training: it learns, is stopped and goes on, and says in a line what it can't use; its export."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from models.evidence import Stance
from models.training.__main__ import training as group
from models.training.record import TrainingProblem
from models.training.sheets.sets import EvidenceSet
from models.training.sheets.write import as_row
from models.training.verifier import RECORD, STATE, Recipe, losses, read_sets, train
from models.verify.marked import Marked
from models.verify.network import HEADS, Network, Read, load
from models.verify.onnx_runtime import FUSION, READER, OnnxRuntime
from models.verify.torch_runtime import TorchRuntime
from models.verify.verifier import LONGEST

YES, NO, NOTHING = Stance.SUPPORTS, Stance.REFUTES, Stance.NOT_ENOUGH_INFO
Command = Callable[..., tuple[int, str, str]]


def made(number: int) -> EvidenceSet:
    """A set whose stances the marks give away."""
    random = Random(number)
    year, other = random.sample(range(1900, 1990), 2)
    told = {YES: f"@ Ann @ was born in # {year} # .", NO: f"@ Ann @ was born in $ {other} $ .", NOTHING: "A sunny day."}
    stances = random.sample(list(told), random.randint(1, 3))
    return EvidenceSet(
        f"Ann : date of birth : {year}", tuple(told[one] for one in stances), tuple(stances), "x", "P569"
    )


def write(path: Path, *sets: EvidenceSet) -> Path:
    path.write_text("".join(f"{as_row(one)}\n" for one in sets), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("data") / "sets.jsonl", *map(made, range(30)))


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Sums come out the same only if they are summed in one order."""
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.fixture
def recipe(data: Path, tiny_base: Path, tmp_path: Path) -> Recipe:
    """Twelve steps or so."""
    return Recipe(
        (data,), tmp_path / "out", str(tiny_base), epochs=3, room=512, rate=1e-3, every=4, threads=1, device="cpu"
    )


def steps(recipe: Recipe, until: int | None = None) -> list[float]:
    """The losses of a training; `until` leaves it after so many steps, as when it is killed."""
    return [progress.loss for progress in islice(train(recipe), until)]


def weights(folder: Path) -> tuple[bytes, bytes]:
    return (folder / "model.safetensors").read_bytes(), (folder / HEADS).read_bytes()


# Learning


def test_it_learns_and_what_it_learned_is_loaded(recipe: Recipe, data: Path) -> None:
    found = steps(replace(recipe, epochs=16, rate=5e-3, every=1000))
    assert np.mean(found[-5:]) < 0.5 * np.mean(found[:5])
    runtime = TorchRuntime(recipe.out, device="cpu", threads=1)
    sets = read_sets([data])
    known = [stance for one in sets for stance in one.stances]
    _, relevance, stances = runtime.read([Marked(one.claim, text) for one in sets for text in one.passages])
    right = [tuple(Stance)[row.argmax()] is stance for row, stance in zip(stances, known, strict=True)]
    assert np.mean(right) > 0.9
    bears = np.array([stance is not NOTHING for stance in known])
    assert relevance[bears].mean() > relevance[~bears].mean() + 0.5


def test_a_stopped_training_ends_with_the_same_weights(recipe: Recipe, tmp_path: Path) -> None:
    whole = steps(recipe)
    assert len(whole) >= 8
    broken = replace(recipe, out=tmp_path / "broken")
    assert steps(broken, until=6) == whole[:6]
    assert steps(broken, until=2) == whole[4:6]  # killed again, before the next checkpoint
    assert steps(broken) == whole[4:]
    assert weights(broken.out) == weights(recipe.out)
    records = [json.loads((one.out / RECORD).read_text()) for one in (recipe, broken)]
    assert records[0] == records[1]
    assert {path.name for path in broken.out.iterdir()} == {path.name for path in recipe.out.iterdir()}
    assert not list(broken.out.glob("training.pt*"))
    assert steps(broken) == []  # it is done, and isn't done twice


def test_a_source_or_property_left_out_isn_t_learned_from(recipe: Recipe, data: Path, tmp_path: Path) -> None:
    kept = [replace(one, claim=f"{one.claim} AD") for one in read_sets([data])]
    both = write(tmp_path / "both.jsonl", *kept, *(replace(made(n), property_id="P570") for n in range(9)))
    alone = replace(recipe, data=(write(tmp_path / "alone.jsonl", *kept),), out=tmp_path / "alone")
    without = replace(recipe, data=(both,), without=("P570",))
    assert steps(without, until=5) == steps(alone, until=5)
    with pytest.raises(TrainingProblem, match="no set to learn from"):
        steps(replace(recipe, without=("x",), out=tmp_path / "none"))  # "x" is the source of all


def test_killed_while_the_weights_are_written_it_goes_on(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = replace(recipe, every=1000)

    def killed(network: object, tokenizer: object, out: Path) -> None:
        (out / "config.json").write_text("{")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("models.training.verifier.save", killed)
        with pytest.raises(KeyboardInterrupt):
            steps(wanted)
    assert steps(wanted) == []
    load(wanted.out)


def test_steps_end_it_and_belong_to_the_recipe(recipe: Recipe) -> None:
    assert len(steps(replace(recipe, steps=5), until=4)) == 4
    with pytest.raises(TrainingProblem, match="another base, data or recipe"):
        steps(recipe)
    assert len(steps(replace(recipe, steps=5))) == 1
    assert json.loads((recipe.out / RECORD).read_text())["steps"] == 5
    with pytest.raises(TrainingProblem, match="another base, data or recipe"):
        steps(recipe)


def test_the_verdict_over_a_set_is_left_unlearned_where_it_is_to_be(recipe: Recipe) -> None:
    steps(replace(recipe, steps=3, fusion=False))
    without, _ = load(recipe.out)
    steps(replace(recipe, steps=3, out=recipe.out.with_name("with")))
    learned, _ = load(recipe.out.with_name("with"))
    assert torch.equal(without.fusion.verdict.bias, without.fusion.verdict.bias.new_tensor(fresh_bias(recipe)))
    assert not torch.equal(learned.fusion.verdict.bias, without.fusion.verdict.bias)


def fresh_bias(recipe: Recipe) -> list[float]:
    """What the verdict's bias is before anything is learned, in half precision."""
    from models.verify.network import from_base

    torch.manual_seed(recipe.seed)
    network, _ = from_base(recipe.base)
    bias: list[float] = network.fusion.verdict.bias.half().float().tolist()
    return bias


def test_a_passage_too_long_is_cut_and_an_empty_one_is_read(recipe: Recipe, tmp_path: Path) -> None:
    long = EvidenceSet("Ann : date of birth : 1901", ("word " * 3 * LONGEST, ""), (YES, NOTHING), "x", "P569")
    found = steps(replace(recipe, data=(write(tmp_path / "long.jsonl", long, long),)))
    assert np.isfinite(found).all()


def test_a_perfect_reading_has_a_smaller_loss_than_its_opposite(tiny_verifier: Path) -> None:
    network, _ = load(tiny_verifier)
    sets = [
        EvidenceSet("c", ("a", "b", "c"), (NOTHING, YES, NO), "x", "P1"),
        EvidenceSet("c", ("a",), (NO,), "x", "P1"),
    ]

    def loss(network: Network, relevance: list[float], stances: list[int]) -> float:
        logits = 8.0 * torch.nn.functional.one_hot(torch.tensor(stances), 3).float()
        read = Read(torch.zeros(4, 32), torch.tensor(relevance), logits)
        return float(losses(network, read, sets, fusion=False))

    right = loss(network, [-0.8, 0.8, 0.8, 0.8], [2, 0, 1, 1])
    assert right < 0.01
    assert loss(network, [-0.8, 0.8, 0.8, 0.8], [2, 1, 0, 1]) > right + 1
    assert loss(network, [0.8, -0.8, -0.8, 0.8], [2, 0, 1, 1]) > right + 2  # the margin and the distance
    # Only passages of one set are ranked against one another.
    assert loss(network, [-0.8, 0.8, 0.8, -0.8], [2, 0, 1, 1]) < right + 0.2


# What can't be used


@pytest.mark.parametrize("change", [{"seed": 1}, {"rate": 2e-3}, {"epochs": 4}, {"room": 600}, {"fusion": False}])
def test_a_finished_folder_of_another_recipe_is_left_alone(recipe: Recipe, change: dict[str, Any]) -> None:
    finished = replace(recipe, steps=2)
    steps(finished)
    before = weights(recipe.out)
    with pytest.raises(TrainingProblem, match="another base, data or recipe: choose another folder"):
        steps(replace(finished, **change))
    assert weights(recipe.out) == before


def test_a_checkpoint_of_other_data_is_left_alone(recipe: Recipe, tmp_path: Path) -> None:
    steps(recipe, until=5)
    other = write(tmp_path / "other.jsonl", made(77))
    with pytest.raises(TrainingProblem, match=f"{STATE} is of another base, data or recipe"):
        steps(replace(recipe, data=(other,)))


@pytest.mark.parametrize("content", ["", "garbage", "[]", "{}", "null", "[" * 100_000])
def test_a_broken_record_is_named(recipe: Recipe, content: str) -> None:
    recipe.out.mkdir()
    (recipe.out / RECORD).write_text(content)
    with pytest.raises(TrainingProblem, match=rf"{RECORD} isn't a training's record: .*remove it"):
        steps(recipe)


def test_a_broken_checkpoint_is_to_be_removed(recipe: Recipe) -> None:
    steps(recipe, until=5)
    path = recipe.out / STATE
    state = torch.load(path, weights_only=True)
    cut = path.read_bytes()[:1000]
    for other in ([1], {"identity": state["identity"]}, state | {"network": {}}, state | {"random": None}, cut):
        if isinstance(other, bytes):
            path.write_bytes(other)
        else:
            torch.save(other, path)
        with pytest.raises(TrainingProblem, match=rf"{STATE} can't be read: remove it to begin anew"):
            steps(recipe)
    path.unlink()
    assert steps(recipe)


def test_a_folder_with_something_else_is_left_alone(recipe: Recipe, tiny_base: Path, tmp_path: Path) -> None:
    base = tmp_path / "base"
    shutil.copytree(tiny_base, base)
    with pytest.raises(TrainingProblem, match="holds something else"):
        steps(replace(recipe, base=str(base), out=base))
    file = tmp_path / "file"
    file.touch()
    for out in (file, file / "under", tmp_path / ("long" * 100)):
        with pytest.raises(TrainingProblem, match="can't be a folder to write to"):
            steps(replace(recipe, out=out))


GOOD = as_row(made(1))


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ("", "no rows"),
        ("{}", "line 1: not an evidence set"),
        (f"{GOOD}\n[]", "line 2: not an evidence set"),
        (f"{GOOD}\nx", "line 2: not JSON"),
        ("[" * 100_000, "line 1: nested too deeply"),
        (json.dumps(json.loads(GOOD) | {"passages": []}), "line 1: not an evidence set"),
        (json.dumps(json.loads(GOOD) | {"stances": ["supports"] * 9}), "line 1: not an evidence set"),
        (json.dumps(json.loads(GOOD) | {"passages": ["a"], "stances": ["maybe"]}), "line 1: not an evidence set"),
        (json.dumps(json.loads(GOOD) | {"passages": "a", "stances": ["supports"]}), "line 1: not an evidence set"),
        (json.dumps(json.loads(GOOD) | {"claim": "\ud800"}), "line 1: not an evidence set"),
    ],
)
def test_rows_that_cant_be_learned_from_are_named(tmp_path: Path, row: str, complaint: str) -> None:
    path = tmp_path / "sets.jsonl"
    path.write_text(row)
    with pytest.raises(TrainingProblem, match=complaint):
        read_sets([path])


def test_a_claim_that_leaves_no_room_is_named(recipe: Recipe, tmp_path: Path) -> None:
    path = write(tmp_path / "long.jsonl", replace(made(1), claim="水" * LONGEST))
    with pytest.raises(TrainingProblem, match=r"the claim '水+' leaves no room for a passage"):
        steps(replace(recipe, data=(path,)))


def test_nothing_is_learned_from_no_data(recipe: Recipe) -> None:
    with pytest.raises(TrainingProblem, match="no set to learn from"):
        steps(replace(recipe, data=()))
    assert not recipe.out.exists()


def test_a_loss_that_is_no_number_ends_it(recipe: Recipe, tiny_base: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    base = tmp_path / "base"
    shutil.copytree(tiny_base, base)
    broken = {name: value.fill_(float("nan")) for name, value in load_file(base / "model.safetensors").items()}
    save_file(broken, base / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(TrainingProblem, match="step 1: the loss is nan"):
        steps(replace(recipe, base=str(base)))
    assert not (recipe.out / RECORD).exists()


@pytest.mark.parametrize("broken", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_base_that_cant_be_loaded_is_named(recipe: Recipe, tiny_base: Path, tmp_path: Path, broken: str) -> None:
    base = tmp_path / "base"
    shutil.copytree(tiny_base, base)
    (base / broken).write_text("garbage")
    with pytest.raises(TrainingProblem, match=r"base' can't be loaded") as caught:
        steps(replace(recipe, base=str(base)))
    assert "\n" not in str(caught.value)


# The command lines


def test_the_command_trains_and_then_exports(data: Path, tiny_base: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    given = ["verifier", "--data", str(data), "--base", str(tiny_base), "--out", str(out), "--steps", "3"]
    done = CliRunner().invoke(group, [*given, "--threads", "1", "--device", "cpu", "--room", "512"])
    assert done.exit_code == 0, done.output
    assert "step 3 of 3, loss" in done.stderr
    assert done.stdout == f"{out} is ready.\n"
    done = CliRunner().invoke(group, ["export", str(out)])
    assert done.exit_code == 0, done.output
    sizes = {line.split(": ")[0]: line.split(": ")[1] for line in done.stdout.splitlines()}
    assert sizes == {str(out / name): f"{(out / name).stat().st_size:,} bytes" for name in (READER, FUSION)}
    ours, theirs = TorchRuntime(out, device="cpu", threads=1), OnnxRuntime(out, threads=1)
    pairs = [Marked(one.claim, text) for one in map(made, range(3)) for text in one.passages]
    for one, other in zip(ours.read(pairs), theirs.read(pairs), strict=True):
        np.testing.assert_allclose(one, other, atol=2e-3)
    vectors, relevance, _ = ours.read(pairs)
    for count in (1, 2, 5):
        fused = ours.fuse(vectors[:count], relevance[:count]), theirs.fuse(vectors[:count], relevance[:count])
        np.testing.assert_allclose(*fused, atol=2e-3)


def test_bad_input_is_one_line(command: Command, data: Path, tiny_base: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.jsonl"
    torn.write_text(GOOD[:-9])
    empty = tmp_path / "empty"
    empty.mkdir()
    given = ("verifier", "--base", tiny_base, "--out", tmp_path / "out", "--device", "cpu")
    for arguments, complaint in (
        ((*given, "--data", torn), "torn.jsonl, line 1: not JSON"),
        ((*given, "--data", data, "--base", tmp_path / "nowhere"), "nowhere' can't be loaded"),
        ((*given, "--data", data, "--out", torn), "torn.jsonl can't be a folder to write to"),
        (("export", empty), "empty can't be exported"),
    ):
        code, _, said = command(*arguments)
        assert code == 2
        assert said.startswith("training: ")
        assert complaint in said
        assert said.count("\n") == 1


def test_export_says_what_is_to_be_installed(
    command: Command, tiny_verifier: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "models.training.export", raising=False)
    monkeypatch.setitem(sys.modules, "onnx", None)
    code, _, said = command("export", tiny_verifier)
    assert (code, said) == (2, "training: onnx isn't installed: install requirements-dev.txt\n")


def test_stopped_by_hand_it_says_how_to_go_on(
    command: Command, data: Path, tiny_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(recipe: Recipe) -> Iterator[None]:
        raise KeyboardInterrupt

    monkeypatch.setattr("models.training.__main__.train_verifier", stopped)
    code, _, said = command("verifier", "--data", data, "--base", tiny_base, "--out", tmp_path / "out")
    assert code == 130
    assert "goes on from the last checkpoint" in said
