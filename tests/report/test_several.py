"""Reports of a plan with several networks: names, counts by network, exports of one network, and every interface."""

from __future__ import annotations

import base64
import csv
import io
import re
import zipfile
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import networkx
import numpy as np
import pytest
from shared.paper import printed

from planner.commands.console import terminal
from planner.core.errors import InputError
from planner.design.cabling.labels import Ends, texts
from planner.domain import stored
from planner.domain.quantities import measure
from planner.formats import examine, workbook, write
from planner.formats.web.content import content
from planner.studies import pipeline, study
from planner.view.names import device_names, port_names
from planner.view.tables import NAMED_TABLES, TABLES, tables_of

STUDY = """
name = "pod"
title = "Four nodes on three networks"
seed = 1
[catalog]
cabinet = "hpe-10648-g2"
[room]
plan = "lab"
[placement]
algorithm = "identity"
[report]
formats = []
[[node]]
name = "dgx"
part = "dgx-h100"
count = 4
per_cabinet = 2
[[node]]
name = "pdu"
part = "apc-ap8853"
count = 4
role = "pdu"
cabinets = "dgx"
[[cabinets]]
name = "management"
count = 1
[[network]]
name = "compute"
topology = { family = "leafspine", leaves = 8, spines = 2, uplinks = 4, leaves_per_unit = 8 }
parts = { leaf = "nvidia-qm9700", spine = "nvidia-qm9700" }
place = { leaf = "management", spine = "management" }
attach = [ { node = "dgx", ports = "compute", rule = "rail", block = 4 } ]
[[network]]
name = "inband"
topology = { family = "leafspine", leaves = 2, spines = 1, uplinks = 1, endpoints_per_leaf = 8 }
parts = { leaf = "nvidia-sn4600c", spine = "nvidia-sn4600c" }
place = { leaf = "management", spine = "management" }
attach = [ { node = "dgx", ports = "inband", rule = "pairs" } ]
[[network]]
name = "oob"
topology = { family = "leaves", leaves = 1, endpoints_per_leaf = 48 }
parts = { leaf = "nvidia-sn2201" }
place = { leaf = "management" }
attach = [
  { node = "dgx", ports = "mgmt", rule = "fill" },
  { node = "pdu", rule = "fill", ports = "mgmt" },
  { routers = ["compute", "inband"], rule = "fill" },
]
"""

# By hand from the study: routers, links, attached ports and devices of each network.
SIZES = {"compute": (8 + 2, 8 * 4, 4 * 8, 4), "inband": (2 + 1, 2 * 1, 4 * 2, 4), "oob": (1, 0, 4 + 4 + 10 + 3, 4 + 4 + 10 + 3)}
CABLES = {name: links + ports for name, (_, links, ports, _) in SIZES.items()}
NODES = [f"dgx{n}" for n in range(1, 5)]
PDUS = [f"pdu{n}" for n in range(1, 5)]
SWITCHES = {
    "compute": [*(f"compute-leaf{n}" for n in range(1, 9)), "compute-spine1", "compute-spine2"],
    "inband": ["inband-leaf1", "inband-leaf2", "inband-spine1"],
    "oob": ["oob-leaf1"],
}
FABRICS = ("ibdiagnet_topo", "nvidia_p2p", "opa", "ptm_dot", "slingshot_p2p", "shcd")
GRAPHS = ("adjacency", "edge_list", "graph_golf", "graphml")


