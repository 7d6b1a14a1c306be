"""Cabling: every cable with both ends, its way, its length and what it is made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.cabling._labels import TIA_606, labels
from planner.cabling._ports import ports_of
from planner.cabling._routes import Routes, routes_between
from planner.floor import Lengths
from planner.model import CablePlan, Catalog, Placement, Topology
from planner.parts import Assembly
from planner.pricelist import Preference, price_list
from planner.progress import Progress, silent

STAGES = ("in cabinet", "in row", "between rows")


def cable(
    topology: Topology,
    catalog: Catalog,
    placement: Placement,
    lengths: Lengths,
    *,
    progress: Progress = silent,
    prefer: Preference = "price",
    label: str = TIA_606,
) -> CablePlan:
    """Plan every cable of a placed network.

    Parameters
    ----------
    topology, catalog, placement, lengths, progress
        Supplied by the flow.
    prefer
        What is made least when a part is chosen: ``price``, ``power`` or ``delay``.
    label
        Text at an end of a cable; `planner.cabling._labels.FIELDS` may stand in braces.

    Raises
    ------
    InputError
        When the label has an unknown field.
    Infeasible
        When a cable is longer than any part reaches.
    """
    device, port = ports_of(topology, placement)
    boxes = _Boxes.of(topology, catalog, placement)
    cabinet, unit = boxes.cabinet[device], boxes.unit[device]
    progress("cables", 0, 3)
    slot = placement.slot_of[cabinet]
    parts = _length_parts(lengths, slot, unit, boxes.units[device])
    run = parts["run_mm"]
    progress("cables", 1, 3)
    purchase = _purchase(topology, catalog, run, prefer)
    routes = routes_between(lengths.ways, slot)
    progress("cables", 2, 3)
    room = lengths.room
    rows = room.slot_row[slot]
    stage = np.where(cabinet[:, 0] == cabinet[:, 1], 0, np.where(rows[:, 0] == rows[:, 1], 1, 2))
    cage = np.where(device < topology.router_count, (port - 1) // catalog.router.ports_per_cage + 1, port)
    text = labels(label, np.array(room.slot_names)[slot], unit, port)
    plan = CablePlan(
        device=device,
        port=port,
        cage=cage,
        cabinet=cabinet,
        unit=unit,
        **parts,
        **purchase,
        route=routes.route,
        route_indptr=routes.indptr,
        route_segments=routes.segments,
        bundle=_bundles(cabinet),
        stage=stage,
        stage_names=STAGES,
        label_a=text[0],
        label_b=text[1],
        fill_um2=_fill(routes, purchase["assemblies"], purchase["assembly"], len(room.segments)),
    )
    progress("cables", 3, 3)
    return plan


@dataclass(frozen=True)
class _Boxes:
    """Cabinet, lowest unit and height in units of the box of every device, int64 (R + H,)."""

    cabinet: np.ndarray
    unit: np.ndarray
    units: np.ndarray

    @classmethod
    def of(cls, topology: Topology, catalog: Catalog, placement: Placement) -> _Boxes:
        return cls(
            np.concatenate([placement.cabinet_of, placement.endpoint_cabinet]).astype(np.int64),
            np.concatenate([placement.unit_of, placement.endpoint_unit]).astype(np.int64),
            np.repeat([catalog.router.units, catalog.endpoint.units], [topology.router_count, topology.endpoint_count]),
        )


def _length_parts(lengths: Lengths, slot: np.ndarray, unit: np.ndarray, units: np.ndarray) -> dict[str, np.ndarray]:
    """The parts of every cable's run length, int64 (W,) or (W, 2).

    Inside a cabinet the first end's rise is the whole way, and the other parts are 0.
    """
    between = slot[:, 0] != slot[:, 1]
    inside = lengths.inside_mm(unit[:, 0], units[:, 0], unit[:, 1], units[:, 1])
    rise = np.where(between[:, None], lengths.rise_mm(unit, units), np.column_stack([inside, np.zeros_like(inside)]))
    drop = np.where(between[:, None], lengths.drop_mm[slot], 0)
    tray = np.where(between, lengths.ways.between_mm(slot[:, 0], slot[:, 1]), 0)
    way = rise.sum(axis=1) + drop.sum(axis=1) + tray
    slack = lengths.slack_mm(way, between)
    return {"rise_mm": rise, "drop_mm": drop, "tray_mm": tray, "slack_mm": slack, "run_mm": way + slack}


def _purchase(topology: Topology, catalog: Catalog, run: np.ndarray, prefer: Preference) -> dict:
    """Assembly, stock length and price of every cable; the assemblies are those in use, in catalog order."""
    halves = []
    offset = 0
    for what, assemblies, part in (
        ("links", catalog.link_assemblies, run[: topology.link_count]),
        ("endpoint cables", catalog.endpoint_assemblies, run[topology.link_count :]),
    ):
        if not part.size:
            continue
        prices = price_list(assemblies, prefer)
        row = prices.rows(part, what)
        halves.append((prices.assembly[row] + offset, prices.stock_mm[row], prices.price_cents[row]))
        offset += len(assemblies)
    choices = (catalog.link_assemblies if topology.link_count else ()) + catalog.endpoint_assemblies
    if not halves:
        return {"assembly": [], "stock_mm": [], "price_cents": [], "assemblies": ()}
    number, stock, price = (np.concatenate(column) for column in zip(*halves, strict=True))
    used: list[Assembly] = []
    place: dict[Assembly, int] = {}
    for choice in np.unique(number):
        if choices[choice] not in place:
            place[choices[choice]] = len(used)
            used.append(choices[choice])
    renumber = np.zeros(len(choices), np.int64)
    for choice in np.unique(number):
        renumber[choice] = place[choices[choice]]
    return {"assembly": renumber[number], "stock_mm": stock, "price_cents": price, "assemblies": tuple(used)}


def _bundles(cabinet: np.ndarray) -> np.ndarray:
    """Number the pairs of different cabinets that share cables; -1 inside a cabinet. int64 (W,)."""
    pair = np.sort(cabinet, axis=1)
    between = pair[:, 0] != pair[:, 1]
    bundle = np.full(len(pair), -1)
    if between.any():
        bundle[between] = np.unique(pair[between], axis=0, return_inverse=True)[1].ravel()
    return bundle


def _fill(routes: Routes, assemblies: tuple[Assembly, ...], assembly: np.ndarray, segments: int) -> np.ndarray:
    """Cross-section of all cables in each tray segment, circles of their outer diameter, int64 µm² (K,)."""
    fill = np.zeros(segments, np.int64)
    if not assemblies:
        return fill
    area = np.array([round(np.pi / 4 * a.diameter_um**2) for a in assemblies], np.int64)
    on_tray = routes.route >= 0
    per_route = np.zeros(len(routes.indptr) - 1, np.int64)
    np.add.at(per_route, routes.route[on_tray], area[np.asarray(assembly)[on_tray]])
    np.add.at(fill, routes.segments, np.repeat(per_route, np.diff(routes.indptr)))
    return fill
