"""Messages with dependencies: the steps of the ranks of a job."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.core.errors import InputError, Problem

_MAX_MESSAGES = 2**27
MAX_PHASES = 2**18
"""Maximum phases and computations of a program: each takes about 30 µs and 700 bytes to build."""


@dataclass(frozen=True, eq=False)
class Timetable:
    """Prescribed path of each message, hop by hop in time steps; routers are named by the rank of their node."""

    steps: int
    """Time steps from the first hop to the last."""
    conflicts: int
    """Hops beyond the first on the same directed link in the same time step."""
    lock_step: bool
    """Whether a time step begins when the one before has ended everywhere; otherwise packets wait for no time step."""
    release: np.ndarray
    """Time step in which each step of a rank is sent, int64 (T,)."""
    first: np.ndarray
    """First hop of each message, and the end: int64 (M+1,)."""
    source: np.ndarray
    """Router that each hop leaves, int64 (N,)."""
    target: np.ndarray
    """Router that each hop goes to, int64 (N,)."""
    step: np.ndarray
    """Time step of each hop, int64 (N,)."""


@dataclass(frozen=True, eq=False)
class Messages:
    """The messages of a motif, M of them, sent in T steps.

    A step belongs to a rank. It is due when all messages that it waits for are delivered and the rank's previous
    step is done; it then computes and sends all its messages at once, in order.
    """

    ranks: int
    target: np.ndarray
    """Rank that each message goes to, int32 (M,); messages are sorted by step."""
    bytes: np.ndarray
    """Size of each message, int64 (M,)."""
    first: np.ndarray
    """First message of each step, and the end: int64 (T+1,)."""
    rank: np.ndarray
    """Rank of each step, int32 (T,)."""
    compute_ns: np.ndarray
    """Time between due and sent, int64 (T,)."""
    then: np.ndarray
    """Next step of the same rank, -1 if none: int32 (T,)."""
    wake_first: np.ndarray
    """First entry of each message in `wake`, and the end: int64 (M+1,)."""
    wake: np.ndarray
    """Steps that wait for each message."""
    local: np.ndarray | None = None
    """Whether each message stays in its node and takes no time, bool (M,); none does if not given."""
    timetable: Timetable | None = None
    """Prescribed paths of the messages; otherwise the routing chooses them."""

    @cached_property
    def step(self) -> np.ndarray:
        """Step of each message, int64 (M,)."""
        return np.repeat(np.arange(len(self.rank)), np.diff(self.first))

    @property
    def is_local(self) -> np.ndarray:
        """Whether each message stays in its node, bool (M,)."""
        return np.zeros(len(self.target), bool) if self.local is None else self.local

    @property
    def source(self) -> np.ndarray:
        """Rank that sends each message, int32 (M,)."""
        return self.rank[self.step]

    @cached_property
    def waits(self) -> np.ndarray:
        """Number of messages and previous steps that each step waits for, int32 (T,)."""
        count = np.bincount(self.wake, minlength=len(self.rank))
        count += np.bincount(self.then[self.then >= 0], minlength=len(self.rank))
        return count.astype(np.int32)

    def dependencies(self) -> list[list[int]]:
        """Return the messages that each step waits for."""
        waited: list[list[int]] = [[] for _ in self.rank]
        message = np.repeat(np.arange(len(self.target)), np.diff(self.wake_first))
        for number, step in zip(message.tolist(), self.wake.tolist(), strict=True):
            waited[step].append(number)
        return waited


class Program:
    """Builder of the messages of a job; all ranks go through the same phases.

    In a phase ranks send messages. A rank sends once all messages sent to it in earlier phases are
    delivered: sends do not block, receives do, and a rank that does not send in a phase does not
    delay it.

    Parameters
    ----------
    ranks
        Ranks of the job.

    Examples
    --------
    >>> program = Program(2)
    >>> program.send([0], [1], 100)
    >>> program.send([1], [0], 100)
    >>> program.messages().dependencies()
    [[], [0]]
    """

    def __init__(self, ranks: int):
        self.ranks = ranks
        self._phases: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self._local: list[bool] = []
        self._computed: list[tuple[np.ndarray, np.ndarray]] = []
        self._pending_ns = np.zeros(ranks, np.int64)
        self._count = 0
        self._phase_count = 0

    def compute(self, time_ns: int, ranks: np.ndarray | None = None) -> None:
        """Let ranks (default: all) compute before their next send.

        Raises
        ------
        InputError
            When there are too many phases for the simulation.
        """
        self._begin_phase()
        self._pending_ns[slice(None) if ranks is None else ranks] += time_ns

    def send(self, source: np.ndarray, target: np.ndarray, size: np.ndarray | int, local: bool = False) -> None:
        """Add a phase of messages; messages from a rank to itself are omitted.

        `local` messages stay in a node and take no time on the network: let their ranks `compute` for the time that they take.

        Raises
        ------
        InputError
            When there are too many messages or phases for the simulation.
        """
        source, target, size = (array.ravel() for array in np.broadcast_arrays(source, target, size))
        kept = source != target
        self._begin_phase()
        self._count += int(kept.sum())
        if self._count > _MAX_MESSAGES:
            raise InputError(Problem("", f"a motif is limited to {_MAX_MESSAGES:,} messages", "use fewer ranks or iterations"))
        self._phases.append((source[kept].astype(np.int32), target[kept].astype(np.int32), size[kept].astype(np.int64)))
        self._local.append(local)
        senders = np.unique(source[kept])
        self._computed.append((senders, self._pending_ns[senders]))
        self._pending_ns[senders] = 0

    def _begin_phase(self) -> None:
        self._phase_count += 1
        if self._phase_count > MAX_PHASES:
            message = f"a motif is limited to {MAX_PHASES:,} phases and computations"
            raise InputError(Problem("", message, "use fewer iterations"))

    def messages(self) -> Messages:
        """Return all messages; computing after a rank's last message becomes a step without messages."""
        left = np.flatnonzero(self._pending_ns)
        phases = [*self._phases, (np.zeros(0, np.int32),) * 3]
        computed = [*self._computed, (left, self._pending_ns[left])]
        phase = np.repeat(np.arange(len(phases)), [len(source) for source, _, _ in phases])
        source, target, size = (np.concatenate(parts) for parts in zip(*phases, strict=True))
        local = np.array([*self._local, False])[phase]

        # A step is a rank in a phase in which it sends; steps are numbered rank by rank.
        rank = np.concatenate([ranks for ranks, _ in computed]).astype(np.int64)
        keys = rank * len(phases) + np.repeat(np.arange(len(phases)), [len(ranks) for ranks, _ in computed])
        order = np.argsort(keys)
        keys, rank = keys[order], rank[order]
        step = np.searchsorted(keys, source.astype(np.int64) * len(phases) + phase)
        sorted_ = np.argsort(step, kind="stable")
        step, source, target, size, phase = step[sorted_], source[sorted_], target[sorted_], size[sorted_], phase[sorted_]
        then = np.arange(1, len(rank) + 1)
        then[np.append(rank[1:] != rank[:-1], True)[: len(rank)]] = -1

        # A message is awaited by the next step of its target.
        awaited = np.searchsorted(keys, target.astype(np.int64) * len(phases) + phase, side="right")
        known = awaited < len(rank)
        known[known] = rank[awaited[known]] == target[known]
        return Messages(
            ranks=self.ranks,
            target=target,
            bytes=size,
            first=np.searchsorted(step, np.arange(len(rank) + 1)).astype(np.int64),
            rank=rank.astype(np.int32),
            compute_ns=np.concatenate([times for _, times in computed])[order],
            then=then.astype(np.int32),
            wake_first=np.concatenate([[0], np.cumsum(known)]).astype(np.int64),
            wake=awaited[known].astype(np.int32),
            local=local[sorted_] if any(self._local) else None,
        )
