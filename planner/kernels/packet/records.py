"""Packed records of the packet engine, the arrays of a run, and the signature of traffic patterns.

Ports are numbered router by router, network ports first, then endpoints; the sending sides of the
endpoints follow behind all routers. Queue ``port * channels + channel`` is an input queue in
`Engine.input` and an output queue in `Engine.output`; a queue is a list threaded through the packets.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from planner.kernels import always_inlined, uncounted
from planner.kernels._numba import COMPILES, from_dtype, types
from planner.kernels.addresses import address_of, caller, kind_of

NONE = -1
NEVER = 2**30
"""Cycle beyond the end of every run."""

FINE, DEADLOCK = 0, 1
ARRIVE, MOVED, SENT, CREDIT, WAKE, DELIVER, REQUEST = range(7)
"""Kinds of events; an event is ``8 * index + kind``, with the index of a packet, a queue or a port."""

MAX_INDEX = 2**28
"""Upper limit on packets, queues and ports, so that an event fits into 32 bits."""

RANDOM, ROUND_ROBIN, AGE = range(3)
"""Arbitrations: order in which head-of-line packets that wait at a router request outputs."""

DROPPED = -2
"""Returned by a request when the packet has no candidate left and was dropped."""

LINK_FAILED, ROUTER_FAILED = 1, 2

CHUNK = 16
"""Events stored together, one cache line. Chunk c starts at place ``c * CHUNK``; chunk 0 stays empty."""


def record(**fields):
    """Return the type of a packed record."""
    return np.dtype((np.record, [(name, np.dtype(kind)) for name, kind in fields.items()]))


# head, tail: packets; output: output queue that a packet of this queue is moving into.
INPUT = record(head="i4", tail="i4", output="i4")
# credit: free packet slots of the input queue at the other end; space: free slots of this queue; writing: 1 while a packet
# moves in.
OUTPUT = record(head="i4", tail="i4", credit="i4", space="i2", writing="i2")
# peer: port at the other end; sent: packets whose transmission began (wormhole switching: phits); packet_cycles: serialization
# time of a packet; sendable: one bit per virtual channel, modulo 32, set whenever the channel has a packet and credit; channel:
# served last; taking: packets leaving its input queues; failed: 0, `LINK_FAILED` or `ROUTER_FAILED`.
PORT = record(
    peer="i4", router="i4", delay="i4", busy_until="i4", sent="i4", packet_cycles="i4", sendable="u4", channel="u2",
    taking="u1", failed="u1",
)  # fmt: skip
# next: the packet behind it in a queue; on a link the input queue it travels to. tail_cycle: cycle from which its tail phit is in
# the queue that it travels to, is in or moves into; `NONE` when it is dropped on the link. source: endpoint; target: port of the
# target endpoint, relative to its router.
PACKET = record(
    next="i4", created="i4", tail_cycle="i4", source="i4", label="i4", source_router="i4", target_router="i4", target="u2",
    hops="u2",
)  # fmt: skip
# A head-of-line packet that waits at a router. queue: its input queue; packet: its record; ports: one bit per candidate port,
# modulo 64.
WAITING = record(ports="u8", queue="i4", packet="i4")
# ready: one bit per port where a queue was freed in this cycle, modulo 64; waiting: number of waiting heads; turn: next queue of
# the round robin. One extra record holds the end of the last router's ports.
ROUTER = record(ready="u8", first_port="i4", waiting="i4", turn="i4")
# port: router port; created: cycle of its next packet; sent: packets that have left it, or were dropped there; delivered: packets
# from it delivered since the measures were cleared. node, plane: number by which traffic patterns know its node, and the plane of
# the port. Record ``node * planes + plane`` holds in `face` the router port of that node in that plane, and in `router`
# its router, `NONE` when it has failed. Without planes every endpoint is a node.
ENDPOINT = record(port="i4", created="i4", sent="i4", delivered="i4", node="i4", plane="i4", face="i4", router="i4")
# free_packets: length of the list of free packet records; first_packet: first packet record; fresh_packets, fresh_chunks: number
# of records ever used; free_chunk: head of the list of free chunks; queued: packets that wait in queues of routers, without those
# that are being sent; mask: slots of the wheel less one; block: that of this state; mails: what it has posted in this window;
# side: of the mail that it writes.
TALLY = record(
    now="i8", free_packets="i8", first_packet="i8", fresh_packets="i8", free_chunk="i8", fresh_chunks="i8",
    injected="i8", queued="i8", delivered="i8", dropped="i8", last_move="i8", packets="i8", delay="i8", mask="i8", block="i8",
    mails="i8", side="i8",
)  # fmt: skip
# An event for another block. event: as on a wheel, but `DELIVER` has the endpoint whose packet was delivered; once received,
# `ARRIVE` has the packet record that the sender gets in exchange.
MAIL = record(time="i4", event="i4", block="i4")
RANGE = record(begin="i4", end="i4")

# What a kernel writes for a packet that requests an output; see `planner.kernels.routing.view.routing_function`.
CANDIDATE = record(port="i8", channel="i8", penalty="i8", label="i8")


class Engine(NamedTuple):
    """State of one run: arrays only, which the loops read by address.

    A large network has a state for each block of routers, see `planner.simulation.blocks`. They share the arrays of routers,
    ports, queues, packets and endpoints; each has records of packets, a wheel, lists, counters and a random state of its own.
    """

    input: Annotated[np.ndarray, INPUT, 1]
    output: Annotated[np.ndarray, OUTPUT, 1]
    port: Annotated[np.ndarray, PORT, 1]
    packet: Annotated[np.ndarray, PACKET, 1]
    free: Annotated[np.ndarray, np.int32, 1]
    """Packet records that were used and are free."""
    router: Annotated[np.ndarray, ROUTER, 1]
    endpoint: Annotated[np.ndarray, ENDPOINT, 1]
    source_state: Annotated[np.ndarray, np.uint64, 1]
    """Random state of each source."""
    source_numbers: Annotated[np.ndarray, np.float64, 2]
    """Parameters of each source, see `planner.kernels.packet.injection.gap`."""
    waiting: Annotated[np.ndarray, WAITING, 1]
    wanted_vc: Annotated[np.ndarray, np.uint8, 1]
    """Virtual channel requested by each waiting head, see `planner.kernels.packet.waiting`."""
    class_ports: Annotated[np.ndarray, np.int64, 2]
    """Candidate ports of waiting heads by class, see `planner.kernels.packet.classes`."""
    free_space: Annotated[np.ndarray, np.uint8, 2]
    """Free slots of queues, see `planner.kernels.packet.classes`."""
    input_occupancy: Annotated[np.ndarray, np.int64, 1]
    """Packet cycles of each input queue; empty unless enabled."""
    output_occupancy: Annotated[np.ndarray, np.int64, 1]
    block: Annotated[np.ndarray, np.uint16, 1]
    """Block of each port."""
    posted: Annotated[np.ndarray, MAIL, 1]
    """What this block sends to others in a window, see `planner.kernels.packet.mail`."""
    mail: Annotated[np.ndarray, MAIL, 3]
    """``mail[side, b]`` is what block b sent, by receiver."""
    mail_range: Annotated[np.ndarray, RANGE, 3]
    """``mail_range[side, b, c]`` is what block c has yet to receive of it."""
    slot: Annotated[np.ndarray, np.int32, 1]
    """For each slot of the time wheel the end of its events in `event`, 0 for none."""
    event: Annotated[np.ndarray, np.int32, 1]
    chunk_before: Annotated[np.ndarray, np.int32, 1]
    """For each chunk the end of the previous chunk of its slot, or the next free chunk."""
    new: Annotated[np.ndarray, np.int32, 1]
    freed: Annotated[np.ndarray, np.int32, 1]
    touched: Annotated[np.ndarray, np.int32, 1]
    candidates: Annotated[np.ndarray, CANDIDATE, 1]
    """Where a routing writes candidates."""
    random: Annotated[np.ndarray, np.uint64, 1]
    tally: Annotated[np.ndarray, TALLY, 1]
    delays: Annotated[np.ndarray, np.int64, 1]
    """Packets delivered by delay in cycles; the last entry has all longer ones."""
    hops: Annotated[np.ndarray, np.int64, 1]
    """Packets delivered by hops."""


ENGINE = kind_of(Engine)


class Rules(NamedTuple):
    """Constants of a run."""

    move_cycles: int
    """Minimum time of a packet across the crossbar."""
    channels: int
    reciprocal: int
    """That of `channels`, see `port_of`."""
    router_cycles: int
    credit_cycles: int
    take_turns: int
    """1 when sources fill the virtual channels in turn, 0 when they fill the first one with space."""
    arbitration: int
    input_speedup: int
    """Packets that may leave one input port at once, 0 for unlimited."""
    occupancy: int
    """1 when time in queues is measured."""
    process: int
    """Injection process, see `planner.kernels.packet.injection`."""
    prefetch: int
    """1 when queues and ports exceed the near caches, see `planner.kernels.packet.prefetch`."""
    target_bytes: int
    """That of `planner.simulation.network.Routing`."""
    classes: int
    """Number of classes of candidates if the engine compares them itself, else 0."""
    routers_end: int
    """First port of the sending sides of endpoints."""
    planes: int
    """Ports over which a node distributes its packets, 1 without planes."""
    turns: int
    """The same where a node takes its ports in turn, 1 where source and target decide."""
    blocks: int
    """Number of blocks of routers."""


RECIPROCAL_BITS = 34


def reciprocal(channels):
    """Return the fixed-point reciprocal of `channels` for `port_of`.

    References
    ----------
    .. [1] T. Granlund, P. Montgomery, "Division by invariant integers using multiplication", PLDI 1994, theorem 4.2.
    """
    return 2**RECIPROCAL_BITS // channels + 1


@always_inlined
def port_of(rules, queue):
    """Return ``queue // rules.channels`` by multiplication, which is faster; exact while queue · channels is below 2**34."""
    return (np.int64(queue) * rules.reciprocal) >> RECIPROCAL_BITS


def _array(record, dimensions=1):
    return types.Array(from_dtype(np.dtype(record)), dimensions, "C")


TRAFFIC = types.int64(types.int64, _array("i4"), _array("u8"))
call_traffic = caller(TRAFFIC)


def traffic_function(function):
    """Compile a traffic pattern's ``target(source, table, random)``: target endpoint of the source's next packet."""
    return declared(function, TRAFFIC)


def declared(function, signature):
    """Return a kernel compiled for one signature, with its address, by which loops call it."""
    function = uncounted(function)
    if COMPILES:
        function.compile(signature)
    function.address = address_of(function, signature)
    return function
