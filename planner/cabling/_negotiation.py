"""Ways over trays of limited room, found by negotiation."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from planner.cabling._certificate import CertificateSearch, verify_certificate
from planner.cabling._exact import is_small, shortest
from planner.cabling._negotiated import Negotiated, WarmStart
from planner.cabling._routing_state import RoutingState
from planner.cabling._trays import Demands, TrayGraph, check
from planner.kernels.trays.negotiation import STRANDS, Routed
from planner.progress import Progress, silent

ROUNDS = 60
"""Rounds of negotiation before it is given up."""

_PRESSURE, _GROWTH = 0.5, 1.2
"""Price of what does not fit in the first round, and how it grows: gently, so that those leave first whose detour is shortest."""

_STEP = 0.3
"""How much a segment's price rises in a round when it holds twice its room."""

_WHOLE = 8
"""Rounds in which no demand is split."""

_DOUBT = 10
"""After half as many rounds without success it is asked whether there can be any, and every so many rounds from there."""

_HOPELESS, _LONG = 0.02, 100_000
"""Of so many demands it is asked before the first round, when more than this share of all cables lies where there is no room."""

_STALLED = 0.95
"""More of what was over-full when it was last asked means that the rounds bring no more."""

_ONLY_FILL = 1e6
"""Pressure of the rounds without prices where nothing fits: only the fill counts."""

_SETTLING = (1.0, 3.0, 10.0, _ONLY_FILL)
"""The same from the shortest ways on, where there was no round before."""

_SETTLED = 8
"""Most of these rounds; the last is the one at the greatest pressure that brings less than a percent."""

_PASSES = 20
"""Most passes of shortening."""


def negotiate(
    graph: TrayGraph, demands: Demands, *, rounds: int = ROUNDS, before: WarmStart | None = None, progress: Progress = silent
) -> Negotiated:
    """Find a way for every cable so that no segment holds more than its room, all together as short as may be.

    Parameters
    ----------
    graph, demands
        The trays, and what must be routed.
    rounds
        Most rounds of negotiation.
    before
        Ways of mostly the same demands; where its proof holds for these, too, they go on from there.

    Raises
    ------
    InputError
        When cross-sections or lengths of all cables together are too large for exact numbers.
    KeyboardInterrupt
        When interrupted before every cable had a way; later the best so far is returned.

    References
    ----------
    .. [1] L. McMurchie, C. Ebeling, "PathFinder: a negotiation-based performance-driven router for FPGAs", FPGA 1995.

    Examples
    --------
    Two ways lead from node 0 to node 1; the short one has room for one of two cables.

    >>> graph = TrayGraph(
    ...     3, ends=[[0, 1], [0, 2], [2, 1]], length_mm=[10, 10, 10], room_um2=[5, -1, -1], carries=[3, 3, 3]
    ... )
    >>> routed = negotiate(graph, Demands(ends=[[0, 1]], medium_class=[0], cable_um2=[4], cables=[2]))
    >>> routed.fits, routed.uncongested_mm, routed.length_mm
    (True, 20, 30)
    """
    check(graph, demands)
    return _Negotiation(graph, demands, rounds, progress).run(before)


