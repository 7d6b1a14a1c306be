"""The grid rooms of papers, with trays along both axes through every slot.

The shortest route over such trays has the Manhattan distance, so these rooms need no special case.
"""

from __future__ import annotations

import math
from string import ascii_uppercase
from typing import Any

from planner.hall.floor._drawing import GridRule, RowRule, TrayRule


def expand(rule: GridRule, cabinets: int) -> dict:
    """Return the fields of a `Drawing` with rows, trays and outline for a number of cabinets.

    References
    ----------
    .. [1] S. Young, S. Aksoy et al., "SpectralFly: Ramanujan graphs as flexible and efficient interconnection
           networks", IPDPS 2022, section VII: y = ceil(sqrt(2c / 0.6)) rows, x = ceil(c / y).
    .. [2] M. Koibuchi, I. Fujiwara, F. Chaix, H. Casanova, "Towards ideal hop counts in interconnection networks with
           arbitrary size", section V.B: q = ceil(sqrt(m)) rows of p = ceil(m / q) cabinets.
    """
    pitch_x, pitch_y = rule.pitch_mm
    rows = rows_of(rule, cabinets)
    columns = math.ceil(cabinets / rows)
    width, depth = rule.size_mm
    row = tuple(
        RowRule(
            name=letters(number), first_mm=(0, number * pitch_y), count=columns, pitch_mm=pitch_x, width_mm=width, depth_mm=depth
        )
        for number in range(rows)
    )
    # The papers give only the length of trays; these are wide enough never to fill.
    size: dict[str, Any] = {"width_mm": 10_000, "height_mm": 10_000, "elevation_mm": 3000}
    along = [
        TrayRule(name=f"row {r.name}", path_mm=(r.first_mm, ((columns - 1) * pitch_x, r.first_mm[1])), **size)
        for r in row
        if columns > 1
    ]
    across = [
        TrayRule(name=f"column {n + 1}", path_mm=((n * pitch_x, 0), (n * pitch_x, (rows - 1) * pitch_y)), **size)
        for n in range(columns)
        if rows > 1
    ]
    if columns == rows == 1:
        along = [TrayRule(name="tray", path_mm=((0, 0), (width, 0)), **size)]
    low_x, low_y = -width, -depth
    high_x, high_y = (columns - 1) * pitch_x + width, (rows - 1) * pitch_y + depth
    outline = ((low_x, low_y), (high_x, low_y), (high_x, high_y), (low_x, high_y))
    return {"row": row, "tray": tuple(along + across), "outline_mm": outline}


def rows_of(rule: GridRule, cabinets: int) -> int:
    """Return the number of rows for a number of cabinets.

    >>> sizes = {"pitch_mm": (2000, 600), "size_mm": (600, 600)}
    >>> spectralfly = GridRule(square="room", end_mm=2000, in_cabinet_mm=2000, cabinet_routers=2, **sizes)
    >>> rows_of(spectralfly, 84)
    17
    """
    ratio = rule.pitch_mm[0] / rule.pitch_mm[1] if rule.square == "room" else 1
    return math.ceil(math.sqrt(cabinets * ratio))


def letters(number: int) -> str:
    """Return the row name of a number: A … Z, AA, AB …"""
    name = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = ascii_uppercase[rest] + name
    return name
