"""What the page of a property tells of its wording, and the list of all of them."""

from __future__ import annotations

import re

from flask.testing import FlaskClient
from sqlalchemy.orm import Session

from store.overrides import save_override
from tests.web.desk import BORN


def test_all_properties_with_references_those_with_the_most_first(client: FlaskClient, pairs: list[int]) -> None:
    text = client.get("/properties").text
    assert re.findall(r'<th scope="row"><a href="/property/(P\d+)"', text) == ["P19", "P569", "P69"]
    assert "Worded by editors" not in text


def test_the_wording_in_force_is_told_and_leads_to_its_form(
    client: FlaskClient, session: Session, pairs: list[int]
) -> None:
    assert "In force: Citewell’s own wording" in client.get("/property/P569").text
    save_override(session, BORN.id, "pattern", "{subject} <b>came</b> on {object}.", "Ada", None)
    session.commit()
    text = client.get("/property/P569").text
    assert "In force: the sentence" in text
    assert "{subject} &lt;b&gt;came&lt;/b&gt; on {object}." in text
    assert "0 overrides by editors for the subjects of a class." in text
    assert 'href="/property/P569/wording"' in text
    assert client.get("/properties").text.count("Worded by editors") == 1