class _Negotiation:
    """One negotiation: the state, the best so far, and what is known."""

    def __init__(self, graph: TrayGraph, demands: Demands, rounds: int, progress: Progress):
        self._state = RoutingState(graph, demands)
        self._rounds, self._progress = rounds, progress
        self._done, self._certificate, self._complete, self._proven = 0, None, True, False
        self._best: tuple[int, int] | None = None
        self._kept: Routed | None = None
        # A detour by one mean segment is worth as much as one mean cable that does not fit.
        length, area = graph.length_mm, demands.cable_um2[self._state.routable]
        self._unit = max(float(length.mean()) if length.size else 0.0, 1.0) / max(float(area.mean()) if area.size else 0.0, 1.0)

    def run(self, before: WarmStart | None = None) -> Negotiated:
        try:
            self._state.begin(self._report)
            self._offer()
            self._proven = not self._best[0]
            if self._best[0]:
                if before is not None and self._goes_on(before):
                    self._settle((_ONLY_FILL,))
                else:
                    self._negotiate()
                    self._settle((_ONLY_FILL,) if self._done else _SETTLING)
                    self._name_the_worst()
                self._shorten()
                self._prove()
        except KeyboardInterrupt:
            if self._kept is None:
                raise
            self._complete = False
        return self._result()

    def _uncongested_mm(self) -> int:
        return int(self._state.shortest_mm @ self._state.demands.cables.astype(np.int64))

    def _report(self) -> None:
        over, mm = self._best or (0, 0)
        full_mm = int(self._state.graph.length_mm[self._state.over_um2 > 0].sum())
        self._progress("trays", self._done, self._rounds, over_um2=over, over_full_mm=full_mm, objective=mm)

    def _offer(self) -> None:
        """Keep what lies on the state when less is over-full than ever, or as much and it is shorter."""
        found = self._state.over(), self._state.length_mm()
        if self._best is None or found < self._best:
            self._best, self._kept = found, self._state.take()

    def _goes_on(self, before: WarmStart) -> bool:
        """Take over ways where the proof that they cannot fit holds for these demands, too."""
        known, state = before.certificate, self._state
        sums = verify_certificate(state.graph, state.demands, known.segments, known.prices)
        if sums is not None:
            self._certificate = replace(known, needed=sums[0], room=sums[1])
            state.go_on(before.demands, before.routed)
            self._offer()
        return sums is not None

    def _negotiate(self) -> None:
        """Rounds of rising prices until everything fits, or is known not to."""
        state, pressure, last = self._state, _PRESSURE, np.inf
        room = np.maximum(state.trays.room_um2, 1.0)
        if self._is_hopeless() and self._doubted(self._fill()):
            return
        while self._done < self._rounds and self._best[0]:
            # What crowds most costs most; segments of little room do not count more than what lies on them.
            over = state.over_um2
            state.price[:] += _STEP * self._unit * over / np.maximum(room, over)
            state.reroute(pressure * self._unit, 1 if self._done < _WHOLE else STRANDS, self._report)
            pressure *= _GROWTH
            self._done += 1
            self._offer()
            if self._best[0] and self._done % _DOUBT == _DOUBT // 2:
                if self._doubted(state.price) or self._best[0] > _STALLED * last:
                    break
                last = self._best[0]
        if self._best[0] and not self._certificate:
            self._certificate = self._doubt.search(state.price, self._report)

    def _is_hopeless(self) -> bool:
        state = self._state
        return len(state.routable) >= _LONG and self._best[0] > _HOPELESS * int(state.use_um2.sum())

    def _doubted(self, price: np.ndarray) -> bool:
        self._certificate = self._doubt.cut(price) or self._doubt.priced(price)
        return self._certificate is not None

    def _prove(self) -> None:
        """In a small room ask for the optimum, or whether the limits can be kept at all, unless a certificate says no."""
        state = self._state
        if self._best == (0, self._uncongested_mm()):
            self._proven = True
        elif self._certificate is None and is_small(len(state.routable), len(state.graph.ends)):
            strands, self._proven = shortest(state.graph, state.demands, state.routable)
            if strands is not None:
                state.lay(strands)
                self._offer()
                # Ways as long in fewer strands are better to demand.
                state.put(self._kept)
                state.shorten(STRANDS, self._report)
                self._kept = state.take()

    def _settle(self, pressures: tuple[float, ...]) -> None:
        """Let the least be over-full where nothing fits."""
        state = self._state
        state.put(self._kept)
        if not self._best[0]:
            return
        state.price[:] = 0.0
        for number in range(_SETTLED):
            before, pressure = self._best[0], pressures[min(number, len(pressures) - 1)]
            state.reroute(pressure * self._unit, STRANDS, self._report)
            self._offer()
            if pressure == pressures[-1] and self._best[0] > 0.99 * before:
                break
        state.put(self._kept)

    def _name_the_worst(self) -> None:
        """Of cuts take the one that lacks most, which shows where cables have left what they could leave."""
        known = self._certificate
        if not self._done and known is not None and known.is_cut:
            found = self._doubt.cut(self._fill())
            if found is not None and found.needed - found.room > known.needed - known.room:
                self._certificate = found

    def _fill(self) -> np.ndarray:
        """Share of its room that each segment holds, float64 (K,)."""
        return self._state.use_um2 / np.maximum(self._state.trays.room_um2, 1.0)

    def _shorten(self) -> None:
        for _ in range(_PASSES):
            before = self._best
            self._state.shorten(STRANDS, self._report)
            self._offer()
            if self._best == before:
                break

    @cached_property
    def _doubt(self) -> CertificateSearch:
        state = self._state
        return CertificateSearch(state.graph, state.demands, state.trays, ~state.unreachable)

    def _result(self) -> Negotiated:
        """Return the best; demands within a node get a strand of no segments."""
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
            over_um2=np.maximum(kept.use_um2 - state.trays.room_um2, 0),
            rounds=self._done,
            complete=self._complete,
            proven=self._proven,
            certificate=self._certificate,
            before=WarmStart(state.demands, kept, self._certificate)
            if self._certificate is not None and not self._done
            else None,
        )
