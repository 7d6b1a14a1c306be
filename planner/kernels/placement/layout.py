"""Layouts of items on slots: routers in cabinets, or cabinets on the floor; cost of a change, and the change itself.

The cost of a layout is the sum over all edges of weight times the cost between the slots of both
ends. The change of cost of a move is computed by one of two methods with the same result: *arithmetic* over the
neighbors of moved items, or the *field*, which stores the cost of every item in every
slot, so that a proposal takes a few look-ups and only an accepted move needs an update.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from planner.kernels import always_inlined, uncounted, vectorized


class State(NamedTuple):
    """State of an annealing run. N items, S slots, M places per slot, D demand classes, G groups.

    Attributes
    ----------
    indptr, indices, weight
        Links as CSR of sorted neighbors, uint32, uint32, int32.
    table, x, y
        Cost between slots, int32: ``table[p, q]`` where `x` is empty, else ``table[|x[p] - x[q]|, |y[p] - y[q]|]``.
    field, field_y
        Cost of each item in each slot with all others unchanged, int32. Full: `field` (N, S). Split, for a
        cost that is a sum over both axes of a lattice: `field` (N, X) and `field_y` (N, Y). Empty for arithmetic.
    across, along
        The two parts of such a cost, int32 (X, X) and (Y, Y).
    inside_gain
        Reduction of the cost of a link inside a slot relative to the sum, and the same for the heaviest edge, int64 (2,).
    slot, place
        Location of each item, uint32 (N,): slot, and column in `content`.
    content, filled
        Items of each slot, uint32 (S, M), and their number, int64 (S,).
    peers, peer_start, peer_class
        Items that may move by class, uint32; those of class k from ``peer_start[k]``, int64; class of each item, int64.
    slots
        Slots whose content may move, uint32.
    near
        For each slot the slots next to it, uint32 (S, K); empty to draw partners from everywhere.
    demand, allowed
        Demand class of the content of each slot, int64 (S,); which slots carry it, uint8 (D, S).
    kin, together, apart_price
        Group of each item, int32 (N,), members of each group in each slot, int32 (G, S), and the cost of
        each pair of one group in two slots, int64 (1,); empty if unused.
    threshold
        `planner.kernels.placement.anneal.THRESHOLD`.
    """

    indptr: np.ndarray
    indices: np.ndarray
    weight: np.ndarray
    table: np.ndarray
    x: np.ndarray
    y: np.ndarray
    field: np.ndarray
    field_y: np.ndarray
    across: np.ndarray
    along: np.ndarray
    inside_gain: np.ndarray
    slot: np.ndarray
    place: np.ndarray
    content: np.ndarray
    filled: np.ndarray
    peers: np.ndarray
    peer_start: np.ndarray
    peer_class: np.ndarray
    slots: np.ndarray
    near: np.ndarray
    demand: np.ndarray
    allowed: np.ndarray
    kin: np.ndarray
    together: np.ndarray
    apart_price: np.ndarray
    threshold: np.ndarray


@always_inlined
def between(table, x, y, p, q):
    """Return the cost of a link between slots `p` and `q`, int64."""
    if len(x) == 0:
        return np.int64(table[p, q])
    return np.int64(table[abs(x[p] - x[q]), abs(y[p] - y[q])])


@always_inlined
def same_slot_cost(p, q, run):
    """Return the total cost of links inside slots `p` and `q` in the field."""
    if len(run.field_y) > 0:
        return 2 * (np.int64(run.across[0, 0]) + run.along[0, 0])
    return between(run.table, run.x, run.y, p, p) + between(run.table, run.x, run.y, q, q)


@always_inlined
def joint_weight(r, s, indptr, indices, weight):
    """Return the weight of the edge between items `r` and `s`, 0 if there is none."""
    low, high = np.int64(indptr[r]), np.int64(indptr[r + np.uint32(1)])
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < s:
            low = middle + 1
        else:
            high = middle
    if low < np.int64(indptr[r + np.uint32(1)]) and indices[low] == s:
        return np.int64(weight[low])
    return np.int64(0)


@always_inlined
def moved_cost(r, p, q, s, run):
    """Return the change of cost when item `r` moves from slot `p` to `q`; without the edge to item `s`."""
    change = np.int64(0)
    for i in range(run.indptr[r], run.indptr[r + np.uint32(1)]):
        n = run.indices[i]
        if n != s:
            t = run.slot[n]
            new = between(run.table, run.x, run.y, q, t)
            change += run.weight[i] * (new - between(run.table, run.x, run.y, p, t))
    return change


@always_inlined
def split_cost(r, p, q, run):
    """Return the change of the split field's cost of moving item `r` from slot `p` to `q`, with internal links at full cost."""
    change = np.int64(run.field[r, run.x[q]]) - run.field[r, run.x[p]]
    return change + run.field_y[r, run.y[q]] - run.field_y[r, run.y[p]]


