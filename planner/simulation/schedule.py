"""Schedules: messages with prescribed paths, hop by hop in time steps.

A node hands a message to its router in the step of the message's first position. In each step the message crosses one link, or
stays where it is. A conflict is a directed link that is used twice in one step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.core.errors import InputError, Problem
from planner.simulation.messages import Messages, Timetable

MAX_MESSAGES = 2**22
"""Maximum messages of a schedule: building them takes about 10 µs and 700 bytes each."""


@dataclass(frozen=True, eq=False)
class Schedule:
    """Hops of M messages between routers."""

    steps: int
    """Steps from the first hop to the last, including idle steps."""
    message: np.ndarray
    """Message of each hop, ascending, int64 (N,)."""
    step: np.ndarray
    """Step of each hop, ascending for each message, int64 (N,)."""
    source: np.ndarray
    """Router that each hop leaves, int64 (N,)."""
    target: np.ndarray
    """Router that each hop goes to, int64 (N,)."""
    ends: np.ndarray
    """Routers where each message begins and ends, int64 (M, 2)."""
    start: np.ndarray
    """Step in which each message is sent, int64 (M,)."""
    after: np.ndarray
    """Message that must have arrived before each message is sent, -1 for none: int64 (M,)."""
    request: np.ndarray
    """Whether a message only requests another one, bool (M,)."""

    @property
    def conflicts(self) -> int:
        """Hops beyond the first on the same directed link in the same step."""
        routers = int(max(self.source.max(initial=0), self.target.max(initial=0))) + 1
        hops = (self.step * routers + self.source) * routers + self.target
        return len(hops) - len(np.unique(hops))

    def on(self, host: np.ndarray) -> Schedule:
        """Return the same schedule on other routers: ``host[i]`` takes the place of router i."""
        moved = host[self.source], host[self.target], host[self.ends]
        return Schedule(self.steps, self.message, self.step, *moved, self.start, self.after, self.request)


class Builder:
    """Builder of a schedule."""

    def __init__(self) -> None:
        self._blocks: list[tuple[np.ndarray, int, np.ndarray, bool]] = []
        self._count = 0

    def send(self, position: np.ndarray, at: int, after: np.ndarray | int = -1, request: bool = False) -> np.ndarray:
        """Add messages and return their numbers; a message that reaches its target stays there.

        Parameters
        ----------
        position
            Router of each message before and after each of S steps, int64 (messages, S + 1). A message to the router where it
            begins goes through all of them.
        at
            The first of these steps.
        after, request
            As in `Schedule`.

        Raises
        ------
        InputError
            When there are too many messages for the simulation.
        """
        count, end = len(position), position[:, -1:]
        arrived = np.logical_or.accumulate(position == end, axis=1) & (position[:, :1] != end)
        position = np.where(arrived, end, position)
        self._blocks.append((position, at, np.broadcast_to(after, count), request))
        self._count += count
        if self._count > MAX_MESSAGES:
            problem = f"a schedule is limited to {MAX_MESSAGES:,} messages"
            raise InputError(Problem("", problem, "use a smaller network or fewer rounds"))
        return np.arange(self._count - count, self._count)

    def schedule(self, steps: int) -> Schedule:
        """Return all messages as a schedule of a number of steps."""
        hops, first = [np.zeros((4, 0), np.int64)], 0
        for position, at, _, _ in self._blocks:
            row, step = np.nonzero(position[:, 1:] != position[:, :-1])
            hops.append(np.stack([first + row, at + step, position[row, step], position[row, step + 1]]))
            first += len(position)
        message, step, source, target = np.concatenate(hops, axis=1)
        sizes = [len(position) for position, _, _, _ in self._blocks]
        return Schedule(
            steps, message, step, source, target,
            ends=np.concatenate([position[:, [0, -1]] for position, _, _, _ in self._blocks]),
            start=np.repeat([at for _, at, _, _ in self._blocks], sizes),
            after=np.concatenate([after for _, _, after, _ in self._blocks]),
            request=np.repeat([request for _, _, _, request in self._blocks], sizes),
        )  # fmt: skip


def together(schedules: list[Schedule]) -> Schedule:
    """Return schedules that run at the same time."""
    first = np.cumsum([0] + [len(schedule.start) for schedule in schedules])
    numbered = list(zip(first[:-1], schedules, strict=True))
    same = ("step", "source", "target", "ends", "start", "request")
    return Schedule(
        steps=max(schedule.steps for schedule in schedules),
        message=np.concatenate([number + schedule.message for number, schedule in numbered]),
        after=np.concatenate([np.where(schedule.after < 0, -1, number + schedule.after) for number, schedule in numbered]),
        **{name: np.concatenate([getattr(schedule, name) for schedule in schedules]) for name in same},
    )


def messages(schedule: Schedule, ranks: int, size: int, lock_step: bool) -> Messages:
    """Return a schedule as the messages of a job whose rank i is the node at router i.

    Parameters
    ----------
    schedule
        The schedule. Messages of a router to itself are omitted: they need no network.
    ranks
        Ranks of the job, one per router.
    size
        Bytes of each message that is no request; a request has none.
    lock_step
        Whether a step begins when the step before has ended everywhere.
    """
    sent = schedule.ends[:, 0] != schedule.ends[:, 1]
    after = _after_sent(schedule.after, sent)
    # A rank sends its messages in the order of their steps; those of one step together.
    key = schedule.ends[:, 0] * (schedule.steps + 1) + schedule.start
    order = np.flatnonzero(sent)[np.argsort(key[sent], kind="stable")]
    number = np.full(len(sent), -1)
    number[order] = np.arange(len(order))
    keys, first = np.unique(key[order], return_index=True)
    rank, release = np.divmod(keys, schedule.steps + 1)
    step = np.repeat(np.arange(len(keys)), np.diff(np.append(first, len(order))))
    then = np.where(np.append(rank[1:] == rank[:-1], False)[: len(rank)], np.arange(1, len(rank) + 1), -1)

    awaited = number[after[order]]
    waits = np.unique(np.column_stack([awaited, step])[after[order] >= 0], axis=0)
    hop = np.flatnonzero(sent[schedule.message])
    hop = hop[np.argsort(number[schedule.message[hop]], kind="stable")]
    return Messages(
        ranks=ranks,
        target=schedule.ends[order, 1].astype(np.int32),
        bytes=np.where(schedule.request[order], 0, size).astype(np.int64),
        first=np.append(first, len(order)).astype(np.int64),
        rank=rank.astype(np.int32),
        compute_ns=np.zeros(len(rank), np.int64),
        then=then.astype(np.int32),
        wake_first=np.searchsorted(waits[:, 0], np.arange(len(order) + 1)).astype(np.int64),
        wake=waits[:, 1].astype(np.int32),
        timetable=Timetable(
            steps=schedule.steps,
            conflicts=schedule.conflicts,
            lock_step=lock_step,
            release=release,
            first=np.searchsorted(number[schedule.message[hop]], np.arange(len(order) + 1)),
            source=schedule.source[hop],
            target=schedule.target[hop],
            step=schedule.step[hop],
        ),
    )


def _after_sent(after: np.ndarray, sent: np.ndarray) -> np.ndarray:
    """Return the message that each message waits for, where omitted messages are replaced by those that they wait for."""
    after = after.copy()
    while (omitted := (after >= 0) & ~sent[after]).any():
        after[omitted] = after[after[omitted]]
    return after