@pytest.fixture(scope="module")
def pod(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pod")
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    pipeline.run(folder)
    return stored.restore(folder)


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def attached(network):
    """The devices whose ports are attached to a network."""
    return [*NODES, *PDUS, *SWITCHES["compute"], *SWITCHES["inband"]] if network == "oob" else NODES


# -- names --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_devices_have_the_names_of_their_networks_and_kinds(pod):
    assert device_names(pod) == [*SWITCHES["compute"], *SWITCHES["inband"], *SWITCHES["oob"], *NODES, *PDUS]


@pytest.mark.slow
def test_ports_of_devices_with_groups_are_named_by_them(pod):
    names = [*port_names(pod, 0), *port_names(pod, 1)]
    devices = [device_names(pod)[device] for side in (0, 1) for device in pod.cables.device[:, side].tolist()]
    of_node = {name for device, name in zip(devices, names, strict=True) if device == "dgx3"}
    assert of_node == {*(f"compute/{n}" for n in range(1, 9)), "inband/1", "inband/2", "mgmt"}
    leaf = [name for device, name in zip(devices, names, strict=True) if device == "compute-leaf1"]
    assert sorted(leaf) == sorted([*map(str, range(1, 9)), "mgmt"])


def test_labels_name_network_device_and_port(pod):
    cables, inventory = pod.cables, pod.inventory
    ends = Ends(
        pod.room, inventory, cables.assemblies, cables.piece, cables.device, cables.port, cables.cage, cables.unit,
        pod.placement.slot_of[cables.cabinet], cables.assembly, cables.stock_mm, cables.bundle, cables.stage, cables.stage_names,
    )  # fmt: skip
    near, _ = texts("{network} {name} {role} {port_name} to {far_name} {far_role} {far_port_name}", ends)
    written = dict(zip(rows_of_tables(pod, "cable"), near.tolist(), strict=True))
    for row in rows_of_tables(pod):
        expected = "{network} {a_device} {a_role} {a_port_name} to {b_device} {b_role} {b_port_name}".format(**row)
        # Links of one twin-port cable have the label of its first end.
        if (pod.cables.piece == pod.cables.piece[row["cable"] - 1]).sum() == 1:
            assert written[row["cable"]] == expected


def rows_of_tables(plan, column=None):
    table = tables_of(plan)["cables"]
    rows = [dict(zip([column.name for column in table.planned], row, strict=True)) for row in table.rows(plan)]
    return rows if column is None else [row[column] for row in rows]


# -- tables ---------------------------------------------------------------------------------------


def test_the_schedule_counts_the_cables_of_each_network(pod, tmp_path):
    rows = rows_of(write(pod, tmp_path, "csv"))
    assert Counter(row["network"] for row in rows) == CABLES
    ends = Counter((row["network"], row["a_role"], row["b_role"]) for row in rows)
    assert ends == {
        ("compute", "leaf", "spine"): 32, ("compute", "leaf", "node"): 32, ("inband", "leaf", "spine"): 2,
        ("inband", "leaf", "node"): 8, ("oob", "leaf", "node"): 4, ("oob", "leaf", "pdu"): 4,
        ("oob", "leaf", "leaf"): 10, ("oob", "leaf", "spine"): 3,
    }  # fmt: skip


def test_schedules_of_networks_are_parts_of_the_whole(pod, tmp_path):
    whole = rows_of(write(pod, tmp_path, "csv"))
    parts = [row for network in SIZES for row in rows_of(write(pod, tmp_path, "csv", network=network))]
    assert parts == whole


@pytest.mark.slow
def test_the_workbook_has_devices_and_networks_and_is_read_back(pod, tmp_path):
    book = workbook.read(write(pod, tmp_path, "xlsx"))
    assert set(book.tables) == set(NAMED_TABLES) - {"plan"}
    devices = {name: (role, networks) for name, role, networks in book.tables["devices"].rows("device", "role", "networks")}
    assert devices["dgx2"] == ("node", "compute, inband, oob")
    assert devices["compute-spine2"] == ("spine", "compute, oob")
    assert devices["oob-leaf1"] == ("leaf", "oob")
    assert devices["pdu4"] == ("pdu", "oob")
    assert len(devices) == 22
    sizes = book.tables["networks"].rows("network", "routers", "links", "endpoints", "devices")
    assert {name: tuple(size) for name, *size in sizes} == SIZES


@pytest.mark.slow
def test_workbooks_of_networks_and_of_routers_are_read_back(pod, tmp_path):
    part = workbook.read(write(pod, tmp_path, "xlsx", network="oob")).tables
    assert set(part["cables"].columns["network"]) == set(part["work"].columns["network"]) == {"oob"}
    assert len(part["cables"]) == (pod.inventory.first_link[3] - pod.inventory.first_link[2])
    leaf = workbook.read(write(pod, tmp_path, "xlsx", router="inband-leaf1"))
    ends = [*leaf.tables["cables"].rows("a_device", "b_device")]
    row = pod.inventory.names.tolist().index("inband-leaf1")
    assert len(ends) == (pod.cables.device == row).any(axis=1).sum() > 0
    assert all("inband-leaf1" in pair for pair in ends)
    assert set(leaf.tables["devices"].columns["device"]) == {name for pair in ends for name in pair}
    # A file for one network is that of the chosen router's.
    assert "compute" not in write(pod, tmp_path, "ptm_dot", router="inband-leaf1").read_text()


def test_the_table_of_ports_has_every_port_of_every_device(pod):
    table = tables_of(pod)["ports"]
    at = {column.name: place for place, column in enumerate(table.planned)}
    rows = table.rows(pod)
    ports = Counter(row[at["device"]] for row in rows)
    # Ports by the data sheets: DGX H100 8 compute, 2 storage, 2 in-band, 1 management; QM9700 and SN4600C 64 + 1, SN2201 52 + 1.
    assert ports == {
        **dict.fromkeys(NODES, 13), **dict.fromkeys(SWITCHES["compute"], 65), **dict.fromkeys(SWITCHES["inband"], 65),
        **dict.fromkeys(PDUS, 1), "oob-leaf1": 53,
    }  # fmt: skip
    assert Counter(row[at["network"]] for row in rows if row[at["cable"]] is not None) == {
        name: 2 * count for name, count in CABLES.items()
    }
    free = {row[at["port_name"]] for row in rows if row[at["device"]] == "dgx1" and row[at["cable"]] is None}
    assert free == {"storage/1", "storage/2"}


def test_plans_of_one_network_have_the_columns_of_one(plan):
    assert tables_of(plan) == TABLES
    assert not {"network", "a_port_name", "a_role"} & {column.name for column in TABLES["cables"].columns}
    assert not {"devices", "networks"} & set(TABLES)
    assert not [name for name in measure(plan) if "@" in name]


# -- quantities -------------------------------------------------------------------------------------


def test_networks_have_quantities_of_their_own(pod):
    for name, (routers, links, ports, _) in SIZES.items():
        values = [pod.quantities[f"{quantity}@{name}"]["value"] for quantity in ("routers", "links", "endpoints", "cables")]
        # A twin-port cable with two links is one cable.
        rows = pod.inventory.connections(list(SIZES).index(name), direct=True)
        assert rows.stop - rows.start == CABLES[name]
        assert values == [routers, links, ports, len(set(pod.cables.piece[rows].tolist()))]


def test_costs_of_networks_add_up_to_those_of_the_bill(pod):
    costs = [pod.quantities[f"cost_cents@{name}"]["value"] for name in SIZES]
    assert sum(costs) == sum(pod.bill.cents(category) for category in ("routers", "cables", "transceivers"))
    assert min(costs) > 0


def test_the_summary_has_a_line_for_each_network(pod):
    lines = dict(zip(SIZES, [text for _, text in terminal.key_figures(pod)][:3], strict=True))
    assert lines["compute"] == "compute: leafspine, 10 routers, 32 links, 32 ports of 4 devices, 48 cables"
    assert lines["oob"] == "oob: leaves, 1 router, 0 links, 21 ports of 21 devices, 21 cables"


# -- exports of one network -----------------------------------------------------------------------------


@pytest.mark.slow
def test_a_plan_of_one_named_network_has_its_summary():
    network = {
        "name": "oob",
        "topology": {"family": "leafspine", "leaves": 2, "spines": 1, "uplinks": 2, "endpoints_per_leaf": 4},
        "parts": {"leaf": "nvidia-qm9700", "spine": "nvidia-qm9700"},
        "attach": [{"node": "dgx", "ports": "storage", "rule": "pairs"}],
    }
    node = {"name": "dgx", "part": "dgx-h100", "count": 4}
    content = {"name": "one", "room": {"plan": "hall-a"}, "catalog": {"cabinet": "apc-ar3300"}, "node": [node]}
    plan = pipeline.make(study.check(content | {"network": [network]}), ("latency",))
    assert next(text for title, text in terminal.key_figures(plan) if title == "latency").endswith("hops mean, 2 max")


@pytest.mark.parametrize("network", SIZES)
def test_graphs_are_those_of_one_network(pod, tmp_path, network):
    routers, links, ports, devices = SIZES[network]
    edges = write(pod, tmp_path, "edge_list", network=network).read_text().splitlines()
    assert len(edges) == links
    assert write(pod, tmp_path, "adjacency", network=network).read_text().split()[:2] == [str(routers), str(links)]
    graph = networkx.read_graphml(write(pod, tmp_path, "graphml", network=network, endpoints=True), force_multigraph=True)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (routers + devices, links + ports)
    names = [data["name"] for _, data in graph.nodes(data=True)]
    assert names[:routers] == SWITCHES[network]
    assert sorted(names[routers:]) == sorted(attached(network))
    assert {data["network"] for *_, data in graph.edges(data=True)} == {network}


def test_lengths_of_links_are_those_of_the_network(pod, tmp_path):
    path = write(pod, tmp_path, "edge_list", network="inband", weight="stock_mm")
    written = [line.split() for line in path.read_text().splitlines()]
    rows = [row for row in rows_of_tables(pod) if (row["network"], row["b_role"]) == ("inband", "spine")]
    assert [int(length) for *_, length in written] == [row["stock_mm"] for row in rows]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FABRICS, *GRAPHS])
