"""A session as plain data, for pages and scripts."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import Plan
from planner.install.editing import what_if
from planner.install.editing.delta import Delta, fill_shares
from planner.install.editing.desk import Desk
from planner.install.editing.room_steps import FIELDS
from planner.install.editing.rooms import RoomEditor
from planner.install.editing.session import Session
from planner.studies.diff import Comparison

_SHOWN, _LISTED = 200, 100
"""Maximum number of broken rules, and of changed cables, that are listed one by one."""


def floor(session: Session) -> dict[str, Any]:
    """Return what does not change while devices move: floor, trays, devices and their heights."""
    plan, room = session.plan, session.plan.room
    inventory = plan.inventory
    return {
        "title": plan.title,
        "currency": plan.catalog.currency,
        "units": plan.catalog.cabinet.units,
        "outline": room.outline.tolist(),
        "obstacles": [{"name": each.name, "kind": each.kind, "corners": each.corners_mm} for each in room.obstacles],
        "slots": {
            "name": room.slot_names,
            "xy": room.slot_xy.tolist(),
            "size": room.slot_size.tolist(),
            "row": room.slot_row.tolist(),
            "facing": room.slot_facing.tolist(),
            "free": room.free.tolist(),
        },
        "rows": room.row_names,
        "design_fill": room.design_fill,
        "segments": room.node_xyz[room.segments][:, :, :2].reshape(-1, 4).tolist(),
        "trays": [room.tray_names[tray] for tray in room.segment_tray.tolist()],
        "devices": {
            "name": inventory.names.tolist(),
            "height": inventory.of_part("units").tolist(),
            "part": inventory.part.tolist(),
            "router": inventory.is_router.tolist(),
        },
        "parts": [part.id for part in inventory.parts],
        "fixed": session.floor.fixed_devices.tolist(),
        "choices": what_if.choices(session),
    }


def state(desk: Desk) -> dict[str, Any]:
    """Return the layout as it is, its figures, and what can be done next."""
    session = desk.session
    places = session.layout.places
    fills = np.round(100 * fill_shares(session.plan.room, session.current.fill_um2), 2)
    return {
        **status(desk),
        "slot": places.slot.tolist(),
        "unit": places.unit.tolist(),
        "fixtures": np.column_stack([places.fixture_kind, places.fixture_slot, places.fixture_unit]).tolist(),
        "fill_percent": fills.tolist(),
        "over": np.flatnonzero(session.current.over_full()).tolist(),
    }


def status(desk: Desk) -> dict[str, Any]:
    """Return the state without places and fills: figures, broken rules, steps, variants, and the work in the background."""
    session = desk.session
    done, undone = session.history
    # Devices that must not move are known already.
    pinned = session.layout.pinned.copy()
    pinned[session.floor.fixed_devices] = False
    return {
        "version": desk.version,
        "pinned": np.flatnonzero(pinned).tolist(),
        "figures": asdict(session.figures),
        "broken": [asdict(item) for item in session.broken[:_SHOWN]],
        "broken_count": len(session.broken),
        "estimated": session.estimated,
        "done": done[-50:],
        "undone": undone[-50:],
        "counted": session.plan.violations is not None,
        **variants(desk),
        "work": desk.work.plain(),
    }


def near_misses(desk: Desk) -> dict[str, Any]:
    """Return the moves that near misses propose, as far as they still apply, and the number of near misses."""
    found = desk.session.proposals()
    return {"count": desk.session.figures.near_misses, "proposals": [asdict(each) for each in found]}


def variants(desk: Desk) -> dict[str, Any]:
    """Return the names and kinds of variants, and the names of revisions."""
    kept = [{"name": name, "kind": each.kind} for name, each in desk.variants.items.items()]
    return {"variants": kept, "revisions": [*desk.variants.revisions]}


def change(desk: Desk, delta: Delta, before: int) -> dict[str, Any]:
    """Return what a step changed, and the state after it with places and fills that differ only.

    Parameters
    ----------
    before
        Version of the desk before the step; a page that shows another one needs the whole state.
    """
    session = desk.session
    places, slots = session.layout.places, list(delta.slots)
    moved = np.flatnonzero(np.isin(places.slot, slots))
    fixtures = np.flatnonzero(np.isin(places.fixture_slot, slots))
    rows = np.column_stack([places.fixture_kind, places.fixture_slot, places.fixture_unit])[fixtures]
    return {
        "delta": delta.plain(_LISTED),
        "since": before,
        "state": status(desk) | {"over": np.flatnonzero(session.current.over_full()).tolist()},
        "moved": {"device": moved.tolist(), "slot": places.slot[moved].tolist(), "unit": places.unit[moved].tolist()},
        "fixtures": {"slots": slots, "rows": rows.tolist()},
    }


def difference(found: Comparison) -> dict[str, Any]:
    """Return the difference of two variants: devices and cables that change, and what the change costs."""
    counts: dict[str, int] = {}
    for each in found.found.cables:
        counts[each.kind] = counts.get(each.kind, 0) + 1
    bill, old, new = found.bill, found.old.plan, found.new.plan
    return {
        "cables": counts,
        "actions": len(found.actions),
        "reused": len(found.reuse),
        "cents": None if bill is None else bill.cents,
        "labor_s": None if bill is None else bill.labor_s,
        "notes": found.notes,
        "quantities": quantities(old, new) if old is not None and new is not None else {},
    }


def side_by_side(plans: dict[str, Plan]) -> dict[str, Any]:
    """Return some plans by name with their figures as far as they differ, and the number of broken rules of each."""
    broken = [None if plan.violations is None else len(plan.violations.items) for plan in plans.values()]
    currency = next(iter(plans.values())).catalog.currency
    return {"names": [*plans], "broken": broken, "currency": currency, "quantities": quantities(*plans.values())}


def quantities(*plans: Plan) -> dict[str, Any]:
    """Return the figures that all plans have side by side, where they differ."""
    known = [plan.quantities for plan in plans]
    names = [name for name in known[0] if all(name in one for one in known)]
    rows = {name: [one[name]["value"] for one in known] for name in names}
    return {
        name: {"unit": known[0][name]["unit"], "values": row} for name, row in rows.items() if any(each != row[0] for each in row)
    }


def edited_room(editor: RoomEditor) -> dict[str, Any]:
    """Return a floor plan as it is edited: its data, its slots as far as they can be made, and its problems."""
    slots: list[dict[str, Any]] = []
    problems: list[Problem] = []
    try:
        room = editor.room()
    except InputError as error:
        problems = list(error.problems)
    else:
        columns = room.slot_names, room.slot_xy.tolist(), room.slot_size.tolist(), room.slot_row.tolist()
        slots = [{"name": name, "xy": xy, "size": size, "row": row} for name, xy, size, row in zip(*columns, strict=True)]
    return {
        "data": editor.data,
        "fields": FIELDS,
        "slots": slots,
        "undo": editor.can_undo,
        "redo": editor.can_redo,
        "problems": [{"place": each.place, "message": each.message, "remedy": each.remedy} for each in problems[:40]],
    }
