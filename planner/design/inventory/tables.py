"""The tables of a study with several networks: ``[[network]]`` and ``[[node]]``, checked one by one and against each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le, Predicate

from planner.core import reading, registry
from planner.core.errors import InputError, Problem, suggestion
from planner.core.section import Section, collected, element
from planner.core.section import read as read_section
from planner.design.inventory.racks import Cabinets
from planner.domain.parts import Name, Positive
from planner.domain.parts.ports import MANAGEMENT

MAX_COUNT = 1_000_000
"""Maximum number of devices of one kind of node."""

ROLE = "node"

At = Literal["bottom", "top", "middle"] | Positive
"""Where in a cabinet devices are located: stacked from one end, in the middle, or from a first rack unit upward."""

Sets = str | tuple[str, ...]
"""One set of cabinets, or several in order."""


@dataclass(frozen=True, kw_only=True)
class Node:
    """Equal computers or appliances that own ports.

    Parameters
    ----------
    name
        Name of the kind, used by attachments.
    part
        Catalog row of kind ``endpoint``, with its groups of ports.
    count
        Number of devices.
    per_cabinet
        Number in each cabinet, such as 4; by default all that fit.
    unit
        Devices of one scalable unit, which stay together; by default all.
    names
        Template of the names of the devices, with ``{n}`` from 1; by default the name of the kind and a number.
    role
        Role in tables, labels and exports, such as ``storage``.
    cabinets
        Set of cabinets that these devices share with others, see ``[[cabinets]]``; by default cabinets of their own. Over several
        sets they are distributed evenly, in order.
    at
        Where in its cabinet a device is located: ``"bottom"``, from the lowest free units up; ``"top"``, from the highest down;
        ``"middle"``; or a rack unit, the lowest of the first of these devices. Others are stacked around them.
    """

    __pydantic_config__ = {"extra": "forbid"}

    name: Name
    part: Name
    count: Annotated[int, Ge(1), Le(MAX_COUNT)]
    per_cabinet: Positive | None = None
    unit: Positive | None = None
    names: str = ""
    role: Name = ROLE
    cabinets: Sets = ""
    at: At = "bottom"

    @property
    def homes(self) -> tuple[str, ...]:
        """Sets of cabinets of these devices."""
        return _listed(self.cabinets) or (self.name,)


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """Ports that become endpoints of a network, and the rule that chooses the router of each.

    Parameters
    ----------
    rule
        Rule, see ``planner list attachment``; its parameters are keys as well.
    node
        Kind of node whose ports are attached.
    routers
        Networks whose routers are attached, by their management ports or, as uplinks, by free ports.
    ports
        Group of ports, such as ``compute``; by default the only group, or ``mgmt`` of routers.
    count
        Number of devices, the first ones; by default all.
    skip
        Number of devices left out before them.
    per_device
        Number of ports of each device; by default all of the group.
    router_ports
        Group of ports of the routers that takes them, such as ``split``; by default that of their links, of which they get the
        ports that these leave.
    kind
        Kind of the connections in the schedule; by default the name of the group.
    spread
        What the ports of one device must not all depend on, so that no failure disconnects it: ``"routers"``, ``"cabinets"`` of
        the routers, power ``"feeds"``, segments of ``"trays"``. Cables take detours for this; the verifier reports what remains.
    parameters
        Parameters of the rule, once checked.
    """

    rule: Name
    node: str = ""
    routers: tuple[Name, ...] = ()
    ports: str = ""
    count: Positive | None = None
    skip: Annotated[int, Ge(0)] = 0
    per_device: Positive | None = None
    router_ports: str = ""
    kind: str = ""
    spread: tuple[Literal["routers", "cabinets", "feeds", "trays"], ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Direct:
    """Cables between two nodes without a router, such as those of two managers back to back.

    Port r of the first node of a pair is connected with port r of the second.

    Parameters
    ----------
    node
        Kind of node. Without `to`, successive nodes form pairs: the first and the second, the third and the fourth.
    to
        Another kind of node: its first node with the first of `node`, and so on.
    ports
        Group of ports; by default the only group.
    count
        Number of nodes of each kind, the first ones; by default all.
    skip
        Number of nodes left out before them.
    kind
        Kind of the connections in the schedule; by default the name of the group.
    """

    __pydantic_config__ = {"extra": "forbid"}

    node: Name
    to: str = ""
    ports: str = ""
    count: Positive | None = None
    skip: Annotated[int, Ge(0)] = 0
    kind: str = ""


@dataclass(frozen=True, kw_only=True)
class Network:
    """One network of several.

    Parameters
    ----------
    name
        Name, unique in the study.
    topology
        Family and its parameters, as in ``[topology]``.
    parts
        Catalog row of kind ``router`` for each role of the family: ``{ leaf = "…", spine = "…" }``.
    attach
        Attachments, in this order.
    direct
        Cables between two nodes that belong to this network: on its schedule and bill, but no part of its topology.
    place
        Set of cabinets of the routers of each role, see ``[[cabinets]]``: that of a kind of node for switches in the cabinets of
        these nodes; by default one set for all routers of the network. Over several sets they are distributed evenly, in order.
    cables, media
        As in ``[catalog]``, for the connections of this network.
    names
        Template of the names of the routers of each role, with ``{n}`` from 1.
    at
        Where in their cabinets the routers of each role are located, as for ``[[node]]``; by default at the top.
    """

    __pydantic_config__ = {"extra": "forbid"}

    name: Annotated[Name, Predicate(lambda name: "@" not in name and "/" not in name)]
    topology: dict[str, Any]
    parts: dict[str, Name]
    attach: tuple[dict[str, Any], ...] = ()
    direct: tuple[Direct, ...] = ()
    place: dict[str, Sets] = field(default_factory=dict)
    cables: tuple[str, ...] = ()
    media: tuple[Literal["passive copper", "active copper", "AOC", "transceiver"], ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    at: dict[str, At] = field(default_factory=dict)

    def homes(self, role: str) -> tuple[str, ...]:
        """Return the sets of cabinets of the routers of a role."""
        return _listed(self.place.get(role, "")) or (self.name,)

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """The checked attachments."""
        return tuple(Attachment(**entry) for entry in self.attach)


def _listed(sets: Sets) -> tuple[str, ...]:
    return sets if isinstance(sets, tuple) else (sets,) if sets else ()


def networks(network: tuple[Network, ...]) -> None:
    """Declare the argument of ``[[network]]``."""


def nodes(node: tuple[Node, ...]) -> None:
    """Declare the argument of ``[[node]]``."""


def cabinet_sets(cabinets: tuple[Cabinets, ...]) -> None:
    """Declare the argument of ``[[cabinets]]``."""


def checked_networks(arguments: dict[str, Any], topology: Section) -> dict[str, Any]:
    """Return the networks with checked topologies and attachments.

    Raises
    ------
    InputError
        With the problems of all of them.
    """
    problems: list[Problem] = list(_repeated("network", [network.name for network in arguments["network"]]))
    if not arguments["network"]:
        problems.append(Problem("", "a study needs a network", "write [[network]] or [topology]"))
    found = []
    for number, network in enumerate(arguments["network"]):
        checked, attach = network.topology, []
        with collected(problems, f"network.{number}.topology"):
            checked = read_section(topology, network.topology)
        for place, entry in enumerate(network.attach):
            with collected(problems, f"network.{number}.attach.{place}"):
                attach.append(_attachment(entry))
        found.append(replace(network, topology=checked, attach=tuple(attach)))
    if problems:
        raise InputError(problems)
    return {"network": tuple(found)}


_OWN = tuple(spec.name for spec in fields(Attachment) if spec.name != "parameters")


def _attachment(entry: dict[str, Any]) -> dict[str, Any]:
    """Return one attachment: its own keys, and the checked parameters of its rule."""
    own = {key: value for key, value in entry.items() if key in _OWN}
    given = entry.get("parameters", {key: value for key, value in entry.items() if key not in _OWN})
    checked = reading.construct(Attachment, own)
    function = element("attachment", checked.rule, "rule")
    parameters = reading.arguments(function, data=given, owner=checked.rule, given=registry.KINDS["attachment"].given)
    if bool(checked.node) == bool(checked.routers):
        raise InputError(Problem("node", "an attachment needs either node or routers", 'write node = "…"'))
    return {**own, "parameters": parameters}


def checked_nodes(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the nodes after checking their names.

    Raises
    ------
    InputError
        When two kinds have one name.
    """
    problems = list(_repeated("node", [node.name for node in arguments["node"]]))
    if problems:
        raise InputError(problems)
    return arguments


