"""Devices of several networks: the routers of each in turn, then the nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.core.errors import InputError, Problem
from planner.design.inventory.attached import Parts, device_names, router_names
from planner.design.inventory.racks import Kind
from planner.design.inventory.tables import Network, Node
from planner.domain.model import AT, Topology
from planner.domain.parts import EndpointPart, RouterPart


@dataclass(frozen=True, eq=False)
class Devices:
    """All devices: the routers of each network in turn, then the nodes of each kind."""

    parts: tuple[RouterPart | EndpointPart, ...]
    part: np.ndarray
    role: np.ndarray
    role_names: tuple[str, ...]
    names: np.ndarray
    at: np.ndarray
    first_router: np.ndarray
    first_node: dict[str, int]
    kinds: tuple[Kind, ...]

    @property
    def count(self) -> int:
        return len(self.part)

    @classmethod
    def of(cls, networks: Sequence[Network], nodes: Sequence[Node], topologies: Sequence[Topology], parts: Parts) -> Devices:
        used: list[str] = []
        roles: list[str] = []
        part, role, names, at, kinds, problems = [], [], [], [], [], list[Problem]()

        def number(listed: list[str], name: str) -> int:
            if name not in listed:
                listed.append(name)
            return listed.index(name)

        first_router, first = [0], 0
        for place, (network, topology) in enumerate(zip(networks, topologies, strict=True)):
            ids = [network.parts[name] for name in topology.role_names]
            part.append(np.array([number(used, each) for each in ids])[topology.role])
            role.append(np.array([number(roles, each) for each in topology.role_names])[topology.role])
            own = np.empty(topology.router_count, object)
            wanted = np.array([_at(network.at.get(each, "top")) for each in topology.role_names])
            at.append(wanted[topology.role])
            for index, name in enumerate(topology.role_names):
                members = np.flatnonzero(topology.role == index)
                try:
                    own[members] = router_names(network, topology, name, members)
                except InputError as error:
                    problems += error.located(section=f"network.{place}").problems
                role_kind = Kind(f"{network.name} {name}", parts[ids[index]], first + members)
                kinds += role_kind.over(network.homes(name))
            names.append(own)
            first += topology.router_count
            first_router.append(first)
        first_node = {}
        for place, node in enumerate(nodes):
            first_node[node.name] = first
            part.append(np.full(node.count, number(used, node.part)))
            role.append(np.full(node.count, number(roles, node.role)))
            at.append(np.full(node.count, _at(node.at)))
            try:
                names.append(np.array(device_names(node.names, node.name, node.count), object))
            except InputError as error:
                problems += error.located(section=f"node.{place}").problems
            member = first + np.arange(node.count)
            defines = node.per_cabinet is not None or not node.cabinets
            node_kind = Kind(node.name, parts[node.part], member, "", node.per_cabinet, node.unit, defines)
            kinds += node_kind.over(node.homes)
            first += node.count
        if problems:
            raise InputError(problems)
        every = np.concatenate(names)
        values, counts = np.unique(every.astype(str), return_counts=True)
        if (counts > 1).any():
            message = f"{int(counts.max())} devices have the name {values[np.argmax(counts)]}"
            raise InputError(Problem("names", message, "give networks and nodes other names or templates"))
        return cls(
            tuple(parts[name] for name in used), np.concatenate(part), np.concatenate(role), tuple(roles), every.astype(str),
            np.concatenate(at), np.array(first_router), first_node, tuple(kinds),
        )  # fmt: skip


def _at(wanted: str | int) -> int:
    return AT[wanted] if isinstance(wanted, str) else wanted
