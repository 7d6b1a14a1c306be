"""Size limits of drawings: a few kilobytes of nested blocks, or of coordinates, can expand without bound."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import ezdxf.bbox
from ezdxf.document import Drawing as Document
from ezdxf.entities import DXFEntity, Insert
from ezdxf.layouts import BlockLayout

from planner.core.errors import InputError, Problem

MAX_BYTES = 2**27
"""Maximum size of a file."""

MAX_ENTITIES = 200_000
"""Maximum entities of the model space; a hall with 10,000 cabinets has a tenth of that."""

MAX_DRAWN = 100_000
"""Maximum entities drawn by all blocks together, each block counted once with the blocks inside it."""

MAX_POINTS = 20_000
"""Maximum points of one line."""

MAX_COORDINATE_MM = 10_000_000
"""Ten kilometers: no floor reaches farther from the origin of its drawing."""

LINES = {"LWPOLYLINE", "POLYLINE", "CIRCLE", "LINE", "ARC", "ELLIPSE", "SPLINE"}


def check_size(doc: Document) -> None:
    """Refuse a drawing that is too large.

    Raises
    ------
    InputError
        With the block or the number beyond the limit.
    """
    count = len(doc.modelspace())
    if count > MAX_ENTITIES:
        message = f"has {count:,} entities, and the limit is {MAX_ENTITIES:,}"
        raise InputError(Problem("", message, "save only the layers of the floor"))
    used = {entity.dxf.name for entity in doc.modelspace() if isinstance(entity, Insert)}
    drawn: dict[str, int] = {}
    total = 0
    for name in sorted(used):
        total += _drawn(doc, name, drawn, ())
        if total > MAX_DRAWN:
            message = f"draws {total:,} lines with the blocks inside it, and the limit is {MAX_DRAWN:,}"
            raise InputError(Problem(f"block {name}", message, "simplify the block"))


def _drawn(doc: Document, name: str, known: dict[str, int], within: tuple[str, ...]) -> int:
    """Return the number of lines that a block draws, arrays and nested blocks included."""
    if name in within:
        raise InputError(Problem(f"block {name}", "contains itself", "explode it once"))
    if name not in known:
        block = doc.blocks.get(name)
        count = 0
        for entity in block if block is not None else ():
            if isinstance(entity, Insert):
                count += max(1, entity.mcount) * _drawn(doc, entity.dxf.name, known, (*within, name))
            else:
                count += entity.dxftype() in LINES
        known[name] = count
    return known[name]


def check_reach(points: Any, factor: float) -> None:
    """Refuse points outside the range of any floor; `factor` is the number of mm per unit of the drawing.

    Raises
    ------
    ValueError
        When one is not finite or beyond `MAX_COORDINATE_MM`, or there are too many.
    """
    for number, point in enumerate(points):
        if not (math.isfinite(point.x) and math.isfinite(point.y) and math.isfinite(point.z)):
            raise ValueError("a coordinate is not a number")
        if max(abs(point.x), abs(point.y), abs(point.z)) * factor > MAX_COORDINATE_MM:
            raise ValueError("a coordinate is beyond 10 km; check the drawing's units")
        if number > MAX_POINTS:
            raise ValueError(f"it has more than {MAX_POINTS:,} points")


@lru_cache(4096)
def extents(block: BlockLayout) -> tuple[float, float, float, float] | None:
    """Return the bounds of a block's lines in its own coordinates; texts and attributes do not count."""
    lines: list[DXFEntity] = [entity for entity in block if entity.dxftype() in LINES | {"INSERT"}]
    box = ezdxf.bbox.extents(lines, fast=True)
    return (box.extmin.x, box.extmin.y, box.extmax.x, box.extmax.y) if box.has_data else None
