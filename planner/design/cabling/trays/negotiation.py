"""Routing over trays of limited room by negotiation."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from planner.core.progress import Progress, silent
from planner.design.cabling.trays.certificate import Certificate, CertificateSearch, verify_certificate
from planner.design.cabling.trays.exact import is_small, shortest
from planner.design.cabling.trays.graph import Demands, TrayGraph, check
from planner.design.cabling.trays.result import Negotiated, WarmStart
from planner.design.cabling.trays.state import RoutingState
from planner.kernels.trays.negotiation import STRANDS

ROUNDS = 60
"""Maximum rounds of negotiation."""

_PRESSURE, _GROWTH = 0.5, 1.2
"""Price of overflow in the first round, and its growth: slow, so that the cables with the shortest detours move first."""

_STEP = 0.3
"""Increase of a segment's price per round when its load is twice its room."""

_UNSPLIT_ROUNDS = 8
"""Rounds in which no demand is split."""

_CERTIFICATE_ROUNDS = 10
"""Interval of the infeasibility tests; the first is after half of it."""

EARLY_OVERFLOW, EARLY_DEMANDS, LATE_DEMANDS = 0.02, 100_000, 500_000
"""Infeasibility is tested before the first round if overflow exceeds this share of all load, from the first number of demands
to the second one: for fewer a round takes less time than a proof, and for more a proof takes minutes."""

_STALLED = 0.95
"""Negotiation stalls when the overflow exceeds this share of that at the previous test."""

_FILL_ONLY = 1e6
"""Pressure of the rounds without prices in infeasible cases: only the fill counts."""

_SETTLE_PRESSURES = (1.0, 3.0, 10.0, _FILL_ONLY)
"""Pressures of these rounds when they start from the shortest routes."""

_BRIEF_PRESSURES = (2.0, 10.0, _FILL_ONLY)
"""Those of a negotiation that is not thorough: a round less, for routes that are 0.3 % longer at most in the cases measured."""

_MAX_SETTLE_ROUNDS = 8
"""Maximum number of these rounds; they end when one at the last pressure improves by less than a percent."""

_MAX_SHORTEN_PASSES = 20
"""Maximum passes of shortening."""


def negotiate(
    graph: TrayGraph,
    demands: Demands,
    *,
    warm_start: WarmStart | None = None,
    thorough: bool = True,
    progress: Progress = silent,
) -> Negotiated:
    """Route every cable so that no segment exceeds its room, with the smallest total length.

    Parameters
    ----------
    graph, demands
        The trays and the demands to route.
    warm_start
        Routes of mostly the same demands; used if its proof of infeasibility holds for these demands, too.
    thorough
        Whether to negotiate in many rounds and to look for proofs where the shortest routes do not fit; otherwise a few rounds
        reduce the overflow.

    Raises
    ------
    InputError
        When cross-sections or lengths of all cables together are too large for exact numbers.
    KeyboardInterrupt
        When interrupted before every cable had a route; later the best so far is returned.

    References
    ----------
    .. [1] L. McMurchie, C. Ebeling, "PathFinder: a negotiation-based performance-driven router for FPGAs", FPGA 1995.

    Examples
    --------
    Two routes lead from node 0 to node 1; the short one has room for one of two cables.

    >>> graph = TrayGraph(
    ...     3, ends=[[0, 1], [0, 2], [2, 1]], length_mm=[10, 10, 10], room_um2=[5, -1, -1], carries=[3, 3, 3]
    ... )
    >>> routed = negotiate(graph, Demands(ends=[[0, 1]], medium_class=[0], cable_um2=[4], cables=[2]))
    >>> routed.fits, routed.uncongested_mm, routed.length_mm
    (True, 20, 30)
    """
    check(graph, demands)
    return _Negotiation(graph, demands, thorough, progress).run(warm_start)


