"""Studies of several networks: counts by hand, networks that share nothing, order of the tables, and wrong input."""

from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from planner.core.errors import InputError
from planner.design.cabling import cable
from planner.hall.floor import Lengths
from planner.studies import pipeline, study

NODE = {"name": "dgx", "part": "dgx-h100", "count": 4, "per_cabinet": 2, "unit": 2, "names": "dgx{n:02}"}
DISK = {"name": "disk", "part": "storage-node", "count": 3}
COMPUTE = {
    "name": "compute",
    "topology": {"family": "leafspine", "leaves": 16, "spines": 4, "uplinks": 4, "endpoints_per_leaf": 4, "leaves_per_unit": 8},
    "parts": {"leaf": "nvidia-qm9700", "spine": "nvidia-qm9700"},
    "attach": [{"node": "dgx", "ports": "compute", "rule": "rail", "block": 2}],
}
STORAGE = {
    "name": "storage",
    "topology": {"family": "leafspine", "leaves": 2, "spines": 1, "uplinks": 2, "endpoints_per_leaf": 8},
    "parts": {"leaf": "nvidia-qm9700", "spine": "nvidia-qm9700"},
    "attach": [{"node": "disk", "ports": "storage", "rule": "pairs"}],
}
OOB = {
    "name": "oob",
    "topology": {"family": "leaves", "leaves": 2, "endpoints_per_leaf": 40},
    "parts": {"leaf": "nvidia-sn2201"},
    "place": {"leaf": "dgx"},
    "attach": [{"node": "dgx", "ports": "mgmt", "rule": "near"}, {"routers": ["compute", "storage"], "rule": "near"}],
}
WISHES = {"placement": {"moves": 20_000}, "room": {"plan": "hall-a"}, "catalog": {"cabinet": "apc-ar3300"}}


def data(networks, nodes=(NODE, DISK), **more):
    return {"name": "pod", "seed": 1, **WISHES, "node": list(nodes), "network": list(networks), **more}


def planned(networks, nodes=(NODE, DISK), wanted=("cables",), **more):
    return pipeline.make(study.check(data(networks, nodes, **more), base=Path()), wanted, accepted=False)


@pytest.fixture(scope="module")
def pod():
    return planned((COMPUTE, STORAGE, OOB))


def joined(plan, name):
    """The connections of a network by the names of devices, with group and port where the study gives it."""
    inventory = plan.inventory
    rows = np.arange(inventory.connection_count)[inventory.connections(plan.network_names.index(name))]
    return {
        tuple(
            (
                str(inventory.names[inventory.ends[row, side]]),
                int(inventory.port_group[row, side]),
                int(inventory.port[row, side]),
            )
            for side in (0, 1)
        )
        for row in rows.tolist()
    }


@pytest.mark.slow
def test_devices_and_connections_by_hand(pod):
    """20 + 3 + 2 switches, four nodes and three disks; 64 + 32, 4 + 6 and 4 + 23 connections."""
    inventory = pod.inventory
    assert inventory.first_router.tolist() == [0, 20, 23, 25]
    assert inventory.device_count == 32
    assert inventory.first_link.tolist() == [0, 96, 106, 133]
    assert inventory.first_endpoint.tolist() == [64, 100, 106]
    assert inventory.names[25:].tolist() == ["dgx01", "dgx02", "dgx03", "dgx04", "disk1", "disk2", "disk3"]
    assert [inventory.role_names[role] for role in inventory.role[[0, 16, 20, 22, 23, 25]]] == [
        "leaf", "spine", "leaf", "spine", "leaf", "node",
    ]  # fmt: skip
    # Rails: port r of both nodes of a unit on leaf r of the unit.
    for (leaf, _, _), (node, group, port) in [pair for pair in joined(pod, "compute") if pair[1][0].startswith("dgx")]:
        unit = (int(node[3:]) - 1) // 2
        assert (leaf, group) == (f"compute-leaf{8 * unit + port + 1:02}", 0)


def test_ports_are_used_once_and_near_leaves_serve_their_cabinet(pod):
    cables, inventory, placement = pod.cables, pod.inventory, pod.placement
    ends = [tuple(end) for end in np.column_stack([cables.device.ravel(), cables.port.ravel()]).tolist()]
    assert len(set(ends)) == len(ends)
    own = inventory.connections(2)
    nodes = own.start + np.flatnonzero(np.char.startswith(inventory.names[inventory.ends[own, 1]], "dgx"))
    assert (placement.cabinet[inventory.ends[nodes, 0]] == placement.cabinet[inventory.ends[nodes, 1]]).all()
    # The management port is the last of a switch: 64 InfiniBand ports come before it.
    switches = own.start + np.flatnonzero(inventory.is_router[inventory.ends[own, 1]])
    assert (cables.port[switches, 1] == 65).all()


