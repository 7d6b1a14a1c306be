"""The verifier on a study with several networks: no violation, and every planted fault is found by its rule."""

import json
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
from shared.plans import STUDIES, asked, planned, source

from planner.check import check
from planner.check.attachments import (
    attachments_follow_their_rules,
    dual_homed_ports_on_different_routers,
    management_ports_are_connected,
    planes_are_disjoint,
    ports_of_groups_suffice,
    rails_on_one_router,
)
from planner.check.direct import nodes_are_joined_as_stated
from planner.check.networks import cabinets_hold_what_the_tables_state
from planner.check.spread import no_cabinet_parts_the_rest
from planner.core.errors import InputError
from planner.network.topology import build
from planner.studies import pipeline, study
from planner.studies.verification import verified

NAME = "several networks"


@pytest.fixture(scope="module")
def plan():
    return planned(NAME)


def changed(plan, **columns):
    """The plan with other columns of its inventory."""
    return replace(plan, inventory=replace(plan.inventory, **columns))


def exchanged(plan, one, two):
    """The plan with the far ends of two connections exchanged."""
    columns = {}
    for field in ("ends", "port_group", "port"):
        columns[field] = getattr(plan.inventory, field).copy()
        columns[field][[one, two], 1] = columns[field][[two, one], 1]
    return changed(plan, **columns)


def rows(plan, network, kind):
    """The connections of one kind of a network."""
    inventory = plan.inventory
    number = inventory.network_names.index(network)
    own = np.arange(inventory.connection_count)[inventory.endpoints(number)]
    return own[inventory.kind[own] == inventory.kind_names.index(kind)]


def rules(plan):
    return {item.rule for item in check(replace(plan, quantities={}), source(NAME)).items}


@pytest.mark.slow
def test_the_plan_breaks_no_rule(plan):
    assert plan.inventory.network_names == ("compute", "inband", "oob")
    assert check(plan, source(NAME)).items == ()


def test_counts_follow_from_the_tables(plan):
    """40 rails and 4 ports of managers, 10 dual-homed ports, and a management port of each device but the switches of oob."""
    inventory = plan.inventory
    count = [inventory.endpoints(number).stop - inventory.endpoints(number).start for number in range(3)]
    assert count == [5 * 8 + 2 * 2, 5 * 2, 5 + 2 + 8 + 2 + 2 + 1]
    assert inventory.device_count == (8 + 2) + (2 + 1) + 2 + 5 + 2


@pytest.mark.slow
def test_a_stored_plan_is_verified_again(tmp_path):
    """Written, read and rebuilt: the tables of a stored study are read like those of a new one."""
    pipeline.run(asked(NAME), out=tmp_path, until="violations")
    found = verified(tmp_path).violations
    assert found.items == ()
    assert {"attachments_follow_their_rules", "parts_and_joints_of_the_catalog"} <= set(found.checked)


@pytest.mark.slow
def test_custom_rules_of_a_stored_study_are_not_run(tmp_path):
    pipeline.run(asked(NAME), out=tmp_path, until="violations")
    file = tmp_path / "provenance.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    content["study"]["network"][0]["attach"][0] |= {"rule": "os.path", "parameters": {}}
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError, match=r"network\.0\.attach\.0\.rule"):
        verified(tmp_path)


def test_a_port_connected_twice_is_found(plan):
    ends, group, port = (getattr(plan.inventory, field).copy() for field in ("ends", "port_group", "port"))
    one, two = rows(plan, "compute", "compute")[:2]
    for column in (ends, group, port):
        column[one, 1] = column[two, 1]
    assert list(ports_of_groups_suffice(changed(plan, ends=ends, port_group=group, port=port)))


def test_a_group_with_more_connections_than_ports_is_found(plan):
    """All ports of one node are moved to its management group, which has one port."""
    group = plan.inventory.port_group.copy()
    node = plan.inventory.ends[rows(plan, "compute", "compute")[0], 1]
    part = plan.inventory.part_of(node)
    group[plan.inventory.ends == node] = [one.name for one in part.groups].index("mgmt")
    messages = [item.message for item in ports_of_groups_suffice(changed(plan, port_group=group))]
    assert "has more connections than ports" in messages


