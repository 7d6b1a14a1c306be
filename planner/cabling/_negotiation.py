"""Ways over trays of limited room, found by negotiation."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from planner.cabling._certificate import Doubt, verify_certificate
from planner.cabling._exact import is_small, shortest
from planner.cabling._negotiated import Before, Negotiated
from planner.cabling._table import Table
from planner.cabling._trays import Pulls, TrayGraph, check
from planner.kernels.trays.negotiation import STRANDS, Laid
from planner.progress import Progress, silent

ROUNDS = 60
"""Rounds of negotiation before it is given up."""

_PRESSURE, _GROWTH = 0.5, 1.2
"""Price of what does not fit in the first round, and how it grows: gently, so that those leave first whose detour is shortest."""

_STEP = 0.3
"""How much a segment's price rises in a round when it holds twice its room."""

_WHOLE = 8
"""Rounds in which no pull is split."""

_DOUBT = 10
"""After half as many rounds without success it is asked whether there can be any, and every so many rounds from there."""

_HOPELESS, _LONG = 0.02, 100_000
"""Of so many pulls it is asked before the first round, when more than this share of all cables lies where there is no room."""

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
    graph: TrayGraph, pulls: Pulls, *, rounds: int = ROUNDS, before: Before | None = None, progress: Progress = silent
) -> Negotiated:
    """Find a way for every cable so that no segment holds more than its room, all together as short as may be.

    Parameters
    ----------
    graph, pulls
        The trays, and what must be laid.
    rounds
        Most rounds of negotiation.
    before
        Ways of mostly the same pulls; where its proof holds for these, too, they go on from there.

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
    >>> laid = negotiate(graph, Pulls(ends=[[0, 1]], way=[0], cable_um2=[4], cables=[2]))
    >>> laid.fits, laid.uncongested_mm, laid.length_mm
    (True, 20, 30)
    """
    check(graph, pulls)
    return _Negotiation(graph, pulls, rounds, progress).run(before)


