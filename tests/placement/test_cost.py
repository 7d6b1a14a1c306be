"""Costs of links between slots: by hand, by every objective, in short and in full."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import by_hand

from planner.core.errors import InputError
from planner.design.placement import SlotCost, Weights
from planner.design.placement.model import cost as cost_module
from planner.design.placement.model.cost import link_cost
from planner.domain import catalog
from planner.hall import floor
from planner.hall.floor import Lengths, Slack

NONE = np.empty(0, np.int32)
WEIGHTS = Weights(price=0.5, meter_cents=12.25, watt_cents=300, ns_cents=7, optical_cents=1000)
OBJECTIVES = ["price", "length", "power", "delay", Weights(), WEIGHTS]


@pytest.fixture(scope="module")
def rooms(edr, lab_lengths):
    grid = floor.room("spectralfly", routers=60)
    # A full grid of trays without fixed lengths: rises, drops and slack count there, too.
    hung = replace(grid, end_mm=None, in_cabinet_mm=None, node_xyz=grid.node_xyz + [0, 0, 2600])
    return {
        "lab": lab_lengths,
        "hall-a": Lengths(floor.room("hall-a", routers=1), edr.cabinet, Slack()),
        "spectralfly": Lengths(grid, edr.cabinet, Slack()),
        "grid": Lengths(hung, edr.cabinet, Slack()),
    }


@pytest.mark.slow
@pytest.mark.parametrize("objective", OBJECTIVES, ids=str)
@pytest.mark.parametrize("room", ["lab", "hall-a", "spectralfly", "grid"])
def test_a_link_costs_what_its_parts_cost(rooms, edr, room, objective):
    cost = link_cost(edr, rooms[room], objective)
    assert bool(len(cost.x)) == (room in ("spectralfly", "grid"))
    by_rules = by_hand.LinkCost(edr, rooms[room], objective)
    pairs = np.random.default_rng(1).integers(0, cost.slot_count, (80, 2))
    pairs[:10, 1] = pairs[:10, 0]
    assert cost.between(*pairs.T).tolist() == [by_rules(a, b) for a, b in pairs.tolist()]


def test_link_cost_by_hand(edr, lab_lengths):
    """Two adjacent slots of one row, 0.6 m of tray, 1.6 m of slack.

    At each end 609 mm up and 600 mm in depth of drop, 300 mm to the side, 1.5 units and 124.1 mm of frame of rise.
    """
    run = link_cost(edr, lab_lengths, "length")
    assert run.between([0], [1]).tolist() == [2 * (1209 + 491) + 600 + 1600]
    tidy = replace(lab_lengths, slack=Slack(end_mm=200, loop_mm=0))
    price = link_cost(edr, tidy, "price")
    # 5 m of 26 AWG copper at 72 USD, and 6.25 USD to install it; inside a cabinet a short one, and 2.50 USD.
    assert price.between([0, 1], [1, 0]).tolist() == [7200 + 625] * 2
    assert price.between([0], [0]).tolist() == [4400 + 250]
    assert (run.unit, price.unit, link_cost(edr, lab_lengths, "power").unit) == ("mm", "cents", "mW")
    assert (link_cost(edr, lab_lengths, "delay").unit, link_cost(edr, lab_lengths, WEIGHTS).unit) == ("ps", "cents")


def test_objective_is_a_sum_of_what_counts(edr, lab_lengths):
    """Each term alone is the objective of its name, as far as both buy the same; price alone always does."""

    def table(objective):
        return link_cost(edr, lab_lengths, objective).table

    assert np.array_equal(table(Weights()), table("price"))
    assert np.array_equal(table(Weights(price=0, meter_cents=1000)), table("length"))
    optical = table(Weights(price=0, optical_cents=1))
    assert set(np.unique(optical)) <= {0, 1}
    assert not table(Weights(price=0)).any()


def test_short_and_full_tables_say_the_same(rooms, edr):
    for objective in OBJECTIVES:
        cost = link_cost(edr, rooms["grid"], objective)
        slots = np.arange(cost.slot_count)
        assert np.array_equal(cost.full, cost.between(slots[:, None], slots[None, :]))
        assert np.array_equal(cost.full, cost.full.T)
        # The same room with one more segment is no lattice: the table is full there.
        room = rooms["grid"].room
        more = {
            "segments": np.concatenate([room.segments, room.segments[:1]]),
            "segment_mm": np.concatenate([room.segment_mm, room.segment_mm[:1] + 10**6]),
            "segment_mm2": np.append(room.segment_mm2, 0),
            "segment_tray": np.append(room.segment_tray, room.segment_tray[0]),
            "segment_carries": np.append(room.segment_carries, 3),
        }
        other = link_cost(edr, Lengths(replace(room, **more), edr.cabinet, Slack()), objective)
        assert not len(other.x)
        assert np.array_equal(other.full, cost.full)


@pytest.mark.parametrize("objective", OBJECTIVES, ids=str)
def test_a_split_adds_up(rooms, edr, objective):
    for room in ("spectralfly", "grid"):
        cost = link_cost(edr, rooms[room], objective)
        if objective == "length":
            assert cost.split is not None
        check_split(cost)


def check_split(cost):
    if cost.split is None:
        return
    across, along, gain = cost.split
    assert gain >= 0
    total = across[cost.x[:, None], cost.x] + along[cost.y[:, None], cost.y] - gain * np.eye(len(cost.x), dtype=int)
    assert np.array_equal(total, cost.full)


def lattice(table):
    x, y = (index.ravel().astype(np.int32) for index in np.indices(table.shape))
    return SlotCost(np.asarray(table, np.int32), x, y, "mm")


@given(
    st.lists(st.integers(0, 50), min_size=2, max_size=5),
    st.lists(st.integers(0, 50), min_size=2, max_size=5),
    st.integers(0, 20),
    st.integers(-3, 20),
)
def test_exactly_sums_over_both_axes_split(across, along, base, gain):
    table = base + 3 + np.add.outer(across, along)
    table[0, 0] -= gain
    cost = lattice(table)
    assert (cost.split is not None) == (gain >= 0), "a link inside a slot that is more expensive cannot be distinguished"
    check_split(cost)
    if min(table.shape) > 1 and gain >= 0:
        table[1, 1] += 1
        assert lattice(table).split is None or table.shape == (2, 2)
        check_split(lattice(table))


@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(1, 4))
def test_any_table_splits_rightly_or_not_at_all(seed, columns, rows):
    check_split(lattice(np.random.default_rng(seed).integers(0, 3, (columns, rows))))


def test_one_row_or_a_full_table_does_not_split():
    assert lattice(np.arange(5)[None, :]).split is None
    assert lattice(np.arange(5)[:, None]).split is None
    assert SlotCost(np.zeros((3, 3), np.int32), NONE, NONE, "mm").split is None


def test_costs_beyond_sums_in_32_bits_are_refused(edr, lab_lengths):
    with pytest.raises(InputError, match="choose smaller weights"):
        link_cost(edr, lab_lengths, Weights(meter_cents=1e9))


def test_what_nothing_reaches_still_has_a_price(edr):
    """A search may pass through layouts that nothing reaches, and must prefer shorter links there, too."""
    parts = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300")
    short = replace(parts, link_assemblies=tuple(a for a in parts.link_assemblies if a.medium == "copper"))
    lengths = Lengths(floor.room("hall-a", routers=1), edr.cabinet, Slack())
    run, price = (link_cost(short, lengths, objective).table for objective in ("length", "price"))
    reach = max(stock for a in short.link_assemblies for stock in a.stock_mm if stock <= a.reach_mm)
    far = run > reach
    assert far.any()
    order = np.argsort(run[far])
    assert (np.diff(price[far][order]) >= 0).all()
    assert price[far].min() > price[~far].max()


@pytest.mark.parametrize("objective", ["price", "length"])
def test_costs_on_demand_are_those_of_the_table(rooms, edr, objective, monkeypatch):
    """A large room computes costs of pairs until a search requires the table; both agree, with links that are too long."""
    lengths = rooms["hall-a"]
    table = link_cost(edr, lengths, objective, 20_000)
    monkeypatch.setattr(cost_module, "TABLE_SLOTS", 1)
    cost = link_cost(edr, lengths, objective, 20_000)
    a, b = np.random.default_rng(2).integers(0, cost.slot_count, (2, 300))
    assert (cost.slot_count, cost.unit) == (table.slot_count, table.unit)
    assert cost.between(a, b).tolist() == table.between(a, b).tolist()
    assert cost.too_long(a, b) == table.too_long(a, b) > 0
    assert "_tables" not in vars(cost)
    assert np.array_equal(cost.table, table.table)
    assert np.array_equal(cost.excess, table.excess)
    assert np.array_equal(cost.penalized_cost(9).table, table.penalized_cost(9).table)
    assert cost.between(a, b).tolist() == table.between(a, b).tolist()
