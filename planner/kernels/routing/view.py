"""The interface between the packet engine and a routing: what a routing sees, and what it returns.

The engine calls a routing with the place and number of a packet and the address of a `View`. `routing_function` turns these
into what the routing reads: `Here`, `Packet`, its own tables, and the candidates that it writes.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, get_type_hints

import numpy as np

from planner.core.errors import InputError, Problem
from planner.kernels import always_inlined, compiled, copied_into_callers, specialized
from planner.kernels._numba import types
from planner.kernels.addresses import Handle, caller, kind_of, record_at
from planner.kernels.packet.records import CANDIDATE, OUTPUT, PACKET, declared

NO_CANDIDATE = 0
"""Returned by ``candidates`` when a packet may take no port: it is dropped."""

BY_CLASS = -2
"""Returned by ``candidates`` instead of a number of candidates when it wrote one port mask per class."""

NOT_NOW = 2**31 - 1
"""Penalty of a candidate that is not taken now but may become the best one while a packet waits."""


class View(NamedTuple):
    """What the engine passes to a routing, by address."""

    packet: Annotated[np.ndarray, PACKET, 1]
    output: Annotated[np.ndarray, OUTPUT, 1]
    candidates: Annotated[np.ndarray, CANDIDATE, 1]
    tables: Handle
    """The routing's own tables."""
    packet_phits: int
    queue_packets: int
    """Packets of an output queue and the input queue at the other end."""
    by_class: int
    """1 if the engine compares candidates by class."""
    weights: Annotated[np.ndarray, np.int64, 1]
    """Weights of the classes in phits."""
    lookup: Annotated[np.ndarray, np.uint8, 2]
    """`planner.simulation.network.Routing.lookup` as bytes, one row per router."""


class Here(NamedTuple):
    """Router where a packet is, with its queues."""

    router: int
    channels: int
    """Virtual channels of a port."""
    first_queue: int
    """First output queue of the router."""
    output: np.ndarray
    """Output queues of all routers, `planner.kernels.packet.records.OUTPUT`."""
    packet_phits: int
    queue_packets: int
    by_class: int
    record: np.record
    """The packet itself, see `remember`."""


class Packet(NamedTuple):
    """A packet that requests an output."""

    created: int
    """Cycle of its creation."""
    source: int
    """Endpoint that sent it."""
    source_router: int
    target_router: int
    target: int
    """Port of the target endpoint, relative to its router."""
    hops: int
    """Links taken so far."""
    label: int
    """Number that the routing gave it at an earlier router; 0 at the source."""


VIEW = kind_of(View)
ROUTING = types.int64(types.int64, types.int64, types.int64, types.int64, types.int64)
"""Signature of a routing for the engine: router, its first output queue, virtual channels, packet, address of the `View`."""

call_routing = caller(ROUTING)


def _candidates(router, first_queue, channels, p, view):
    """Call a routing; its name and the type of its tables are globals of a copy of this function."""
    seen = record_at(view, VIEW)
    packet = seen.packet[p]
    here = Here(router, channels, first_queue, seen.output, seen.packet_phits, seen.queue_packets, seen.by_class, packet)
    known = Packet(
        np.int64(packet.created), np.int64(packet.source), np.int64(packet.source_router), np.int64(packet.target_router),
        np.int64(packet.target), np.int64(packet.hops), np.int64(packet.label),
    )  # fmt: skip
    return ROUTE(here, known, record_at(seen.tables, TABLES), seen.candidates)  # noqa: F821


