"""What the subject of a statement is, in English words: by its description, its label's end and its classes."""

from __future__ import annotations

import re

from models.statement import Statement

_DESCRIBED = re.compile(
    r"\s(?:of|in|by|for|from|at|on|to|with|and|or|that|which|who|based|founded|formed|established|directed|developed|"
    r"released|recorded|written|published|located|held)\b|[,;:(/]"
)

# The commonest classes, for subjects whose description is missing or in another language.
_CLASSES = {
    "Q11424": "film",
    "Q24862": "film",
    "Q506240": "film",
    "Q482994": "album",
    "Q134556": "single",
    "Q7366": "song",
    "Q7889": "video game",
    "Q5398426": "television series",
    "Q783794": "company",
    "Q4830453": "business",
    "Q6881511": "enterprise",
    "Q43229": "organization",
    "Q163740": "organization",
    "Q476028": "club",
    "Q215380": "band",
    "Q5741069": "band",
    "Q11032": "newspaper",
    "Q41298": "magazine",
    "Q3918": "university",
    "Q3914": "school",
    "Q33506": "museum",
    "Q7075": "library",
    "Q16917": "hospital",
    "Q515": "city",
    "Q3957": "town",
    "Q532": "village",
    "Q486972": "settlement",
    "Q15284": "municipality",
    "Q484170": "municipality",
    "Q41176": "building",
    "Q3947": "house",
    "Q16970": "church",
    "Q12280": "bridge",
    "Q34442": "road",
    "Q79007": "street",
    "Q55488": "station",
    "Q1248784": "airport",
    "Q8502": "mountain",
    "Q4022": "river",
    "Q23397": "lake",
    "Q23442": "island",
    "Q178561": "battle",
    "Q198": "war",
    "Q40231": "election",
}


def kinds(statement: Statement) -> tuple[str, ...]:
    """What the subject is called, as phrases that end in the noun.

    "American film production company in Ohio" calls it a company, and neither a film nor Ohio.
    """
    item = statement.item
    described = _DESCRIBED.split(item.description, maxsplit=1)[0].rstrip()
    return (described, item.label or "", *(_CLASSES[known] for known in statement.classes if known in _CLASSES))
