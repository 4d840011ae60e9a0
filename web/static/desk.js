// The editors' desk by keyboard, with the next pair loaded ahead. Without this script the same page works by its forms
// and links; all that is done here is to press them sooner. No framework, no build: what the server sends is shown.

const KEYS = "citewell.keys"; // in localStorage, "off" where the reader wants no single keys (WCAG 2.1.4)
const REPEAT_MS = 150; // a second press so soon wasn't meant for a pair that nobody can have read

const find = (selector, root = document) => root.querySelector(selector);
const desk = () => document.getElementById("desk");
const words = () => document.getElementById("desk-words").dataset;

/** The pair that comes next, fetched already; those that were left, as they were; the last decision on its way. */
let ahead = null;
const left = [];
let sending = Promise.resolve();
const failed = [];
let shownAt = 0;
let shownPlace = location.pathname + location.search;

// ---- what a screen reader is told

function tell(text) {
  const told = document.getElementById("told");
  told.textContent = "";
  // A text that is the same again is only read out where the region was empty for a moment.
  requestAnimationFrame(() => (told.textContent = text));
}

// ---- loading and showing

async function load(href) {
  const answer = await fetch(href, { headers: { "X-Desk": "1" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.getElementById("desk");
  if (!answer.ok || !found) throw new Error(find("main p", page)?.textContent ?? words().unanswered);
  return { href, title: page.title, desk: document.adoptNode(found) };
}

/** Begin to fetch the next pair, so that it is there when the editor decides. */
function lookAhead() {
  const href = desk()?.dataset.next;
  if (!href || ahead?.href === href) return;
  ahead = { href, page: load(href) };
  ahead.page.catch(() => {
    if (ahead?.href === href) ahead = null; // it is asked for again when it is needed
  });
}

function show(page, move) {
  desk().replaceWith(page.desk);
  document.title = page.title;
  if (move) history[move]({}, "", page.href);
  shownPlace = location.pathname + location.search;
  dress(page.desk);
  scrollTo(0, 0);
  find("h1", page.desk).focus({ preventScroll: true });
  shownAt = performance.now();
  lookAhead();
}

function here() {
  return { href: location.href, title: document.title, desk: desk() };
}

async function goOn() {
  const href = desk().dataset.next;
  if (!href) return false;
  const from = here();
  const next = await (ahead?.href === href ? ahead.page : load(href)).catch(() => load(href));
  left.push(from);
  show(next, "pushState");
  return true;
}

// ---- deciding

async function send(form, decision) {
  const fields = new FormData(form);
  if (decision) {
    fields.set("decision", decision);
    // So that the answer can say whether somebody has decided about the pair that was loaded ahead.
    fields.set("ahead", form.closest("#desk").dataset.next);
  }
  let answer;
  try {
    // Kept alive: it arrives though the editor leaves the page at once.
    answer = await fetch(form.action, { method: "POST", body: fields, headers: { "X-Desk": "1" }, keepalive: true });
  } catch {
    throw new Error(words().unanswered);
  }
  const text = await answer.text();
  if (answer.redirected && new URL(answer.url).pathname === "/sign-in") throw new SignedOut(words().signedOut);
  if (!answer.ok) throw new Error(said(text));
  return text;
}

class SignedOut extends Error {}

/** The words of an error page. */
function said(text) {
  const main = find("main", new DOMParser().parseFromString(text, "text/html"));
  return find("p:not([hidden])", main ?? document.createElement("p"))?.textContent.trim() || words().unanswered;
}

/** Show the next pair at once; the decision goes its way meanwhile, after the one before it. */
async function decide(button) {
  if (performance.now() - shownAt < REPEAT_MS) return;
  const from = { ...here(), form: button.form, decision: button.value };
  if (!from.desk.dataset.reviewer) return button.form.requestSubmit(button); // leads to the sign-in form and back
  if (button.disabled) return;
  for (const each of from.desk.querySelectorAll(".desk-decision")) each.disabled = true;
  const sent = (sending = sending.then(() => send(from.form, from.decision)));
  sending = sent.catch(() => {});
  if (from.decision !== "bad_wording") await goOn().catch(() => {});
  try {
    recorded(from, await sent);
  } catch (error) {
    bringBack(from, error);
  } finally {
    for (const each of from.desk.querySelectorAll(".desk-decision")) each.disabled = false;
  }
}

/** The server has it: say so above the pair that is shown now. */
async function recorded(from, text) {
  const strip = find("aside", new DOMParser().parseFromString(text, "text/html"));
  const lead = find("[data-lead]", strip);
  from.desk.dataset.review = strip.dataset.review;
  if (desk() === from.desk) {
    // There is no next pair, or the decision leads elsewhere: the pair itself shows what was decided.
    const url = new URL(strip.dataset.next || location.href, location.href);
    url.searchParams.set("decided", strip.dataset.review);
    if (lead) {
      history.replaceState({}, "", url); // so that "back" from the form leads on in the list
      return location.assign(lead.href);
    }
    show(await load(url.href), "replaceState");
  } else {
    for (const old of document.querySelectorAll("#desk > .recorded")) old.remove();
    desk().prepend(document.adoptNode(strip));
    const url = new URL(location.href);
    url.searchParams.set("decided", strip.dataset.review);
    history.replaceState({}, "", url);
    shownPlace = location.pathname + location.search;
    dress(strip);
  }
  tell(words().recorded);
}

/** It wasn't recorded: back to the pair, as it was, and say why. */
function bringBack(from, error) {
  failed.push(from);
  const first = failed[0];
  if (desk() !== first.desk) {
    const at = left.findIndex((page) => page.desk === first.desk);
    if (at >= 0) left.splice(at);
    show(first, "pushState");
  }
  const box = document.createElement("div");
  box.className = "desk-trouble";
  const list = document.createElement("ul");
  for (const each of failed.length > 1 ? failed : []) {
    const line = document.createElement("li");
    line.textContent = find("h1", each.desk).textContent;
    list.append(line);
  }
  const again = document.createElement("button");
  again.type = "button";
  again.className = "desk-button desk-small";
  again.textContent = words().again;
  again.addEventListener("click", tryAgain);
  const otherwise = document.createElement("a");
  const signedOut = error instanceof SignedOut;
  const path = new URL(first.href).pathname + new URL(first.href).search;
  otherwise.href = signedOut ? `/sign-in?next=${encodeURIComponent(path)}` : path;
  otherwise.textContent = signedOut ? words().signIn : words().reload;
  const what = document.createElement("p");
  what.textContent = `${words().failed} ${error.message}`;
  box.append(what, list, again, " ", otherwise);
  document.getElementById("trouble").replaceChildren(box);
}

/** Send what failed once more, with the token of a page that is fresh: the editor may have signed in again. */
async function tryAgain() {
  document.getElementById("trouble").replaceChildren();
  const once = failed.splice(0);
  for (const [index, from] of once.entries()) {
    try {
      const fresh = await load(from.href);
      const form = find(".decisions", fresh.desk);
      if (!fresh.desk.dataset.reviewer) throw new SignedOut(words().signedOut);
      // What was decided was about the verdict that the editor saw.
      form.elements.verdict.value = find(".decisions", from.desk).elements.verdict.value;
      const text = await send(form, from.decision);
      if (index === once.length - 1) {
        await goOn().catch(() => {});
        await recorded(from, text);
      }
    } catch (error) {
      failed.push(...once.slice(index + 1));
      return bringBack(from, error);
    }
  }
}

// ---- undoing

async function undo(form) {
  const from = here();
  const review = form.elements.review.value;
  try {
    await sending;
    await send(form);
    const at = left.findLastIndex((page) => page.desk.dataset.review === review);
    if (at >= 0) left.splice(at);
    const path = new URL(form.action).pathname.replace(/\/undo$/, "");
    const href = new URL(path + new URL(from.href).search, location.href);
    href.searchParams.delete("decided");
    show(await load(href.href), "pushState");
    tell(words().undone);
  } catch (error) {
    const box = document.createElement("p");
    box.className = "desk-trouble";
    box.textContent = `${words().notUndone} ${error.message}`;
    document.getElementById("trouble").replaceChildren(box);
  }
}

// ---- the page as it was read, in place

const readPages = new WeakMap(); // by the desk, so that five passages fetch it once

async function openPlace(link) {
  const number = link.dataset.place;
  const box = document.getElementById(`opened-${number}`);
  for (const other of document.querySelectorAll(".opened")) {
    if (other !== box) other.hidden = true;
  }
  link.setAttribute("aria-expanded", String(box.hidden));
  if (!box.hidden) return (box.hidden = true);
  const passage = link.closest("details");
  if (passage) passage.open = true;
  const key = desk();
  if (!readPages.has(key)) {
    readPages.set(key, fetch(link.href).then(async (answer) => {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const read = find("#read .read", page) ?? find("#read", page);
      if (!answer.ok || !read) throw new Error(words().unread);
      return document.adoptNode(read);
    }));
  }
  try {
    const read = await readPages.get(key);
    box.replaceChildren(read); // the same element moves from passage to passage
    box.hidden = false;
    read.tabIndex = 0;
    const place = find(`#place-${number}`, read);
    for (let folded = place?.closest("details"); folded; folded = folded.parentElement.closest("details")) folded.open = true;
    if (place) read.scrollTop = place.getBoundingClientRect().top - read.getBoundingClientRect().top - 60 + read.scrollTop;
    else read.scrollTop = 0;
    box.scrollIntoView({ block: "nearest" });
  } catch (error) {
    readPages.delete(key);
    box.textContent = words().unread;
    box.hidden = false;
  }
}

// ---- what only scripts can do is shown only with them

function keysAreOn() {
  try {
    return localStorage.getItem(KEYS) !== "off";
  } catch {
    return true; // a browser that keeps nothing
  }
}

/** Show buttons that need a script, and write each key beside what it does; take keys away where they are off. */
function dress(root) {
  for (const button of root.querySelectorAll("[data-copy], [data-opens]")) button.hidden = false;
  for (const link of root.querySelectorAll("[data-place]")) {
    link.setAttribute("aria-expanded", "false");
    link.setAttribute("aria-controls", `opened-${link.dataset.place}`);
  }
  const on = keysAreOn();
  for (const each of root.querySelectorAll("[data-key]")) {
    const { key } = each.dataset;
    if (on) each.setAttribute("aria-keyshortcuts", key === "?" ? "Shift+?" : key);
    else each.removeAttribute("aria-keyshortcuts");
    let hint = find(":scope > kbd", each);
    if (!hint) {
      hint = document.createElement("kbd");
      hint.setAttribute("aria-hidden", "true"); // told by aria-keyshortcuts
      hint.textContent = key.toUpperCase();
      each.append(" ", hint);
    }
    hint.hidden = !on;
  }
}

// ---- keys

/** A key is the page's only where nothing else has a use for it. */
function isForUs(event) {
  if (event.defaultPrevented || event.repeat || event.isComposing) return false;
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  const field = event.target.closest?.("input, textarea, select, [contenteditable]");
  return !(field && !["checkbox", "radio", "button", "submit"].includes(field.type)) && !find("dialog[open]");
}

document.addEventListener("keydown", (event) => {
  if (!isForUs(event)) return;
  if (event.key === "Escape") {
    for (const box of document.querySelectorAll(".opened")) box.hidden = true;
    return;
  }
  if (!keysAreOn() || event.key.length !== 1) return;
  if (inList(event)) return;
  const key = event.key.toLowerCase();
  if (key === "k" && desk()) {
    event.preventDefault();
    return goBack();
  }
  // The last one opened, for keys that several passages share, else the first on the page.
  const target = document.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
  if (!target && key === "?") return document.getElementById("keys")?.showModal();
  if (!target) return;
  event.preventDefault();
  if (target.tagName === "A" && target.origin !== location.origin || target.dataset.live) {
    open(target.href, "_blank", "noopener,noreferrer"); // the pair stays in its tab
  } else target.click();
});

/** The pair before, as it is now: what was decided about it is to be seen. */
async function goBack() {
  const page = left.pop();
  if (!page) return history.back();
  const url = new URL(page.href);
  url.searchParams.delete("decided"); // what is told and undone there is the decision about the pair itself
  return show(await load(url.href).catch(() => page), "pushState");
}

/** In the list, j and k go from line to line. */
function inList(event) {
  const step = { j: 1, k: -1 }[event.key];
  const lines = [...document.querySelectorAll(".queue a.claim, [data-line]")];
  if (desk() || !step || !lines.length) return false;
  const at = lines.indexOf(document.activeElement);
  lines[at < 0 ? (step > 0 ? 0 : lines.length - 1) : Math.min(Math.max(at + step, 0), lines.length - 1)].focus();
  event.preventDefault();
  return true;
}

// ---- presses of buttons and links

document.addEventListener("click", async (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const pressed = event.target.closest("[data-opens], [data-copy], [data-place], .desk-decision, .undo button, [data-key=j]");
  if (!pressed) return;
  if (pressed.dataset.opens) return document.getElementById(pressed.dataset.opens).showModal();
  if (!desk()) return;
  if (pressed.dataset.copy) {
    await navigator.clipboard.writeText(pressed.dataset.copy);
    return tell(words().copied);
  }
  if (pressed.matches(".desk-decision") && !desk().dataset.reviewer) return; // the form itself asks for a name
  event.preventDefault();
  if (pressed.dataset.place) return openPlace(pressed);
  if (pressed.matches(".desk-decision")) return decide(pressed);
  if (pressed.matches(".undo button")) return undo(pressed.form);
  return goOn();
});

// The live page by key is that of the passage which was opened last.
document.addEventListener("toggle", (event) => {
  const live = event.target.matches?.(".passage > details") && event.target.open && find("[data-live]", event.target);
  if (!live || event.target.id) return;
  for (const other of document.querySelectorAll("[data-live]")) {
    delete other.dataset.key;
    find(":scope > kbd", other)?.remove();
    other.removeAttribute("aria-keyshortcuts");
  }
  live.dataset.key = "o";
  dress(live.parentElement);
}, true);

/** The history moved, or a page came back as it was left: show what its address says. */
async function follow() {
  // A link within the page moves the place too, and loads nothing.
  if (!desk() || shownPlace === location.pathname + location.search) return;
  try {
    show(await load(location.href));
  } catch {
    location.reload();
  }
}

addEventListener("popstate", follow);
addEventListener("pageshow", follow);

// ---- begin

function begin() {
  dress(document);
  const chosen = document.getElementById("keys-on");
  if (chosen) {
    chosen.checked = keysAreOn();
    chosen.addEventListener("change", () => {
      localStorage.setItem(KEYS, chosen.checked ? "on" : "off");
      dress(document);
    });
  }
  lookAhead();
}

begin();