class _Negotiation:
    """One negotiation: the routing state, the best so far, and the certificate."""

    def __init__(self, graph: TrayGraph, demands: Demands, thorough: bool, progress: Progress):
        self._state, self._thorough = RoutingState(graph, demands), thorough
        self._progress = progress
        self._done, self._complete, self._proven = 0, True, False
        self._certificate: Certificate | None = None
        # Overflow and length of the best routes, and these; nothing is kept until the shortest are known.
        self._best: tuple[int, int] = (0, 0)
        self._kept: Any = None
        # A detour by one mean segment costs the same as one mean cable that does not fit.
        length, area = graph.length_mm, demands.cable_um2[self._state.routable]
        self._unit = max(float(length.mean()) if length.size else 0.0, 1.0) / max(float(area.mean()) if area.size else 0.0, 1.0)

    def run(self, warm_start: WarmStart | None = None) -> Negotiated:
        try:
            self._state.route_shortest(self._report)
            self._keep_best()
            self._proven = not self._best[0]
            if self._best[0]:
                if warm_start is not None and self._resumed(warm_start):
                    self._minimize_overflow((_FILL_ONLY,))
                elif not self._thorough:
                    self._minimize_overflow(_BRIEF_PRESSURES)
                else:
                    self._negotiate()
                    self._minimize_overflow((_FILL_ONLY,) if self._done else _SETTLE_PRESSURES)
                    self._find_worst_cut()
                self._shorten()
                if self._thorough:
                    self._prove()
        except KeyboardInterrupt:
            if self._kept is None:
                raise
            self._complete = False
        return self._result()

    def _uncongested_mm(self) -> int:
        return int(self._state.shortest_mm @ self._state.demands.cables.astype(np.int64))

    def _report(self) -> None:
        over, mm = self._best
        full_mm = int(self._state.graph.length_mm[self._state.excess_um2 > 0].sum())
        self._progress("trays", self._done, ROUNDS, overflow_um2=over, overloaded_mm=full_mm, objective=mm)

    def _keep_best(self) -> None:
        """Keep the current routes if they have less overflow than the best, or the same and less length."""
        found = self._state.overflow_um2(), self._state.length_mm()
        if self._kept is None or found < self._best:
            self._best, self._kept = found, self._state.snapshot()

    def _resumed(self, warm_start: WarmStart) -> bool:
        """Resume from previous routes if the proof of infeasibility holds for these demands, too."""
        known, state = warm_start.certificate, self._state
        sums = verify_certificate(state.graph, state.demands, known.segments, known.prices)
        if sums is not None:
            self._certificate = replace(known, needed=sums[0], room=sums[1])
            state.resume(warm_start.demands, warm_start.routed)
            self._keep_best()
        return sums is not None

    def _negotiate(self) -> None:
        """Run rounds with rising prices until everything fits or infeasibility is proven."""
        state, pressure, last = self._state, _PRESSURE, np.inf
        room = np.maximum(state.trays.room_um2, 1.0)
        if self._is_likely_infeasible() and self._is_infeasible(self._fill()):
            return
        while self._done < ROUNDS and self._best[0]:
            # Prices rise with the overload relative to the room, by one step at most.
            over = state.excess_um2
            state.price[:] += _STEP * self._unit * over / np.maximum(room, over)
            state.reroute(pressure * self._unit, 1 if self._done < _UNSPLIT_ROUNDS else STRANDS, self._report)
            pressure *= _GROWTH
            self._done += 1
            self._keep_best()
            if self._best[0] and self._done % _CERTIFICATE_ROUNDS == _CERTIFICATE_ROUNDS // 2:
                if self._is_infeasible(state.price) or self._best[0] > _STALLED * last:
                    break
                last = self._best[0]
        if self._best[0] and not self._certificate:
            self._certificate = self._certificates.search(state.price, self._report)

    def _is_likely_infeasible(self) -> bool:
        state = self._state
        return EARLY_DEMANDS <= len(state.routable) < LATE_DEMANDS and self._best[0] > EARLY_OVERFLOW * int(state.use_um2.sum())

    def _is_infeasible(self, price: np.ndarray) -> bool:
        self._certificate = self._certificates.cut(price) or self._certificates.priced(price)
        return self._certificate is not None

    def _prove(self) -> None:
        """Solve a small room exactly, for the optimum or a proof of infeasibility, unless there is a certificate."""
        state = self._state
        if self._best == (0, self._uncongested_mm()):
            self._proven = True
        elif self._certificate is None and is_small(len(state.routable), len(state.graph.ends)):
            strands, self._proven = shortest(state.graph, state.demands, state.routable)
            if strands is not None:
                state.assign(strands)
                self._keep_best()
                # Routes of the same length in fewer strands are easier to pull.
                state.restore(self._kept)
                state.shorten(STRANDS, self._report)
                self._kept = state.snapshot()

    def _minimize_overflow(self, pressures: tuple[float, ...]) -> None:
        """Minimize the overflow in infeasible cases."""
        state = self._state
        state.restore(self._kept)
        if not self._best[0]:
            return
        state.price[:] = 0.0
        for number in range(_MAX_SETTLE_ROUNDS):
            before, pressure = self._best[0], pressures[min(number, len(pressures) - 1)]
            state.reroute(pressure * self._unit, STRANDS, self._report)
            self._keep_best()
            if not self._best[0] or (pressure == pressures[-1] and self._best[0] > 0.99 * before):
                break
        state.restore(self._kept)

    def _find_worst_cut(self) -> None:
        """Replace the cut by the one with the largest shortfall under the current load."""
        known = self._certificate
        if not self._done and known is not None and known.is_cut:
            found = self._certificates.cut(self._fill())
            if found is not None and found.needed - found.room > known.needed - known.room:
                self._certificate = found

    def _fill(self) -> np.ndarray:
        """Return the load of each segment over its room, float64 (K,)."""
        return self._state.use_um2 / np.maximum(self._state.trays.room_um2, 1.0)

    def _shorten(self) -> None:
        for _ in range(_MAX_SHORTEN_PASSES if self._thorough else 1):
            before = self._best
            self._state.shorten(STRANDS, self._report)
            self._keep_best()
            if self._best == before:
                break

    @cached_property
    def _certificates(self) -> CertificateSearch:
        state = self._state
        return CertificateSearch(state.graph, state.demands, state.trays, ~state.unreachable)

    def _result(self) -> Negotiated:
        """Return the best routes; demands within a node get a strand of no segments."""
        state, kept = self._state, self._kept
        demand, cables, indptr, segments = state.strands(kept)
        here = np.flatnonzero(state.demands.ends[:, 0] == state.demands.ends[:, 1])
        demand = np.concatenate([demand, here])
        order = np.argsort(demand, kind="stable")
        sizes = np.concatenate([np.diff(indptr), np.zeros(len(here), np.int64)])
        cables = np.concatenate([cables, state.demands.cables[here]])
        return Negotiated(
            demand=demand[order],
            cables=cables[order],
            indptr=np.concatenate([[0], np.cumsum(sizes[order])]),
            segments=segments,
            unreachable=state.unreachable,
            uncongested_mm=self._uncongested_mm(),
            length_mm=self._best[1],
            excess_um2=np.maximum(kept.use_um2 - state.trays.room_um2, 0),
            rounds=self._done,
            complete=self._complete,
            proven=self._proven,
            certificate=self._certificate,
            warm_start=WarmStart(state.demands, kept, self._certificate)
            if self._certificate is not None and not self._done
            else None,
        )
