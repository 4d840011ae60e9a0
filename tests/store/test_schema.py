"""What must be unique, present or in its set, the database holds; and the migrations make that database."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config as AlembicConfig
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from store_rows import FETCHED, MODEL, judge, judged, kept, pair_row, selected, unread, verdict, walked

from store import schema
from store.database import MIGRATIONS
from store.overrides import restore, save_override
from store.reviews import decide
from store.work import lease

EDGES = {
    ("waiting", "leased"),
    ("leased", "waiting"),
    ("leased", "judged"),
    ("leased", "not_judged"),
    ("leased", "failed"),
    ("failed", "leased"),
    ("failed", "waiting"),
    ("judged", "waiting"),
    ("not_judged", "waiting"),
    ("waiting", "retired"),
    ("leased", "retired"),
    ("judged", "retired"),
    ("not_judged", "retired"),
    ("failed", "retired"),
    ("retired", "waiting"),
}
LEASED = {"leased_by": "w", "leased_until": FETCHED}
UNLEASED = {"leased_by": None, "leased_until": None}


def move(session: Session, state: str) -> None:
    lease_of = LEASED if state == "leased" else UNLEASED
    session.execute(update(schema.Pair).values(state=state, last_error="e", **lease_of))


@pytest.mark.parametrize("there", schema.PAIR_STATES)
@pytest.mark.parametrize("here", schema.PAIR_STATES)
def test_states_move_only_along_their_edges(session: Session, here: str, there: str) -> None:
    walked(session, selected())
    if here != "waiting":
        move(session, "leased")
        move(session, here)
    if (here, there) in EDGES or here == there:
        move(session, there)
        assert pair_row(session, 1).state == there
    else:
        with pytest.raises(IntegrityError, match=f"a pair that is {here} cannot become {there}"):
            move(session, there)


def test_a_lease_that_holds_cant_be_taken(session: Session) -> None:
    walked(session, selected())
    lease(session, "w", 1, 60)
    with pytest.raises(IntegrityError, match="leased by w until"):
        session.execute(update(schema.Pair).values(leased_by="thief"))


JUDGED: dict[str, Any] = {
    "claim": "c",
    "wording": "pattern",
    "claim_digest": "d",
    "model_version": MODEL,
    "stance": "supports",
    "probability": 0.9,
    "weighted_sum": "supports",
    "malon": "supports",
    "current": False,
}


@pytest.mark.parametrize(
    ("changes", "constraint"),
    [
        ({"current": True}, "uq_verdict_current"),
        ({"stance": None, "probability": None, "weighted_sum": None, "malon": None}, "judged_or_outcome"),
        ({"outcome": "gone"}, "judged_or_outcome"),
        ({"probability": None}, "judged_or_outcome"),
        ({"malon": None}, "judged_or_outcome"),
        ({"document_digest": None}, "judged_or_outcome"),
        ({"document_id": None}, "digest_of_a_document"),
        ({"stance": "maybe"}, "ck_verdict_stance"),
        ({"probability": 1.01}, "ck_verdict_probability"),
        ({"probability": float("nan")}, "ck_verdict_probability"),
        ({"pair_id": 99}, "fk_verdict_pair_id_pair"),
        (
            {
                "stance": None,
                "probability": None,
                "weighted_sum": None,
                "malon": None,
                "outcome": "gone",
                "unsure": True,
            },
            "unsure_of_a_stance",
        ),
    ],
)
def test_verdicts_are_whole(session: Session, changes: dict[str, Any], constraint: str) -> None:
    pair_id = judged(session)
    row = kept(session)
    values = {"pair_id": pair_id, "run_id": 1, "document_id": row.id, "document_digest": row.digest, **JUDGED}
    session.add(schema.Verdict(**values))
    session.flush()
    session.add(schema.Verdict(**values | {"claim_digest": "another"} | changes))
    with pytest.raises(IntegrityError, match=constraint):
        session.flush()


def test_a_verdicts_identity_is_one_row_also_where_there_was_no_document(session: Session) -> None:
    pair_id = judged(session)
    values = {"pair_id": pair_id, "run_id": 1, "claim": "", "wording": "", "claim_digest": "d", "model_version": MODEL}
    session.add_all([schema.Verdict(**values, outcome="gone", current=False) for _ in range(2)])
    with pytest.raises(IntegrityError, match="uq_verdict_identity"):
        session.flush()


EVIDENCE: dict[str, Any] = {
    "position": 2,
    "passage": "p",
    "kind": "text",
    "block": 0,
    "first_sentence": 0,
    "last_sentence": 0,
    "relevance": 0.0,
    "supports": 0.2,
    "refutes": 0.3,
    "not_enough_info": 0.5,
}


@pytest.mark.parametrize(
    ("changes", "constraint"),
    [
        ({"position": 6}, "ck_evidence_position"),
        ({"position": 1}, "pk_evidence"),
        ({"relevance": -1.5}, "ck_evidence_relevance"),
        ({"supports": 0.9}, "stances_sum_to_one"),
        ({"supports": float("nan")}, "stances_sum_to_one"),
        ({"kind": "rumour"}, "ck_evidence_kind"),
        ({"kind": "value"}, "value_has_no_stance"),
    ],
)
def test_evidence_is_in_its_ranges(session: Session, changes: dict[str, Any], constraint: str) -> None:
    judged(session)
    session.add(schema.EvidenceRow(verdict_id=1, **EVIDENCE | changes))
    with pytest.raises(IntegrityError, match=constraint):
        session.flush()


@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        ({"wording": "pattern", "text": "{object} is"}, "pattern_names_both"),
        ({"wording": "pattern", "text": "{subject} is"}, "pattern_names_both"),
        ({"wording": "label", "text": None}, "wording_with_text"),
        ({"wording": "label", "text": ""}, "wording_with_text"),
        ({"wording": None, "text": "t"}, "wording_with_text"),
        ({"wording": "song", "text": "t"}, "ck_override_wording"),
        ({"wording": "label", "text": "t", "author": ""}, "author_named"),
        ({"wording": "label", "text": "t", "property_id": "P1"}, "fk_override_property_id_property"),
        ({"wording": "label", "text": "t", "subject_class": "Q99"}, "fk_override_subject_class_item"),
    ],
)
def test_overrides_are_whole(session: Session, values: dict[str, Any], constraint: str) -> None:
    walked(session, selected())
    session.add(schema.Override(**{"property_id": "P569", "author": "Ada"} | values))
    with pytest.raises(IntegrityError, match=constraint):
        session.flush()


@pytest.mark.parametrize("subject_class", [None, "Q5"])
def test_one_override_of_a_property_and_class_is_current(session: Session, subject_class: str | None) -> None:
    walked(session, selected(classes=("Q5", "Q6")))
    row = {"property_id": "P569", "author": "Ada", "wording": "label", "text": "t"}
    session.add_all([schema.Override(**row), schema.Override(**row, subject_class="Q5")])
    session.flush()
    session.add(schema.Override(**row, subject_class=subject_class))
    with pytest.raises(IntegrityError, match="uq_override_current"):
        session.flush()


MEASURED_ERROR: dict[str, Any] = {"kind": "property", "name": "P1", "pairs": 3, "wrong": 1, "unsure": 1}
BIN: dict[str, Any] = {"low": 0.1, "high": 0.2, "pairs": 3, "said": 0.15, "found": 0.0}
RISK: dict[str, Any] = {"coverage": 0.5, "risk": 0.1}


@pytest.mark.parametrize(
    ("row", "constraint"),
    [
        (schema.Measured(model_version="", total=1, unsupported=0, how=""), "ck_measured_model_named"),
        (schema.Measured(model_version="b", total=1, unsupported=2, how=""), "ck_measured_counts"),
        (schema.Measured(model_version="b", total=0, unsupported=0, how=""), "ck_measured_counts"),
        (schema.MeasuredError(**MEASURED_ERROR | {"kind": "moon"}), "ck_measured_error_kind"),
        (schema.MeasuredError(**MEASURED_ERROR | {"name": "example.org"}), "ck_measured_error_name"),
        (schema.MeasuredError(**MEASURED_ERROR | {"kind": "domain", "name": ""}), "ck_measured_error_name"),
        (schema.MeasuredError(**MEASURED_ERROR | {"pairs": 0, "wrong": 0, "unsure": 0}), "ck_measured_error_pairs"),
        (schema.MeasuredError(**MEASURED_ERROR | {"wrong": 3.1}), "ck_measured_error_wrong"),
        (schema.MeasuredError(**MEASURED_ERROR | {"wrong": float("nan")}), "ck_measured_error_wrong"),
        (schema.MeasuredError(**MEASURED_ERROR | {"unsure": -1}), "ck_measured_error_unsure"),
        (schema.MeasuredError(**MEASURED_ERROR | {"model_version": "b"}), "fk_measured_error_model_version"),
        (schema.MeasuredReliability(**BIN | {"high": 0.1}), "ck_measured_reliability_bounds"),
        (schema.MeasuredReliability(**BIN | {"pairs": float("nan")}), "ck_measured_reliability_pairs"),
        (schema.MeasuredReliability(**BIN | {"found": 1.1}), "ck_measured_reliability_shares"),
        (schema.MeasuredRisk(**RISK | {"coverage": 0}), "ck_measured_risk_coverage"),
        (schema.MeasuredRisk(**RISK | {"risk": float("nan")}), "ck_measured_risk_risk"),
    ],
)
def test_measured_figures_are_in_their_ranges(session: Session, row: schema.Base, constraint: str) -> None:
    session.add(schema.Measured(model_version="a", total=3, unsupported=1, how="by hand"))
    session.flush()
    if not isinstance(row, schema.Measured) and row.model_version is None:  # type: ignore[attr-defined]
        row.model_version = "a"  # type: ignore[attr-defined]
    session.add(row)
    with pytest.raises(IntegrityError, match=constraint):
        session.flush()


BODY = {"digest": "sha256:x", "warc": "a", "warc_offset": 0}
FETCH: dict[str, Any] = {"url": "u", "final_url": "u", "domain": "", "fetched_at": FETCHED}
TRY: dict[str, Any] = {"url": "u", "final_url": "u", "tried_at": FETCHED}


@pytest.mark.parametrize(
    ("rows", "constraint"),
    [
        ([{}], "digest"),
        ([BODY | {"warc_offset": None}], "ck_document_body_has_its_place"),
        ([BODY, BODY], "uq_document_url_key_digest"),
    ],
)
def test_documents_are_whole(session: Session, rows: list[dict[str, Any]], constraint: str) -> None:
    session.add_all([schema.Document(**FETCH | row) for row in rows])
    with pytest.raises(IntegrityError, match=constraint):
        session.flush()


@pytest.mark.parametrize(
    ("rows", "constraint"),
    [
        ([{}], "ck_try_answer_or_outcome"),
        ([{"outcome": "boring"}], "ck_try_outcome"),
        ([{"status": 200, "warc": "a"}], "ck_try_record_has_its_place"),
        ([{"status": 200}, {"status": 404, "outcome": "not_found"}], "uq_try_url_key_tried_at"),
        ([{"status": 200, "document_id": 99}], "fk_try_document_id_document"),
    ],
)
def test_tries_are_whole(session: Session, rows: list[dict[str, Any]], constraint: str) -> None:
    session.add_all([schema.Try(**TRY | row) for row in rows])
    with pytest.raises(IntegrityError, match=constraint):
        session.flush()


@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        ({"state": "dreaming"}, "a pair that is waiting cannot become dreaming"),
        ({"leased_by": "w"}, "ck_pair_lease"),
        ({"state": "leased", "leased_by": "w"}, "ck_pair_lease"),
        ({"next_at": None}, "ck_pair_next_at"),
        ({"urls": {"url": "u"}}, "urls_are_a_list"),
        ({"guid": "Q9$none"}, "fk_pair_guid_statement"),
        ({"guid": "Q2$A", "ref_hash": "hash2"}, "uq_pair_guid_ref_hash"),
    ],
)
def test_pairs_are_whole(session: Session, values: dict[str, Any], constraint: str) -> None:
    walked(session, selected(1), selected(2))
    with pytest.raises(IntegrityError, match=constraint):
        session.execute(update(schema.Pair).where(schema.Pair.guid == "Q1$A").values(**values))


def test_ids_have_their_form(session: Session) -> None:
    for wrong in (schema.Item(id="P31"), schema.Item(id="Q0"), schema.Property(id="Q1"), schema.Item(id="")):
        with pytest.raises(IntegrityError, match="id_form"), session.begin_nested():
            session.add(wrong)
    for right in (schema.Item(id="L5-F1"), schema.Item(id="Q1"), schema.Item(id="E10"), schema.Property(id="P31")):
        session.add(right)
    session.flush()


def alembic(connection: Connection) -> AlembicConfig:
    config = AlembicConfig()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


def test_the_migrations_make_the_schema_that_the_tables_say(session: Session) -> None:
    context = MigrationContext.configure(session.connection(), opts={"compare_server_default": True})
    assert compare_metadata(context, schema.Base.metadata) == []


def test_the_checks_of_the_migrations_are_those_of_the_tables(session: Session) -> None:
    """What compare_metadata doesn't compare: both sides' CHECKs as PostgreSQL itself writes them."""
    checks = text(
        "SELECT conrelid::regclass::text AS name, conname, pg_get_constraintdef(oid) FROM pg_constraint "
        "WHERE contype = 'c' AND connamespace = CAST(:schema AS regnamespace) ORDER BY 1, 2"
    )
    migrated = {row[1]: row[2] for row in session.execute(checks, {"schema": "public"})}
    session.execute(text("CREATE SCHEMA fresh"))
    session.execute(text("SET LOCAL search_path = fresh"))
    schema.Base.metadata.create_all(session.connection(), checkfirst=False)
    declared = {row[1]: row[2] for row in session.execute(checks, {"schema": "fresh"})}
    session.rollback()
    assert declared == migrated
    assert len(declared) > 30


def test_edges_are_the_same_in_the_database(session: Session) -> None:
    rows = {tuple(row) for row in session.execute(select(schema.PairEdge.from_state, schema.PairEdge.to_state))}
    assert rows == EDGES | {("leased", "leased")}


def test_every_revision_goes_up_and_down_and_up(new_database: Callable[[str], AbstractContextManager[str]]) -> None:
    with new_database("down") as url:
        engine = create_engine(url)
        with engine.begin() as connection:
            command.downgrade(alembic(connection), "base")
        assert inspect(engine).get_table_names() == ["alembic_version"]
        with engine.connect() as connection:
            left = "SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
            assert connection.execute(text(left)).scalar() == 0
        with engine.begin() as connection:
            for _ in ScriptDirectory(str(MIGRATIONS)).walk_revisions():
                command.upgrade(alembic(connection), "+1")
                command.downgrade(alembic(connection), "-1")
                command.upgrade(alembic(connection), "+1")
        with engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), schema.Base.metadata) == []
        engine.dispose()


def test_going_down_queues_what_a_lost_override_worded(
    new_database: Callable[[str], AbstractContextManager[str]],
) -> None:
    with new_database("lost_wording") as url:
        engine = create_engine(url)
        with Session(engine) as session:
            walked(session, selected(classes=("Q5",)))
            save_override(session, "P569", "label", "launched", "Ada", "Q5")
            judged(session, classes=("Q5",))
        with engine.begin() as connection:
            command.downgrade(alembic(connection), "0001")
            assert connection.execute(text("SELECT state FROM pair")).scalars().all() == ["waiting"]
            assert connection.execute(text("SELECT stale FROM verdict WHERE current")).scalars().all() == [True]
        engine.dispose()


def test_going_down_keeps_the_overrides_for_all_subjects(
    new_database: Callable[[str], AbstractContextManager[str]],
) -> None:
    with new_database("classes") as url:
        engine = create_engine(url)
        with Session(engine) as session, session.begin():
            walked(session, selected(classes=("Q5",)))
            first = save_override(session, "P569", "label", "launched", "Ada", "Q5").version.id
            save_override(session, "P569", "label", "born", "Ada")
            restore(session, "P569", first, "Ada")
        with engine.begin() as connection:
            command.downgrade(alembic(connection), "0001")
            rows = connection.execute(text("SELECT text, current FROM override")).all()
            command.upgrade(alembic(connection), "head")
        assert [tuple(row) for row in rows] == [("born", True)]
        engine.dispose()


def test_going_down_loses_only_the_passages_of_pairs_that_were_not_judged(
    new_database: Callable[[str], AbstractContextManager[str]],
) -> None:
    with new_database("values") as url:
        engine = create_engine(url)
        with Session(engine) as session:
            judged(session)
            walked(session, selected(2))
            (task,) = lease(session, "w", 1, 60)
            judge(session, task, unread(), kept(session, "https://www.example.org/2"))
            session.commit()
        kinds = text("SELECT kind FROM evidence")
        with engine.begin() as connection:
            assert sorted(connection.execute(kinds).scalars()) == ["table", "value"]
            command.downgrade(alembic(connection), "0003")
            assert connection.execute(kinds).scalars().all() == ["table"]
            command.upgrade(alembic(connection), "head")
        engine.dispose()


def test_going_down_queues_what_the_judge_could_not_tell(
    new_database: Callable[[str], AbstractContextManager[str]],
) -> None:
    with new_database("unsure") as url:
        engine = create_engine(url)
        with Session(engine) as session:
            judged(session)
            judged(session, number=2, finding=verdict(0.6, unsure=True))
        with engine.begin() as connection:
            command.downgrade(alembic(connection), "0004")
            states = connection.execute(text("SELECT guid, state FROM pair ORDER BY guid")).all()
            stale = connection.execute(text("SELECT stale FROM verdict WHERE current ORDER BY pair_id")).scalars()
            assert stale.all() == [False, True]
            command.upgrade(alembic(connection), "head")
        assert [tuple(row) for row in states] == [("Q1$A", "judged"), ("Q2$A", "waiting")]
        with Session(engine) as session:
            benefits = session.scalars(select(schema.Verdict.benefit).order_by(schema.Verdict.pair_id)).all()
            assert benefits == [0.9, 0.4], "what was only a leaning counts as a stance again"
        engine.dispose()


def test_going_down_keeps_what_new_decisions_said_for_coming_up_again(
    new_database: Callable[[str], AbstractContextManager[str]],
) -> None:
    with new_database("decisions") as url:
        engine = create_engine(url)
        with Session(engine) as session:
            judged(session)
            verdict_id = session.scalars(select(schema.Verdict.id)).one()
            for name, decision in (("Ada", "supports"), ("Eve", "gone"), ("Mary", "wrong_statement")):
                decide(session, verdict_id, name, decision)
            session.commit()
        decisions = text("SELECT decision FROM review ORDER BY id")
        with engine.begin() as connection:
            command.downgrade(alembic(connection), "0010")
            assert connection.execute(decisions).scalars().all() == ["supports", "cant_tell", "cant_tell"]
            command.upgrade(alembic(connection), "head")
            assert connection.execute(decisions).scalars().all() == ["supports", "gone", "wrong_statement"]
            assert connection.execute(text("SELECT to_regclass('review_decision_of_0011')")).scalar() is None
        engine.dispose()
