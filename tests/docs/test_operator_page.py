"""What the operator's page says holds: settings, the web service's code, the jobs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel

from config import Config
from models.outcome import Outcome
from models.read.language import SUPPORTED, language_name

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operator.md").read_text(encoding="utf-8")
JOBS = yaml.safe_load((ROOT / "jobs.yaml").read_text(encoding="utf-8"))

# The keys of a job in Toolforge's jobs framework.
JOB_KEYS = {
    "name", "command", "image", "schedule", "continuous", "emails", "retry", "cpu", "mem", "replicas", "mount",
    "filelog", "no-filelog", "filelog-stdout", "filelog-stderr", "health-check-script", "port", "timeout", "wait",
}  # fmt: skip


def _keys(model: type[BaseModel], prefix: str = "") -> list[str]:
    found = []
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found += _keys(kind, f"{prefix}{name}.")
        else:
            found.append(prefix + name)
    return found


def test_every_setting_is_in_the_table_with_its_variable() -> None:
    rows = re.findall(r"^\| `([a-z_.]+)` \| `(CITEWELL_[A-Z_]+)` \| .+ \|$", PAGE, re.MULTILINE)
    assert [key for key, _ in rows] == _keys(Config)
    assert all(variable == "CITEWELL_" + key.replace(".", "_").upper() for key, variable in rows)


def _in_words(wait: timedelta | None, never: str) -> str:
    if wait is None:
        return never
    number, unit = (wait.days, "day") if wait.days else (wait.seconds // 3600, "hour")
    return f"{number} {unit}{'' if number == 1 else 's'}"


def test_every_outcome_is_in_the_table_with_when_it_is_tried_again() -> None:
    (table,) = re.findall(r"^\| what is shown \|.*?\n\n", PAGE, re.MULTILINE | re.DOTALL)
    assert table.splitlines()[2:-1] == [
        f"| {outcome.label} | `{outcome.value}` | {_in_words(outcome.retry_after, 'when the reference changes')} "
        f"| {_in_words(outcome.former_stands, '–')} |"
        for outcome in Outcome
    ]


def test_the_languages_that_are_read_are_named() -> None:
    (said,) = re.findall(r"\*\*Languages\.\*\* (.*?) (?:is|are) read", PAGE)
    assert re.split(r", | and ", said) == sorted(map(language_name, SUPPORTED))


def test_the_web_service_of_the_page_answers(database_url: str, tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    home = tmp_path / "home"
    home.mkdir()
    (home / "citewell").symlink_to(ROOT)
    place = home / "app.py"
    place.write_text(code + "print(app.test_client().get('/healthz').status)\n", encoding="utf-8")
    environment = {
        **os.environ,
        "HOME": str(home),
        "CITEWELL_DATABASE_URL": database_url,
        "CITEWELL_VAR": str(tmp_path / "var"),
    }
    done = subprocess.run(
        [sys.executable, place], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("200 OK\n", 0), done.stderr


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job["name"])
def test_jobs_are_in_the_form_of_toolforge(job: dict[str, object]) -> None:
    assert set(job) <= JOB_KEYS
    assert {"name", "command", "image"} <= set(job)
    assert re.fullmatch(r"[a-z][a-z0-9-]*", str(job["name"]))
    assert ("schedule" in job) != ("continuous" in job)
    assert re.fullmatch(r"\d+(Mi|Gi)", str(job["mem"]))
    assert job["emails"] in {"none", "all", "onfinish", "onfailure"}


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job["name"])
def test_commands_of_jobs_are_there_and_know_their_options(job: dict[str, str]) -> None:
    program, *arguments = job["command"].replace("$HOME/citewell", str(ROOT)).split()
    assert os.access(program, os.X_OK)
    command = [part for part in arguments if not part.startswith(("-", "$", "/"))]
    said = subprocess.run([program, *command, "--help"], cwd="/", capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    assert all(option in said.stdout for option in arguments if option.startswith("--"))


def test_bin_job_runs_from_anywhere(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.mkdir()
    command = [ROOT / "bin" / "job", "sample.build", target]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (target / "dump.json.gz").exists()
