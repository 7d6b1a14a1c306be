"""Sheets of a row of cabinets: front and rear view, and a table of the cabinets."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from planner.core.units import feet_and_inches, system
from planner.domain.model import Plan
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.canvas import ACCENT, ACCENT_LIGHT, DARK, FAINT, MUTED, PAPER, RULE, Pen
from planner.paper.contents import cabinet_table
from planner.paper.fonts import BOLD, MIN_PT, width_of
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.view.cabinets import OTHERS, Cabinet
from planner.view.figures import grouped
from planner.view.names import is_named

_MAX_ACROSS = 24
_WIDEST, _TALLEST = 44.0, 110.0
_STYLES = {
    "router": (ACCENT_LIGHT, ACCENT),
    "endpoint": (PAPER, MUTED),
    "cable manager": (PAPER, MUTED),
    "PDU": (FAINT, DARK),
    OTHERS: (RULE, MUTED),
}


def row_sheets(plan: Plan, row: str, cabinets: Sequence[Cabinet]) -> list[Sheet]:
    """Return the sheets of one row; `cabinets` are those in it."""
    ordered = _from_the_left(plan, cabinets)
    blocks: list[Block] = [heading(f"Row {row}", Mark(row_key(row), f"Row {row}", 1)), paragraph(_words(plan, row, cabinets))]
    for side, shown in (("front", ordered), ("rear", ordered[::-1])):
        for start in range(0, len(shown), _MAX_ACROSS):
            blocks += [_strip(shown[start : start + _MAX_ACROSS], f"Row {row} from the {side}"), space(6)]
    return sheets(f"Row {row}", [*blocks, _key(), *cabinet_table(plan, cabinets, ("row",))])


def row_key(row: str) -> str:
    """Return the key of the mark of a row."""
    return f"row-{row}"


def _from_the_left(plan: Plan, cabinets: Sequence[Cabinet]) -> list[Cabinet]:
    """Return the cabinets from left to right, seen from the front."""
    facing = math.radians(int(plan.room.slot_facing[cabinets[0].slot]))
    # Facing the fronts, right is a quarter turn counterclockwise from the direction of the fronts.
    right = (-math.sin(facing), math.cos(facing))
    return sorted(cabinets, key=lambda cabinet: round(float(plan.room.slot_xy[cabinet.slot] @ right)))


def _words(plan: Plan, row: str, cabinets: Sequence[Cabinet]) -> str:
    text = f"{grouped(len(cabinets))} cabinets with {grouped(sum(c.routers for c in cabinets))} routers and "
    nodes = f"{grouped(sum(c.nodes for c in cabinets))} nodes."
    text += nodes if is_named(plan) else f"{grouped(sum(c.endpoints for c in cabinets))} endpoints."
    if plan.cables is None:
        return text
    row_of = plan.room.slot_row[plan.placement.slot_of]
    ends = row_of[plan.cables.cabinet]
    own = plan.room.row_names.index(row)
    within, leaving = (ends == own).all(axis=1), (ends == own).sum(axis=1) == 1
    far = Counter(plan.room.row_names[other] for other in ends[leaving].sum(axis=1) - own)
    text += f" {grouped(int(within.sum()))} cables stay in the row"
    if far:
        named = ", ".join(
            f"{grouped(count)} to row {name}" for name, count in sorted(far.items(), key=lambda item: -item[1])[:12]
        )
        text += f"; {grouped(int(leaving.sum()))} leave it: {named}" + (" and others" if len(far) > 12 else "")
    return text + "."


def _strip(cabinets: Sequence[Cabinet], title: str) -> Block:
    width = min(_WIDEST, TEXT_WIDTH / len(cabinets))
    unit = min(2.4, _TALLEST / max(cabinet.units for cabinet in cabinets))
    height = unit * max(cabinet.units for cabinet in cabinets)
    longest = max(width_of(cabinet.name, MIN_PT) for cabinet in cabinets)
    upright = longest > width - 2
    above = min(longest, 60.0) + 4 if upright else 9.0

    def draw(pen: Pen, x: float, top: float) -> None:
        pen.text(x, top - 8, title, 7.5, font=BOLD, color=MUTED)
        foot = top - 13 - above - height
        for place, cabinet in enumerate(cabinets):
            left = x + place * width
            if upright:
                pen.upright(left + width / 2, foot + height + 2 + (above - 4) / 2, cabinet.name, MIN_PT, width=above - 4)
            else:
                pen.text(left + width / 2, foot + height + 3, cabinet.name, MIN_PT, align="center")
            for box in (box for box in (*cabinet.boxes, *cabinet.fixtures, *cabinet.others) if box.unit > 0):
                fill, stroke = _STYLES[box.kind]
                y, tall = foot + (box.unit - 1) * unit, min(box.units, cabinet.units - box.unit + 1) * unit
                pen.box(left + 1.2, y, width - 2.4, max(tall, 0.6 * unit), fill, stroke, weight=0.25)
            pen.box(left + 0.6, foot, width - 1.2, unit * cabinet.units, stroke=DARK, weight=0.7)
            pen.link(left, foot, width, height + above, f"cabinet-{cabinet.number}")

    return Block(height + above + 17, draw)


def _key() -> Block:
    def draw(pen: Pen, x: float, top: float) -> None:
        for name, text in (("router", "router"), ("endpoint", "endpoints"), ("PDU", "PDU")):
            fill, stroke = _STYLES[name]
            pen.box(x, top - 9, 15, 8, fill, stroke)
            pen.text(x + 19, top - 7, text, 6.5)
            x += 19 + width_of(text, 6.5) + 16

    return Block(18, draw)


def slot_place(plan: Plan, cabinet: Cabinet) -> str:
    """Return the center of a cabinet in room coordinates."""
    x, y = plan.room.slot_xy[cabinet.slot].tolist()
    if system().feet:
        return f"{feet_and_inches(x)}, {feet_and_inches(y)}"
    return f"{x / 1000:.3f} m, {y / 1000:.3f} m"
