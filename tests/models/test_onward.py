"""A document that is no page itself says where its reader goes on."""

from __future__ import annotations

from datetime import UTC, datetime
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.document import Document
from models.read.onward import onward

URL = "https://lives.example/people/lee"
PROSE = "She wrote about the sea and the people who lived by it, and she taught at the school of the town for years. "


def handed(body: bytes | str, content_type: str = "text/html", url: str = URL) -> str | None:
    raw = body.encode() if isinstance(body, str) else body
    return onward(Document(URL, url, 200, (("content-type", content_type),), raw, "sha256:", datetime.now(UTC)))


@pytest.mark.parametrize(
    "tag",
    [
        '<meta http-equiv="refresh" content="0;url=/new">',
        "<META HTTP-EQUIV=REFRESH CONTENT='0; URL=/new'>",
        "<meta content='3; url=/new' http-equiv='Refresh' />",
        '<meta http-equiv=" refresh " content=" 5 ;  URL = /new ">',
        "<meta http-equiv=refresh content=\"0;url='/new'\">",
        "<meta http-equiv=refresh content=\"0;URL='/new'; more\">",
        '<meta http-equiv=refresh content="0,/new">',
        '<meta http-equiv=refresh content="0 /new">',
        '<meta http-equiv=refresh content="; url=/new">',
        '<meta http-equiv=refresh content="0.5;url=/new#there">',
        '<meta http-equiv=refresh content="10;url=https://lives.example/new">',
        '<meta http-equiv=refresh content="0;url=//lives.example/new">',
        '<meta http-equiv=refresh content="0;url=/n\new">',
        '<base href="/deep/er/"><meta http-equiv=refresh content="0;url=../../new">',
        '<noscript><meta http-equiv=refresh content="0;url=/new"></noscript>',
        f'<meta http-equiv=refresh content="0;url=/new"><p>{PROSE * 9}</p>',
    ],
)
def test_a_refresh_in_every_spelling_hands_on(tag: str) -> None:
    assert handed(f"<!-- moved --><html><head>{tag}</head><body>Moved</body></html>") == "https://lives.example/new"


@pytest.mark.parametrize(
    "tag",
    [
        '<meta http-equiv="refresh" content="300;url=/new">',
        '<meta http-equiv="refresh" content="11;url=/new">',
        '<meta http-equiv="refresh" content="5">',
        '<meta http-equiv="refresh" content="">',
        '<meta http-equiv="refresh">',
        '<meta http-equiv="refresh" content="0;url=">',
        f'<meta http-equiv="refresh" content="0;url={URL}">',
        f'<meta http-equiv="refresh" content="0;url={URL}#top">',
        '<meta http-equiv="refresh" content="0;url=lee">',
        '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
        '<meta http-equiv="refresh" content="0;url=ftp://lives.example/">',
        '<meta http-equiv="refresh" content="0;url=http://[::1">',
        '<meta http-equiv="refresh" content="0;url=https://">',
        '<!-- <meta http-equiv="refresh" content="0;url=/new"> -->',
        """<script>var s = '<meta http-equiv="refresh" content="0;url=/new">'</script>""",
        '<template><meta http-equiv="content-type" content="0;url=/new"></template>',
        f'<noscript><meta http-equiv=refresh content="0;url=/new"></noscript><body><p>{PROSE * 9}</p>',
    ],
)
def test_what_only_looks_like_it_does_not(tag: str) -> None:
    assert handed(f"<html><head>{tag}</head><body>Text</body></html>") is None


