"""Quadratic assignment by exchanges of two items: cost, field, robust tabu search, annealing.

All kernels work on the normal form (`planner.design.qap.normal`): `flow` and `distance` int64 (n, n) with
zero diagonals, `linear` int64 (n, n), `place` uint32 (n,) the location of every item. The cost is
``sum flow[i, j] * distance[place[i], place[j]] + sum linear[i, place[i]]``, the first sum over
i < j when both matrices are symmetric and over all pairs otherwise. `flow_t` and `distance_t` are
the transposes, so that all loops run along rows.

The *field* int64 (n, n) holds the cost of item i at location l, given where all others are. With
it the change of cost of an exchange takes O(1) steps; an exchange updates it in O(n**2) steps.

Differs from [1]_: whether an exchange is overdue is checked every n iterations. Differs from [2]_: pairs are drawn instead of
taken in order, and the temperature falls geometrically.

References
----------
.. [1] E. Taillard, "Robust taboo search for the quadratic assignment problem", Parallel Computing 17, 1991.
.. [2] D. Connolly, "An improved annealing scheme for the QAP", European J. Operational Research 46, 1990.
"""

from __future__ import annotations

import math

import numpy as np

from planner.kernels import compiled, vectorized
from planner.kernels.random import below, next_uint64

LOG_BITS = 12
"""Bits of a random word that select the threshold of an annealing move."""

_RENEW = 1024
"""Moves per temperature."""


@compiled
def total_cost(flow, distance, linear, symmetric, place):
    """Return the cost of `place`, computed from scratch."""
    total = np.int64(0)
    n = len(place)
    for i in range(n):
        row, at = flow[i], distance[place[i]]
        total += linear[i, place[i]]
        for j in range(i + 1 if symmetric else 0, n):
            total += row[j] * at[place[j]]
    return total


@compiled
def fill_field(flow, flow_t, distance, distance_t, linear, symmetric, place, field):
    """Compute `field` from scratch: O(n**3), less where the flow is sparse."""
    n = len(place)
    for i in range(n):
        row = field[i]
        for at in range(n):
            row[at] = linear[i, at]
        for k in range(n):
            out, back = flow[i, k], flow_t[i, k]
            if out != 0:
                step = distance_t[place[k]]
                for at in range(n):
                    row[at] += out * step[at]
            if back != 0 and not symmetric:
                step = distance[place[k]]
                for at in range(n):
                    row[at] += back * step[at]


@compiled
def exchange_cost(i, j, flow, flow_t, distance, distance_t, linear, symmetric, pair_flow, pair_distance, place):
    """Return the change of cost of exchanging items `i` and `j`, by O(n) arithmetic."""
    pi, pj = place[i], place[j]
    change = linear[i, pj] + linear[j, pi] - linear[i, pi] - linear[j, pj]
    fi, fj, di, dj = flow[i], flow[j], distance[pi], distance[pj]
    for k in range(len(place)):
        at = place[k]
        change += (fi[k] - fj[k]) * (dj[at] - di[at])
    # Correct the pair (i, j), which the loop counted as if the other item had stayed.
    change += pair_flow[i, j] * pair_distance[pi, pj]
    if symmetric:
        return change
    fi, fj, di, dj = flow_t[i], flow_t[j], distance_t[pi], distance_t[pj]
    for k in range(len(place)):
        at = place[k]
        change += (fi[k] - fj[k]) * (dj[at] - di[at])
    return change


@compiled
def field_cost(i, j, pair_flow, pair_distance, place, field):
    """Return the change of cost of exchanging items `i` and `j`, in O(1) from the field."""
    fi, fj = field[i], field[j]
    pi, pj = place[i], place[j]
    return fi[pj] - fi[pi] + fj[pi] - fj[pj] + pair_flow[i, j] * pair_distance[pi, pj]


@vectorized
def _add_scaled(row, factor, step):
    """Add `factor` times `step` to a row."""
    for at in range(len(row)):
        row[at] += factor * step[at]


@vectorized
def _add_product(row, first, a, difference, b, here):
    """Add the product of ``a - pull`` and ``here - b`` to a row from column `first` on."""
    for v in range(first, len(row)):
        row[v] += (a - difference[v]) * (here[v] - b)


