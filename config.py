"""The one configuration: `config.yaml`, each key also as an environment variable `CITEWELL_<SECTION>_<KEY>`."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, EnvSettingsSource, NoDecode, SettingsConfigDict

ROOT = Path(__file__).resolve().parent
PREFIX = "CITEWELL_"

_SECRET_KEYS = frozenset({"database.url", "web.secret"})
_PROPERTY_ID = re.compile(r"P[1-9][0-9]*")
_HOST = re.compile(r"(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::[0-9]+)?")


class ConfigError(Exception):
    """A setting that can't be used. The message is one line: where it stands, which key, what is allowed."""


# The same as in config.yaml, where each has its reason: for a file that doesn't name the key.
_SKIPPED = (
    "P31 P279 P1889 P460 P2959 P373 P910 P301 P1151 P1204 P1423 P1424 P1465 P1740 P1753 P1754 P2354 P2667 P2875 "
    "P4224 P971 P5008 P6104 P1343 P1629 P1647 P1659 P1687 P1696 P1855 P1963 P2302 P2445 P3254 P5869 P6609"
)
# Likewise: what is said of a person, and does harm where it is wrong.
_WEIGHTS = dict.fromkeys(
    (
        "P21",
        "P22",
        "P25",
        "P26",
        "P40",
        "P91",
        "P102",
        "P140",
        "P172",
        "P509",
        "P569",
        "P570",
        "P1050",
        "P1196",
        "P1399",
    ),
    1.5,
)


def _listed(value: Any) -> Any:
    """A list written in an environment variable: its members separated by commas or spaces."""
    return tuple(re.split(r"[,\s]+", value.strip(" ,"))) if isinstance(value, str) and value.strip(" ,") else value


def _pairs(value: Any) -> Any:
    """Names with numbers written in an environment variable: "name=5, other=2"."""
    if not isinstance(value, str):
        return value
    return dict(pair.rpartition("=")[::2] for pair in re.split(r"[,\s]+", value) if pair)


def _address(url: str) -> str:
    if not re.fullmatch(r"https?://[^\s/]+\S*", url):
        raise ValueError("must be an address of the web (https://…)")
    return url


def _check_property_ids(ids: Iterable[str]) -> None:
    for identifier in ids:
        if not _PROPERTY_ID.fullmatch(identifier):
            raise ValueError(f"{identifier!r} isn't the id of a property (like P31)")


