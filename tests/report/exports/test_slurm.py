"""Topology files of Slurm: its controller reads the tree; the YAML file follows the schema of its manual."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import time
import zipfile
from getpass import getuser
from itertools import pairwise, product

import pytest
import yaml
from shared.gallery import planned
from shared.small_plans import make_plan

from planner.core.errors import InputError
from planner.formats import write
from planner.view.tree import hostlist

TOOLS = ("slurmctld", "munged", "scontrol")
PATH = f"{os.environ['PATH']}:/usr/sbin:/sbin"

CONF = """
ClusterName=plan
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CryptoType=crypto/munge
SlurmUser={user}
SlurmctldPort={port}
SlurmdPort={next_port}
StateSaveLocation={folder}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
TopologyPlugin=topology/tree
ReturnToService=2
MpiDefault=none
NodeName={nodes} NodeAddr=127.0.0.1 Port=[20001-{last}] CPUs=1 State=UNKNOWN
PartitionName=p Nodes=ALL Default=YES
"""


@pytest.fixture(scope="session")
def controller(tmp_path_factory):
    """A function that starts the real controller with a topology and returns what it shows; skipped without it, except in CI."""
    missing = [name for name in TOOLS if shutil.which(name, path=PATH) is None]
    packages = "slurmctld slurm-client munge slurm-wlm-basic-plugins"
    if missing:
        assert "CI" not in os.environ, f"CI must have them: apt-get install {packages}"
        pytest.skip(f"no {missing[0]} on this machine: apt-get install {packages}")
    folder = tmp_path_factory.mktemp("slurm")
    environment = {**os.environ, "PATH": PATH, "SLURM_CONF": str(folder / "slurm.conf")}
    (folder / "key").write_bytes(bytes(range(256)) * 4)
    (folder / "key").chmod(0o400)
    folder.chmod(0o755)
    files = {"key-file": "key", "socket": "munge.sock", "pid-file": "munged.pid", "log-file": "munged.log", "seed-file": "seed"}
    options = [f"--{option}={folder / file}" for option, file in files.items()]
    munge = subprocess.Popen(["munged", "--foreground", "--force", *options], env=environment, stderr=subprocess.DEVNULL)

    def shown(topology, nodes, count):
        port = free_port()
        (folder / "topology.conf").write_text(topology)
        about = {"host": socket.gethostname(), "user": getuser(), "folder": folder, "nodes": nodes, "last": 20000 + count}
        (folder / "slurm.conf").write_text(CONF.format(port=port, next_port=port + 1, **about))
        with (folder / "out").open("w") as out:
            process = subprocess.Popen(["slurmctld", "-D", "-c"], env=environment, stdout=out, stderr=out)
        try:
            for _ in range(120):
                time.sleep(0.25)
                if process.poll() is not None:
                    return None, (folder / "out").read_text()
                command = ["timeout", "5", "scontrol", "--oneliner", "show", "topology"]
                run = subprocess.run(command, env=environment, capture_output=True, text=True)
                if run.returncode == 0 and "SwitchName" in run.stdout:
                    return run.stdout, (folder / "out").read_text()
            raise AssertionError((folder / "out").read_text())
        finally:
            process.kill()
            process.wait()

    yield shown
    munge.terminate()
    munge.wait()


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def expanded(text):
    """Names of a host list, read with code of its own."""
    found = []
    for head, inside in re.findall(r"([^,\[]+)(?:\[([^\]]*)\])?,?", text):
        numbers = []
        for part in inside.split(",") if inside else []:
            first, _, last = part.partition("-")
            numbers += [f"{number:0{len(first)}d}" for number in range(int(first), int(last or first) + 1)]
        found += [head + number for number in numbers] if inside else [head]
    return found


def read(plan, folder, **options):
    with zipfile.ZipFile(write(plan, folder, "slurm", **options)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def switches(text):
    """Children of each switch, and its nodes, of lines ``SwitchName=…``."""
    found = {}
    for line in text.splitlines():
        if fields := dict(re.findall(r"(\w+)=(\S+)", line if line.startswith("SwitchName") else "")):
            found[fields["SwitchName"]] = tuple(sorted(expanded(fields.get(key, ""))) for key in ("Switches", "Nodes"))
    return found


@pytest.fixture(scope="module")
def slimfly(tmp_path_factory):
    return planned("slimfly-200", tmp_path_factory.mktemp("slimfly"), until="inventory")


@pytest.fixture(scope="module")
def superpod(tmp_path_factory):
    return planned("superpod-h100", tmp_path_factory.mktemp("superpod"), until="inventory")


def by_first_router(plan, node_role="node"):
    """Nodes of each router by name, straight from the connections."""
    inventory, found, seen = plan.inventory, {}, set()
    for router, node in inventory.ends[inventory.endpoints(plan.network)].tolist():
        if inventory.role_names[inventory.role[node]] == node_role and node not in seen:
            seen.add(node)
            found.setdefault(str(inventory.names[router]), []).append(str(inventory.names[node]))
    return {leaf: sorted(nodes) for leaf, nodes in found.items()}


@pytest.mark.slow
@pytest.mark.parametrize("which", ["slimfly", "superpod"])
def test_the_controller_reads_the_tree(which, request, controller, tmp_path):
    plan = request.getfixturevalue(which)
    text = read(plan, tmp_path)["topology.conf"]
    leaves = by_first_router(plan)
    nodes = sorted(node for names in leaves.values() for node in names)
    shown, log = controller(text, hostlist(nodes), len(nodes))
    assert shown is not None, log
    assert not re.search(r"(error|fatal).*(topo|switch)", log, re.IGNORECASE)
    planned, found = switches(text), switches(shown)
    assert {leaf: own for leaf, (_, own) in planned.items() if leaf in leaves} == leaves
    assert found.keys() == planned.keys()
    for name, (children, own) in planned.items():
        below = set(own)
        waiting = list(children)
        while waiting:
            further, inside = planned[waiting.pop()]
            below |= set(inside)
            waiting += further
        assert set(found[name][1]) == below
        assert set(found[name][0]) == set(children)
    (root,) = set(planned) - {child for children, _ in planned.values() for child in children}
    assert sorted(found[root][1]) == nodes


@pytest.mark.slow
def test_the_controller_refuses_a_switch_that_is_missing(slimfly, controller, tmp_path):
    text = read(slimfly, tmp_path)["topology.conf"].replace("SwitchName=R007 Nodes=E[028-031]\n", "")
    shown, log = controller(text, "E[000-199]", 200)
    assert shown is None
    assert "invalid child (R007)" in log


@pytest.mark.slow
def test_levels(tmp_path):
    three = make_plan(family="fattree", k=4, levels=3, simulate=False)
    found = switches(read(three, tmp_path / "three")["topology.conf"])
    sizes = [len(children) for children, _ in found.values() if children]
    assert sizes == [4, 4, 4, 4, 4]  # a 4-ary 3-tree has 16 leaves in 4 subtrees
    assert "no tree" not in read(three, tmp_path / "three")["topology.conf"]
    groups = make_plan(family="dragonfly", a=4, h=1, endpoints_per_router=2, simulate=False)
    text = read(groups, tmp_path / "groups")["topology.conf"]
    assert "# The network is no tree" in text
    assert [len(children) for children, _ in switches(text).values() if children] == [4, 4, 4, 4, 4, 5]
    planes = {"leaves": 2, "spines": 2, "uplinks": 2, "endpoints_per_leaf": 2}
    apart = make_plan(family="multiplane", plane="leafspine", planes=2, plane_parameters=planes, simulate=False)
    roots = switches(read(apart, tmp_path / "apart")["topology.conf"])
    assert [name for name, (children, _) in roots.items() if children] == ["spine1", "spine2"]


@pytest.mark.parametrize("blocks", ["leaf", "cabinet"])
def test_yaml_has_the_tree_and_blocks_of_the_other_files(plan, blocks, tmp_path):
    files = read(plan, tmp_path, blocks=blocks)
    tree, by_block = yaml.safe_load(files["topology.yaml"])
    assert set(tree) == {"topology", "cluster_default", "tree"}
    assert [tree["cluster_default"], by_block["cluster_default"]] == [True, False]
    entries = {
        entry["switch"]: tuple(sorted(expanded(entry.get(key, ""))) for key in ("children", "nodes"))
        for entry in tree["tree"]["switches"]
    }
    assert entries == switches(files["topology.conf"])
    lines = dict(re.findall(r"^BlockName=(\S+) Nodes=(\S+)$", files["topology-block.conf"], re.MULTILINE))
    assert {entry["block"]: entry["nodes"] for entry in by_block["block"]["blocks"]} == lines
    nodes = [expanded(text) for text in lines.values()]
    assert len(nodes) == (50 if blocks == "leaf" else plan.placement.cabinet_count)
    assert sorted(node for own in nodes for node in own) == [f"E{number:03d}" for number in range(100)]
    sizes = by_block["block"]["block_sizes"]
    assert sizes[0] == min(map(len, nodes))
    assert all(larger == 2 * size for size, larger in pairwise(sizes))
    assert sizes[-1] <= sizes[0] * len(nodes) < 2 * sizes[-1]


def test_names_of_any_kind_are_words(odd, tmp_path):
    files = read(odd, tmp_path, blocks="cabinet")
    for line in files["topology-block.conf"].splitlines()[1:-1]:
        assert re.fullmatch(r"BlockName=[A-Za-z0-9_.-]{1,63} Nodes=E[0-9\[\],-]+(,E[0-9\[\],-]+)*", line)


@pytest.mark.slow
def test_wrong_roles_are_named(superpod, tmp_path):
    with pytest.raises(InputError, match=r"there is no role 'nodes'.*there are UFM, node"):
        write(superpod, tmp_path, "slurm", role="nodes")
    with pytest.raises(InputError, match="the plan places no cabinets"):
        write(superpod, tmp_path, "slurm", blocks="cabinet")


def test_host_lists_name_every_host():
    names = [
        f"{head}{number}" for head, number in product(("a", "n1-", "x09y"), ("1", "01", "2", "03", "04", "05", "9", "10", ""))
    ]
    assert sorted(expanded(hostlist(names))) == sorted(names)
