"""Lengths from boxes to panels and between panels, and the panels to buy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.design.cabling.bundling.bundles.areas import Areas, Level
from planner.design.cabling.bundling.bundles.bundles import Panels, TrayLoad
from planner.design.cabling.bundling.bundles.cables import CableSet, numbered
from planner.domain.model import MEDIUM_CLASSES
from planner.domain.parts import BundlingParts, CassettePart

_FIBER = MEDIUM_CLASSES.index("fiber")


@dataclass(frozen=True, eq=False)
class Paneled:
    """Links between areas with a panel each.

    Attributes
    ----------
    area
        Areas at both ends, int64 (n, 2).
    leg_mm, leg_tray_mm
        Jumpers from box to panel at both ends: run length, and length along trays, int64 (n, 2).
    trunk_mm, trunk_tray_mm
        Length from panel to panel, slack included, and along trays, int64 (n,).
    """

    area: np.ndarray
    leg_mm: np.ndarray
    leg_tray_mm: np.ndarray
    trunk_mm: np.ndarray
    trunk_tray_mm: np.ndarray

    @classmethod
    def of(cls, cables: CableSet, rows: np.ndarray, areas: Areas, level: Level) -> Paneled:
        """Measure links; a cabinet's panel is at its cable exit, that of a larger area at the tray node of its middle slot."""
        slot, slack = cables.slot[rows], cables.parts.trunk_rule.slack_max_mm
        rise, drop = (np.asarray(part, np.int64)[rows] for part in (cables.rise_mm, cables.drop_mm))
        area = areas.of_slot[slot]
        if level == "cabinet":
            tray = np.asarray(cables.tray_mm, np.int64)[rows]
            return cls(area, cables.jumper_mm(rise, False), np.zeros_like(rise), drop.sum(axis=1) + tray + slack, tray)
        center = areas.center[area]
        along = np.column_stack([cables.fiber_mm(slot[:, end], center[:, end]) for end in (0, 1)])
        tray = cables.fiber_mm(center[:, 0], center[:, 1])
        return cls(area, cables.jumper_mm(rise + drop + along, True), along, tray + slack, tray)

    def only(self, kept: np.ndarray) -> Paneled:
        """Return some of the links."""
        return Paneled(self.area[kept], self.leg_mm[kept], self.leg_tray_mm[kept], self.trunk_mm[kept], self.trunk_tray_mm[kept])

    @property
    def fiber_mm(self) -> np.ndarray:
        """Fiber from transceiver to transceiver, int64 (n,)."""
        return self.leg_mm.sum(axis=1) + self.trunk_mm


def panel_nodes(cables: CableSet, areas: Areas) -> np.ndarray:
    """Return the tray node of each area's panel, int64 (A,)."""
    return cables.room.slot_node[areas.center, _FIBER].astype(np.int64)


def leg_loads(cables: CableSet, rows: np.ndarray, paneled: Paneled, nodes: np.ndarray) -> TrayLoad:
    """Return the tray load of the jumpers of links."""
    area = cables.area_um2(cables.of_assembly("diameter_um")[rows])
    ends = [np.column_stack([cables.node[rows, end], nodes[paneled.area[:, end]]]) for end in (0, 1)]
    along = [paneled.leg_tray_mm[:, end] for end in (0, 1)]
    return TrayLoad(np.concatenate(ends), np.full(2 * len(rows), _FIBER), np.tile(area, 2), np.concatenate(along))


def legs_pulled(cables: CableSet, rows: np.ndarray, paneled: Paneled) -> int:
    """Return the number of looms of jumpers pulled from cabinets to panels."""
    key = np.column_stack([cables.cabinet[rows].T.ravel(), paneled.area.T.ravel()])
    _, number = numbered(key)
    return int((-(-np.bincount(number) // cables.cables_per_loom)).sum())


def cassette_for(parts: BundlingParts, plug: str, glass: str) -> CassettePart | None:
    """Return the cheapest cassette for jumpers with this plug, by price per trunk plug; None without one."""
    fitting = [one for one in parts.cassettes if one.plug == plug and one.glass in ("", glass)]
    return min(fitting, key=lambda one: (one.price_cents / one.trunk_plugs, one.id), default=None)


def panels_for(
    parts: BundlingParts, area: np.ndarray, kind: np.ndarray, plugs: np.ndarray, cassettes: list[CassettePart]
) -> tuple[Panels, ...]:
    """Return cassettes and enclosures for trunk ends.

    Parameters
    ----------
    area, kind, plugs
        Of each trunk end: area, index into `cassettes`, MPO plugs, int64 (n,).
    """
    places, number = numbered(np.column_stack([area, kind]))
    total = np.bincount(number, weights=plugs, minlength=len(places)).astype(np.int64)
    panel, bought, bays = parts.panel, list[Panels](), dict[Any, int]()
    for (place, which), need in zip(places.tolist(), total.tolist(), strict=True):
        cassette = cassettes[which]
        count = -(-need // cassette.trunk_plugs)
        bought.append(Panels(cassette.id, place, count, count * cassette.price_cents))
        bays[place] = bays.get(place, 0) + count
    for place, used in bays.items():
        count = -(-used // panel.bays)
        bought.append(Panels(panel.id, place, count, count * panel.price_cents))
    return tuple(bought)