@pytest.mark.parametrize(
    "frames",
    [
        '<frameset cols="20%,80%"><frame name=menu src=menu.html><frame name=main src=/new></frameset>',
        '<frameset cols="80%,20%"><frame name=menu src=menu.html><frame name=mainFrame src=/new></frameset>',
        '<frameset cols="80%,20%"><frame name=links src=menu.html><frame id=content src=/new></frameset>',
        '<frameset cols="150,*"><frame src=menu.html><frame src=/new></frameset>',
        '<frameset rows="*,100"><frame src=/new><frame src=foot.html></frameset>',
        '<frameset rows="1*,3*"><frame src=top.html><frame src=/new></frameset>',
        '<frameset rows="90,*"><frame src=top.html><frameset cols="200,*"><frame src=menu.html>'
        "<frame src=/new></frameset></frameset>",
        '<frameset cols="200,*" rows="80,*"><frame src=a><frame src=b><frame src=c><frame src=/new></frameset>',
        '<frameset rows="100%,*"><frame src=/new><frame src=about:blank></frameset>',
        "<frameset><frame src=/new></frameset>",
        '<frameset rows="*"><frame src="/new"><noframes>Your browser has no frames.</noframes></frameset>',
    ],
)
def test_the_main_frame_of_a_frameset_is_the_page(frames: str) -> None:
    assert handed(f"<html><head><title>Lee</title></head>{frames}</html>") == "https://lives.example/new"


def test_the_table_of_contents_is_not_the_main_frame() -> None:
    frames = '<frameset cols="300,300"><frame name=contents src=/toc><frame name=main src=/new></frameset>'
    assert handed(frames) == "https://lives.example/new"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<body><iframe src=/new width=100% height=100%></iframe></body>", "https://lives.example/new"),
        ("<body><p>The record:</p><iframe src=https://other.example/new></iframe>", "https://other.example/new"),
        (
            "<body><iframe src=/new></iframe><iframe src=https://www.googletagmanager.com/ns.html height=0 width=0>"
            "</iframe>",
            "https://lives.example/new",
        ),
        (f"<body><p>{PROSE * 3}</p><iframe src=/new></iframe>", None),
        ("<body><iframe src=/one></iframe><iframe src=/two></iframe>", None),
        ("<body><iframe src=https://www.youtube.com/embed/x></iframe>", None),
        ("<body><iframe src=https://ads.example/x></iframe>", None),
        ("<body><iframe src=/new style='display:none'></iframe>", None),
        ("<body><iframe src=/new width=1 height=1></iframe>", None),
        ("<body><iframe srcdoc='<p>text'></iframe>", None),
        ("<body><noscript><iframe src=/new></iframe></noscript>", None),
    ],
)
def test_a_sole_inner_page_is_the_page(body: str, expected: str | None) -> None:
    assert handed(f"<html><script>var long = 'words and words and words'.repeat(99)</script>{body}") == expected


def test_a_frame_within_its_own_address_is_none() -> None:
    assert handed(f"<frameset><frame name=main src='{URL}'></frameset>") is None


def test_the_address_that_it_came_from_is_the_base() -> None:
    body = '<meta http-equiv=refresh content="0;url=new">'
    assert handed(body, url="https://moved.example/a/b") == "https://moved.example/a/new"


def test_an_encoding_of_two_bytes_is_no_hindrance() -> None:
    body = '<html><meta http-equiv="refresh" content="0;url=/new"></html>'.encode("utf-16-le")
    assert handed(body) == "https://lives.example/new"


@pytest.mark.parametrize("content_type", ["application/pdf", "text/plain", "application/json"])
def test_only_html_hands_on(content_type: str) -> None:
    assert handed('{"html": "<meta http-equiv=refresh content=\'0;url=/new\'>"}', content_type) is None


@given(st.text(max_size=80))
def test_any_target_gives_a_web_address_or_none(target: str) -> None:
    found = handed(f'<meta http-equiv=refresh content="0;url={target}">')
    assert found is None or (found.startswith(("http://", "https://")) and "#" not in found and " " not in found)


@pytest.mark.parametrize(
    "body",
    [
        "<frameset>" * 100_000 + "<frame src=/new>",
        "<iframe src=x>" * 100_000,
        "<meta http-equiv=refresh content='" + ";" * 200_000 + "'>",
        "<meta http-equiv=refresh content='0;url=/new" + " " * 200_000 + "'>",
        "<frameset cols='" + "1," * 100_000 + "'><frame src=/new></frameset>",
        "<div>" * 200_000 + "<iframe src=/new>",
        "=refresh " * 30_000,
        "=" + " " * 250_000,
    ],
    ids=range(8),
)
def test_hostile_documents_end_soon(body: str) -> None:
    begun = process_time()
    handed(body)
    assert process_time() - begun < 2
