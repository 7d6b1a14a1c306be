"""One run of the packet engine, in chunks, with its measures."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from planner.core import registry
from planner.kernels import compile_for
from planner.kernels.addresses import Handle
from planner.kernels.packet import faults, loop, mail, records
from planner.kernels.packet import wormhole as phit_loop
from planner.kernels.packet.records import Engine, Rules
from planner.simulation import injection, wormhole
from planner.simulation.blocks import Division, division, on_free_cores
from planner.simulation.case import Case, Fault, rates
from planner.simulation.network import Routing, candidates_of
from planner.simulation.state import is_plain, phits_sent, rules_of, states_of, view_of

_FIRST_CYCLES = 100
"""Cycles before the first progress callback; the result does not depend on it."""

_CHUNK_SECONDS = 0.1
"""Target time between progress callbacks."""


@dataclass(frozen=True)
class Measures:
    """Measures of one run; delays in cycles, counts in packets unless stated."""

    generated: int
    delivered: int
    delay_sum: int
    delays: np.ndarray
    hops: np.ndarray
    by_source: np.ndarray
    sent: np.ndarray
    """Phits sent by each port of the routers, float64."""
    dropped: int
    """Packets dropped by faults while measuring."""
    deadlock: int
    input_occupancy: np.ndarray
    """Mean packets in each input queue, past the router's pipeline, including those leaving it: float32 (router ports,
    channels), empty when `Case.occupancy` is False."""
    output_occupancy: np.ndarray
    """As `input_occupancy`, for output queues, from the first phit in to the last phit out."""


class _Sources:
    """The packets that each source has created so far, counted next to the engine.

    An engine that is saturated draws the packets of a source long after their creation. Counted from there each time, the packets
    of all that wait would be drawn again and again.
    """

    def __init__(self, engine: Engine, rules: Rules):
        self._engine, self._rules = engine, rules
        self._next = engine.endpoint["created"].astype(np.int64)
        self._drawn = engine.source_state.copy(), engine.source_numbers.copy()
        self._created = np.zeros(len(engine.endpoint), np.int64)

    def created(self) -> np.ndarray:
        """Return the packets created before the current cycle by each source, int64 (H,)."""
        rules, now = self._rules, self._engine.tally[0].now
        loop.count_created(self._next, *self._drawn, rules.process, rules.turns, now, self._created)
        return self._created.copy()

    def stop(self) -> None:
        """Stop the sources that the engine has stopped in this cycle."""
        self._next[self._engine.endpoint["created"] == records.NEVER] = records.NEVER


class Run:
    """State of one run."""

    def __init__(self, case: Case, load: float, seed: np.random.SeedSequence, divided: Division | None = None):
        self.case = case
        self.division = divided or division(case, load)
        self.rules = rules_of(case, self.division)
        self.blocks = states_of(case, self.division, self.rules, seed)
        self.engine = self.blocks[0]
        self._states = [Handle(block) for block in self.blocks]
        self.engine.source_numbers[:] = _creation(case, load)
        self._candidates = candidates_of(case.routing, case.prepared)
        self._target = registry.load("traffic", case.traffic).target.address
        self._prepare(case.prepared)
        self._pending = list(case.faults)
        self.switching: tuple = ()
        if case.input_phits:
            sizes = wormhole.numbers(case.packet_phits, case.input_phits, case.crossbar_speedup, case.router_cycles)
            self.switching = wormhole.state(self.engine, self.rules, sizes), sizes
        self._chunk = _FIRST_CYCLES
        self._loop = phit_loop.run if case.input_phits else loop.run if is_plain(self.rules) else loop.run_by_rule
        _compile(self._loop, self.rules, self.switching)
        for block in self.blocks:
            loop.start(block, self.rules)
        self._sources = _Sources(self.engine, self.rules)

    @property
    def window(self) -> int:
        """Cycles that blocks of routers run without each other; shorter runs are slower."""
        return self.division.window

    @property
    def now(self) -> int:
        """Cycles run so far."""
        return int(self.engine.tally[0].now)

    def advance(self, cycles: int) -> int:
        """Run some cycles; return `records.FINE` or `records.DEADLOCK`."""
        end = self.now + cycles
        while True:
            if self._pending and self._pending[0].cycle <= self.now:
                self._fail(self._pending.pop(0))
                continue
            until = min([end, *(fault.cycle for fault in self._pending[:1])])
            status = self._run(0, until) if len(self.blocks) == 1 else self._windows(until)
            if status != records.FINE or self.now >= end:
                return status

    def _run(self, block: int, until: int) -> int:
        """Run a block to a cycle."""
        routing, traffic = (self._candidates, self._views[block].address), (self._target, self.case.table)
        return self._loop(self._states[block].address, self.rules, *self.switching, *routing, *traffic, until)

    def _windows(self, until: int) -> int:
        """Run all blocks to a cycle, window by window, on all cores that are free."""
        with on_free_cores(len(self.blocks)) as each:
            while self.now < until:
                each(partial(self._run, until=min((self.now // self.window + 1) * self.window, until)))
                if self._is_deadlocked():
                    return records.DEADLOCK
        return records.FINE

    def receive(self) -> None:
        """Let all blocks receive what others have sent."""
        # A network as a whole does without this kernel.
        for block in self.blocks if len(self.blocks) > 1 else ():
            mail.receive(block, self.rules, block.tally[0].side)

    def _is_deadlocked(self) -> bool:
        last = max(int(block.tally[0].last_move) for block in self.blocks)
        left = self.total("injected") - self.total("delivered") - self.total("dropped")
        return left > 0 and self.now - last > int(self.engine.tally[0].mask) + 1

    def total(self, counter: str) -> int:
        """Return a counter of `records.TALLY`, the sum of all blocks."""
        return sum(int(block.tally[0][counter]) for block in self.blocks)

    def _prepare(self, prepared: Routing) -> None:
        """Switch to a prepared routing."""
        self._views = [view_of(self.case, self.rules, block, prepared) for block in self.blocks]

    def _fail(self, fault: Fault) -> None:
        """Apply a fault and switch to the routing prepared for it."""
        self._prepare(fault.prepared)
        self._sources.created()
        self.receive()
        self.engine.port["failed"] = np.maximum(self.engine.port["failed"], fault.failed)
        for block in self.blocks:
            faults.fail(block, self.rules)
        self._sources.stop()

    def waiting(self) -> np.ndarray:
        """Return the packets that wait at each source, int64 (H,)."""
        return self._sources.created() - self.engine.endpoint["sent"]

    def created(self) -> int:
        """Return the packets created so far, including those waiting at sources."""
        return int(self._sources.created().sum())

    def measure(self, tick: Callable[[int], None], chunk: int = 0) -> Measures:
        """Warm up, measure, and return the measures; `tick` is called with the cycle after each chunk, see `until`."""
        status = self.until(self.case.warmup, tick, chunk)
        self.clear()
        if status == records.FINE:
            status = self.until(self.case.warmup + self.case.cycles, tick, chunk)
        return self.measures(status)

    def clear(self) -> None:
        """Reset the measures."""
        engine = self.engine
        self.receive()
        sent = phits_sent(engine, self.case)
        self._began = self.now, self.created(), self.total("dropped"), sent, self.occupancy()
        engine.endpoint["delivered"] = 0
        for block in self.blocks:
            block.delays[:] = block.hops[:] = 0
            block.tally["packets"] = block.tally["delay"] = 0

    def measures(self, status: int) -> Measures:
        """Return the measures since `clear`; `status` is what the last call of `advance` returned."""
        self.receive()
        began, created, dropped, sent, occupancy = self._began
        engine, cycles = self.engine, max(1, self.now - began)
        means = [((end - begin) / cycles).astype(np.float32) for end, begin in zip(self.occupancy(), occupancy, strict=True)]
        return Measures(
            generated=self.created() - created,
            delivered=self.total("packets"),
            delay_sum=self.total("delay"),
            delays=np.sum([block.delays for block in self.blocks], axis=0),
            hops=np.sum([block.hops for block in self.blocks], axis=0),
            by_source=engine.endpoint["delivered"].copy(),
            sent=phits_sent(engine, self.case) - sent,
            dropped=self.total("dropped") - dropped,
            deadlock=self.now if status == records.DEADLOCK else -1,
            input_occupancy=means[0],
            output_occupancy=means[1],
        )

    def queued(self) -> int:
        """Return the packets that wait in queues of routers: not those on cables, in routers' pipelines, and at sources."""
        if self.switching:
            worms, queues = self.switching[0], self.rules.routers_end * self.case.channels
            phits = worms.lane["phits"][:queues].sum() + worms.side["count"][: self.rules.routers_end].sum()
            return int(phits) // self.case.packet_phits
        return self.total("queued")

    def occupancy(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the packet cycles of every input and output queue, int64 (router ports, channels)."""
        ports = self.rules.routers_end if self.case.occupancy else 0
        counts = np.zeros((2, ports * self.case.channels), np.int64)
        if ports and self.switching:
            phit_loop.queue_occupancy(self.engine, self.rules, *self.switching, counts[0], counts[1])
        elif ports:
            loop.queue_occupancy(self.engine, self.rules, self.case.output_packets, counts[0], counts[1])
        inputs, outputs = counts.reshape(2, ports, self.case.channels)
        return inputs, outputs

    def until(self, end: int, tick: Callable[[int], None], chunk: int = 0) -> int:
        """Run to a cycle in chunks of `chunk` cycles, 0: of about 0.1 s; return as `advance`."""
        while self.now < end:
            cycles = chunk or self._chunk
            if not chunk:
                # Where a window ends must not depend on the time that it takes.
                cycles += -(self.now + cycles) % self.window
            began, cycles = time.perf_counter(), min(cycles, end - self.now)
            status = self.advance(cycles)
            took = time.perf_counter() - began
            if took > 2 * _CHUNK_SECONDS:
                self._chunk = max(1, self._chunk // 2)
            elif cycles >= self._chunk and took < _CHUNK_SECONDS / 2:
                self._chunk *= 2
            tick(self.now)
            if status != records.FINE:
                return status
        return records.FINE


def _creation(case: Case, load: float) -> np.ndarray:
    return injection.numbers(case.process, load, rates(case), case.packet_phits, case.burst_packets, case.burst_load)


def _compile(kernel: Callable, rules: Rules, switching: tuple) -> None:
    """Compile a loop, which takes routings and traffic patterns by address, so that all share one cache entry."""
    compile_for(kernel, 0, rules, *switching, 0, 0, 0, np.empty(1, "i4"), 0)
