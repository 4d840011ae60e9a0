"""What was done and what waits, in lines for the operator."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from store import schema
from store.walk import pair_states, recent_runs

RUNS = 5


def status(engine: Engine) -> Iterator[str]:
    """How many pairs are in each state, which outcomes they have, and how the last runs ended."""
    with Session(engine) as session:
        states = pair_states(session)
        outcomes = session.execute(
            select(schema.Verdict.outcome, func.count())
            .where(schema.Verdict.current, schema.Verdict.outcome.is_not(None))
            .group_by(schema.Verdict.outcome)
            .order_by(func.count().desc())
        ).all()
        yield "Pairs: " + ", ".join(f"{number} {state.replace('_', ' ')}" for state, number in states.items())
        if found := ", ".join(f"{number} {outcome}" for outcome, number in outcomes):
            yield f"Outcomes: {found}"
        runs = recent_runs(session, RUNS)
    for run in runs:
        ended = f" until {run.finished_at:%Y-%m-%d %H:%M}" if run.finished_at else ""
        numbers = ", ".join(f"{run.counts[name]} {name.replace('_', ' ')}" for name in _SHOWN if run.counts.get(name))
        why = f" ({run.error})" if run.error else ""
        yield (
            f"Run {run.id}, {run.source}: {run.state}{why}, {run.started_at:%Y-%m-%d %H:%M}{ended}"
            f"{': ' + numbers if numbers else ''}"
        )
    if not runs:
        yield "No run yet."


_SHOWN = ("pairs", "judged", "not_judged", "failed")
