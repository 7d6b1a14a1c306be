"""Connections between two nodes, without a router: pairs of managers, and other links back to back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from planner.core.errors import InputError, Problem, suggestion
from planner.core.section import collected
from planner.design.inventory.attached import group_of, numbers
from planner.design.inventory.tables import Direct, Network, Node
from planner.domain.parts import EndpointPart, RouterPart


class Pairs(NamedTuple):
    """Connections of one entry: kinds of node at both ends, nodes of these kinds from 0, port groups, and ports.

    `number` and `port` are int64 (n, 2) and (n,): both ends use the same port of their group.
    """

    kind: str
    node: tuple[str, str]
    number: np.ndarray
    group: tuple[int, int]
    port: np.ndarray


def direct(place: int, network: Network, nodes: Sequence[Node], parts: Mapping[str, RouterPart | EndpointPart]) -> list[Pairs]:
    """Return the connections between nodes that a network states.

    Parameters
    ----------
    place
        Number of the network, for messages.
    network, nodes
        The checked tables of the study.
    parts
        Catalog rows of all nodes.

    Raises
    ------
    InputError
        With the problems of all entries.
    """
    known, found = {node.name: node for node in nodes}, []
    problems: list[Problem] = []
    for number, each in enumerate(network.direct):
        with collected(problems, f"network.{place}.direct.{number}"):
            ends = (each.node, each.to or each.node)
            if unknown := [name for name in ends if name not in known]:
                key = "node" if unknown[0] == each.node else "to"
                raise InputError(Problem(key, f"there is no node {unknown[0]!r}", suggestion(unknown[0], known)))
            found.append(_pairs(each, known[ends[0]], known[ends[1]], parts, network.name))
    if problems:
        raise InputError(problems)
    return found


def _pairs(each: Direct, one: Node, two: Node, parts: Mapping[str, RouterPart | EndpointPart], network: str) -> Pairs:
    group = group_of(parts[one.part], each.ports), group_of(parts[two.part], each.ports)
    ports, others = (parts[node.part].groups[number].count for node, number in zip((one, two), group, strict=True))
    if ports != others:
        message = f"{one.name} has {ports} ports in this group, {two.name} has {others}"
        raise InputError(Problem("ports", message, "use groups with equal numbers of ports"))
    first, second = numbers(each, one), numbers(each, two)
    if one is two:
        if len(first) % 2:
            message = f"{len(first)} {one.name} do not form pairs"
            raise InputError(Problem("count", message, "use an even number of nodes, or name another kind with to"))
        first, second = first[::2], first[1::2]
    if len(first) != len(second):
        message = f"{len(first)} {one.name} and {len(second)} {two.name} do not form pairs"
        raise InputError(Problem("count", message, "state the number of pairs with count"))
    number = np.repeat(np.column_stack([first, second]), ports, axis=0)
    kind = each.kind or each.ports or network
    return Pairs(kind, (one.name, two.name), number, group, np.tile(np.arange(ports), len(first)))


def used_twice(
    names: np.ndarray, part: np.ndarray, ends: np.ndarray, group: np.ndarray, port: np.ndarray, groups: Sequence
) -> Iterator[Problem]:
    """Yield a problem for each port group with a port that has several connections.

    Parameters
    ----------
    names, part
        Name and part of each device, (D,).
    ends, group, port
        Devices, port groups and fixed ports of connections, int64 (W, 2); a port of -1 is chosen later.
    groups
        Port groups of each part.
    """
    rows = np.stack([ends, group, port], axis=-1).reshape(-1, 3)
    keys, count = np.unique(rows[rows[:, 2] >= 0], axis=0, return_counts=True)
    keys = keys[count > 1]
    _, first = np.unique(np.column_stack([part[keys[:, 0]], keys[:, 1]]), axis=0, return_index=True)
    for device, number, place in keys[first].tolist():
        own = groups[part[device]][number]
        message = f"port {place + 1} of the group {own.name} of {names[device]} is connected twice"
        yield Problem("network", message, "attach each port once; count, skip and per_device choose devices and ports")
