"""The floor of a plan as a scene: cabinets shaded by use, units, power or heat."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from planner.core.errors import InputError, Problem
from planner.domain.model import MEDIUM_CLASSES, RESERVED, Plan, Room
from planner.hall.scene import Label, Layer, Scene, Shape
from planner.hall.scene.room import front, room_scene, slot_labels, slot_shape, taken_by
from planner.view.cabinets import Cabinet
from planner.view.names import is_named
from planner.view.shades import Shade, shades

_FRAME_MM = 120
"""Half the width of a drawn panel frame."""


def plan_scene(plan: Plan, cabinets: Sequence[Cabinet], shade: str = "", chosen: Collection[int] = ()) -> Scene:
    """Return the floor with its cabinets, shaded by ``"use"``, ``"fill"``, ``"power"`` or ``"heat"``.

    Parameters
    ----------
    chosen
        Slots to highlight.

    Raises
    ------
    InputError
        When the plan has no room.
    """
    if plan.room is None:
        raise InputError(Problem("", "the plan has no room", "run the study to its end"))
    room, bare = plan.room, room_scene(plan.room)
    chosen_shade = shades(plan).get(shade) if cabinets else None
    named = is_named(plan)
    shapes = {cabinet.slot: _cabinet(room, cabinet, shade, chosen_shade, named=named) for cabinet in cabinets}
    shapes |= {slot: replace(shape, kind="chosen") for slot, shape in shapes.items() if slot in chosen}
    notes = {slot: taken_by(room, slot).removeprefix(RESERVED) for slot in room.existing.taken}
    notes |= {cabinet.slot: chosen_shade.marks[cabinet.number] for cabinet in cabinets} if chosen_shade else {}
    title = f"{plan.title or plan.name}, {room.title}"
    whole = chosen_shade.whole if chosen_shade else ""
    return replace(bare.unnamed("slots"), title=title, whole=whole).with_layers(
        Layer("cabinets", list(shapes.values()), slot_labels(room, shapes, notes)),
        Layer("fronts", [front(shape) for shape in shapes.values()]),
        bare.layer("trays"),
        bare.layer("rows"),
        panel_frames(plan),
        without=("trays", "rows"),
    )


def panel_frames(plan: Plan) -> Layer:
    """Return the frames with panels, each above its cabinet or at its tray node; of unknown size, they are drawn alike."""
    panels, room = plan.panels, plan.room
    shapes, labels = [], []
    for number, name in enumerate(panels.frame_names.tolist() if panels is not None else ()):
        slot = int(panels.frame_slot[number])
        node = room.node_xyz[room.slot_node[slot, MEDIUM_CLASSES.index("fiber")]].tolist()
        x, y = node[:2] if panels.frame_cabinet[number] < 0 else room.slot_xy[slot].tolist()
        corners = [(x + across * _FRAME_MM, y + up * _FRAME_MM) for across, up in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        about = f"panel frame {name} at {room.slot_names[slot]}"
        shapes.append(Shape("panel frame", corners, name=name, about=about, z_mm=node[2], target=f"frame-{number}"))
        # Next to the slot, where cabinets have no figures.
        across, deep = (room.slot_size[slot] / 2 + _FRAME_MM).tolist()
        center_x, center_y = room.slot_xy[slot].tolist()
        places = [
            (center_x, center_y + deep),
            (center_x, center_y - deep),
            (center_x + across, center_y),
            (center_x - across, center_y),
        ]
        labels.append(Label("panel frames", name, places[0], others_mm=places[1:]))
    return Layer("panel frames", shapes, labels)


def _cabinet(room: Room, cabinet: Cabinet, name: str, shade: Shade | None, *, named: bool) -> Shape:
    empty = slot_shape(room, cabinet.slot)
    look: dict[str, Any] = {"kind": use(cabinet, named=named)} if name == "use" else {}
    if shade is not None:
        look = {"ramp": name, "share": float(shade.share[cabinet.number])}
    nodes = f"{cabinet.nodes} nodes" if named else f"{cabinet.endpoints} endpoints"
    about = (
        f"{cabinet.name}: {cabinet.routers} routers, {nodes}, "
        f"{cabinet.used_units} of {cabinet.units} units, {cabinet.power_max_mw / 1e6:g} kW at most"
    )
    shape = replace(
        empty, kind="cabinet", name=cabinet.name, about=about, target=f"cabinet-{cabinet.number}", facts=_facts(cabinet)
    )
    return replace(shape, **look)


def use(cabinet: Cabinet, *, named: bool) -> str:
    """Return the kind of a cabinet by its devices; where networks are `named`, boxes of endpoints are nodes."""
    counts = {"routers": cabinet.routers, "nodes" if named else "endpoints": cabinet.nodes if named else cabinet.endpoints}
    return " and ".join(kind for kind, count in counts.items() if count) or "cabinet"


def _facts(cabinet: Cabinet) -> dict[str, Any]:
    return {
        "CABINET": cabinet.name,
        "ROUTERS": cabinet.routers,
        "ENDPOINTS": cabinet.endpoints,
        "UNITS_USED": cabinet.used_units,
        "UNITS": cabinet.units,
        "POWER_MAX_KW": f"{cabinet.power_max_mw / 1e6:g}",
        "MASS_KG": f"{cabinet.total_g / 1e3:g}",
    }
