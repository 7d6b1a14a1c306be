"""Binary heap of nodes: minimum key first, then minimum tie, then lowest node."""

from __future__ import annotations

from collections import namedtuple

from planner.kernels import uncounted

Heap = namedtuple("Heap", "key tie node")
"""float64, float64 and int32, as long as the maximum number of entries. A node may be entered more than once."""


@uncounted
def _less(key_a, tie_a, node_a, key_b, tie_b, node_b):
    if key_a != key_b:
        return key_a < key_b
    if tie_a != tie_b:
        return tie_a < tie_b
    return node_a < node_b


@uncounted
def push(heap, waiting, key, tie, node):
    """Insert a node into the heap of `waiting` entries; return the new size."""
    place = waiting
    while place > 0:
        up = (place - 1) >> 1
        if not _less(key, tie, node, heap.key[up], heap.tie[up], heap.node[up]):
            break
        heap.key[place], heap.tie[place], heap.node[place] = heap.key[up], heap.tie[up], heap.node[up]
        place = up
    heap.key[place], heap.tie[place], heap.node[place] = key, tie, node
    return waiting + 1


@uncounted
def pop(heap, waiting):
    """Remove the first node of the heap; return the new size."""
    waiting -= 1
    key, tie, node = heap.key[waiting], heap.tie[waiting], heap.node[waiting]
    place = 0
    while True:
        down = 2 * place + 1
        if down >= waiting:
            break
        if down + 1 < waiting and _less(
            heap.key[down + 1],
            heap.tie[down + 1],
            heap.node[down + 1],
            heap.key[down],
            heap.tie[down],
            heap.node[down],
        ):
            down += 1
        if not _less(heap.key[down], heap.tie[down], heap.node[down], key, tie, node):
            break
        heap.key[place], heap.tie[place], heap.node[place] = heap.key[down], heap.tie[down], heap.node[down]
        place = down
    heap.key[place], heap.tie[place], heap.node[place] = key, tie, node
    return waiting
