"""HTML to blocks: kinds and levels, labels with their values, facts for machines, and what is about the site."""

from __future__ import annotations

import pytest

from models.read.html import Html, read_html
from models.read.page import Block

PROSE = "She wrote about the sea and the people who lived by it, and she taught at the school of the town for years. "


def html(body: str) -> Html:
    return read_html(f"<h1>Ann Lee</h1><p>{PROSE}</p>{body}<p>{PROSE}</p>")


def texts(body: str) -> list[str]:
    return [block.text for block in html(body).blocks]


def block(body: str, text: str) -> Block:
    return next(one for one in html(body).blocks if one.text == text)


def own(body: str) -> set[str]:
    return {one.text for one in html(body).blocks if not one.boilerplate}


def test_headings_have_their_level() -> None:
    body = '<h2>Life</h2><p>a</p><div role="heading" aria-level="3">Work</div><h4><button>Death</button></h4>'
    levels = {one.text: one.level for one in html(body).blocks if one.kind == "heading"}
    assert levels == {"Ann Lee": 1, "Life": 2, "Work": 3, "Death": 4}


def test_a_heading_of_several_elements_is_one() -> None:
    assert block("<h2><div>Early</div><div>life</div></h2>", "Early life").kind == "heading"


def test_list_entries_know_how_deep_they_stand() -> None:
    body = "<ul><li>Books<ol><li>The Sea<li>The Shore</ol><li>Plays</ul>"
    found = [(one.text, one.level) for one in html(body).blocks if one.kind == "list"]
    assert found == [("Books", 1), ("The Sea", 2), ("The Shore", 2), ("Plays", 1)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<dl><dt>Born<dd>1901<dd>Leeds</dl>", ["Born: 1901", "Born: Leeds"]),
        ("<dl><dt>Born<dt>Baptised<dd>1901</dl>", ["Born, Baptised: 1901"]),
        (
            "<dl><div><dt>Born:</dt><dd>1901</dd></div><div><dt>Died</dt><dd>1980</dd></div></dl>",
            ["Born: 1901", "Died: 1980"],
        ),
        ("<dl><dt>Job<dd><ul><li>Writer<li>Poet</ul></dl>", ["Job: Writer", "Job: Poet"]),
        ("<dl><dt>Life<dd><dl><dt>Born<dd>1901</dl><dd>long</dl>", ["Born: 1901", "Life: long"]),
        ("<dl><dt>Alone</dl>", ["Alone"]),
    ],
)  # fmt: skip
def test_terms_stand_before_what_they_mean(body: str, expected: list[str]) -> None:
    assert [one.text for one in html(body).blocks if one.kind == "definition"] == expected


def test_captions_are_kept() -> None:
    body = "<figure><img src=a alt='A portrait'><figcaption>Ann Lee in 1930</figcaption></figure>"
    assert block(body, "Ann Lee in 1930").kind == "caption"
    assert "A portrait" in texts(body)


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("<p><span class='label'>Born</span><span>1901</span>", "Born 1901"),
        ("<p><span>Born</span><span>1901</span>", "Born 1901"),
        ("<p><b>Born:</b>1901", "Born: 1901"),
        ("<p><label>Born</label>Leeds", "Born Leeds"),
        ("<p><a href=1>Home</a><a href=2>about</a>", "Home about"),
        ("<p>H<sub>2</sub>O and E = mc<sup>2</sup>", "H2O and E = mc2"),
        ("<p>Ann Margesson<sup>1</sup> and Lee<sup><a href='#2'>2</a></sup>", "Ann Margesson 1 and Lee 2"),
        ("<p><span class='dropcap'>O</span>nce upon", "Once upon"),
        ("<p>the sea<b>s</b> and <i>un</i><b>known</b>", "the seas and unknown"),
        ("<p><abbr title='born'>b.</abbr> 1901", "born 1901"),
        ("<p>in the <abbr title='United States'>US</abbr>", "in the US (United States)"),
        ("<p><abbr title='January'>Jan.</abbr> 3, 1901", "Jan. 3, 1901"),
        ("<p><time datetime='1901-05-12T00:00'>a long time ago</time>.", "a long time ago (1901-05-12)."),
        ("<p><time datetime='1901-05-12'>12 May 1901</time>.", "12 May 1901."),
    ],
)  # fmt: skip
def test_words_are_apart_where_a_reader_sees_them_apart(body: str, shown: str) -> None:
    assert shown in texts(body)


