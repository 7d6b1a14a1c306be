"""What the packet engine works on: packed records, the arrays of a run, and the signatures of its elements.

Ports are numbered router by router, network ports first, then endpoints; the sending sides of the
endpoints follow behind all routers. Queue ``port * channels + channel`` is an input queue in
`Engine.input` and an output queue in `Engine.output`; a queue is a list threaded through the packets.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from planner.kernels import bare, inlined
from planner.kernels._numba import COMPILES, from_dtype, types
from planner.kernels.addresses import record_at

NONE = -1
NEVER = 2**30
"""A cycle that no run reaches."""
NOT_NOW = 2**31 - 1
"""Penalty of a way that may become the best one while a packet waits."""
BY_CLASS = -2
"""What ``candidates`` returns instead of a number of ways when it wrote classes of them."""
FOUND_COLUMNS = 4

FINE, DEADLOCK = 0, 1
ARRIVE, MOVED, SENT, CREDIT, WAKE, DELIVER, ASK = range(7)
"""Kinds of events; an event is ``8 * index + kind``, where the index is a packet's, a queue's or a port's."""

MOST_INDEX = 2**28
"""Packets, queues and ports have to be fewer, so that an event fits into 32 bits."""

RANDOM, ROUND_ROBIN, AGE = range(3)
"""Arbitrations: which of the heads that wait at a router is asked first."""

GONE = -2
"""What a request returns when the packet had no way left and was dropped."""

LINK_DEAD, ROUTER_DEAD = 1, 2

CHUNK = 16
"""Events stored together: one cache line. Chunk c holds the places from ``c * CHUNK`` on, the first chunk stays empty."""


def record(**fields):
    """Return the type of a packed record."""
    return np.dtype((np.record, [(name, np.dtype(kind)) for name, kind in fields.items()]))


# head, tail: packets; output: the output queue into which a packet is being moved.
INPUT = record(head="i4", tail="i4", output="i4")
# credit: packets that fit into the input queue at the other end; space: into this queue; writing: 1 while one is moved in.
OUTPUT = record(head="i4", tail="i4", credit="i4", space="i2", writing="i2")
# peer: port at the other end; sent: packets that it began to send, with wormhole switching phits; packet_cycles: time of a
# packet on the link; sendable: a bit for each virtual channel, modulo 32, set whenever one has a packet and credit; channel: the
# one served last; taking: packets that are being taken out of its input queues; dead: 0, `LINK_DEAD` or `ROUTER_DEAD`.
PORT = record(
    peer="i4", router="i4", delay="i4", busy_until="i4", sent="i4", packet_cycles="i4", sendable="u4", channel="u2",
    taking="u1", dead="u1",
)  # fmt: skip
# next: the packet behind it in a queue; on a link the input queue it travels to. whole: cycle from which all its phits are in
# the queue it travels to, is in or moves into; `NONE` when it is lost on the way. source: endpoint; target: port of the
# target endpoint, counted at its router.
PACKET = record(
    next="i4", created="i4", whole="i4", source="i4", label="i4", source_router="i4", target_router="i4", target="u2", hops="u2"
)
# A head that waits at a router. queue: its input queue; packet: itself; ports: a bit for each port it may take, modulo 64.
WAITING = record(ports="u8", queue="i4", packet="i4")
# ready: a bit for each port where a queue came free in this cycle, modulo 64; waiting: heads that wait; turn: the queue that is
# first in a round robin. One record more than there are routers says where the last one's ports end.
ROUTER = record(ready="u8", first_port="i4", waiting="i4", turn="i4")
# port: the router's; created: when its next packet is; delivered: packets of it since the measures were cleared.
ENDPOINT = record(port="i4", created="i4", delivered="i4")
# free_packet, free_chunk: the first of those that were used and came free; fresh_packets, fresh_chunks: how many were ever used.
TALLY = record(
    now="i8", free_packet="i8", free_packets="i8", fresh_packets="i8", free_chunk="i8", fresh_chunks="i8", injected="i8",
    delivered="i8", dropped="i8", last_move="i8", packets="i8", delay="i8",
)  # fmt: skip

