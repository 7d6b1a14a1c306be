"""Simulated annealing of items on slots; layouts and costs of changes are in `planner.kernels.placement.layout`."""

from __future__ import annotations

import numpy as np

from planner.kernels import always_inlined, uncounted
from planner.kernels.placement.layout import exchange, exchange_cost, may_exchange, swap, swap_cost
from planner.kernels.random import next_uint64

INDEX_BITS = np.uint64(24)
INDEX_MASK = np.uint64((1 << 24) - 1)
THRESHOLDS = 1 << 10
LAST = np.uint64(THRESHOLDS - 1)
UNLIMITED = np.int64(1) << np.int64(62)
# -log(u) at the middle of 1024 equal steps of u: the random part of Metropolis' rule without a logarithm per move.
THRESHOLD = -np.log((np.arange(THRESHOLDS) + 0.5) / THRESHOLDS)


@always_inlined
def _near_item(r, bits, run):
    """Return a slot next to one of the neighbors of `r`; its own slot if it has none."""
    first = run.indptr[r]
    degree = run.indptr[r + np.uint32(1)] - first
    if degree == 0:
        return run.slot[r]
    n = run.indices[first + np.uint32(((bits & np.uint64(0xFFFF)) * np.uint64(degree)) >> np.uint64(16))]
    k = ((bits >> np.uint64(16)) * np.uint64(run.near.shape[1])) >> np.uint64(8)
    return run.near[run.slot[n], k]


@always_inlined
def propose_swap(bits, run):
    """Return two items of one class; the same one twice if the draw found no partner."""
    drawn = (bits >> np.uint64(40)) * np.uint64(len(run.peers))
    r = run.peers[drawn >> INDEX_BITS]
    bits = (bits >> np.uint64(16)) & INDEX_MASK
    k = run.peer_class[r]
    if len(run.near) > 0:
        q = _near_item(r, bits, run)
        if run.filled[q] == 0:
            return r, r
        s = run.content[q, (bits ^ (bits >> np.uint64(11))) % np.uint64(run.filled[q])]
        return r, s if run.peer_class[s] == k else r
    first = run.peer_start[k]
    return r, run.peers[first + np.int64((bits * np.uint64(run.peer_start[k + 1] - first)) >> INDEX_BITS)]


@always_inlined
def propose_exchange(bits, run):
    """Return two slots whose contents may move; the same one twice if the draw found no partner."""
    here = run.slots[((bits >> np.uint64(40)) * np.uint64(len(run.slots))) >> INDEX_BITS]
    bits = (bits >> np.uint64(16)) & INDEX_MASK
    if len(run.near) > 0:
        if run.filled[here] == 0:
            return here, here
        r = run.content[here, (bits ^ (bits >> np.uint64(11))) % np.uint64(run.filled[here])]
        there = _near_item(r, bits, run)
        # The demand class of fixed slots is allowed nowhere else.
        return here, there
    return here, run.slots[(bits * np.uint64(len(run.slots))) >> INDEX_BITS]


@uncounted
def anneal(count, temperature, swap_share, state, run, changes):
    """Try `count` moves at one temperature; return the change of cost and the moves accepted.

    Parameters
    ----------
    swap_share
        Share of item swaps, in 64ths; the others exchange the contents of two slots.
    state
        Random state, uint64 (1,).
    changes
        Empty; or int64 (count,) of zeros, which receive the change of cost of each move that is drawn successfully. No move is
        accepted then.
    """
    sampled = len(changes) > 0
    change = np.int64(0)
    accepted = np.int64(0)
    for move in range(count):
        bits = next_uint64(state)
        limit = UNLIMITED if sampled else np.int64(temperature * run.threshold[bits & LAST])
        if np.int64((bits >> np.uint64(10)) & np.uint64(63)) < swap_share:
            r, s = propose_swap(bits, run)
            if run.slot[r] == run.slot[s]:
                continue
            delta = swap_cost(r, s, limit, run)
            if sampled:
                changes[move] = delta
            elif delta <= limit:
                swap(r, s, run)
                change += delta
                accepted += 1
        else:
            here, there = propose_exchange(bits, run)
            if not may_exchange(here, there, run):
                continue
            delta = exchange_cost(here, there, run)
            if sampled:
                changes[move] = delta
            elif delta <= limit:
                exchange(here, there, run)
                change += delta
                accepted += 1
    return change, accepted


@uncounted
def anneal_blocks(count, temperature, state, run, blocks, of_items):
    """Try to exchange the contents of blocks of slots (such as rows) or of groups; return the change and the number accepted.

    `blocks`, uint32 (B, K), lists slots, or with `of_items` items that each fill a slot: a block is then
    the slots that these items are in. The content of the first slot of one block goes to the first,
    or to the last, slot of the other, and so on.
    """
    change = np.int64(0)
    accepted = np.int64(0)
    many, length = np.uint64(blocks.shape[0]), blocks.shape[1]
    for _ in range(count):
        bits = next_uint64(state)
        limit = np.int64(temperature * run.threshold[bits & LAST])
        a, b = ((bits >> np.uint64(40)) * many) >> INDEX_BITS, (((bits >> np.uint64(16)) & INDEX_MASK) * many) >> INDEX_BITS
        if a == b:
            continue
        reverse = (bits >> np.uint64(10)) & np.uint64(1)
        delta = np.int64(0)
        done = 0
        while done < length:
            here, there = blocks[a, done], blocks[b, length - 1 - done if reverse else done]
            if of_items:
                here, there = run.slot[here], run.slot[there]
            if run.filled[here] + run.filled[there] > 0:
                if not may_exchange(here, there, run):
                    break
                delta += exchange_cost(here, there, run)
                exchange(here, there, run)
            done += 1
        if done == length and delta <= limit:
            change += delta
            accepted += 1
            continue
        for back in range(done):
            here, there = blocks[a, back], blocks[b, length - 1 - back if reverse else back]
            if of_items:
                here, there = run.slot[here], run.slot[there]
            if run.filled[here] + run.filled[there] > 0:
                exchange(here, there, run)
    return change, accepted
