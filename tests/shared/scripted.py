"""Cases of the packet engine in which targets, and often the cycles of creation, are given."""

from __future__ import annotations

import dataclasses
import math
import sys

import numpy as np

from planner.kernels.packet import records
from planner.kernels.packet.wheel import schedule
from planner.simulation.engine import Run
from shared import fixed_target, one_channel
from shared.networks import case, network, seed

TREE = network([(0, 1), (1, 2), (1, 3), (3, 4), (3, 5)], [0, 0, 1, 2, 2, 3, 4, 4, 4, 5])
"""A single path between any two routers: no deadlock on one virtual channel, and no choice."""

CABLES = np.array([3, 1, 9, 2, 40] + [1, 2, 3, 1, 1, 6, 1, 1, 2, 1], np.int32)


def on_tree(monkeypatch, targets, rates=None, link_cycles=CABLES, **settings):
    """Return a deterministic case, and its path function for the plain engine."""
    monkeypatch.setitem(sys.modules, "outside.one_channel", one_channel)
    monkeypatch.setitem(sys.modules, "outside.fixed_target", fixed_target)
    made = case(TREE, link_cycles=link_cycles, channels=1, **settings)
    net = made.network
    if rates is not None:
        net = dataclasses.replace(net, rates=np.array(rates))
    made = dataclasses.replace(
        made, network=net, routing="outside.one_channel", prepared=one_channel.prepare(net),
        traffic="outside.fixed_target", table=fixed_target.prepare(TREE, 0, targets),
    )  # fmt: skip

    def path(router, target, hops):
        row = slice(*TREE.indptr[router : router + 2])
        return [
            (port, 0) for port, near in enumerate(TREE.indices[row]) if net.distance[near, target] < net.distance[router, target]
        ]

    return made, path


def sending(topology, targets, **settings):
    """Return a case in which every endpoint has one target."""
    made = case(topology, **settings)
    return dataclasses.replace(made, traffic="outside.fixed_target", table=fixed_target.prepare(topology, 0, targets))


def delays(made, created, cycles=120):
    """Return the delays, ascending; each source creates a packet in every cycle from `created` on, none where it is None."""
    run = Run(made, 0.5, seed())
    run.engine.source_numbers[:, 0] = -math.inf
    run.engine.endpoint["created"] = [records.NEVER if cycle is None else cycle for cycle in created]
    for source, cycle in enumerate(created):
        if cycle is not None:
            schedule(run.engine, cycle, (run.rules.routers_end + source) * 8 + records.WAKE)
    run.advance(cycles)
    return np.repeat(np.arange(len(run.engine.delays)), run.engine.delays).tolist()
