"""Wordings as a YAML file that a community keeps on its wiki: written in one order and form, and read strictly.

    wordings:
      P569: # date of birth
        - pattern: "{subject} was born on {object}."
        - class: Q11446 # ship
          label: "launched"
      P570: []

Under a property stand its wording for all subjects, then those for the subjects of a class. A property with an empty
list has no wording of editors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import yaml

from models.verbalise import Complaint, Override
from models.verbalise.labels import one_line

MOST_BYTES = 500_000
_MOST_DEPTH = 6
_LONGEST_SHOWN = 60
_PROPERTY, _CLASS = re.compile(r"P[1-9][0-9]{0,11}"), re.compile(r"Q[1-9][0-9]{0,11}")
_KEYS = {"class", "label", "pattern"}
# Ten times as fast where it is there; both are safe.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Wordings = Mapping[str, Mapping[str | None, Override]]


@dataclass(frozen=True, slots=True)
class Entry:
    """A wording as a file has it, and the line where it begins."""

    line: int
    property_id: str
    subject_class: str | None
    override: Override


@dataclass(frozen=True, slots=True)
class Mistake:
    """What can't be used of a file: on which line, of which property ("": of none), and why."""

    line: int
    property_id: str
    complaint: Complaint


@dataclass(frozen=True, slots=True)
class WordingFile:
    """What a file says: which properties it names (with the line), their wordings, and what can't be used of it."""

    properties: Mapping[str, int]
    entries: tuple[Entry, ...]
    mistakes: tuple[Mistake, ...]


class NotAWordingFile(Exception):
    """Text that isn't a file of wordings at all. `complaint` is one line for the person."""

    def __init__(self, complaint: Complaint) -> None:
        super().__init__(complaint)
        self.complaint = complaint


def write(wordings: Wordings, names: Mapping[str, str | None]) -> str:
    """The file, always in the same order and form; `names` are labels of ids, which stand as comments."""
    if not wordings:
        return "wordings: {}\n"
    lines = ["wordings:"]
    for property_id in sorted(wordings, key=_number):
        overrides = wordings[property_id]
        lines.append(f"  {property_id}:{'' if overrides else ' []'}{_comment(names.get(property_id))}")
        for subject_class in sorted(overrides, key=lambda name: (name is not None, _number(name or "Q0"))):
            override = overrides[subject_class]
            said = f"{override.wording}: {_quoted(override.text)}"
            if subject_class is None:
                lines.append(f"    - {said}")
            else:
                lines += [f"    - class: {subject_class}{_comment(names.get(subject_class))}", f"      {said}"]
    return "\n".join(lines) + "\n"


def read(text: str) -> WordingFile:
    """What the text of a file says. Raises `NotAWordingFile` where it isn't YAML, too large, or has no wordings."""
    root = _mapping(_composed(text))
    if root is None:
        raise NotAWordingFile(Complaint("A file of wordings begins with a line “wordings:”."))
    reading = _Reading()
    found = None
    for key, node in reading.items(root, ""):
        if key == "wordings":
            found = node
        else:
            reading.mistake(node, "", Complaint("“%(key)s” is not known here: only “wordings” is.", key=_shown(key)))
    properties = _mapping(found) if found is not None else None
    if properties is None:
        raise NotAWordingFile(Complaint("A file of wordings begins with a line “wordings:”."))
    for name, node in reading.items(properties, ""):
        reading.property(name, node)
    return WordingFile(reading.properties, tuple(reading.entries), tuple(sorted(reading.mistakes, key=_line)))


