"""Initial state of a run with wormhole switching."""

from __future__ import annotations

import numpy as np

from planner.kernels.packet.phits import LANE, ROUTER, SIDE, SOURCE, Wormhole, Worms
from planner.kernels.packet.records import NONE, Engine, Rules

PIPELINE_STEPS = 3
"""Crossbar steps of a head phit: virtual-channel allocation, switch allocation, switch traversal."""


def min_router_cycles(crossbar_speedup: int) -> int:
    """Return the minimum router cycles from arrival to departure of a phit.

    >>> [min_router_cycles(steps) for steps in (1, 2, 3)]
    [2, 1, 0]
    """
    return -(-PIPELINE_STEPS // crossbar_speedup) - 1


def numbers(packet_phits: int, input_phits: int, crossbar_speedup: int, router_cycles: int) -> Wormhole:
    """Return the constants of a run; router cycles beyond those of the steps precede them as `pipeline`."""
    return Wormhole(
        packet_phits=packet_phits,
        input_phits=input_phits,
        # All packets in a queue except the first and the last are complete.
        places=input_phits // packet_phits + 2,
        steps=crossbar_speedup,
        pipeline=router_cycles - min_router_cycles(crossbar_speedup),
    )


def state(engine: Engine, rules: Rules, wormhole: Wormhole) -> Worms:
    """Return the records of a run in their initial state."""
    ports, channels = len(engine.port), rules.channels
    lane = np.zeros(ports * channels, LANE)
    lane["port"] = np.repeat(np.arange(ports), channels)
    lane["left"] = wormhole.packet_phits
    lane["credit"] = wormhole.input_phits
    lane["output"] = lane["place"] = lane["seen"] = np.full(len(lane), NONE, np.int32)
    side = np.zeros(ports, SIDE)
    side["nominee"] = side["taker"] = np.full(ports, NONE, np.int32)
    routers, sources = len(engine.router) - 1, len(engine.endpoint)
    return Worms(
        lane=lane,
        side=side,
        router=np.zeros(routers, ROUTER),
        source=np.zeros(sources, SOURCE),
        ring=np.empty(len(lane) * wormhole.places, np.int32),
        line=np.empty(rules.routers_end * channels * wormhole.input_phits, np.uint8),
        busy=np.empty(rules.routers_end * channels, np.int32),
        routers=np.empty(routers, np.int32),
        sources=np.empty(sources, np.int32),
        lists=np.zeros(2, np.int64),
    )