def test_both_ports_of_a_node_on_one_router_are_found(plan):
    """A second node of the same leaf pair gives its port on the other leaf away."""
    own = rows(plan, "inband", "inband")
    ends = plan.inventory.ends
    first = [row for row in own if ends[row, 1] == ends[own[0], 1]]
    other = next(row for row in own if ends[row, 1] != ends[own[0], 1] and ends[row, 0] == ends[first[0], 0])
    found = list(dual_homed_ports_on_different_routers(exchanged(plan, first[1], other)))
    assert {item.where for item in found} == {plan.inventory.names[ends[row, 1]] for row in (first[0], other)}
    assert not list(dual_homed_ports_on_different_routers(plan))


def test_a_rail_on_two_routers_is_found(plan):
    own = rows(plan, "compute", "compute")
    port = plan.inventory.port[own, 1]
    one, two = own[port == 0][0], own[port == 1][0]
    found = list(rails_on_one_router(exchanged(plan, one, two)))
    assert {item.where for item in found} == {"rail 1 of block 1 of compute", "rail 2 of block 1 of compute"}
    assert not list(rails_on_one_router(plan))


def test_a_management_port_on_no_network_is_a_warning(plan):
    """One of the switches takes the place of another, whose port is then free."""
    ends = plan.inventory.ends.copy()
    own = rows(plan, "oob", "mgmt")
    routers = own[plan.inventory.is_router[ends[own, 1]]]
    lost = ends[routers[0], 1]
    ends[routers[0], 1] = ends[routers[1], 1]
    [found] = management_ports_are_connected(changed(plan, ends=ends))
    assert (found.where, found.severity) == (plan.inventory.names[lost], "warning")
    assert found.where.startswith(("compute-", "eth"))
    assert not list(management_ports_are_connected(plan))


def test_other_ports_of_nodes_back_to_back_are_found(plan):
    """Both managers are joined by their ports for each other, not by their management ports."""
    [row] = np.flatnonzero(plan.inventory.is_direct)
    part = plan.inventory.part_of(plan.inventory.ends[row, 1])
    group = plan.inventory.port_group.copy()
    assert part.groups[group[row, 1]].name == "peer"
    group[row, 1] = [one.name for one in part.groups].index("mgmt")
    [found] = nodes_are_joined_as_stated(changed(plan, port_group=group))
    assert found.where == "ufm1 to ufm2"
    assert not list(nodes_are_joined_as_stated(plan))


def test_a_device_in_another_cabinet_is_found(plan):
    rack = plan.inventory.rack.copy()
    rack[[0, 1, -1]] = rack[-1], rack[-1], rack[0]
    assert list(cabinets_hold_what_the_tables_state(changed(plan, rack=rack)))


@pytest.mark.slow
@pytest.mark.parametrize(("network", "kind"), [("compute", "compute"), ("inband", "inband"), ("oob", "mgmt")])
def test_ports_on_routers_that_their_rule_does_not_give_are_found(plan, network, kind):
    """Also where the rule is the distance: an exchange keeps every promise but that of cables, which lead elsewhere."""
    own = rows(plan, network, kind)
    # Of the management ports all but those of the managers are attached by distance.
    own = own[~np.char.startswith(plan.inventory.names[plan.inventory.ends[own, 1]], "ufm")]
    far = plan.inventory.ends[own]
    one = own[0]
    two = own[(far != far[0]).all(axis=1)][0]
    found = rules(exchanged(plan, one, two))
    assert "ends_agree_with_the_network" in found
    assert ("attachments_follow_their_rules" in found) == (network != "oob")


def test_too_many_ports_on_a_router_are_found(plan):
    """If the leaves of the management network took two ports each, its 20 would be too many."""
    fresh = source(NAME)

    def bare(number):
        graph = fresh.bare(number)
        return graph if number < 2 else replace(graph, endpoint_router=np.repeat(np.arange(graph.router_count), 2))

    found = [item.where for item in attachments_follow_their_rules(plan, replace(fresh, bare=bare)) if item.unit == "ports"]
    assert found == ["oob router 0", "oob router 1"]


@pytest.mark.slow
def test_violations_of_further_networks_name_them(plan):
    latency = plan.others["inband"]["latency"]
    wrong = plan.others["inband"] | {"latency": replace(latency, worst_ps=latency.worst_ps + 1)}
    found = check(replace(plan, others=plan.others | {"inband": wrong}, quantities={}), source(NAME)).items
    assert {item.rule for item in found if item.where.startswith("inband: ")} == {
        "delays_of_all_pairs",
        "slowest_path_is_valid",
    }


