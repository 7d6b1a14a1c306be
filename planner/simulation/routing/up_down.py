"""Up/down routing of trees and Megaflies: up by any port that leads above the target, then down; one virtual channel."""

from __future__ import annotations

import numpy as np

from planner.domain.model import Topology
from planner.kernels.routing import steps
from planner.kernels.routing.view import Here, Packet, routing_function
from planner.simulation.network import Network, Routing
from planner.simulation.routing.tables import groups, targets

PLANES = True
"""Packets stay in their plane."""

_TREES = ("fattree", "leafspine", "threelevel", "hpn")
"""Families with a coordinate ``level`` and links between adjacent levels; peer links of leaves lead to the target alone."""

_NEVER = np.int16(10_000)
"""Hops up to a router above a target if there is none."""


def prepare(network: Network) -> Routing:
    """Prepare up/down routing: up by the shortest path until the target is below, then down.

    Of parallel links, and of several routers above or below, any may be taken. Trees may lack cables, as long as each pair of
    leaves has a path up and down. In a Megafly a packet goes up to a spine with a link to the target's group, over the
    global link and down.

    Parameters
    ----------
    network
        A fat-tree, leaf-spine or three-level network, HPN, planes of these, or a Megafly.

    Returns
    -------
    Routing
        Needs 1 virtual channel: no packet goes up after it went down [1]_, nor in a Megafly over a second global link.

    Raises
    ------
    InputError
        For another family, or when no router is above both ends of a pair.

    Notes
    -----
    Differs from [1]_: levels of the network state what is up, not a spanning tree, and packets turn at the first routers above
    the target.

    References
    ----------
    .. [1] M. Schroeder et al., "Autonet: a high-speed, self-configuring local area network using point-to-point links",
       IEEE J. Sel. Areas Commun. 9(8), 1991 (up*/down*).
    .. [2] F. Petrini, M. Vanneschi, "k-ary n-trees: high performance networks for massively parallel architectures", IPPS 1997.
    .. [3] M. Flajslik, E. Borch, M. Parker, "Megafly: a topology for exascale systems", ISC 2018.
    """
    topology = network.topology
    of_trees = topology.family == "multiplane" and topology.params["plane"] in _TREES
    if not of_trees:
        targets.require_family(topology, "up_down", *_TREES, "megafly")
    if topology.family == "megafly":
        ports, _, _ = groups.tables(network, "up_down", steps.BY_CROSSINGS)
        return targets.routing(1, ports)
    table = _tree(topology)
    # No global hops: every hop uses channel 0.
    hops = targets.hops_by(table, topology, np.eye(topology.router_count, dtype=bool))
    targets.require_whole(network, hops, "up_down", "no router is above both")
    return targets.routing(1, targets.ports(table, ladder=steps.BY_CROSSINGS))


def _tree(topology: Topology) -> np.ndarray:
    """Return the masks: down if the target is below, else up by a shortest path; empty for targets that are not leaves."""
    level = topology.coords[:, topology.coord_names.index("level")]
    below = np.diag(level == 0)
    order = np.argsort(level, kind="stable")
    rows = np.split(topology.indices, topology.indptr[1:-1])
    for router in order:
        below[router] |= below[rows[router][level[rows[router]] < level[router]]].any(axis=0)
    climb = np.where(below, 0, _NEVER)
    for router in order[::-1]:
        above = climb[rows[router][level[rows[router]] > level[router]]]
        climb[router] = np.minimum(climb[router], above.min(axis=0, initial=_NEVER - 1) + 1)

    def leads(router: int, entry: int, neighbor: int) -> np.ndarray:
        if level[neighbor] < level[router]:
            return below[neighbor]
        return (climb[router] < _NEVER) & (climb[neighbor] == climb[router] - 1)

    return targets.masks(topology, topology.router_count, leads)


@routing_function
def candidates(here: Here, packet: Packet, tables: steps.Ports, found):
    """Offer the ports up, or down, to the packet's target."""
    return steps.toward(found, tables, here.router, packet.target_router, packet.hops, packet.label)
