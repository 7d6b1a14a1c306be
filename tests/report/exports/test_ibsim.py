"""The rehearsal: ibsim, OpenSM and infiniband-diags run the plan's fabric and report it as planned."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import zipfile

import pytest
from shared.gallery import planned
from shared.simulated_fabric import PATH
from shared.small_plans import make_plan

from planner.core.errors import InputError
from planner.formats import write
from planner.simulation.tables import routing_table


@pytest.fixture(scope="session")
def slimfly(tmp_path_factory):
    return planned("slimfly-200", tmp_path_factory.mktemp("slimfly"))


@pytest.fixture(scope="session")
def superpod(tmp_path_factory):
    return planned("superpod-h100", tmp_path_factory.mktemp("superpod"))


def unpacked(plan, folder, **options):
    with zipfile.ZipFile(write(plan, folder, "ibsim", **options)) as archive:
        archive.extractall(folder / "fabric")
    return folder / "fabric"


def rehearsed(folder, *engine):
    environment = {**os.environ, "PATH": PATH, "TIMEOUT": "120"}
    command = ["sh", str(folder / "rehearse.sh"), *engine]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=500)


def links_of(text):
    """Every link of a file of ibnetdiscover, as the names and ports of both ends."""
    found, here = set(), None
    for line in text.splitlines():
        if head := re.match(r'(?:Switch|Ca)\s+\d+ "[SH]-\w+"\s+# "(.*?)"', line):
            here = head[1]
        elif port := re.match(r'\[(\d+)\](?:\(\w+\))?\s+"[SH]-\w+"\[(\d+)\](?:\(\w+\))?\s+#(?: lid \d+ lmc \d+)? "(.*?)"', line):
            found.add(frozenset([(here, int(port[1])), (port[3], int(port[2]))]))
    return found


def links_in(plan, network=0):
    """Every link of the plan; each port of a node is an adapter with one port."""
    inventory, made = plan.inventory, plan.cables
    routers = inventory.routers(network)

    def end(row, side):
        device = int(made.device[row, side])
        if routers.start <= device < routers.stop:
            return str(inventory.names[device]), int(made.port[row, side])
        return f"{inventory.names[device]} {adapter(plan, row)}", 1

    rows = range(*inventory.connections(network).indices(inventory.connection_count))
    return {frozenset([end(row, 0), end(row, 1)]) for row in rows}


def adapter(plan, row):
    """Name of the adapter at the second end: in a plan of named networks by the number of the port in its group."""
    if plan.network_names == ("",):
        return "mlx5_0"
    inventory, device = plan.inventory, plan.cables.device[row, 1]
    before = inventory.parts[inventory.part[device]].groups[: inventory.port_group[row, 1]]
    return f"mlx5_{plan.cables.port[row, 1] - 1 - sum(group.count for group in before)}"


def tables_of(path):
    """Port of each switch to each destination, by the GUIDs of both."""
    found, here = {}, None
    for line in path.read_text().splitlines():
        if head := re.match(r"Unicast lids .* guid 0x(\w+)", line):
            here = found.setdefault(head[1], {})
        elif entry := re.match(r"0x\w+\s+(\d+)\s.*portguid 0x(\w+)", line):
            here[entry[2]] = int(entry[1])
    return found


def assert_rehearsal(plan, folder, network=0):
    run = rehearsed(folder)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "subnets up, 0 errors in the log" in run.stdout
    assert links_of((folder / "rehearsal/discovered.net").read_text()) == links_in(plan, network)
    read = tables_of(folder / "rehearsal/tables.lft")
    assert read == tables_of(folder / "routes.lft")
    return read


def assert_routed(plan, folder, read, routing, network=0):
    """Return the neighbors that the routing table offers, and those that entries lead to, by router and target."""
    topology, inventory, made = plan.topology, plan.inventory, plan.cables
    first = inventory.routers(network).start
    table = routing_table(topology, routing)
    offered = {}
    for router, target, neighbor in zip(table.router.tolist(), table.target.tolist(), table.neighbor.tolist(), strict=True):
        offered.setdefault((router, target), set()).add(neighbor)
    with (folder / "guids.csv").open() as file:
        rows = list(csv.DictReader(file))
    port_guid = {(row["device"], row["adapter"]): row["port_guid"][2:].zfill(16) for row in rows}
    behind = {}
    for row in range(inventory.links(network).start, inventory.links(network).stop):
        for side in (0, 1):
            near, far = int(made.device[row, side]), int(made.device[row, 1 - side])
            behind[near - first, int(made.port[row, side])] = far - first
    used = {}
    routers = [port_guid[name, ""] for name in inventory.names[inventory.routers(network)].tolist()]
    for row in range(inventory.endpoints(network).start, inventory.endpoints(network).stop):
        own, node = inventory.ends[row].tolist()
        guid = port_guid[str(inventory.names[node]), adapter(plan, row)]
        for router, table_guid in enumerate(routers):
            if router == own - first:
                assert read[table_guid][guid] == made.port[row, 0]
            else:
                neighbor = behind[router, read[table_guid][guid]]
                assert neighbor in offered[router, own - first]
                used.setdefault((router, own - first), set()).add(neighbor)
    return offered, used


@pytest.mark.slow
def test_slim_fly_comes_up_as_planned(slimfly, tools, tmp_path):
    folder = unpacked(slimfly, tmp_path)
    read = assert_rehearsal(slimfly, folder)
    offered, used = assert_routed(slimfly, folder, read, "minimal")
    assert used == offered  # minimal paths of this network are unique
    assert {len(ports) for ports in offered.values()} == {1}


@pytest.mark.slow
def test_engines_of_opensm_bring_it_up_too(slimfly, tools, tmp_path):
    run = rehearsed(unpacked(slimfly, tmp_path), "nue")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "links: 375 planned, 375 discovered, 0 differ" in run.stdout


@pytest.mark.slow
def test_compute_fabric_of_the_superpod_comes_up_as_planned(superpod, tools, tmp_path):
    folder = unpacked(superpod, tmp_path, network="compute", routing="up_down")
    assert len((folder / "root_guids").read_text().split()) == 16
    read = assert_rehearsal(superpod, folder)
    offered, used = assert_routed(superpod, folder, read, "up_down")
    leaves = [pair for pair, ports in offered.items() if len(ports) == 16 and len(used[pair]) == 16]
    assert len(leaves) == 32 * 31


@pytest.mark.slow
@pytest.mark.parametrize(("network", "subnets"), [("storage", 1), ("inband", 1), ("oob", 10)])
def test_the_other_networks_come_up_too(network, subnets, superpod, tools, tmp_path):
    """Switches for management are subnets of their own, and so are the two cables between appliances."""
    folder = unpacked(superpod, tmp_path, network=network)
    run = rehearsed(folder)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"OpenSM: {subnets} of {subnets} subnets up, 0 errors in the log" in run.stdout
    rows = superpod.inventory.connections(superpod.network_names.index(network), direct=True)
    assert f"links: {rows.stop - rows.start} planned, {rows.stop - rows.start} discovered, 0 differ" in run.stdout


@pytest.mark.slow
def test_two_cables_that_are_swapped_are_found(slimfly, tools, tmp_path):
    folder = unpacked(slimfly, tmp_path)
    net = (folder / "fabric.net").read_text()
    ends = re.findall(r'"H-\w+"\[1\]\t\t# "E0(?:07|90) mlx5_0"', net)
    assert len(ends) == 2
    swapped = net.replace(ends[0], "?").replace(ends[1], ends[0]).replace("?", ends[1])
    hosts = re.findall(r'(?<=\t)"S-\w+"\[\d+\]\t\t# lid 0 lmc 0 "R\d+"', swapped)
    swapped = swapped.replace(hosts[7], "?").replace(hosts[90], hosts[7]).replace("?", hosts[90])
    script = (folder / "rehearse.sh").read_text()
    (folder / "built.net").write_text(swapped)
    (folder / "rehearse.sh").write_text(script.replace("$(cat limits) fabric.net", "$(cat limits) built.net"))
    run = rehearsed(folder)
    assert run.returncode == 1
    assert "links: 375 planned, 375 discovered, 4 differ" in run.stdout


@pytest.mark.slow
def test_planes_are_subnets_of_their_own(tools, tmp_path):
    inner = {"leaves": 2, "spines": 2, "uplinks": 2, "endpoints_per_leaf": 2}
    plan = make_plan(family="multiplane", plane="leafspine", planes=2, plane_parameters=inner, simulate=False)
    folder = unpacked(plan, tmp_path)
    assert len((folder / "attach").read_text().split()) == 2
    assert_rehearsal(plan, folder)


@pytest.mark.slow
def test_topograph_understands_the_discovered_fabric(slimfly, tools, tmp_path):
    """Its patterns for the text of ibnetdiscover, after pkg/ib/ib.go: a host has two words, a switch is called x;NAME:y."""
    folder = unpacked(slimfly, tmp_path, switch_name="MF0;{name}:MSB7800/U1")
    run = rehearsed(folder)
    assert run.returncode == 0, run.stdout + run.stderr
    text = (folder / "rehearsal/discovered.net").read_text()
    assert "Topology file:" in text
    hosts = re.findall(r'^Ca\s+\d+\s+"[^"]+"\s+# "([^"]+)"', text, re.MULTILINE)
    assert sorted(host.split()[0] for host in hosts if len(host.split()) == 2) == [f"E{number:03d}" for number in range(200)]
    switches = re.findall(r'^Switch\s+\d+\s+"[^"]+"\s+# "([^"]+)"', text, re.MULTILINE)
    assert sorted(name.partition(";")[2].partition(":")[0] for name in switches) == [f"R{number:03d}" for number in range(50)]


def test_every_file_can_be_read_without_the_tools(twin, tmp_path):
    folder = unpacked(twin, tmp_path)
    assert links_of((folder / "fabric.net").read_text()) == links_in(twin)
    names = dict(re.findall(r'^(0x\w{16}) "(.*)"$', (folder / "node-name-map").read_text(), re.MULTILINE))
    assert len(set(names.values())) == len(names) == twin.topology.router_count + twin.topology.endpoint_count
    assert "R000" in names.values()
    assert "E003 mlx5_0" in names.values()


def test_what_infiniband_cannot_do_is_refused(plan, tmp_path):
    with pytest.raises(InputError, match=r"packets of valiant may pass router \d+ twice"):
        write(plan, tmp_path, "ibsim", routing="valiant")
    with pytest.raises(InputError, match=r"endpoint_port: 'my port' is not.*\nswitch_name: '' is not"):
        write(plan, tmp_path, "ibsim", endpoint_port="my port", switch_name="")
    with pytest.raises(InputError, match="there is no routing"):
        write(plan, tmp_path, "ibsim", routing="nowhere")
    with pytest.raises(InputError, match="there is no network 'compute'"):
        write(plan, tmp_path, "ibsim", network="compute")
