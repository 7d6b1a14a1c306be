"""Scheduled collectives of the swapped Dragonfly D3(K, M): conflict-free link schedules.

Router (c, d, p) has number (c M + d) M + p. A message with the vector (γ, π, δ) goes from (c, d, p) in three steps: by δ in its
drawer, over global port γ to (c + γ, p + δ, d), by π in that drawer. An offset of 0, and port γ = 0 of a router with d = p, use
no link: the message waits for a step. A conflict is a directed link that is used twice in one step.

References
----------
.. [1] R. Draper, "The swapped Dragonfly", 2022.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.errors import InputError, Problem


@dataclass(frozen=True, eq=False)
class Schedule:
    """Hops of messages on D3(K, M)."""

    steps: int
    """Steps from the first hop to the last, including idle steps."""
    step: np.ndarray
    """Step of each hop, int64 (N,)."""
    source: np.ndarray
    """Router that each hop leaves, int64 (N,)."""
    target: np.ndarray
    """Router that each hop goes to, int64 (N,)."""
    ends: np.ndarray
    """Routers where each message begins and ends, int64 (messages, 2)."""

    @property
    def conflicts(self) -> int:
        """Hops beyond the first on the same directed link in the same step."""
        hops = np.stack([self.step, self.source, self.target])
        return hops.shape[1] - np.unique(hops, axis=1).shape[1]


def all_to_all(k: int, m: int, detect: bool = False) -> Schedule:
    """Return the schedule in which every router sends one message to every router, including itself.

    In round i of K M² all routers send the vector (i div M², i mod M, (i div M) mod M). A step is left idle before a
    round whose first hops could meet the third hops of the round two steps before: whenever (π - 2) mod M = δ, K M
    times, for K M² + K M + 2 steps in all; or, with `detect`, only when they would.

    Raises
    ------
    InputError
        When K is below 1 or M below 2.
    """
    _require(k, m)
    hops, ends, started, at = [], [], {}, 0
    everyone = np.arange(k * m * m)
    for number in range(k * m * m):
        gamma, pi, delta = number // (m * m), number % m, number // m % m
        idle = started.get(at - 2) == delta != 0 if detect else (pi - 2) % m == delta
        at += idle
        started[at] = pi
        end = send_vector(hops, k, m, everyone, gamma, pi, delta, at)
        ends.append(np.column_stack([everyone, end]))
        at += 1
    return schedule_of(at + 2, hops, ends)


def one_to_all(k: int, m: int, source: int, zero_last: bool = False) -> Schedule:
    """Return the schedule in which one router sends a message to every router.

    In each of K M rounds (γ, π) it sends one message for every δ. A source with d = p waits where third hops of rounds γ = 0
    would meet the first hops two steps later: M - 1 steps, fewer with the rounds γ = 0 at the end (`zero_last`).

    Raises
    ------
    InputError
        When K is below 1, M below 2, or there is no such router.
    """
    _require(k, m, source)
    fixed = source // m % m == source % m
    gammas = [*range(1, k), 0] if zero_last else range(k)
    hops, ends, meets, at = [], [], set(), 0
    delta = np.arange(m)
    for gamma in gammas:
        for pi in range(m):
            while fixed and at - 2 in meets:
                at += 1
            if gamma == 0 and pi != 0:
                meets.add(at)
            end = send_vector(hops, k, m, np.full(m, source), gamma, pi, delta, at)
            ends.append(np.column_stack([np.full(m, source), end]))
            at += 1
    return schedule_of(at + 2, hops, ends)


def broadcast(k: int, m: int, source: int, rounds: int = 1) -> Schedule:
    """Return the schedule of several broadcasts from one router, one after another.

    A broadcast goes to all of the drawer, from there over all global links, from there to all of their drawers: 3 steps.
    It starts in every step; from a source with d = p in steps 0, 1, 4, 5, 8, 9 …

    Raises
    ------
    InputError
        When K is below 1, M below 2, there is no such router, or `rounds` is below 1.
    """
    _require(k, m, source)
    if rounds < 1:
        raise InputError(Problem("rounds", f"must be at least 1, not {rounds}"))
    fixed = source // m % m == source % m
    hops, ends, at = [], [], 0
    for number in range(rounds):
        at = number // 2 * 4 + number % 2 if fixed else number
        ends.append(_broadcast(hops, k, m, source, at))
    return schedule_of(at + 3, hops, ends)


def all_to_one(k: int, m: int, sink: int, careful: bool = True) -> Schedule:
    """Return the schedule in which one router with d ≠ p requests a message of all others, K M times M of them.

    Round (c', π) broadcasts a request in three steps, waits for one, and has the routers (c', *, π) answer; rounds start in
    every step, K M + 6 steps in all. The messages of the result are the answers.

    Parameters
    ----------
    k, m
        Parameters of the network.
    sink
        The requesting router.
    careful
        Whether the request that would return to the sink over (c, d, d), and the sink's own answer, are omitted; otherwise
        there are conflicts.

    Raises
    ------
    InputError
        When K is below 1, M below 2, there is no such router, or it has d = p.
    """
    _require(k, m, sink)
    c, d, p = sink // (m * m), sink // m % m, sink % m
    if d == p:
        raise InputError(Problem("sink", f"router {sink} has d = p = {d}", "use one with d ≠ p"))
    hops, ends = [], []
    own = np.arange(m)
    for number in range(k * m):
        cabinet, pi = number // m, number % m
        requests: list[np.ndarray] = []
        _broadcast(requests, k, m, sink, number)
        back = (c * m + d) * m + d
        hops += [part[:, ~((part[1] == back) & (part[2] == sink))] if careful else part for part in requests]
        router = (cabinet * m + own) * m + pi
        answers = router != sink if careful else np.ones(m, bool)
        end = send_vector(hops, k, m, router[answers], (c - cabinet) % k, (p - own[answers]) % m, (d - pi) % m, number + 4)
        ends.append(np.column_stack([router[answers], end]))
    return schedule_of(k * m + 6, hops, ends)


def permutation(k: int, m: int, to: np.ndarray) -> Schedule:
    """Return the schedule when every router sends one message at once, over δ, γ and π, with first-come-first-served links.

    Parameters
    ----------
    k, m
        Parameters of the network.
    to
        Target of each router, a permutation, int (K M²,).

    Raises
    ------
    InputError
        When K is below 1, M below 2, or `to` is no permutation of the routers.
    """
    _require(k, m)
    count = k * m * m
    if sorted(np.asarray(to).tolist()) != list(range(count)):
        raise InputError(Problem("to", "is no permutation of the routers", f"name each of 0 to {count - 1} once"))
    paths = [_path(k, m, router, int(target)) for router, target in enumerate(to)]
    place, hops, step = [0] * count, [], 0
    waiting = list(range(count))
    while any(place[message] + 1 < len(paths[message]) for message in waiting):
        # In order of arrival.
        busy, moved, blocked = set(), [], []
        for message in waiting:
            link = tuple(paths[message][place[message] : place[message] + 2])
            if len(link) < 2 or link in busy:
                blocked.append(message)
                continue
            busy.add(link)
            place[message] += 1
            moved.append(message)
            hops.append(np.array([[step], [link[0]], [link[1]]]))
        waiting = blocked + moved
        step += 1
    return schedule_of(step, hops, [np.column_stack([np.arange(count), to])])


def _path(k: int, m: int, source: int, target: int) -> list[int]:
    """Return the routers on the path by δ, γ and π, each once."""
    c, d = source // (m * m), source // m % m
    far_c, far_d = target // (m * m), target // m % m
    if (c, d) == (far_c, far_d):
        return [source] if source == target else [source, target]
    path = [source, (c * m + d) * m + far_d, (far_c * m + far_d) * m + d, target]
    return [router for place, router in enumerate(path) if place == 0 or router != path[place - 1]]


def _require(k: int, m: int, router: int = 0) -> None:
    problems = []
    if k < 1:
        problems.append(Problem("k", f"must be at least 1, not {k}"))
    if m < 2:
        problems.append(Problem("m", f"must be at least 2, not {m}"))
    if not problems and not 0 <= router < k * m * m:
        problems.append(Problem("", f"there is no router {router}", f"use 0 to {k * m * m - 1}"))
    if problems:
        raise InputError(problems)


def _hop(hops: list[np.ndarray], source: np.ndarray, target: np.ndarray, at: int) -> np.ndarray:
    """Add hops in one step, except those that stay in place; return their ends."""
    source, target = np.broadcast_arrays(source, target)
    moves = source != target
    hops.append(np.stack([np.full(moves.sum(), at), source[moves], target[moves]]))
    return target


def send_vector(hops: list[np.ndarray], k: int, m: int, router: np.ndarray, gamma: int, pi, delta, at: int) -> np.ndarray:
    """Add the three hops of messages with a vector; return where they end."""
    first = _hop(hops, router, router - router % m + (router % m + delta) % m, at)
    c, d, p = first // (m * m), first // m % m, first % m
    second = _hop(hops, first, ((c + gamma) % k * m + p) * m + d, at + 1)
    return _hop(hops, second, second - second % m + (second % m + pi) % m, at + 2)


def _broadcast(hops: list[np.ndarray], k: int, m: int, source: int, at: int) -> np.ndarray:
    """Add the hops of one broadcast; return its ends."""
    d = source // m % m
    drawer = source - source % m + np.arange(m)
    _hop(hops, np.full(m, source), drawer, at)
    column = ((np.arange(k)[:, None] * m + np.arange(m)) * m + d).ravel()
    _hop(hops, np.tile(drawer, k), column, at + 1)
    everyone = np.arange(k * m * m)
    _hop(hops, everyone - everyone % m + d, everyone, at + 2)
    return np.column_stack([np.full(len(everyone), source), everyone])


def schedule_of(steps: int, hops: list[np.ndarray], ends: list[np.ndarray]) -> Schedule:
    step, source, target = np.concatenate(hops, axis=1) if hops else np.zeros((3, 0), np.int64)
    return Schedule(steps, step, source, target, np.concatenate(ends))
