"""Tables and virtual channels of routings via an intermediate router or group."""

from __future__ import annotations

import numpy as np

from planner.errors import InputError, Problem
from planner.kernels.graph.distances import UNREACHED
from planner.kernels.routing import steps
from planner.simulation.network import Network, Routing
from planner.simulation.routing import _groups, _targets


def prepared(network: Network, through: str, **weighing) -> Routing:
    """Return the routing via intermediate routers or groups; `weighing` as in `_targets.prepared`."""
    topology = network.topology
    if through == "router":
        channels = 2 * max(1, network.diameter)
        return _targets.prepared(network, channels, network.minimal_ports(), network.distance, **weighing)
    if topology.group.shape[1] == 0:
        raise InputError(Problem("routing_parameters.through", f"{topology.family} has no groups", 'use "router"'))
    if topology.family in _groups.FAMILIES:
        table, hops, kinds, group = _groups.tables(network, "routing through groups")
        channels = 3 if topology.family == "dragonfly" else 2
        ladder = steps.BY_CROSSINGS
        return _targets.prepared(
            network, channels, table, hops, kinds=kinds, ladder=ladder, group=group, members=True, **weighing
        )
    group = topology.group[:, 0]
    table, hops = _targets.toward_groups(network, group)
    used, connected = network.used, topology.degree > 0
    to_groups = hops[used, topology.router_count :]
    if (to_groups == UNREACHED).any():
        raise InputError(Problem("routing_parameters.through", "a group has no cables left", 'use "router"'))
    # To the group from a source, then from any router of it to a target.
    channels = int(to_groups.max()) + int(hops[np.ix_(connected, used)].max())
    return _targets.prepared(network, max(channels, network.diameter), table, hops, group=group, members=True, **weighing)
