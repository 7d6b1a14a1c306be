"""Initial states of a run of the packet engine: queues, ports, packets, time wheels."""

from __future__ import annotations

import mmap

import numpy as np

from planner.core.errors import InputError, Problem
from planner.kernels.addresses import Handle
from planner.kernels.instructions import LANES, MASKED
from planner.kernels.packet import records
from planner.kernels.packet.classes import MAX_CHANNELS, MAX_PACKETS
from planner.kernels.packet.records import NONE, Engine, Rules
from planner.kernels.routing.view import candidate_array
from planner.simulation import capacity, injection
from planner.simulation.blocks import WHOLE, Division, blocks_of
from planner.simulation.case import Case, move_cycles, packet_cycles
from planner.simulation.network import Routing

_NEAR_BYTES = 2**19
"""Size of queues and ports that fit into the near caches of a core."""


def rules_of(case: Case, divided: Division = WHOLE) -> Rules:
    """Return the constants of a run, the same for all blocks."""
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
        occupancy=int(case.occupancy),
        process=injection.PROCESSES.index(case.process),
        prefetch=int((routers_end + endpoints) * (records.PORT.itemsize + queue_bytes) > _NEAR_BYTES),
        target_bytes=case.prepared.target_bytes,
        classes=len(case.prepared.weights) if _compares_classes(case) else 0,
        routers_end=routers_end,
        planes=1 if case.spread is None else case.spread.port.shape[1],
        turns=1 if case.spread is None or not case.spread.in_turn else case.spread.port.shape[1],
        blocks=divided.blocks,
    )


def _compares_classes(case: Case) -> bool:
    """Return whether the engine can compare candidates by class itself."""
    # With a limited input speed-up, heads also wait for their input port.
    plain = case.input_speedup == 0 and case.input_phits == 0
    return plain and case.channels <= MAX_CHANNELS and case.input_packets + case.output_packets <= MAX_PACKETS


def _endpoints(case: Case) -> np.ndarray:
    """Return the records of all endpoints, with the node, the plane, and port and router of each node in each plane."""
    port, router = case.network.endpoint_port, case.network.topology.endpoint_router
    if case.spread is None:
        return _records(records.ENDPOINT, len(port), port=port, node=np.arange(len(port)), face=port, router=router)
    result = _records(records.ENDPOINT, len(port), port=port)
    own = case.spread.port
    result["node"][own] = np.arange(len(own))[:, None]
    result["plane"][own] = np.arange(own.shape[1])
    result["face"][: own.size] = port[own].ravel()
    result["router"][: own.size] = router[own].ravel()
    return result


def _source_state(case: Case, drawn: np.ndarray) -> np.ndarray:
    """Return the random state of each source, uint64 (H,): that of its first port for all ports of a node in turn."""
    result = drawn.copy()
    if case.spread is not None and case.spread.in_turn:
        result[case.spread.port] = drawn[case.spread.port[:, :1]]
    return result


