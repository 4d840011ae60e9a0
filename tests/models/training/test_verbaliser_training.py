"""The verbaliser's training: the marks become words of the model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer, pre_tokenizers, trainers
from tokenizers.models import BPE
from transformers import (
    AutoModelForSeq2SeqLM,
    AutoTokenizer,
    PreTrainedTokenizerFast,
    T5Config,
    T5ForConditionalGeneration,
)

from models.training.verbaliser import Recipe, train
from models.verbalise.sequence import MARKS


@pytest.mark.parametrize("spare", [0, 64])
def test_each_mark_is_one_word_of_what_was_trained(tmp_path: Path, spare: int) -> None:
    """The base knows no mark; its embeddings have room for them, or none."""
    data = tmp_path / "train.jsonl"
    data.write_text(json.dumps({"triples": [["Ann", "born", "1901"]], "references": ["Ann was born in 1901."]}))
    words = Tokenizer(BPE(unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.BpeTrainer(vocab_size=120, special_tokens=["<pad>", "</s>", "<unk>"], show_progress=False)
    words.train_from_iterator(["Ann was born in 1901. <HRT>"], trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", additional_special_tokens=[]
    )
    base = tmp_path / "base"
    config = T5Config(
        vocab_size=len(tokenizer) + spare, d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2, pad_token_id=0,
        eos_token_id=1, decoder_start_token_id=0,
    )  # fmt: skip
    T5ForConditionalGeneration(config).save_pretrained(base)
    tokenizer.save_pretrained(base)
    assert all(len(tokenizer.tokenize(mark)) > 1 for mark in MARKS)
    out = tmp_path / "out"
    assert list(train(Recipe(str(base), (data,), out, epochs=1, device="cpu")))
    learned = AutoTokenizer.from_pretrained(out)
    assert all(learned.tokenize(mark) == [mark] for mark in MARKS)
    model = AutoModelForSeq2SeqLM.from_pretrained(out)
    assert model.get_input_embeddings().num_embeddings >= len(learned)
