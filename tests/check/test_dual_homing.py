"""Rules of spread: ports of a node on different routers, cabinets, feeds and trays, as a study requires."""

from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from planner.check.dual_homing import cables_apart_as_stated, cables_spread_over_trays, ports_spread_as_stated
from planner.check.networks import cabinets_hold_what_the_tables_state
from planner.core.errors import InputError
from planner.studies import pipeline, study

STUDY = {
    "name": "spread",
    "seed": 1,
    "catalog": {"cabinet": "apc-ar3300"},
    "room": {"plan": "lab"},
    "placement": {"moves": 2_000},
    "near_misses": {"detailed": 0},
    "node": [{"name": "disk", "part": "storage-node", "count": 4, "per_cabinet": 2}],
    "cabinets": [{"name": "switches", "count": 2}],
    "network": [
        {
            "name": "storage",
            "topology": {"family": "leafspine", "leaves": 4, "spines": 1, "uplinks": 1, "endpoints_per_leaf": 4},
            "parts": {"leaf": "nvidia-qm9700", "spine": "nvidia-qm9700"},
            "place": {"leaf": "switches", "spine": "switches"},
            "attach": [{"node": "disk", "ports": "storage", "rule": "pairs"}],
        }
    ],
}


def planned(spread, wanted=("cables",), order="blocks", **more):
    content = deepcopy(STUDY) | deepcopy(more)
    content["cabinets"][0]["order"] = order
    content["network"][0]["attach"][0]["spread"] = spread
    return pipeline.make(study.check(content, base=Path()), wanted, accepted=False)


@pytest.mark.slow
def test_a_pair_in_one_cabinet_is_found_only_where_the_study_spreads_it():
    """Leaves in blocks: 1 and 2 in the first cabinet, 3 and 4 in the second. In turn: each pair in both."""
    together = planned(["routers", "cabinets"])
    found = list(ports_spread_as_stated(together))
    assert {item.where for item in found} == {"disk1", "disk2", "disk3", "disk4"}
    assert {item.unit for item in found} == {"cabinets"}
    assert not list(ports_spread_as_stated(planned([])))
    apart = planned(["routers", "cabinets"], order="in turn")
    leaves = apart.inventory.rack[:4]
    assert leaves[0] == leaves[2] != leaves[1] == leaves[3]
    assert not list(ports_spread_as_stated(apart))


@pytest.mark.slow
def test_the_verifier_derives_cabinets_in_turn():
    apart = planned(["cabinets"], order="in turn")
    assert not list(cabinets_hold_what_the_tables_state(apart))
    blocks = planned(["cabinets"]).inventory.rack
    assert list(cabinets_hold_what_the_tables_state(replace(apart, inventory=replace(apart.inventory, rack=blocks))))


@pytest.mark.slow
def test_both_ports_on_one_router_are_found():
    plan = planned(["routers"])
    ends = plan.inventory.ends.copy()
    rows = plan.inventory.endpoints()
    own = rows.start + np.flatnonzero(ends[rows, 1] == ends[rows, 1].min())
    ends[own, 0] = ends[own[0], 0]
    [found] = ports_spread_as_stated(replace(plan, inventory=replace(plan.inventory, ends=ends)))
    assert (found.where, found.unit) == ("disk1", "routers")


@pytest.mark.slow
def test_two_switches_on_one_feed_are_found():
    """With one supply each, the switches of a cabinet alternate between the feeds; with two they have both."""
    catalog = STUDY["catalog"] | {"pdu": "apc-ap8886"}
    plan = planned(["feeds"], catalog=catalog)
    assert not list(ports_spread_as_stated(plan))
    single = [replace(part, psu_count=1) if part.id == "nvidia-qm9700" else part for part in plan.inventory.parts]
    alternating = replace(plan, inventory=replace(plan.inventory, parts=tuple(single)))
    assert not list(ports_spread_as_stated(alternating))
    apart = planned(["feeds"], catalog=catalog, order="in turn")
    fed = replace(apart, inventory=replace(apart.inventory, parts=tuple(single)))
    # Leaf 1 is the highest of its cabinet, leaf 2 of the other: both are on feed A; so are leaves 3 and 4 on B.
    assert {item.where for item in ports_spread_as_stated(fed)} == {"disk1", "disk2", "disk3", "disk4"}


