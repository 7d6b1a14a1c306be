"""Whole groups at the places of groups: what is exchanged, what stays, and what it gains."""

from dataclasses import replace

import numpy as np
import pytest

from planner.core.errors import InputError
from planner.design.placement import hierarchical, identity, problem
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology


@pytest.fixture(scope="module")
def posed(edr):
    network = topology.build("polarstar", q=5, supernode_degree=3, endpoints_per_router=2)
    lengths = Lengths(floor.room("hall-a", routers=network.router_count), edr.cabinet, Slack())
    return problem(network, edr, lengths, objective="length", groups="preferred")


def test_groups_take_the_places_of_groups(posed):
    """Each supernode has the slots that one had in order, router by router, and the links are shorter than in order."""
    placed = hierarchical.place(posed, seed=1)
    routers, group = posed.topology.router_count, posed.topology.group[:, 0]
    found = {tuple(placed.slot[:routers][group == number].tolist()) for number in np.unique(group)}
    assert found == {tuple(posed.start[group == number].tolist()) for number in np.unique(group)}
    assert placed.objective < identity.place(posed, seed=1).objective
    assert placed.objective == posed.objective(placed.slot[:routers])


def test_flow_and_distance_are_those_of_all_pairs(posed):
    """Links between groups one by one; with a point for each router the distance is the mean over all pairs of slots."""
    groups = hierarchical.Groups.of(posed, posed.topology.group[:, 0])
    label, flow = posed.topology.group[:, 0], np.zeros((len(groups.members),) * 2, int)
    for a, b in label[posed.topology.links].tolist():
        if a != b:
            flow[a, b] += 1
            flow[b, a] += 1
    assert np.array_equal(groups.flow(posed), flow)
    distance, size = groups.distance(posed, len(groups.members[0])), len(groups.members[0])
    for a, b in ((0, 1), (4, 2), (3, 3)):
        ends = [(posed.start[i], posed.start[k]) for i in groups.members[a] for k in groups.members[b]]
        costs = [int(posed.cost.between(np.array([i]), np.array([k]))[0]) for i, k in ends]
        assert distance[a, b] == sum(costs) // size**2


def test_unequal_and_fixed_groups_stay(posed):
    fixed = np.zeros(posed.topology.router_count, bool)
    fixed[0] = True
    group = posed.topology.group[:, 0]
    placed = hierarchical.place(replace(posed, fixed=fixed), seed=1)
    stays = group == group[0]
    assert placed.slot[: len(group)][stays].tolist() == posed.start[stays].tolist()


def test_without_groups_cabinets_stay_in_order(posed):
    placed = hierarchical.place(posed, seed=1, level=9)
    assert placed.slot[: posed.topology.router_count].tolist() == posed.start.tolist()
    assert "no groups" in placed.method


def test_too_many_groups_are_refused(posed, monkeypatch):
    monkeypatch.setattr(hierarchical, "LARGEST", 5)
    with pytest.raises(InputError, match=r'31 groups, more than 5.*"multilevel"'):
        hierarchical.place(posed, seed=1)
