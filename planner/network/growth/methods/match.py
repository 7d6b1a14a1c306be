"""Match: the target itself, its routers renamed so that the maximum number of old links stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt
from scipy.sparse import coo_array, csr_array

from planner.core import seeds
from planner.core.errors import Infeasible
from planner.core.progress import Progress, silent
from planner.domain.model import Topology
from planner.kernels.graph.injections import Injection, anneal, fill
from planner.network.growth.naming import embedding, renamed
from planner.network.metrics.graph import processors

_RANDOM = 0.6, 0.4
"""Temperatures, in links, of searches from random injections, at which structures that both networks share appear."""

_SAME = (0.45, 0.3), (0.6, 0.4)
"""Temperatures of searches from the coordinates, in turn: most of the old links stay, or only parts that fit well."""

_FINAL = 0.45, 0.15
"""Temperatures of searches that continue."""

_GUIDED = 0.8
"""Share of exchanges that bring a router next to a neighbor."""

_SEARCHES, _FINALISTS = 64, 4
"""Maximum number of first searches, and of those that continue."""

_ROUND, _REPEATED = 16, 4
"""First searches between two decisions on more of them, and random ones that find the same maximum before they end."""

_FIRST = 0.75
"""Share of moves of first searches."""

MOVES, MOVES_PER_LINK = 2_000_000, 600
"""Minimum moves of a first search, and for each old link."""

_CALL = 1_000_000
"""Moves per kernel call; a search may end after each."""

POLL_S = 0.2


def grow(
    old: Topology,
    target: Topology,
    *,
    seed: Annotated[int, Ge(0)] = 1,
    moves: Annotated[int, Gt(0)] = 700_000_000,
    progress: Progress = silent,
) -> Topology:
    """Return the target with the old routers first, placed so that the maximum of their links are links of the target.

    Parameters
    ----------
    old, target
        Both networks; a router stays one of its role.
    seed
        Seed of the searches.
    moves
        Exchanges tried by all searches together; about 30 million take a second of one core. One that is made counts as several.
    progress
        Progress callback.

    Raises
    ------
    Infeasible
        When the target has fewer routers of a role.

    Notes
    -----
    Simulated annealing over injections [1]_. Structures that both networks share appear suddenly at a certain temperature, or
    do not, so that many short searches find more than a long one: up to 64, which start from the coordinates or numbers of the
    routers and from random injections in turn; fewer where several random ones find the same maximum. The best four, of
    different numbers of links, continue. Searches run on all cores; the result does not depend on the number of cores. The
    links that stay are a lower bound of the maximum. Ctrl-C ends the search with the best injection found.

    References
    ----------
    .. [1] S. Kirkpatrick, C. Gelatt, M. Vecchi, "Optimization by simulated annealing", Science 220, 1983.
    """
    length = max(MOVES, MOVES_PER_LINK * old.link_count)
    count = int(np.clip(_FIRST * moves // length, 1, _SEARCHES))
    length = int(_FIRST * moves / count)
    searches: list[_Search] = []

    def report(done: float) -> None:
        progress("growth", int(1000 * done), 1000, kept=max(search.kept for search in searches))

    whole = True
    while whole and len(searches) < count and not _settled(searches, old.link_count):
        before = len(searches)
        more = [_first(old, target, seed, number, length) for number in range(before, min(count, before + _ROUND))]
        searches += more
        whole = _run(more, report, _FIRST * before / count, _FIRST * len(searches) / count)
    ranked = {search.kept: search for search in reversed(searches)}
    best = [ranked[kept] for kept in sorted(ranked, reverse=True)[:_FINALISTS]]
    if whole and best[0].kept < old.link_count:
        length = int((1 - _FIRST) / _FIRST * length * len(searches) / len(best))
        searches = [search.continued(seeds.state(seed, f"growth.match.{count + k}"), length) for k, search in enumerate(best)]
        _run(searches, report, _FIRST, 1.0)
        best = searches
    return renamed(target, max(best, key=lambda search: search.kept).place, old)


def _settled(searches: Sequence[_Search], links: int) -> bool:
    """Return whether all links stay, or several searches from random injections have found the maximum."""
    kept = [search.kept for search in searches]
    return bool(kept) and (max(kept) == links or kept[1::2].count(max(kept)) >= _REPEATED)


def _start(old: Topology, target: Topology, draw: np.random.Generator | None) -> np.ndarray:
    """Return a first place of each router of the target's number, int32 (R,), with roles kept; `draw` for a random one."""
    place = np.empty(target.router_count, np.int64)
    near = embedding(old, target) if draw is None else None
    if near is not None:
        place[: old.router_count] = near
    else:
        wanted = (
            [old.role_names[role] for role in old.role] if len(old.role_names) > 1 else [target.role_names[0]] * len(old.role)
        )
        names = np.array(target.role_names)[target.role] if len(target.role_names) > 1 else np.full(len(place), wanted[0])
        for role in dict.fromkeys(wanted):
            spots = np.flatnonzero(names == role)
            routers = np.flatnonzero(np.array(wanted) == role)
            if len(routers) > len(spots):
                raise Infeasible(
                    f"{len(routers)} old routers of role {role} are more than the target's {len(spots)}; use a larger target"
                )
            place[routers] = (spots if draw is None else draw.permutation(spots))[: len(routers)]
    place[old.router_count :] = np.setdiff1d(np.arange(len(place)), place[: old.router_count])
    return place.astype(np.int32)


