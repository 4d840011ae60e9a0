"""A model that says statements: believed where it keeps to the facts, trained, killed, and gone on with."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, pre_tokenizers, processors, trainers
from tokenizers.models import BPE
from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

from models.statement import EntityValue, Qualifier, QuantityValue, Statement, Term, TextValue, TimeValue, Value
from models.training.__main__ import training as command
from models.training.record import RECORD, TrainingProblem
from models.training.verbaliser import SHIPPED, STATE, Recipe, read_examples, train
from models.verbalise import Override, verbalise, verbalise_all
from models.verbalise.faithful import faithful
from models.verbalise.sequence import SequenceVerbaliser, UnknownVerbaliser, graph_input
from models.verbalise.triple import Triple

ADA = Term("Q7259", "Ada Lovelace")
BORN = Term("P569", "date of birth", ("born on",))
DAY = TimeValue(1815, 12, 10, 11)


def statement(value: Value = DAY, prop: Term = BORN, item: Term = ADA, *qualifiers: Qualifier) -> Statement:
    return Statement("Q7259$1", item, prop, "", value, qualifiers=qualifiers)


def saying(*sentences: str) -> Callable[[Sequence[Triple]], list[str]]:
    """A model that says these sentences, whatever it is asked."""
    return lambda triples: list(sentences[: len(triples)])


OURS = verbalise(statement())


# What is believed


@pytest.mark.parametrize(
    "sentence",
    [
        "Ada Lovelace was born on 10 December 1815.",
        "Ada Lovelace's birthday is December 10th, 1815.",
        "The 10th of December 1815 is the date on which Ada Lovelace came into the world",
        "ADA LOVELACE was born\n on the 10 december, 1815 .",
    ],
)
def test_a_faithful_sentence_is_the_claim_on_one_line(sentence: str) -> None:
    claim = verbalise(statement(), model=saying(sentence))
    assert claim is not None
    assert claim.wording == "model"
    assert claim.text.split() == (sentence if sentence.endswith(".") else sentence + ".").split()
    assert "\n" not in claim.text


@pytest.mark.parametrize(
    "sentence",
    [
        "Ada Lovelace was born on 10 December 1816.",
        "Ada Lovelace was born on 11 December 1815.",
        "Ada Lovelace was born on 10 November 1815.",
        "Ada Lovelace was born in December 1815.",
        "Ada Lovelace was born in 1815.",
        "Ada Lovelace was born on 10 December 1815 BC.",
        "Ada Lovelace was born on 10 December 1815 and died in 1852.",
        "Ada Lovelace was not born on 10 December 1815.",
        "Ada Lovelace was born about 10 December 1815.",
        "Ada Byron was born on 10 December 1815.",
        "She was born on 10 December 1815.",
        "Ada Lovelace 10 December 1815",
        "Ada Lovelace was born on 10 December 1815. She was a poet.",
        "Ada Lovelace was born on 10 December 1815 in a house with " + "very " * 30 + "old walls.",
        "Ada Lovelace <R> born on 10 December 1815.",
        "Ada Lovelace was born on 10 December 1815 % %.",
        "",
        " \u200b\x00 ",
        "Ada Lovelace " * 5000,
    ],
)
def test_a_sentence_that_changes_or_adds_a_fact_gives_way_to_ours(sentence: str) -> None:
    assert verbalise(statement(), model=saying(sentence)) == OURS


HEIGHT, YEAR = Term("P2044", "elevation above sea level"), TimeValue(1966, None, None, 9)
METRES = QuantityValue(Decimal("8848"), None, None, Term("Q11573", "metre"))


@pytest.mark.parametrize(
    ("value", "sentence", "believed"),
    [
        (METRES, "Ada Lovelace is 8,848 metres high.", True),
        (METRES, "Ada Lovelace is 8848.0 metres high.", True),
        (METRES, "Ada Lovelace is 8848 feet high.", False),
        (METRES, "Ada Lovelace is 8,848 million metres high.", False),
        (METRES, "Ada Lovelace is 88,48 metres high.", False),
        (QuantityValue(Decimal(-5)), "Ada Lovelace has -5.", True),
        (QuantityValue(Decimal(-5)), "Ada Lovelace has 5.", False),
        (QuantityValue(Decimal(5)), "Ada Lovelace has -5.", False),
        (QuantityValue(Decimal(12), None, None, Term("Q11229", "%")), "Ada Lovelace has 12%.", True),
        (QuantityValue(Decimal(12), None, None, Term("Q11229", "%")), "Ada Lovelace has 12.", False),
        (QuantityValue(Decimal(12)), "Ada Lovelace has 12%.", False),
        (YEAR, "Ada Lovelace opened in 1966.", True),
        (YEAR, "Ada Lovelace opened in May 1966.", False),
        (YEAR, "Ada Lovelace may have opened in 1966.", True),
        (replace(YEAR, year=-44), "Ada Lovelace began in 44 BCE.", True),
        (replace(YEAR, year=-44), "Ada Lovelace began in 44.", False),
        (TimeValue(1801, None, None, 7), "Ada Lovelace is of the 19th century.", True),
        (TimeValue(1801, None, None, 7), "Ada Lovelace is of the 18th century.", False),
        (EntityValue(Term("Q1", "C++")), "Ada Lovelace is written in C++.", True),
        (EntityValue(Term("Q1", "C++")), "Ada Lovelace is written in C.", False),
        (EntityValue(Term("Q1", "Łódź")), "Ada Lovelace lives in Łódź.", True),
        (EntityValue(Term("Q1", "Łódź")), "Ada Lovelace lives in  ⁇ ód ⁇ .", False),
        (EntityValue(Term("Q1", "Ada")), "Ada Lovelace was a woman.", False),
        (EntityValue(Term("Q1", "Ada")), "Ada Lovelace wrote Ada.", True),
        (EntityValue(Term("Q1", "G. V. Raja")), "Ada Lovelace met G V Raja.", True),
        (EntityValue(Term("Q1", "Web 2.0")), "Ada Lovelace met Web 20.", False),
        (EntityValue(Term("Q1", "Web 2.0")), "Ada Lovelace met Web 2.", False),
        (TextValue("978-3-16-148410-0"), "Ada Lovelace has the ISBN 978-3-16-148410-0.", True),
        (TextValue("978-3-16-148410-0"), "Ada Lovelace has the ISBN 978 3 16 148410 0.", False),
    ],
)
def test_values_are_compared_as_what_they_are(value: Value, sentence: str, believed: bool) -> None:
    claim = verbalise(statement(value, HEIGHT), model=saying(sentence))
    assert claim is not None
    assert (claim.wording == "model") is believed


def test_subject_and_value_stand_apart() -> None:
    titled = statement(TimeValue(1984, None, None, 9), Term("P577", "publication date"), Term("Q1", "1984"))
    for sentence, believed in (("1984 was published.", False), ("1984 was published in 1984.", True)):
        claim = verbalise(titled, model=saying(sentence))
        assert claim is not None
        assert (claim.wording == "model") is believed


@given(st.text() | st.text("Ada Lovelace was born 1815 10 December.<>-", max_size=200))
def test_whatever_a_model_writes_there_is_a_claim_of_one_line_with_the_facts(written: str) -> None:
    claim = verbalise(statement(), model=saying(written))
    assert claim is not None
    assert claim == OURS or ("1815" in claim.text and "lovelace" in claim.text.lower())
    assert len(claim.text.splitlines()) == 1


@pytest.mark.parametrize("part", ["a ", "1,", "-1", "10 December 1815 ", "Ada Lovelace ", "\u0301", "1" * 50])
def test_checking_takes_no_time_on_any_text(part: str) -> None:
    long = part * (300 // len(part))
    triple = Triple(long, long, long, "time")
    assert isinstance(faithful(long * 4, triple), bool)
    assert not faithful(part * 100_000, triple)


# Which words a model is asked for


def test_a_model_is_asked_once_for_all_and_not_where_an_editor_wrote_the_sentence() -> None:
    asked: list[Triple] = []

    def model(triples: Sequence[Triple]) -> list[str]:
        asked.extend(triples)
        return ["Nonsense."] * len(triples)

    pattern = Override("pattern", "{subject} came on {object}.")
    nameless = statement(EntityValue(Term("Q1", None)))
    label = Override("label", "born on")
    claims = verbalise_all([(statement(), None), (statement(), pattern), (nameless, None), (statement(), label)], model)
    assert asked == [
        Triple("Ada Lovelace", "date of birth", "10 December 1815", "time"),
        Triple("Ada Lovelace", "born on", "10 December 1815", "time"),
    ]
    assert claims == [OURS, verbalise(statement(), pattern), None, verbalise(statement(), label)]


def test_qualifiers_are_said_as_they_are_without_a_model() -> None:
    member = Term("P463", "member of")
    since = Qualifier(Term("P580", "start time"), YEAR)
    claim = verbalise(
        statement(EntityValue(Term("Q1", "Club")), member, ADA, since), model=saying("Ada Lovelace is in Club.")
    )
    assert claim is not None
    assert (claim.text, claim.wording) == ("Ada Lovelace is in Club from 1966.", "model")


# A tiny T5, made here


ROWS = [
    {"triples": [[subject, relation, value]], "references": [sentence.format(subject, value)]}
    for subject, relation, value, sentence in (
        ("Ada Lovelace", "place of birth", "London", "{} was born in {}."),
        ("Alan Turing", "place of birth", "Paris", "{} was born in {}."),
        ("Ada Lovelace", "employer", "Analytical Engine", "{} works for {}."),
        ("Alan Turing", "employer", "London", "{} works for {}."),
        ("Kurt Gödel", "place of birth", "Brno", "{} was born in {}."),
        ("Kurt Gödel", "employer", "Paris", "{} works for {}."),
    )
]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A T5 of one layer with weights by chance and a tokenizer of some hundred pieces, as a folder."""
    folder = tmp_path_factory.mktemp("tiny")
    tokenizer = Tokenizer(BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    texts = [text for row in ROWS for text in (graph_input(row["triples"]), *row["references"])]  # type: ignore[arg-type]
    special = ["<pad>", "</s>", "<unk>"]
    tokenizer.train_from_iterator(texts * 20, trainers.BpeTrainer(vocab_size=200, special_tokens=special))
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
    wrapped.save_pretrained(folder)
    torch.manual_seed(1)
    config = T5Config(
        vocab_size=len(wrapped),
        d_model=32,
        d_kv=16,
        d_ff=64,
        num_layers=1,
        num_heads=2,
        decoder_start_token_id=0,
        dropout_rate=0.05,
    )
    T5ForConditionalGeneration(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("rows") / "train.jsonl.gz"
    file.write_bytes(gzip.compress("\n".join(json.dumps(row) for row in ROWS).encode()))
    return file


@pytest.fixture(scope="session")
def trained(tiny: Path, data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[float]]:
    """The tiny model after it has learned the rows by heart, and its losses."""
    out = tmp_path_factory.mktemp("trained") / "model"
    recipe = Recipe(str(tiny), (data,), out, epochs=150, batch=6, rate=1e-2, every=1000, device="cpu")
    return out, [progress.loss for progress in train(recipe)]


def place(name: str, prop: str, value: str) -> Statement:
    return statement(EntityValue(Term("Q1", value)), Term("P1", prop), Term("Q2", name))


def test_training_lowers_the_loss_and_the_folder_says_statements(trained: tuple[Path, list[float]]) -> None:
    folder, losses = trained
    assert losses[-1] < losses[0] / 10
    model = SequenceVerbaliser(str(folder))
    claim = verbalise(place("Alan Turing", "place of birth", "Paris"), model=model)
    assert claim is not None
    assert (claim.text, claim.wording) == ("Alan Turing was born in Paris.", "model")
    assert "CC BY-NC-SA" in (folder / "README.md").read_text()
    assert not (folder / STATE).exists()


def test_an_untrained_model_is_not_believed(tiny: Path) -> None:
    assert verbalise(statement(), model=SequenceVerbaliser(str(tiny))) == OURS


def test_many_at_once_are_said_as_one_by_one(trained: tuple[Path, list[float]]) -> None:
    triples = [Triple(*row["triples"][0]) for row in ROWS] + [Triple("a " * 200, "b", "c")]  # type: ignore[misc]
    together = SequenceVerbaliser(str(trained[0]), batch=3)(triples)
    alone = SequenceVerbaliser(str(trained[0]))
    assert together == [alone([triple])[0] for triple in triples]
    assert together[:2] == ["Ada Lovelace was born in London.", "Alan Turing was born in Paris."]
    assert alone([]) == []


def test_what_was_said_is_remembered_up_to_a_number(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = SequenceVerbaliser(str(tiny), kept=2)
    written: list[list[str]] = []
    monkeypatch.setattr(model, "_write", lambda texts: [written.append(texts) or "x"] * len(texts))
    one, two, three = (Triple(name, "r", "v") for name in "abc")
    for triples in ([one, one, two], [two, one], [three], [one], [two]):
        assert model(triples) == ["x"] * len(triples)
    assert [len(texts) for texts in written] == [2, 1, 1]  # `two` was the longest unused when `three` came
    assert model([one, two, three]) == ["x"] * 3


def test_a_model_that_loads_but_cant_write_is_named(tiny: Path, tmp_path: Path) -> None:
    for file in tiny.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    T5ForConditionalGeneration(T5Config.from_pretrained(tiny, vocab_size=20)).save_pretrained(tmp_path)
    with pytest.raises(UnknownVerbaliser, match=r"judge\.verbaliser: .*writes no sentence \(IndexError"):
        SequenceVerbaliser(str(tmp_path))


def test_marks_in_a_label_are_no_marks() -> None:
    said = graph_input([("A <T> B", "<R>", "C<H>")])
    assert said == "translate Graph to English: <H> A T B <R> R <T> CH"


@pytest.mark.parametrize("broken", ["nothing", "empty", "weights", "encoder"])
def test_what_cant_be_loaded_is_named(tiny: Path, tmp_path: Path, broken: str) -> None:
    name = str(tmp_path / "model")
    if broken == "empty":
        Path(name).mkdir()
    elif broken != "nothing":
        Path(name).mkdir()
        for file in tiny.iterdir():
            (Path(name) / file.name).write_bytes(file.read_bytes())
        if broken == "weights":
            (Path(name) / "model.safetensors").write_bytes(b"no weights")
        else:
            (Path(name) / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(UnknownVerbaliser, match=r"judge\.verbaliser: .*model"):
        SequenceVerbaliser(name)


# Training, killed and gone on with


def steps(recipe: Recipe, until: int | None = None) -> list[float]:
    losses = []
    for progress in train(recipe):
        losses.append(progress.loss)
        if progress.step == until:
            break  # as when killed: nothing after this step is written
    return losses


def weights(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()


def test_a_killed_training_goes_on_to_the_same_weights(tiny: Path, data: Path, tmp_path: Path) -> None:
    recipe = Recipe(
        str(tiny), (data,), tmp_path / "whole", (data,), epochs=5, batch=4, rate=1e-3, every=3, device="cpu"
    )
    whole = steps(recipe)
    broken = replace(recipe, out=tmp_path / "broken")
    first = steps(broken, until=5)
    second = steps(broken, until=5)  # killed again, before the next checkpoint
    third = steps(broken)
    assert first == whole[:5]
    assert second == whole[3:5]
    assert third == whole[3:]
    assert weights(tmp_path / "broken") == weights(tmp_path / "whole")
    records = [json.loads((tmp_path / name / RECORD).read_text()) for name in ("whole", "broken")]
    assert records[0] == records[1]
    assert steps(broken) == []  # it is done, and isn't done twice


def test_training_ends_when_validation_gets_no_better(tiny: Path, data: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({"triples": [["x", "y", "z"]], "references": ["Zzz qqq."]}))
    recipe = Recipe(str(tiny), (data,), tmp_path / "out", (other,), 200, 6, 3e-2, every=99, patience=2, device="cpu")
    assert len(steps(recipe)) < 100
    SequenceVerbaliser(str(tmp_path / "out"))


def test_a_folder_of_another_training_is_left_alone(tiny: Path, data: Path, tmp_path: Path) -> None:
    recipe = Recipe(str(tiny), (data,), tmp_path / "out", epochs=1, device="cpu")
    steps(recipe, until=1)
    with pytest.raises(TrainingProblem, match="another base, data or recipe"):
        steps(replace(recipe, seed=1))
    steps(recipe)
    with pytest.raises(TrainingProblem, match="another base, data or recipe"):
        steps(replace(recipe, rate=1.0))
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "mine.txt").write_text("dear")
    for out, complaint in (
        (tmp_path / "letters", "something else"),
        (data, "isn't a folder"),
        (SHIPPED / "verbaliser", "what ships"),
        (SHIPPED / "x" / ".." / "y", "what ships"),
    ):
        with pytest.raises(TrainingProblem, match=complaint):
            steps(replace(recipe, out=out))
    assert not (SHIPPED / "verbaliser").exists()


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("train.jsonl", "", "no row"),
        ("train.jsonl", "{}", "line 1: not a row"),
        ("train.jsonl", '\n{"triples": [["a", "b"]], "references": ["x"]}', "line 2: not a row"),
        ("train.jsonl", "[" * 100_000, "line 1: nested too deeply"),
        ("train.jsonl", '{"triples": [["a", "b", "c"]], "references": "a b"}', "line 1: not a row"),
        ("train.jsonl", '{"triples": ["abc"], "references": ["x"]}', "line 1: not a row"),
        ("train.jsonl", '{"triples": [], "references": ["x"]}', "line 1: not a row"),
        ("train.jsonl", '{"triples": [["a", "b", "c"]], "references": ["x\\ud800"]}', "line 1: not a row"),
        ("train.jsonl", '{"triples": [["a\\ud800", "b", "c"]], "references": ["x"]}', "line 1: not a row"),
        ("train.jsonl.gz", "{}", "can't be read"),
        ("test_seen.jsonl", '{"triples": [["a", "b", "c"]], "references": ["x"]}', "is test data"),
    ],
)
def test_rows_that_cant_be_learned_from_are_named(tmp_path: Path, name: str, content: str, complaint: str) -> None:
    file = tmp_path / name
    file.write_text(content)
    with pytest.raises(TrainingProblem, match=complaint):
        read_examples([file])


def test_a_line_separator_in_a_row_ends_no_row(tmp_path: Path) -> None:
    file = tmp_path / "train.jsonl"
    file.write_text('{"triples": [["a", "b", "c"]], "references": ["x\u2028y"]}\n', encoding="utf-8")
    assert [written for _, written in read_examples([file])] == ["x\u2028y"]


@pytest.mark.parametrize("rate", [float("nan"), float("inf"), 0.0, 1e200])
def test_a_rate_that_nothing_is_learned_at_is_said(tiny: Path, data: Path, tmp_path: Path, rate: float) -> None:
    recipe = Recipe(str(tiny), (data,), tmp_path / "out", epochs=2, rate=rate, device="cpu")
    with pytest.raises(TrainingProblem, match=r"rate"):
        steps(recipe)
    assert not (tmp_path / "out" / RECORD).exists()


def test_training_stops_where_the_loss_is_no_number(tiny: Path, data: Path, tmp_path: Path) -> None:
    for file in tiny.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    model = T5ForConditionalGeneration.from_pretrained(tiny)
    model.shared.weight.data.fill_(float("nan"))
    model.save_pretrained(tmp_path)
    with pytest.raises(TrainingProblem, match=r"step 1: the loss is nan"):
        steps(Recipe(str(tmp_path), (data,), tmp_path / "out", epochs=1, device="cpu"))


@pytest.mark.parametrize("content", ["", "garbage", "[]", "{}", "[" * 100_000])
def test_a_record_of_garbage_is_named(tiny: Path, data: Path, tmp_path: Path, content: str) -> None:
    (tmp_path / RECORD).write_text(content)
    with pytest.raises(TrainingProblem, match=RECORD):
        steps(Recipe(str(tiny), (data,), tmp_path, epochs=1, device="cpu"))


def test_a_state_of_another_shape_is_named(tiny: Path, data: Path, tmp_path: Path) -> None:
    recipe = Recipe(str(tiny), (data,), tmp_path / "out", epochs=1, device="cpu")
    steps(recipe, until=1)
    path = tmp_path / "out" / STATE
    state = torch.load(path, weights_only=True)
    for other in ([1], {"identity": state["identity"]}, state | {"model": {}}, state | {"random": None}):
        torch.save(other, path)
        with pytest.raises(TrainingProblem, match=STATE):
            steps(recipe)


def test_an_out_that_cant_be_made_is_named(tiny: Path, data: Path) -> None:
    for out in (data / "under" / "a-file", data.parent / ("long" * 100)):
        with pytest.raises(TrainingProblem, match="can't be"):
            steps(Recipe(str(tiny), (data,), out, epochs=1, device="cpu"))


def test_the_command_trains_and_tells_how_long_it_takes(tiny: Path, data: Path, tmp_path: Path) -> None:
    given = ["verbaliser", "--data", str(data), "--base", str(tiny), "--out", str(tmp_path / "out"), "--epochs", "1"]
    done = CliRunner().invoke(command, given)
    assert done.exit_code == 0, done.output
    assert "step 2 of 2, loss" in done.stderr
    assert "0 h 0 min left" in done.stderr
    assert "set judge.verbaliser to it" in done.stdout
