"""State of a run of the packet engine at its start: queues, ports, packets, the time wheel."""

from __future__ import annotations

import numpy as np

from planner.errors import InputError, Problem
from planner.kernels.byte_rows import LANES, MASKED
from planner.kernels.packet import records
from planner.kernels.packet.classes import MOST_CHANNELS, MOST_PACKETS
from planner.kernels.packet.records import NONE, Engine, Rules, View
from planner.simulation import injection
from planner.simulation.case import Case, move_cycles, packet_cycles
from planner.simulation.network import Routing

_LEAST_SLOTS = 512

_NEAR_BYTES = 2**19
"""Queues and ports of this size stay in the near caches of a core."""


def rules_of(case: Case) -> Rules:
    """Return the numbers that stay."""
    routers_end, endpoints = int(case.network.first_port[-1]), case.network.topology.endpoint_count
    queue_bytes = case.channels * (records.INPUT.itemsize + records.OUTPUT.itemsize)
    return Rules(
        move_cycles=move_cycles(case),
        channels=case.channels,
        reciprocal=records.reciprocal(case.channels),
        router_cycles=case.router_cycles,
        credit_cycles=case.credit_cycles,
        take_turns=case.take_turns,
        arbitration=case.arbitration,
        input_speedup=case.input_speedup,
        occupation=int(case.occupation),
        process=injection.PROCESSES.index(case.process),
        prefetch=int((routers_end + endpoints) * (records.PORT.itemsize + queue_bytes) > _NEAR_BYTES),
        target_words=case.prepared.target_words,
        classes=case.prepared.classes if _weighs(case) else 0,
        routers_end=routers_end,
    )


def _weighs(case: Case) -> bool:
    """Return whether the engine can weigh ways itself."""
    # Where an input port lets few packets go, it is what heads wait for.
    plain = case.input_speedup == 0 and case.input_phits == 0
    return plain and case.channels <= MOST_CHANNELS and case.input_packets + case.output_packets <= MOST_PACKETS