@vectorized
def _row_minimum(row, first):
    """Return the minimum of a row from column `first` on, which must exist."""
    lowest = row[first]
    for v in range(first, len(row)):
        lowest = min(lowest, row[v])
    return lowest


@compiled
def _shift(i, j, flow, distance, place, field, difference, step):
    """Bring the field up to date for an exchange, along one direction of the flow.

    `difference` (n,) and `step` (n,) are left as the factors of the change: field[k, l] += pull[k] * step[l].
    """
    n = len(place)
    fi, fj, di, dj = flow[i], flow[j], distance[place[i]], distance[place[j]]
    for at in range(n):
        step[at] = dj[at] - di[at]
    for k in range(n):
        strength = fi[k] - fj[k]
        difference[k] = strength
        if strength != 0:
            _add_scaled(field[k], difference[k], step)


@compiled
def all_costs(movable, pair_flow, pair_distance, place, field, delta):
    """Fill the upper triangle of `delta` (m, m) with the change of cost of every exchange of movable items."""
    m = len(movable)
    for u in range(m):
        for v in range(u + 1, m):
            delta[u, v] = field_cost(movable[u], movable[v], pair_flow, pair_distance, place, field)


@compiled
def descend(flow, flow_t, distance, distance_t, symmetric, pair_flow, pair_distance, movable, place, field, work):
    """Make improving exchanges until there is none; return the change of cost and the exchanges tried."""
    change = np.int64(0)
    tried = np.int64(0)
    m = len(movable)
    quiet = 0
    u, v = 0, 0
    pairs = m * (m - 1) // 2
    while quiet < pairs:
        v += 1
        if v >= m:
            u += 1
            if u >= m - 1:
                u = 0
            v = u + 1
        i, j = movable[u], movable[v]
        tried += 1
        quiet += 1
        delta = field_cost(i, j, pair_flow, pair_distance, place, field)
        if delta < 0:
            _shift(i, j, flow_t, distance_t, place, field, work[0], work[1])
            if not symmetric:
                _shift(i, j, flow, distance, place, field, work[2], work[3])
            place[i], place[j] = place[j], place[i]
            change += delta
            quiet = 0
    return change, tried


@compiled
def _overdue(since, movable, place, tabu_until):
    """Return a pair (u, v) whose exchange has not been made since iteration `since`, or (0, 0)."""
    m = len(movable)
    for u in range(m):
        row = tabu_until[movable[u]]
        for v in range(u + 1, m):
            if row[place[movable[v]]] < since and tabu_until[movable[v], place[movable[u]]] < since:
                return u, v
    return 0, 0


