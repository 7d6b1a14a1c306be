"""The rule near: by hand, against an assignment of single ports, and the rule of the verifier against both."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from shared.plans import planned, source

from planner.check.near import near_ports_are_nearest, shortest_cycle
from planner.design.inventory.near import CABINET_APART, UNIT_APART, nearest
from planner.network import topology
from planner.studies import pipeline, study

NONE = np.full(64, -1)
"""Ports that are not plugged yet."""


def test_a_leaf_in_the_same_cabinet_is_preferred():
    """Leaves 8 and 9 are in cabinets 0 and 3; devices 0 to 7 in cabinets 0, 0, 1, 1, 2, 2, 3, 3."""
    rack = np.array([0, 0, 1, 1, 2, 2, 3, 3, 0, 3])
    device = np.array([7, 0, 6, 1, 5, 2, 4, 3])
    chosen = nearest(device, NONE[:8], np.array([8, 9]), np.array([4, 4]), rack, np.full(4, -1))
    assert chosen.tolist() == [1, 0, 1, 0, 1, 0, 1, 0]


def test_a_leaf_of_the_same_unit_is_preferred():
    """The cabinets of unit 0 are 0 and 1, those of unit 1 are 2 and 3; leaf 4 is in cabinet 0, leaf 5 in cabinet 3."""
    rack, unit = np.array([1, 1, 2, 2, 0, 3]), np.array([0, 0, 1, 1])
    chosen = nearest(np.array([0, 1, 2, 3]), NONE[:4], np.array([5, 4]), np.array([2, 2]), rack, unit)
    assert chosen.tolist() == [1, 1, 0, 0]


def test_ports_at_home_come_before_shorter_distances_of_others():
    """Four devices in cabinet 1, four in cabinet 2; four ports in cabinets 0 and 1: none leaves cabinet 1 for others."""
    rack = np.array([1, 1, 1, 1, 2, 2, 2, 2, 0, 1])
    chosen = nearest(np.arange(8), NONE[:8], np.array([8, 9]), np.array([4, 4]), rack, np.full(3, -1))
    assert chosen.tolist() == [1, 1, 1, 1, 0, 0, 0, 0]


def test_leaves_at_equal_distances_share_ports_evenly():
    """Ten ports in cabinet 0 with two leaves of 48, and six in cabinet 1 that is one cabinet from both of its leaves."""
    rack = np.array([*[0] * 10, *[1] * 6, 0, 0, 2])
    chosen = nearest(np.arange(16), NONE[:16], np.array([16, 17, 18]), np.full(3, 48), rack, np.full(3, -1))
    assert sorted(np.bincount(chosen).tolist()) == [5, 5, 6]
    assert 2 not in chosen[:10]


def test_ports_stay_where_they_are_plugged():
    rack, plugged = np.array([0, 0, 0, 0, 1]), np.array([1, -1, 1])
    assert nearest(np.arange(3), plugged, np.array([3, 4]), np.array([9, 1]), rack, np.full(2, -1)).tolist() == [1, 0, 0]


@given(st.data())
def test_no_assignment_of_single_ports_is_nearer(data):
    cabinets, leaves = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 4))
    free = np.array(data.draw(st.lists(st.integers(0, 8), min_size=leaves, max_size=leaves).filter(any)))
    count = data.draw(st.integers(1, int(free.sum())))
    rack = np.array(data.draw(st.lists(st.integers(0, cabinets - 1), min_size=count + leaves, max_size=count + leaves)))
    unit = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=cabinets, max_size=cabinets)))
    leaf = count + np.arange(leaves)
    apart = (unit[rack[:count, None]] != unit[rack[leaf]]) & (unit[rack[:count, None]] >= 0) & (unit[rack[leaf]] >= 0)
    away = np.abs(rack[:count, None] - rack[leaf]) + UNIT_APART * apart + CABINET_APART * (rack[:count, None] != rack[leaf])
    chosen = nearest(np.arange(count), np.full(count, -1), leaf, free, rack, unit)
    assert (np.bincount(chosen, minlength=leaves) <= free).all()
    single = away[:, np.repeat(np.arange(leaves), free)]
    assert away[np.arange(count), chosen].sum() == single[linear_sum_assignment(single)].sum()


@given(st.data())
def test_a_negative_cycle_is_found_if_and_only_if_ports_can_be_nearer(data):
    """Any matching of ports and leaves with free ports, against the assignment of minimum cost."""
    cabinets, count = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 9))
    device, leaf = (np.array(data.draw(st.lists(st.integers(0, cabinets - 1), min_size=count, max_size=count))) for _ in range(2))
    open_ports = np.array(data.draw(st.lists(st.integers(0, cabinets - 1), max_size=3)), np.int64)
    every = np.concatenate([leaf, open_ports])
    homes, at = np.unique(every, return_inverse=True)
    away = np.abs(device[:, None] - homes)
    single = away[:, at]
    now = away[np.arange(count), at[:count]]
    is_minimum = now.sum() == single[linear_sum_assignment(single)].sum()
    found = shortest_cycle(away - now[:, None], at[:count], np.isin(homes, open_ports))
    assert (found == 0) == is_minimum


TWO_RACKS = {
    "name": "lan",
    "seed": 1,
    "catalog": {"cabinet": "apc-ar3100"},
    "room": {"plan": "lab"},
    "node": [
        {"name": "big", "part": "server-one-unit-1g", "count": 20, "cabinets": "r1"},
        {"name": "small", "part": "server-one-unit-1g", "count": 4, "cabinets": "r2"},
    ],
    "cabinets": [{"name": "r1", "count": 1}, {"name": "r2", "count": 1}],
    "network": [
        {
            "name": "lan",
            "topology": {"family": "leaves", "leaves": 2, "endpoints_per_leaf": 48},
            "parts": {"leaf": "nvidia-sn2201"},
            "place": {"leaf": ["r1", "r2"]},
            "attach": [{"node": name, "ports": "ports", "rule": "near"} for name in ("big", "small")],
        }
    ],
}


@pytest.fixture(scope="module")
def two_racks():
    return pipeline.make(study.check(TWO_RACKS, base=Path()), accepted=False)


def test_every_server_is_on_the_switch_of_its_rack(two_racks):
    """20 and 4 servers in two racks, a switch with 48 ports in each: equal shares would take eight servers to the other rack."""
    inventory = two_racks.inventory
    rows = inventory.ends[inventory.endpoints(0)]
    assert (inventory.rack[rows[:, 0]] == inventory.rack[rows[:, 1]]).all()
    assert np.bincount(rows[:, 0]).tolist() == [20, 4]
    assert not two_racks.violations.items


def test_the_rule_finds_a_free_port_that_is_nearer(two_racks):
    """One server of the first rack is cabled to the switch of the second one."""
    inventory, ends = two_racks.inventory, two_racks.inventory.ends.copy()
    ends[inventory.endpoints(0).start, 0] = 1
    moved = replace(two_racks, inventory=replace(inventory, ends=ends))
    bare = topology.build("leaves", leaves=2, endpoints_per_leaf=48)
    [found] = near_ports_are_nearest(moved, SimpleNamespace(bare=lambda number: bare))
    assert (found.where, found.value) == ("lan", -1.0 - CABINET_APART)


@pytest.fixture(scope="module")
def plan():
    return planned("several networks")


def test_the_rule_finds_an_exchange_that_leads_farther(plan):
    """Two devices in different cabinets, each on the leaf near it, are exchanged."""
    assert not list(near_ports_are_nearest(plan, source("several networks")))
    inventory = plan.inventory
    rows = np.arange(inventory.connection_count)[inventory.endpoints(2)]
    rack = inventory.rack[inventory.ends[rows]]
    # The managers are attached by another rule.
    own = [row for row, name in zip(rows.tolist(), inventory.names[inventory.ends[rows, 1]], strict=True) if name[:3] != "ufm"]
    lower, upper = rack[:, 0].min(), rack[:, 0].max()
    one = next(row for row in own if inventory.rack[inventory.ends[row]].tolist() == [lower, lower])
    two = next(row for row in own if inventory.rack[inventory.ends[row]].tolist() == [upper, upper])
    columns = {field: getattr(inventory, field).copy() for field in ("ends", "port_group", "port")}
    for column in columns.values():
        column[[one, two], 1] = column[[two, one], 1]
    [found] = near_ports_are_nearest(replace(plan, inventory=replace(inventory, **columns)), source("several networks"))
    assert (found.where, found.value) == ("oob", 2.0 * (lower - upper - CABINET_APART))
