"""How editors word a property, in a real Chromium: from the desk by preview and trial to a version, and as files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from bot import run
from bot.stop import Stop
from bot.worker_name import worker_name
from config import Config
from models.statement import Term
from models.verbalise import Override
from store import schema
from store.overrides import remove, restore, save_override
from store.trials import ask
from tests.bot.quick_worker import QuickJudge
from tests.web.desk import ALL_TERMS, BIRTHDAY, BORN, CAMBRIDGE, Case, fill, time_snak
from tests.web.looking import screen, sticking_out
from tests.web.test_web_access import AXE, RULES

pytestmark = pytest.mark.xdist_group("chromium")

PATTERN = "{subject} came into the world on {object}."
READS = "Douglas Adams came into the world on 11 March 1952."
FORM = "/property/P569/wording"
WHY = "the label reads badly"


@pytest.fixture
def judge_trials(config: Config, engine: Engine) -> Callable[[], list[str]]:
    """Does the trials that wait, as a worker does, with a judge that finds every page to support its claim."""
    bench = run.Bench(config, engine, QuickJudge(), worker_name(), quiet=True)
    return lambda: list(run.trials(bench, Stop()))


def sign_in(browser: Chrome, served: str, name: str = "Ada") -> None:
    browser.get(f"{served}/sign-in?next=/about")
    browser.find_element(By.ID, "name").send_keys(name, Keys.ENTER)
    WebDriverWait(browser, 10).until(lambda one: one.current_url == f"{served}/about")


def until(browser: Chrome, true: Callable[[Chrome], object], what: str = "") -> None:
    WebDriverWait(browser, 10, 0.05).until(lambda one: bool(true(one)), what)


def shows(browser: Chrome, selector: str, text: str) -> None:
    """Wait until the element has the text in it."""
    script = "return document.querySelector(arguments[0])?.textContent.includes(arguments[1]) ?? false"
    until(browser, lambda one: one.execute_script(script, selector, text), f"{selector}: {text}")


def appears(browser: Chrome, selector: str) -> None:
    """Wait until the page has such an element."""
    script = "return document.querySelector(arguments[0]) !== null"
    until(browser, lambda one: one.execute_script(script, selector), selector)


def at(browser: Chrome, path: str) -> None:
    """Wait until the browser has gone to a path."""
    until(browser, lambda one: one.execute_script("return location.pathname") == path, path)
    until(browser, lambda one: one.execute_script("return document.readyState") == "complete", path)


def find(browser: Chrome, selector: str) -> WebElement:
    return browser.find_element(By.CSS_SELECTOR, selector)


def button(browser: Chrome, words: str) -> WebElement:
    """The button of the page's main part with these words."""
    for each in browser.find_elements(By.CSS_SELECTOR, "main button, main summary, main a.cdx-button"):
        if each.is_displayed() and each.text.partition("“")[0].strip() == words:
            return each
    raise AssertionError(words)


def items(browser: Chrome) -> list[str]:
    """What the preview is about, from the top."""
    return [each.text for each in browser.find_elements(By.CSS_SELECTOR, "#preview tbody th")]


def versions(session: Session) -> list[tuple[str | None, str, str]]:
    session.rollback()
    rows = session.scalars(select(schema.Override).order_by(schema.Override.id))
    return [(row.text, row.author, row.why) for row in rows]


def test_from_a_bad_wording_to_a_better_one_and_back_to_the_desk(
    browser: Chrome, served: str, session: Session, pairs: list[int], judge_trials: Callable[[], list[str]]
) -> None:
    sign_in(browser, served)
    browser.get(f"{served}/pair/{pairs[0]}?state=all")
    appears(browser, ".decisions [aria-keyshortcuts]")
    browser.execute_async_script("setTimeout(arguments[0], 300)")  # an editor looks before pressing a key
    ActionChains(browser).send_keys("b").perform()
    at(browser, FORM)
    assert "Douglas Adams was born on 11 March 1952." in find(browser, ".came-from").text
    assert "Douglas Adams was born on" in find(browser, "li.from-here").text

    find(browser, "#pattern").send_keys("{subject} came")
    shows(browser, "#preview-told", "The pattern lacks {object}.")
    find(browser, "#pattern").send_keys(" into the world on {object}.")
    shows(browser, "#preview-place tr.from-here", READS)
    shows(browser, "#preview-told", "The preview shows 2 statements.")
    assert items(browser)[0] == "Douglas Adams\nYou came from this one"
    assert browser.execute_script("return location.pathname") == FORM, "nobody was led away from the field"
    assert browser.switch_to.active_element.get_attribute("id") == "pattern"

    button(browser, "Judge these again with this wording").click()
    shows(browser, "#trial", "It waits for a worker. None was heard of lately")
    assert judge_trials() == ["Tried 1 wording."]
    shows(browser, "#trial-told", "1 of 2 verdicts would change.")
    changed = find(browser, "tr.from-here").text
    assert READS in changed
    assert "The page says otherwise" in changed
    assert "The page supports it" in changed
    assert find(browser, "#trial").text.count("Page not found") == 2
    assert versions(session) == []

    find(browser, "#why").send_keys(WHY)
    button(browser, "Save this wording").click()
    at(browser, FORM)
    assert "Saved. 2 pairs wait to be judged again" in find(browser, "main").text
    assert versions(session) == [(PATTERN, "Ada", WHY)]
    button(browser, "Back to the desk").click()
    at(browser, f"/pair/{pairs[0]}")
    assert browser.current_url.endswith("?state=all")


