"""Division of a large network into blocks of routers, which the packet engine runs for some cycles each, on all free cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np

from planner.core import cores
from planner.kernels.packet import records
from planner.simulation.capacity import Division, packet_records
from planner.simulation.case import Case, creation_rates, move_cycles

LARGE_BYTES = 2**24
"""Size of queues and ports from which on a network is divided at every load: one core is faster so."""

WINDOW_PACKETS = 2000
"""Packets created in a window from which on a smaller network is divided: a second core then saves more than windows take."""

BLOCK_BYTES = 2**20
"""Size of queues and ports of a block, about that of the second cache of a core."""

MIN_WINDOW = 8
"""Minimum number of cycles that a block runs: the mail, and to load its queues into the caches, take as long as a few."""


WHOLE = Division(1, 1)


def division(
    case: Case,
    load: float,
    *,
    large_bytes: int = LARGE_BYTES,
    window_packets: int = WINDOW_PACKETS,
    block_bytes: int = BLOCK_BYTES,
    min_window: int = MIN_WINDOW,
) -> Division:
    """Return how a network is divided at a load: as a whole if little happens in it, or if what a router sends soon arrives.

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
    if blocks <= 1 or case.input_phits:
        return WHOLE
    ends = blocks_of(topology.router_count, blocks)[topology.links]
    cables = case.network.link_cycles[: len(ends)]
    shortest = int(cables[ends[:, 0] != ends[:, 1]].min(initial=cables.max(initial=1)))
    window = shortest + min(case.router_cycles, move_cycles(case) - 1 + case.credit_cycles)
    found = Division(blocks, window)
    is_busy = whole_bytes >= large_bytes or creation_rates(case, load).sum() * window >= window_packets
    # Blocks need more packet records.
    fits = is_busy and window >= min_window and packet_records(case, found) < records.MAX_INDEX
    return found if fits else WHOLE


@contextmanager
def on_free_cores(blocks: int) -> Iterator[Callable[[Callable[[int], object]], None]]:
    """Yield a function that calls another one with each block, in this thread and in one for each core that is free now.

    A thread begins with the same blocks each time, whose queues are in the caches of its core, and then helps the others.
    """
    with cores.spare(blocks - 1) as free, ThreadPoolExecutor(free or 1) as threads:

        def each(function: Callable[[int], object]) -> None:
            shares = [iter(range(first, blocks, free + 1)) for first in range(free + 1)]

            def work(own: int) -> None:
                for share in shares[own:] + shares[:own]:
                    while (block := next(share, None)) is not None:
                        function(block)

            others = [threads.submit(work, own) for own in range(1, free + 1)]
            work(0)
            for other in others:
                other.result()

        yield each


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
