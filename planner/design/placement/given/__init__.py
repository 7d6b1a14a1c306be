"""Places that are given: slot and rack unit of every device and fixture, as a plan was edited by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from planner.core import storage
from planner.core.errors import InputError, Problem, suggestion
from planner.core.spreadsheet import Writer
from planner.design.placement.model.cost import UNITS, Objective, link_cost
from planner.design.placement.model.endpoint_cost import EndpointCost
from planner.design.placement.model.layout import lines as table_lines
from planner.design.placement.packing import PLAIN, Interior
from planner.design.placement.racks.costs import problem_of
from planner.domain.model import FIXTURES, Catalog, Inventory, Placement, Room, Topology
from planner.hall.floor import Lengths

COLUMNS = ("device", "slot", "unit", "fixed")
"""Columns of the table; `fixed` marks devices that must stay, and is read by algorithms that start from these places."""

METHOD = "manual: given places"
_FARTHEST_UNIT = 1000


@dataclass(frozen=True, eq=False)
class Places:
    """Places of all devices and fixtures.

    Attributes
    ----------
    slot, unit
        Slot and lowest rack unit of each device, int64 (D,).
    fixture_kind, fixture_slot, fixture_unit
        Fixtures as in `planner.domain.model.Placement`, by slot, int64 (M,).
    """

    slot: np.ndarray
    unit: np.ndarray
    fixture_kind: np.ndarray
    fixture_slot: np.ndarray
    fixture_unit: np.ndarray

    @classmethod
    def of(cls, placement: Placement) -> Places:
        """Return the places of a placement."""
        kinds, units = (array.astype(np.int64) for array in (placement.fixture_kind, placement.fixture_unit))
        slots = placement.slot_of[placement.fixture_cabinet].astype(np.int64)
        return cls(placement.slot.copy(), placement.unit.astype(np.int64), kinds, slots, units)

    def fields(self, racks: np.ndarray | None = None) -> dict[str, Any]:
        """Return the fields of a placement: cabinets in the order of their slots, fixtures by kind, then from the top.

        Cabinets without devices are left out, with their fixtures.

        Parameters
        ----------
        racks
            Cabinet of each device, where the study fixes it, int64 (D,).
        """
        if racks is None:
            slot_of, cabinet = np.unique(self.slot, return_inverse=True)
        else:
            cabinet = racks.astype(np.int64)
            slot_of = self.slot[np.unique(racks, return_index=True)[1]]
        number = np.full(int(max(self.slot.max(initial=0), self.fixture_slot.max(initial=0))) + 1, -1)
        number[slot_of] = np.arange(len(slot_of))
        home = number[self.fixture_slot]
        is_manager = self.fixture_kind == FIXTURES.index("cable manager")
        order = np.lexsort((np.where(is_manager, -self.fixture_unit, self.fixture_unit), home, self.fixture_kind))
        order = order[home[order] >= 0]
        return {
            "cabinet": cabinet.ravel(),
            "unit": self.unit,
            "slot_of": slot_of,
            "fixture_kind": self.fixture_kind[order],
            "fixture_cabinet": home[order],
            "fixture_unit": self.fixture_unit[order],
        }

    def write(self, path: Path, names: Iterable[str], room: Room, fixed: Iterable[bool]) -> None:
        """Write the table of places as CSV; `names` and `fixed` are those of the devices."""
        slots, units = ([room.slot_names[slot] for slot in self.slot.tolist()], self.unit.tolist())
        with storage.replacing(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
            table = Writer(file)
            table.writerow(COLUMNS)
            for name, slot, unit, stays in zip(names, slots, units, fixed, strict=True):
                table.writerow([name, slot, unit, "yes" if stays else ""])
            columns = (column.tolist() for column in (self.fixture_kind, self.fixture_slot, self.fixture_unit))
            for kind, slot, unit in sorted(zip(*columns, strict=True)):
                table.writerow([FIXTURES[kind], room.slot_names[slot], unit, ""])


def is_complete(path: Path) -> bool:
    """Return whether a table of a layout has slots and rack units of devices, not only slots of routers."""
    return {"device", "slot", "unit"} <= set(table_lines(path)[0][1])


def read(path: Path, inventory: Inventory, room: Room) -> tuple[Places, np.ndarray]:
    """Read a table of places, with the columns `COLUMNS`, and which devices are fixed, bool (D,).

    Raises
    ------
    InputError
        With all problems and their lines: unknown or missing devices, unknown slots, units that are no numbers.
    """
    (_, header), *lines = table_lines(path)
    devices = {name: number for number, name in enumerate(inventory.names.tolist())}
    slots = {name: number for number, name in enumerate(room.slot_names)}
    at, fixed = np.full((inventory.device_count, 2), -1, np.int64), np.zeros(inventory.device_count, bool)
    fixtures: list[tuple[int, int, int]] = []
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    for line, cells in lines:
        row = dict(zip(header, cells, strict=False))
        name, slot, unit = (row.get(key, "") for key in ("device", "slot", "unit"))
        wrong = [*_wrong(name, slot, unit, devices, slots, room)]
        if not wrong and name in devices and name in seen:
            wrong = [Problem(f"device {name}", f"is also in line {seen[name]}", "remove one of the two lines")]
        problems += [Problem(one.place, one.message, one.remedy, str(path), line) for one in wrong]
        if wrong:
            continue
        if name in devices:
            seen[name] = line
            at[devices[name]] = slots[slot], int(unit)
            fixed[devices[name]] = row.get("fixed", "").lower() in ("yes", "true", "1")
        else:
            fixtures.append((FIXTURES.index(name), slots[slot], int(unit)))
    if not problems and len(missing := np.flatnonzero(at[:, 0] < 0)):
        names = ", ".join(inventory.names[missing[:8]].tolist()) + (f" and {len(missing) - 8:,} more" if len(missing) > 8 else "")
        problems.append(Problem("device", f"lacks {names}", "add a line for each device", str(path)))
    if problems:
        raise InputError(problems)
    found = np.array(fixtures, np.int64).reshape(-1, 3)
    return Places(*at.T.copy(), *found.T.copy()), fixed


def _wrong(name: str, slot: str, unit: str, devices: dict, slots: dict, room: Room) -> Iterable[Problem]:
    if name not in devices and name not in FIXTURES:
        yield Problem(f"device {name}" if name else "device", "is not a device of the plan", suggestion(name, devices))
    if slot not in slots:
        yield Problem(f"slot {slot}" if slot else "slot", f"is not a slot of {room.name}", suggestion(slot, slots))
    digits = unit.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 5 and int(digits) <= _FARTHEST_UNIT):
        yield Problem("unit", f"{unit!r} is not a rack unit", "write a whole number, counted from 1 at the bottom")


def placement(
    places: Places,
    topology: Topology,
    inventory: Inventory,
    catalog: Catalog,
    lengths: Lengths,
    *,
    objective: Objective = "price",
    interior: Interior = PLAIN,
    groups: str = "required",
    group_price: int = 0,
    longest_mm: int | None = None,
    **others: Any,
) -> Placement:
    """Return the placement with all devices in given places, with its objective as searches count it.

    Parameters
    ----------
    places
        The places.
    topology, inventory, catalog, lengths
        Supplied by the flow.
    objective, interior, groups, group_price, longest_mm
        As for `planner.design.placement.place`; other parameters are ignored.
    """
    fields: dict[str, Any]
    if catalog.router is None:
        fields = places.fields(inventory.rack)
        unit = "cents" if not isinstance(objective, str) else UNITS[objective]
        every = np.ones((len(fields["slot_of"]), lengths.room.slot_count), bool)
        racks, inside = problem_of(inventory, places.unit, every, lengths, catalog.labor, objective)
        cost, too_long = racks.cost(fields["slot_of"]) + inside, 0
    else:
        fields = places.fields()
        unit, cost, too_long = _cost(places.slot, topology, catalog, lengths, objective, interior, longest_mm)
        cost += group_price * _split(fields["cabinet"], topology) if group_price else 0
    return Placement(
        **fields,
        **interior.facts(catalog),
        method=METHOD,
        objective_unit=unit,
        objective=cost,
        start_objective=cost,
        evaluations=0,
        front=np.empty((0, 2), np.int64),
        longest_mm=longest_mm,
        too_long=too_long,
    )


def _cost(
    slot: np.ndarray,
    topology: Topology,
    catalog: Catalog,
    lengths: Lengths,
    objective: Objective,
    interior: Interior,
    longest_mm: int | None,
) -> tuple[str, int, int]:
    """Return unit and cost of all links and endpoint cables between their slots, and the number of links that are too long."""
    routers, nodes = slot[: topology.router_count], slot[topology.router_count :]
    cost = link_cost(catalog, lengths, objective, longest_mm, interior)
    ends = routers[topology.links.astype(np.int64).T]
    total, too_long = int(cost.between(*ends).sum()), cost.too_long(*ends)
    home = routers[topology.endpoint_router]
    if len(home):
        at_ends = EndpointCost(catalog, lengths, objective, interior)
        inside = home == nodes
        total += int(inside.sum()) * at_ends.inside
        if not inside.all():
            known, row = np.unique(home[~inside], return_inverse=True)
            total += int(at_ends.between(known)[row.ravel(), nodes[~inside]].sum())
    return cost.unit, total, too_long


def _split(cabinet: np.ndarray, topology: Topology) -> int:
    """Return the number of pairs of routers of one group in different cabinets."""
    if not topology.group.shape[1]:
        return 0
    group, home = topology.group[:, 0].astype(np.int64), cabinet[: topology.router_count]
    pairs = [np.unique(key, return_counts=True)[1] for key in (group, group * (int(home.max(initial=0)) + 1) + home)]
    whole, together = (int((count * (count - 1) // 2).sum()) for count in pairs)
    return whole - together
