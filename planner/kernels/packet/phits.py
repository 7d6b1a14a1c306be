"""Records of wormhole switching: queues and ports count phits, and list the packets in them or bound for them."""

from __future__ import annotations

from collections import namedtuple

from planner.kernels import always_inlined
from planner.kernels.packet.records import record

# Input queue: phits: occupancy; left: phits of its first packet still in it; output: output queue allocated to that packet;
# place: in the list of its router's non-empty queues; seen: `released` of its router when its head found no free channel;
# first, count: ring of packets in it or bound for it. Output queue: credit: free phit slots of the queue at the other end;
# turn: input queue with priority, relative to the router. port: its port.
LANE = record(
    phits="i4", left="i4", output="i4", place="i4", seen="i4", port="i4", credit="i4", turn="i4", first="i4", count="i4"
)
# Input port: nominee: queue that requests the crossbar; output, channel: those with priority, relative to router and port; paid:
# cycle of the last credit sent. Output port: taker: input port granted; turn: input port with priority; first, count: ring of
# phits that wait for the link; late: number of these that cannot leave in this cycle.
SIDE = record(nominee="i4", output="i4", channel="i4", paid="i4", taker="i4", turn="i4", first="i4", count="i4", late="i4")
# busy: non-empty input queues; queued: phits that wait for links; released: virtual channels released so far; awake: 1 while it
# is in the list of active routers.
ROUTER = record(busy="i4", queued="i4", released="i4", awake="i4")
# left: remaining phits of the packet in transmission; channel: of that packet; awake: 1 while in the list of active sources.
SOURCE = record(left="i4", channel="i4", awake="i4")

Worms = namedtuple("Worms", "lane side router source ring line busy routers sources lists")
"""State of wormhole switching in addition to `Engine`.

`ring` holds `Wormhole.places` entries per queue, the packets in it or bound for it; `line` for each port the channels of
the phits that wait for its link; `busy` the non-empty queues of each router; `routers` and `sources` the active ones, `lists`
their numbers.
"""

Wormhole = namedtuple("Wormhole", "packet_phits input_phits places steps pipeline")
"""Constants of a run: `places` of a queue's ring, crossbar `steps` per cycle, `pipeline` cycles before them."""


@always_inlined
def pop_packet(worms, wormhole, queue):
    """Remove the first packet of a queue."""
    lane = worms.lane[queue]
    lane.left = wormhole.packet_phits
    lane.count -= 1
    lane.first += 1
    if lane.first == wormhole.places:
        lane.first = 0


@always_inlined
def push_packet(worms, wormhole, queue, p):
    """Append a packet to those in a queue or bound for it."""
    lane = worms.lane[queue]
    place = lane.first + lane.count
    if place >= wormhole.places:
        place -= wormhole.places
    worms.ring[queue * wormhole.places + place] = p
    lane.count += 1


@always_inlined
def publish_credit(engine, worms, wormhole, queue):
    """Update the packet credit seen by routings; partly used packet slots count as used."""
    phits = wormhole.packet_phits
    taken = wormhole.input_phits - worms.lane[queue].credit
    engine.output[queue].credit = (wormhole.input_phits + phits - 1) // phits - (taken + phits - 1) // phits