def other_names(plan):
    names = plan.inventory.names.copy()
    names[[0, -1]] = names[[-1, 0]]
    return changed(plan, names=names)


def other_link(plan):
    ends = plan.inventory.ends.copy()
    ends[0, 1] = ends[1, 1]
    return changed(plan, ends=ends)


def lower_price(plan):
    first, *others = plan.inventory.parts
    return changed(plan, parts=(replace(first, price_cents=first.price_cents - 1), *others))


def cable_left_out(plan):
    first, *others = plan.inventory.joints
    return changed(plan, joints=(replace(first, single=first.single[1:]), *others))


def other_joint(plan):
    joint = plan.inventory.joint.copy()
    joint[-1] = 0
    return changed(plan, joint=joint)


def other_port(plan):
    """A cable in the socket next to the one that the tables state."""
    port = plan.cables.port.copy()
    port[rows(plan, "inband", "inband")[0], 1] += 1
    return replace(plan, cables=replace(plan.cables, port=port))


def cheaper(plan):
    return replace(plan, placement=replace(plan.placement, objective=plan.placement.objective - 1))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "rule"),
    [
        (other_names, "devices_follow_the_tables"),
        (other_link, "links_follow_their_networks"),
        (lower_price, "parts_and_joints_of_the_catalog"),
        (cable_left_out, "parts_and_joints_of_the_catalog"),
        (other_joint, "joints_by_port_kinds"),
        (other_port, "ports_follow_their_rule"),
        (other_port, "ports_used_once"),
        (cheaper, "objective_adds_up"),
    ],
)
def test_the_rule_of_a_subject_finds_its_fault(plan, fault, rule):
    assert rule in rules(fault(plan))


def with_uplinks(networks):
    """Two ports of the first in-band switch lead to a border switch, after those of its links and nodes."""
    attach = [{"routers": ["inband"], "ports": "ports", "per_device": 2, "count": 1, "rule": "fill"}]
    leaves = {"family": "leaves", "leaves": 1, "endpoints_per_leaf": 8}
    networks.append({"name": "border", "topology": leaves, "parts": {"leaf": "nvidia-sn4600c"}, "attach": attach})
    return networks


def with_table(networks):
    networks[1]["attach"][0] |= {"rule": "table", "path": "ports.csv"}
    return networks


def by_planes(networks):
    plane = {"leaves": 4, "spines": 1, "uplinks": 2, "endpoints_per_leaf": 8}
    networks[0]["topology"] = {"family": "multiplane", "planes": 2, "plane": "leafspine", "plane_parameters": plane}
    networks[0]["attach"][0] |= {"rule": "planes", "within": "rail"}
    return networks


def some_devices(networks):
    """Some ports of some devices, with fewer leaves than devices to choose from."""
    networks[0]["attach"][0] |= {"per_device": 4, "block": 3}
    networks[2]["attach"][0] |= {"skip": 1, "count": 3, "kind": "nodes"}
    networks[2]["attach"][2] |= {"rule": "free", "skip": 1, "count": 2}
    return networks


@pytest.mark.slow
@pytest.mark.parametrize("vary", [with_uplinks, with_table, by_planes, some_devices, lambda networks: networks[::-1]])
def test_other_tables_break_no_rule_either(vary, tmp_path):
    """But for warnings: of management ports that these tables leave out, and of the cabinet with the spines of both planes."""
    lines = [f"dgx{node:03},{port},{(node + port) % 2}" for node in range(1, 6) for port in (1, 2)]
    (tmp_path / "ports.csv").write_text("\n".join(["device,port,router", *lines]), encoding="utf-8")
    content = {"name": "varied"} | deepcopy(STUDIES[NAME])
    content["network"] = vary(content["network"])
    pipeline.run(study.check(content, base=tmp_path), out=tmp_path / "plan", until="violations")
    # A plan is moved with its files.
    (tmp_path / "ports.csv").rename(tmp_path / "plan" / "ports.csv")
    found = verified(tmp_path / "plan").violations
    assert "attachments_follow_their_rules" in found.checked
    assert {item.rule for item in found.items} <= {"management_ports_are_connected", "no_cabinet_parts_the_rest"}


