"""Cases made by Hypothesis strategies, which know the answer of each.

Hypothesis is imported here alone: it is a dependency of development, and only who draws cases needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bench.cases import ValueCase
from bench.cases.choice import Choice
from bench.cases.made_dates import made_date
from bench.cases.made_names import made_name
from bench.cases.made_quantities import made_quantity

_FLIP = st.booleans()


@st.composite
def _made(draw: st.DrawFn, make: Callable[[Choice], ValueCase]) -> ValueCase:
    return make(Choice(partial(draw, _FLIP)))


def dates() -> st.SearchStrategy[ValueCase]:
    """Dates of every precision, half of them named by the text."""
    return _made(made_date)


def quantities() -> st.SearchStrategy[ValueCase]:
    """Quantities and codes, half of them named by the text."""
    return _made(made_quantity)


def names() -> st.SearchStrategy[ValueCase]:
    """Persons, places, bodies, works and words, half of them named by the text."""
    return _made(made_name)


_BY_KIND = {"dates": dates, "quantities": quantities, "names": names}


def drawn(kind: str, n: int) -> list[ValueCase]:
    """The same `n` different cases of `kind` ("dates", "quantities" or "names") on every call.

    Raises `KeyError` for another kind, `ValueError` where the strategy has no `n` different cases to give.
    """
    cases: dict[ValueCase, None] = {}

    @settings(
        derandomize=True,
        database=None,
        max_examples=2 * n + 100,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(_BY_KIND[kind]())
    def gather(case: ValueCase) -> None:
        cases[case] = None

    gather()
    if len(cases) < n:
        raise ValueError(f"only {len(cases)} different cases of {kind}, not {n}")
    return list(cases)[:n]
