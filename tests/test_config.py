"""Settings from the file and the environment, and one clear line for each that can't be used."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from config import ROOT, Config, ConfigError, load_config, web_secret


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.yaml"


def load(file: Path, content: str) -> Config:
    file.write_text(content, encoding="utf-8")
    return load_config(file)


def test_the_shipped_file_says_what_the_defaults_are() -> None:
    assert load_config() == Config()
    written = yaml.safe_load((ROOT / "config.yaml").read_text())
    assert set(written) == set(Config.model_fields)
    for section, values in written.items():
        if isinstance(values, dict):
            assert set(values) == set(type(getattr(Config(), section)).model_fields)


def test_every_skipped_property_has_its_reason_beside_it() -> None:
    lines = [line for line in (ROOT / "config.yaml").read_text().splitlines() if line.strip().startswith("- P")]
    assert [line.split()[1] for line in lines] == list(Config().select.skip_properties)
    assert all(len(line.split("#", 1)[1].strip()) > 5 for line in lines)


def test_properties_that_say_facts_arent_skipped() -> None:
    facts = {"P569", "P570", "P131", "P17", "P39", "P361", "P527", "P106", "P1435", "P973", "P50", "P27"}
    assert not facts & set(Config().select.skip_properties)
    assert {"P31", "P279"} <= set(Config().select.skip_properties)


def test_a_file_changes_what_it_names(file: Path) -> None:
    config = load(file, "contact: me@example.org\nfetch:\n  fresh_days: 7\njudge:\n  # all commented out\n")
    assert (config.contact, config.fetch.fresh_days, config.fetch.host_delay_s) == ("me@example.org", 7, 1.0)
    assert config.judge == Config().judge


def test_an_empty_file_is_the_defaults(file: Path) -> None:
    assert load(file, "# nothing\n") == Config()


def test_the_environment_wins_over_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "CITEWELL_CONTACT": "them@example.org",
        "CITEWELL_DATABASE_URL": "postgresql://db.example/x",
        "CITEWELL_FETCH_HOST_DELAY_S": "2.5",
        "CITEWELL_SELECT_SKIP_PROPERTIES": "P31, P279",
        "CITEWELL_SOURCE_LANGUAGES": "de en",
        "CITEWELL_WEB_PORT": "0",
    }.items():
        monkeypatch.setenv(name, value)
    config = load(file, "contact: me@example.org\nfetch: {host_delay_s: 9, fresh_days: 8}\nweb: {port: 1}")
    assert (config.contact, config.database.url) == ("them@example.org", "postgresql://db.example/x")
    assert (config.fetch.host_delay_s, config.fetch.fresh_days, config.web.port) == (2.5, 8, 0)
    assert (config.select.skip_properties, config.source.languages) == (("P31", "P279"), ("de", "en"))


def test_the_environment_names_another_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("web: {port: 81}")
    monkeypatch.setenv("CITEWELL_CONFIG", str(file))
    assert load_config().web.port == 81


def test_var_is_relative_to_the_project(file: Path) -> None:
    assert load(file, "").var == ROOT / "var"
    assert load(file, "var: elsewhere/x").var == ROOT / "elsewhere" / "x"
    assert load(file, "var: /srv/citewell").var == Path("/srv/citewell")
    assert load(file, "var: ~/citewell").var == Path("~/citewell").expanduser()


def test_nothing_is_skipped_where_the_list_is_empty(file: Path) -> None:
    assert load(file, "select: {skip_properties: []}").select.skip_properties == ()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("contct: me", "contct: no such key; allowed here are contact, var, database, judge, fetch"),
        (
            "fetch: {fresh_dayz: 3}",
            "fetch.fresh_dayz: no such key; allowed here are fresh_days, host_delay_s, timeout_s",
        ),
        ("fetch: {fresh_days: soon}", "fetch.fresh_days: should be a valid integer"),
        ("fetch: {fresh_days: -1}", "fetch.fresh_days: should be greater than or equal to 0 (is -1)"),
        ("fetch: {timeout_s: .nan}", "fetch.timeout_s: should be"),
        ("judge: {profile: tpu}", "judge.profile: should be 'cpu' or 'gpu' (is 'tpu')"),
        ("judge: fast", "judge: must hold the keys profile, verifier, runtime, verbaliser, device, threads"),
        ("web: {port: 65536}", "web.port: should be less than or equal to 65535"),
        ("select: {skip_properties: [P31, Q5]}", "select.skip_properties: 'Q5' isn't the id of a property"),
        ("source: {pagepile: here}", "source.pagepile: must be an address of the web (https://…) (is 'here')"),
        ("source: {languages: []}", "source.languages: at least one language code is needed"),
        ("contact: [a]", "contact: should be a valid string"),
        ("- a list", "must hold keys and values; allowed are contact, var"),
        ("1: 2", "must hold keys and values"),
        ("contact: 'open", "line 1: not YAML that can be read"),
        ("a: b: c", "line 1: not YAML that can be read"),
        ("var: !!python/object:os.system {}", "not YAML that can be read"),
    ],
)
def test_what_cant_be_used_is_one_line_that_names_it(file: Path, content: str, complaint: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load(file, content)
    message = str(raised.value)
    assert message.startswith(str(file))
    assert complaint in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("CITEWELL_WEB_PORT", "many", "should be a valid integer"),
        ("CITEWELL_WEB_PRT", "1", "no such key; allowed here are host, port, secret"),
        ("CITEWELL_DATABSE_URL", "x", "no such key; allowed after CITEWELL_ are CONTACT, VAR, DATABASE"),
        ("CITEWELL_JUDGE", "{}", "is a section; set one of CITEWELL_JUDGE_PROFILE"),
        ("CITEWELL_SELECT_SKIP_PROPERTIES", "P31,Q1", "'Q1' isn't the id of a property"),
    ],
)
def test_what_cant_be_used_in_the_environment_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, complaint: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigError) as raised:
        load_config()
    assert str(raised.value).startswith(f"environment variable {name}: ")
    assert complaint in str(raised.value)


@pytest.mark.parametrize("value", [".inf", ".nan", "1.0e300", "-1"])
@pytest.mark.parametrize(
    "key", ["fetch.host_delay_s", "fetch.timeout_s", "fetch.crawl_delay_max_s", "fetch.rest_s", "run.health_s"]
)
def test_no_time_is_without_end(file: Path, key: str, value: str) -> None:
    section, name = key.split(".")
    file.write_text(f"{section}: {{{name}: {value}}}")
    if (key, value) == ("run.health_s", "1.0e300"):
        return  # only compared
    with pytest.raises(ConfigError, match=name):
        load_config(file)


def test_secrets_arent_repeated(file: Path) -> None:
    with pytest.raises(ConfigError) as raised:
        load(file, "web: {secret: [s3cret]}")
    assert "s3cret" not in str(raised.value)
    assert "s3cret" not in repr(load(file, "web: {secret: s3cret}"))


def test_a_file_that_isnt_there_or_isnt_text(file: Path) -> None:
    with pytest.raises(ConfigError, match=r"can't read the configuration: No such file .* Set CITEWELL_CONFIG"):
        load_config(file)
    file.write_bytes(b"contact: \xff")
    with pytest.raises(ConfigError, match="not text in UTF-8"):
        load_config(file)
    with pytest.raises(ConfigError, match="Is a directory"):
        load_config(file.parent)


@settings(max_examples=50, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda c: st.lists(c) | st.dictionaries(st.text(), c)
    )
)
@example({"a\nb": 1})
def test_any_yaml_is_settings_or_one_line(tmp_path_factory: pytest.TempPathFactory, content: object) -> None:
    file = tmp_path_factory.getbasetemp() / "any.yaml"
    file.write_text(yaml.safe_dump(content), encoding="utf-8")
    said = ""
    try:
        load_config(file)
    except ConfigError as error:
        said = str(error)
    assert "\n" not in said


def test_settings_dont_change() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Config().fetch.fresh_days = 3
    with pytest.raises(ValidationError, match="frozen"):
        Config().contact = "x"


def test_a_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    config = Config.model_validate({"var": tmp_path / "var"})
    secret = web_secret(config)
    assert len(secret) >= 32
    assert web_secret(config) == secret
    assert [entry.name for entry in (tmp_path / "var").iterdir()] == ["web.secret"]
    assert stat.S_IMODE((tmp_path / "var" / "web.secret").stat().st_mode) == 0o600
    configured = Config.model_validate({"var": tmp_path / "none", "web": {"secret": "configured"}})
    assert web_secret(configured) == "configured"
    assert not os.path.lexists(tmp_path / "none")
