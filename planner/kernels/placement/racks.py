"""Filled cabinets on slots, with connections of several kinds: annealing and descent.

The cost of a layout is the sum over all edges of weight times the cost of their kind between the slots of both ends, plus a cost
of each cabinet in its slot. `slot` is the slot of each cabinet, int64 (C,), `rack` the cabinet of each slot, -1 for none,
int64 (S,). Edges are CSR rows of both directions: `indptr` int64 (C+1,), `indices`, `weight`, `kind` int64; twice the kind,
plus 1 for the reverse direction. `table` is int32 (K, S, S), `bias` int64 (C, S), `allowed` uint8 (C, S).
"""

from __future__ import annotations

import numpy as np

from planner.kernels import always_inlined, uncounted
from planner.kernels.random import next_uint64


@always_inlined
def _cost(kind, p, q, table):
    if kind & 1:
        return np.int64(table[kind >> 1, q, p])
    return np.int64(table[kind >> 1, p, q])


@always_inlined
def _moved(i, p, q, other, slot, indptr, indices, weight, kind, table):
    """Return the change of cost of the edges of cabinet `i` when it moves from slot `p` to `q`, without those to `other`."""
    change = np.int64(0)
    for k in range(indptr[i], indptr[i + 1]):
        n = indices[k]
        if n != other:
            s = slot[n]
            change += weight[k] * (_cost(kind[k], q, s, table) - _cost(kind[k], p, s, table))
    return change


@always_inlined
def _change(i, q, slot, rack, indptr, indices, weight, kind, table, bias):
    """Return the change of cost when cabinet `i` moves to slot `q`, and the cabinet there, if any, to its slot."""
    p, j = slot[i], rack[q]
    change = bias[i, q] - bias[i, p] + _moved(i, p, q, j, slot, indptr, indices, weight, kind, table)
    if j >= 0:
        change += bias[j, p] - bias[j, q] + _moved(j, q, p, i, slot, indptr, indices, weight, kind, table)
        for k in range(indptr[i], indptr[i + 1]):
            if indices[k] == j:
                change += weight[k] * (_cost(kind[k], q, p, table) - _cost(kind[k], p, q, table))
    return change


@always_inlined
def _move(i, q, slot, rack):
    p, j = slot[i], rack[q]
    slot[i], rack[q], rack[p] = q, i, j
    if j >= 0:
        slot[j] = p


@always_inlined
def _may(i, q, slot, rack, allowed):
    p, j = slot[i], rack[q]
    return p != q and allowed[i, q] != 0 and (j < 0 or allowed[j, p] != 0)


@uncounted
def anneal(count, temperature, threshold, state, slot, rack, indptr, indices, weight, kind, table, bias, allowed):
    """Try `count` moves at one temperature; return the change of cost and the number of accepted moves.

    `threshold` is `planner.kernels.placement.anneal.THRESHOLD`, `state` the random state, uint64 (1,).
    """
    change, accepted = np.int64(0), np.int64(0)
    for _ in range(count):
        bits = next_uint64(state)
        limit = np.int64(temperature * threshold[bits & np.uint64(1023)])
        i = np.int64(((bits >> np.uint64(42)) * np.uint64(len(slot))) >> np.uint64(22))
        q = np.int64((((bits >> np.uint64(10)) & np.uint64((1 << 32) - 1)) * np.uint64(len(rack))) >> np.uint64(32))
        if not _may(i, q, slot, rack, allowed):
            continue
        delta = _change(i, q, slot, rack, indptr, indices, weight, kind, table, bias)
        if delta <= limit:
            _move(i, q, slot, rack)
            change += delta
            accepted += 1
    return change, accepted


@uncounted
def descend(slot, rack, indptr, indices, weight, kind, table, bias, allowed, run, once, none):
    """Make the best move of each cabinet in turn until none lowers the cost, at equal cost the length, at equal length the work.

    `run` is the length of a connection, in the form of `table`, `none` a `bias` of zeros. The connections of an edge are pulled
    together: the work is the length with a weight of `once` for each edge: ones, or zeros where work does not decide. Returns the
    change of cost.
    """
    total = np.int64(0)
    idle, i = 0, 0
    while idle < len(slot):
        best, best_run, best_pull, goal = np.int64(0), np.int64(0), np.int64(0), -1
        for q in range(len(rack)):
            if _may(i, q, slot, rack, allowed):
                delta = _change(i, q, slot, rack, indptr, indices, weight, kind, table, bias)
                if delta <= best:
                    length = _change(i, q, slot, rack, indptr, indices, weight, kind, run, none)
                    if delta == best and length > best_run:
                        continue
                    pull = _change(i, q, slot, rack, indptr, indices, once, kind, run, none)
                    if delta < best or length < best_run or pull < best_pull:
                        best, best_run, best_pull, goal = delta, length, pull, q
        idle += 1
        if goal >= 0:
            _move(i, goal, slot, rack)
            total += best
            idle = 0
        i = (i + 1) % len(slot)
    return total


@uncounted
def total_cost(slot, indptr, indices, weight, kind, table, bias):
    """Return the cost of a layout."""
    total = np.int64(0)
    for i in range(len(slot)):
        total += bias[i, slot[i]]
        for k in range(indptr[i], indptr[i + 1]):
            if kind[k] & 1 == 0:
                total += weight[k] * _cost(kind[k], slot[i], slot[indices[k]], table)
    return total


@uncounted
def sample(changes, state, slot, rack, indptr, indices, weight, kind, table, bias, allowed):
    """Fill `changes`, int64, with the changes of cost of random moves, 0 for moves that are not allowed."""
    for n in range(len(changes)):
        bits = next_uint64(state)
        i = np.int64(((bits >> np.uint64(42)) * np.uint64(len(slot))) >> np.uint64(22))
        q = np.int64((((bits >> np.uint64(10)) & np.uint64((1 << 32) - 1)) * np.uint64(len(rack))) >> np.uint64(32))
        changes[n] = 0
        if _may(i, q, slot, rack, allowed):
            changes[n] = _change(i, q, slot, rack, indptr, indices, weight, kind, table, bias)
