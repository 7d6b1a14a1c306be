"""The floor of the last phase with the phase in which each cabinet is installed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from planner.hall.scene import Layer, Scene
from planner.hall.scene.room import slot_labels
from planner.studies.phased.plans import Phases
from planner.view.cabinets import cabinets
from planner.view.floor import plan_scene

_STYLES = 6
"""Number of styles of phases; later ones have the last."""


def floor(found: Phases) -> Scene:
    """Return the floor; the figure in a cabinet is the phase of its first device."""
    plan = found.plans[-1]
    scene = plan_scene(plan, cabinets(plan))
    first = _first_phase(found)
    number = {name: slot for slot, name in enumerate(plan.room.slot_names)}
    shapes, notes = {}, {}
    for shape in scene.layer("cabinets").shapes:
        slot = number[shape.name]
        when = found.names[first[slot]]
        kind = f"phase {min(first[slot] + 1, _STYLES)}"
        shapes[slot] = replace(shape, kind=kind, about=f"{shape.name}: from {when}", target="")
        notes[slot] = when
    title = f"{found.title}, {plan.room.title}"
    return replace(scene, title=title).with_layers(
        Layer("cabinets", list(shapes.values()), slot_labels(plan.room, shapes, notes)),
        *(scene.layer(name) for name in ("fronts", "trays", "rows")),
        without=("cabinets", "fronts", "trays", "rows", "panel frames"),
    )


def _first_phase(found: Phases) -> dict[int, int]:
    """Return the phase in which the first device of each slot is installed."""
    first: dict[int, int] = {}
    for phase, plan in enumerate(found.plans):
        for slot in np.unique(plan.placement.slot).tolist():
            first.setdefault(slot, phase)
    return first