@pytest.mark.slow
def test_networks_that_share_nothing_are_cabled_as_if_alone():
    both = planned((COMPUTE, STORAGE))
    for number, (network, node) in enumerate(((COMPUTE, NODE), (STORAGE, DISK))):
        alone = planned((network,), (node,))
        where = {str(name): slot for name, slot in zip(both.inventory.names, both.placement.slot.tolist(), strict=True)}
        slot_of = np.zeros(alone.placement.cabinet_count, int)
        for device, cabinet in enumerate(alone.placement.cabinet.tolist()):
            slot_of[cabinet] = where[str(alone.inventory.names[device])]
        lengths = Lengths(alone.room, alone.catalog.cabinet, both_slack(both))
        again = cable(alone.inventory, alone.catalog, replace(alone.placement, slot_of=slot_of), lengths)
        own = both.inventory.connections(number)
        for field in ("port", "run_mm", "stock_mm", "price_cents", "power_mw"):
            assert np.array_equal(getattr(again, field), getattr(both.cables, field)[own]), field


def both_slack(plan):
    from planner.hall.floor import Slack

    return Slack(**plan.study["cabling"]["slack"])


@pytest.mark.slow
def test_the_order_of_networks_changes_nothing_but_the_order(pod):
    turned = planned((OOB, STORAGE, COMPUTE), wanted=("inventory",))
    for name in ("compute", "storage"):
        assert joined(turned, name) == joined(pod, name)
    assert {pair[1][0] for pair in joined(turned, "oob")} == {pair[1][0] for pair in joined(pod, "oob")}


@pytest.mark.slow
def test_each_network_has_its_records():
    plan = planned((COMPUTE, STORAGE, OOB), wanted=("latency", "bisection"))
    assert plan.topology.router_count == 20
    other = plan.of("storage")
    assert (other.topology.router_count, other.topology.endpoint_count) == (3, 6)
    assert other.inventory.links() == slice(96, 100)
    assert plan.of("storage").latency.endpoint_mean_ps > 0
    assert set(plan.others) == {"storage", "oob"}
    with pytest.raises(KeyError):
        plan.of("none")


@pytest.mark.slow
def test_the_bill_has_all_switches(pod):
    plan = planned((COMPUTE, STORAGE, OOB), wanted=("bill",))
    routers = {line.part: line.quantity for line in plan.bill.lines if line.category == "routers"}
    assert routers == {"nvidia-qm9700": 23, "nvidia-sn2201": 2}


@pytest.mark.slow
def test_pdus_are_devices_with_a_management_port():
    pdu = {"name": "pdu", "part": "apc-ap8865", "count": 4, "role": "PDU", "cabinets": "dgx"}
    oob = deepcopy(OOB) | {"attach": [*OOB["attach"], {"node": "pdu", "ports": "mgmt", "rule": "near"}]}
    plan = planned((COMPUTE, STORAGE, oob), (NODE, DISK, pdu), wanted=("bill",))
    own = np.flatnonzero(np.char.startswith(plan.inventory.names, "pdu"))
    assert np.unique(plan.placement.cabinet[own], return_counts=True)[1].tolist() == [2, 2]
    assert sorted(plan.placement.unit[own].tolist()) == [-1, -1, 0, 0]
    assert sum(line.quantity for line in plan.bill.lines if line.part == "apc-ap8865") == 4


HOST = {"name": "host", "part": "hpn-host", "count": 6}
SEGMENT = {
    "name": "backend",
    "topology": {"family": "hpn", "segments": 1, "rails": 8, "hosts_per_segment": 6, "spines_per_plane": 4},
    "parts": {"leaf": "generic-51t-tor", "spine": "generic-51t-aggregation"},
    "attach": [{"node": "host", "ports": "backend", "router_ports": "down", "rule": "rail", "block": 6}],
}


def test_nodes_use_the_named_ports_of_routers():
    """16 ToRs take a port of each of six hosts at 200G by one cage in four, and have four links of 400G up."""
    plan = planned((SEGMENT,), (HOST,))
    inventory, names = plan.inventory, [group.name for group in plan.inventory.parts[0].groups]
    hosts, links = inventory.endpoints(0), inventory.links(0)
    assert {names[group] for group in inventory.port_group[hosts, 0].tolist()} == {"down"}
    assert {names[group] for group in inventory.port_group[links, 0].tolist()} == {"up"}
    assert (hosts.stop - hosts.start, links.stop - links.start) == (6 * 16, 16 * 4)
    assert np.bincount(inventory.ends[hosts, 0]).tolist() == [6] * 16
    rate = np.array([plan.cables.assemblies[number].rate_gbps for number in plan.cables.assembly.tolist()])
    assert set(rate[hosts].tolist()) == {200}
    assert set(rate[links].tolist()) == {400}