@always_inlined
def inside_cost(r, p, q, s, run):
    """Return the cost of losing links inside slot `p` minus that of gaining links inside `q`, without the edge to item `s`."""
    inside = np.int64(0)
    for k in range(run.filled[p]):
        n = run.content[p, k]
        if n != r:
            inside += joint_weight(r, n, run.indptr, run.indices, run.weight)
    for k in range(run.filled[q]):
        n = run.content[q, k]
        if n != s:
            inside -= joint_weight(r, n, run.indptr, run.indices, run.weight)
    return inside * run.inside_gain[0]


@always_inlined
def swap_cost(r, s, limit, run):
    """Return the change of cost of swapping items `r` and `s` in different slots.

    Above `limit` the result may be inexact, but stays above `limit`. This requires that no link is
    more expensive inside a slot than between slots.
    """
    p, q = run.slot[r], run.slot[s]
    change = np.int64(0)
    if len(run.together) > 0 and run.kin[r] != run.kin[s]:
        g, h = run.kin[r], run.kin[s]
        lost = run.together[g, p] - 1 + run.together[h, q] - 1
        change += run.apart_price[0] * (lost - run.together[g, q] - run.together[h, p])
    if len(run.field) == 0:
        return change + moved_cost(r, p, q, s, run) + moved_cost(s, q, p, r, run)
    if len(run.field_y) == 0:
        change += np.int64(run.field[r, q]) - run.field[r, p] + run.field[s, p] - run.field[s, q]
    else:
        change += split_cost(r, p, q, run) + split_cost(s, q, p, run)
        # Upper bound on edges that may become internal.
        if change - run.inside_gain[1] * (run.filled[p] + run.filled[q] - 2) > limit:
            return change
        change += inside_cost(r, p, q, s, run) + inside_cost(s, q, p, r, run)
    if change > limit:
        return change
    joint = joint_weight(r, s, run.indptr, run.indices, run.weight)
    if joint > 0:
        change += joint * (2 * between(run.table, run.x, run.y, p, q) - same_slot_cost(p, q, run))
    return change


@always_inlined
def exchange_cost(here, there, run):
    """Return the change of cost of exchanging the contents of slots `here` and `there`."""
    if run.content.shape[1] == 1 and len(run.field) > 0:
        return _single_exchange_cost(here, there, run)
    change = np.int64(0)
    for turn in range(2):
        old, new = (here, there) if turn == 0 else (there, here)
        for k in range(run.filled[old]):
            r = run.content[old, k]
            for i in range(run.indptr[r], run.indptr[r + np.uint32(1)]):
                n = run.indices[i]
                s = run.slot[n]
                if s == old:
                    # Visited from both ends: count it once.
                    if r < n:
                        inside = between(run.table, run.x, run.y, new, new) - between(run.table, run.x, run.y, old, old)
                        change += run.weight[i] * inside
                elif s != new:
                    farther = between(run.table, run.x, run.y, new, s) - between(run.table, run.x, run.y, old, s)
                    change += run.weight[i] * farther
    return change


