"""What is wrong with something that a person gave, in the reader's language."""

from __future__ import annotations

from flask_babel import gettext

from models.verbalise import Complaint


def said(complaint: Complaint) -> str:
    """The sentence with its gaps filled. Its English stands where it is made; the catalogues have it all the same."""
    return str(gettext(complaint.template, **complaint.given)) if complaint.given else str(gettext(complaint.template))