@pytest.mark.slow
@pytest.mark.parametrize(("hosts", "fits"), [(136, True), (137, False)])
def test_a_named_group_takes_as_many_nodes_as_it_has_ports(hosts, fits):
    """Where the family leaves the number of nodes open; all 60 ports of the other group join routers."""
    attach = [{"node": "host", "ports": "frontend", "router_ports": "down", "per_device": 1, "rule": "fill"}]
    topology = {"family": "leafspine", "leaves": 1, "spines": 1, "uplinks": 60, "endpoints_per_leaf": 0}
    networks, nodes = (SEGMENT | {"topology": topology, "attach": attach},), (HOST | {"count": hosts},)
    if fits:
        assert planned(networks, nodes, wanted=("inventory",)).inventory.connection_count == 60 + hosts
    else:
        with pytest.raises(InputError, match=r"network\.0\.attach\.0.*137"):
            planned(networks, nodes, wanted=("inventory",))


@pytest.mark.slow
def test_a_changed_file_of_the_catalog_changes_the_stored_plan(tmp_path):
    """A cable that comes later is offered, although no device, network or other part of the plan changes."""
    row = """
    [[cable]]
    id = "own-dac"
    medium = "copper"
    kind = "DAC"
    rate_gbps = 1
    connector_a = "RJ45"
    connector_b = "RJ45"
    stock_mm = [1000]
    price_cents = [{price}]
    reach_mm = 1000
    power_mw = 0
    diameter_um = 5000
    bend_mm = 40
    mass_g_per_m = 50
    delay_ps_per_m = 4500
    delay_end_ps = 0
    source = "made for this test"
    confidence = "D"
    date = "2026-01-01"
    """
    leaves = {"family": "leaves", "leaves": 1, "endpoints_per_leaf": 8}
    network = OOB | {"topology": leaves, "place": {}, "attach": [{"node": "disk", "ports": "mgmt", "rule": "near"}]}
    content = data((network,), (DISK,)) | {"catalog": {"cabinet": "apc-ar3300", "files": ["own.toml"]}}
    prices = []
    for price in (100, 200):
        (tmp_path / "own.toml").write_text(row.format(price=price), encoding="utf-8")
        plan = pipeline.run(study.check(content, base=tmp_path), out=tmp_path / "out", until="inventory")
        offered = [each for joint in plan.inventory.joints for each in joint.single if each.id == "own-dac"]
        prices.append([each.price_cents for each in offered])
    assert prices == [[(100,)], [(200,)]]


@pytest.mark.slow
def test_routers_of_roles_without_a_management_port_are_left_out(tmp_path):
    """Storage switches have one, blades none."""
    (tmp_path / "own.toml").write_text(
        """
        [[router]]
        id = "blade"
        ports = 64
        connector = "QSFP-DD-2x200"
        ports_per_cage = 2
        rate_gbps = 200
        units = 1
        power_typical_mw = 200_000
        power_max_mw = 250_000
        mass_g = 15_000
        delay_ps = 350_000
        price_cents = 3_000_000
        source = "made for this test"
        confidence = "D"
        date = "2026-01-01"
        """,
        encoding="utf-8",
    )
    groups = {"kinds": ["compute", "storage"], "groups": [3, 2], "routers": [4, 2], "bundles": [[2, 1], [1, 1]]}
    hsn = {
        "name": "hsn",
        "topology": {"family": "slingshot", **groups, "endpoints_per_router": [0]},
        "parts": {"compute": "blade", "storage": "hpe-slingshot-r4k41b"},
    }
    leaves = {"family": "leaves", "leaves": 1, "endpoints_per_leaf": 40}
    oob = OOB | {"topology": leaves, "place": {}, "attach": [*OOB["attach"][:1], {"routers": ["hsn"], "rule": "near"}]}
    catalog = {"cabinet": "apc-ar3300", "files": ["own.toml"]}
    plan = pipeline.make(study.check(data((hsn, oob), (NODE,)) | {"catalog": catalog}, base=tmp_path), ("inventory",))
    far = plan.inventory.ends[plan.inventory.endpoints(1), 1]
    assert sorted(far.tolist()) == [*range(12, 16), *range(17, 21)]


# -- wrong input --------------------------------------------------------------------------------


def changed(network, **keys):
    return deepcopy(network) | keys


def attached(network, **keys):
    return changed(network, attach=[network["attach"][0] | keys, *network["attach"][1:]])


