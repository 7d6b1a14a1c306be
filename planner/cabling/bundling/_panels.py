"""Ways from boxes to panels and from panel to panel, and the panels to buy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.cabling.bundling._areas import Areas, Level
from planner.cabling.bundling._bundles import Laid, Panels
from planner.cabling.bundling._lay import Lay, numbered
from planner.model import MEDIUM_CLASSES
from planner.parts import CassettePart

_FIBER = MEDIUM_CLASSES.index("fiber")


@dataclass(frozen=True, eq=False)
class Paneled:
    """Links between areas of which each has a panel.

    Attributes
    ----------
    area
        Areas at both ends, int64 (n, 2).
    leg_mm, leg_tray_mm
        Jumpers from box to panel at both ends: run length, and what of it lies in trays, int64 (n, 2).
    trunk_mm, trunk_tray_mm
        Way from panel to panel, slack included, and along trays, int64 (n,).
    """

    area: np.ndarray
    leg_mm: np.ndarray
    leg_tray_mm: np.ndarray
    trunk_mm: np.ndarray
    trunk_tray_mm: np.ndarray

    @classmethod
    def of(cls, lay: Lay, rows: np.ndarray, areas: Areas, level: Level) -> Paneled:
        """Measure links; a cabinet's panel stands at its exit, that of a larger area at the tray node of its middle slot."""
        slot, slack = lay.slot[rows], lay.parts.trunk_rule.slack_max_mm
        rise, drop = (np.asarray(part, np.int64)[rows] for part in (lay.rise_mm, lay.drop_mm))
        area = areas.of_slot[slot]
        if level == "cabinet":
            tray = np.asarray(lay.tray_mm, np.int64)[rows]
            return cls(area, lay.jumper_mm(rise, False), np.zeros_like(rise), drop.sum(axis=1) + tray + slack, tray)
        center = areas.center[area]
        along = np.column_stack([lay.fiber_mm(slot[:, end], center[:, end]) for end in (0, 1)])
        tray = lay.fiber_mm(center[:, 0], center[:, 1])
        return cls(area, lay.jumper_mm(rise + drop + along, True), along, tray + slack, tray)

    def only(self, kept: np.ndarray) -> Paneled:
        """Return some of the links."""
        return Paneled(self.area[kept], self.leg_mm[kept], self.leg_tray_mm[kept], self.trunk_mm[kept], self.trunk_tray_mm[kept])

    @property
    def fiber_mm(self) -> np.ndarray:
        """Fiber from transceiver to transceiver, int64 (n,)."""
        return self.leg_mm.sum(axis=1) + self.trunk_mm


def panel_nodes(lay: Lay, areas: Areas) -> np.ndarray:
    """Return the tray node of each area's panel, int64 (A,)."""
    return lay.room.slot_node[areas.center, _FIBER].astype(np.int64)


def legs_laid(lay: Lay, rows: np.ndarray, paneled: Paneled, nodes: np.ndarray) -> Laid:
    """Return the jumpers of links as they lie in trays."""
    area = lay.area_um2(lay.of_assembly("diameter_um")[rows])
    ends = [np.column_stack([lay.node[rows, end], nodes[paneled.area[:, end]]]) for end in (0, 1)]
    along = [paneled.leg_tray_mm[:, end] for end in (0, 1)]
    return Laid(np.concatenate(ends), np.full(2 * len(rows), _FIBER), np.tile(area, 2), np.concatenate(along))


def legs_pulled(lay: Lay, rows: np.ndarray, paneled: Paneled) -> int:
    """Return how many looms of jumpers are pulled from cabinets to panels."""
    key = np.column_stack([lay.cabinet[rows].T.ravel(), paneled.area.T.ravel()])
    _, number = numbered(key)
    return int((-(-np.bincount(number) // lay.cables_per_loom)).sum())


def cassette_for(lay: Lay, plug: str, glass: str) -> CassettePart | None:
    """Return the cheapest cassette for jumpers with this plug, by price per trunk plug; None where there is none."""
    fitting = [one for one in lay.parts.cassettes if one.plug == plug and one.glass in ("", glass)]
    return min(fitting, key=lambda one: (one.price_cents / one.trunk_plugs, one.id), default=None)


def panels_for(
    lay: Lay, node: np.ndarray, kind: np.ndarray, plugs: np.ndarray, cassettes: list[CassettePart]
) -> tuple[Panels, ...]:
    """Return cassettes and enclosures for trunk ends.

    Parameters
    ----------
    node, kind, plugs
        Of each trunk end: tray node, index into `cassettes`, MPO plugs, int64 (n,).
    """
    places, number = numbered(np.column_stack([node, kind]))
    total = np.bincount(number, weights=plugs, minlength=len(places)).astype(np.int64)
    panel, bought, bays = lay.parts.panel, [], {}
    for (place, which), need in zip(places.tolist(), total.tolist(), strict=True):
        cassette = cassettes[which]
        count = -(-need // cassette.trunk_plugs)
        bought.append(Panels(cassette.id, place, count, count * cassette.price_cents))
        bays[place] = bays.get(place, 0) + count
    for place, used in bays.items():
        count = -(-used // panel.bays)
        bought.append(Panels(panel.id, place, count, count * panel.price_cents))
    return tuple(bought)