class _Search:
    """One annealing; `place` holds the best places found, `kept` the links that they keep."""

    def __init__(
        self,
        old: Topology,
        target: Topology,
        place: np.ndarray,
        state: np.ndarray,
        moves: int,
        temperatures: tuple[float, float],
    ):
        self.place, self.moves, self.share = place, moves, 0.0
        self._old, self._target, self._state, self._temperatures = old, target, state, temperatures
        self.kept = int(fill(_injection(old, target, place)))
        self.whole = self.kept == old.link_count

    def continued(self, state: np.ndarray, moves: int) -> _Search:
        """Return a search from the best places of this one."""
        return _Search(self._old, self._target, self.place, state, moves, _FINAL)

    def run(self, ended: Callable[[], bool]) -> None:
        """Search until no link is lost, all moves are made, or `ended` returns True, which is called about every 50 ms."""
        injection = _injection(self._old, self._target, self.place)
        kept = int(fill(injection))
        best = np.append(self.place, kept).astype(np.int64)
        hot, cold = self._temperatures
        calls = max(1, round(self.moves / _CALL))
        step = (cold / hot) ** (1 / calls)
        for call in range(calls):
            if self.whole or ended():
                break
            kept = anneal(
                self.moves // calls, hot * step**call, hot * step ** (call + 1), _GUIDED, self._state, injection, kept, best
            )
            self.kept, self.share = int(best[-1]), (call + 1) / calls
            self.whole = self.kept == self._old.link_count
        self.place, self.share = best[:-1], 1.0


def _first(old: Topology, target: Topology, seed: int, number: int, moves: int) -> _Search:
    """Return a search from the coordinates, or from a random injection where `number` is odd."""
    random = number % 2 == 1
    phase = f"growth.match.{number}"
    place = _start(old, target, seeds.stream(seed, phase) if random else None)
    temperatures = _RANDOM if random else _SAME[number // 2 % len(_SAME)]
    return _Search(old, target, place, seeds.state(seed, phase), moves, temperatures)


def _run(searches: Sequence[_Search], report: Callable[[float], None], before: float, after: float) -> bool:
    """Run searches on all cores until one keeps all links; return False where Ctrl-C has ended them.

    `before` and `after` are the shares of the work that are reported at the beginning and at the end.
    A search ends early only for one before it, so that the result does not depend on the number of cores.
    """
    interrupted = False

    def ended(number: int) -> bool:
        return interrupted or any(search.whole for search in searches[:number])

    with ThreadPoolExecutor(min(processors(), len(searches))) as pool:
        flight = [pool.submit(search.run, partial(ended, number)) for number, search in enumerate(searches)]
        try:
            while wait(flight, timeout=POLL_S).not_done:
                report(before + (after - before) * sum(search.share for search in searches) / len(searches))
        except KeyboardInterrupt:
            interrupted = True
    for future in flight:
        future.result()
    if not interrupted:
        report(after)
    return not interrupted


def _injection(old: Topology, target: Topology, place: np.ndarray) -> Injection:
    routers = target.router_count
    occupant = np.empty(routers, np.int32)
    occupant[place] = np.arange(routers)
    own, goal = _matrix(old, routers), _matrix(target, routers)
    site = target.role if len(target.role_names) > 1 else np.zeros(routers, np.int32)
    # Links in common of a router are at most its links.
    kind = np.min_scalar_type(max(int(old.degree.max(initial=0)), int(goal.data.max(initial=0))))
    return Injection(
        own.indptr.astype(np.int32),
        own.indices.astype(np.int32),
        own.data.astype(kind),
        goal.indptr.astype(np.int32),
        goal.indices.astype(np.int32),
        goal.data.astype(kind),
        place.astype(np.int32),
        occupant,
        site.astype(np.int32),
        np.zeros((old.router_count, routers), kind),
    )


def _matrix(topology: Topology, routers: int) -> csr_array:
    """Return the number of parallel links of each pair, int64 (R, R)."""
    links = np.concatenate([topology.links, topology.links[:, ::-1]])
    return coo_array((np.ones(len(links), np.int64), (links[:, 0], links[:, 1])), shape=(routers, routers)).tocsr()
