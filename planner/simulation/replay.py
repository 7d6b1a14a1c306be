"""Closed-loop simulation: the messages of a job on the packet engine; the result is the completion time."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge

from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.domain.model import MotifResult, Topology
from planner.kernels import compile_for
from planner.kernels.addresses import Handle
from planner.kernels.packet import faults, records
from planner.kernels.packet import messages as kernel
from planner.kernels.packet import replay as loop
from planner.simulation import lock_step
from planner.simulation.blocks import WHOLE
from planner.simulation.case import Case, Fault
from planner.simulation.elements import element
from planner.simulation.embedding import Embedding, embed_given
from planner.simulation.empty_network import cycles_alone
from planner.simulation.messages import Messages
from planner.simulation.network import candidates_of
from planner.simulation.ports import PortRule, endpoints_of, parts, rank_ports
from planner.simulation.state import is_plain, phits_sent, rules_of, states_of, view_of

CHUNK_CYCLES = 1000
"""Cycles between progress callbacks; the result does not depend on it."""

RESEND_US = 10.0
"""Default of `resend_us`."""


def run_motif(
    topology: Topology,
    delay_ps: np.ndarray,
    *,
    owner: np.ndarray | None = None,
    seed: int,
    progress: Progress = silent,
    motif: str = "allreduce",
    ranks: Annotated[int, Ge(1)] | None = None,
    placement: Literal["linear", "random", "groups", "routers"] = "linear",
    ports: Annotated[int, Ge(1)] | None = None,
    port_rule: PortRule = "rail",
    motif_parameters: dict[str, Any] | None = None,
    resend_us: Annotated[float, Ge(0)] = RESEND_US,
    **routers: Any,
) -> MotifResult:
    """Run a motif: the messages of a job with their dependencies.

    A message is sent as full packets, at least one. Packets dropped by a fault are sent again. See ``docs/method/motifs.md``.

    Parameters
    ----------
    topology, delay_ps, owner, seed, progress
        As for `planner.simulation.simulate`.
    motif
        Name of the motif.
    ranks
        Ranks of the job; one per endpoint, or node of several ports, if not given.
    placement
        How ranks are placed on nodes, see `planner.simulation.jobs.place`.
    ports, port_rule
        Ports of each rank's node, and the port of each message, see `planner.simulation.ports`.
    motif_parameters
        Parameters of the motif.
    resend_us
        Time from the loss of a packet until its source sends it again.
    **routers
        Parameters of `planner.simulation.embed` and fields of its settings.

    Raises
    ------
    InputError
        For a network or a parameter that cannot be simulated.
    """
    embedded = embed_given(topology, delay_ps, **routers)
    return run_job(
        embedded, motif, motif_parameters, ranks=ranks, placement=placement, ports=ports, port_rule=port_rule, owner=owner,
        seed=seed, progress=progress, resend_us=resend_us,
    )  # fmt: skip


def run_job(
    embedded: Embedding,
    motif: str,
    motif_parameters: dict[str, Any] | None = None,
    *,
    ranks: int | None = None,
    placement: Any = "linear",
    ports: int | None = None,
    port_rule: PortRule = "rail",
    owner: np.ndarray | None = None,
    seed: int,
    progress: Progress = silent,
    resend_us: float = RESEND_US,
) -> MotifResult:
    """Run a motif on an embedded network; parameters as for `run_motif`."""
    topology = embedded.case.network.topology
    if embedded.case.input_phits:
        raise InputError(Problem("flow_control", "a motif runs with cut-through", "use cut_through, and not the preset booksim"))
    port = rank_ports(topology, ranks, placement, seed, ports, port_rule, owner)
    return replay(
        embedded.case,
        element("motif", motif, motif_parameters)(len(port)),
        port,
        name=motif,
        cycle_ps=embedded.cycle_ps,
        packet_bytes=embedded.case.packet_phits * embedded.phit_bytes,
        seed=np.random.SeedSequence([seed, zlib.crc32(b"motif")]),
        port_rule=port_rule,
        progress=progress,
        timeout=round(resend_us * 1e6 / embedded.cycle_ps),
    )


def replay(
    case: Case,
    messages: Messages,
    port: np.ndarray,
    *,
    name: str,
    cycle_ps: float,
    packet_bytes: int,
    seed: np.random.SeedSequence,
    port_rule: PortRule = "rail",
    progress: Progress = silent,
    chunk: int = CHUNK_CYCLES,
    timeout: int = 0,
) -> MotifResult:
    """Run messages to completion.

    Parameters
    ----------
    case
        The network and its routers; traffic, warm-up and measuring are ignored.
    messages
        Messages of the ranks.
    port
        Endpoints of each rank's node, int (ranks, ports), or (ranks,) for one port; messages within a rank take no time.
    name
        Name of the motif, for the result.
    cycle_ps
        Time of a phit on a link.
    packet_bytes
        Bytes of a packet; the last packet of a message is full as well.
    seed
        Seed of the random choices of routers.
    port_rule
        As for `planner.simulation.ports.endpoints_of`.
    progress
        Called with the number of finished messages and steps; after Ctrl-C the result covers the delivered messages.
    chunk
        Cycles between two calls; the result does not depend on it.
    timeout
        Cycles from the loss of a packet until its source sends it again, at least 1.

    Raises
    ------
    InputError
        When steps have a cyclic dependency, or a fault cuts off a rank.
    """
    run = Replay(case, messages, port, cycle_ps, packet_bytes, seed, port_rule, timeout)
    total, status = run.left, records.FINE
    try:
        while status == records.FINE:
            status = run.advance(chunk)
            progress("motif", total - run.left, total)
    except KeyboardInterrupt:
        pass
    return run.result(name, status)


class Replay:
    """State of one run of a motif."""

    def __init__(
        self, case: Case, messages: Messages, port: np.ndarray, cycle_ps: float, packet_bytes: int, seed: np.random.SeedSequence,
        port_rule: PortRule = "rail", timeout: int = 0,
    ):  # fmt: skip
        self.case, self.cycle_ps, self.bytes = case, cycle_ps, messages.bytes
        port = np.asarray(port, np.int64).reshape(messages.ranks, -1)
        self.rules = rules_of(case)
        [self.engine] = states_of(case, WHOLE, self.rules, seed)
        self._state = Handle(self.engine)
        self._pending = list(case.faults)
        packets = np.maximum(1, -(-messages.bytes // packet_bytes)).astype(np.int32)
        self.sent = parts(messages, packets, port.shape[1], port_rule)
        self.messages, self.packets = messages, packets = self.sent.messages, self.sent.packets
        self.compute = np.ceil(messages.compute_ns * 1000 / cycle_ps - 1e-9).astype(np.int64)
        routing, label, self._lock_step = lock_step.of_job(case, messages, packets, port[:, 0])
        sizes = len(self.engine.packet), len(self.engine.endpoint)
        ends = endpoints_of(self.sent, port, port_rule)
        _require_survivors(case, ends, prescribed=routing is not case.prepared)
        self.books = _books(messages, ends, packets, label, self.compute, *sizes)
        self.books.counts["timeout"] = max(1, timeout)
        self.bound = self._bound()
        self._view = view_of(case, self.rules, self.engine, routing)
        self._candidates = candidates_of(case.routing, case.prepared)
        self._loop = loop.run if is_plain(self.rules) else loop.run_by_rule
        _compile(self._loop, self.rules, self.books)
        if self._lock_step is not None:
            # Every step waits for its time step as well.
            self.books.waits[:] += 1
        kernel.begin(self.books)

    @property
    def left(self) -> int:
        """Unfinished messages and steps."""
        return int(self.books.counts[0].left)

    def advance(self, cycles: int) -> int:
        """Run some cycles, in lock step a time step; return `records.FINE`, `records.DEADLOCK` or `loop.FINISHED`."""
        if self._lock_step is not None:
            return self._lock_step.advance(self.engine, self.rules, self.books, self._run)
        return self._run(int(self.engine.tally[0].now) + cycles)

    def _run(self, until: int) -> int:
        if until >= records.NEVER:
            raise InputError(Problem("motif", f"takes more than {records.NEVER:,} cycles", "compute less, or use a larger phit"))
        while True:
            if self._pending and self._pending[0].cycle <= self.engine.tally[0].now:
                self._fail(self._pending.pop(0))
                continue
            end = min([until, *(fault.cycle for fault in self._pending[:1])])
            status = self._loop(self._state.address, self.rules, self.books, self._candidates, self._view.address, end)
            if status != records.FINE or end == until:
                return status

    def _fail(self, fault: Fault) -> None:
        """Apply a fault, switch to the routing prepared for it, and count the packets that it drops as lost."""
        self._view = view_of(self.case, self.rules, self.engine, fault.prepared)
        self.engine.port["failed"] = np.maximum(self.engine.port["failed"], fault.failed)
        # Failed endpoints have no packets that wait: none belongs to the job.
        self.engine.endpoint["created"][fault.failed[self.rules.routers_end :] > 0] = records.NEVER
        known = int(self.engine.tally[0].free_packets)
        faults.fail(self.engine, self.rules)
        loop.account(self.engine, self.books, known)

    def result(self, name: str, status: int) -> MotifResult:
        """Return the result so far."""
        case, timetable, last = self.case, self.messages.timetable, int(self.books.counts[0].last)
        cycles = last if status == loop.FINISHED else int(self.engine.tally[0].now)
        ports, first = case.network.link_ports.reshape(-1), self.sent.first
        return MotifResult(
            motif=name,
            ranks=self.messages.ranks,
            routing=case.routing,
            cycle_ps=self.cycle_ps,
            packet_phits=case.packet_phits,
            completion_cycles=last,
            bound_cycles=self.bound,
            # Parts of a message are sent at once; it is delivered with its last one.
            source=self.books.source[first],
            target=self.books.target[first],
            bytes=self.bytes,
            started=self.books.started[first],
            delivered=_of_parts(self.books.delivered, first),
            link_load=(phits_sent(self.engine, case)[ports] / max(1, cycles)).astype(np.float32),
            step_cycles=np.array([] if self._lock_step is None else self._lock_step.lengths, np.int64),
            steps=0 if timetable is None else timetable.steps,
            conflicts=-1 if timetable is None else timetable.conflicts,
            deadlock=int(self.engine.tally[0].last_move) if status == records.DEADLOCK else -1,
            complete=status == loop.FINISHED,
        )

    def _bound(self) -> int:
        """Return a lower bound of the completion time: the critical path of messages in an empty network, in cycles."""
        messages, scratch = self.messages, np.empty((2, len(self.messages.rank)), np.int64)
        waits = messages.waits.copy()
        alone = cycles_alone(self.case, messages, self.packets, self.books.source, self.books.target)
        end = kernel.longest(
            messages.first, messages.then, self.compute, waits, messages.wake_first, messages.wake, alone, scratch[0], scratch[1]
        )
        if end < 0:
            raise InputError(Problem("motif", "messages have a cyclic dependency", "remove one of them"))
        return int(end)


def _require_survivors(case: Case, ends: tuple[np.ndarray, np.ndarray], prescribed: bool) -> None:
    """Refuse faults that cut off an endpoint of the job, or those of a job with prescribed paths."""
    if prescribed and case.faults:
        raise InputError(Problem("outages", "a job with prescribed paths cannot avoid faults", "leave the outages out"))
    used = np.unique(np.concatenate(ends))
    for fault in case.faults:
        cut = used[fault.failed[case.network.endpoint_port[used]] > 0]
        if len(cut):
            message = f"endpoint {cut[0]} of the job fails in cycle {fault.cycle}, and the job cannot end without it"
            raise InputError(Problem("outages", message, "use fewer ranks, another placement, or other outages"))


def _books(
    messages: Messages, ends: Sequence[np.ndarray], packets: np.ndarray, label: np.ndarray, compute: np.ndarray,
    packet_records: int, endpoints: int,
) -> kernel.Books:  # fmt: skip
    """Return the initial state of a motif's messages."""
    count, steps = len(messages.target), len(messages.rank)
    counts = np.zeros(1, kernel.COUNTS)
    counts["left"] = count + steps
    return kernel.Books(
        source=ends[0],
        target=ends[1],
        first=messages.first,
        then=messages.then,
        compute=compute,
        waits=messages.waits.copy(),
        wake_first=messages.wake_first,
        wake=messages.wake,
        unsent=packets.copy(),
        missing=packets.copy(),
        lost=np.zeros(count, np.int32),
        label=label,
        started=np.full(count, -1, np.int64),
        delivered=np.full(count, -1, np.int64),
        next=np.full(count, records.NONE, np.int32),
        head=np.full(endpoints, records.NONE, np.int32),
        tail=np.full(endpoints, records.NONE, np.int32),
        carried=np.empty(packet_records, np.int32),
        woken=np.empty(endpoints, np.int32),
        key=np.empty(steps + count, np.float64),
        tie=np.empty(steps + count, np.float64),
        node=np.empty(steps + count, np.int32),
        counts=counts,
    )


def _of_parts(delivered: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Return the cycle in which the last part of each message was delivered, -1 if one was not."""
    if not len(first):
        return delivered
    return np.where(np.minimum.reduceat(delivered, first) < 0, -1, np.maximum.reduceat(delivered, first))


def _compile(run: Any, rules: Any, books: Any) -> None:
    """Compile the loop, which takes routings by address, so that all share one cache entry."""
    compile_for(run, 0, rules, books, 0, 0, 0)