@pytest.mark.parametrize(
    "body",
    [
        "<div><div>Born:</div><div>1901</div></div>",
        "<div><div class='field__label'>Born</div><div class='field__item'>1901</div></div>",
        "<h3 class='data-label'>Born</h3><div>1901</div>",
        "<div><div>Born</div><div>1901</div></div><div><div>Died</div><div>1980</div></div>",
        "<div><span class='label'>Born</span><div>1901</div></div>",
    ],
)
def test_a_label_and_the_value_below_it_are_one(body: str) -> None:
    assert "Born: 1901" in texts(body)


def test_a_label_stands_before_each_entry_of_its_list() -> None:
    assert {"Children: Tom", "Children: May"} <= set(texts("<p>Children:</p><ul><li>Tom<li>May</ul>"))


def test_what_a_thing_says_for_machines_names_the_thing() -> None:
    source = (
        '{"@graph": [{"@type": "Person", "@id": "#a", "name": "Ann Lee", "birthDate": "1901-05-12"},'
        '{"@type": "Book", "name": "The Sea", "author": {"@id": "#a"}},'
        '{"@type": "BreadcrumbList", "name": "Home"}]}'
    )
    found = {one.text: one for one in html(f'<script type="application/ld+json">{source}</script>').blocks}
    assert found["birth date: 1901-05-12"].heading == "Ann Lee (Person)"
    assert found["author: Ann Lee"].heading == "The Sea (Book)"
    assert [one.boilerplate for one in found.values() if one.heading == "Home (BreadcrumbList)"] == [True]


def test_an_article_about_a_person_says_the_persons_facts() -> None:
    person = '{"@type": "Person", "name": "Ann Lee", "birthDate": "1901"}'
    source = f'{{"@type": "Article", "headline": "A life", "about": {person}}}'
    script = f'<script type="application/ld+json">{source}</script>'
    assert block(script, "birth date: 1901").heading == "Ann Lee (Person)"


@pytest.mark.parametrize("source", ["//<![CDATA[\n{}\n//]]>", "<!-- {} -->", "{}"])
def test_json_that_pages_get_wrong_is_read(source: str) -> None:
    filled = source.replace("{}", '{"@type": "Person", "name": "Ann\tLee", "birthDate": "1901",}')
    assert "birth date: 1901" in texts(f'<script type="application/ld+json">{filled}</script>')


def test_microdata_and_rdfa_are_facts_with_their_thing() -> None:
    microdata = (
        '<div itemscope itemtype="http://schema.org/Person"><b itemprop="name">Ann Lee</b>'
        '<time itemprop="birthDate" datetime="1901-05-12">May</time>'
        '<p itemprop="birthPlace" itemscope><meta itemprop="name" content="Leeds"></p></div>'
    )
    found = {one.text: one.heading for one in html(microdata).blocks if one.kind == "structured"}
    expected = ["name: Ann Lee", "birth date: 1901-05-12", "birth place name: Leeds"]
    assert found == dict.fromkeys(expected, "Ann Lee (Person)")
    rdfa = (
        '<div vocab="http://schema.org/" typeof="Person"><b property="schema:name">Tom Lee</b>'
        '<i property="jobTitle">Poet</i></div>'
    )
    assert block(rdfa, "job title: Poet").heading == "Tom Lee (Person)"


def test_meta_tags_of_many_kinds_are_facts() -> None:
    tags = {
        "citation_publication_date": "citation publication date: 1901", "DC.creator": "creator: 1901",
        "book:release_date": "release date: 1901", "og:image": None, "viewport": None,
    }  # fmt: skip
    for name, expected in tags.items():
        found = [one.text for one in html(f'<meta name="{name}" content="1901">').blocks if one.kind == "structured"]
        assert found == ([expected] if expected else []), name


