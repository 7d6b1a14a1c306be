"""Invariants between any two cycles, recomputed from the state of a run."""

from __future__ import annotations

from collections import Counter

import numpy as np

from planner.kernels.packet import records


def check(run) -> None:
    """Fail unless every place, credit and packet of a run is accounted for.

    Blocks of routers receive what others have sent first.
    """
    run.receive()
    engine, case = run.engine, run.case
    channels, end = case.channels, run.rules.routers_end
    each = [scheduled(block) for block in run.blocks]
    events = {kind: [index for found in each for index in found[kind]] for kind in range(7)}
    arriving = Counter(int(engine.packet[p]["next"]) for p in events[records.ARRIVE])
    credits, sent = Counter(events[records.CREDIT]), Counter(events[records.SENT])
    held = []
    for queue in range(len(engine.input)):
        waiting = members(engine, engine.input[queue])
        upstream = int(engine.port[queue // channels]["peer"]) * channels + queue % channels
        credit = int(engine.output[upstream]["credit"])
        assert credit >= 0
        if not engine.port[queue // channels]["failed"]:
            assert credit + len(waiting) + arriving[queue] + credits[upstream] == case.input_packets
        held += waiting
    for queue in range(end * channels):
        stored = members(engine, engine.output[queue])
        space = int(engine.output[queue]["space"])
        assert space >= 0
        assert space + len(stored) + sent[queue] == case.output_packets
        assert engine.output[queue]["writing"] in (0, 1)
        if stored and engine.output[queue]["credit"] > 0:
            assert int(engine.port[queue // channels]["sendable"]) >> (queue % channels % 32) & 1
        held += stored
    moving = [int(queue) for queue in events[records.MOVED]]
    assert sorted(moving) == np.flatnonzero(engine.input["output"] != records.NONE).tolist()
    assert sorted(engine.input["output"][moving]) == np.flatnonzero(engine.output["writing"]).tolist()
    check_waiting(run)
    assert run.queued() == len(held)
    held += events[records.ARRIVE] + events[records.DELIVER]
    assert engine.endpoint["sent"].sum() == run.total("injected")
    assert len(held) == len(set(held)) == run.total("injected") - run.total("delivered") - run.total("dropped")
    assert used_records(run) == len(held) + in_mail(run)
    links = [int(port) for port in np.flatnonzero(engine.port["busy_until"][:end] > run.now)]
    assert set(links) <= {queue // channels for queue in sent}


def used_records(run) -> int:
    """Return the records of packets that are not free."""
    return run.total("fresh_packets") - run.total("free_packets")


def in_mail(run) -> int:
    """Return the records that other blocks left for packets, until the mail of that side is written again."""
    engine, count = run.engine, len(run.blocks)
    if count == 1:
        return 0
    ends = engine.mail_range["end"][:, :, -1]
    return sum(
        int(np.count_nonzero(engine.mail["event"][side, block, : ends[side, block]] & 7 == records.ARRIVE))
        for side in range(2)
        for block in range(count)
    )


def check_waiting(run) -> None:
    """Fail unless waiting heads know themselves and `Engine.free_space` matches the queues."""
    engine, channels = run.engine, run.case.channels
    first = engine.router["first_port"].astype(int)
    for router, count in enumerate(engine.router["waiting"][:-1].tolist()):
        entries = engine.waiting[first[router] * channels :][:count]
        assert len(set(entries["queue"].tolist())) == count
        assert entries["packet"].tolist() == engine.input["head"][entries["queue"]].tolist()
        if run.rules.classes:
            ports = np.arange(first[router], first[router + 1])
            output = engine.output[ports[:, None] * channels + np.arange(channels)]
            left = 2 + 2 * (output["space"].astype(int) + output["credit"]) + (output["space"] > 0)
            room = engine.free_space[router * channels : (router + 1) * channels, : len(ports)].T
            assert room.tolist() == np.where(output["writing"] == 1, 0, left).tolist()


def members(engine, queue) -> list[int]:
    """Return the packets of a queue, head first."""
    found, p = [], int(queue["head"])
    while p != records.NONE:
        found.append(p)
        p = int(engine.packet[p]["next"])
    return found


def scheduled(engine) -> dict[int, list[int]]:
    """Return the indices of all events on the wheel, by kind."""
    events = {kind: [] for kind in range(7)}
    for end in engine.slot.tolist():
        while end > 0:
            chunk = (end - 1) // records.CHUNK
            for event in engine.event[chunk * records.CHUNK : end]:
                events[int(event) & 7].append(int(event) >> 3)
            end = int(engine.chunk_before[chunk])
    return events


def check_phits(run) -> None:
    """Fail unless every place, credit, phit and packet of a wormhole run is accounted for."""
    engine, case, (worms, wormhole) = run.engine, run.case, run.switching
    channels, end, size = case.channels, run.rules.routers_end, case.input_phits
    events = scheduled(engine)
    flying, credits = Counter(events[records.ARRIVE]), Counter(events[records.CREDIT])
    waiting = Counter()
    for port in range(end):
        side = worms.side[port]
        line = worms.line[port * channels * size : (port + 1) * channels * size]
        for place in range(side["first"], side["first"] + side["count"]):
            waiting[port * channels + int(line[place % len(line)])] += 1
    for queue, lane in enumerate(worms.lane):
        upstream = int(engine.port[queue // channels]["peer"]) * channels + queue % channels
        credit = int(worms.lane[upstream]["credit"])
        assert 0 <= credit <= size
        assert 0 <= lane["phits"] <= size
        assert credit + lane["phits"] + flying[queue] + waiting[upstream] + credits[upstream] == size
        packets = -(-size // case.packet_phits)
        if upstream < end * channels:
            assert engine.output[upstream]["credit"] == packets - -(-(size - credit) // case.packet_phits)
    routers = worms.lane[: end * channels]
    assert sorted(routers["output"][routers["output"] != records.NONE]) == np.flatnonzero(engine.output["writing"]).tolist()
    busy = np.concatenate([
        worms.busy[first * channels : first * channels + router["busy"]]
        for first, router in zip(engine.router["first_port"], worms.router, strict=False)
    ])  # fmt: skip
    assert sorted(busy) == np.flatnonzero(routers["phits"]).tolist()
    in_transit = set()
    for queue, lane in enumerate(worms.lane):
        ring = worms.ring[queue * wormhole.places : (queue + 1) * wormhole.places]
        assert lane["count"] <= wormhole.places
        in_transit |= {int(ring[(lane["first"] + i) % wormhole.places]) for i in range(lane["count"])}
    tally = engine.tally[0]
    assert len(in_transit) == tally["injected"] - tally["delivered"] == tally["fresh_packets"] - tally["free_packets"]
    arrived = (case.packet_phits - worms.lane["left"][end * channels :]).sum()
    phits = routers["phits"].sum() + flying.total() + waiting.total() + worms.source["left"].sum()
    assert phits + arrived == len(in_transit) * case.packet_phits
