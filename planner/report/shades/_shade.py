"""A shade: what colors and marks the cabinets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Shade:
    """Colors of the cabinets by a figure.

    Attributes
    ----------
    choice, title
        Text of the choice and of the legend.
    highest
        Text at the upper end of the legend; the lower end is 0.
    whole
        What the shares are of, with its article.
    share
        Share of the upper end for each cabinet by number, float64 (C,); above 1 where a limit is exceeded.
    marks
        Short text on each cabinet.
    """

    choice: str
    title: str
    highest: str
    whole: str
    share: np.ndarray
    marks: tuple[str, ...]
