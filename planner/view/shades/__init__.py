"""Shades of the cabinets on a floor, for paper, drawings and the web page.

Each file of this folder defines one, and `ORDER`, its position among the choices.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np

from planner.domain.model import Plan

__all__ = ["Shade", "shades"]


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


def shades(plan: Plan) -> dict[str, Shade]:
    """Return the shades that a plan with cabinets has, by name and in order."""
    names = (path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    files = sorted((import_module(f"{__name__}.{name}") for name in names), key=lambda file: file.ORDER)
    made = {file.__name__.rpartition(".")[2]: file.shade(plan) for file in files}
    return {name: shade for name, shade in made.items() if shade is not None}
