"""Multi-core fibers: links between the same two groups and cabinets share fibers of several cores."""

from __future__ import annotations

import numpy as np

from planner.check.basis.bundling.cables import FIBER, Areas, CableSet, Outcome, Paneled
from planner.check.basis.bundling.looms import tie_by_cabinets
from planner.check.basis.bundling.trunks import jumper_stock, jumpered

_GLASS = "os2"
"""Multi-core fibers are single-mode."""


def multicored(
    cable_set: CableSet,
    *,
    level: str | None = None,
    fiber: str = "mcf-8core-125",
    cores: int | None = None,
    cores_per_link: int = 1,
    diameter_um: int = 2000,
    bend_mm: int = 20,
    fan_out_db: float | None = None,
    fiber_cents: int | None = None,
    fiber_cents_per_m: int = 0,
) -> Outcome:
    """Assign links to multi-core fibers, and tie the other cables into looms."""
    made = Outcome(cable_set)
    known = {row.id: row.cores for row in cable_set.parts.multicore_fibers}
    count = cores or known[fiber]
    name = fiber if known.get(fiber) == count else f"{count}-core fiber"
    group, by_cabinets = _groups(cable_set, level)
    rows = made.candidates()
    rows = made.refuse(rows, ~cable_set.inventory.is_link[rows], "an endpoint's cable")
    ends = group[cable_set.device[rows]]
    if not by_cabinets:
        same = ends[:, 0] == ends[:, 1]
        rows = made.refuse(rows, same, "both ends in one group")
    rows = made.refuse(rows, cable_set.of("glass")[rows] != _GLASS, "no part for its glass or plugs")
    over = Paneled(cable_set, rows, Areas(cable_set.room, "cabinet"), "cabinet")
    over.drop(made, (jumper_stock(cable_set, over) == 0).any(axis=1), "no trunk or jumper of that length")
    fan = next((fan.loss_db for fan in cable_set.parts.fan_outs if fan.cores == count), 0.0) if fan_out_db is None else fan_out_db
    over.drop(made, over.lossy(cable_set, lambda plug: (2, 0) if plug == "mpo" else (0, 2), 2 * fan), "loss above the budget")
    capacity, priced = count // cores_per_link, fiber_cents is not None
    for (a, b, _, _, *nodes), own in sorted(_shared(cable_set, over, group).items()):
        run, tray = int(over.trunk[own].max()), int(over.tray[own].max())
        rows_here = sorted((int(over.rows[place]) for place in own), key=lambda row: (int(cable_set.run[row]), row))
        meters = -(-run // 1000)
        area = int(cable_set.area_um2(np.array(diameter_um)))
        for first in range(0, len(rows_here), capacity):
            part = rows_here[first : first + capacity]
            made.bundle[part] = len(made.bundles)
            made.carriers.append((tuple(nodes), FIBER, area, tray))
            made.bundles.append(
                {
                    "kind": "multi-core fiber", "part": name, "cabinet": (a, b), "node": tuple(nodes), "capacity": capacity,
                    "links": len(part), "diameter_um": diameter_um, "bend_mm": bend_mm, "run_mm": run, "stock_mm": 1000 * meters,
                    "area_um2": area, "cents": (fiber_cents or 0) + fiber_cents_per_m * meters,
                }
            )  # fmt: skip
    fibers = len(made.bundles)
    jumpered(made, over, cable_set.room.slot_node[:, FIBER].astype(np.int64))
    made.via_node[over.rows] = cable_set.node[over.rows]
    others = np.flatnonzero(cable_set.between & (np.array(made.reason) != ""))
    tie_by_cabinets(made, others)
    made.pulled += fibers
    made.pieces = fibers + 2 * len(over.rows) + len(np.unique(cable_set.piece[others]))
    made.priced = priced or not fibers
    if fibers:
        made.buy(
            next((one.id for one in cable_set.parts.fan_outs if one.cores == count), f"{count}-core fan-out"), 2 * fibers, None
        )
    return made


def _groups(cable_set: CableSet, level: str | None) -> tuple[np.ndarray, bool]:
    """Return the group of each device by the name of a level or a coordinate, and whether cabinets are the groups instead."""
    inventory = cable_set.inventory
    name = level or (inventory.group_names[0] if inventory.group_names else "cabinet")
    if name == "cabinet":
        return np.zeros(inventory.device_count, np.int64), True
    if name in inventory.group_names:
        return inventory.group[:, inventory.group_names.index(name)].astype(np.int64), False
    others = np.delete(inventory.coords, inventory.coord_names.index(name), axis=1)
    if not others.shape[1]:
        return np.zeros(inventory.device_count, np.int64), False
    return np.unique(others, axis=0, return_inverse=True)[1].ravel().astype(np.int64), False


def _shared(cable_set: CableSet, over: Paneled, group: np.ndarray) -> dict[tuple[int, ...], list[int]]:
    """Return the positions of the rows that share fibers, by pair of cabinets, pair of groups, and tray nodes."""
    found: dict[tuple[int, ...], list[int]] = {}
    for place, row in enumerate(over.rows.tolist()):
        cabinets, nodes = cable_set.cabinet[row].tolist(), cable_set.node[row].tolist()
        groups = sorted(group[cable_set.device[row]].tolist())
        if cabinets[0] > cabinets[1]:
            nodes = nodes[::-1]
        found.setdefault((*sorted(cabinets), *groups, *nodes), []).append(place)
    return found
