"""How sure a share is that was counted on few cases."""

from __future__ import annotations

import math

_Z = 1.959963984540054  # of 95 %


def wilson(part: int, whole: int) -> tuple[float, float] | None:
    """The interval that holds the true share in 95 of 100 cases (Wilson's, without continuity correction).

    `part` of `whole` were so; None where there were none at all.
    """
    if not 0 <= part <= whole:
        raise ValueError(f"{part} of {whole} is no share")
    if whole == 0:
        return None
    share = part / whole
    middle = (share + _Z**2 / (2 * whole)) / (1 + _Z**2 / whole)
    half = _Z / (1 + _Z**2 / whole) * math.sqrt(share * (1 - share) / whole + _Z**2 / (4 * whole**2))
    return max(middle - half, 0.0) if part else 0.0, min(middle + half, 1.0) if part < whole else 1.0
