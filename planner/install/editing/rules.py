"""Design rules that a move can break, evaluated by the verifier's own functions on the cabinets that a move touches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from planner.check import RULES
from planner.domain.model import Inventory, Placement, Plan, Room, Violation
from planner.install.editing.current import Current

IN_CABINETS = (
    "boxes_fit_their_cabinets",
    "cabinets_within_limits",
    "taken_places_stay_free",
    "pdus_within_limits",
    "power_shelves_suffice",
    "airflow_is_consistent",
)
"""Rules about one cabinet each: those of other cabinets stay as they are."""

OF_THE_PLAN: dict[str, Callable[[Plan], Any]] = {
    "zones_within_totals": lambda plan: plan.room.zones,
    "fixed_devices_stay": lambda plan: plan.room.existing.fixed or plan.kept is not None,
    "kept_devices_stay": lambda plan: plan.kept is not None,
    "routers_spread_as_configured": lambda plan: plan.study.get("placement", {}).get("spread"),
    "reserve_is_kept": lambda plan: _keeps_free(plan.room),
    "devices_at_their_units": lambda plan: plan.study.get("network"),
    "links_as_short_as_required": lambda plan: plan.placement.longest_mm is not None,
}
"""Rules about the whole plan, each with what of a plan it needs to apply."""

TRAYS = "trays_within_fill"
"""The rule of trays, evaluated here since the verifier adds the cables up one by one."""

EVERY = (*IN_CABINETS, *OF_THE_PLAN, TRAYS)
"""Names of all rules that are evaluated after a move; the others are those of the last full count."""

_RULES = {rule.__name__: rule for rule in RULES}

Key = tuple[str, str, str]


class Broken:
    """Violations of the rules of `EVERY`, kept up to date move by move."""

    def __init__(self, plan: Plan, current: Current):
        self._plan = plan
        self._local: dict[Key, Violation] = _by_place(self._in_cabinets(np.arange(plan.placement.cabinet_count), plan.placement))
        self.items = self._all(current)

    def update(self, current: Current, touched: np.ndarray) -> dict[Key, Violation]:
        """Evaluate the rules again after a move, which took from and gave to the slots `touched`; return the old violations."""
        before, placement = self._local, current.placement
        names = [self._plan.room.slot_names[slot] for slot in touched.tolist()]
        cabinets = np.flatnonzero(np.isin(placement.slot_of, touched))
        kept = {key: item for key, item in before.items() if not any(_is_at(item.where, name) for name in names)}
        self._local = kept | _by_place(self._in_cabinets(cabinets, placement))
        self.items = self._all(current)
        return before

    def restore(self, before: dict[Key, Violation], current: Current) -> None:
        """Take back the last update, which returned `before`."""
        self._local = before
        self.items = self._all(current)

    def _all(self, current: Current) -> tuple[Violation, ...]:
        plan = self._plan.with_records(placement=current.placement, cables=_as_cables(current))
        found = [*self._local.values(), *fullness(plan.room, current.fill_um2)]
        for name, applies in OF_THE_PLAN.items():
            if applies(plan):
                found += _RULES[name](plan)
        return tuple(sorted(found, key=lambda item: (EVERY.index(item.rule), item.where)))

    def _in_cabinets(self, cabinets: np.ndarray, placement: Placement) -> Iterator[Violation]:
        """Yield the violations of some cabinets, evaluated on a plan of these alone."""
        plan = self._plan.with_records(placement=placement)
        if len(cabinets) < placement.cabinet_count:
            devices = np.flatnonzero(np.isin(placement.cabinet, cabinets))
            plan = plan.with_records(
                inventory=_some(plan.inventory, devices), placement=_some_cabinets(placement, devices, cabinets)
            )
        plan = plan.with_records(cables=_NO_CABLES)
        for name in IN_CABINETS:
            yield from _RULES[name](plan)


def fullness(room: Room, fill_um2: np.ndarray) -> Iterator[Violation]:
    """Yield a violation for each tray segment above its design fill, a warning, or its maximum fill, an error."""
    fill = fill_um2 + room.existing.fill_um2(len(room.segments))
    for segment in np.flatnonzero((room.segment_mm2 > 0) & (fill > room.design_fill * room.segment_mm2 * 1e6)).tolist():
        share = fill[segment] / room.segment_mm2[segment] / 1e4
        over = share > 100 * room.max_fill
        limit = 100 * (room.max_fill if over else room.design_fill)
        severity = "error" if over else "warning"
        yield Violation(TRAYS, segment_name(room, segment), round(float(share), 1), limit, "%", severity)


def segment_name(room: Room, segment: int) -> str:
    """Return the name of a tray segment as the verifier writes it."""
    a, b = room.node_xyz[room.segments[segment]][:, :2].tolist()
    return f"tray {room.tray_names[room.segment_tray[segment]]} between ({a[0]}, {a[1]}) and ({b[0]}, {b[1]}) mm"


def _keeps_free(room: Room) -> bool:
    keep = room.existing.keep_free
    return any((keep.slots, keep.units, keep.ports, keep.trays))


def _by_place(items: Iterator[Violation]) -> dict[Key, Violation]:
    return {(item.rule, item.where, item.message): item for item in items}


def _is_at(where: str, name: str) -> bool:
    """Return whether the place of a violation is in the cabinet of a slot, or is the slot."""
    cabinet = f"cabinet {name}"
    return (
        where in (cabinet, f"slot {name}", name)
        or where.startswith((f"{cabinet} unit ", f"{cabinet} PDU "))
        or where.endswith(f" in {cabinet}")
    )


def _some(inventory: Inventory, devices: np.ndarray) -> Inventory:
    """Return the inventory with some devices for rules about devices only."""
    part = copy(inventory)
    for name in ("is_router", "is_link", "is_direct", "_endpoints_by_device"):
        part.__dict__.pop(name, None)
    for name in ("part", "role", "group", "names", "rack", "at"):
        object.__setattr__(part, name, getattr(inventory, name)[devices])
    part.__dict__["is_router"] = inventory.is_router[devices]
    return part


def _some_cabinets(placement: Placement, devices: np.ndarray, cabinets: np.ndarray) -> Placement:
    """Return the placement of some devices, which are all those of some cabinets."""
    number = np.full(placement.cabinet_count, -1)
    number[cabinets] = np.arange(len(cabinets))
    own = number[placement.fixture_cabinet] >= 0
    return replace(
        placement,
        cabinet=number[placement.cabinet[devices]],
        unit=placement.unit[devices],
        slot_of=placement.slot_of[cabinets],
        fixture_kind=placement.fixture_kind[own],
        fixture_cabinet=number[placement.fixture_cabinet[own]],
        fixture_unit=placement.fixture_unit[own],
    )


def _as_cables(current: Current) -> Any:
    """Return what rules about the whole plan read of cables."""
    names = np.array([""])
    return SimpleNamespace(
        run_mm=current.run_mm, fill_um2=current.fill_um2, device=current.device, label_a=_Numbered(), assemblies=names
    )


class _Numbered:
    """Labels of cables in messages: their numbers."""

    def __getitem__(self, row: int) -> str:
        return f"{int(row) + 1}"


_NONE = np.zeros((0, 2), np.int64)
_NO_CABLES = SimpleNamespace(device=_NONE, cabinet=_NONE, unit=_NONE)