def test_the_same_without_scripts(
    scriptless: Chrome, served: str, session: Session, pairs: list[int], judge_trials: Callable[[], list[str]]
) -> None:
    sign_in(scriptless, served)
    scriptless.get(f"{served}/pair/{pairs[0]}?state=all")
    find(scriptless, "button[value=bad_wording]").click()
    at(scriptless, FORM)
    find(scriptless, "#pattern").send_keys("no gaps", Keys.ENTER)
    at(scriptless, f"{FORM}/preview")
    assert "The pattern lacks {subject}." in find(scriptless, "#complaint").text
    find(scriptless, "#complaint a").click()
    assert scriptless.current_url.endswith("#pattern")
    find(scriptless, "#pattern").clear()
    find(scriptless, "#pattern").send_keys(PATTERN, Keys.ENTER)
    until(scriptless, items)
    assert items(scriptless) == ["Douglas Adams\nYou came from this one", "Angela Merkel"]
    assert READS in find(scriptless, "#preview tr.from-here").text

    button(scriptless, "Judge these again with this wording").click()
    until(scriptless, lambda one: "/wording/trial/" in one.current_url)
    assert "It waits for a worker" in find(scriptless, "#trial").text
    judge_trials()
    find(scriptless, "#look-again").click()
    shows(scriptless, "#trial", "1 of 2 verdicts would change.")
    button(scriptless, "Save this wording").click()
    assert "/wording/trial/" in scriptless.current_url, "the browser itself asks for a reason"
    find(scriptless, "#why").send_keys(WHY)
    button(scriptless, "Save this wording").click()
    at(scriptless, FORM)
    assert versions(session) == [(PATTERN, "Ada", WHY)]

    button(scriptless, "Remove …").click()
    find(scriptless, ".act[open] input[name=why]").send_keys("it was no better", Keys.ENTER)
    shows(scriptless, "main", "Removed.")
    assert "it was no better" in find(scriptless, ".history").text
    button(scriptless, "Restore …").click()
    find(scriptless, ".act[open] input[name=why]").send_keys("it was, after all", Keys.ENTER)
    shows(scriptless, "main", "Restored.")
    assert versions(session)[1:] == [(None, "Ada", "it was no better"), (PATTERN, "Ada", "it was, after all")]
    button(scriptless, "Back to the desk").click()
    at(scriptless, f"/pair/{pairs[0]}")


def test_a_name_and_a_class_are_previewed_as_soon_as_they_are_chosen(
    browser: Chrome, served: str, session: Session, config: Config
) -> None:
    ship, human = Term("Q11446", "ship"), Term("Q5", "human")
    titanic = Case(
        Term("Q25173", "RMS Titanic"), BORN, time_snak("P569", "+1911-05-31T00:00:00Z"), "https://s.example/t"
    )
    cases = [
        replace(BIRTHDAY, classes=(human.id,)),
        replace(BIRTHDAY, item=titanic.item, snak=titanic.snak, url=titanic.url, guid="", classes=(ship.id,)),
    ]
    fill(session, config.var, cases, (*ALL_TERMS, titanic.item, ship, human))
    browser.get(served + FORM)
    find(browser, "#name-3").click()
    shows(browser, "#preview", "birth date")
    assert sorted(items(browser)) == ["Douglas Adams", "RMS Titanic"]
    Select(find(browser, "#for-label")).select_by_value("Q11446")
    shows(browser, "#preview", "those that are ship")
    assert items(browser) == ["RMS Titanic"]
    find(browser, "#pattern").send_keys(PATTERN)
    shows(browser, "#preview", "Douglas Adams came into the world")
    Select(find(browser, "#for-pattern")).select_by_value("Q5")
    shows(browser, "#preview", "those that are human")
    assert items(browser) == ["Douglas Adams"]


