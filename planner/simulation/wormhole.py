"""State of a wormhole run: what the packet engine's records do not hold."""

from __future__ import annotations

import numpy as np

from planner.kernels.packet.phits import LANE, ROUTER, SIDE, SOURCE, Wormhole, Worms
from planner.kernels.packet.records import NONE, Engine, Rules

PIPELINE_STEPS = 3
"""Steps of the crossbar that the first phit of a packet takes: a virtual channel, the crossbar, and across."""


def least_router_cycles(crossbar_speedup: int) -> int:
    """Return the least cycles from a phit's coming to its going.

    >>> [least_router_cycles(steps) for steps in (1, 2, 3)]
    [2, 1, 0]
    """
    return -(-PIPELINE_STEPS // crossbar_speedup) - 1


def numbers(packet_phits: int, input_phits: int, crossbar_speedup: int, router_cycles: int) -> Wormhole:
    """Return the numbers that stay; the cycles of the router that the steps do not take come before them."""
    return Wormhole(
        packet_phits=packet_phits,
        input_phits=input_phits,
        # Of the packets in a queue all but the first and the last are whole.
        places=input_phits // packet_phits + 2,
        steps=crossbar_speedup,
        pipeline=router_cycles - least_router_cycles(crossbar_speedup),
    )


def state(engine: Engine, rules: Rules, wormhole: Wormhole) -> Worms:
    """Return the records of a run at its start."""
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
