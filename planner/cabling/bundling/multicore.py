"""Multi-core fiber: links between the same two groups share fibers of several cores."""

from __future__ import annotations

import numpy as np

from planner.cabling.bundling._areas import Areas
from planner.cabling.bundling._bundles import Bundles, Laid, Legs, Set, put_together
from planner.cabling.bundling._lay import Lay, most_of, numbered, rank_within
from planner.cabling.bundling._optics import fiber_links, jumpers, jumpers_bought, over_budget, refuse
from planner.cabling.bundling._panels import Paneled
from planner.cabling.bundling.loom import by_cabinets
from planner.errors import InputError, Problem, suggestion
from planner.model import MEDIUM_CLASSES, Topology
from planner.parts import NonNegative, Positive

_GLASS = "os2"
"""All multi-core fibers of the catalog are single-mode."""


def bundle(
    lay: Lay,
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
    """Share multi-core fibers among links between the same two groups and the same two cabinets.

    Parameters
    ----------
    level
        Name of a group level of the network; or of a coordinate, which makes groups of the routers that
        differ in it alone, the lines of a HyperX; or ``"cabinet"``: then cabinets are the groups. By
        default the finest group level, or cabinets where the network has no groups.
    fiber, cores
        Id of the multi-core fiber in the catalog, and the number of its cores if it shall be another.
    cores_per_link
        Cores that a link takes. The papers count 1; a link of parallel transceivers takes as many as it has fibers.
    diameter_um, bend_mm
        Of a cable with one such fiber. Its cladding is as thick as that of any fiber, so the defaults
        are those of a duplex jumper: estimates.
    fan_out_db
        Loss of each fan-out; by default that of the catalog's fan-out of as many cores, 0 where there is none.
    fiber_cents, fiber_cents_per_m
        Price of each fiber with its fan-outs, and of each meter. No price is published: without one
        nothing is priced.

    Returns
    -------
    Bundles
        ceil(m / c) fibers for m links, where c links share a fiber; looms of the other cables.

    Raises
    ------
    InputError
        When there is no such level or fiber, or a link needs more cores than a fiber has.
    """
    known = {row.id: row for row in lay.parts.multicore_fibers}
    if fiber not in known and cores is None:
        raise InputError(Problem("fiber", f"there is no multi-core fiber {fiber!r} in the catalog", suggestion(fiber, known)))
    count = cores or known[fiber].cores
    if count < cores_per_link:
        raise InputError(Problem("cores_per_link", f"{cores_per_link} is more than the {count} cores of a fiber"))
    name = fiber if fiber in known and known[fiber].cores == count else f"{count}-core fiber"
    rows, reason = _links(lay, level)
    paneled = Paneled.of(lay, rows, Areas.of(lay.room, "cabinet"), "cabinet")
    stock, _ = jumpers(lay, rows, paneled.leg_mm)
    short = (stock == 0).any(axis=1)
    rows, paneled = refuse(reason, rows, short, "no trunk or jumper of that length"), paneled.only(~short)
    loss = next((fan.loss_db for fan in lay.parts.fan_outs if fan.cores == count), 0.0) if fan_out_db is None else fan_out_db
    lossy = over_budget(lay, rows, paneled.fiber_mm, lambda plug: (2, 0) if plug == "mpo" else (0, 2), 2 * loss)
    rows, paneled = refuse(reason, rows, lossy, "loss above the budget"), paneled.only(~lossy)
    price = (fiber_cents or 0, fiber_cents_per_m)
    shared, laid = _shared(lay, rows, paneled, level, name, count // cores_per_link, diameter_um, bend_mm, price)
    others = np.flatnonzero(lay.between & (reason > 0))
    tied, rest = by_cabinets(lay, others)
    stock, cents = jumpers(lay, rows, paneled.leg_mm)
    return put_together(
        lay,
        [shared, tied],
        Legs.of(lay, rows, paneled.leg_mm, stock, lay.node[rows], cents),
        reason,
        [laid],
        rest,
        pulled=shared.count + tied.count,
        pieces=shared.count + 2 * len(rows) + len(np.unique(lay.piece[others])),
        bought=jumpers_bought(lay, rows, stock),
        priced=fiber_cents is not None or not shared.count,
    )


def group_of(topology: Topology, level: str | None) -> np.ndarray:
    """Return the group of each router by the name of a level, int64 (R,); all alike where cabinets are the groups.

    Raises
    ------
    InputError
        When the network has neither a group level nor a coordinate of that name.
    """
    if level is None:
        level = topology.group_names[0] if topology.group_names else "cabinet"
    if level == "cabinet":
        return np.zeros(topology.router_count, np.int64)
    if level in topology.group_names:
        return topology.group[:, topology.group_names.index(level)].astype(np.int64)
    if level in topology.coord_names:
        others = np.delete(topology.coords, topology.coord_names.index(level), axis=1).astype(np.int64)
        return numbered(others)[1] if others.shape[1] else np.zeros(topology.router_count, np.int64)
    names = [*topology.group_names, *topology.coord_names, "cabinet"]
    raise InputError(Problem("level", f"{topology.family} has no groups {level!r}", suggestion(level, names)))


def _links(lay: Lay, level: str | None) -> tuple[np.ndarray, np.ndarray]:
    """Links between two groups that may share fibers, int64 (n,), and why others may not, (W,)."""
    reason = fiber_links(lay)
    rows = np.flatnonzero(reason == 0)
    rows = refuse(reason, rows, rows >= lay.topology.link_count, "an endpoint's cable")
    if not _by_cabinets(lay.topology, level):
        ends = group_of(lay.topology, level)[lay.topology.links[rows]]
        rows = refuse(reason, rows, ends[:, 0] == ends[:, 1], "both ends in one group")
    return refuse(reason, rows, lay.of_assembly("glass")[rows] != _GLASS, "no part for its glass or plugs"), reason


def _by_cabinets(topology: Topology, level: str | None) -> bool:
    return level == "cabinet" or (level is None and not topology.group_names)


def _shared(
    lay: Lay,
    rows: np.ndarray,
    paneled: Paneled,
    level: str | None,
    name: str,
    capacity: int,
    diameter_um: int,
    bend_mm: int,
    price: tuple[int, int],
) -> tuple[Set, Laid]:
    """Fibers for each pair of groups and cabinets; links fill one after the other."""
    groups = np.sort(group_of(lay.topology, level)[lay.topology.links[rows]], axis=1)
    turned = lay.cabinet[rows, 0] > lay.cabinet[rows, 1]
    node = np.where(turned[:, None], lay.node[rows, ::-1], lay.node[rows])
    keys, group = numbered(np.column_stack([np.sort(lay.cabinet[rows], axis=1), groups, node]))
    count = -(-np.bincount(group, minlength=len(keys)) // capacity)
    start = np.append(0, np.cumsum(count))
    rank = rank_within(group, np.lexsort((rows, lay.run_mm[rows], group)))
    of = np.repeat(np.arange(len(keys)), count)
    run, tray = (most_of(part, group, len(keys)) for part in (paneled.trunk_mm, paneled.trunk_tray_mm))
    meters = -(-run[of] // 1000)
    diameter = np.full(len(of), diameter_um)
    area = lay.area_um2(diameter)
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
    return shared, Laid(keys[of, 4:], np.full(len(of), MEDIUM_CLASSES.index("fiber")), area, tray[of])
