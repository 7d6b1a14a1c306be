"""Channel dependency graph of a routing, by its own `candidates`.

A channel is one direction of a link on one virtual channel, numbered as the engine's queues: port times channels plus channel.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import bare
from planner.kernels.addresses import record_at
from planner.kernels.packet.records import NONE
from planner.kernels.routing.view import VIEW

DONE, EDGES_FULL, STATES_FULL = range(3)
"""Status of `trace`: all pairs traced; dependency table full; too many states of one mark."""

_MIX_A = np.uint64(0x9E3779B97F4A7C15)
_MIX_B = np.uint64(0xBF58476D1CE4E5B9)


@bare
def _place(key, size):
    z = np.uint64(key) * _MIX_A
    z = (z ^ (z >> np.uint64(29))) * _MIX_B
    return np.int64((z ^ (z >> np.uint64(32))) & np.uint64(size - 1))


@bare
def enter(table, key):
    """Insert a key into an open-addressing table (int64, power of two long, -1 for empty); return whether it is new."""
    place = _place(key, len(table))
    while table[place] != -1:
        if table[place] == key:
            return False
        place = (place + 1) & (len(table) - 1)
    table[place] = key
    return True


@bare
def copy(table, larger):
    """Insert the keys of a table into a larger one."""
    for place in range(len(table)):
        if table[place] != -1:
            enter(larger, table[place])


@bare
def _visit(seen, queue, hops, label, mark):
    """Record a state of a mark; return whether it is new. Rows of `seen`: queue, hops, label, mark."""
    place = _place((np.int64(queue) * 256 + hops) * 1048573 + label, len(seen))
    while seen[place, 3] == mark:
        if seen[place, 0] == queue and seen[place, 1] == hops and seen[place, 2] == label:
            return False
        place = (place + 1) & (len(seen) - 1)
    seen[place, 0] = queue
    seen[place, 1] = hops
    seen[place, 2] = label
    seen[place, 3] = mark
    return True


@bare
def trace(candidates, view, first_port, behind, channels, pairs, first, visited, stack, table, tally):
    """Trace pairs from number `first` on over all candidates, regardless of penalty.

    Parameters
    ----------
    view
        Address of a `planner.kernels.routing.view.View` of one packet, whose `created` is set.
    behind
        Neighbor router at each router port, int32.
    pairs
        Source and target router, endpoint at the source, port of the target, mark: int32 (N, 5). Pairs of the same mark are
        consecutive and share their states. A mark is at least 0 and not in `visited`, unless these are its states.
    visited, stack
        Scratch for states: int32 (power of two, 4) and (half of it, 3).
    table
        Dependencies inserted so far, as ``from * 2**32 + to``.
    tally
        Int64 (5,): dependencies in the table, states visited, their limit, pairs traced, states of the last mark.

    Returns
    -------
    int
        `DONE` when all pairs were traced or the limit of states was reached, else the reason for stopping at pair ``tally[3]``.
    """
    seen = record_at(view, VIEW)
    packet, found = seen.packet, seen.candidates
    max_states = len(stack)
    for number in range(first, len(pairs)):
        if tally[1] >= tally[2]:
            return DONE
        source, target, mark = pairs[number, 0], pairs[number, 1], pairs[number, 4]
        if number == 0 or pairs[number - 1, 4] != mark:
            tally[4] = 0
        packet[0].source_router = source
        packet[0].target_router = target
        packet[0].source = pairs[number, 2]
        packet[0].target = pairs[number, 3]
        left = 1
        stack[0, 0], stack[0, 1], stack[0, 2] = NONE, 0, 0
        while left > 0:
            left -= 1
            queue, hops = np.int64(stack[left, 0]), stack[left, 1]
            packet[0].hops = hops
            packet[0].label = stack[left, 2]
            router = np.int64(source if queue == NONE else behind[queue // channels])
            start = np.int64(first_port[router]) * channels
            count = candidates(router, start, channels, 0, view)
            tally[1] += 1
            for i in range(count):
                if found[i].channel >= channels:
                    continue
                output = start + found[i].port * channels + found[i].channel
                if queue != NONE and enter(table, queue * 4294967296 + output):
                    tally[0] += 1
                    if 2 * tally[0] > len(table):
                        return EDGES_FULL
                if behind[output // channels] == target or hops >= 254:
                    continue
                if _visit(visited, output, hops + 1, found[i].label, mark):
                    tally[4] += 1
                    if tally[4] >= max_states or left >= max_states - 1:
                        return STATES_FULL
                    stack[left, 0], stack[left, 1], stack[left, 2] = output, hops + 1, found[i].label
                    left += 1
        tally[3] = number + 1
    return DONE