def test_the_first_network_is_the_default(pod, tmp_path, name):
    assert write(pod, tmp_path, name).read_bytes() == write(pod, tmp_path, name, network="compute").read_bytes()


@pytest.mark.parametrize("network", SIZES)
def test_subnet_manager_files_have_the_names_of_devices(pod, tmp_path, network):
    text = write(pod, tmp_path, "ibdiagnet_topo", network=network).read_text()
    assert [line.split()[1] for line in text.splitlines() if line and not line.startswith(" ")] == SWITCHES[network]
    hosts = Counter(re.findall(r"-> HCA (\S+) mlx5_\d/P1", text))
    per_device = {"compute": 8, "inband": 2, "oob": 1}[network]
    assert hosts == dict.fromkeys(attached(network), per_device)
    assert len(re.findall(r"^    P\d+ ->", text, re.MULTILINE)) == 2 * SIZES[network][1] + SIZES[network][2]


def test_a_rail_is_the_port_of_the_node_and_the_leaf(pod, tmp_path):
    text = write(pod, tmp_path, "ptm_dot", network="compute").read_text()
    found = re.findall(r'"compute-leaf(\d)":"swp\w+" -- "(dgx\d)":"compute/(\d)"', text)
    assert len(found) == 32
    assert all(leaf == port for leaf, _, port in found)
    assert {node for _, node, _ in found} == set(NODES)