SITE = {
    "navigation": "<nav><p>Home</p></nav>",
    "a banner of cookies": "<div class='cookieBanner'><p>Home</p></div>",
    "share buttons": "<div id='share-this'><p>Home</p></div>",
    "a footer": "<footer><p>Home</p></footer>",
    "comments": "<section id='comments'><p>Home</p></section>",
    "references": "<div><h2>References</h2><p>Home</p></div>",
    "references under a wrapped heading": "<main><div class='top'><h2>References</h2></div><p>Home</p></main>",
    "related articles": "<div><h3>Related articles</h3><p>Home</p></div>",
    "the frame of an archive": "<div id='wm-ipp-base'><p>Home</p></div>",
    "a side column of links": "<aside><a href=1>Home</a></aside>",
    "what is hidden": "<div style='display:none'><p>Home</p></div>",
}


@pytest.mark.parametrize("body", SITE.values(), ids=SITE.keys())
def test_what_is_about_the_site_is_kept_apart(body: str) -> None:
    assert block(body, "Home").boilerplate


OWN = {
    "a class of no footer": "<div class='table no-footer'><p>Born 1901</p></div>",
    "a box of facts beside the text": "<aside><p>Born 1901</p></aside>",
    "a box with the record": "<aside class='portable-infobox'><p>Born 1901</p></aside>",
    "a folded tab": "<div class='tab-pane' style='display:none'><p>Born 1901</p></div>",
    "details": "<details><summary>More</summary><p>Born 1901</p></details>",
    "after the references": "<div><h2>References</h2><ul><li>Times</ul></div><p>Born 1901</p>",
    "under the next heading": "<h2>See also</h2><ul><li>Times</ul><h2>Life</h2><p>Born 1901</p>",
    "a frame's own document": "<iframe srcdoc='&lt;p>Born 1901&lt;/p>'></iframe>",
}


@pytest.mark.parametrize("body", OWN.values(), ids=OWN.keys())
def test_what_is_about_the_subject_is_not(body: str) -> None:
    assert "Born 1901" in own(body)


def test_a_title_in_the_sites_header_is_still_the_title() -> None:
    page = read_html(f"<div role='banner'><a href=1>Home</a><h1>Ann Lee</h1></div><p>{PROSE * 3}</p>")
    assert not next(one for one in page.blocks if one.kind == "heading").boilerplate


def test_hidden_words_do_not_stand_in_the_sentence() -> None:
    body = "<p>Born <span style='display:none'>0001901</span>in 1901.</p>"
    assert "Born in 1901." in own(body)
    assert block(body, "0001901").boilerplate


def test_what_shows_without_scripts_is_read_where_it_is_the_page() -> None:
    assert f"Ann Lee. {PROSE}".strip() in [one.text for one in read_html(f"<noscript><p>Ann Lee. {PROSE}").blocks]
    frames = read_html(f"<frameset><frame src=a><noframes><p>Ann Lee. {PROSE}</p></noframes></frameset>")
    assert [one.text for one in frames.blocks] == [f"Ann Lee. {PROSE}".strip()]
    assert "No scripts" not in texts("<noscript><p>No scripts</p></noscript>")


def test_templates_and_scripts_are_not_text() -> None:
    assert not {"x", "y"} & set(texts("<template><p>x</p></template><script>y</script>"))


def test_links_are_counted_by_their_share_of_the_text() -> None:
    assert block("<p><a href=1>Home</a> page</p>", "Home page").linked == pytest.approx(4 / 9)


def test_signs_stand_in_the_markup() -> None:
    signs = html(
        '<link rel="canonical" href="https://a.example/lee"><meta property="og:site_name" content="Lives">'
        '<form><input type="password"><input name="q"></form><a href="/">x</a><script></script>'
    ).signs
    expected = ("https://a.example/lee", "Lives", True, True, 1, 1)
    assert (signs.canonical, signs.site, signs.password, signs.search, signs.links, signs.scripts) == expected
    assert not html("").signs.password


def test_a_part_of_the_site_has_its_own_headings_and_gives_none_to_what_follows() -> None:
    page = html(
        "<h1>Ann Lee</h1>"
        + "<p>Ann Lee is a writer who has lived in Leeds for many years, and writes novels.</p>" * 9
        + "<aside class='sidebar related'><h3>Born</h3><div>12 May 1901 in Leeds</div>"
        "<h3>Genre</h3><div>Novels</div></aside>"
        "<p>Her novels have been read all over the world, and more than one of them was made into a film.</p>"
    )
    assert [(block.heading, block.boilerplate) for block in page.blocks if "12 May" in block.text] == [("Born", True)]
    assert [block.heading for block in page.blocks if "all over the world" in block.text] == ["Ann Lee"]
