"""The verifier at work, by torch and by onnxruntime."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.verify.loaded import load_verifier
from models.verify.marked import Marked
from models.verify.verifier import SHIPPED, BrokenVerifier, Opinion, Verifier

BORN = "Ann Lee : date of birth : 12 May 1901"
SAYS = Marked(BORN, "Lives | @ Ann Lee @ was born on # 12 May 1901 # in Leeds.")
DIED = Marked(BORN, "Lives | @ Ann Lee @ died on # 12 May 1901 # in Leeds.")
HERS = Marked(BORN, "Lives | @ Ann Lee @ had a sister, Jane, who was born on # 12 May 1901 # in York.")
OTHER = Marked(BORN, "Lives | @ Ann Lee @ was born on $ 13 June 1899 $ in Leeds.")
NOTHING = Marked(BORN, "Lives | The weather was fine.")
ALL = (SAYS, DIED, HERS, OTHER, NOTHING)


@pytest.fixture(scope="module")
def verifier() -> Verifier:
    return load_verifier(device="cpu", threads=1)


@pytest.fixture(scope="module")
def light() -> Verifier:
    return load_verifier(runtime="onnx", threads=1)


def test_a_passage_that_says_it_supports_more_than_any_that_only_names_it(verifier: Verifier) -> None:
    says, *others = verifier.opinions(ALL)
    assert says.supports > 0.5
    assert all(one.supports < says.supports for one in others)
    assert says.relevance > max(one.relevance for one in others[:2])


def test_another_date_in_its_place_refutes(verifier: Verifier) -> None:
    found = verifier.opinions([OTHER])[0]
    assert found.refutes > max(found.supports, found.not_enough_info)


def test_opinions_come_in_the_order_asked_and_the_same_pair_is_read_once(verifier: Verifier) -> None:
    backwards = verifier.opinions((*reversed(ALL), SAYS))
    forwards = verifier.opinions(ALL)
    for one, other in zip(reversed(backwards[:-1]), forwards, strict=True):
        assert one.stances == pytest.approx(other.stances, abs=1e-5)
    assert backwards[-1] is backwards[-2]


def test_stances_sum_to_one_and_relevance_is_in_its_range(verifier: Verifier) -> None:
    for one in verifier.opinions(ALL):
        assert sum(one.stances) == pytest.approx(1.0, abs=1e-5)
        assert -1 <= one.relevance <= 1


def test_what_passages_say_together_follows_the_one_that_says_it(verifier: Verifier) -> None:
    opinions = verifier.opinions(ALL)
    assert verifier.together(opinions)[0] > verifier.together(opinions[1:])[0]
    assert verifier.together([]) == (0.0, 0.0, 1.0)


def test_both_runtimes_agree(verifier: Verifier, light: Verifier) -> None:
    ours, theirs = verifier.opinions(ALL), light.opinions(ALL)
    for one, other in zip(ours, theirs, strict=True):
        assert one.stances == pytest.approx(other.stances, abs=1e-3)
        assert one.relevance == pytest.approx(other.relevance, abs=1e-3)
    for some in (1, 2, 5):
        assert verifier.together(ours[:some]) == pytest.approx(light.together(theirs[:some]), abs=1e-3)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.text(max_size=60), st.text(max_size=1_500)), min_size=1, max_size=4))
def test_any_text_can_be_read_and_both_runtimes_agree(pairs: list[tuple[str, str]]) -> None:
    asked = [Marked(*pair) for pair in pairs]
    for one, other in zip(_torch().opinions(asked), _onnx().opinions(asked), strict=True):
        assert one.stances == pytest.approx(other.stances, abs=1e-3)


_loaded: dict[str, Verifier] = {}


def _torch() -> Verifier:
    return _loaded.setdefault("torch", load_verifier(device="cpu", threads=1))


def _onnx() -> Verifier:
    return _loaded.setdefault("onnx", load_verifier(runtime="onnx", threads=1))


@pytest.mark.parametrize("runtime", ["torch", "onnx"])
def test_a_folder_without_a_verifier_is_named(tmp_path: Path, runtime: str) -> None:
    with pytest.raises(BrokenVerifier, match=str(tmp_path)):
        load_verifier(str(tmp_path), runtime)  # type: ignore[arg-type]


def test_a_broken_file_is_an_error_that_names_the_folder(tmp_path: Path) -> None:
    for file in SHIPPED.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes()[: 1_000 if "heads" in file.name else None])
    with pytest.raises(BrokenVerifier, match=str(tmp_path)):
        load_verifier(str(tmp_path))


def test_an_opinion_keeps_its_vector_for_the_fusion(verifier: Verifier) -> None:
    found = verifier.opinions([SAYS])[0]
    assert isinstance(found, Opinion)
    assert found.vector.dtype == np.float32
    assert found.vector.ndim == 1


_WITHOUT_TORCH = """
import sys
sys.modules["torch"] = sys.modules["transformers"] = None  # as if they weren't installed
import bot.run
from models.verify.loaded import load_verifier
from models.verify.marked import Marked
verifier = load_verifier(runtime="onnx", threads=1)
print(len(verifier.opinions([Marked("Ann Lee : date of birth : 1901", "@ Ann Lee @ # 1901 #")])))
"""


def test_a_host_without_torch_can_judge_by_onnxruntime() -> None:
    done = subprocess.run([sys.executable, "-c", _WITHOUT_TORCH], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "1"), done.stderr


def test_both_runtimes_have_one_version_so_that_nothing_is_judged_again(verifier: Verifier, light: Verifier) -> None:
    assert verifier.version == light.version


def test_a_claim_of_any_length_can_be_read(verifier: Verifier, light: Verifier) -> None:
    long = Marked("漢字" * 200 + " : date of birth : 1901", "@ 漢字 @ was born in # 1901 #.")
    ours, theirs = verifier.opinions([long])[0], light.opinions([long])[0]
    assert ours.stances == pytest.approx(theirs.stances, abs=1e-3)
