"""Records of wormhole switching: queues and ports that count phits, and the packets in them or bound for them."""

from __future__ import annotations

from collections import namedtuple

from planner.kernels import inlined
from planner.kernels.packet.records import record

# As an input queue: phits in it; left: phits of its first packet that have not left it; output: the output queue that packet
# holds; place: in the list of its router's queues with phits; seen: `released` of its router when its head found no free
# channel; first, count: of the packets in it or bound for it. As an output queue: credit: phits that fit into the queue at
# the other end; turn: the input queue, counted at its router, that comes first. port: its own.
LANE = record(
    phits="i4", left="i4", output="i4", place="i4", seen="i4", port="i4", credit="i4", turn="i4", first="i4", count="i4"
)
# As an input port: nominee: the queue that asks for the crossbar; output, channel: those that come first, counted at the router
# and at the port; paid: cycle of the last credit sent. As an output port: taker: input port that gets it; turn: the one that
# comes first; first, count: of the phits that wait for the link; late: of these, how many cannot leave yet.
SIDE = record(nominee="i4", output="i4", channel="i4", paid="i4", taker="i4", turn="i4", first="i4", count="i4", late="i4")
# busy: input queues with phits; queued: phits that wait for links; released: virtual channels given back so far; awake: 1 when
# it is in the list of those to look at.
ROUTER = record(busy="i4", queued="i4", released="i4", awake="i4")
# left: phits of the packet that is being sent; channel: of that packet; awake: 1 when it is in the list of those to look at.
SOURCE = record(left="i4", channel="i4", awake="i4")

Worms = namedtuple("Worms", "lane side router source ring line busy routers sources lists")
"""What the engine's records do not hold.

`ring` holds for each queue, `Wormhole.places` each, the packets in it or bound for it, `line` for each port the channels of
the phits that wait for its link; `busy` in the places of each router's queues those with phits; `routers` and `sources` whom
to look at, `lists` how many of each.
"""

Wormhole = namedtuple("Wormhole", "packet_phits input_phits places steps pipeline")
"""Numbers that stay: `places` of a queue's ring, `steps` of the crossbar in a cycle, cycles of the `pipeline` before them."""


@inlined
def follow(worms, wormhole, queue):
    """Take the first packet out of a queue."""
    lane = worms.lane[queue]
    lane.left = wormhole.packet_phits
    lane.count -= 1
    lane.first += 1
    if lane.first == wormhole.places:
        lane.first = 0


@inlined
def announce(worms, wormhole, queue, p):
    """Let a packet set out for a queue."""
    lane = worms.lane[queue]
    place = lane.first + lane.count
    if place >= wormhole.places:
        place -= wormhole.places
    worms.ring[queue * wormhole.places + place] = p
    lane.count += 1


@inlined
def show(engine, worms, wormhole, queue):
    """Tell routings the packets, begun ones counted whole, that fit into the queue at the other end."""
    phits = wormhole.packet_phits
    taken = wormhole.input_phits - worms.lane[queue].credit
    engine.output[queue].credit = (wormhole.input_phits + phits - 1) // phits - (taken + phits - 1) // phits
