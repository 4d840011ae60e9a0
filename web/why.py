"""The reason that somebody gives for a change of wordings: asked for with each, and kept in the history."""

from __future__ import annotations

from dataclasses import dataclass

from flask_babel import gettext

from models.verbalise.labels import one_line
from store.overrides import MOST_WHY


@dataclass(frozen=True, slots=True)
class Why:
    """A reason on one line. `cleaned`: there were invisible characters in it, which were left out."""

    text: str = ""
    cleaned: bool = False

    @classmethod
    def read(cls, typed: str) -> Why:
        """What was typed into a form."""
        text = one_line(typed)
        return cls(text, text != " ".join(typed.split()))

    @property
    def complaint(self) -> str:
        """What is wrong with it, in one line for the person; "" for a good one."""
        if not self.text:
            return str(gettext("Say why, in a few words: the history shows it to others."))
        if len(self.text) > MOST_WHY:
            return str(gettext("A reason has at most %(most)s characters.", most=MOST_WHY))
        return ""

    @property
    def note(self) -> str:
        """What became of it, for who gave it; "" where nothing did."""
        return str(gettext("Invisible characters were left out of the reason.")) if self.cleaned else ""
