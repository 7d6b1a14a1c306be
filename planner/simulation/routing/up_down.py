"""Up/down routing of fat-trees and Megaflies: up by any port, down by the only port; one virtual channel."""

from __future__ import annotations

import numpy as np

from planner.kernels.routing import steps
from planner.kernels.routing.view import Here, Packet, routing_function
from planner.simulation.network import Network, Routing
from planner.simulation.routing import _groups, _targets


def prepare(network: Network) -> Routing:
    """Prepare minimal up/down routing: up until the target is below, then down.

    In a Megafly a packet goes up to a spine with a link to the target's group, over the global link and down.

    Parameters
    ----------
    network
        A fat-tree or a Megafly.

    Returns
    -------
    Routing
        Needs 1 virtual channel: no packet goes up after it went down [1]_, nor in a Megafly over a second global link.

    Raises
    ------
    InputError
        For another family, or when cables are missing.

    References
    ----------
    .. [1] M. Schroeder et al., "Autonet: a high-speed, self-configuring local area network using point-to-point links",
       IEEE J. Sel. Areas Commun. 9(8), 1991 (up*/down*).
    .. [2] F. Petrini, M. Vanneschi, "k-ary n-trees: high performance networks for massively parallel architectures", IPPS 1997.
    .. [3] M. Flajslik, E. Borch, M. Parker, "Megafly: a topology for exascale systems", ISC 2018.
    """
    topology = network.topology
    _targets.require_family(topology, "up_down", "fattree", "megafly")
    if topology.family == "megafly":
        ports, _, _ = _groups.tables(network, "up_down", steps.BY_CROSSINGS)
        return _targets.routing(1, ports)
    table = _fattree(topology)
    # No global hops: every hop uses channel 0.
    hops = _targets.hops_by(table, topology, np.eye(topology.router_count, dtype=bool))
    _targets.require_whole(network, hops, "up_down")
    return _targets.routing(1, _targets.ports(table, ladder=steps.BY_CROSSINGS))


def _fattree(topology) -> np.ndarray:
    """Return the masks: down if the target is below, else up; empty for targets that are not leaves."""
    below = np.zeros((topology.router_count,) * 2, bool)
    level, half, digits = topology.coords[:, 0], topology.coords[:, 1], topology.coords[:, 2:]
    leaf = level == 0
    for router in range(topology.router_count):
        fixed = digits[:, level[router] :]
        top = level[router] == level.max()
        below[router] = leaf & (fixed == fixed[router]).all(axis=1) & (top | (half == half[router]))

    def leads(router: int, entry: int, neighbor: int) -> np.ndarray:
        if level[neighbor] < level[router]:
            return below[neighbor]
        return leaf & ~below[router]

    return _targets.masks(topology, topology.router_count, leads)


@routing_function
def candidates(here: Here, packet: Packet, tables: steps.Ports, found):
    """Offer the ports up, or down, to the packet's target."""
    return steps.toward(found, tables, here.router, packet.target_router, packet.hops, packet.label)
