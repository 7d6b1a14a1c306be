"""Topology of containerlab: routers and nodes as containers, and their links, to rehearse configurations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from planner.domain.model import Plan
from planner.formats.syntax import yaml
from planner.view.ends import End, cables, plain
from planner.view.names import cabinet_names, device_names, is_named
from planner.view.selection import Selection, cables_of, one_network

ENDING = ".clab.yml"

_NAME = "A-Za-z0-9_.-"
_FIRST = "A-Za-z0-9_"
"""Names of containers; the first character is a letter, a digit or _."""


def write(
    plan: Plan,
    path: Path,
    *,
    kind: str = "linux",
    image: str = "alpine:3",
    node_kind: str = "linux",
    node_image: str = "alpine:3",
    network: str | None = None,
) -> None:
    """Write every device as a node with its cabinet and unit as labels, and every link between interfaces ``eth1`` ….

    Parameters
    ----------
    kind, image
        Kind and image of the routers, such as ``sonic-vs`` and ``docker-sonic-vs``.
    node_kind, node_image
        Those of other devices.
    network
        One of several networks, by default the first.

    Raises
    ------
    InputError
        When the plan has no cables, or no network of that name.

    References
    ----------
    .. [1] srl-labs/containerlab, schemas/clab.schema.json and docs/manual/topo-def-file.md.
    """
    selection = Selection(network=network).of_one_network(plan)
    cables_of(plan)
    made = list(cables(plan, selection))
    inventory, placement = plan.inventory, plan.placement
    routers = range(inventory.device_count)[inventory.routers(one_network(plan, selection.network).network)]
    names = device_names(plan)
    spelled = plain(names, _NAME, 60, _FIRST)
    slots = cabinet_names(plan)
    several = is_named(plan)

    def endpoint(end: End) -> str:
        return f"{spelled[end.name]}:eth{end.port if end.is_router or several else 1}"

    nodes: dict[str, Any] = {}
    for device in [*routers, *sorted({end.device for cable in made for end in (cable.a, cable.b)} - set(routers))]:
        labels = {"cabinet": slots[placement.cabinet[device]], "unit": str(placement.unit[device])}
        nodes[spelled[names[device]]] = {"kind": kind if device in routers else node_kind, "labels": labels}
        if kind == node_kind and image != node_image:
            nodes[spelled[names[device]]]["image"] = image if device in routers else node_image
    topology: dict[str, Any] = {"kinds": {node_kind: {"image": node_image}} | {kind: {"image": image}}, "nodes": nodes}
    if made:
        topology["links"] = [{"endpoints": [endpoint(cable.a), endpoint(cable.b)]} for cable in made]
    with path.open("w", encoding="utf-8", newline="") as file:
        lab = {"name": plain([plan.name], _NAME, 60, _FIRST)[plan.name], "topology": topology}
        file.writelines(line + "\n" for line in yaml.lines(lab))