UPLINK = {"ports": "ports", "per_device": 1, "rule": "fill"}
WRONG = {
    "ports of routers that are not there": (
        (attached(COMPUTE, router_ports="donw"), STORAGE),
        "network.0.attach.0.router_ports: no router of compute has the port group 'donw'",
    ),
    "a rail rule without enough leaves": (
        (attached(COMPUTE, block=1), STORAGE),
        "network.0.attach.0.block: 4 blocks of 1 nodes with 8 ports need 32 leaves, the network has 16",
    ),
    "a port group that is not there": (
        (attached(COMPUTE, ports="computer"), STORAGE),
        "network.0.attach.0.ports: dgx-h100 has no port group 'computer'",
    ),
    "two networks with one name": ((COMPUTE, changed(STORAGE, name="compute")), "network.1.name: 'compute' is the name of two"),
    "a node in no network": ((COMPUTE,), "node.1: disk is in no network"),
    "an unknown node": ((COMPUTE, attached(STORAGE, node="disc")), "network.1.attach.0.node: there is no node 'disc'"),
    "an unknown rule": ((COMPUTE, attached(STORAGE, rule="pair")), "network.1.attach.0.rule: there is no attachment 'pair'"),
    "an unknown key of a rule": (
        (COMPUTE, attached(STORAGE, block=3)),
        "network.1.attach.0.block: pairs has no such key",
    ),
    "an unknown network": (
        (COMPUTE, STORAGE, changed(OOB, attach=[*OOB["attach"], {"routers": ["core"], "rule": "near"}])),
        "there is no network 'core'",
    ),
    "a wrong parameter of the family": (
        (changed(COMPUTE, topology=COMPUTE["topology"] | {"leafs": 3}), STORAGE),
        "network.0.topology.leafs: leafspine has no such key",
    ),
    "cyclic uplinks": (
        (
            changed(COMPUTE, attach=[*COMPUTE["attach"], UPLINK | {"routers": ["storage"]}]),
            changed(STORAGE, attach=[*STORAGE["attach"], UPLINK | {"routers": ["compute"]}]),
        ),
        "form a cycle",
    ),
    "own routers": (
        (COMPUTE, STORAGE, changed(OOB, attach=[*OOB["attach"], {"routers": ["oob"], "rule": "near"}])),
        "oob attaches its own routers",
    ),
    "ports that no cable joins": (
        (COMPUTE, attached(STORAGE, ports="mgmt", rule="fill")),
        "no cable connects OSFP-2x400 to RJ45",
    ),
    "too many ports on a leaf": (
        (COMPUTE, changed(STORAGE, topology=STORAGE["topology"] | {"endpoints_per_leaf": 2})),
        "which has 2 free",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("case", WRONG)
def test_wrong_tables_are_refused_with_their_place(case):
    networks, message = WRONG[case]
    with pytest.raises(InputError) as error:
        planned(networks, wanted=("inventory",))
    assert message in str(error.value)


@pytest.mark.slow
def test_parts_belong_to_networks():
    with pytest.raises(InputError, match="has no meaning next to"):
        study.check(data((COMPUTE, STORAGE), catalog={"cabinet": "apc-ar3300", "router": "nvidia-qm9700"}), base=Path())
    with pytest.raises(InputError, match="move it into a"):
        study.check(data((COMPUTE, STORAGE), topology={"family": "slimfly", "q": 5}), base=Path())
    with pytest.raises(InputError, match="catalog needs this key"):
        study.check(data((COMPUTE, STORAGE), catalog={}), base=Path())


def test_too_small_a_room_and_too_full_a_cabinet():
    crowd = NODE | {"count": 6, "per_cabinet": 6, "unit": 6}
    with pytest.raises(InputError, match="cabinet 1 of dgx with 2 oob leaf, 6 dgx: rack units 50, allowed 42"):
        planned((attached(COMPUTE, block=3), STORAGE, OOB), (crowd, DISK), wanted=("inventory",))


@pytest.mark.slow
def test_expanded_studies_are_studies(pod, tmp_path):
    again = study.check({key: value for key, value in pod.study.items()}, base=Path())
    assert pipeline.make(again, ("inventory",)).inventory.fingerprint == pod.inventory.fingerprint


@pytest.mark.slow
def test_a_changed_count_of_nodes_is_not_taken_from_stored_records(tmp_path):
    """Nodes are no part of a network's own table, but its endpoints are their ports."""
    for count in (4, 3):
        content = data((COMPUTE, STORAGE, OOB), ({**NODE, "count": count}, DISK))
        plan = pipeline.run(study.check(content, base=tmp_path), out=tmp_path, until="inventory")
        assert plan.of("compute").topology.endpoint_count == 8 * count