def test_while_a_trial_waits_nothing_moves_and_then_the_end_alone_is_told(
    browser: Chrome, served: str, session: Session, pairs: list[int], judge_trials: Callable[[], list[str]]
) -> None:
    trial = ask(session, "P569", None, Override("pattern", PATTERN), "Ada").id
    session.commit()
    browser.get(f"{served}{FORM}/trial/{trial}")
    browser.execute_script(
        "window.told = []; window.asked = 0;"
        "new MutationObserver(() => told.push(document.getElementById('trial-told').textContent))"
        ".observe(document.getElementById('trial-told'), {childList: true, characterData: true, subtree: true});"
        "document.body.addEventListener('htmx:afterRequest', () => asked++);"
        "document.getElementById('trial').dataset.untouched = 'yes';"
        "document.querySelector('#trial tbody a').focus();"
    )
    focused = browser.switch_to.active_element.get_attribute("id")
    until(browser, lambda one: one.execute_script("return asked") >= 2)
    assert find(browser, "#trial").get_attribute("data-untouched") == "yes"
    assert browser.execute_script("return told") == []
    judge_trials()
    shows(browser, "#trial-told", "1 of 2 verdicts would change.")
    assert set(browser.execute_script("return told")) == {"1 of 2 verdicts would change."}
    assert browser.switch_to.active_element.get_attribute("id") == focused, "the keyboard stays where it was"


def test_the_history_is_restored_by_keyboard_alone(
    browser: Chrome, served: str, session: Session, pairs: list[int]
) -> None:
    save_override(session, "P569", "label", "born on", "Bob", None, "first")
    save_override(session, "P569", "pattern", PATTERN, "Bob", None, "second")
    session.commit()
    sign_in(browser, served)
    browser.get(served + FORM)
    keys = ActionChains(browser)

    def on(words: str) -> None:
        for _ in range(80):
            keys.send_keys(Keys.TAB).perform()
            if browser.switch_to.active_element.text.startswith(words):
                return
        raise AssertionError(words)

    on("Restore …")
    keys.send_keys(Keys.ENTER).perform()
    keys.send_keys(Keys.TAB).perform()
    assert browser.switch_to.active_element.get_attribute("name") == "why"
    keys.send_keys("the first was better", Keys.TAB).perform()
    assert browser.switch_to.active_element.text.startswith("Restore")
    keys.send_keys(Keys.ENTER).perform()
    shows(browser, "main", "Restored.")
    assert versions(session)[-1] == ("born on", "Ada", "the first was better")
    top = find(browser, ".history tbody tr")
    assert [" ".join(each.text.split()) for each in top.find_elements(By.CSS_SELECTOR, "th, td")][:2] == [
        f"≠ Changed the sentence “{PATTERN}” → was changed to the name “born on” For: all subjects (restored)",
        "Ada",
    ]


@pytest.mark.parametrize("scripts", [True, False])
def test_wordings_are_downloaded_changed_and_brought_in(
    request: pytest.FixtureRequest, served: str, session: Session, pairs: list[int], tmp_path: Path, scripts: bool
) -> None:
    browser: Chrome = request.getfixturevalue("browser" if scripts else "scriptless")
    save_override(session, "P569", "pattern", PATTERN, "Bob", None, "first")
    session.commit()
    sign_in(browser, served)
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    browser.get(f"{served}/properties")
    browser.find_element(By.LINK_TEXT, "All wordings as a file").click()
    at(browser, "/wordings")
    assert find(browser, ".nav [aria-current]").text == "Properties"
    button(browser, "Download all wordings (YAML)").click()
    file = tmp_path / "wordings.yaml"
    until(browser, lambda _: file.is_file() and file.read_text())
    file.write_text(file.read_text().replace("came into the world", "saw the light of day"))

    find(browser, "#file").send_keys(str(file))
    button(browser, "See what it would change").click()
    appears(browser, "#h-plan")
    assert "saw the light of day" in find(browser, "section[aria-labelledby=h-plan]").text
    assert len(versions(session)) == 1
    find(browser, "#why").send_keys("agreed on the wiki", Keys.ENTER)
    shows(browser, "main", "1 wording was changed.")
    assert versions(session)[-1] == (
        PATTERN.replace("came into the world", "saw the light of day"),
        "Ada",
        "agreed on the wiki",
    )
    find(browser, "#text").send_keys("wordings: [")
    button(browser, "See what it would change").click()
    shows(browser, "#complaint", "Line 2: this isn't YAML")
    assert find(browser, "#text").get_attribute("value") == "wordings: ["


