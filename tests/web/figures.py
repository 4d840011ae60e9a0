"""Measured figures as a fit writes them, for the pages that show them."""

from __future__ import annotations

from typing import Any

FIGURES: dict[str, Any] = {
    "rows": 508,
    "unsupported": 44,
    "how": "five folds by page, five seeds",
    "by_property": [
        {"id": "P19", "label": "place of birth", "n": 9, "wrong": 0.4, "unsure": 1.0},
        {"id": "P569", "label": "date of birth", "n": 62, "wrong": 2.9, "unsure": 4.0},
        {"id": "P69", "label": "educated at", "n": 2, "wrong": 0.0, "unsure": 2.0},
    ],
    "by_domain": [
        {"domain": "example.org", "n": 40, "wrong": 1.9, "unsure": 2.0},
        {"domain": "a-very-long-name.of-a-host.example.com", "n": 3, "wrong": 1.0, "unsure": 0.0},
    ],
    "reliability": [
        {"from": tenth / 10, "to": (tenth + 1) / 10, "n": 5.0 + tenth**2, "said": tenth / 10 + 0.04, "found": found}
        for tenth, found in enumerate((0.06, 0.1, 0.3, 0.33, 0.4, 0.6, 0.65, 0.7, 0.88, 0.97))
    ],
    "risk_coverage": [{"coverage": share / 10, "risk": 0.002 + 0.0007 * share**2} for share in range(2, 11)],
}
