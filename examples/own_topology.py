"""Build a network from its links, and compare its distances with those of a shipped family of the same size."""

import numpy as np

from planner.domain.model import Topology
from planner.network import topology
from planner.network.metrics import figures


def circulant(routers: int, chords: tuple[int, ...]) -> Topology:
    """Return the circulant graph: every router is linked to those `chords` places away around a ring."""
    router = np.arange(routers)
    links = np.concatenate([np.column_stack([router, (router + chord) % routers]) for chord in chords])
    link_class = np.repeat(np.arange(len(chords)), routers)
    return topology.from_links(
        "circulant",
        {"routers": routers, "chords": chords},
        routers,
        links,
        endpoints=2,
        link_class=link_class,
        link_class_names=[f"chord {chord}" for chord in chords],
    )


def main() -> None:
    own = circulant(50, (1, 7, 16))
    slim_fly = topology.build("slimfly", q=5)
    for network in (own, slim_fly):
        found = figures(network, effort="low")
        print(f"{network.family}: {network.link_count} links, diameter {found['diameter']}, {found['mean_hops']:.3f} mean hops")


if __name__ == "__main__":
    main()
