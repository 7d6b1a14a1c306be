"""The rule near: by hand, against an assignment of single ports, and the rule of the verifier against both."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from shared.plans import planned

from planner.check.near import near_ports_are_nearest, shortest_cycle
from planner.inventory.near import UNIT_APART, nearest


def test_a_leaf_in_the_same_cabinet_is_preferred():
    """Leaves 8 and 9 are in cabinets 0 and 3; devices 0 to 7 in cabinets 0, 0, 1, 1, 2, 2, 3, 3."""
    rack = np.array([0, 0, 1, 1, 2, 2, 3, 3, 0, 3])
    leaf, device = np.array([8] * 4 + [9] * 4), np.array([7, 0, 6, 1, 5, 2, 4, 3])
    order = nearest(leaf, device, rack, np.full(4, -1))
    assert sorted(device[order][:4].tolist()) == [0, 1, 2, 3]
    assert sorted(device[order][4:].tolist()) == [4, 5, 6, 7]


def test_a_leaf_of_the_same_unit_is_preferred():
    """The cabinets of unit 0 are 0 and 1, those of unit 1 are 2 and 3; leaf 4 is in cabinet 0, leaf 5 in cabinet 3."""
    rack, unit = np.array([1, 1, 2, 2, 0, 3]), np.array([0, 0, 1, 1])
    order = nearest(np.array([5, 5, 4, 4]), np.array([0, 1, 2, 3]), rack, unit)
    assert sorted(np.array([0, 1, 2, 3])[order][2:].tolist()) == [0, 1]


@given(st.data())
def test_no_assignment_of_single_ports_is_nearer(data):
    cabinets, leaves = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 4))
    count = data.draw(st.integers(1, 12))
    rack = np.array(data.draw(st.lists(st.integers(0, cabinets - 1), min_size=count + leaves, max_size=count + leaves)))
    unit = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=cabinets, max_size=cabinets)))
    leaf = count + np.array(data.draw(st.lists(st.integers(0, leaves - 1), min_size=count, max_size=count)))
    device = np.arange(count)
    apart = (unit[rack[:count, None]] != unit[rack[leaf]]) & (unit[rack[:count, None]] >= 0) & (unit[rack[leaf]] >= 0)
    away = np.abs(rack[:count, None] - rack[leaf]) + UNIT_APART * apart
    order = nearest(leaf, device, rack, unit)
    assert sorted(order.tolist()) == list(range(count))
    assert away[order, np.arange(count)].sum() == away[linear_sum_assignment(away)].sum()


@given(st.data())
def test_a_negative_cycle_is_found_if_and_only_if_ports_can_be_nearer(data):
    """Any matching of ports and leaves, against the assignment of minimum cost."""
    cabinets, count = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 9))
    device, leaf = (np.array(data.draw(st.lists(st.integers(0, cabinets - 1), min_size=count, max_size=count))) for _ in range(2))
    homes, at = np.unique(leaf, return_inverse=True)
    away = np.abs(device[:, None] - homes)
    single = away[:, at]
    is_minimum = np.trace(single) == single[linear_sum_assignment(single)].sum()
    found = shortest_cycle(away - np.diagonal(single)[:, None], at)
    assert (found == 0) == is_minimum


@pytest.fixture(scope="module")
def plan():
    return planned("several networks")


def test_the_rule_finds_an_exchange_that_leads_farther(plan):
    """Two devices in different cabinets, each on the leaf near it, are exchanged."""
    assert not list(near_ports_are_nearest(plan))
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
    [found] = near_ports_are_nearest(replace(plan, inventory=replace(inventory, **columns)))
    assert (found.where, found.value) == ("oob", 2.0 * (lower - upper))
