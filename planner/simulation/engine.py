"""One run of the packet engine: its state built, run in chunks, and measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numba
import numpy as np

from planner import registry
from planner.kernels import packet_records as records
from planner.kernels import packets
from planner.kernels.packet_records import NONE, Engine, Rules
from planner.simulation.network import Network, Routing

CHUNK_CYCLES = 1000
"""Cycles between two looks at progress and Ctrl-C; the result does not depend on it."""

_LEAST_SLOTS = 512


@dataclass(frozen=True)
class Case:
    """Everything that a run needs except its load; can be sent to another process."""

    network: Network
    routing: str
    traffic: str
    prepared: Routing
    table: np.ndarray
    channels: int
    packet_phits: int
    input_packets: int
    output_packets: int
    router_cycles: int
    credit_cycles: int
    take_turns: int
    warmup: int
    cycles: int


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
    deadlock: int


class Run:
    """The state of one run and the means to drive it."""

    def __init__(self, case: Case, load: float, seed: np.random.SeedSequence):
        self.case = case
        self.rules = _rules(case, load)
        self.engine = _engine(case, self.rules, seed)
        self._candidates = registry.load("routing", case.routing).candidates
        self._target = registry.load("traffic", case.traffic).target
        _compile(self.engine, self.rules)
        packets.start(self.engine, self.rules)

    @property
    def now(self) -> int:
        """Cycles run so far."""
        return int(self.engine.tally[0].now)

    def advance(self, cycles: int) -> int:
        """Run some cycles; return `records.FINE` or `records.DEADLOCK`."""
        prepared = self.case.prepared
        return packets.run(
            self.engine, self.rules, self._candidates, self._target, self.case.table,
            prepared.wide, prepared.small, prepared.numbers, self.now + cycles,
        )  # fmt: skip

    def created(self) -> int:
        """Return the packets created so far, those still at their sources included."""
        return int(packets.created(self.engine, self.rules))

    def measure(self, tick: Callable[[int], None], chunk: int = CHUNK_CYCLES) -> Measures:
        """Warm up, measure, and return the measures; `tick` is called with the cycle after each chunk."""
        case, engine = self.case, self.engine
        status = self._until(case.warmup, tick, chunk)
        created = self.created()
        packets.clear_measures(engine)
        if status == records.FINE:
            status = self._until(case.warmup + case.cycles, tick, chunk)
        tally = engine.tally[0]
        return Measures(
            generated=self.created() - created,
            delivered=int(tally.packets),
            delay_sum=int(tally.delay),
            delays=engine.delays.copy(),
            hops=engine.hops.copy(),
            by_source=engine.by_source.copy(),
            sent=engine.port["sent"].copy(),
            deadlock=self.now if status == records.DEADLOCK else -1,
        )

    def _until(self, end: int, tick: Callable[[int], None], chunk: int) -> int:
        while self.now < end:
            status = self.advance(min(chunk, end - self.now))
            tick(self.now)
            if status != records.FINE:
                return status
        return records.FINE


def _rules(case: Case, load: float) -> Rules:
    with np.errstate(divide="ignore"):
        log_idle = float(np.log1p(-load / case.packet_phits))
    return Rules(
        packet_phits=case.packet_phits,
        channels=case.channels,
        router_cycles=case.router_cycles,
        credit_cycles=case.credit_cycles,
        take_turns=case.take_turns,
        log_idle=log_idle,
        routers_end=int(case.network.first_port[-1]),
    )


def _engine(case: Case, rules: Rules, seed: np.random.SeedSequence) -> Engine:
    network, channels = case.network, case.channels
    ports = _ports(network)
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
    most_packets = inputs * (case.input_packets + case.output_packets) + endpoints * (2 + slots // case.packet_phits)
    # A packet has at most one event, a queue one move and one link, a source one; and every place of a queue one credit.
    most_events = most_packets + 2 * outputs + inputs * case.input_packets + endpoints
    chunks = slots + most_events // records.CHUNK
    random, *sources = seed.generate_state(1 + endpoints, np.uint64)
    return Engine(
        input=input_,
        output=output,
        port=ports,
        packet=_aligned(most_packets, records.PACKET),
        first_port=network.first_port.copy(),
        endpoint_port=network.endpoint_port.copy(),
        source_created=np.zeros(endpoints, np.int32),
        source_state=np.array(sources, np.uint64),
        waiting_queue=np.zeros(inputs, np.int32),
        waiting_signature=np.zeros(inputs, np.uint64),
        waiting_count=np.zeros(routers, np.int32),
        free_packet=np.arange(most_packets, dtype=np.int32)[::-1].copy(),
        chunk=_aligned(chunks * records.CHUNK, np.dtype(np.int32)).reshape(chunks, records.CHUNK),
        chunk_next=np.empty(chunks, np.int32),
        free_chunk=np.arange(chunks, dtype=np.int32)[::-1].copy(),
        slot_chunk=np.full(slots, NONE, np.int32),
        slot_size=np.zeros(slots, np.int32),
        new=np.empty(inputs, np.int32),
        freed=np.empty(2 * outputs, np.int32),
        touched=np.empty(most_events + inputs, np.int32),
        found=np.zeros((32 * max(1, int(network.topology.degree.max(initial=1))), 4), np.int32),
        random=np.array([random], np.uint64),
        tally=_tally(most_packets, chunks),
        delays=np.zeros(case.warmup + case.cycles + 1, np.int64),
        hops=np.zeros(256, np.int64),
        by_source=np.zeros(endpoints, np.int32),
    )


def _aligned(count: int, kind: np.dtype) -> np.ndarray:
    """Return an uninitialised array that starts on a cache line, so that no small record lies across two."""
    buffer = np.empty(count * kind.itemsize + 64, np.uint8)
    offset = -buffer.ctypes.data % 64
    return buffer[offset : offset + count * kind.itemsize].view(kind)


def _ports(network: Network) -> np.ndarray:
    """Return the records of all ports, the sending sides of the endpoints last."""
    topology = network.topology
    end, endpoints = int(network.first_port[-1]), topology.endpoint_count
    ports = np.zeros(end + endpoints, records.PORT)
    ports["router"][:end] = np.repeat(np.arange(topology.router_count), np.diff(network.first_port))
    ports["router"][end:] = NONE
    one, other = network.link_ports.T
    sides = end + np.arange(endpoints)
    for a, b, delays in (
        (one, other, network.link_cycles[: topology.link_count]),
        (network.endpoint_port, sides, network.link_cycles[topology.link_count :]),
    ):
        ports["peer"][a], ports["peer"][b] = b, a
        ports["delay"][a] = ports["delay"][b] = delays
    return ports


def _slots(case: Case, ports: np.ndarray) -> int:
    """Return the slots of the time wheel: a power of two beyond every delay."""
    longest = int(ports["delay"].max()) + case.router_cycles + case.credit_cycles + case.packet_phits
    return 1 << max(_LEAST_SLOTS, longest + 1).bit_length()


def _tally(free_packets: int, free_chunks: int) -> np.ndarray:
    tally = np.zeros(1, records.TALLY)
    tally["free_packets"] = free_packets
    tally["free_chunks"] = free_chunks
    return tally


def _compile(engine: Engine, rules: Rules) -> None:
    """Compile the loop for routings and traffics as function pointers, so that the cache serves all of them."""
    if numba.config.DISABLE_JIT or packets.run.signatures:
        return
    wide, small, numbers = (numba.typeof(np.empty(shape, kind)) for shape, kind in (((1, 1), "u4"), ((1, 1), "u1"), (1, "i8")))
    routing, traffic = (numba.types.FunctionType(signature) for signature in (records.ROUTING, records.TRAFFIC))
    packets.run.compile(
        (numba.typeof(engine), numba.typeof(rules), routing, traffic, numba.typeof(np.empty(1, "i4")), wide, small, numbers,
         numba.types.int64)
    )  # fmt: skip
    packets.run.disable_compile()
