"""Forms as a browser sends them: with the token of the page that was opened."""

from __future__ import annotations

import re

from flask.testing import FlaskClient
from werkzeug.test import TestResponse


def token(client: FlaskClient, path: str) -> str:
    """The CSRF token of a page's form."""
    found = re.search(r'name="csrf_token" value="([^"]+)"', client.get(path).text)
    assert found, f"{path} has no form"
    return found[1]


def send(client: FlaskClient, page: str, path: str, **fields: object) -> TestResponse:
    """Post a form as a browser would that has opened `page`."""
    return client.post(path, data={"csrf_token": token(client, page), **fields})


def sign_in(client: FlaskClient, name: str = "Ada") -> None:
    """Sign in by the form."""
    assert send(client, "/sign-in", "/sign-in", name=name, next="/").status_code == 303
