"""What is wrong with something that a person gave: a sentence, kept with its gaps so that it can be translated."""

from __future__ import annotations


class Complaint(str):
    """One line for the person, in English. `template` is the sentence with gaps like `%(text)s`, `given` fills them."""

    __slots__ = ("given", "template")
    template: str
    given: dict[str, str | int]

    def __new__(cls, template: str, /, **given: str | int) -> Complaint:
        """The sentence, filled; without `given` it stands as it is."""
        made = super().__new__(cls, template % given if given else template)
        made.template, made.given = template, given
        return made
