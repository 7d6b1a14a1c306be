"""Shades of the cabinets on a floor, for paper, drawings and the web page.

Each file of this folder defines one, and `ORDER`, its position among the choices.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from planner.model import Plan
from planner.report.shades._shade import Shade

__all__ = ["Shade", "shades"]


def shades(plan: Plan) -> dict[str, Shade]:
    """Return the shades that a plan with cabinets has, by name and in order."""
    names = (path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    files = sorted((import_module(f"{__name__}.{name}") for name in names), key=lambda file: file.ORDER)
    made = {file.__name__.rpartition(".")[2]: file.shade(plan) for file in files}
    return {name: shade for name, shade in made.items() if shade is not None}
