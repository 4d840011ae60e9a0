"""The decisions as the desk offers them: which key makes which, and what ended one, in words."""

from __future__ import annotations

from flask_babel import lazy_gettext

from store import reviews

# By the hand that isn't at the arrows; none of them is a key of a screen reader's without its modifier.
KEYS = {
    "supports": "s",
    "does_not": "d",
    "cant_tell": "c",
    "gone": "g",
    "wrong_statement": "w",
    "bad_wording": "b",
}

ENDED_BY = {
    reviews.STATEMENT_CHANGED: lazy_gettext("the statement changed"),
    reviews.WORDING_CHANGED: lazy_gettext("the wording changed"),
    reviews.PAGE_CHANGED: lazy_gettext("the page changed"),
    reviews.PAGE_UNREAD: lazy_gettext("the page couldn’t be read again"),
    reviews.PAGE_BACK: lazy_gettext("the page could be read again"),
    reviews.STANCE_FLIPPED: lazy_gettext("a new model’s stance flipped"),
}
