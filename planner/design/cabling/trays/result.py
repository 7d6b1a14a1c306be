"""The result of a negotiation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.design.cabling.trays.certificate import Certificate
from planner.design.cabling.trays.graph import Demands
from planner.kernels.trays.negotiation import Routed


@dataclass(frozen=True, eq=False)
class WarmStart:
    """Routes of demands that cannot fit, and the proof."""

    demands: Demands
    routed: Routed
    certificate: Certificate


@dataclass(frozen=True, eq=False)
class Negotiated:
    """The route of every cable.

    Parameters
    ----------
    demand, cables
        Demand of each strand and number of its cables, int32 (S,); in the order of the demands.
    indptr, segments
        Segments of each strand from the demand's first node to its second: CSR, int64 (S + 1,), int32.
    unreachable
        Demands without any route, bool (N,); they have no strand.
    uncongested_mm, length_mm
        Total length of all cables over their shortest routes, and as routed.
    excess_um2
        Overflow of each segment, int64 (K,).
    rounds
        Rounds of negotiation.
    complete
        False when interrupted.
    proven
        For routes that fit: they are optimal. For others: no routes of whole cables fit. Known where all routes
        are shortest ones and in small rooms.
    certificate
        Proof of infeasibility, even of the fractional relaxation, where there is one.
    warm_start
        State to resume from when a few demands change, if infeasibility was proven before the first round.
    """

    demand: np.ndarray
    cables: np.ndarray
    indptr: np.ndarray
    segments: np.ndarray
    unreachable: np.ndarray
    uncongested_mm: int
    length_mm: int
    excess_um2: np.ndarray
    rounds: int
    complete: bool
    proven: bool
    certificate: Certificate | None
    warm_start: WarmStart | None

    @property
    def fits(self) -> bool:
        """Whether no segment exceeds its room."""
        return not self.excess_um2.any()