def test_point_to_point_files_list_one_network(pod, tmp_path):
    rows = rows_of(write(pod, tmp_path, "csv", network="oob"))
    opa = write(pod, tmp_path, "opa", network="oob").read_text().splitlines()[2:]
    assert len(opa) == len(rows) == 21
    assert {line.split(",")[2] for line in opa} == set(attached("oob"))
    assert all(line.split(",")[5] == "FI" for line in opa)
    p2p = [line for line in write(pod, tmp_path, "slingshot_p2p", network="oob").read_text().splitlines() if line[0] not in "#c"]
    assert len(p2p) == 21
    assert len({line.split(",")[3] for line in p2p}) == 21


def test_an_unknown_network_is_refused(pod, plan, tmp_path):
    for name in ("csv", "edge_list", "ptm_dot", "graphml"):
        with pytest.raises(InputError, match=r"there is no network 'computer'.*compute"):
            write(pod, tmp_path, name, network="computer")
        with pytest.raises(InputError, match="there is no network 'compute'"):
            write(plan, tmp_path, name, network="compute")
    with pytest.raises(InputError, match="there is no network 'stor'"):
        examine({"csv": {"network": "stor"}}, {"network": ("compute", "storage")}, 1)
    assert not list(tmp_path.iterdir())


# -- NetBox -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def netbox(pod, tmp_path_factory):
    with zipfile.ZipFile(write(pod, tmp_path_factory.mktemp("netbox"), "netbox")) as book:
        return {name[3:-4]: list(csv.DictReader(io.StringIO(book.read(name).decode("utf-8")))) for name in book.namelist()}


def test_netbox_has_every_interface_of_every_device(netbox):
    found = Counter((row["device"], row["type"], row["mgmt_only"]) for row in netbox["interfaces"])
    expected = Counter()
    for node in NODES:
        expected |= {
            (node, "infiniband-ndr", "false"): 8, (node, "400gbase-x-qsfp112", "false"): 4, (node, "1000base-t", "true"): 1,
        }  # fmt: skip
    expected |= {(pdu, "1000base-t", "true"): 1 for pdu in PDUS}
    for switch in SWITCHES["compute"]:
        expected |= {(switch, "infiniband-ndr", "false"): 64, (switch, "1000base-t", "true"): 1}
    for switch in SWITCHES["inband"]:
        expected |= {(switch, "100gbase-x-qsfp28", "false"): 64, (switch, "1000base-t", "true"): 1}
    expected |= {
        ("oob-leaf1", "1000base-t", "false"): 48, ("oob-leaf1", "100gbase-x-qsfp28", "false"): 4,
        ("oob-leaf1", "1000base-t", "true"): 1,
    }  # fmt: skip
    assert found == expected
    names = [row["name"] for row in netbox["interfaces"] if row["device"] == "dgx4"]
    assert names == [*(f"compute/{n}" for n in range(1, 9)), "storage/1", "storage/2", "inband/1", "inband/2", "mgmt"]