@always_inlined
def _single_exchange_cost(here, there, run):
    """Return as `exchange_cost` from the field, for slots of one item each, without links inside a slot."""
    change = np.int64(0)
    r, s = run.content[here, 0], run.content[there, 0]
    split = len(run.field_y) > 0
    if run.filled[here] > 0:
        change += split_cost(r, here, there, run) if split else np.int64(run.field[r, there]) - run.field[r, here]
    if run.filled[there] > 0:
        change += split_cost(s, there, here, run) if split else np.int64(run.field[s, here]) - run.field[s, there]
    if run.filled[here] > 0 and run.filled[there] > 0:
        joint = joint_weight(r, s, run.indptr, run.indices, run.weight)
        if joint > 0:
            change += joint * (2 * between(run.table, run.x, run.y, here, there) - same_slot_cost(here, there, run))
    return change


@vectorized
def _shift_row(field, n, table, p, q, weight):
    for j in range(field.shape[1]):
        field[n, j] += weight * (table[q, j] - table[p, j])


@vectorized
def _add_row(field, n, table, p, weight):
    for j in range(field.shape[1]):
        field[n, j] += weight * table[p, j]


@uncounted
def _shift_field(r, p, q, run):
    """Update the field of the neighbors of `r` after its move from slot `p` to `q`."""
    for i in range(run.indptr[r], run.indptr[r + np.uint32(1)]):
        if len(run.field_y) == 0:
            _shift_row(run.field, run.indices[i], run.table, p, q, run.weight[i])
        else:
            _shift_row(run.field, run.indices[i], run.across, run.x[p], run.x[q], run.weight[i])
            _shift_row(run.field_y, run.indices[i], run.along, run.y[p], run.y[q], run.weight[i])


@uncounted
def fill_field(run):
    """Compute the field from scratch; it must be zero."""
    for r in range(len(run.slot)):
        for i in range(run.indptr[r], run.indptr[r + 1]):
            p = run.slot[run.indices[i]]
            if len(run.field_y) == 0:
                _add_row(run.field, r, run.table, p, run.weight[i])
            else:
                _add_row(run.field, r, run.across, run.x[p], run.weight[i])
                _add_row(run.field_y, r, run.along, run.y[p], run.weight[i])


@uncounted
def swap(r, s, run):
    """Swap items `r` and `s`."""
    p, q = run.slot[r], run.slot[s]
    if len(run.field) > 0:
        _shift_field(r, p, q, run)
        _shift_field(s, q, p, run)
    if len(run.together) > 0:
        run.together[run.kin[r], p] -= 1
        run.together[run.kin[r], q] += 1
        run.together[run.kin[s], q] -= 1
        run.together[run.kin[s], p] += 1
    run.content[p, run.place[r]] = s
    run.content[q, run.place[s]] = r
    run.slot[r], run.slot[s] = q, p
    run.place[r], run.place[s] = run.place[s], run.place[r]


@uncounted
def exchange(here, there, run):
    """Exchange the contents of slots `here` and `there`."""
    for turn in range(2):
        old, new = (here, there) if turn == 0 else (there, here)
        for k in range(run.filled[old]):
            r = run.content[old, k]
            if len(run.field) > 0:
                _shift_field(r, old, new, run)
            run.slot[r] = new
    for k in range(max(run.filled[here], run.filled[there])):
        run.content[here, k], run.content[there, k] = run.content[there, k], run.content[here, k]
    run.filled[here], run.filled[there] = run.filled[there], run.filled[here]
    run.demand[here], run.demand[there] = run.demand[there], run.demand[here]
    for g in range(len(run.together)):
        run.together[g, here], run.together[g, there] = run.together[g, there], run.together[g, here]


@always_inlined
def may_exchange(here, there, run):
    """Return whether two slots differ, are not both empty, and can carry each other's content."""
    if here == there or (run.filled[here] == 0 and run.filled[there] == 0):
        return False
    return run.allowed[run.demand[here], there] != 0 and run.allowed[run.demand[there], here] != 0
