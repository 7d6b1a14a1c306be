"""Model of topograph and labels of Kubernetes nodes: the switches above each node, for schedulers that know the network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from planner.domain.model import Plan
from planner.formats.syntax import yaml
from planner.formats.workbook.book import archive
from planner.view.selection import one_network
from planner.view.tree import Tree, ranges, tree

ENDING = ".topograph.zip"

_LABEL = "fabric.topograph.run/tier-"


def write(plan: Plan, path: Path, *, role: str = "node", network: str | None = None) -> None:
    """Write ``model.yaml`` for topograph's simulation, and ``label-nodes.sh``, which labels the nodes of a cluster.

    Parameters
    ----------
    role
        Role of the devices that run jobs.
    network
        One of several networks, by default the first.

    Raises
    ------
    InputError
        When the plan has no network, none of that name, or no device of the role.

    References
    ----------
    .. [1] NVIDIA/topograph, docs/modeling.md and docs/reference/node-labels-and-annotations.md (version 1.0).
    """
    made = tree(one_network(plan, network), role)
    archive(path, {"model.yaml": yaml.lines(_model(made)), "label-nodes.sh": _labels(made)})


def _model(made: Tree) -> dict[str, Any]:
    return {
        "switches": {switch.name: {"switches": switch.children} for switch in made.switches if switch.level},
        "blocks": [{"switch": leaf.name, "nodes": list(ranges(leaf.children))} for leaf in made.leaves],
    }


def _labels(made: Tree) -> Iterator[str]:
    yield "#!/bin/sh"
    yield "# Labels the nodes with the switches above them: tier 0 is the leaf. Kueue, KAI and others read any labels."
    yield "set -e"
    parents = made.parents
    for leaf in made.leaves:
        above = [leaf.name]
        while above[-1] in parents:
            above.append(parents[above[-1]])
        words = " ".join(f"{_LABEL}{tier}={name}" for tier, name in enumerate(above))
        yield from (f"kubectl label node {node} --overwrite {words}" for node in leaf.children)
