"""Annealing of injections of one graph into another, for the maximum number of links that they have in common.

Both graphs are padded to the same number of vertices, so that an injection is a permutation: ``place[v]`` is the vertex of the
target on which vertex v of the old graph is placed, and a move exchanges the places of two vertices. Some of the moves are
guided: they bring a vertex next to the place of one of its neighbors. A table holds for each vertex the links that it would
have in common on each vertex of the target: what a move changes is read in constant time, and only moves that are made
change the table.

References
----------
.. [1] S. Kirkpatrick, C. Gelatt, M. Vecchi, "Optimization by simulated annealing", Science 220, 1983.
.. [2] R. Burkard, F. Rendl, "A thermodynamically motivated simulation procedure for combinatorial optimization problems",
       European J. Operational Research 17, 1984 (annealing of assignments).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from planner.kernels import compiled, uncounted
from planner.kernels.random import below, uniform

_COOLED = 1024
"""Effort between two changes of the temperature."""

_PER_TRY = 32
"""Entries of the table that change in the time of one try."""

_MAX_LOSS = 64
"""Moves that lose this number of links are not made: exp(-64) at a temperature of one link."""


class Injection(NamedTuple):
    """Two graphs, where each vertex of the old one is placed, and the links in common by vertex and place.

    The old graph has N vertices, the target R; vertices N … R - 1 have no links in the old graph.
    """

    indptr: np.ndarray
    """First neighbor of each vertex of the old graph, int32 (R + 1,)."""
    indices: np.ndarray
    """Its neighbors, each once, int32."""
    parallel: np.ndarray
    """Number of parallel links to each neighbor, unsigned."""
    target_indptr: np.ndarray
    """First neighbor of each vertex of the target, int32 (R + 1,)."""
    target_indices: np.ndarray
    """Its neighbors, each once, int32."""
    target_parallel: np.ndarray
    """Number of parallel links to each neighbor, unsigned."""
    place: np.ndarray
    """Vertex of the target of each vertex of the old graph, int32 (R,)."""
    occupant: np.ndarray
    """Vertex of the old graph on each vertex of the target, int32 (R,)."""
    site: np.ndarray
    """Class of each vertex of the target, int32 (R,): vertices are placed on those of their class."""
    table: np.ndarray
    """Links in common of each old vertex if it were on each vertex of the target and no other one moved, unsigned (N, R)."""


@compiled
def fill(run):
    """Compute the table from the places; return the number of links in common."""
    run.table[:] = 0
    kept = np.int64(0)
    for vertex in range(len(run.table)):
        for k in range(run.indptr[vertex], run.indptr[vertex + 1]):
            at = run.place[run.indices[k]]
            for t in range(run.target_indptr[at], run.target_indptr[at + 1]):
                run.table[vertex, run.target_indices[t]] += min(run.parallel[k], run.target_parallel[t])
        kept += np.int64(run.table[vertex, run.place[vertex]])
    return kept // 2


@uncounted
def shared(one, other, run):
    """Return the links in common of two vertices with each other."""
    near, far = run.place[one], run.place[other]
    for k in range(run.indptr[one], run.indptr[one + 1]):
        if run.indices[k] == other:
            for t in range(run.target_indptr[near], run.target_indptr[near + 1]):
                if run.target_indices[t] == far:
                    return np.int64(min(run.parallel[k], run.target_parallel[t]))
    return np.int64(0)


@uncounted
def gain(one, other, run):
    """Return the change of links in common when an old vertex exchanges places with any vertex."""
    near, far = run.place[one], run.place[other]
    change = np.int64(run.table[one, far]) - np.int64(run.table[one, near])
    if other < len(run.table):
        change += np.int64(run.table[other, near]) - np.int64(run.table[other, far])
        # Links between the two stay; the table counts them as lost.
        change += 2 * shared(one, other, run)
    return change


@uncounted
def moved(vertex, near, far, run):
    """Update the table where a vertex leaves `near` for `far`; return the number of entries that change."""
    for k in range(run.indptr[vertex], run.indptr[vertex + 1]):
        row, wires = run.table[run.indices[k]], run.parallel[k]
        for t in range(run.target_indptr[near], run.target_indptr[near + 1]):
            row[run.target_indices[t]] -= min(wires, run.target_parallel[t])
        for t in range(run.target_indptr[far], run.target_indptr[far + 1]):
            row[run.target_indices[t]] += min(wires, run.target_parallel[t])
    ends = run.target_indptr[near + 1] - run.target_indptr[near] + run.target_indptr[far + 1] - run.target_indptr[far]
    return np.int64(run.indptr[vertex + 1] - run.indptr[vertex]) * np.int64(ends)


@uncounted
def exchange(one, other, run):
    """Exchange the places of two vertices; return the number of entries of the table that change."""
    near, far = run.place[one], run.place[other]
    run.place[one], run.place[other] = far, near
    run.occupant[near], run.occupant[far] = other, one
    return moved(one, near, far, run) + moved(other, far, near, run)


@uncounted
def propose(guided, state, run):
    """Return two vertices whose places may be exchanged, the first an old one; the same one twice for none."""
    one = below(state, len(run.table))
    degree = run.indptr[one + 1] - run.indptr[one]
    if degree > 0 and uniform(state) < guided:
        next_to = run.place[run.indices[run.indptr[one] + below(state, degree)]]
        around = run.target_indptr[next_to + 1] - run.target_indptr[next_to]
        if around == 0:
            return one, one
        spot = run.target_indices[run.target_indptr[next_to] + below(state, around)]
    else:
        spot = below(state, len(run.place))
    if run.site[spot] != run.site[run.place[one]]:
        return one, one
    return one, np.int64(run.occupant[spot])


@compiled
def anneal(effort, hot, cold, guided, state, run, kept, best):
    """Exchange places from temperature `hot` to `cold`; return the links in common at the end.

    `effort` is the number of tries, of which a share `guided` brings a vertex next to a neighbor; a move that is made counts
    as more of them, by the entries of the table that it changes, so that each temperature gets the same time. `best`, int64
    (R + 1,), receives the places with the maximum of links in common, and their number at its end.
    """
    cooling = (cold / hot) ** (_COOLED / max(effort, _COOLED))
    chance = np.exp(-np.arange(_MAX_LOSS) / hot)
    temperature = hot
    record = False
    routers = len(run.place)
    spent, cooled = np.int64(0), np.int64(_COOLED)
    while spent < effort:
        spent += 1
        if spent >= cooled:
            while spent >= cooled:
                temperature *= cooling
                cooled += _COOLED
            for loss in range(_MAX_LOSS):
                chance[loss] = np.exp(-loss / temperature)
        one, other = propose(guided, state, run)
        if one == other:
            continue
        change = gain(one, other, run)
        if change < 0:
            if change <= -_MAX_LOSS or uniform(state) >= chance[-change]:
                continue
            if record:
                record = False
                best[:routers] = run.place
                best[routers] = kept
        spent += exchange(one, other, run) // _PER_TRY
        kept += change
        if kept > best[routers]:
            record = True
    if record:
        best[:routers] = run.place
        best[routers] = kept
    return kept