def test_netbox_cables_end_at_interfaces_that_exist_once(netbox):
    ports = Counter((row["device"], row["name"]) for row in netbox["interfaces"])
    assert set(ports.values()) == {1}
    ends = Counter((row[f"side_{side}_device"], row[f"side_{side}_name"]) for row in netbox["cables"] for side in "ab")
    assert set(ends) <= set(ports)
    assert set(ends.values()) == {1}
    assert len(netbox["cables"]) == sum(CABLES.values())


def test_netbox_devices_have_their_roles(netbox):
    roles = Counter(row["role"] for row in netbox["devices"] if row["device_type"] not in ("", None))
    assert {name: roles[name] for name in ("leaf", "spine", "node", "pdu")} == {"leaf": 11, "spine": 3, "node": 4, "pdu": 4}
    slugs = [row["slug"] for row in netbox["device_roles"]]
    assert len(slugs) == len(set(slugs))
    assert set(roles) <= {row["name"] for row in netbox["device_roles"]}


# -- paper and web page -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_paper_and_page_are_written_for_all_networks_and_for_one(pod, tmp_path):
    for network in (None, "oob"):
        path = write(pod, tmp_path, "pdf", network=network)
        assert path.read_bytes().startswith(b"%PDF")
    page = write(pod, tmp_path, "html").read_text(encoding="utf-8")
    for name, (routers, links, ports, _) in SIZES.items():
        assert f"<dt>{name}</dt><dd>{routers} routers, {links} links, {ports} ports</dd>" in page


def test_paper_shows_upright_devices_with_their_ports(pod, tmp_path):
    """The PDUs of a cabinet are at the sides of its rear view, and their management cables in its port maps."""
    cabinet = pod.placement.cabinet[np.isin(device_names(pod), PDUS)]
    name = pod.room.slot_names[pod.placement.slot_of[cabinet[0]]]
    text = "\n".join(printed(pod, tmp_path, cabinet=name).pages)
    for pdu, number in zip(PDUS, cabinet.tolist(), strict=True):
        here = number == cabinet[0]
        assert (f"{pdu}, upright" in text) == here
        assert len(re.findall(rf"^{pdu}$", text, re.MULTILINE)) == here
    assert (cabinet == cabinet[0]).sum() == 2


@pytest.mark.slow
def test_permuted_networks_have_the_same_figures(pod, tmp_path):
    """The order of tables ``[[network]]`` changes slices only."""
    head, *tables = re.split(r"(?=^\[\[network\]\]$)", STUDY, flags=re.MULTILINE)
    (tmp_path / "study.toml").write_text("".join([head, tables[2], tables[0], tables[1]]), encoding="utf-8")
    other = pipeline.run(tmp_path)
    assert other.network_names == ("oob", "compute", "inband")
    for name in SIZES:
        for quantity in ("routers", "links", "endpoints", "cables"):
            assert other.quantities[f"{quantity}@{name}"] == pod.quantities[f"{quantity}@{name}"]


def test_views_of_networks_have_their_records(pod):
    for number, name in enumerate(SIZES):
        one = pod.of(name)
        assert one.network == number
        assert one.topology.router_count == SIZES[name][0]
    starts = pod.inventory.first_router.tolist()
    assert [end - start for start, end in pairwise(starts)] == [size[0] for size in SIZES.values()]
    assert replace(pod, network=0).of("inband").network == 1


def test_the_page_has_devices_networks_and_names_of_ports(pod):
    data = content(pod)
    assert data["networks"]["network"] == list(SIZES)
    assert data["all_devices"]["networks"]["texts"][data_index(data["all_devices"]["networks"])[0]] == "compute, oob"
    assert data["cables"]["link_spans"] == [[0, 32], [64, 66], [74, 74]]
    parts = dict(zip(data["devices"]["part_names"], data["part_port_names"], strict=True))
    assert parts["dgx-h100"][7:10] == ["compute/8", "storage/1", "storage/2"]
    assert parts["nvidia-sn2201"][47:] == ["48", "uplink/1", "uplink/2", "uplink/3", "uplink/4", "mgmt"]


def data_index(texts):
    return base64.b64decode(texts["index"]["base64"])
