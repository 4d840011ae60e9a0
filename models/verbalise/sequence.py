"""A sequence-to-sequence model that says statements: any checkpoint of transformers, T5 as in ProVe.

The input is that of ProVe (Amaral, Rodrigues, Simperl), whose T5-base was fine-tuned on WebNLG after Ribeiro and
others, *Investigating Pretrained Language Models for Graph-to-Text Generation*: "translate Graph to English: <H>
subject <R> property <T> object", with three beams. `models.training.verbaliser` fine-tunes one.

Imports torch: import this where a model is configured, and nowhere else.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any

import torch
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer, GenerationConfig
from transformers.utils import logging as transformers_logging

from models.verbalise.triple import Triple

HEAD, RELATION, TAIL = MARKS = ("<H>", "<R>", "<T>")
TASK = "translate Graph to English:"
BEAMS = 3
LONGEST_INPUT = 384  # tokens, as in the paper's code
_LONGEST_OUTPUT = 128  # tokens; a sentence of WebNLG has 25 on average
_BATCH = 32
_KEPT = 20_000
_PROBE = ("Ada Lovelace", "date of birth", "10 December 1815")  # written once, to see that the model can
_MARK, _UNDONE = re.compile(r"<([HRT])>"), r"\1"


class UnknownVerbaliser(ValueError):
    """A model that can't be loaded, or can't write. The message says what was asked for and what went wrong."""


def graph_input(triples: Iterable[tuple[str, str, str]]) -> str:
    """What the model reads: (subject, relation, value) triples with their marks. Marks inside of words are undone."""
    parts = [
        f"{mark} {_MARK.sub(_UNDONE, words)}" for triple in triples for mark, words in zip(MARKS, triple, strict=True)
    ]
    return " ".join((TASK, *parts))


class SequenceVerbaliser:
    """Says triples in batches of like length, each once while it is remembered. Use it from one thread."""

    def __init__(self, name: str, device: str = "auto", batch: int = _BATCH, kept: int = _KEPT) -> None:
        """`name` is a folder or a hub name; `device` auto, cpu or cuda; `kept` sentences are remembered.

        Raises `UnknownVerbaliser`.
        """
        self.name, self._batch, self._most = name, batch, kept
        self.device = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
        self._kept: OrderedDict[str, str] = OrderedDict()
        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(name)
            self._model = AutoModelForSeq2SeqLM.from_pretrained(name, dtype=torch.float32).to(self.device).eval()
            self._how = _how(self._model)
        except Exception as error:  # what isn't a model, or is a broken one, fails in many ways
            raise UnknownVerbaliser(
                f"judge.verbaliser: {name!r} is no folder or hub name of a sequence-to-sequence model that can be "
                f"loaded ({_said(error)})"
            ) from error
        try:
            self._write([graph_input([_PROBE])])
        except Exception as error:  # a model that doesn't fit its tokenizer, say, loads and then fails in many ways
            raise UnknownVerbaliser(
                f"judge.verbaliser: {name!r} can be loaded but writes no sentence ({_said(error)})"
            ) from error

    def __call__(self, triples: Sequence[Triple]) -> list[str]:
        """A sentence for each triple, in their order, as the model wrote it: check it before you believe it."""
        texts = [graph_input([(triple.subject, triple.relation, triple.value)]) for triple in triples]
        said = {text: self._kept[text] for text in texts if text in self._kept}
        new = sorted({text for text in texts if text not in said}, key=lambda text: (len(text), text))
        for first in range(0, len(new), self._batch):
            some = new[first : first + self._batch]
            said.update(zip(some, self._write(some), strict=True))
        for text in texts:
            self._kept[text] = said[text]
            self._kept.move_to_end(text)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return [said[text] for text in texts]

    @torch.inference_mode()
    def _write(self, texts: list[str]) -> list[str]:
        tokens = self._tokenizer(texts, padding=True, truncation=True, max_length=LONGEST_INPUT, return_tensors="pt")
        tokens = {name: tokens[name].to(self.device) for name in ("input_ids", "attention_mask")}
        written = self._model.generate(**tokens, generation_config=self._how)
        sentences: list[str] = self._tokenizer.batch_decode(written, skip_special_tokens=True)
        return sentences


def _how(model: Any) -> GenerationConfig:
    ids = ("decoder_start_token_id", "bos_token_id", "eos_token_id", "pad_token_id")
    return GenerationConfig(  # type: ignore[no-untyped-call]
        num_beams=BEAMS,
        early_stopping=True,
        max_new_tokens=_LONGEST_OUTPUT,
        **{key: getattr(model.generation_config, key) for key in ids},
    )


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
