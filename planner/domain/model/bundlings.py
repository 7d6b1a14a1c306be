"""Comparison of the kinds of bundling."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.core.record import Record, array, value


@dataclass(frozen=True)
class BigBundle:
    """One of the largest bundles of the plan: kind, ends and diameter."""

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
class Bundlings(Record, name="bundlings", needs=("inventory", "catalog", "room", "placement", "cables")):
    """The cables between cabinets as single cables, and by each kind of bundling."""

    methods: tuple[str, ...] = value("single, then kinds of bundling")
    arguments: tuple[str, ...] = value("parameters of each")
    cables: np.ndarray = array("int64", "M", "cables, jumpers, trunks and fibers bought for links between cabinets")
    pulls: np.ndarray = array("int64", "M", "number of pulls between cabinets, or between cabinets and panels")
    bundles: np.ndarray = array("int64", "M", "bundles; a single cable counts as one")
    types: np.ndarray = array("int64", "M", "different bundles by kind, part, capacity and length")
    panels: np.ndarray = array("int64", "M", "enclosures, cassettes and shuffle boxes")
    direct: np.ndarray = array("int64", "M", "links between cabinets that the kind cannot carry, in looms or single")
    fill_mm2_m: np.ndarray = array("int64", "M", "sum of cross-section times tray route", "mm² m")
    fullest_percent: np.ndarray = array("float64", "M", "fill of the fullest tray segment, all on shortest routes", "%")
    cents: tuple[int | None, ...] = value("price of all cables and panels; None where a part has no price", "cents")
    largest: tuple[BigBundle, ...] = value("largest bundles of the plan by number of links", default=())

    def saved(self, figure: str, method: str) -> int | None:
        """Return the saving of a kind of bundling in a figure against single cables; None where it is not known.

        Parameters
        ----------
        figure
            Name of a field, such as ``"pulls"``.
        """
        single, own = (getattr(self, figure)[self.methods.index(name)] for name in ("single", method))
        return None if single is None or own is None else int(single) - int(own)