def _room(case: Case, rules: Rules) -> np.ndarray:
    """Return `Engine.room` of empty queues, on whole cache lines."""
    if not rules.classes:
        return np.zeros((0, 1), np.uint8)
    ports = -(-int(np.diff(case.network.first_port).max(initial=1)) // 32) * 32
    rows = case.network.topology.router_count * case.channels
    room = _aligned(rows * ports + MASKED, np.dtype(np.uint8))[: rows * ports].reshape(rows, ports)
    room[:] = 3 + 2 * (case.input_packets + case.output_packets)
    return room


def is_plain(rules: Rules) -> bool:
    """Return whether crossbars arbitrate at random and let any number of packets leave an input port at once."""
    return rules.arbitration == records.RANDOM and rules.input_speedup == 0


def state_of(case: Case, rules: Rules, seed: np.random.SeedSequence) -> Engine:
    """Return the state of a run at its start, all queues empty; no source creates anything yet."""
    network, channels = case.network, case.channels
    ports = _ports(case)
    inputs, outputs = rules.routers_end * channels, len(ports) * channels
    endpoints = len(network.endpoint_port)
    routers = network.topology.router_count

    output = _aligned(outputs, records.OUTPUT)
    output["writing"] = 0
    output["head"] = output["tail"] = NONE
    output["space"] = case.output_packets
    output["credit"] = case.input_packets
    held = np.full(inputs, NONE, records.INPUT["head"])
    input_ = np.zeros(inputs, records.INPUT)
    for name in ("head", "tail", "output"):
        input_[name] = held

    # Every packet holds a place of an input or an output queue, or is on its way to an endpoint or on a source's link.
    slots = _slots(case, ports)
    most_packets = inputs * (case.input_packets + case.output_packets) + endpoints * (
        2 + slots // int(ports["packet_cycles"].min())
    )
    # A packet has at most one event, a queue one move, one link and one question, a source one; and every place one credit.
    most_events = most_packets + 2 * outputs + inputs * (1 + case.input_packets) + endpoints
    if case.input_phits:
        # A queue holds parts of two packets beside whole ones; every phit's place has a phit or a credit on its way.
        most_packets = outputs * (case.input_packets + 2)
        most_events = outputs * case.input_phits + endpoints
    if max(most_packets, outputs) >= records.MOST_INDEX:
        raise InputError(
            Problem("", f"the queues hold up to {most_packets} packets, more than {records.MOST_INDEX}", "use smaller queues")
        )
    if outputs * channels >= 2**records.RECIPROCAL_BITS:
        raise InputError(Problem("virtual_channels", f"{channels} at {len(ports)} ports are too many", "use fewer"))
    chunks = 1 + slots + most_events // records.CHUNK
    random, sources = np.split(seed.generate_state(1 + endpoints, np.uint64), [1])
    return Engine(
        input=input_,
        output=output,
        port=ports,
        packet=_aligned(most_packets, records.PACKET),
        router=_records(records.ROUTER, routers + 1, first_port=network.first_port),
        endpoint=_records(records.ENDPOINT, endpoints, port=network.endpoint_port),
        source_state=sources.copy(),
        source_numbers=np.zeros((endpoints, 4)),
        waiting=_aligned(inputs, records.WAITING),
        sought=np.zeros(inputs + LANES, np.uint8),
        ways=np.zeros((inputs if rules.classes else 0, max(1, rules.classes)), np.int64),
        room=_room(case, rules),
        held_input=np.zeros(inputs if case.occupation else 0, np.int64),
        held_output=np.zeros(outputs if case.occupation else 0, np.int64),
        slot=np.zeros(slots, np.int32),
        event=_aligned(chunks * records.CHUNK, np.dtype(np.int32)),
        chunk_before=np.empty(chunks, np.int32),
        new=np.empty(max(inputs, routers) + 1, np.int32),
        freed=np.empty(2 * outputs + (inputs if case.input_speedup else 0) + 1, np.int32),
        touched=np.empty(most_events + inputs, np.int32),
        found=np.zeros((32 * max(2, int(network.topology.degree.max(initial=2))), records.FOUND_COLUMNS), np.int64),
        random=random.copy(),
        tally=_records(records.TALLY, 1, free_packet=NONE, free_chunk=NONE, fresh_chunks=1),
        delays=np.zeros(case.warmup + case.cycles + 1, np.int64),
        hops=np.zeros(256, np.int64),
    )


def view_of(case: Case, rules: Rules, engine: Engine, prepared: Routing) -> View:
    """Return what a routing sees, the sizes of packets and queues behind its numbers; no queues when the engine weighs them."""
    sizes = case.packet_phits, case.input_packets, case.output_packets
    return prepared.view(sizes, engine.packet, engine.output[:0] if rules.classes else engine.output, engine.found)


def phits_sent(engine: Engine, case: Case) -> np.ndarray:
    """Return the phits that each port has sent since the start, float64 (ports); whole numbers where links have rate 1.

    Of a packet that leaves as slowly as it comes, the phits count as late as they can leave. So no port sends more in any time
    than its rate allows. The sides of the endpoints, which only inject, count nothing.
    """
    sent = engine.port["sent"].astype(np.float64)
    if case.input_phits:
        return sent
    end = int(case.network.first_port[-1])
    ports = engine.port[:end]
    left = (ports["busy_until"] - engine.tally[0].now) * case.packet_phits / ports["packet_cycles"]
    sent *= case.packet_phits
    sent[:end] -= np.clip(left, 0, case.packet_phits)
    return sent


def _records(kind: np.dtype, count: int, **fields: np.ndarray | int) -> np.ndarray:
    """Return records that are zero but for some fields."""
    result = np.zeros(count, kind)
    for name, value in fields.items():
        result[name] = value
    return result


def _aligned(count: int, kind: np.dtype) -> np.ndarray:
    """Return an uninitialized array that starts on a cache line, so that no small record lies across two."""
    buffer = np.empty(count * kind.itemsize + 64, np.uint8)
    offset = -buffer.ctypes.data % 64
    return buffer[offset : offset + count * kind.itemsize].view(kind)


def _ports(case: Case) -> np.ndarray:
    """Return the records of all ports, the sending sides of the endpoints last."""
    network = case.network
    topology, links = network.topology, network.topology.link_count
    end, endpoints = int(network.first_port[-1]), topology.endpoint_count
    ports = _aligned(end + endpoints, records.PORT)
    ports[:] = np.zeros(1, records.PORT)
    ports["router"][:end] = np.repeat(np.arange(topology.router_count), np.diff(network.first_port))
    ports["router"][end:] = NONE
    one, other = network.link_ports.T
    sides = end + np.arange(endpoints)
    times = packet_cycles(case)
    for a, b, cables in ((one, other, slice(links)), (network.endpoint_port, sides, slice(links, None))):
        ports["peer"][a], ports["peer"][b] = b, a
        for end in (a, b):
            ports["delay"][end] = network.link_cycles[cables]
            ports["packet_cycles"][end] = times[cables]
    return ports


def _slots(case: Case, ports: np.ndarray) -> int:
    """Return the slots of the time wheel: a power of two beyond every delay."""
    # A packet may move as slowly as it comes.
    slowest = max(int(ports["packet_cycles"].max()), move_cycles(case))
    longest = int(ports["delay"].max()) + slowest + case.router_cycles + case.credit_cycles
    # Of the credits for a port one goes back in a cycle.
    longest += case.channels * case.input_phits
    return 1 << max(_LEAST_SLOTS, longest + 1).bit_length()