Words = Annotated[tuple[str, ...], NoDecode]
Seconds = Annotated[float, Field(ge=0, le=86_400)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Database(_Section):
    """Where PostgreSQL is; an empty `url` means the embedded server in `var/`."""

    url: str = ""


class JudgeSettings(_Section):
    """Which model judges, and on what. `verifier` is a folder that `python -m models.training verifier` made,
    empty for the shipped one; `runtime` runs it: torch, or onnxruntime on a CPU. 0 threads: all cores.

    `verbaliser` is the folder or hub name of a sequence-to-sequence model that words statements; empty: none does.
    """

    profile: Literal["cpu", "gpu"] = "cpu"
    verifier: str = ""
    runtime: Literal["torch", "onnx"] = "torch"
    verbaliser: str = ""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    threads: int = Field(default=0, ge=0)


class Fetch(_Section):
    """How pages are fetched: days, seconds and bytes; and what draws those that are nothing without their scripts.

    `hosts` are seconds between two requests for some hosts by name, in the place of `host_delay_s`; `host_budget` is
    how many requests a host gets in a day (UTC), 0: as many as its pace allows. After `rest_after` failures in a row a
    host is left alone for `rest_s`, then twice as long each time.
    `browser` is the path of Chromium, or "auto" for the one on the PATH; empty: such pages have no text. With `wayback`
    the archive whose availability API is at `wayback_api` is asked for a copy where a reference's addresses bring none.
    """

    fresh_days: int = Field(default=30, ge=0, le=100_000)
    host_delay_s: float = Field(default=1.0, ge=0, le=86_400)
    timeout_s: float = Field(default=30.0, gt=0, le=86_400)
    max_bytes: int = Field(default=10_000_000, gt=0)
    max_redirects: int = Field(default=10, ge=0, le=100)
    hosts: Annotated[dict[str, Seconds], NoDecode] = {}
    crawl_delay_max_s: float = Field(default=30.0, ge=0, le=86_400)
    host_budget: int = Field(default=10_000, ge=0, le=2**31 - 1)
    hosts_at_once: int = Field(default=200, gt=0, le=10_000)
    rest_after: int = Field(default=5, gt=0, le=1_000)
    rest_s: float = Field(default=600.0, gt=0, le=86_400)
    browser: str = ""
    browser_s: float = Field(default=15.0, gt=0, le=3_600)
    browser_mb: int = Field(default=1500, gt=0)
    wayback: bool = False
    wayback_api: str = "https://archive.org/wayback/available"

    @field_validator("wayback_api")
    @classmethod
    def _web_address(cls, url: str) -> str:
        return _address(url)

    @field_validator("hosts", mode="before")
    @classmethod
    def _written(cls, value: Any) -> Any:
        """In an environment variable: "example.org=5, example.net=2"."""
        return _pairs(value)

    @field_validator("hosts")
    @classmethod
    def _host_names(cls, hosts: dict[str, float]) -> dict[str, float]:
        for name in hosts:
            if not _HOST.fullmatch(name):
                raise ValueError(f"{name!r} isn't the name of a host (like example.org, or example.org:8080)")
        return hosts


class ArchiveSettings(_Section):
    """How pages are kept: bytes of a file and of all (0: no bound), days that a body is kept (0: for ever), and how
    many of an address's newest bodies are kept beyond them.
    """

    file_bytes: int = Field(default=1_000_000_000, gt=0)
    max_bytes: int = Field(default=0, ge=0)
    retain_days: int = Field(default=0, ge=0, le=100_000)
    newest: int = Field(default=1, ge=1)


class Select(_Section):
    """Which statements aren't judged: those of properties that say what a thing is for the graph."""

    skip_properties: Words = _listed(_SKIPPED)

    @field_validator("skip_properties", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        return _listed(value)

    @field_validator("skip_properties")
    @classmethod
    def _property_ids(cls, ids: tuple[str, ...]) -> tuple[str, ...]:
        _check_property_ids(ids)
        return ids


class Source(_Section):
    """Where statements come from, where PagePile's lists do, and the languages of labels, the preferred first."""

    api: str = "https://www.wikidata.org/w/api.php"
    sparql_endpoint: str = "https://query.wikidata.org/sparql"
    pagepile: str = "https://pagepile.toolforge.org/api.php"
    languages: Words = ("en",)

    @field_validator("pagepile")
    @classmethod
    def _web_address(cls, url: str) -> str:
        return _address(url)

    @field_validator("languages", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        return _listed(value)

    @field_validator("languages")
    @classmethod
    def _some(cls, codes: tuple[str, ...]) -> tuple[str, ...]:
        if not codes:
            raise ValueError("at least one language code is needed")
        return codes


class RunSettings(_Section):
    """How work is done: `fetchers` find pages ahead of each judge; a lease lasts `lease_s` unless its worker renews it.

    While PostgreSQL is away a worker waits up to `database_patience_s`. At most `old_pairs` wait at a time to be looked
    at once more because they are old. `health_file` ("": var/health) is touched while there is progress, and `health_s`
    without is too long.
    """

    fetchers: int = Field(default=4, ge=1, le=64)
    lease_s: int = Field(default=120, ge=1, le=86_400)
    database_patience_s: float = Field(default=3600.0, ge=0, allow_inf_nan=False)
    old_pairs: int = Field(default=1000, ge=0, le=10**9)
    health_file: str = ""
    health_s: float = Field(default=900.0, gt=0, allow_inf_nan=False)


class Queue(_Section):
    """How much the statements of some properties weigh in the list of references, where not 1."""

    weights: Annotated[dict[str, Annotated[float, Field(ge=0, le=100)]], NoDecode] = _WEIGHTS

    @field_validator("weights", mode="before")
    @classmethod
    def _written(cls, value: Any) -> Any:
        """In an environment variable: "P569=1.5, P570=1.5"."""
        return _pairs(value)

    @field_validator("weights")
    @classmethod
    def _property_ids(cls, weights: dict[str, float]) -> dict[str, float]:
        _check_property_ids(weights)
        return weights


class Web(_Section):
    """Where the dashboard listens, and in which languages it speaks, the first where a browser asks for none of them.

    An empty `secret` means one is made and kept in `var/`. `ar-XB` is no language: it shows how the pages look in one
    that is written from right to left.
    """

    host: str = "127.0.0.1"
    port: int = Field(default=8080, ge=0, le=65535)
    secret: str = Field(default="", repr=False)
    languages: Annotated[tuple[Literal["en", "de", "ar-XB"], ...], NoDecode] = Field(default=("en", "de"), min_length=1)

    @field_validator("languages", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        return _listed(value)


class Config(BaseSettings):
    """All settings. Values given to the constructor win over the environment, and that over defaults."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        env_prefix=PREFIX,
        env_nested_delimiter="_",
        env_nested_max_split=1,
        validate_default=True,
    )

    contact: str = ""
    var: Path = Path("var")
    database: Database = Database()
    judge: JudgeSettings = JudgeSettings()
    fetch: Fetch = Fetch()
    archive: ArchiveSettings = ArchiveSettings()
    select: Select = Select()
    source: Source = Source()
    run: RunSettings = RunSettings()
    queue: Queue = Queue()
    web: Web = Web()

    @property
    def health_file(self) -> Path:
        """The file that a worker touches while it makes progress."""
        return (ROOT / Path(self.run.health_file).expanduser()) if self.run.health_file else self.var / "health"

    @field_validator("var")
    @classmethod
    def _under_root(cls, var: Path) -> Path:
        return (ROOT / var.expanduser()).resolve()


def load_config(path: Path | None = None) -> Config:
    """Read the settings from `path`, else from the file that $CITEWELL_CONFIG names, else from `config.yaml`.

    The environment wins over the file. Raises `ConfigError` for a file that can't be read, an unknown key
    or a value of the wrong kind.
    """
    file = path or Path(os.environ.get(f"{PREFIX}CONFIG") or ROOT / "config.yaml")
    written = _read(file)
    _check_environment()
    environment = EnvSettingsSource(Config)()
    try:
        return Config(**_merged(written, environment))
    except ValidationError as error:
        _complain(error, file, environment)


def web_secret(config: Config) -> str:
    """The key that signs the dashboard's cookies: the configured one, else one made once and kept in `var/`."""
    if config.web.secret:
        return config.web.secret
    config.var.mkdir(mode=0o700, parents=True, exist_ok=True)
    kept = config.var / "web.secret"
    draft = config.var / f".web.secret.{os.getpid()}.{secrets.token_hex(4)}"
    draft.touch(mode=0o600)
    draft.write_text(secrets.token_urlsafe(32))
    try:
        kept.hardlink_to(draft)  # fails where another process was first: its secret is the one
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return kept.read_text()


def _read(file: Path) -> dict[str, Any]:
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(
            f"{file}: can't read the configuration: {error.strerror}. Set {PREFIX}CONFIG to its path."
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "not text in UTF-8"
        raise ConfigError(f"{file}{line}: not YAML that can be read: {problem}") from error
    if content is None:
        return {}
    if not isinstance(content, dict) or not all(isinstance(key, str) for key in content):
        raise ConfigError(f"{file}: must hold keys and values; allowed are {', '.join(Config.model_fields)}")
    return {key: value for key, value in content.items() if not _is_empty_section(key, value)}


def _is_empty_section(key: str, value: Any) -> bool:
    """A section whose every key is commented out reads as null: it means the defaults."""
    return value is None and _section(key) is not None


def _section(key: str) -> type[BaseModel] | None:
    field = Config.model_fields.get(key)
    kind = field.annotation if field else None
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _check_environment() -> None:
    """A misspelt variable must not be passed over in silence."""
    for name in os.environ:
        key = name.upper().removeprefix(PREFIX).lower()
        if not name.upper().startswith(PREFIX) or key == "config":
            continue
        if key.split("_", 1)[0] not in Config.model_fields:
            allowed = ", ".join(field.upper() for field in Config.model_fields)
            raise ConfigError(f"environment variable {name}: no such key; allowed after {PREFIX} are {allowed}")
        section = _section(key)
        if section is not None:
            allowed = ", ".join(f"{PREFIX}{key}_{field}".upper() for field in section.model_fields)
            raise ConfigError(f"environment variable {name}: is a section; set one of {allowed}")


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        merged[key] = _merged(under, value) if isinstance(under, dict) and isinstance(value, dict) else value
    return merged


def _shown(part: object) -> str:
    """A key as it may stand in a line: one that can't be printed is written with its escapes."""
    key = str(part)
    return key if key.isprintable() else ascii(key)


def _complain(error: ValidationError, file: Path, environment: Mapping[str, Any]) -> NoReturn:
    problem = error.errors()[0]
    path = [_shown(part) for part in problem["loc"] if not isinstance(part, int)]
    key = ".".join(path)
    where = f"environment variable {PREFIX}{'_'.join(path).upper()}" if _holds(environment, path) else f"{file}: {key}"
    if problem["type"] == "extra_forbidden":
        kind = _section(path[0]) or Config
        fields = kind.model_fields
        raise ConfigError(f"{where}: no such key; allowed here are {', '.join(fields)}") from error
    section = _section(path[0])
    if section is not None and len(path) == 1:
        raise ConfigError(f"{where}: must hold the keys {', '.join(section.model_fields)}") from error
    message = problem["msg"].removeprefix("Value error, ").replace("Input should", "should")
    shown = "" if key in _SECRET_KEYS else f" (is {problem['input']!r})"
    raise ConfigError(f"{where}: {message}{shown}") from error


def _holds(values: Mapping[str, Any], path: list[str]) -> bool:
    here: Any = values
    for part in path:
        if not isinstance(here, Mapping) or part not in here:
            return False
        here = here[part]
    return True


__all__ = ["ROOT", "Config", "ConfigError", "load_config", "web_secret"]
