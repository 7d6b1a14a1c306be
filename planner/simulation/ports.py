"""Nodes with several ports: the port that each message, or part of one, leaves and arrives by."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.kernels.packet.planes import fill_planes
from planner.network.metrics import interfaces, planes
from planner.simulation import jobs
from planner.simulation.messages import Messages

PortRule = Literal["rail", "any", "hashed", "spray"]


def rank_ports(
    topology: Topology,
    ranks: int | None,
    placement: Literal["linear", "random", "groups", "routers"],
    seed: int,
    ports: int | None,
    rule: PortRule,
    owner: np.ndarray | None = None,
) -> np.ndarray:
    """Return the endpoints of the node of each rank, int64 (ranks, ports).

    Parameters
    ----------
    topology
        The network.
    ranks
        Ranks of the job; one per node if not given.
    placement, seed
        See `planner.simulation.jobs.place`.
    ports
        Endpoints of a node: consecutive ones, 1 by default. On planes that are not joined a node is a network interface with a
        port in each plane.
    rule
        See `endpoints_of`.
    owner
        Device of each endpoint and its port there, int64 (H, 2); by default as the family of the network declares.

    Raises
    ------
    InputError
        When the ports or the rule do not fit the network, or there are fewer nodes than ranks.
    """
    port = (
        _ports_of_planes(topology, ports, rule, owner)
        if planes(topology).any()
        else _consecutive(topology, ports_of(topology, ports))
    )
    (node,) = jobs.place(topology, (len(port) if ranks is None else ranks,), placement, seed, port)
    return port[node]


def ports_of(topology: Topology, ports: int | None) -> int:
    """Return the ports of each rank's node: those given, by default one in each plane."""
    return ports or int(planes(topology).max(initial=0)) + 1


def _consecutive(topology: Topology, ports: int) -> np.ndarray:
    endpoints = topology.endpoint_count
    if endpoints % ports:
        problem = f"nodes of {ports} ports do not divide {endpoints:,} endpoints"
        raise InputError(Problem("ports", problem, "use a divisor of the endpoints per router"))
    return np.arange(endpoints).reshape(-1, ports)


def _ports_of_planes(topology: Topology, ports: int | None, rule: PortRule, owner: np.ndarray | None) -> np.ndarray:
    port = interfaces(topology, owner).port
    if not len(port):
        message = f"messages between planes of {topology.family} have no path, and no node has a port in every plane"
        raise InputError(Problem("topology", message, "attach nodes to every plane, or run the workload on another network"))
    if ports not in (None, port.shape[1]):
        message = f"nodes of {topology.family} have {port.shape[1]} ports, one in each plane, not {ports}"
        raise InputError(Problem("ports", message, "remove the key"))
    if rule == "any":
        raise InputError(Problem("port_rule", "any may lead to another plane, and planes are not joined", "use spray or hashed"))
    return port


class Parts(NamedTuple):
    """The messages of a job as they are sent: whole, or divided over the ports of a node."""

    messages: Messages
    """The parts, each as a message."""
    packets: np.ndarray
    """Packets of each part, int32."""
    first: np.ndarray
    """First part of each message, int64 (M,); the others follow it."""
    turn: np.ndarray
    """Packets that the rank has sent before the first one of each part, int64; of whole messages the messages."""


def parts(messages: Messages, packets: np.ndarray, ports: int, rule: PortRule) -> Parts:
    """Return the parts of messages: with ``spray``, the packets of a message take the ports of a node in turn.

    Parameters
    ----------
    messages
        M messages of a job.
    packets
        Packets of each message, int32 (M,).
    ports
        Ports of a node.
    rule
        See `endpoints_of`.

    Raises
    ------
    InputError
        When messages with prescribed paths would be divided.

    Examples
    --------
    >>> from planner.simulation.messages import Program
    >>> program = Program(2)
    >>> program.send([0, 0], [1, 1], 500)
    >>> found = parts(program.messages(), np.array([5, 1]), 2, "spray")
    >>> found.messages.bytes.tolist(), found.packets.tolist(), found.first.tolist(), found.turn.tolist()
    ([300, 200, 500], [3, 2, 1], [0, 2], [0, 1, 5])
    """
    source = messages.source
    if rule != "spray":
        return Parts(messages, packets, np.arange(len(packets)), _before(source, np.ones(len(source), np.int64)))
    if messages.timetable is not None:
        raise InputError(Problem("port_rule", "spray divides messages, whose paths are prescribed", "use rail, hashed or any"))
    count = np.where(messages.is_local, 1, np.minimum(packets, ports))
    first = np.cumsum(count) - count
    whole = np.repeat(np.arange(len(count)), count)
    place = np.arange(len(whole)) - first[whole]
    share = (packets // count)[whole] + (place < (packets % count)[whole])
    ends = np.cumsum(share) - (np.cumsum(packets) - packets)[whole]
    upto, before = (messages.bytes[whole] * each // packets[whole] for each in (ends, ends - share))
    wakes = np.diff(messages.wake_first)[whole]
    entry = np.arange(wakes.sum()) + np.repeat(messages.wake_first[whole] - np.cumsum(wakes) + wakes, wakes)
    divided = replace(
        messages,
        target=messages.target[whole],
        bytes=upto - before,
        first=np.append(first, len(whole))[messages.first],
        wake_first=np.append(0, np.cumsum(wakes)),
        wake=messages.wake[entry],
        local=messages.is_local[whole],
    )
    return Parts(divided, share.astype(np.int32), first, _before(source, packets)[whole] + place)


def _before(rank: np.ndarray, amount: np.ndarray) -> np.ndarray:
    """Return the total amount of the earlier messages of the same rank, int64 (M,)."""
    order = np.argsort(rank, kind="stable")
    total = np.append(0, np.cumsum(amount[order], dtype=np.int64))
    before = np.empty(len(rank), np.int64)
    before[order] = total[:-1] - total[np.searchsorted(rank[order], rank[order])]
    return before


def endpoints_of(sent: Parts, port: np.ndarray, rule: PortRule) -> tuple[np.ndarray, np.ndarray]:
    """Return the endpoints that each part of a message leaves and arrives by.

    Local messages do not leave their node.

    Parameters
    ----------
    sent
        Parts of the messages of a job.
    port
        Endpoints of each rank's node, int64 (ranks, ports).
    rule
        ``rail``: port ``target mod ports`` at both ends, the rail of the target. ``hashed``: a port drawn from source and target
        by a hash, the same at both ends, so that all messages of a pair take one plane. ``any``: the ports in turn, at each
        end for itself. ``spray``: the ports in turn for each packet, the same at both ends.

    Returns
    -------
    tuple of ndarray
        int32 (M,) each.
    """
    messages, ports = sent.messages, port.shape[1]
    source, target = messages.source.astype(np.int64), messages.target.astype(np.int64)
    leaves = sent.turn % ports if rule in ("any", "spray") else target % ports
    arrives = leaves
    if rule == "any":
        arrives = _before(target, np.ones(len(target), np.int64)) % ports
    elif rule == "hashed":
        fill_planes(source, target, ports, leaves)
    leaves, arrives = port[source, leaves], port[target, arrives]
    stays = (source == target) | messages.is_local
    return leaves.astype(np.int32), np.where(stays, leaves, arrives).astype(np.int32)
