"""What must hold between any two cycles, counted anew from the state of a run."""

from __future__ import annotations

from collections import Counter

import numpy as np

from planner.kernels import packet_records as records


def check(run) -> None:
    """Fail unless every place, credit and packet of a run is accounted for."""
    engine, case = run.engine, run.case
    channels, end = case.channels, run.rules.routers_end
    events = scheduled(engine)
    arriving = Counter(int(engine.packet[p]["next"]) for p in events[records.ARRIVE])
    credits, sent = Counter(events[records.CREDIT]), Counter(events[records.SENT])
    held = []
    for queue in range(len(engine.input)):
        waiting = members(engine, engine.input[queue])
        upstream = int(engine.port[queue // channels]["peer"]) * channels + queue % channels
        credit = int(engine.output[upstream]["credit"])
        assert credit >= 0
        if not engine.port[queue // channels]["dead"]:
            assert credit + len(waiting) + arriving[queue] + credits[upstream] == case.input_packets
        held += waiting
    for queue in range(end * channels):
        stored = members(engine, engine.output[queue])
        space = int(engine.output[queue]["space"])
        assert space >= 0
        assert space + len(stored) + sent[queue] == case.output_packets
        assert engine.output[queue]["writing"] in (0, 1)
        held += stored
    moving = [int(queue) for queue in events[records.MOVED]]
    assert sorted(moving) == np.flatnonzero(engine.input["output"] != records.NONE).tolist()
    assert sorted(engine.input["output"][moving]) == np.flatnonzero(engine.output["writing"]).tolist()
    held += events[records.ARRIVE] + events[records.DELIVER]
    tally = engine.tally[0]
    assert len(held) == len(set(held)) == tally["injected"] - tally["delivered"] - tally["dropped"]
    assert tally["fresh_packets"] - tally["free_packets"] == len(held)
    links = [int(port) for port in np.flatnonzero(engine.port["busy_until"][:end] > tally["now"])]
    assert set(links) <= {queue // channels for queue in sent}


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
    for slot, size in enumerate(engine.slot_size):
        chunk, left = int(engine.slot_chunk[slot]), int(size)
        while left > 0:
            first = (left - 1) // records.CHUNK * records.CHUNK
            for event in engine.chunk[chunk, : left - first]:
                events[int(event) & 7].append(int(event) >> 3)
            chunk, left = int(engine.chunk_next[chunk]), first
    return events
