"""One run of the packet engine: its state built, run in chunks, and measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numba
import numpy as np

from planner import registry
from planner.errors import InputError, Problem
from planner.kernels import packet_faults, packet_wormhole, packets
from planner.kernels import packet_records as records
from planner.kernels.packet_records import NONE, Engine, Rules
from planner.simulation import injection, wormhole
from planner.simulation.network import Network, Routing

CHUNK_CYCLES = 1000
"""Cycles between two looks at progress and Ctrl-C; the result does not depend on it."""

_LEAST_SLOTS = 512


@dataclass(frozen=True)
class Fault:
    """What is dead from some cycle on, and the routing without it."""

    cycle: int
    dead: np.ndarray
    """0, `records.LINK_DEAD` or `records.ROUTER_DEAD` for each port, int32."""
    prepared: Routing


@dataclass(frozen=True)
class Case:
    """Everything that a run needs except its load; can be sent to another process."""

    network: Network
    routing: str
    prepared: Routing
    channels: int
    packet_phits: int
    input_packets: int
    output_packets: int
    router_cycles: int
    credit_cycles: int
    take_turns: int
    traffic: str = ""
    table: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    warmup: int = 0
    cycles: int = 1 << 16
    arbitration: int = records.RANDOM
    crossbar_speedup: int = 1
    """Phits that move into an output queue per cycle."""
    input_speedup: int = 0
    """Packets that may leave one input port at once; 0 for any number."""
    occupation: bool = False
    """Whether the time in every queue is added up."""
    input_phits: int = 0
    """Phits of an input queue with wormhole switching, where `input_packets` is as many packets, rounded up, and
    `output_packets` 0; 0 with cut-through."""
    process: str = "bernoulli"
    """How sources create packets, one of `planner.simulation.injection.PROCESSES`."""
    burst_packets: float = 8.0
    burst_load: float = 1.0
    faults: tuple[Fault, ...] = ()
    """What dies, in ascending order of time; `prepared` is for what never dies or dies later."""


@dataclass(frozen=True)
class Measures:
    """What one run measured; delays in cycles, counts in packets."""

    generated: int
    delivered: int
    delay_sum: int
    delays: np.ndarray
    hops: np.ndarray
    by_source: np.ndarray
    sent: np.ndarray
    dropped: int
    """Packets lost by faults while measuring."""
    deadlock: int
    input_held: np.ndarray
    """Packets that were in each input queue, past the router's pipeline, or were leaving it; mean over time, float32
    (routers' ports, channels), empty when `Case.occupation` is False."""
    output_held: np.ndarray
    """As `input_held`, for output queues, from the first phit in to the last phit out."""


class Run:
    """The state of one run and the means to drive it."""

    def __init__(self, case: Case, load: float, seed: np.random.SeedSequence):
        self.case = case
        self.rules = rules_of(case)
        self.engine = state_of(case, self.rules, seed)
        self.engine.source_numbers[:] = _creation(case, load)
        self._candidates = registry.load("routing", case.routing).candidates
        self._target = registry.load("traffic", case.traffic).target
        self._prepare(case.prepared)
        self._coming = list(case.faults)
        self.switching: tuple = ()
        if case.input_phits:
            sizes = wormhole.numbers(case.packet_phits, case.input_phits, case.crossbar_speedup, case.router_cycles)
            self.switching = wormhole.state(self.engine, self.rules, sizes), sizes
        self._loop = packet_wormhole.run if case.input_phits else packets.run
        _compile(self._loop, self.engine, self.rules, self.switching)
        packets.start(self.engine, self.rules)

    @property
    def now(self) -> int:
        """Cycles run so far."""
        return int(self.engine.tally[0].now)

    def advance(self, cycles: int) -> int:
        """Run some cycles; return `records.FINE` or `records.DEADLOCK`."""
        end = self.now + cycles
        while True:
            if self._coming and self._coming[0].cycle <= self.now:
                self._fail(self._coming.pop(0))
                continue
            prepared, until = self._prepared, min([end, *(fault.cycle for fault in self._coming[:1])])
            status = self._loop(
                self.engine, self.rules, *self.switching, self._candidates, self._target, self.case.table,
                prepared.wide, prepared.small, self._numbers, until,
            )  # fmt: skip
            if status != records.FINE or self.now >= end:
                return status

    def _prepare(self, prepared: Routing) -> None:
        """Go on with a routing, which is told the sizes of packets and queues."""
        sizes = [self.case.packet_phits, self.case.input_packets, self.case.output_packets]
        self._prepared, self._numbers = prepared, np.concatenate([prepared.numbers, np.array(sizes, np.int64)])

    def _fail(self, fault: Fault) -> None:
        """Kill what a fault names, and go on with the routing without it."""
        self._prepare(fault.prepared)
        self.engine.port["dead"] = np.maximum(self.engine.port["dead"], fault.dead)
        packet_faults.fail(self.engine, self.rules)

    def created(self) -> int:
        """Return the packets created so far, those still at their sources included."""
        return int(packets.created(self.engine, self.rules))

    def measure(self, tick: Callable[[int], None], chunk: int = CHUNK_CYCLES) -> Measures:
        """Warm up, measure, and return the measures; `tick` is called with the cycle after each chunk."""
        status = self.until(self.case.warmup, tick, chunk)
        self.clear()
        if status == records.FINE:
            status = self.until(self.case.warmup + self.case.cycles, tick, chunk)
        return self.measures(status)

    def clear(self) -> None:
        """Begin to measure: what came before counts no more."""
        self._began = self.now, self.created(), int(self.engine.tally[0].dropped), self._held()
        packets.clear_measures(self.engine)

    def measures(self, status: int) -> Measures:
        """Return the measures since `clear`; `status` is what the last call of `advance` returned."""
        began, created, dropped, held = self._began
        engine, cycles = self.engine, max(1, self.now - began)
        tally = engine.tally[0]
        means = [((end - begin) / cycles).astype(np.float32) for end, begin in zip(self._held(), held, strict=True)]
        return Measures(
            generated=self.created() - created,
            delivered=int(tally.packets),
            delay_sum=int(tally.delay),
            delays=engine.delays.copy(),
            hops=engine.hops.copy(),
            by_source=engine.by_source.copy(),
            sent=engine.port["sent"].copy(),
            dropped=int(tally.dropped) - dropped,
            deadlock=self.now if status == records.DEADLOCK else -1,
            input_held=means[0],
            output_held=means[1],
        )

    def _held(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the cycles that packets have spent in every input and output queue, int64 (routers' ports, channels)."""
        ports = self.rules.routers_end if self.case.occupation else 0
        counts = np.zeros((2, ports * self.case.channels), np.int64)
        if ports and self.switching:
            packet_wormhole.held(self.engine, self.rules, *self.switching, counts[0], counts[1])
        elif ports:
            packets.held(self.engine, self.rules, self.case.output_packets, counts[0], counts[1])
        return tuple(counts.reshape(2, ports, self.case.channels))

    def until(self, end: int, tick: Callable[[int], None], chunk: int = CHUNK_CYCLES) -> int:
        """Run up to a cycle in chunks; return as `advance` does."""
        while self.now < end:
            status = self.advance(min(chunk, end - self.now))
            tick(self.now)
            if status != records.FINE:
                return status
        return records.FINE


def rates(case: Case) -> np.ndarray:
    """Return the load of each source as a share of the offered load, float64 (H,), 0 to 1."""
    of_table = getattr(registry.load("traffic", case.traffic), "rates", None)
    return np.ones(case.network.topology.endpoint_count) if of_table is None else of_table(case.table)


def _creation(case: Case, load: float) -> np.ndarray:
    return injection.numbers(case.process, load, rates(case), case.packet_phits, case.burst_packets, case.burst_load)


def rules_of(case: Case) -> Rules:
    """Return the numbers that stay."""
    return Rules(
        move_cycles=move_cycles(case),
        channels=case.channels,
        router_cycles=case.router_cycles,
        credit_cycles=case.credit_cycles,
        take_turns=case.take_turns,
        arbitration=case.arbitration,
        input_speedup=case.input_speedup,
        occupation=int(case.occupation),
        process=injection.PROCESSES.index(case.process),
        routers_end=int(case.network.first_port[-1]),
    )


def packet_cycles(case: Case) -> np.ndarray:
    """Return the time of a packet on each cable, links first, then endpoints: int32 (L+H,)."""
    return np.ceil(case.packet_phits / case.network.link_rate - 1e-9).astype(np.int32)


def move_cycles(case: Case) -> int:
    """Return the least time of a packet across the crossbar."""
    return -(-case.packet_phits // case.crossbar_speedup)


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
    chunks = slots + most_events // records.CHUNK
    random, sources = np.split(seed.generate_state(1 + endpoints, np.uint64), [1])
    return Engine(
        input=input_,
        output=output,
        port=ports,
        packet=_aligned(most_packets, records.PACKET),
        first_port=network.first_port.copy(),
        endpoint_port=network.endpoint_port.copy(),
        source_created=np.zeros(endpoints, np.int32),
        source_state=sources.copy(),
        source_phase=np.zeros(endpoints),
        source_numbers=np.zeros((endpoints, 3)),
        waiting_queue=np.zeros(inputs, np.int32),
        waiting_signature=np.zeros(inputs, np.uint64),
        waiting_count=np.zeros(routers, np.int32),
        ready=np.zeros(routers, np.uint64),
        turn=np.zeros(routers, np.int32),
        held_input=np.zeros(inputs if case.occupation else 0, np.int64),
        held_output=np.zeros(outputs if case.occupation else 0, np.int64),
        free_packet=np.empty(most_packets, np.int32),
        chunk=_aligned(chunks * records.CHUNK, np.dtype(np.int32)).reshape(chunks, records.CHUNK),
        chunk_next=np.empty(chunks, np.int32),
        free_chunk=np.empty(chunks, np.int32),
        slot_chunk=np.full(slots, NONE, np.int32),
        slot_size=np.zeros(slots, np.int32),
        new=np.empty(max(inputs, routers), np.int32),
        freed=np.empty(2 * outputs + (inputs if case.input_speedup else 0), np.int32),
        touched=np.empty(most_events + inputs, np.int32),
        found=np.zeros((32 * max(1, int(network.topology.degree.max(initial=1))), 4), np.int32),
        random=random.copy(),
        tally=np.zeros(1, records.TALLY),
        delays=np.zeros(case.warmup + case.cycles + 1, np.int64),
        hops=np.zeros(256, np.int64),
        by_source=np.zeros(endpoints, np.int32),
    )


def _aligned(count: int, kind: np.dtype) -> np.ndarray:
    """Return an uninitialised array that starts on a cache line, so that no small record lies across two."""
    buffer = np.empty(count * kind.itemsize + 64, np.uint8)
    offset = -buffer.ctypes.data % 64
    return buffer[offset : offset + count * kind.itemsize].view(kind)


def _ports(case: Case) -> np.ndarray:
    """Return the records of all ports, the sending sides of the endpoints last."""
    network = case.network
    topology, links = network.topology, network.topology.link_count
    end, endpoints = int(network.first_port[-1]), topology.endpoint_count
    ports = np.zeros(end + endpoints, records.PORT)
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


def _compile(loop: Callable, engine: Engine, rules: Rules, switching: tuple) -> None:
    """Compile a loop for routings and traffics as function pointers, so that the cache serves all of them."""
    if numba.config.DISABLE_JIT or loop.signatures:
        return
    wide, small, numbers = (numba.typeof(np.empty(shape, kind)) for shape, kind in (((1, 1), "u4"), ((1, 1), "u1"), (1, "i8")))
    routing, traffic = (numba.types.FunctionType(signature) for signature in (records.ROUTING, records.TRAFFIC))
    state = [numba.typeof(part) for part in (engine, rules, *switching)]
    loop.compile((*state, routing, traffic, numba.typeof(np.empty(1, "i4")), wide, small, numbers, numba.types.int64))
    loop.disable_compile()
