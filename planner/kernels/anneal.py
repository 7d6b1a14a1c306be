"""Simulated annealing of routers and cabinets on slots, by swaps with incremental cost."""

from __future__ import annotations

import math

import numpy as np

from planner.kernels import compiled
from planner.kernels.random import below, uniform


@compiled
def router_swap_cost(r, s, indptr, indices, slot, cost):
    """Return the change of cost when routers `r` and `s`, in different slots, change places."""
    at_r, at_s = cost[slot[r]], cost[slot[s]]
    change = np.int64(0)
    for i in range(indptr[r], indptr[r + np.uint32(1)]):
        n = indices[i]
        if n != s:
            change += at_s[slot[n]] - at_r[slot[n]]
    for i in range(indptr[s], indptr[s + np.uint32(1)]):
        n = indices[i]
        if n != r:
            change += at_r[slot[n]] - at_s[slot[n]]
    return change


@compiled
def cabinet_move_cost(here, there, content, filled, indptr, indices, slot, cost):
    """Return the change of cost when the contents of slots `here` and `there` change places.

    `content` (S, M) lists the routers of each slot, `filled` (S,) how many there are.
    """
    change = np.int64(0)
    for turn in range(2):
        old, new = (here, there) if turn == 0 else (there, here)
        at_old, at_new = cost[old], cost[new]
        for k in range(filled[old]):
            r = content[old, k]
            for i in range(indptr[r], indptr[r + np.uint32(1)]):
                n = indices[i]
                s = slot[n]
                if s == old:
                    # Met from both ends: count it once.
                    if r < n:
                        change += at_new[new] - at_old[old]
                elif s != new:
                    change += at_new[s] - at_old[s]
    return change


@compiled
def anneal(
    start, count, total, hot, cold, router_share, state,
    indptr, indices, cost, slots, peer_start, peers, swap_class, slot, place_in_slot, content, filled,
):  # fmt: skip
    """Do moves `start` … `start + count` of a run of `total` moves; return the change of cost and the moves accepted.

    The temperature falls geometrically from `hot` to `cold`; the last twentieth of the run accepts
    no worsening. `slot` (R,) is the slot of each router, `place_in_slot` its column in `content`;
    `peers` lists the routers by swap class, those of class k from ``peer_start[k]`` on.
    """
    change = np.int64(0)
    accepted = np.int64(0)
    temperature = 0.0
    for move in range(start, start + count):
        # Renewed at fixed moves, so that the result does not depend on the chunks.
        if move % 256 == 0 or move == start:
            progress = (move // 256 * 256) / total
            temperature = hot * math.exp(math.log(cold / hot) * progress / 0.95) if progress < 0.95 else 0.0
        if uniform(state) < router_share:
            r = peers[below(state, len(peers))]
            k = swap_class[r]
            s = peers[peer_start[k] + below(state, peer_start[k + 1] - peer_start[k])]
            if slot[r] == slot[s]:
                continue
            delta = router_swap_cost(r, s, indptr, indices, slot, cost)
        else:
            here = slots[below(state, len(slots))]
            there = slots[below(state, len(slots))]
            if here == there or (filled[here] == 0 and filled[there] == 0):
                continue
            r = s = np.uint32(0)
            delta = cabinet_move_cost(here, there, content, filled, indptr, indices, slot, cost)
        if delta > 0 and (temperature == 0.0 or uniform(state) >= math.exp(-delta / temperature)):
            continue
        change += delta
        accepted += 1
        if r != s:
            _swap_routers(r, s, slot, place_in_slot, content)
        else:
            _swap_slots(here, there, slot, content, filled)
    return change, accepted


@compiled
def _swap_routers(r, s, slot, place_in_slot, content):
    content[slot[r], place_in_slot[r]] = s
    content[slot[s], place_in_slot[s]] = r
    slot[r], slot[s] = slot[s], slot[r]
    place_in_slot[r], place_in_slot[s] = place_in_slot[s], place_in_slot[r]


@compiled
def _swap_slots(here, there, slot, content, filled):
    for k in range(max(filled[here], filled[there])):
        content[here, k], content[there, k] = content[there, k], content[here, k]
    filled[here], filled[there] = filled[there], filled[here]
    for k in range(filled[here]):
        slot[content[here, k]] = here
    for k in range(filled[there]):
        slot[content[there, k]] = there
