"""What somebody sent before signing in: kept in the signed session, to be sent again after it with one click."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from flask import request
from flask import session as cookie
from flask_babel import gettext

from web.words import DECISIONS

_KEY = "pending"
_LONGEST = 2000  # characters of all fields: a cookie holds no more than 4 KB


@dataclass(frozen=True, slots=True)
class Pending:
    """A form as it was sent: where to, with which fields, and the page that it leads back to."""

    action: str
    fields: dict[str, str]
    next: str

    @property
    def words(self) -> str:
        """What it would do, for its button."""
        decision = DECISIONS.get(self.fields.get("decision", ""))
        return str(gettext("Record: %(decision)s", decision=decision.words) if decision else gettext("Do it now"))


def keep(target: str) -> None:
    """Keep this request's form until somebody has signed in; one that is too long for a cookie isn't kept."""
    fields = {name: value for name, value in request.form.items() if name != "csrf_token"}
    if sum(len(name) + len(value) for name, value in fields.items()) <= _LONGEST:
        cookie[_KEY] = asdict(Pending(request.path, fields, target))


def waiting(target: str) -> Pending | None:
    """The form that was kept before signing in for this target, if there is one."""
    kept: Any = cookie.get(_KEY)
    return Pending(**kept) if kept and kept["next"] == target else None


def restore(pending: Pending) -> None:
    """Keep it on in a session that was begun anew."""
    cookie[_KEY] = asdict(pending)


def forget() -> None:
    """It was sent, or is no longer wanted."""
    cookie.pop(_KEY, None)
