"""Division of a large network into blocks of routers, which the packet engine runs for some cycles each, on all free cores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy as np

from planner import cores
from planner.kernels.packet import records
from planner.simulation import capacity
from planner.simulation.case import Case, move_cycles

T = TypeVar("T")

LARGE_BYTES = 2**24
"""Size of queues and ports from which on a network is divided."""

BLOCK_BYTES = 2**20
"""Size of queues and ports of a block, about that of the second cache of a core."""

MIN_WINDOW = 8
"""Minimum number of cycles that a block runs: the mail, and to load its queues into the caches, take as long as a few."""


class Division(NamedTuple):
    """Blocks of a network, and the cycles that a block runs before it needs what others have sent."""

    blocks: int
    window: int


WHOLE = Division(1, 1)


def division(
    case: Case, large_bytes: int = LARGE_BYTES, block_bytes: int = BLOCK_BYTES, min_window: int = MIN_WINDOW
) -> Division:
    """Return how a network is divided: as a whole if it is small, or if what a router sends soon arrives.

    A packet or a credit reaches another router after the delay of the cable and of the router at least, or the time to move
    a packet to its output. For that many cycles blocks do not depend on each other (the *lookahead* of [1]_), and the queues of
    one stay in the near caches. In each block events are in the order of their cycles. Each draws random choices of its own: they
    depend on the division, not on the number of threads.

    References
    ----------
    .. [1] R. Fujimoto, "Parallel discrete event simulation", Commun. ACM 33(10), 1990, section "Conservative mechanisms".
    """
    topology = case.network.topology
    whole_bytes = queue_bytes(case)
    blocks = min(-(-whole_bytes // block_bytes), topology.router_count)
    if whole_bytes < large_bytes or blocks == 1 or case.input_phits:
        return WHOLE
    ends = blocks_of(topology.router_count, blocks)[topology.links]
    cables = case.network.link_cycles[: len(ends)]
    shortest = int(cables[ends[:, 0] != ends[:, 1]].min(initial=cables.max(initial=1)))
    window = shortest + min(case.router_cycles, move_cycles(case) - 1 + case.credit_cycles)
    found = Division(blocks, window)
    # Blocks need more packet records.
    return found if window >= min_window and capacity.packet_records(case, found) < records.MAX_INDEX else WHOLE


def on_free_cores(function: Callable[[T], object], blocks: Sequence[T]) -> None:
    """Call a function for each block, in this thread and in one for each core that is free; each takes the next block."""
    left = iter(blocks)

    def work() -> None:
        for block in left:
            function(block)

    with cores.spare(len(blocks) - 1) as free:
        if not free:
            return work()
        with ThreadPoolExecutor(free) as threads:
            others = [threads.submit(work) for _ in range(free)]
            work()
        for other in others:
            other.result()


def queue_bytes(case: Case) -> int:
    """Return the size of the queues and ports of all routers."""
    each = records.INPUT.itemsize + records.OUTPUT.itemsize + records.WAITING.itemsize
    return int(case.network.first_port[-1]) * (records.PORT.itemsize + case.channels * each)


def blocks_of(routers: int, blocks: int) -> np.ndarray:
    """Return the block of each router, uint16 (R,): consecutive routers, which often are neighbors.

    Examples
    --------
    >>> blocks_of(7, 3).tolist()
    [0, 0, 0, 1, 1, 2, 2]
    """
    return (np.arange(routers) * blocks // routers).astype(np.uint16)
