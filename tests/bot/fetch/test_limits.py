"""How often a host may be asked, as the configuration says."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.fetch.limits import Limits, limits_of
from config import ConfigError, load_config


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A configuration with pauses of their own for two hosts."""
    path = tmp_path / "config.yaml"
    path.write_text("fetch:\n  host_delay_s: 2\n  rest_after: 3\n  hosts: {example.org: 5, 'example.net:8080': 0.5}\n")
    return path


def test_a_host_has_the_pause_that_is_configured_for_it(written: Path) -> None:
    limits = limits_of(load_config(written).fetch)
    assert limits.rests.after == 3
    assert [limits.delay_s(host, 0.0) for host in ("example.org", "example.net:8080", "example.com")] == [5.0, 0.5, 2.0]


@pytest.mark.parametrize(("asked", "waited"), [(0.0, 1.0), (0.5, 1.0), (7.0, 7.0), (30.0, 30.0), (86_400.0, 30.0)])
def test_a_crawl_delay_makes_the_pause_longer_up_to_a_bound(asked: float, waited: float) -> None:
    assert Limits().delay_s("example.org", asked) == waited


def test_hosts_can_stand_in_a_variable(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEWELL_FETCH_HOSTS", "example.org=7, [2620:0:861::1]:81=2")
    assert load_config(written).fetch.hosts == {"example.org": 7.0, "[2620:0:861::1]:81": 2.0}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("example.org", "hosts"),
        ("example.org=soon", "hosts"),
        ("example.org=-1", "hosts"),
        ("example.org=nan", "hosts"),
        ("https://example.org=1", "isn't the name of a host"),
        ("EXAMPLE.org=1", "isn't the name of a host"),
    ],
)
def test_what_cannot_be_a_hosts_pause_is_refused(
    written: Path, monkeypatch: pytest.MonkeyPatch, value: str, said: str
) -> None:
    monkeypatch.setenv("CITEWELL_FETCH_HOSTS", value)
    with pytest.raises(ConfigError, match=said) as raised:
        load_config(written)
    assert "\n" not in str(raised.value)
