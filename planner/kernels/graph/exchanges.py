"""Annealing by exchanges of links, with the distances of all pairs updated after each exchange.

A link is two ports, each the twin of the other. Exchanging ports `p` (a to b) and `r` (c to e) replaces the links a-b and
c-e by a-e and c-b: degrees stay, and so does the number of every port. Exchanging the same ports again reverts it.

References
----------
.. [1] M. Koibuchi et al., "Towards ideal hop counts in interconnection networks with arbitrary size", section VI (exchanges).
.. [2] G. Ramalingam, T. Reps, "On the computational complexity of dynamic graph problems", Theoretical Computer Science 158,
       1996 (update of distances).
.. [3] S. Kirkpatrick, C. Gelatt, M. Vecchi, "Optimization by simulated annealing", Science 220, 1983.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from planner.kernels import uncounted, vectorized
from planner.kernels.graph.bfs import UNREACHED
from planner.kernels.random import below, uniform

_DRAWS = 64
"""Draws of two ports per move; if none may be exchanged, the move is void."""

_RAISED, _LOWERED, _QUEUED = 1, 2, 4
"""Marks of a router during the update of one source."""


class Exchange(NamedTuple):
    """The network, its distances, and scratch memory of an update; R routers, A ports."""

    indptr: np.ndarray
    """First port of each router, int32 (R + 1,)."""
    owner: np.ndarray
    """Router of each port, int32 (A,)."""
    indices: np.ndarray
    """Router at the other end, int32 (A,)."""
    twin: np.ndarray
    """Port at the other end, int32 (A,)."""
    kind: np.ndarray
    """Class of the link, int32 (A,): only links of one class are exchanged."""
    group: np.ndarray
    """Group of each router, int32 (R,): the number of links between two groups stays; one group for no such limit."""
    distance: np.ndarray
    """Hops, uint8 (R, R)."""
    pairs: np.ndarray
    """Ordered pairs of routers by hops, int64 (256,)."""
    cost: np.ndarray
    """Cost of a pair by hops, int64 (256,)."""
    log_start: np.ndarray
    """First entry of each source in the log of changed distances, int64 (R + 1,)."""
    log_router: np.ndarray
    """Router of each entry, int32 (R * R,)."""
    log_hops: np.ndarray
    """Distance before the change, uint8 (R * R,)."""
    mark: np.ndarray
    """Marks of routers, uint8 (R,); 0 between updates."""
    queue: np.ndarray
    """Routers to examine, int32 (2, A + 2)."""
    corner: np.ndarray
    """Distances of the four routers of an exchange before it from each source, uint8 (4, R)."""
    kept: np.ndarray
    """Whether each of the four has a neighbor that is nearer to each source by one hop, uint8 (4, R)."""


@uncounted
def may_exchange(p, r, run):
    """Return whether exchanging two ports keeps the network simple, classes of links, and bundles between groups."""
    a, b, c, e = run.owner[p], run.indices[p], run.owner[r], run.indices[r]
    if a in (c, e) or b in (c, e) or run.kind[p] != run.kind[r]:
        return False
    for port in range(run.indptr[a], run.indptr[a + 1]):
        if run.indices[port] == e:
            return False
    for port in range(run.indptr[c], run.indptr[c + 1]):
        if run.indices[port] == b:
            return False
    return run.group[a] == run.group[c] or run.group[b] == run.group[e]


@uncounted
def rewire(p, r, run):
    """Exchange two ports without updating distances."""
    q, t = run.twin[p], run.twin[r]
    run.indices[p], run.indices[r] = run.owner[t], run.owner[q]
    run.indices[q], run.indices[t] = run.owner[r], run.owner[p]
    run.twin[p], run.twin[t] = t, p
    run.twin[r], run.twin[q] = q, r


@uncounted
def exchange(p, r, run):
    """Exchange two ports and update all distances; return the changes of hops and of cost over all ordered pairs."""
    a, b, c, e = run.owner[p], run.indices[p], run.owner[r], run.indices[r]
    rewire(p, r, run)
    _note(0, a, run)
    _note(1, b, run)
    _note(2, c, run)
    _note(3, e, run)
    hops, cost, end = np.int64(0), np.int64(0), np.int64(0)
    for source in range(len(run.indptr) - 1):
        run.log_start[source] = end
        at_a, at_b = np.int64(run.corner[0, source]), np.int64(run.corner[1, source])
        at_c, at_e = np.int64(run.corner[2, source]), np.int64(run.corner[3, source])
        one = b if at_b > at_a and run.kept[1, source] == 0 else a if at_a > at_b and run.kept[0, source] == 0 else -1
        other = e if at_e > at_c and run.kept[3, source] == 0 else c if at_c > at_e and run.kept[2, source] == 0 else -1
        if one >= 0 or other >= 0 or abs(at_a - at_e) > 1 or abs(at_c - at_b) > 1:
            row = run.distance[source]
            first = end
            if one >= 0 or other >= 0:
                end = _raise(row, one, other, end, run)
            end = _lower(row, a, e, c, b, first, end, run)
            for entry in range(first, end):
                router = run.log_router[entry]
                before, after = run.log_hops[entry], row[router]
                run.mark[router] = 0
                run.pairs[before] -= 1
                run.pairs[after] += 1
                hops += np.int64(after) - np.int64(before)
                cost += run.cost[after] - run.cost[before]
    run.log_start[len(run.indptr) - 1] = end
    return hops, cost


@uncounted
def _note(k, router, run):
    """Note the distances of a router from all sources, and from which of them it has a nearer neighbor."""
    corner, kept = run.corner[k], run.kept[k]
    for source in range(len(corner)):
        corner[source] = run.distance[router, source]
        kept[source] = 0
    for port in range(run.indptr[router], run.indptr[router + 1]):
        _add_nearer(run.distance[run.indices[port]], corner, kept)


@vectorized
def _add_nearer(neighbor, own, kept):
    """Set `kept` for each source to which a neighbor is nearer by one hop; one much nearer may itself lose its distance."""
    for source in range(len(own)):
        kept[source] |= np.int64(own[source]) - np.int64(neighbor[source]) == 1


@uncounted
def revert(p, r, run):
    """Undo the last exchange, which was of these two ports."""
    rewire(p, r, run)
    for source in range(len(run.indptr) - 1):
        row = run.distance[source]
        for entry in range(run.log_start[source], run.log_start[source + 1]):
            router, before = run.log_router[entry], run.log_hops[entry]
            run.pairs[row[router]] -= 1
            run.pairs[before] += 1
            row[router] = before


@uncounted
def _raise(row, one, other, end, run):
    """Log and mark routers that lost their last neighbor nearer to the source, level by level, and unset their distances.

    `one` and `other` are the ends of removed links that may have lost it, -1 for none.
    """
    now, following = 0, 1
    level = 255
    if one >= 0:
        level = min(level, np.int64(row[one]))
    if other >= 0:
        level = min(level, np.int64(row[other]))
    waiting, first = 0, end
    while True:
        for start in (one, other):
            if start >= 0 and np.int64(row[start]) == level and run.mark[start] == 0:
                run.queue[now, waiting] = start
                waiting += 1
        found = 0
        for place in range(waiting):
            router = run.queue[now, place]
            if run.mark[router] == 0 and not _has_nearer(router, row, level, run):
                run.mark[router] = _RAISED
                run.log_router[end] = router
                run.log_hops[end] = row[router]
                end += 1
                for port in range(run.indptr[router], run.indptr[router + 1]):
                    neighbor = run.indices[port]
                    if np.int64(row[neighbor]) == level + 1:
                        run.queue[following, found] = neighbor
                        found += 1
        now, following = following, now
        waiting = found
        level += 1
        later = (one >= 0 and np.int64(row[one]) >= level) or (other >= 0 and np.int64(row[other]) >= level)
        if waiting == 0 and not later:
            break
    for entry in range(first, end):
        row[run.log_router[entry]] = UNREACHED
    return end


@uncounted
def _has_nearer(router, row, level, run):
    """Return whether a neighbor at `level` - 1 has kept its distance."""
    for port in range(run.indptr[router], run.indptr[router + 1]):
        neighbor = run.indices[port]
        if np.int64(row[neighbor]) + 1 == level and run.mark[neighbor] == 0:
            return True
    return False


@uncounted
def _lower(row, a, e, c, b, first, end, run):
    """Set the distances that the new links a-e and c-b or neighbors offer, and spread them; return the end of the log.

    Entries of the log from `first` to `end` are routers without distance.
    """
    routers = len(row)
    head, waiting = 0, 0
    for entry in range(first, end):
        router = run.log_router[entry]
        nearest = np.int64(UNREACHED)
        for port in range(run.indptr[router], run.indptr[router + 1]):
            nearest = min(nearest, np.int64(row[run.indices[port]]) + 1)
        if nearest < UNREACHED:
            row[router] = nearest
            run.mark[router] |= _QUEUED
            run.queue[0, waiting] = router
            waiting += 1
    for near, far in ((a, e), (e, a), (c, b), (b, c)):
        if np.int64(row[near]) + 1 < np.int64(row[far]):
            end = _set(row, far, np.int64(row[near]) + 1, end, run)
            if run.mark[far] & _QUEUED == 0:
                run.mark[far] |= _QUEUED
                run.queue[0, (head + waiting) % routers] = far
                waiting += 1
    while waiting > 0:
        router = run.queue[0, head]
        head = head + 1 if head + 1 < routers else 0
        waiting -= 1
        run.mark[router] ^= _QUEUED
        offered = np.int64(row[router]) + 1
        for port in range(run.indptr[router], run.indptr[router + 1]):
            neighbor = run.indices[port]
            if offered < np.int64(row[neighbor]):
                end = _set(row, neighbor, offered, end, run)
                if run.mark[neighbor] & _QUEUED == 0:
                    run.mark[neighbor] |= _QUEUED
                    place = head + waiting
                    run.queue[0, place if place < routers else place - routers] = neighbor
                    waiting += 1
    return end


@uncounted
def _set(row, router, hops, end, run):
    """Set a distance, logging the one before if this is its first change; return the end of the log."""
    if run.mark[router] & (_RAISED | _LOWERED) == 0:
        run.mark[router] |= _LOWERED
        run.log_router[end] = router
        run.log_hops[end] = row[router]
        end += 1
    row[router] = hops
    return end


@uncounted
def propose(state, run):
    """Return two ports that may be exchanged; -1, -1 if none were drawn."""
    ports = len(run.indices)
    for _ in range(_DRAWS):
        p, r = below(state, ports), below(state, ports)
        if may_exchange(p, r, run):
            return p, r
    return np.int64(-1), np.int64(-1)


@uncounted
def sample(changes, state, run):
    """Fill `changes`, int64, with the changes of cost of random exchanges, 0 for void ones; the network stays."""
    for k in range(len(changes)):
        changes[k] = 0
        p, r = propose(state, run)
        if p >= 0:
            _, changes[k] = exchange(p, r, run)
            revert(p, r, run)


@uncounted
def anneal(count, temperature, state, run, weight, figures, best_indices, best_twin):
    """Try `count` exchanges at one temperature; return the number of exchanges tried.

    The score of a network is its sum of hops plus `weight` times its diameter. `figures`, int64 (3,): sum of hops, best score,
    and the score at which the search ends. The best network is kept in `best_indices` and `best_twin`, int32 (A,).
    """
    tried = 0
    while tried < count and figures[1] > figures[2]:
        tried += 1
        p, r = propose(state, run)
        if p < 0:
            continue
        hops, cost = exchange(p, r, run)
        if cost > -temperature * np.log(1.0 - uniform(state)):
            revert(p, r, run)
            continue
        figures[0] += hops
        score = figures[0] + weight * diameter(run.pairs)
        if score < figures[1]:
            figures[1] = score
            for port in range(len(best_indices)):
                best_indices[port], best_twin[port] = run.indices[port], run.twin[port]
    return tried


@uncounted
def diameter(pairs):
    """Return the largest number of hops of any pair."""
    hops = 0
    while hops + 1 < UNREACHED and pairs[hops + 1] > 0:
        hops += 1
    return hops
