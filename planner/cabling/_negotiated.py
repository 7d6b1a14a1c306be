"""What a negotiation of ways gives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.cabling._certificate import Certificate
from planner.cabling._trays import Demands
from planner.kernels.trays.negotiation import Routed


@dataclass(frozen=True, eq=False)
class WarmStart:
    """Ways of demands that cannot fit, and the proof."""

    demands: Demands
    routed: Routed
    certificate: Certificate


@dataclass(frozen=True, eq=False)
class Negotiated:
    """Where every cable lies.

    Parameters
    ----------
    demand, cables
        Of each strand the demand and how many of its cables it holds, int32 (S,); in the order of the demands.
    indptr, segments
        Of each strand the segments from the demand's first node to its second: CSR, int64 (S + 1,), int32.
    unreachable
        Demands that no way joins, bool (N,); they have no strand.
    uncongested_mm, length_mm
        All cables together over their shortest ways, and as they lie.
    over_um2
        What does not fit into each segment, int64 (K,).
    rounds
        Rounds of negotiation.
    complete
        False when interrupted.
    proven
        Of ways that fit: no others that fit are shorter. Of others: no ways of whole cables fit. Known where all ways
        are shortest ones and in small rooms.
    certificate
        Why nothing fits, not even cables cut into threads, where that is known.
    before
        Where to go on when a few demands change, if it was known before the first round that they do not fit.
    """

    demand: np.ndarray
    cables: np.ndarray
    indptr: np.ndarray
    segments: np.ndarray
    unreachable: np.ndarray
    uncongested_mm: int
    length_mm: int
    over_um2: np.ndarray
    rounds: int
    complete: bool
    proven: bool
    certificate: Certificate | None
    before: WarmStart | None

    @property
    def fits(self) -> bool:
        """Whether no segment holds more than its room."""
        return not self.over_um2.any()
