"""`python -m bench judge`: how fast pairs are judged, in what memory, beside the two BERTs that ProVe would run."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, median

import click
import numpy as np

from bench.rows import DATA, load_pages, load_rows
from models.aggregate import classifier as classifiers
from models.judge import Case, Judge
from models.outcome import NotJudged
from models.read import Page, read
from models.verbalise import verbalise
from models.verify.onnx_runtime import READER, OnnxRuntime
from models.verify.verifier import SHIPPED, Runtime, Verifier

WTR = DATA / "wtr"
RUNTIMES = ("torch", "onnx")
AT_ONCE = 8  # pairs: as many as the bot judges at once
_ROOT = Path(__file__).resolve().parents[1]
_LENGTH = 512  # tokens that every passage is padded to where ProVe reads it
_SAID = 64  # of them that say something
_SAMPLED = 3  # pairs
_ROUNDS = 2  # the faster one counts: what else the machine does only ever slows
_FILE = click.Path(path_type=Path)


@click.command("judge")
@click.option("--first", default=100, show_default=True, type=click.IntRange(min=1), help="How many pairs to time.")
@click.option("--runtime", type=click.Choice(RUNTIMES), default="torch", show_default=True)
@click.option("--verifier", type=_FILE, default=SHIPPED, help="A verifier's folder, where not the shipped one.")
@click.option("--classifier", type=_FILE, default=classifiers.SHIPPED, help="A classifier's folder, likewise.")
@click.option("--pairs", type=_FILE, default=WTR / "pairs.jsonl", help="Labelled pairs.")
@click.option("--pages", type=_FILE, default=WTR / "pages.warc.gz", help="A WARC file of their pages.")
@click.option("--passages", default=20, show_default=True, type=click.IntRange(min=1),
              help="Passages of each sampled pair that the slow ways are timed on.")  # fmt: skip
def judge_command(
    first: int, runtime: str, verifier: Path, classifier: Path, pairs: Path, pages: Path, passages: int
) -> None:
    """Time the judge on this machine's CPU on pages already read, and print the figures as JSON."""
    cases = read_cases(pairs, pages)  # what is wrong with the files shows at once
    judge = open_judge(runtime, verifier, classifier)
    in_memory = {"peak_mb": _judging_mb(runtime, verifier, classifier, pairs, pages)}
    start_up = {name: _start_up(name, verifier, classifier) for name in RUNTIMES}
    timed = cases[:first]
    head = {"pairs": len(timed), "runtime": runtime, "cpus": os.cpu_count(), "judge": judge.version}
    speeds = _speeds(timed, judge, runtime, verifier, passages)
    click.echo(json.dumps(head | speeds | in_memory | {"start_up": start_up}))


def read_cases(pairs: Path, pages: Path) -> list[Case]:
    """The pairs whose page can be read, in order. Raises `MissingRows` or `ValueError`."""
    documents = load_pages([pages])
    known = {url: read(document) for url, document in documents.items()}
    cases = []
    for row in load_rows([pairs]):
        claim, page = verbalise(row.statement), known.get(row.url)
        if claim is not None and isinstance(page, Page) and page.passages:
            cases.append(Case(row.statement, claim, page))
    if not cases:
        raise ValueError(f"{pairs}: no pair has a page in {pages} that can be read")
    return cases


def open_judge(runtime: str, verifier: Path, classifier: Path) -> Judge:
    """A judge on this machine's CPU. Raises `BrokenVerifier` or `BrokenWeights`."""
    return Judge(Verifier(_open(runtime, verifier)), classifiers.load(classifier))


def _open(runtime: str, verifier: Path) -> Runtime:
    if runtime == "onnx":
        return OnnxRuntime(verifier)
    from models.verify.torch_runtime import TorchRuntime  # noqa: PLC0415 - who starts without torch is measured so

    return TorchRuntime(verifier, "cpu")


def judge_all(judge: Judge, cases: Sequence[Case]) -> int:
    """Judge pairs as the bot does, a few at once; gives how many got a verdict."""
    judged = 0
    for at in range(0, len(cases), AT_ONCE):
        judged += sum(not isinstance(one, NotJudged) for one in judge.judge_all(cases[at : at + AT_ONCE]))
    return judged


def _speeds(cases: Sequence[Case], judge: Judge, runtime: str, verifier: Path, most: int) -> dict[str, object]:
    judge.judge_all(cases[:1])  # what is loaded at first use isn't judging
    judged, spent = 0, float("inf")
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        judged = judge_all(judge, cases)
        spent = min(spent, time.perf_counter() - start)
    ours = len(cases) / spent
    counts = [passages_to_read(case.page) for case in cases]
    sample = sampled(counts, most)
    prove = _per_pair(2 * _seconds(_bert(), sample), counts)
    same = _per_pair(_seconds(_whole(runtime, verifier), sample), counts)
    return {
        "judged": judged,
        "pairs_per_s": round(ours, 3),
        "prove_pairs_per_s": round(1 / prove, 5),
        "ratio": round(ours * prove, 1),
        "same_model_pairs_per_s": round(1 / same, 5),
        "same_model_ratio": round(ours * same, 1),
        "passages_per_pair": {"mean": round(mean(counts), 1), "median": median(counts)},
        "extrapolated": f"prove and same_model from {sample} passages of {min(_SAMPLED, len(cases))} pairs, one at a "
        f"time and padded to {_LENGTH} tokens, to all passages of all pairs but boilerplate; ProVe's models are two of "
        "BERT-base's shape with random weights",
    }