class _Reading:
    """Reads the nodes of a file and gathers what it says."""

    def __init__(self) -> None:
        self.properties: dict[str, int] = {}
        self.entries: list[Entry] = []
        self.mistakes: list[Mistake] = []

    def mistake(self, node: yaml.Node, property_id: str, complaint: Complaint) -> None:
        self.mistakes.append(Mistake(node.start_mark.line + 1, property_id, complaint))

    def items(self, node: yaml.MappingNode, property_id: str) -> Iterator[tuple[str, yaml.Node]]:
        """The keys with their values; a key that isn't a word, or that was there before, is a mistake."""
        seen: dict[str, int] = {}
        for key, value in node.value:
            name = _scalar(key)
            if name is None:
                self.mistake(key, property_id, Complaint("A key is a word on its line."))
            elif name in seen:
                known_as = property_id or (name if _PROPERTY.fullmatch(name) else "")
                self.mistake(
                    key,
                    known_as,
                    Complaint("“%(key)s” is on line %(line)s already.", key=_shown(name), line=seen[name]),
                )
            else:
                seen[name] = key.start_mark.line + 1
                yield name, value

    def property(self, name: str, node: yaml.Node) -> None:
        if not _PROPERTY.fullmatch(name):
            self.mistake(node, "", Complaint("“%(key)s” is no property: write its id, like P569.", key=_shown(name)))
            return
        self.properties[name] = node.start_mark.line + 1
        if not isinstance(node, yaml.SequenceNode):
            self.mistake(node, name, Complaint("Under a property stands a list, each wording with a “-”."))
            return
        seen: dict[str | None, int] = {}
        for each in node.value:
            entry = self.entry(name, each)
            if entry is None:
                continue
            if entry.subject_class in seen:
                whom = entry.subject_class
                complaint = (
                    Complaint("A wording for all subjects is on line %(line)s already.", line=seen[whom])
                    if whom is None
                    else Complaint("A wording for %(item)s is on line %(line)s already.", item=whom, line=seen[whom])
                )
                self.mistake(each, name, complaint)
                continue
            seen[entry.subject_class] = entry.line
            self.entries.append(entry)

    def entry(self, property_id: str, node: yaml.Node) -> Entry | None:
        fields = _mapping(node)
        if fields is None:
            self.mistake(
                node, property_id, Complaint("A wording has “label” or “pattern”, and “class” where it is for one.")
            )
            return None
        known: dict[str, str] = {}
        before = len(self.mistakes)
        for key, value in self.items(fields, property_id):
            text = _scalar(value)
            if key not in _KEYS:
                complaint = Complaint(
                    "“%(key)s” is not known here: “label”, “pattern” and “class” are.", key=_shown(key)
                )
                self.mistake(value, property_id, complaint)
            elif text is None:
                self.mistake(value, property_id, Complaint("“%(key)s” takes a text.", key=key))
            else:
                known[key] = text
        subject_class = known.get("class")
        if subject_class is not None and not _CLASS.fullmatch(subject_class):
            complaint = Complaint(
                "“class” takes the id of an item, like Q5, not “%(text)s”.", text=_shown(subject_class)
            )
            self.mistake(node, property_id, complaint)
        if len(self.mistakes) > before:
            return None
        if ("label" in known) == ("pattern" in known):
            self.mistake(node, property_id, Complaint("A wording has either “label” or “pattern”."))
            return None
        override = Override("label", known["label"]) if "label" in known else Override("pattern", known["pattern"])
        return Entry(node.start_mark.line + 1, property_id, subject_class, override)


def _composed(text: str) -> yaml.Node | None:
    """The nodes of the text. Aliases are refused, and so is what is nested: a few bytes could stand for gigabytes."""
    if len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise NotAWordingFile(Complaint("The file is larger than %(most)s kilobytes.", most=MOST_BYTES // 1000))
    depth = 0
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) or getattr(event, "tag", None):
                line = _line_of(event)
                raise NotAWordingFile(
                    Complaint("Line %(line)s: anchors, aliases and tags aren't used here.", line=line)
                )
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _MOST_DEPTH:
                line = _line_of(event)
                raise NotAWordingFile(Complaint("Line %(line)s: this is nested too deeply.", line=line))
        node: yaml.Node | None = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        said = _shown(error.problem or "")
        raise NotAWordingFile(Complaint("Line %(line)s: this isn't YAML: %(said)s.", line=line, said=said)) from error
    except yaml.YAMLError as error:
        raise NotAWordingFile(Complaint("There are characters in it that YAML doesn't allow.")) from error
    return node


def _mapping(node: yaml.Node | None) -> yaml.MappingNode | None:
    """The node as a mapping; nothing at all is one without keys."""
    if isinstance(node, yaml.MappingNode):
        return node
    return None


def _scalar(node: yaml.Node) -> str | None:
    return str(node.value) if isinstance(node, yaml.ScalarNode) else None


def _line_of(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark is not None else 1


def _line(mistake: Mistake) -> int:
    return mistake.line


def _number(identifier: str) -> tuple[int, str]:
    return len(identifier), identifier


def _shown(text: str) -> str:
    text = one_line(text)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def _comment(name: str | None) -> str:
    """The name behind a "#"; only letters that YAML allows in a comment."""
    said = "".join(character for character in one_line(name or "") if character.isprintable())
    return f" # {said[:100]}" if said else ""


def _quoted(text: str) -> str:
    """The text in double quotes, with whatever YAML wants escaped."""
    return str(yaml.dump(text, Dumper=yaml.SafeDumper, default_style='"', allow_unicode=True, width=10**9)).strip()
