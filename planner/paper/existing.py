"""What is in the room already, and the reserve for growth."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.core.units import named
from planner.domain.model import Plan
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import filled, printed, table
from planner.view.figures import SPACE, grouped, money
from planner.view.tables import EXISTING

_RESERVES = (
    ("reserved_slots", "slots"),
    ("reserved_units", "rack units in the cabinets of the plan"),
    ("reserved_ports", "ports on the routers"),
    ("reserved_tray_mm2_m", "of trays"),
)


def existing_sheets(plan: Plan) -> list[Sheet]:
    """Return the table of what is in the room already, and the size and price of the reserve; nothing where there is neither."""
    found, reserve = EXISTING.data(plan), _reserve(plan)
    if not found and not reserve:
        return []
    title = "In the room already, and reserved" if plan.reserved is not None else "In the room already"
    blocks: list[Block] = [heading(title, Mark("existing", title))]
    if reserve:
        blocks += [paragraph(reserve), space(6)]
    if found:
        text = (
            "No cabinet or device of the plan is where equipment of others is located. Its power, its mass and its cables count "
            "against the limits of slots, zones and trays. Devices that must not move are devices of the plan."
        )
        if plan.reserved is not None:
            text += f" What is reserved is for later phases: {', '.join(plan.reserved.phases)}."
        listed = [number for number, entry in enumerate(found) if entry.fill_um2 is None]
        blocks.append(paragraph(" ".join([text, *_trays(plan)]), keep=True))
        blocks += table(*filled(*printed(EXISTING, found, listed)), TEXT_WIDTH, 7) if listed else []
    return sheets(title, blocks)


def _trays(plan: Plan) -> Iterator[str]:
    """Yield the tray segments with cables of others as text."""
    room = plan.room
    used = room.existing.fill_um2(len(room.segments))
    if used.any():
        share = np.divide(used / 1e6, room.segment_mm2, out=np.zeros(len(used)), where=room.segment_mm2 > 0)
        count = grouped(int((used > 0).sum()))
        whose = "Cables of others" if plan.reserved is None else "Cables of others and of later phases"
        yield (
            f"{whose} are in {count} tray segments and take up to {100 * share.max():.1f}{SPACE}% of the cross-section; "
            "the workbook lists them."
        )


def _free(name: str, value: int) -> str:
    return named(value, "mm² m") if name.endswith("_mm2_m") else grouped(value)


def _reserve(plan: Plan) -> str:
    """Return the reserve for growth as text; empty without one."""
    known = {name: entry["value"] for name, entry in plan.quantities.items()}
    parts = [f"{_free(name, known[name])}{SPACE}{words}" for name, words in _RESERVES if known.get(name)]
    if not parts:
        return ""
    text = f"Kept free for growth: {', '.join(parts)}."
    if cents := known.get("reserve_cents"):
        text += f" Their share of the price of cabinets, routers and trays is {money(cents)}{SPACE}{plan.bill.currency}."
    return text
