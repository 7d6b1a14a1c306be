"""Mail between the blocks of a large network: packets, credits, and counts of delivered packets.

A block writes on one of two sides, while all others read what it wrote on the other side in the window before. The block that
receives a packet takes its record and leaves a free one for it, which the sender takes when it writes that side again.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import always_inlined, copied_into_callers, uncounted
from planner.kernels.packet.records import ARRIVE, DELIVER
from planner.kernels.packet.wheel import free_packet, schedule, take_packet


@always_inlined
def is_own(engine, rules, port):
    """Return whether a port is in the block that runs."""
    return rules.blocks == 1 or engine.block[port] == engine.tally[0].block


@always_inlined
def schedule_at(engine, rules, port, time, event):
    """Schedule an event at a port of any block, less than one turn of its wheel ahead."""
    if is_own(engine, rules, port):
        schedule(engine, time, event)
    else:
        post(engine, port, time, event)


@copied_into_callers
def post(engine, port, time, event):
    """Write an event to the block of a port."""
    tally = engine.tally[0]
    block = engine.block[port]
    mail = engine.posted[tally.mails]
    mail.time = time
    mail.event = event
    mail.block = block
    engine.mail_range[tally.side, tally.block, block].end += 1
    tally.mails += 1


@uncounted
def begin_window(engine, rules):
    """Turn to the other side, take the records left for packets sent on it, and receive what others wrote in the last window."""
    tally = engine.tally[0]
    received = tally.side
    tally.side = 1 - received
    sent = engine.mail[tally.side, tally.block]
    for i in range(engine.mail_range[tally.side, tally.block, rules.blocks - 1].end):
        if sent[i].event & 7 == ARRIVE:
            free_packet(engine, np.int64(sent[i].event >> 3))
    for block in range(rules.blocks):
        engine.mail_range[tally.side, tally.block, block].begin = 0
        engine.mail_range[tally.side, tally.block, block].end = 0
    receive(engine, rules, received)


@uncounted
def receive(engine, rules, side):
    """Receive what others wrote on a side, in the order of their blocks."""
    tally = engine.tally[0]
    for sender in range(rules.blocks):
        mail, place = engine.mail[side, sender], engine.mail_range[side, sender, tally.block]
        for i in range(place.begin, place.end):
            event = mail[i].event
            if event & 7 == DELIVER:
                engine.endpoint[event >> 3].delivered += 1
                continue
            # The credit of a dropped packet may be due already.
            schedule(engine, max(mail[i].time, tally.now), event)
            if event & 7 == ARRIVE:
                mail[i].event = take_packet(engine) * 8 + ARRIVE
        place.begin = place.end


@uncounted
def end_window(engine, rules):
    """Sort what was posted in this window by block."""
    tally = engine.tally[0]
    ranges, mail = engine.mail_range[tally.side, tally.block], engine.mail[tally.side, tally.block]
    end = 0
    for block in range(rules.blocks):
        count = ranges[block].end
        ranges[block].begin = end
        ranges[block].end = end
        end += count
    for i in range(tally.mails):
        place = ranges[engine.posted[i].block]
        mail[place.end] = engine.posted[i]
        place.end += 1
    tally.mails = 0
