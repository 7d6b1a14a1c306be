"""Network and cables as GraphML, for NetworkX, Gephi, yEd and Cytoscape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import Any
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from planner.domain.model import Plan
from planner.view.ends import require_network
from planner.view.names import device_names, is_named
from planner.view.selection import WHOLE, Selection, one_network
from planner.view.tables import Column, tables_of

ENDING = ".graphml"

_NODE = {
    "name": "string", "kind": "string", "role": "string", "cabinet": "string", "row": "string", "unit": "int", "x_mm": "int",
    "y_mm": "int", "endpoints": "int",
}  # fmt: skip
_TYPES = {"text": "string", "whole": "int"}

Facts = dict[str, Any]


def write(plan: Plan, path: Path, *, endpoints: bool = False, selection: Selection = WHOLE) -> None:
    """Write an undirected graph; nodes and edges have the data of the plan as attributes.

    Node ids are numbers: routers as in the network, endpoints after them. Groups are under the names of their levels.
    Edges run from the first end of a cable to the second. Control characters in names become spaces.

    Parameters
    ----------
    endpoints
        Whether to include endpoints and their cables; Planner can read them back.
    selection
        Which cables, with the devices at their ends; of several networks by default the first. Endpoints of a network are the
        devices whose ports are attached to it.

    Raises
    ------
    InputError
        When the plan has no network, or not the part of the selection.
    """
    require_network(plan)
    selection = selection.of_one_network(plan)
    plan = one_network(plan, selection.network)
    whole = replace(selection, network=None).is_whole
    rows = None if whole else set(selection.cables(plan).tolist())
    columns = tables_of(plan)["cables"].on("graph")
    edge_keys = {_name(column): _TYPES[column.content] for column in columns} | {"cable": "int", "delay_ps": "long"}
    groups = [f"group_{name}" for name in plan.topology.group_names]
    node_keys = {**_NODE, **dict.fromkeys(groups, "int")}
    if not is_named(plan):
        del node_keys["role"]
    if endpoints:
        del node_keys["endpoints"]
    keys = {("node", name): f"n{number}" for number, name in enumerate(node_keys)}
    keys |= {("edge", name): f"e{number}" for number, name in enumerate(edge_keys)}
    with path.open("w", encoding="utf-8", newline="") as file:
        xml = XMLGenerator(file, "utf-8", short_empty_elements=True)
        xml.startDocument()
        _open(xml, "graphml", xmlns="http://graphml.graphdrawing.org/xmlns")
        for (owner, name), key in keys.items():
            kind = (node_keys if owner == "node" else edge_keys)[name]
            _open(xml, "key", **{"id": key, "for": owner, "attr.name": name, "attr.type": kind})
            xml.endElement("key")
        _open(xml, "graph", edgedefault="undirected")
        devices = _devices(plan, endpoints)
        touched = set(devices) if rows is None else set(plan.cables.device[sorted(rows)].ravel().tolist())
        for number, (device, facts) in enumerate(zip(devices, _nodes(plan, devices, groups, endpoints), strict=True)):
            if device in touched:
                _element(xml, "node", {"id": str(number)}, facts, keys)
        ids = {device: str(number) for number, device in enumerate(devices)}
        for number, (source, target, facts) in enumerate(_edges(plan, columns, endpoints, rows)):
            _element(xml, "edge", {"id": f"c{number}", "source": ids[source], "target": ids[target]}, facts, keys)
        xml.endElement("graph")
        xml.endElement("graphml")
        file.write("\n")


def _name(column: Column) -> str:
    return "class" if column.name == "kind" else column.name


def _devices(plan: Plan, endpoints: bool) -> list[int]:
    """Return the routers of the network, then the devices that own its endpoints, by their numbers in the plan."""
    first = plan.inventory.routers(plan.network).start if plan.inventory is not None else 0
    routers = list(range(first, first + plan.topology.router_count))
    return [*routers, *sorted({device for _, device in _endpoints(plan)})] if endpoints else routers


def _nodes(plan: Plan, devices: list[int], groups: list[str], endpoints: bool) -> Iterator[Facts]:
    topology, placement, room, inventory = plan.topology, plan.placement, plan.room, plan.inventory
    names = device_names(plan)
    # Nodes are in the groups of their first router.
    attached = topology.endpoints_of.tolist()
    router_of = {node: router - devices[0] for router, node in reversed(_endpoints(plan))} if devices else {}
    for place, device in enumerate(devices):
        is_router = place < topology.router_count
        facts: Facts = {"name": names[device], "kind": "router" if is_router else "endpoint"}
        if is_named(plan):
            facts["role"] = inventory.role_names[inventory.role[device]]
        facts |= dict(zip(groups, topology.group[place if is_router else router_of[device]].tolist(), strict=True))
        if placement is not None:
            slot = placement.slot_of[placement.cabinet[device]]
            x, y = room.slot_xy[slot].tolist()
            row, unit = room.row_names[room.slot_row[slot]], int(placement.unit[device])
            facts |= {"cabinet": room.slot_names[slot], "row": row, "unit": unit, "x_mm": x, "y_mm": y}
        if not endpoints:
            facts["endpoints"] = attached[place]
        yield facts


def _endpoints(plan: Plan) -> list[tuple[int, int]]:
    """Return router and node of each endpoint, as devices."""
    if plan.inventory is not None:
        return plan.inventory.ends[plan.inventory.endpoints(plan.network)].tolist()
    return [
        (router, plan.topology.router_count + endpoint) for endpoint, router in enumerate(plan.topology.endpoint_router.tolist())
    ]


def _edges(plan: Plan, columns: Sequence[Column], endpoints: bool, wanted: set[int] | None) -> Iterator[tuple[int, int, Facts]]:
    topology, inventory = plan.topology, plan.inventory
    if plan.cables is None:
        first = inventory.routers(plan.network).start if inventory is not None else 0
        for (a, b), kind in zip(topology.links.tolist(), topology.link_class.tolist(), strict=True):
            yield a + first, b + first, {"class": topology.link_class_names[kind]}
        for router, node in _endpoints(plan) if endpoints else ():
            yield router, node, {"class": "endpoint"}
        return
    made, table = plan.cables, tables_of(plan)["cables"]
    cables = zip(count(), made.device.tolist(), made.piece.tolist(), made.delay_ps.tolist(), table.rows(plan, columns))
    chosen = inventory.connections(plan.network) if endpoints else inventory.links(plan.network)
    names = [_name(column) for column in columns]
    for number, (a, b), piece, delay_ps, cells in islice(cables, chosen.start, chosen.stop):
        if wanted is not None and number not in wanted:
            continue
        facts = {name: cell for name, cell in zip(names, cells, strict=True) if cell is not None}
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
    xml.startElement(name, AttributesImpl(attributes))


def _printable(text: str) -> str:
    """Replace unprintable characters by spaces: XML forbids control characters."""
    return "".join(c if c.isprintable() else " " for c in text)
