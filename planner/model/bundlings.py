"""Kinds of bundling, side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.record import Record, array, value


@dataclass(frozen=True)
class BigBundle:
    """One of the largest bundles of the plan: what it is, from where to where, how thick."""

    number: int
    kind: str
    part: str
    ends: tuple[str, str]
    links: int
    capacity: int
    diameter_um: int
    bend_mm: int
    run_mm: int
    polarity: str = ""


@dataclass(frozen=True, eq=False)
class Bundlings(Record):
    """What the cables between cabinets take as single cables, and by each kind of bundling."""

    methods: tuple[str, ...] = value("single, then kinds of bundling")
    arguments: tuple[str, ...] = value("what was asked of each")
    cables: np.ndarray = array("int64", "M", "cables, jumpers, trunks and fibers bought for links between cabinets")
    pulls: np.ndarray = array("int64", "M", "things pulled between cabinets, or between cabinets and panels")
    bundles: np.ndarray = array("int64", "M", "bundles; single cables are their own")
    types: np.ndarray = array("int64", "M", "different bundles by kind, part, capacity and length")
    panels: np.ndarray = array("int64", "M", "enclosures, cassettes and shuffle boxes")
    direct: np.ndarray = array("int64", "M", "links between cabinets that could not take part and lie as looms or alone")
    fill_mm2_m: np.ndarray = array("int64", "M", "cross-section times way along trays, of everything", "mm² m")
    fullest_percent: np.ndarray = array("float64", "M", "share of the fullest tray segment, all on shortest ways", "%")
    cents: tuple[int | None, ...] = value("price of all cables and panels; None where a part has no price", "cents")
    largest: tuple[BigBundle, ...] = value("the largest bundles of the plan, most links first", default=())

    def saved(self, figure: str, method: str) -> int | None:
        """Return what a kind of bundling saves of a figure against single cables; None where it is not known.

        Parameters
        ----------
        figure
            Name of a field, such as ``"pulls"``.
        """
        single, own = (getattr(self, figure)[self.methods.index(name)] for name in ("single", method))
        return None if single is None or own is None else int(single) - int(own)