def checked_cabinets(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the sets of cabinets after checking their names.

    Raises
    ------
    InputError
        When two sets have one name.
    """
    if problems := list(_repeated("cabinets", [each.name for each in arguments["cabinets"]])):
        raise InputError(problems)
    return arguments


def _repeated(what: str, names: list[str]) -> Iterator[Problem]:
    for number, name in enumerate(names):
        if name in names[:number]:
            yield Problem(f"{what}.{number}.name", f"{name!r} is the name of two", "give each its own name")


def _cycles(uplinks: list[tuple[str, str]]) -> Iterator[list[str]]:
    """Yield the cycles of uplinks between networks."""
    if uplinks:
        # Networkx takes a tenth of the program's start.
        from networkx import DiGraph, simple_cycles

        yield from simple_cycles(DiGraph(uplinks))


def between(sections: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield the problems between tables: unknown nodes, networks and cabinets, nodes in no network, cycles of uplinks."""
    networks, nodes, sets = (sections.get(name, {}).get(name, ()) for name in ("network", "node", "cabinets"))
    kinds, names = {node.name for node in nodes}, [network.name for network in networks]
    attached = [(network.name, each) for network in networks for each in network.attachments]
    uplinks = [(network, name) for network, each in attached if each.ports not in ("", MANAGEMENT) for name in each.routers]
    for cycle in _cycles(uplinks):
        number = names.index(cycle[0])
        message = f"the uplinks of {' and '.join(cycle)} form a cycle"
        yield Problem(f"network.{number}.attach", message, "let one of them attach the routers of the other")
    homes = {home for node in nodes for home in node.homes} | {network.name for network in networks}
    homes |= {home for network in networks for role in network.place for home in network.homes(role)}
    for number, each in enumerate(sets):
        if each.name not in homes:
            yield Problem(f"cabinets.{number}.name", f"no device is in {each.name!r}", suggestion(each.name, homes))
    interior = sections.get("placement", {}).get("interior")
    two_feeds = bool(sections.get("catalog", {}).get("pdu")) and getattr(interior, "feeds", "") == "A+B"
    for number, network in enumerate(networks):
        for place, each in enumerate(network.attachments):
            if "feeds" in each.spread and not two_feeds:
                message = "no two power feeds are planned"
                remedy = 'choose a pdu in [catalog] and feeds = "A+B", or leave feeds out'
                yield Problem(f"network.{number}.attach.{place}.spread", message, remedy)
            where = f"network.{number}.attach.{place}"
            if each.node and each.node not in kinds:
                yield Problem(f"{where}.node", f"there is no node {each.node!r}", suggestion(each.node, kinds))
            for name in each.routers:
                if name not in names:
                    yield Problem(f"{where}.routers", f"there is no network {name!r}", suggestion(name, names))
    used = {each.node for _, each in attached}
    used |= {name for network in networks for each in network.direct for name in (each.node, each.to or each.node)}
    for number, node in enumerate(nodes):
        if node.name not in used:
            yield Problem(f"node.{number}", f"{node.name} is in no network", "attach it to a network, or remove it")