def routing_function(function):
    """Compile a routing's ``candidates(here: Here, packet: Packet, tables: Tables, found)``.

    ``Tables`` is the routing's own ``NamedTuple``, see `planner.kernels.addresses`. The function writes the candidates of a
    packet by `offer` and returns their number, or `NO_CANDIDATE`. The engine takes the minimum penalty among those with
    space, ties broken at random, and sets the packet's label. A candidate of penalty `NOT_NOW` is not taken, but the packet
    requests again when its queue is freed.

    A routing with classes of candidates, see `planner.simulation.network.Routing`, offers the port mask of each class by
    `offer_class` if ``here.by_class``, and returns `BY_CLASS`; or candidates as above when none has a class.

    Raises
    ------
    InputError
        When the parameter ``tables`` has no such annotation.
    """
    tables = get_type_hints(function).get("tables")
    if not hasattr(tables, "_fields"):
        raise InputError(
            Problem(
                f"{function.__module__}.candidates", "declares no tables", "annotate its parameter tables with a NamedTuple class"
            )
        )
    entry = specialized(_candidates, function.__qualname__, ROUTE=copied_into_callers(function), TABLES=kind_of(tables))
    # The compiled code is cached with the file of the routing, and compiled again when that file changes.
    own = function.__code__
    entry.__module__, entry.__doc__ = function.__module__, function.__doc__
    entry.__code__ = entry.__code__.replace(co_filename=own.co_filename, co_firstlineno=own.co_firstlineno)
    kernel = declared(entry, ROUTING)
    kernel.tables = tables
    return kernel


def candidate_array(degree: int) -> np.ndarray:
    """Return an array for the candidates of routers of up to `degree` network ports."""
    return np.zeros(32 * max(2, degree), CANDIDATE)


@always_inlined
def offer(found, count, port, channel, penalty=0, label=0):
    """Write one candidate after `count` others; return the new number of candidates."""
    found[count].port = port
    found[count].channel = channel
    found[count].penalty = penalty
    found[count].label = label
    return count + 1


@always_inlined
def only(found, number):
    """Keep a single candidate; return 1."""
    return offer(found, 0, found[number].port, found[number].channel, found[number].penalty, found[number].label)


@always_inlined
def offer_class(found, number, ports, channel):
    """Write the port mask of a class of candidates, all on one virtual channel."""
    found[number].port = ports
    found[number].channel = channel


@always_inlined
def occupied(here, queue):
    """Return the packets in an output queue of any router and the input queue at its other end, by credits not yet returned."""
    return here.queue_packets - np.int64(here.output[queue].space) - np.int64(here.output[queue].credit)


@always_inlined
def queued(here, port, channel):
    """Return the packets queued at a port of this router for a virtual channel, at both ends of the link."""
    return occupied(here, here.first_queue + port * here.channels + channel)


@always_inlined
def is_entered(here, port, channel):
    """Return whether a packet is moving into an output queue of this router."""
    return here.output[here.first_queue + port * here.channels + channel].writing != 0


@always_inlined
def occupied_at(here, first_queue, port):
    """Return the packets on all virtual channels of a port of any router, as `occupied`, from its router's first queue."""
    first, packets = first_queue + port * here.channels, 0
    for queue in range(first, first + here.channels):
        packets += occupied(here, queue)
    return packets


@always_inlined
def wait_for_lowest(count, found):
    """Defer all candidates except those of minimum penalty: the packet waits for one of them."""
    lowest = NOT_NOW
    for i in range(count):
        lowest = min(lowest, found[i].penalty)
    for i in range(count):
        if found[i].penalty != lowest:
            found[i].penalty = NOT_NOW


@always_inlined
def remember(here, label):
    """Set the packet's label already now, so that it is kept while the packet waits."""
    here.record.label = label


@compiled
def offered_ports(candidates, router, first_queue, targets, sources, channels, view, draws, ports):
    """Set ``ports[i, port]`` to 1 plus the virtual channel on which packets from `router` to ``targets[i]`` may take a port.

    Parameters
    ----------
    targets, sources
        Target routers, int64 (T,), and the endpoints that send, int64 (draws,).
    view
        Address of a `planner.kernels.routing.view.View` of one packet and the output queues of all routers.
    draws
        Number of packets sampled; they differ in their creation time.
    ports
        int32 (T, degree), initially 0; of several channels the first one is kept.
    """
    seen = record_at(view, VIEW)
    packet, found = seen.packet, seen.candidates
    for i in range(len(targets)):
        target = targets[i]
        if target == router:
            continue
        for created in range(draws):
            packet[0].created = created
            packet[0].source = sources[created]
            packet[0].source_router = router
            packet[0].target_router = target
            packet[0].target = 0
            packet[0].hops = 0
            packet[0].label = 0
            count = call_routing(candidates, router, first_queue, channels, 0, view)
            for row in range(count):
                if ports[i, found[row].port] == 0 and found[row].penalty != NOT_NOW:
                    ports[i, found[row].port] = np.int32(1 + found[row].channel)