def _free_space(case: Case, rules: Rules) -> np.ndarray:
    """Return `Engine.free_space` of empty queues, aligned to cache lines."""
    if not rules.classes:
        return np.zeros((0, 1), np.uint8)
    ports = -(-int(np.diff(case.network.first_port).max(initial=1)) // 32) * 32
    rows = case.network.topology.router_count * case.channels
    free_space = _aligned(rows * ports + MASKED, np.dtype(np.uint8))[: rows * ports].reshape(rows, ports)
    free_space[:] = 3 + 2 * (case.input_packets + case.output_packets)
    return free_space


def is_plain(rules: Rules) -> bool:
    """Return whether arbitration is random and input speed-up unlimited."""
    return rules.arbitration == records.RANDOM and rules.input_speedup == 0


def states_of(case: Case, divided: Division, rules: Rules, seed: np.random.SeedSequence) -> list[Engine]:
    """Return the initial states of the blocks of a run, with empty queues and inactive sources; they share large arrays."""
    network, channels = case.network, case.channels
    ports = _ports(case)
    inputs, outputs = rules.routers_end * channels, len(ports) * channels
    endpoints, routers = len(network.endpoint_port), network.topology.router_count

    output = _aligned(outputs, records.OUTPUT)
    output["writing"] = 0
    output["head"] = output["tail"] = NONE
    output["space"] = case.output_packets
    output["credit"] = case.input_packets
    nothing = np.full(inputs, NONE, records.INPUT["head"])
    input_ = np.zeros(inputs, records.INPUT)
    for name in ("head", "tail", "output"):
        input_[name] = nothing

    block = _port_blocks(case, divided, ports)
    slots, sizes = capacity.slots(case), capacity.sizes(case, divided, block)
    packets = sum(size.packets for size in sizes)
    if max(packets, outputs) >= records.MAX_INDEX:
        raise InputError(
            Problem("", f"the queues hold up to {packets:,} packets, more than {records.MAX_INDEX:,}", "use smaller queues")
        )
    if outputs * channels >= 2**records.RECIPROCAL_BITS:
        raise InputError(Problem("virtual_channels", f"{channels} at {len(ports)} ports are too many", "use fewer"))
    random, sources, others = np.split(seed.generate_state(endpoints + divided.blocks, np.uint64), [1, 1 + endpoints])
    mails = max(size.mails for size in sizes)
    shared = dict(
        input=input_,
        output=output,
        port=ports,
        # Each block uses the begin of its part.
        packet=(_sparse if divided.blocks > 1 else _aligned)(packets, records.PACKET),
        router=_records(records.ROUTER, routers + 1, first_port=network.first_port),
        endpoint=_endpoints(case),
        source_state=_source_state(case, sources),
        source_numbers=np.zeros((endpoints, 4)),
        waiting=_aligned(inputs, records.WAITING),
        wanted_vc=np.zeros(inputs + LANES, np.uint8),
        class_ports=np.zeros((inputs if rules.classes else 0, max(1, rules.classes)), np.int64),
        free_space=_free_space(case, rules),
        input_occupancy=np.zeros(inputs if case.occupancy else 0, np.int64),
        output_occupancy=np.zeros(outputs if case.occupancy else 0, np.int64),
        block=block,
        mail=_sparse(2 * divided.blocks * mails, records.MAIL).reshape(2, divided.blocks, mails),
        mail_range=np.zeros((2, divided.blocks, divided.blocks), records.RANGE),
    )
    first = np.cumsum([0, *(size.packets for size in sizes)])
    states = np.append(random, others)
    return [
        Engine(
            **shared,
            free=_sparse(size.packets, np.int32),
            posted=_sparse(size.mails, records.MAIL),
            slot=np.zeros(slots, np.int32),
            event=_sparse(size.chunks * records.CHUNK, np.int32),
            chunk_before=_sparse(size.chunks, np.int32),
            new=_sparse(size.new, np.int32),
            freed=_sparse(size.freed, np.int32),
            touched=_sparse(size.touched, np.int32),
            candidates=candidate_array(int(network.topology.degree.max(initial=0))),
            random=states[number : number + 1].copy(),
            tally=_records(
                records.TALLY, 1, first_packet=first[number], free_chunk=NONE, fresh_chunks=1, mask=slots - 1,
                block=number,
            ),
            delays=np.zeros(case.warmup + case.cycles + 1, np.int64),
            hops=np.zeros(256, np.int64),
        )
        for number, size in enumerate(sizes)
    ]  # fmt: skip


def view_of(case: Case, rules: Rules, engine: Engine, prepared: Routing) -> Handle:
    """Return the `View` of a routing."""
    sizes = case.packet_phits, case.input_packets, case.output_packets
    return prepared.view(sizes, engine.packet, engine.output, engine.candidates, by_class=rules.classes > 0)


def phits_sent(engine: Engine, case: Case) -> np.ndarray:
    """Return the phits that each port has sent since the start, float64 (ports); whole numbers where links have rate 1.

    Phits of a packet that leaves as slowly as it arrives count as late as possible, so that no port exceeds its rate in any
    interval. The sending sides of endpoints are not counted.
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
    """Return records that are zero except some fields."""
    result = np.zeros(count, kind)
    for name, value in fields.items():
        result[name] = value
    return result


def _aligned(count: int, kind: np.dtype) -> np.ndarray:
    """Return an uninitialized array aligned to a cache line, so that no small record straddles two."""
    buffer = np.empty(count * kind.itemsize + 64, np.uint8)
    offset = -buffer.ctypes.data % 64
    return buffer[offset : offset + count * kind.itemsize].view(kind)


def _sparse(count: int, kind: np.dtype | type) -> np.ndarray:
    """Return an array of which few pages are ever used, without huge pages: they would take many times their memory."""
    kind = np.dtype(kind)
    if not hasattr(mmap, "MADV_NOHUGEPAGE"):
        return np.empty(count, kind)
    # Forked processes have their own copy.
    memory = mmap.mmap(-1, max(1, count * kind.itemsize), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(memory, kind, count)


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
        for side in (a, b):
            ports["delay"][side] = network.link_cycles[cables]
            ports["packet_cycles"][side] = times[cables]
    return ports


def _port_blocks(case: Case, divided: Division, ports: np.ndarray) -> np.ndarray:
    """Return the block of each port; endpoints belong to that of their router."""
    of_router, end = blocks_of(case.network.topology.router_count, divided.blocks), int(case.network.first_port[-1])
    result = np.empty(len(ports), np.uint16)
    result[:end] = of_router[ports["router"][:end]]
    result[end:] = result[ports["peer"][end:]]
    return result