def passages_to_read(page: Page) -> int:
    """How many passages a page has without boilerplate: windows of one and two sentences, and rows of tables."""
    return sum(not passage.boilerplate for passage in page.passages)


def sampled(counts: Sequence[int], most: int) -> int:
    """How many passages to time: `most` at most of each of three pairs, a small, a middling and a large one."""
    ordered = sorted(counts)
    chosen = {len(ordered) * part // (2 * _SAMPLED) for part in range(1, 2 * _SAMPLED, 2)}
    return max(1, sum(min(most, ordered[at]) for at in chosen))


def _per_pair(per_passage: float, counts: Sequence[int]) -> float:
    return per_passage * max(mean(counts), 1 / len(counts))


def _seconds(read_one: Callable[[], object], passages: int) -> float:
    """Seconds for one passage: the median, since each is as long as the others and only other work slows some."""
    read_one()
    spent = []
    for _ in range(passages):
        start = time.perf_counter()
        read_one()
        spent.append(time.perf_counter() - start)
    return median(spent)


def _tokens() -> dict[str, np.ndarray]:
    """A passage padded to full length: what its words are makes no difference to the time."""
    present = (np.arange(_LENGTH) < _SAID).astype(np.int64)[None]
    ids = np.random.default_rng(0).integers(1000, 2000, (1, _LENGTH))
    return {"input_ids": ids * present, "attention_mask": present, "token_type_ids": np.zeros_like(present)}


def _bert() -> Callable[[], object]:
    import torch  # noqa: PLC0415 - only who times it needs it
    from transformers import BertConfig, BertModel  # noqa: PLC0415 - as above

    model = BertModel(BertConfig()).eval()  # type: ignore[no-untyped-call]
    tokens = {name: torch.from_numpy(value) for name, value in _tokens().items()}

    def once() -> object:
        with torch.inference_mode():
            return model(**tokens)

    return once


def _whole(runtime: str, verifier: Path) -> Callable[[], object]:
    """The verifier's own network on a passage as ProVe would hand it over."""
    given = _tokens()
    if runtime == "onnx":
        import onnxruntime  # noqa: PLC0415 - only who times it needs it

        session = onnxruntime.InferenceSession(str(verifier / READER), providers=["CPUExecutionProvider"])
        return lambda: session.run(None, given)
    import torch  # noqa: PLC0415 - as above

    from models.verify.network import load  # noqa: PLC0415 - as above

    network, _ = load(verifier)
    tokens = {name: torch.from_numpy(value) for name, value in given.items()}

    def once() -> object:
        with torch.inference_mode():
            return network(tokens)

    return once


def _judging_mb(runtime: str, verifier: Path, classifier: Path, pairs: Path, pages: Path) -> dict[str, int]:
    """Most memory that a process of its own held: once it could judge and the pages were read, and after judging."""
    said, _ = _child("print_peaks", runtime, verifier, classifier, pairs, pages)
    ready, judging = map(int, said.split())
    return {"ready": ready, "judging": judging}


def print_peaks(runtime: str, verifier: str, classifier: str, pairs: str, pages: str) -> None:
    """In a process of its own: judge every pair of a file, and print the peaks before and after."""
    judge, cases = open_judge(runtime, Path(verifier), Path(classifier)), read_cases(Path(pairs), Path(pages))
    print(peak_mb())
    judge_all(judge, cases)
    print(peak_mb())


def _start_up(runtime: str, verifier: Path, classifier: Path) -> dict[str, float] | None:
    """From a command to a judge that is ready, in seconds, and its memory; None where it can't run this verifier."""
    if runtime == "onnx" and not (verifier / READER).exists():
        return None
    said, seconds = _child("print_start", runtime, verifier, classifier)
    return {"start_up_s": round(seconds, 2), "peak_mb": int(said)}


def print_start(runtime: str, verifier: str, classifier: str) -> None:
    """In a process of its own: open a judge, and print the peak."""
    open_judge(runtime, Path(verifier), Path(classifier))
    print(peak_mb())


def _child(function: str, *arguments: object) -> tuple[str, float]:
    """What a function of this module prints in a fresh process, and how many seconds that took."""
    code = f"import sys; from bench.judge import {function}; {function}(*sys.argv[1:])"
    given = [str(one.resolve()) if isinstance(one, Path) else str(one) for one in arguments]
    start = time.perf_counter()
    said = subprocess.run(  # noqa: S603 - the command is ours
        [sys.executable, "-c", code, *given], check=True, stdout=subprocess.PIPE, text=True, cwd=_ROOT
    )
    return said.stdout, time.perf_counter() - start


def peak_mb() -> int:
    """Most memory that this process has held.

    Linux counts in `ru_maxrss` what the process that started this one held, so its own record is read where it is.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return round(int(line.split()[1]) / 1024)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