@compiled
def tabu(
    start, count, low, high, patience, target,
    flow, flow_t, distance, distance_t, symmetric, pair_flow, pair_distance, movable,
    place, field, delta, tabu_until, work, best, values, state,
):  # fmt: skip
    """Perform iterations `start` … `start + count` of robust tabu search [1]; return the number performed.

    Parameters
    ----------
    start, count
        Iterations are counted from 1.
    low, high
        Range of the tabu tenure in iterations, redrawn for every exchange.
    patience
        An exchange not made for this number of iterations is forced; checked every n iterations.
    target
        Stop when the best cost is at or below this.
    delta
        int64 (m, m), upper triangle: change of cost of every exchange of movable items.
    banned
        int64 (n, n): iteration until which item i may not move to location l.
    work
        int64 (6, n): scratch.
    best, values
        Best locations so far; current and best cost, int64 (2,).
    """
    n, m = len(place), len(movable)
    difference, step, difference_t, step_t = work[0], work[1], work[2], work[3]
    here, here_t = work[4], work[5]
    for turn in range(start, start + count):
        chosen_u, chosen_v = 0, 0
        if turn % n == 0:
            chosen_u, chosen_v = _overdue(turn - patience, movable, place, tabu_until)
        if chosen_u == chosen_v:
            lowest = np.int64(9223372036854775807)
            to_beat = values[1] - values[0]
            for u in range(m - 1):
                row = delta[u]
                if _row_minimum(row, u + 1) >= lowest:
                    continue
                until, at = tabu_until[movable[u]], place[movable[u]]
                for v in range(u + 1, m):
                    change = row[v]
                    if change < lowest and (
                        change < to_beat or until[place[movable[v]]] < turn or tabu_until[movable[v], at] < turn
                    ):
                        lowest, chosen_u, chosen_v = change, u, v
        if chosen_u == chosen_v:
            continue
        i, j = movable[chosen_u], movable[chosen_v]
        tabu_until[i, place[i]] = turn + low + below(state, high - low + 1)
        tabu_until[j, place[j]] = turn + low + below(state, high - low + 1)
        values[0] += delta[chosen_u, chosen_v]
        _shift(i, j, flow_t, distance_t, place, field, difference, step)
        if not symmetric:
            _shift(i, j, flow, distance, place, field, difference_t, step_t)
        place[i], place[j] = place[j], place[i]
        if values[0] < values[1]:
            values[1] = values[0]
            for k in range(n):
                best[k] = place[k]
            if values[1] <= target:
                all_costs(movable, pair_flow, pair_distance, place, field, delta)
                return turn - start + 1
        # Exchanges without i and j.
        for u in range(m):
            difference[u], here[u] = difference[movable[u]], step[place[movable[u]]]
            if not symmetric:
                difference_t[u], here_t[u] = difference_t[movable[u]], step_t[place[movable[u]]]
        for u in range(m - 1):
            _add_product(delta[u], u + 1, difference[u], difference, here[u], here)
            if not symmetric:
                _add_product(delta[u], u + 1, difference_t[u], difference_t, here_t[u], here_t)
        # Exchanges of i or j.
        for v in range(m):
            if v != chosen_u:
                change = field_cost(i, movable[v], pair_flow, pair_distance, place, field)
                delta[min(v, chosen_u), max(v, chosen_u)] = change
            if v != chosen_v:
                change = field_cost(j, movable[v], pair_flow, pair_distance, place, field)
                delta[min(v, chosen_v), max(v, chosen_v)] = change
    return count


@compiled
def anneal(
    start, count, total, hot, cold, by_field,
    flow, flow_t, distance, distance_t, linear, symmetric, pair_flow, pair_distance, movable,
    place, field, work, logs, best, values, state,
):  # fmt: skip
    """Perform moves `start` … `start + count` of an annealing run of `total` moves; return the number accepted.

    The temperature falls geometrically from `hot` to `cold` and is renewed every 1024 moves; the
    last 5 % of the run accept no worsening. One random word gives both items and the
    threshold ``-temperature * log(u)``, whose logarithm comes from the table `logs` float64
    (4096,). With `by_field` the change of cost comes from the field, which must be current and
    is updated; otherwise it is computed directly. The result is the same.
    """
    n, m = len(place), np.uint64(len(movable))
    accepted = np.int64(0)
    temperature = 0.0
    for move in range(start, start + count):
        if move % _RENEW == 0 or move == start:
            done = (move // _RENEW * _RENEW) / total
            temperature = hot * math.exp(math.log(cold / hot) * done / 0.95) if done < 0.95 else 0.0
        word = next_uint64(state)
        u = ((word & np.uint64(0xFFFFFF)) * m) >> np.uint64(24)
        v = (((word >> np.uint64(24)) & np.uint64(0xFFFFFF)) * (m - np.uint64(1))) >> np.uint64(24)
        if v >= u:
            v += np.uint64(1)
        i, j = movable[u], movable[v]
        if by_field:
            delta = field_cost(i, j, pair_flow, pair_distance, place, field)
        else:
            delta = exchange_cost(i, j, flow, flow_t, distance, distance_t, linear, symmetric, pair_flow, pair_distance, place)
        if delta > 0 and delta >= temperature * logs[word >> np.uint64(52)]:
            continue
        if by_field:
            _shift(i, j, flow_t, distance_t, place, field, work[0], work[1])
            if not symmetric:
                _shift(i, j, flow, distance, place, field, work[2], work[3])
        place[i], place[j] = place[j], place[i]
        accepted += 1
        values[0] += delta
        if values[0] < values[1]:
            values[1] = values[0]
            for k in range(n):
                best[k] = place[k]
    return accepted