Engine = namedtuple(
    "Engine",
    "input output port packet router endpoint source_state source_numbers waiting sought ways room held_input held_output "
    "slot event chunk_before new freed touched found random tally delays hops",
)
"""State of one run, arrays only; few, since every kernel that is handed them is compiled for each.

`source_state` and `source_numbers` are what a source draws from, see `planner.kernels.packet.injection.gap`. `sought` holds the
virtual channels of waiting heads, see `planner.kernels.packet.waiting`; `ways` their ways and `room` what queues have left, see
`planner.kernels.packet.classes`. `held_input` and `held_output` add up the cycles that packets spent in each
queue; empty when not wanted. `slot` holds for each slot of the time wheel the place in `event` behind its last one, 0 for none;
`chunk_before` for each chunk the end of the one before in its slot, or the next free one.
"""

Rules = namedtuple(
    "Rules",
    "move_cycles channels reciprocal router_cycles credit_cycles take_turns arbitration input_speedup occupation process "
    "prefetch target_words classes routers_end",
)
"""Numbers that stay.

`move_cycles` is the least time of a packet across the crossbar; `reciprocal` that of `channels`, see `port_of`; `process`
by which sources create packets, see `planner.kernels.packet.injection`; `take_turns` is 1 when sources fill the virtual channels
in turn, 0 when they fill the first one with room; `input_speedup` the packets that may leave one input port at once, 0 for
any number; `prefetch` is 1 when queues and ports are too many for the near caches, see `planner.kernels.packet.prefetch`;
`target_words` and `classes` what the routing says of itself, see `planner.simulation.network.Routing`; `occupation` is 1 when
the time in queues is added up.
"""

RECIPROCAL_BITS = 34


def reciprocal(channels):
    """Return 1 / `channels` as a whole number for `port_of`.

    References
    ----------
    .. [1] T. Granlund, P. Montgomery, "Division by invariant integers using multiplication", PLDI 1994, theorem 4.2.
    """
    return 2**RECIPROCAL_BITS // channels + 1


@inlined
def port_of(rules, queue):
    """Return ``queue // rules.channels``, many times faster: exact as long as queue · channels is below 2**34."""
    return (np.int64(queue) * rules.reciprocal) >> RECIPROCAL_BITS


View = namedtuple("View", "packet output wide small numbers found")
"""What a routing sees: the packets and the output queues; what it prepared, uint32 (,), uint8 (,) and int64 (,), which is its own
affair; and where it writes ways, int64 (, 4)."""


def _array(record, dimensions=1):
    return types.Array(from_dtype(np.dtype(record)), dimensions, "C")


VIEW = types.NamedTuple([_array(PACKET), _array(OUTPUT), _array("u4", 2), _array("u1", 2), _array("i8"), _array("i8", 2)], View)
ROUTING = types.int64(types.int64, types.int64, types.int64, types.int64, types.int64)
TRAFFIC = types.int64(types.int64, _array("i4"), _array("u8"))


@inlined
def seen(view):
    """Return the `View` at an address: that is handed on, since a call by a pointer hands over all words of all arrays."""
    return record_at(view, VIEW)


def routing_function(function):
    """Compile a routing's ``candidates(router, first_queue, channels, p, view)``.

    What it sees it gets by `seen`. It writes one row (port of the router, virtual channel, penalty, label)
    into `found` for every way that packet `p` may go from `router`, and returns how many. The engine takes
    the least penalty among those with room, ties at random, and gives the packet that label. With penalty
    `NOT_NOW` it does not take the way, but asks again when it comes free. The output queues of the router
    start at ``output[first_queue]``, `channels` for each port; a label is 0 at the source.

    A routing with classes of ways, see `planner.simulation.network.Routing`, sees no output queues when the
    engine weighs them itself. Then row k of `found` holds, as bits, the ports of all ways of class k and
    their virtual channel, and the routing returns `BY_CLASS`; or ways as above, when it has none with a class.
    """
    return _declared(function, ROUTING)


def traffic_function(function):
    """Compile a traffic's ``target(source, table, random)``: the target endpoint of the next packet of a source."""
    return _declared(function, TRAFFIC)


def _declared(function, signature):
    function = bare(function)
    if COMPILES:
        function.compile(signature)
    return function
