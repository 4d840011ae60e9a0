"""What a look at a reference is expected to be of use, in the row of its verdict, whatever changes around it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, select, text
from sqlalchemy.orm import Session
from store_rows import MODEL, again, judge, kept, selected, unread, verdict, walked

from models import benefit
from models.evidence import Stance
from models.outcome import NotJudged, Outcome
from store import schema
from store.benefit import set_weights
from store.runs import start_run
from store.walk import SelectedPair, WalkedItem, put_pairs, retire
from store.work import lease


def judged_so(session: Session, pair: SelectedPair, probability: float, stance: Stance, unsure: bool = False) -> int:
    walked(session, pair)
    for task in lease(session, "w", 9, 60):
        assert judge(session, task, verdict(probability, stance, unsure=unsure), kept(session, task.urls[0].url))
        if (task.guid, task.ref_hash) == (pair.guid, pair.ref_hash):
            found = task.pair_id
    session.commit()
    return found


def benefit_of(session: Session, pair_id: int) -> float:
    current = (schema.Verdict.pair_id == pair_id, schema.Verdict.current)
    return session.scalars(select(schema.Verdict.benefit).where(*current)).one()


@pytest.mark.parametrize("rank", ["preferred", "normal", "deprecated"])
@pytest.mark.parametrize(
    ("probability", "stance", "unsure"),
    [
        (0.1, Stance.REFUTES, False),
        (0.123456789, Stance.NOT_ENOUGH_INFO, False),
        (0.9, Stance.SUPPORTS, False),
        (0.5, Stance.REFUTES, True),
    ],
)
def test_the_database_counts_as_the_formula_does(
    session: Session, rank: str, probability: float, stance: Stance, unsure: bool
) -> None:
    pair_id = judged_so(session, selected(rank=rank), probability, stance, unsure)
    expected = benefit.chance(probability, stance, unsure) * benefit.use(rank, outranked=False, backed=False)
    assert benefit_of(session, pair_id) == pytest.approx(expected, abs=1e-6)
    session.execute(text("UPDATE verdict SET benefit = 7"))
    put_pairs(session, start_run(session, "again", MODEL).id, [selected(rank=rank)], MODEL)
    assert benefit_of(session, pair_id) == pytest.approx(expected, abs=1e-6), "recounted it is the same"


@given(
    st.floats(0, 1), st.sampled_from(list(Stance)), st.booleans(), st.sampled_from(list(benefit.RANKS)), st.booleans()
)
def test_a_benefit_is_in_bounds_and_falls_with_support(
    probability: float, stance: Stance, unsure: bool, rank: str, backed: bool
) -> None:
    chance = benefit.chance(probability, stance, unsure)
    assert 0 <= chance <= 1 - probability
    assert benefit.chance(probability, stance, unsure=True) <= benefit.chance(probability, stance, unsure=False)
    assert (
        0 < benefit.use(rank, outranked=True, backed=backed) <= benefit.use(rank, outranked=False, backed=backed) <= 1
    )


def test_another_reference_that_supports_takes_half_and_gives_it_back(session: Session) -> None:
    one = judged_so(session, selected(), 0.2, Stance.REFUTES)
    assert benefit_of(session, one) == pytest.approx(0.8)
    other = judged_so(session, selected(ref_hash="other"), 0.9, Stance.SUPPORTS)
    assert benefit_of(session, one) == pytest.approx(0.4)
    assert benefit_of(session, other) == pytest.approx(0.1)
    judge(session, again(session, other), verdict(0.6, Stance.SUPPORTS, unsure=True), kept(session), model="judge-2")
    assert benefit_of(session, one) == pytest.approx(0.8), "what isn't sure backs nothing"
    judge(session, again(session, other), verdict(0.9, Stance.SUPPORTS), kept(session), model="judge-3")
    assert benefit_of(session, one) == pytest.approx(0.4)
    retire(session, [WalkedItem("Q1", 8, frozenset({("Q1$A", "hash1")}))])
    assert benefit_of(session, one) == pytest.approx(0.8), "nor does what was removed"


def test_a_statement_beside_a_preferred_one_weighs_half(session: Session) -> None:
    normal = judged_so(session, selected(), 0.2, Stance.REFUTES)
    preferred = selected(guid="Q1$B", rank="preferred", ref_hash="b", revision=8)
    better = judged_so(session, preferred, 0.2, Stance.REFUTES)
    assert (benefit_of(session, normal), benefit_of(session, better)) == pytest.approx((0.4, 0.8))
    put_pairs(session, start_run(session, "later", MODEL).id, [replace(preferred, rank="normal", revision=9)], MODEL)
    assert (benefit_of(session, normal), benefit_of(session, better)) == pytest.approx((0.8, 0.8))


def test_what_was_not_judged_weighs_as_what_hangs_on_it(session: Session) -> None:
    pair_id = judged_so(session, selected(rank="deprecated"), 0.2, Stance.REFUTES)
    judge(session, again(session, pair_id), NotJudged(Outcome.GONE))
    assert benefit_of(session, pair_id) == pytest.approx(0.25)
    judge(session, again(session, pair_id), unread(), kept(session, body=b"other"))
    assert benefit_of(session, pair_id) == pytest.approx(0.25)


def test_properties_weigh_as_the_settings_say(session: Session, engine: Engine) -> None:
    born = judged_so(session, selected(), 0.2, Stance.REFUTES)
    died = judged_so(session, selected(2, property_id="P570"), 0.2, Stance.REFUTES)
    assert set_weights(engine, {"P569": 1.5, "P999": 2.0}) == 1
    assert (benefit_of(session, born), benefit_of(session, died)) == pytest.approx((1.2, 0.8))
    assert set_weights(engine, {"P569": 1.5, "P999": 2.0}) == 0
    later = judged_so(session, selected(3), 0.5, Stance.REFUTES)
    assert benefit_of(session, later) == pytest.approx(0.75), "what is judged later has it from the beginning"
    session.commit()
    assert set_weights(engine, {"P570": 0.5}) == 3
    session.commit()
    assert (benefit_of(session, born), benefit_of(session, died)) == pytest.approx((0.8, 0.4))


def test_a_recount_that_was_killed_goes_on(session: Session, engine: Engine) -> None:
    born = judged_so(session, selected(), 0.2, Stance.REFUTES)
    # As it stands after a kill between the weight and the verdicts.
    session.execute(text("INSERT INTO property_weight (property_id, weight) VALUES ('P569', 2)"))
    session.commit()
    assert set_weights(engine, {"P569": 2.0}) == 1
    session.commit()
    assert benefit_of(session, born) == pytest.approx(1.6)
