"""Figures of a placement that is being edited, and what a move changes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from planner.domain.model import Room, Violation
from planner.install.editing.current import Change, Current

SHOWN = 2000
"""Maximum number of changed cables, and of moved devices, that are listed one by one."""


@dataclass(frozen=True)
class Figures:
    """Figures of the layout as it is now.

    Attributes
    ----------
    length_mm, stock_mm
        Run length and stock length of all cables, as `run_mm` and `stock_mm` of the quantities.
    price_cents
        Price of cables, transceivers, trunks and panels. The rest of the bill follows at the next full count.
    power_mw
        Power of plugs and transceivers at both ends of all cables.
    tray_percent
        Fill of the fullest tray segment, in per cent of its cross-section.
    longest_mm
        Longest run length.
    delay_ps
        Maximum delay between two routers, or a lower bound of it: see `delay_is_bound`.
    delay_is_bound
        Whether the delay was computed from some routers only.
    near_misses, near_miss_cents
        Number of near misses, and what all of them together would save.
    """

    length_mm: int
    stock_mm: int
    price_cents: int
    power_mw: int
    tray_percent: float
    longest_mm: int
    delay_ps: int
    delay_is_bound: bool
    near_misses: int
    near_miss_cents: int

    @classmethod
    def of(cls, current: Current, delay_ps: int, delay_is_bound: bool) -> Figures:
        """Return the figures of all rows."""
        columns = current.columns
        return cls(
            length_mm=int(current.longest_of_pieces().sum()),
            stock_mm=int(columns["stock_mm"][columns["first"]].sum()),
            price_cents=int(columns["price_cents"].sum()) + current.passive_cents,
            power_mw=int(columns["power_mw"].sum()),
            tray_percent=float(100 * fill_shares(current.lengths.room, current.fill_um2).max(initial=0)),
            longest_mm=int(columns["run_mm"].max(initial=0)),
            delay_ps=delay_ps,
            delay_is_bound=delay_is_bound,
            near_misses=int((columns["saving_cents"] > 0).sum()),
            near_miss_cents=int(columns["saving_cents"].sum()),
        )


@dataclass(frozen=True)
class CableChange:
    """A row whose length, part or route a move changes.

    Lengths in mm, prices in cents, before and after; `part` is the id of the assembly, `route` the tray segments in order.
    """

    number: int
    run_mm: tuple[int, int]
    stock_mm: tuple[int, int]
    price_cents: tuple[int, int]
    part: tuple[str, str]
    route: tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Delta:
    """What one move, or an undo or redo, changes.

    Attributes
    ----------
    title
        What was done.
    moved
        Names of the devices in other places, up to `SHOWN`; `moved_count` counts all.
    slots
        Slots that the step took devices from or gave devices to, ascending.
    before, after
        Figures.
    cables
        Changed rows in order, up to `SHOWN`; `cable_count` counts all.
    trays
        Tray segments whose fill changes: number, and fill in per cent before and after.
    broken, mended
        Violations that are new, and those that are gone.
    estimated
        Reasons why a full count may find other lengths, prices, power, fills and near misses; empty where it finds the same.
    """

    title: str
    moved: tuple[str, ...]
    moved_count: int
    before: Figures
    after: Figures
    cables: tuple[CableChange, ...]
    cable_count: int
    trays: tuple[tuple[int, float, float], ...]
    broken: tuple[Violation, ...]
    mended: tuple[Violation, ...]
    estimated: tuple[str, ...]
    slots: tuple[int, ...] = ()

    def plain(self, cables: int = SHOWN) -> dict[str, Any]:
        """Return the change as plain data.

        Parameters
        ----------
        cables
            Maximum number of changed cables, which are listed without their routes; those of all are in `routes`, the segments
            before and after.
        """
        listed = [{name: each for name, each in vars(cable).items() if name != "route"} for cable in self.cables[:cables]]
        changed = [cable.route for cable in self.cables if cable.route[0] != cable.route[1]]
        routes = [sorted({segment for pair in changed for segment in pair[end]}) for end in (0, 1)]
        plain = {name: each for name, each in vars(self).items() if name != "cables"}
        rules = {name: [asdict(item) for item in getattr(self, name)] for name in ("broken", "mended")}
        figures = {"before": asdict(self.before), "after": asdict(self.after)}
        return plain | rules | figures | {"cables": listed, "routes": routes}


def fill_shares(room: Room, fill_um2: np.ndarray) -> np.ndarray:
    """Return the fill of each segment as a share of its cross-section, cables of others included; 0 without a limit."""
    area = room.segment_mm2
    whole = (fill_um2 + room.existing.fill_um2(len(area))) / 1e6
    return np.divide(whole, area, out=np.zeros(len(area)), where=area > 0)


def changed_cables(current: Current, change: Change) -> tuple[tuple[CableChange, ...], int]:
    """Return the rows whose length, part, price or route differ, the first of them one by one, and their number."""
    before, after = change.before, change.after
    differs = np.zeros(len(change.rows), bool)
    for name in ("run_mm", "stock_mm", "price_cents", "assembly", "route"):
        differs |= before[name] != after[name]
    some = np.flatnonzero(differs)
    shown = some[:SHOWN]
    columns = [
        zip(before[name][shown].tolist(), after[name][shown].tolist(), strict=True)
        for name in ("run_mm", "stock_mm", "price_cents", "assembly", "route")
    ]
    found = []
    for number, run, stock, price, part, route in zip(change.rows[shown].tolist(), *columns, strict=True):
        parts = current.assemblies[part[0]].id, current.assemblies[part[1]].id
        segments = current.routes.listed(route[0]), current.routes.listed(route[1])
        found.append(CableChange(number + 1, run, stock, price, parts, segments))
    return tuple(found), len(some)


def changed_trays(current: Current, before_um2: np.ndarray) -> tuple[tuple[int, float, float], ...]:
    """Return the segments whose fill differs, with their fill in per cent before and after."""
    room = current.lengths.room
    segments = np.flatnonzero(before_um2 != current.fill_um2)
    old, new = (np.round(100 * fill_shares(room, fill)[segments], 3) for fill in (before_um2, current.fill_um2))
    return tuple(zip(segments.tolist(), old.tolist(), new.tolist(), strict=True))
