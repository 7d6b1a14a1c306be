"""Topology files of Slurm: the network as a tree of switches and as blocks, for topology.conf and topology.yaml."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import Plan
from planner.formats.syntax import yaml
from planner.formats.workbook.book import archive
from planner.view.ends import distinct, plain
from planner.view.names import cabinet_names, device_names
from planner.view.selection import one_network
from planner.view.tree import Tree, hostlist, tree

ENDING = ".slurm.zip"

_NAME = "A-Za-z0-9_.-"


def write(
    plan: Plan, path: Path, *, role: str = "node", blocks: Literal["leaf", "cabinet"] = "leaf", network: str | None = None
) -> None:
    """Write ``topology.conf`` for the plugin tree, ``topology-block.conf`` for the plugin block, and both as ``topology.yaml``.

    Parameters
    ----------
    role
        Role of the devices that run jobs.
    blocks
        Whether a block has the nodes of a leaf or those of a cabinet.
    network
        One of several networks, by default the first.

    Raises
    ------
    InputError
        When the plan has no network, none of that name, no device of the role, or no cabinets where blocks need them.

    References
    ----------
    .. [1] SchedMD/slurm, doc/man/man5/topology.conf.5 and topology.yaml.5.
    """
    plan = one_network(plan, network)
    made = tree(plan, role)
    domains = {leaf.name: leaf.children for leaf in made.leaves} if blocks == "leaf" else _by_cabinet(plan, made)
    files = {
        "topology.conf": _tree_lines(plan, made),
        "topology-block.conf": _block_lines(plan, domains),
        "topology.yaml": ["---", *yaml.lines(_topologies(made, domains))],
    }
    archive(path, files)


def _tree_lines(plan: Plan, made: Tree) -> Iterator[str]:
    yield f"# {plan.name}: tree of switches; in slurm.conf: TopologyPlugin=topology/tree"
    if made.is_approximate:
        yield "# The network is no tree: leaves are its routers, and upper levels its groups."
        yield "# TopologyParam=dragonfly spreads jobs that do not fit a leaf over many leaves."
    for switch in made.switches:
        yield f"SwitchName={switch.name} {'Switches' if switch.level else 'Nodes'}={hostlist(switch.children)}"


def _block_lines(plan: Plan, domains: dict[str, list[str]]) -> Iterator[str]:
    yield f"# {plan.name}: blocks of nodes; in slurm.conf: TopologyPlugin=topology/block (Slurm 23.11 and later)"
    yield from (f"BlockName={name} Nodes={hostlist(nodes)}" for name, nodes in domains.items())
    if domains:
        yield f"BlockSizes={','.join(map(str, _sizes(domains)))}"


def _sizes(domains: dict[str, list[str]]) -> list[int]:
    """Return the nodes of the smallest block and its multiples by powers of two, up to the number of blocks."""
    smallest = min(len(nodes) for nodes in domains.values())
    return [smallest << power for power in range(len(domains).bit_length())]


def _topologies(made: Tree, domains: dict[str, list[str]]) -> list[dict[str, Any]]:
    if not domains:
        return [{"topology": "flat", "cluster_default": True, "flat": True}]
    switches = [
        {"switch": switch.name, "children" if switch.level else "nodes": hostlist(switch.children)} for switch in made.switches
    ]
    entries = [{"block": name, "nodes": hostlist(nodes)} for name, nodes in domains.items()]
    return [
        {"topology": "fabric", "cluster_default": True, "tree": {"switches": switches}},
        {"topology": "blocks", "cluster_default": False, "block": {"block_sizes": _sizes(domains), "blocks": entries}},
    ]


def _by_cabinet(plan: Plan, made: Tree) -> dict[str, list[str]]:
    """Return the nodes of each cabinet, in the order of their slots."""
    if plan.placement is None:
        raise InputError(Problem("blocks", "the plan places no cabinets", "run the study to its end"))
    names = device_names(plan)
    spelled = plain(names, _NAME, 63)
    cabinet = {spelled[name]: int(own) for name, own in zip(names, plan.placement.cabinet.tolist(), strict=True)}
    called = distinct(plain(cabinet_names(plan), _NAME, 63), 63)
    found: dict[int, list[str]] = {}
    for leaf in made.leaves:
        for node in leaf.children:
            found.setdefault(cabinet[node], []).append(node)
    order = sorted(found, key=np.argsort(np.argsort(plan.placement.slot_of, kind="stable")).tolist().__getitem__)
    return {called[cabinet_names(plan)[number]]: sorted(found[number]) for number in order}