@pytest.mark.slow
def test_feeds_need_pdus_on_two_feeds():
    for more in ({}, {"catalog": STUDY["catalog"] | {"pdu": "apc-ap8886"}, "placement": {"interior": {"feeds": "A"}}}):
        with pytest.raises(InputError, match=r"network\.0\.attach\.0\.spread: no two power feeds are planned"):
            planned(["feeds"], wanted=("inventory",), **more)
    with pytest.raises(InputError, match=r"network\.0\.attach\.0\.spread"):
        planned(["rooms"], wanted=("inventory",))


def shared(plan):
    """The devices both of whose cables use a tray segment in a loop, by plain sets."""
    inventory, loop, found = plan.inventory, _in_a_loop(plan.room), set()
    rows = np.arange(inventory.connection_count)[inventory.endpoints()]
    for node in np.unique(inventory.ends[rows, 1]).tolist():
        one, two = (set(plan.cables.route_of(row).tolist()) for row in rows[inventory.ends[rows, 1] == node].tolist())
        if one & two & loop:
            found.add(str(inventory.names[node]))
    return found


def asking(plan):
    """The plan with a study that spreads cables over trays."""
    content = deepcopy(dict(plan.study))
    content["network"][0]["attach"][0]["spread"] = ["trays"]
    return replace(plan, study=content)


@pytest.mark.slow
def test_cables_of_a_node_on_one_tray_are_found():
    """Leaves of a pair in one cabinet: both cables of a node take the shortest route, unless the study spreads them."""
    plan = planned([])
    found = {item.where for item in cables_spread_over_trays(asking(plan))}
    assert found == shared(plan) != set()
    assert not list(cables_spread_over_trays(plan))
    assert "shared_tray_pairs" not in planned([], wanted=("violations",)).quantities


@pytest.mark.slow
def test_cables_take_a_detour_where_the_study_spreads_them():
    """The trays of the room form a loop: the second cable takes the other half of it; parts are those for its length."""
    plan, without = planned(["trays"], wanted=("violations",)), planned([])
    assert shared(plan) == set()
    # Both leaves of a pair are in one cabinet.
    assert {item.rule for item in plan.violations.items} == {"no_cabinet_parts_the_rest"}
    assert plan.quantities["shared_tray_pairs"]["value"] == 0
    own = plan.inventory.apart
    assert np.unique(own, return_counts=True)[1].tolist() == [plan.inventory.connection_count - 8, 2, 2, 2, 2]
    longer = plan.cables.tray_mm - without.cables.tray_mm
    assert (longer[own < 0] == 0).all()
    # Of each pair one cable stays where it was.
    assert ((longer[own >= 0] > 0).sum(), (longer < 0).sum()) == (4, 0)
    assert (plan.cables.stock_mm >= plan.cables.run_mm).all()


def test_other_sets_of_cables_are_found():
    plan = planned(["trays"])
    apart = plan.inventory.apart.copy()
    apart[apart == 1] = 0
    assert list(cables_apart_as_stated(replace(plan, inventory=replace(plan.inventory, apart=apart))))
    assert not list(cables_apart_as_stated(plan))


def _in_a_loop(room):
    """The segments of the trays without which the trays are still connected, by plain search."""
    loop = set()
    for number in range(len(room.segments)):
        reached, border = {int(room.segments[number][0])}, [int(room.segments[number][0])]
        while border:
            node = border.pop()
            for other, (a, b) in enumerate(room.segments.tolist()):
                if other != number and node in (a, b) and (far := a + b - node) not in reached:
                    reached.add(far)
                    border.append(far)
        if int(room.segments[number][1]) in reached:
            loop.add(number)
    return loop
