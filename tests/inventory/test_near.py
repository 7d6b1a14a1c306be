"""The rule near: by hand, and against an assignment of single ports."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

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