SEGMENT = {
    "name": "segment",
    "catalog": {"cabinet": "hpe-10648-g2"},
    "room": {"plan": "two-halls"},
    "node": [{"name": "host", "part": "hpn-host", "count": 4, "per_cabinet": 2}],
    "network": [
        {
            "name": "backend",
            "topology": {"family": "hpn", "segments": 1, "hosts_per_segment": 4, "spines_per_plane": 2},
            "parts": {"leaf": "generic-51t-tor", "spine": "generic-51t-aggregation"},
            "attach": [{"node": "host", "ports": "backend", "router_ports": "down", "rule": "rail", "block": 4}],
        }
    ],
}


def test_ports_of_another_group_than_the_named_one_are_found():
    """Hosts on the ports that lead up: the rule gives them those that lead down."""
    plan = pipeline.make(study.check(deepcopy(SEGMENT)), ("inventory",))
    origin = replace(source(NAME), bare=lambda number: build(**SEGMENT["network"][number]["topology"]))
    assert not list(attachments_follow_their_rules(plan, origin))
    group = plan.inventory.port_group.copy()
    hosts, links = plan.inventory.endpoints(0), plan.inventory.links(0)
    group[hosts, 0] = group[links, 0][0]
    found = list(attachments_follow_their_rules(changed(plan, port_group=group), origin))
    assert found[0].where == "backend endpoint 1"


PLANES = {
    "name": "planes",
    "catalog": {"cabinet": "hpe-10648-g2"},
    "room": {"plan": "two-halls"},
    "node": [{"name": "dgx", "part": "dgx-h100", "count": 4, "per_cabinet": 2}],
    "network": [
        {
            "name": "compute",
            "topology": {
                "family": "multiplane",
                "planes": 2,
                "plane": "leafspine",
                "plane_parameters": {"leaves": 2, "spines": 1, "uplinks": 2, "endpoints_per_leaf": 8},
            },
            "parts": {"leaf": "nvidia-qm9700", "spine": "nvidia-qm9700"},
            "attach": [{"node": "dgx", "ports": "compute", "rule": "planes", "within": "free"}],
        }
    ],
}


@pytest.fixture(scope="module")
def planes():
    return pipeline.make(study.check(PLANES), ("inventory",))


def test_planes_are_disjoint_as_planned(planes):
    assert planes.topology.endpoint_count == 4 * 8
    assert not list(planes_are_disjoint(planes))


def test_a_node_with_more_ports_in_one_plane_is_found(planes):
    """A port of a node in plane 1 is exchanged with one of another node in plane 2."""
    own = np.arange(planes.inventory.connection_count)[planes.inventory.endpoints()]
    ends = planes.inventory.ends[own]
    plane = planes.topology.group[ends[:, 0], planes.topology.group_names.index("plane")]
    one = own[(plane == 0) & (ends[:, 1] == ends[:, 1].min())][0]
    two = own[(plane == 1) & (ends[:, 1] == ends[:, 1].max())][0]
    found = list(planes_are_disjoint(exchanged(planes, one, two)))
    assert len({item.where for item in found}) == 2


def test_a_link_between_planes_is_found(planes):
    links = planes.topology.links.copy()
    first, last = links[0].copy(), links[-1].copy()
    links[0], links[-1] = [first[0], last[1]], [last[0], first[1]]
    found = list(planes_are_disjoint(replace(planes, topology=replace(planes.topology, links=links))))
    assert [item.message for item in found] == ["joins two planes"] * 2


@pytest.mark.slow
def test_nodes_that_share_a_leaf_are_not_lost():
    """Without the cabinet of both spines no leaf reaches another, and each node has ports on all four leaves."""
    content = deepcopy(PLANES)
    content["network"][0]["place"] = {"leaf": "dgx"}
    plan = pipeline.make(study.check(content), ("placement",))
    leaves, spines = ([number for number, name in enumerate(plan.inventory.names) if role in name] for role in ("leaf", "spine"))
    assert len(set(plan.placement.cabinet[spines].tolist())) == 1
    assert plan.placement.cabinet[spines[0]] not in plan.placement.cabinet[leaves]
    assert list(no_cabinet_parts_the_rest(plan)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["routers@inband", "cables@oob", "cost_cents@compute", "mean_hops@inband", "stock_mm@oob"])
def test_a_changed_figure_of_a_network_is_found(plan, name):
    quantities = plan.quantities | {name: plan.quantities[name] | {"value": plan.quantities[name]["value"] + 1}}
    found, *_ = check(replace(plan, quantities=quantities), source(NAME)).items
    assert (found.rule, found.where) == ("quantities_follow_the_records", name)
