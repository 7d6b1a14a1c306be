"""Colors of the cabinets on the floor: each file of this folder defines a layer, and `ORDER`, its position among the choices."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from planner.model import Plan
from planner.report._web.columns import packed


def layers(plan: Plan) -> list[dict[str, Any]]:
    """Return the layers that a plan with cabinets has, in order."""
    names = (path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    files = sorted((import_module(f"{__name__}.{name}") for name in names), key=lambda file: file.ORDER)
    made = ((file.__name__.rpartition(".")[2], file.layer(plan)) for file in files)
    return [
        {
            "name": name,
            "choice": layer.choice,
            "title": layer.title,
            "highest": layer.highest,
            "share": packed(layer.share),
            "marks": list(layer.marks),
        }
        for name, layer in made
        if layer is not None
    ]
