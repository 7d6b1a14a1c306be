"""A layer: what colors and marks the cabinets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Layer:
    """Colors of the cabinets by a figure.

    Attributes
    ----------
    choice, title
        Text of the choice and of the legend.
    highest
        Text at the upper end of the legend; the lower end is 0.
    share
        Share of the upper end for each cabinet by number, float (C,).
    marks
        Short text on each cabinet.
    """

    choice: str
    title: str
    highest: str
    share: np.ndarray
    marks: tuple[str, ...]

    @classmethod
    def of_share(cls, choice: str, title: str, share: np.ndarray) -> Layer:
        """Return a layer in percent."""
        return cls(choice, title, "100 %", share, tuple(f"{100 * one:.0f}%" for one in share.tolist()))
