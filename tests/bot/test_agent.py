"""Who we say we are."""

from __future__ import annotations

import pytest

from bot.agent import user_agent
from bot.problem import InputProblem


@pytest.mark.parametrize(
    "contact",
    [
        "ada@example.org",
        "Ada <ada@example.org>",
        "mailto:ada@example.org",
        "https://example.org/bot",
        "https://www.wikidata.org/wiki/User:Ada",
        "User:Ada",
        "w:en:User talk:Ada",
    ],
)
def test_a_contact_by_which_somebody_is_reached(contact: str) -> None:
    agent = user_agent(f" {contact} ")
    assert agent.startswith("Citewell/")
    assert agent.endswith(f"; {contact})")


@pytest.mark.parametrize(
    "contact", ["me", "x", "Ada", "ada@", "@example.org", "https://", "example", "User:", "ada at example"]
)
def test_one_that_reaches_nobody_is_refused(contact: str) -> None:
    with pytest.raises(
        InputProblem, match=r"`contact` reaches nobody.*Use a mail address, a URL, or a user page"
    ) as raised:
        user_agent(contact)
    assert "\n" not in str(raised.value)
