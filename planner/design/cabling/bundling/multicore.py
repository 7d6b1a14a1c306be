"""Multi-core fiber: links between the same two groups share fibers of several cores."""

from __future__ import annotations

import numpy as np

from planner.core.errors import InputError, Problem, suggestion
from planner.design.cabling.bundling.bundles.areas import Areas
from planner.design.cabling.bundling.bundles.bundles import Bundles, Legs, Panels, Set, TrayLoad, combine
from planner.design.cabling.bundling.bundles.cables import CableSet, max_by, numbered, rank_within
from planner.design.cabling.bundling.bundles.optics import fiber_links, jumpers, jumpers_bought, over_budget, refuse
from planner.design.cabling.bundling.bundles.panels import Paneled
from planner.design.cabling.bundling.loom import by_cabinets
from planner.domain.model import MEDIUM_CLASSES, Inventory
from planner.domain.parts import NonNegative, Positive

_GLASS = "os2"
"""All multi-core fibers of the catalog are single-mode."""


def bundle(
    cables: CableSet,
    *,
    level: str | None = None,
    fiber: str = "mcf-8core-125",
    cores: Positive | None = None,
    cores_per_link: Positive = 1,
    diameter_um: Positive = 2000,
    bend_mm: Positive = 20,
    fan_out_db: float | None = None,
    fiber_cents: NonNegative | None = None,
    fiber_cents_per_m: NonNegative = 0,
) -> Bundles:
    """Assign multi-core fibers to links between the same two groups and the same two cabinets.

    Parameters
    ----------
    level
        Name of a group level of the network; or of a coordinate, which makes groups of the routers that
        differ in it alone, the lines of a HyperX; or ``"cabinet"``: then cabinets are the groups. By
        default the finest group level, or cabinets in a network without groups.
    fiber
        Id of the multi-core fiber in the catalog.
    cores
        Number of cores of a fiber. By default that of the catalog row.
    cores_per_link
        Cores per link. The papers count 1; a link of parallel transceivers takes one per fiber.
    diameter_um
        Diameter of a cable with one such fiber, in micrometers. The default is that of a duplex jumper, an estimate.
    bend_mm
        Minimum bend radius of such a cable, in millimeters. The default is that of a duplex jumper, an estimate.
    fan_out_db
        Loss of each fan-out; by default that of the catalog's fan-out with this number of cores, or 0.
    fiber_cents
        Price of each fiber with its fan-outs, in cents. No price is published: without one
        the plan is not priced.
    fiber_cents_per_m
        Price of each meter of fiber, in cents.

    Returns
    -------
    Bundles
        ceil(m / c) fibers for m links, where c links share a fiber; looms for the other cables.

    Raises
    ------
    InputError
        When the level or fiber is unknown, or a link needs more cores than a fiber has.
    """
    known = {row.id: row for row in cables.parts.multicore_fibers}
    if fiber not in known and cores is None:
        raise InputError(Problem("fiber", f"there is no multi-core fiber {fiber!r} in the catalog", suggestion(fiber, known)))
    count = cores or known[fiber].cores
    if count < cores_per_link:
        raise InputError(Problem("cores_per_link", f"{cores_per_link} is more than the {count} cores of a fiber"))
    name = fiber if fiber in known and known[fiber].cores == count else f"{count}-core fiber"
    rows, reason = _links(cables, level)
    paneled = Paneled.of(cables, rows, Areas.of(cables.room, "cabinet"), "cabinet")
    stock, _ = jumpers(cables, rows, paneled.leg_mm)
    short = (stock == 0).any(axis=1)
    rows, paneled = refuse(reason, rows, short, "no trunk or jumper of that length"), paneled.only(~short)
    loss = next((fan.loss_db for fan in cables.parts.fan_outs if fan.cores == count), 0.0) if fan_out_db is None else fan_out_db
    lossy = over_budget(cables, rows, paneled.fiber_mm, lambda plug: (2, 0) if plug == "mpo" else (0, 2), 2 * loss)
    rows, paneled = refuse(reason, rows, lossy, "loss above the budget"), paneled.only(~lossy)
    price = (fiber_cents or 0, fiber_cents_per_m)
    shared, load = _shared(cables, rows, paneled, level, name, count // cores_per_link, diameter_um, bend_mm, price)
    others = np.flatnonzero(cables.between & (reason > 0))
    tied, rest = by_cabinets(cables, others)
    stock, cents = jumpers(cables, rows, paneled.leg_mm)
    return combine(
        cables,
        [shared, tied],
        Legs.of(cables, rows, paneled.leg_mm, stock, cables.node[rows], cents),
        reason,
        [load],
        rest,
        pulled=shared.count + tied.count,
        pieces=shared.count + 2 * len(rows) + len(np.unique(cables.piece[others])),
        bought=jumpers_bought(cables, rows, stock),
        panels=(Panels(_fan_out(cables, count), -1, 2 * shared.count, None),) if shared.count else (),
        priced=fiber_cents is not None or not shared.count,
    )


def group_of(inventory: Inventory, level: str | None) -> np.ndarray:
    """Return the group of each device by the name of a level, int64 (D,); all 0 where cabinets are the groups.

    Raises
    ------
    InputError
        When the network has neither a group level nor a coordinate of that name.
    """
    if level is None:
        level = inventory.group_names[0] if inventory.group_names else "cabinet"
    if level == "cabinet":
        return np.zeros(inventory.device_count, np.int64)
    if level in inventory.group_names:
        return inventory.group[:, inventory.group_names.index(level)].astype(np.int64)
    if level in inventory.coord_names:
        others = np.delete(inventory.coords, inventory.coord_names.index(level), axis=1).astype(np.int64)
        return numbered(others)[1] if others.shape[1] else np.zeros(inventory.device_count, np.int64)
    names = [*inventory.group_names, *inventory.coord_names, "cabinet"]
    raise InputError(Problem("level", f"the network has no groups {level!r}", suggestion(level, names)))


def _links(cables: CableSet, level: str | None) -> tuple[np.ndarray, np.ndarray]:
    """Return links between two groups that may share fibers, int64 (n,), and the reasons why others may not, (W,)."""
    reason = fiber_links(cables)
    rows = np.flatnonzero(reason == 0)
    rows = refuse(reason, rows, ~cables.inventory.is_link[rows], "an endpoint's cable")
    if not _by_cabinets(cables.inventory, level):
        ends = group_of(cables.inventory, level)[cables.device[rows]]
        rows = refuse(reason, rows, ends[:, 0] == ends[:, 1], "both ends in one group")
    return refuse(reason, rows, cables.of_assembly("glass")[rows] != _GLASS, "no part for its glass or plugs"), reason


def _fan_out(cables: CableSet, cores: int) -> str:
    """Return the fan-out of the catalog with this number of cores; where there is none, a name that states the number."""
    return next((one.id for one in cables.parts.fan_outs if one.cores == cores), f"{cores}-core fan-out")


def _by_cabinets(inventory: Inventory, level: str | None) -> bool:
    return level == "cabinet" or (level is None and not inventory.group_names)


def _shared(
    cables: CableSet,
    rows: np.ndarray,
    paneled: Paneled,
    level: str | None,
    name: str,
    capacity: int,
    diameter_um: int,
    bend_mm: int,
    price: tuple[int, int],
) -> tuple[Set, TrayLoad]:
    """Return fibers for each pair of groups and cabinets; links fill them in turn."""
    groups = np.sort(group_of(cables.inventory, level)[cables.device[rows]], axis=1)
    turned = cables.cabinet[rows, 0] > cables.cabinet[rows, 1]
    node = np.where(turned[:, None], cables.node[rows, ::-1], cables.node[rows])
    keys, group = numbered(np.column_stack([np.sort(cables.cabinet[rows], axis=1), groups, node]))
    count = -(-np.bincount(group, minlength=len(keys)) // capacity)
    start = np.append(0, np.cumsum(count))
    rank = rank_within(group, np.lexsort((rows, cables.run_mm[rows], group)))
    of = np.repeat(np.arange(len(keys)), count)
    run, tray = (max_by(part, group, len(keys)) for part in (paneled.trunk_mm, paneled.trunk_tray_mm))
    meters = -(-run[of] // 1000)
    diameter = np.full(len(of), diameter_um)
    area = cables.area_um2(diameter)
    shared = Set(
        kind="multi-core fiber",
        rows=rows,
        bundle=start[group] + rank // capacity,
        cabinet=keys[of, :2],
        node=keys[of, 4:],
        part=np.zeros(len(of), np.int64),
        parts=(name,),
        capacity=np.full(len(of), capacity),
        area_um2=area,
        diameter_um=diameter,
        bend_mm=np.full(len(of), bend_mm),
        run_mm=run[of],
        stock_mm=1000 * meters,
        price_cents=price[0] + price[1] * meters,
    )
    return shared, TrayLoad(keys[of, 4:], np.full(len(of), MEDIUM_CLASSES.index("fiber")), area, tray[of])