class _Negotiation:
    """One negotiation: the table, the best so far, and what is known."""

    def __init__(self, graph: TrayGraph, pulls: Pulls, rounds: int, progress: Progress):
        self._table = Table(graph, pulls)
        self._rounds, self._progress = rounds, progress
        self._done, self._certificate, self._complete, self._proven = 0, None, True, False
        self._best: tuple[int, int] | None = None
        self._kept: Laid | None = None
        # A detour by one mean segment is worth as much as one mean cable that does not fit.
        length, area = graph.length_mm, pulls.cable_um2[self._table.lays]
        self._unit = max(float(length.mean()) if length.size else 0.0, 1.0) / max(float(area.mean()) if area.size else 0.0, 1.0)

    def run(self, before: Before | None = None) -> Negotiated:
        try:
            self._table.begin(self._tell)
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
        return int(self._table.least_mm @ self._table.pulls.cables.astype(np.int64))

    def _tell(self) -> None:
        over, mm = self._best or (0, 0)
        full_mm = int(self._table.graph.length_mm[self._table.over_um2 > 0].sum())
        self._progress("trays", self._done, self._rounds, over_um2=over, over_full_mm=full_mm, objective=mm)

    def _offer(self) -> None:
        """Keep what lies on the table when less is over-full than ever, or as much and it is shorter."""
        found = self._table.over(), self._table.length_mm()
        if self._best is None or found < self._best:
            self._best, self._kept = found, self._table.take()

    def _goes_on(self, before: Before) -> bool:
        """Take over ways where the proof that they cannot fit holds for these pulls, too."""
        known, table = before.certificate, self._table
        sums = verify_certificate(table.graph, table.pulls, known.segments, known.prices)
        if sums is not None:
            self._certificate = replace(known, needed=sums[0], room=sums[1])
            table.go_on(before.pulls, before.laid)
            self._offer()
        return sums is not None

    def _negotiate(self) -> None:
        """Rounds of rising prices until everything fits, or is known not to."""
        table, pressure, last = self._table, _PRESSURE, np.inf
        room = np.maximum(table.trays.room_um2, 1.0)
        if self._is_hopeless() and self._doubted(self._fill()):
            return
        while self._done < self._rounds and self._best[0]:
            # What crowds most costs most; segments of little room do not count more than what lies on them.
            over = table.over_um2
            table.price[:] += _STEP * self._unit * over / np.maximum(room, over)
            table.reroute(pressure * self._unit, 1 if self._done < _WHOLE else STRANDS, self._tell)
            pressure *= _GROWTH
            self._done += 1
            self._offer()
            if self._best[0] and self._done % _DOUBT == _DOUBT // 2:
                if self._doubted(table.price) or self._best[0] > _STALLED * last:
                    break
                last = self._best[0]
        if self._best[0] and not self._certificate:
            self._certificate = self._doubt.search(table.price, self._tell)

    def _is_hopeless(self) -> bool:
        table = self._table
        return len(table.lays) >= _LONG and self._best[0] > _HOPELESS * int(table.use_um2.sum())

    def _doubted(self, price: np.ndarray) -> bool:
        self._certificate = self._doubt.cut(price) or self._doubt.priced(price)
        return self._certificate is not None

    def _prove(self) -> None:
        """In a small room ask for the optimum, or whether the limits can be kept at all, unless a certificate says no."""
        table = self._table
        if self._best == (0, self._uncongested_mm()):
            self._proven = True
        elif self._certificate is None and is_small(len(table.lays), len(table.graph.ends)):
            strands, self._proven = shortest(table.graph, table.pulls, table.lays)
            if strands is not None:
                table.lay(strands)
                self._offer()
                # Ways as long in fewer strands are better to pull.
                table.put(self._kept)
                table.shorten(STRANDS, self._tell)
                self._kept = table.take()

    def _settle(self, pressures: tuple[float, ...]) -> None:
        """Let the least be over-full where nothing fits."""
        table = self._table
        table.put(self._kept)
        if not self._best[0]:
            return
        table.price[:] = 0.0
        for number in range(_SETTLED):
            before, pressure = self._best[0], pressures[min(number, len(pressures) - 1)]
            table.reroute(pressure * self._unit, STRANDS, self._tell)
            self._offer()
            if pressure == pressures[-1] and self._best[0] > 0.99 * before:
                break
        table.put(self._kept)

    def _name_the_worst(self) -> None:
        """Of cuts take the one that lacks most, which shows where cables have left what they could leave."""
        known = self._certificate
        if not self._done and known is not None and known.is_cut:
            found = self._doubt.cut(self._fill())
            if found is not None and found.needed - found.room > known.needed - known.room:
                self._certificate = found

    def _fill(self) -> np.ndarray:
        """Share of its room that each segment holds, float64 (K,)."""
        return self._table.use_um2 / np.maximum(self._table.trays.room_um2, 1.0)

    def _shorten(self) -> None:
        for _ in range(_PASSES):
            before = self._best
            self._table.shorten(STRANDS, self._tell)
            self._offer()
            if self._best == before:
                break

    @cached_property
    def _doubt(self) -> Doubt:
        table = self._table
        return Doubt(table.graph, table.pulls, table.trays, ~table.unreachable)

    def _result(self) -> Negotiated:
        """Return the best; pulls within a node get a strand of no segments."""
        table, kept = self._table, self._kept
        pull, cables, indptr, segments = table.strands(kept)
        here = np.flatnonzero(table.pulls.ends[:, 0] == table.pulls.ends[:, 1])
        pull = np.concatenate([pull, here])
        order = np.argsort(pull, kind="stable")
        sizes = np.concatenate([np.diff(indptr), np.zeros(len(here), np.int64)])
        cables = np.concatenate([cables, table.pulls.cables[here]])
        return Negotiated(
            pull=pull[order],
            cables=cables[order],
            indptr=np.concatenate([[0], np.cumsum(sizes[order])]),
            segments=segments,
            unreachable=table.unreachable,
            uncongested_mm=self._uncongested_mm(),
            length_mm=self._best[1],
            over_um2=np.maximum(kept.use_um2 - table.trays.room_um2, 0),
            rounds=self._done,
            complete=self._complete,
            proven=self._proven,
            certificate=self._certificate,
            before=Before(table.pulls, kept, self._certificate) if self._certificate is not None and not self._done else None,
        )
