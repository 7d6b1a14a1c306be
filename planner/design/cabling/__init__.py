"""Cabling: every cable with both ends, route, length and parts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from planner.core.checking import checked
from planner.core.progress import Progress, silent
from planner.design.cabling.agreement import Task
from planner.design.cabling.bundling import KINDS, Bundles, CableSet, bundle
from planner.design.cabling.cages import Cages, cages_of
from planner.design.cabling.carried import joined, passives, reasons
from planner.design.cabling.examine import examine as examine
from planner.design.cabling.kept import Installed
from planner.design.cabling.labels import Ends as Labeled
from planner.design.cabling.labels import texts
from planner.design.cabling.media import Purchase, purchase, with_nominal_slack
from planner.design.cabling.overrides import overrides as read_overrides
from planner.design.cabling.runs import Ends, Parts, Runs, sides
from planner.design.cabling.trays.routes import fill_um2
from planner.domain.model import CablePlan, Catalog, Inventory, Kept, Placement, Room
from planner.domain.pricelist import Preference
from planner.hall.floor import Lengths

STAGES = ("in cabinet", "in row", "in zone", "across the room")
"""Distance classes of cables, by which crews install them."""


@checked()
def cable(
    inventory: Inventory,
    catalog: Catalog,
    placement: Placement,
    lengths: Lengths,
    *,
    kept: Kept | None = None,
    cages: Cages | None = None,
    taken_um2: np.ndarray | None = None,
    progress: Progress = silent,
    prefer: Preference = "price",
    custom_lengths: bool = False,
    label: str = "tia606",
    overrides: Path | None = None,
    bundling: str = "loom",
    bundling_parameters: dict[str, Any] | None = None,
) -> CablePlan:
    """Plan the cable of every connection between placed devices.

    Parameters
    ----------
    inventory, catalog, placement, lengths, kept, progress
        Supplied by the flow.
    cages
        Ports and cages of the connections, where these are some of those of a plan. By default they are chosen.
    taken_um2
        Cross-section of each tray segment that cables of other connections take, int64 (K,). By default none. With it, routes
        over full trays are found in a few rounds: cables of others would have to move for better ones.
    prefer
        Objective for part selection: ``price``, ``power`` or ``delay``.
    custom_lengths
        Whether lengths may be made to order, by the catalog's rule.
    label
        Label text at an end of a cable: ``tia606``, ``hpe``, ``serial``, or a template with fields in braces,
        see ``docs/method/work.md``.
    overrides
        CSV file of run lengths set by hand, see ``docs/method/cabling.md``.
    bundling
        Kind of bundling of the cables between cabinets, see `planner.design.cabling.bundling`: ``loom``, ``row_loom``, or, for
        links of transceivers and fiber over panels, ``trunk``, ``multicore`` or ``shuffle``.
    bundling_parameters
        Parameters of the kind of bundling.

    Raises
    ------
    InputError
        When the label scheme or field is unknown, with every wrong line of the overrides, or when the bundling is
        unknown or does not fit the network.
    Infeasible
        When a cable is longer than the reach of every part.
    """
    room = lengths.room
    cages = cages_of(inventory, placement, kept) if cages is None else cages
    locations = _Locations.of(inventory, placement, cages)
    ends = Ends(locations.slot, locations.unit, locations.units, locations.rear)
    names = tuple(room.slot_names[slot] for slot in placement.slot_of.tolist())
    by_hand = read_overrides(overrides, inventory, locations.cabinet, names)
    runs = Runs(lengths, ends, by_hand)
    made_to_length = catalog.custom_length if custom_lengths else None
    buy = partial(purchase, inventory.joints, inventory.joint, cages, prefer=prefer, custom_length=made_to_length)
    stays = None if kept is None else Installed.of(kept, inventory.connection_count)
    if stays is not None:
        buy = partial(stays.bought, buy)

    def bundled(bought: Purchase, parts: Parts) -> Bundles:
        rows = CableSet(
            inventory, lengths, catalog.bundling, bought.assemblies, bought.assembly, bought.piece,
            cages.device, locations.cabinet, ends.slot, parts.rise_mm, parts.drop_mm, parts.tray_mm, parts.run_mm,
            bought.stock_mm, bought.price_cents, bought.modules,
        )  # fmt: skip
        return bundle(rows, kind=bundling, **(bundling_parameters or {}))

    reach_mm = np.array([max((one.stock_mm[-1] for one in joint.assemblies), default=0) for joint in inventory.joints])[
        inventory.joint
    ]
    task = Task(
        room,
        ends,
        runs,
        buy,
        sum(len(joint.assemblies) for joint in inventory.joints),
        inventory.apart,
        reach_mm,
        bundled,
        partial(with_nominal_slack, prefer=prefer, custom_length=made_to_length),
        np.where(inventory.is_link, placement.longest_mm or _NO_LIMIT_MM, _NO_LIMIT_MM),
        progress,
        stays,
        0 if taken_um2 is None else taken_um2,
        taken_um2 is None,
    )
    agreed = task.agree()
    bought, bundles = agreed.bought, agreed.bundles
    nodes = room.slot_node[ends.slot, bought.medium_class[:, None]]
    found, carrier_route = joined(room, agreed.found, bundles, nodes, agreed.carriers)
    carried = bundles.carried
    minimum = runs.along(bought.medium_class, found.tray_mm)
    if stays is not None:
        stays.require_reach(minimum.run_mm)
    parts = task.with_slack(minimum, bought, carried)
    length = np.append(bundles.stock_mm, 0)[bundles.bundle]
    stock = np.where(carried, bundles.leg_stock_mm.sum(axis=1) + length, bought.stock_mm)
    modules = _module_cents(bought)
    stage = stages(locations.cabinet, room.slot_row[ends.slot], _zones(room)[ends.slot])
    text = texts(
        label,
        Labeled(
            room, inventory, bought.assemblies, bought.piece, cages.device, cages.port, cages.cage, ends.unit, ends.slot,
            bought.assembly, stock, bundles.bundle, stage, STAGES,
        ),
    )  # fmt: skip
    if stays is not None:
        text = stays.labeled(text)
    area = np.where(carried, 0, task.area_um2(bought))
    return CablePlan(
        device=cages.device,
        port=cages.port,
        cage=cages.cage,
        piece=bought.piece,
        cabinet=locations.cabinet,
        unit=ends.unit,
        egress=sides(room.slot_egress[ends.slot], ends.between, cages.cage, locations.cages),
        rise_mm=parts.rise_mm,
        drop_mm=parts.drop_mm,
        tray_mm=parts.tray_mm,
        slack_mm=parts.slack_mm,
        slack_below_mm=parts.spare_mm.sum(axis=1),
        slack_above_mm=parts.run_mm - minimum.run_mm,
        override_mm=parts.override_mm,
        run_mm=parts.run_mm,
        stock_mm=stock,
        assembly=bought.assembly,
        assemblies=bought.assemblies,
        price_cents=np.where(carried, modules, bought.price_cents),
        power_mw=bought.power_mw,
        modules=bought.modules,
        route=found.route,
        route_indptr=found.indptr,
        route_segments=found.segments,
        leg_mm=bundles.leg_mm,
        leg_stock_mm=bundles.leg_stock_mm,
        bundle=bundles.bundle,
        bundle_kinds=KINDS,
        bundle_parts=bundles.parts,
        **{f"bundle_{name}": getattr(bundles, name) for name in _OF_BUNDLES},
        carrier_um2=agreed.carriers.um2,
        carrier_route=carrier_route,
        passives=passives(bundles),
        polarity=bundles.polarity,
        direct=reasons(bundles),
        stage=stage,
        stage_names=STAGES,
        label_a=text[0],
        label_b=text[1],
        fill_um2=fill_um2(found, area, len(room.segments)) + agreed.carriers.taken_um2,
        shortest_tray_mm=found.shortest_mm,
        bottleneck=found.bottleneck,
        complete=found.complete,
    )


_NO_LIMIT_MM = 2**40

_OF_BUNDLES = ("kind", "part", "cabinet", "capacity", "diameter_um", "bend_mm", "run_mm", "stock_mm")


def _module_cents(bought: Purchase) -> np.ndarray:
    """Return the price of the transceivers bought with each row, int64 (W,)."""
    cents = np.array([[end.price_cents for end in made_of.ends] for made_of in bought.assemblies], np.int64).reshape(-1, 2)
    return (cents[bought.assembly] * bought.modules).sum(axis=1)


@dataclass(frozen=True)
class _Locations:
    """Locations of the boxes at both ends of every cable, int64 (W, 2).

    Cabinet, slot, lowest unit, height in units, whether the ports are at the rear, number of cages.
    """

    cabinet: np.ndarray
    slot: np.ndarray
    unit: np.ndarray
    units: np.ndarray
    rear: np.ndarray
    cages: np.ndarray

    @classmethod
    def of(cls, inventory: Inventory, placement: Placement, cages: Cages) -> _Locations:
        device = cages.device
        cabinet, unit = (places[device].astype(np.int64) for places in (placement.cabinet, placement.unit))
        units, rear, sockets = (inventory.of_part(name)[device] for name in ("units", "rear", "cages"))
        return cls(cabinet, placement.slot_of[cabinet].astype(np.int64), unit, units, rear, sockets)


def _zones(room: Room) -> np.ndarray:
    """Return the hall of each slot, or the first zone with limits that contains it, int64 (S,); -1 for none."""
    zone = np.full(room.slot_count, -1)
    for number, hall in reversed([*enumerate(room.halls)]):
        zone[shapely.intersects_xy(shapely.Polygon(hall.corners_mm), room.slot_xy)] = number
    if not room.halls:
        for number, limit in reversed([*enumerate(room.zones)]):
            zone[list(limit.slots)] = number
    return zone


def stages(cabinet: np.ndarray, row: np.ndarray, zone: np.ndarray) -> np.ndarray:
    """Return the install stage of every cable, index into `STAGES`, uint8 (W,).

    Parameters
    ----------
    cabinet, row
        Cabinet at both ends, and its row, int (W, 2).
    zone
        Area of the floor at both ends: a hall, or a zone of the room; -1 for slots outside all of them, which share
        no zone. Int (W, 2).

    Examples
    --------
    >>> there = np.array([[0, 0], [0, 1], [0, 2], [0, 3]])
    >>> row, zone = np.array([0, 0, 1, 2]), np.array([0, 0, 0, 1])
    >>> [STAGES[stage] for stage in stages(there, row[there], zone[there])]
    ['in cabinet', 'in row', 'in zone', 'across the room']
    """
    same_zone = (zone[:, 0] == zone[:, 1]) & (zone[:, 0] >= 0)
    conditions = [cabinet[:, 0] == cabinet[:, 1], row[:, 0] == row[:, 1], same_zone]
    return np.select(conditions, [0, 1, 2], default=3).astype(np.uint8)
