"""Network and cables as GraphML, for NetworkX, Gephi, yEd and Cytoscape."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from xml.sax.saxutils import XMLGenerator

from planner.model import Plan
from planner.report._ends import require_network
from planner.report._names import device_names
from planner.report.tables import TABLES

ENDING = ".graphml"

_NODE = {
    "name": "string", "kind": "string", "cabinet": "string", "row": "string", "unit": "int", "x_mm": "int", "y_mm": "int",
}  # fmt: skip
_TYPES = {"text": "string", "whole": "int"}
_COLUMNS = TABLES["cables"].on("graph")
_NAMES = ["class" if column.name == "kind" else column.name for column in _COLUMNS]
_EDGE = {
    **{name: _TYPES[column.content] for name, column in zip(_NAMES, _COLUMNS, strict=True)}, "cable": "int", "delay_ps": "long",
}  # fmt: skip

Facts = dict[str, Any]


def write(plan: Plan, path: Path, *, endpoints: bool = False) -> None:
    """Write an undirected graph; nodes and edges have the data of the plan as attributes.

    Node ids are numbers: routers as in the plan, endpoints after them. Groups are under the names of their levels.
    Edges run from the first end of a cable to the second. Control characters in names become spaces.

    Parameters
    ----------
    endpoints
        Whether to include endpoints and their cables; Planner can read them back.

    Raises
    ------
    InputError
        When the plan has no network.
    """
    require_network(plan)
    groups = [f"group_{name}" for name in plan.topology.group_names]
    node_keys = {**_NODE, **dict.fromkeys(groups, "int")}
    keys = {("node", name): f"n{number}" for number, name in enumerate(node_keys)}
    keys |= {("edge", name): f"e{number}" for number, name in enumerate(_EDGE)}
    with path.open("w", encoding="utf-8", newline="") as file:
        xml = XMLGenerator(file, "utf-8", short_empty_elements=True)
        xml.startDocument()
        _open(xml, "graphml", xmlns="http://graphml.graphdrawing.org/xmlns")
        for (owner, name), key in keys.items():
            kind = (node_keys if owner == "node" else _EDGE)[name]
            _open(xml, "key", **{"id": key, "for": owner, "attr.name": name, "attr.type": kind})
            xml.endElement("key")
        _open(xml, "graph", edgedefault="undirected")
        for number, facts in enumerate(_nodes(plan, groups, endpoints)):
            _element(xml, "node", {"id": str(number)}, facts, keys)
        for number, (source, target, facts) in enumerate(_edges(plan, endpoints)):
            _element(xml, "edge", {"id": f"c{number}", "source": str(source), "target": str(target)}, facts, keys)
        xml.endElement("graph")
        xml.endElement("graphml")
        file.write("\n")


def _nodes(plan: Plan, groups: list[str], endpoints: bool) -> Iterator[Facts]:
    topology, placement, room = plan.topology, plan.placement, plan.room
    routers = topology.router_count
    # Nodes are in the groups of their first router.
    group_of = {node: router for router, node in reversed(_endpoints(plan))}
    for device, name in enumerate(device_names(plan)[: None if endpoints else routers]):
        facts: Facts = {"name": name, "kind": "router" if device < routers else "endpoint"}
        facts |= dict(zip(groups, topology.group[group_of.get(device, device)].tolist(), strict=True))
        if placement is not None:
            slot = placement.slot_of[placement.cabinet[device]]
            x, y = room.slot_xy[slot].tolist()
            row, unit = room.row_names[room.slot_row[slot]], int(placement.unit[device])
            facts |= {"cabinet": room.slot_names[slot], "row": row, "unit": unit, "x_mm": x, "y_mm": y}
        yield facts


def _endpoints(plan: Plan) -> list[tuple[int, int]]:
    """Return router and node of each endpoint, as devices."""
    if plan.inventory is not None:
        return plan.inventory.ends[plan.inventory.endpoints()].tolist()
    return [
        (router, plan.topology.router_count + endpoint) for endpoint, router in enumerate(plan.topology.endpoint_router.tolist())
    ]


def _edges(plan: Plan, endpoints: bool) -> Iterator[tuple[int, int, Facts]]:
    topology = plan.topology
    if plan.cables is None:
        for (a, b), kind in zip(topology.links.tolist(), topology.link_class.tolist(), strict=True):
            yield a, b, {"class": topology.link_class_names[kind]}
        for router, node in _endpoints(plan) if endpoints else ():
            yield router, node, {"class": "endpoint"}
        return
    made, table = plan.cables, TABLES["cables"]
    rows = zip(made.device.tolist(), made.piece.tolist(), made.delay_ps.tolist(), table.rows(plan, _COLUMNS), strict=True)
    chosen = plan.inventory.connections() if endpoints else plan.inventory.links()
    for (a, b), piece, delay_ps, cells in islice(rows, chosen.start, chosen.stop):
        facts = {name: cell for name, cell in zip(_NAMES, cells, strict=True) if cell is not None}
        yield a, b, facts | {"cable": piece + 1, "delay_ps": delay_ps}


def _element(xml: XMLGenerator, name: str, attributes: dict[str, str], facts: Facts, keys: dict[tuple[str, str], str]) -> None:
    xml.characters("\n")
    _open(xml, name, **attributes)
    for fact, value in facts.items():
        _open(xml, "data", key=keys[name, fact])
        xml.characters(_printable(str(value)))
        xml.endElement("data")
    xml.endElement(name)


def _open(xml: XMLGenerator, name: str, **attributes: str) -> None:
    xml.startElement(name, attributes)


def _printable(text: str) -> str:
    """Replace unprintable characters by spaces: XML forbids control characters."""
    return "".join(c if c.isprintable() else " " for c in text)