MARKUP = "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"
HOSTILE = f"\u202e{MARKUP}'\"]]>--%>{{{{7*7}}}} %(num)s {'x' * 120}"


@pytest.fixture
def hostile(session: Session, config: Config) -> dict[str, Any]:
    """A property, its items, classes, qualifiers, authors, reasons and wordings, all with markup for text."""
    born = Term("P569", f"born {HOSTILE}", (f"alias {HOSTILE}", "born on"), f"description {HOSTILE}")
    item = Term("Q42", f"Douglas {HOSTILE}", (), HOSTILE)
    ship, town = Term("Q11446", f"ship {HOSTILE}"), Term("P19", f"town {HOSTILE}")
    case = replace(BIRTHDAY, item=item, property=born, classes=(ship.id,), quotes=())
    (pair,) = fill(session, config.var, [case], (born, item, ship, town, CAMBRIDGE, *ALL_TERMS[-1:]))
    pattern = f"{{subject}} {MARKUP} on {{object}}[ in {{P19}}]."
    save_override(session, "P569", "pattern", pattern, f"Bob {MARKUP}", None, f"since {HOSTILE}"[:480])
    save_override(session, "P569", "label", f"alias {HOSTILE}", MARKUP, ship.id, MARKUP)
    first = remove(session, "P569", MARKUP, None, MARKUP).version.id
    restore(session, "P569", first - 2, MARKUP, MARKUP)
    trial = ask(session, "P569", ship.id, Override("pattern", pattern), MARKUP).id
    session.commit()
    return {"pair": pair, "trial": trial, "pattern": pattern, "alias": born.aliases[0]}


@pytest.mark.parametrize(("width", "language"), [(360, "ar-XB"), (1280, "en")])
def test_markup_in_every_field_is_text_and_nothing_sticks_out(
    browser: Chrome,
    served: str,
    session: Session,
    config: Config,
    hostile: dict[str, Any],
    judge_trials: Callable[[], list[str]],
    width: int,
    language: str,
) -> None:
    def looks_well() -> None:
        """Nothing has become markup, nothing is wider than the screen, and axe has no complaint."""
        if AXE.is_file():
            browser.execute_script(AXE.read_text(encoding="utf-8"))
            options = {"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"]}
            script = "axe.run(arguments[0]).then(arguments[arguments.length - 1])"
            found = browser.execute_async_script(script, options)["violations"]
            assert not found, [(each["id"], each["nodes"][0]["html"][:300]) for each in found]
        assert sticking_out(browser) == [], browser.current_url
        assert browser.title != "taken"
        assert browser.find_elements(By.CSS_SELECTOR, "main script, main img") == []
        assert "49" not in find(browser, "main").text.replace("1949", "")

    screen(browser, width)
    sign_in(browser, served)
    if language != "en":
        browser.execute_cdp_cmd("Network.setCookie", {"url": served, "name": "language", "value": language})
    came = f"?pair={hostile['pair']}&list=state%3Dall%26domain%3D%3Cscript%3E"
    browser.get(f"{served}{FORM}{came}")
    looks_well()
    for text, selector in ((hostile["pattern"], "#preview"), (f"{{subject}} {HOSTILE}", "#preview-place .cdx-message")):
        browser.execute_script("arguments[0].value = arguments[1]", find(browser, "#pattern"), text)
        find(browser, "#pattern").send_keys(" ")
        appears(browser, selector)
        looks_well()
    find(browser, "#name-2").click()
    appears(browser, "#preview")
    looks_well()
    browser.execute_script("arguments[0].value = arguments[1]", find(browser, "#why"), HOSTILE)
    find(browser, "#preview form button").click()
    shows(browser, ".history", MARKUP)
    looks_well()
    assert versions(session)[-1][0] == hostile["alias"]
    for each in browser.find_elements(By.CSS_SELECTOR, ".act > summary"):
        each.click()
    looks_well()
    browser.get(f"{served}{FORM}/trial/{hostile['trial']}{came}")
    looks_well()
    judge_trials()
    appears(browser, "#trial form")
    looks_well()
    browser.get(f"{served}/wordings")
    text = "wordings:\n  P569:\n    - pattern: '{subject} <img src=x> {object}'\n  P1<img src=x>: []\n"
    browser.execute_script("arguments[0].value = arguments[1]", find(browser, "#text"), text)
    find(browser, "main form button").click()
    appears(browser, "#h-plan")
    looks_well()
