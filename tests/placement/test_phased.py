"""All phases of a machine placed at once: what it costs each phase, and what never mixes."""

import numpy as np
import pytest

from benchmarks.growth_floor import loss, networks_of, setting
from planner.design.placement import Phasing, place
from planner.network.topology import build
from planner.studies.phased.networks import flow_of

SMALL = {
    "jellyfish": ("jellyfish", {"degree": 8}, "routers", (48, 64, 96), "inside", 4),
    "dragonfly": ("dragonfly", {"a": 4, "h": 2}, "groups", (4, 6, 9), "auto", 2),
    "D3": ("swapped_dragonfly", {"k": 4, "m": 4}, "cabinets", ((0, 1), (0, 1, 2), (0, 1, 2, 3)), "auto", 4),
    "HyperX": ("hyperx", {}, "sizes", ((2, 4, 4), (3, 4, 4), (4, 4, 4)), "auto", 4),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.nightly) if name == "jellyfish" else name for name in SMALL]
)
def test_the_joint_plan_costs_at_most_three_percent_of_length(name):
    """Siblings of the table in docs/method/growth.md, each against placing the phases alone in the empty room."""
    *family, per_cabinet = SMALL[name]
    parts, lengths = setting(per_cabinet, rows=4, columns=10)
    found = loss(networks_of(*family), (1, 1, 1), parts, lengths, 2_000_000)
    assert found[-1] <= 3


@pytest.mark.slow
def test_cabinets_hold_routers_of_one_phase_but_for_the_last_of_each():
    networks = networks_of("jellyfish", {"degree": 4}, "routers", (10, 16, 24), "block")
    parts, lengths = setting(4, rows=2, columns=6)
    phasing = Phasing(networks, flow_of(networks[-1], [network.links for network in networks]))
    placed = place(networks[-1], parts, lengths, seed=1, phasing=phasing, moves=20_000, objective="length", bounds=False)
    slot = placed.slot[:24]
    assert len(set(slot[:10].tolist())) == 3
    assert len(set(slot[:16].tolist())) == 4
    assert np.bincount(slot).max() == 4


def test_groups_that_grow_share_their_cabinet():
    networks = [build("polarstar", q=3, supernode_degree=3, supernode_routers=n, endpoints_per_router=0) for n in (2, 4)]
    arrival = Phasing(networks, networks[-1]).arrival
    assert np.bincount(arrival).tolist() == [network.router_count for network in networks[:1]] + [26]
