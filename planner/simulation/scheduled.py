"""Scheduled collectives of the swapped Dragonfly D3(K, M): conflict-free link schedules.

Router (c, d, p) has number (c M + d) M + p. A message with the vector (γ, π, δ) goes from (c, d, p) in three steps: by δ in its
drawer, over global port γ to (c + γ, p + δ, d), by π in that drawer. An offset of 0, and port γ = 0 of a router with d = p, use
no link: the message waits for a step. Over columns it takes four steps: over γ to (c + γ, p, d), by π to the drawer of its
target, over port 0, by δ.

References
----------
.. [1] R. Draper, "The swapped Dragonfly", 2022.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from planner.core.checking import checked
from planner.core.errors import InputError, Problem
from planner.simulation.schedule import Builder, Schedule


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
    require(k, m)
    built, started, at = Builder(), dict[int, int](), 0
    everyone = np.arange(k * m * m)
    for number in range(k * m * m):
        gamma, pi, delta = number // (m * m), number % m, number // m % m
        idle = started.get(at - 2) == delta != 0 if detect else (pi - 2) % m == delta
        at += idle
        started[at] = pi
        built.send(vector_path(k, m, everyone, gamma, pi, delta), at)
        at += 1
    return built.schedule(at + 2)


def one_to_all(k: int, m: int, source: int, zero_last: bool = False) -> Schedule:
    """Return the schedule in which one router sends a message to every router.

    In each of K M rounds (γ, π) it sends one message for every δ. A source with d = p waits where third hops of rounds γ = 0
    would meet the first hops two steps later: M - 1 steps, fewer with the rounds γ = 0 at the end (`zero_last`).

    Raises
    ------
    InputError
        When K is below 1, M below 2, or there is no such router.
    """
    require(k, m, source)
    fixed = source // m % m == source % m
    gammas = [*range(1, k), 0] if zero_last else range(k)
    built, meets, at = Builder(), set(), 0
    everywhere = np.full(m, source)
    for gamma in gammas:
        for pi in range(m):
            while fixed and at - 2 in meets:
                at += 1
            if gamma == 0 and pi != 0:
                meets.add(at)
            built.send(vector_path(k, m, everywhere, gamma, pi, np.arange(m)), at)
            at += 1
    return built.schedule(at + 2)


def one_to_all_by_columns(k: int, m: int, source: int) -> Schedule:
    """Return the schedule in which one router sends a message to every router over all its global ports.

    In each of M² rounds it sends one message for every cabinet, over columns: M² + 3 steps in all. The source's own drawer comes
    last, since a source with d = p would otherwise use links of its drawer for two rounds at once.

    Raises
    ------
    InputError
        When K is below 1, M below 2, or there is no such router.
    """
    require(k, m, source)
    built, first = Builder(), source // m % m + 1
    for number in range(m * m):
        drawer, position = (first + number // m) % m, number % m
        built.send(column_path(k, m, np.full(k, source), (np.arange(k) * m + drawer) * m + position), number)
    return built.schedule(m * m + 3)


def broadcast(k: int, m: int, source: int, rounds: int = 1) -> Schedule:
    """Return the schedule of several broadcasts from one router, one after another.

    A broadcast goes to all of the drawer, from there over all global links, from there to all of their drawers: 3 steps.
    It starts in every step; from a source with d = p in steps 0, 1, 4, 5, 8, 9 … Routers do not copy: in each step nodes take
    the message off the network and send it on.

    Raises
    ------
    InputError
        When K is below 1, M below 2, there is no such router, or `rounds` is below 1.
    """
    require(k, m, source)
    if rounds < 1:
        raise InputError(Problem("rounds", f"must be at least 1, not {rounds}"))
    fixed = source // m % m == source % m
    built, at = Builder(), 0
    for number in range(rounds):
        at = number // 2 * 4 + number % 2 if fixed else number
        _broadcast(built, k, m, source, at)
    return built.schedule(at + 3)


def all_to_one(k: int, m: int, sink: int, careful: bool = True) -> Schedule:
    """Return the schedule in which one router with d ≠ p requests a message of all others, K M times M of them.

    Round (c', π) broadcasts a request in three steps, waits for one, and has the routers (c', *, π) answer; rounds start in
    every step, K M + 6 steps in all.

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
    require(k, m, sink)
    c, d, p = sink // (m * m), sink // m % m, sink % m
    if d == p:
        raise InputError(Problem("root", f"router {sink} has d = p = {d}", "use one with d ≠ p"))
    built, own = Builder(), np.arange(m)
    for number in range(k * m):
        cabinet, pi = number // m, number % m
        requested = _broadcast(built, k, m, sink, number, request=True, back=not careful)
        router = (cabinet * m + own) * m + pi
        answers = router != sink if careful else np.ones(m, bool)
        router, place = router[answers], own[answers]
        path = vector_path(k, m, router, (c - cabinet) % k, (p - place) % m, (d - pi) % m)
        built.send(path, number + 4, after=requested[router])
    return built.schedule(k * m + 6)


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
    require(k, m)
    count = k * m * m
    if sorted(np.asarray(to).tolist()) != list(range(count)):
        raise InputError(Problem("to", "is no permutation of the routers", f"name each of 0 to {count - 1} once"))
    paths = [_shortest_vector_path(k, m, router, int(target)) for router, target in enumerate(to)]
    place, positions = [0] * count, [np.arange(count)]
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
        waiting = blocked + moved
        positions.append(np.array([path[at] for path, at in zip(paths, place, strict=True)]))
    built = Builder()
    built.send(np.stack(positions, axis=1), 0)
    return built.schedule(len(positions) - 1)


def hypercube(k: int, m: int) -> np.ndarray:
    """Return the router of each node of the largest hypercube with 2^i cabinets and 2^j drawers and positions, int64 (nodes,).

    The bits of a node are those of the position, of the drawer and of the cabinet, lowest first.
    """
    cabinet, drawer, position = np.meshgrid(*(np.arange(1 << size.bit_length() - 1) for size in (k, m, m)), indexing="ij")
    return ((cabinet * m + drawer) * m + position).ravel()


@checked()
def ascend_descend(k: int, m: int, order: Literal["ascend", "descend", "both"] = "both") -> Schedule:
    """Return the schedule in which all nodes of a hypercube exchange messages along one dimension after the other.

    Every edge of the hypercube is a path over columns, 4 steps: dilation four. All nodes exchange at once without conflict.

    Parameters
    ----------
    k, m
        Parameters of the network.
    order
        ``ascend``: from the lowest dimension to the highest; ``descend``: the reverse; ``both``: ascend, then descend.

    Raises
    ------
    InputError
        When K is below 1 or M below 2.

    References
    ----------
    .. [1] F. Preparata, J. Vuillemin, "The cube-connected cycles", Commun. ACM 24(5), 1981.
    """
    require(k, m)
    router = hypercube(k, m)
    dimensions = list(range(len(router).bit_length() - 1))
    orders = {"ascend": dimensions, "descend": dimensions[::-1], "both": dimensions + dimensions[::-1]}
    built, node, after, at = Builder(), np.arange(len(router)), np.array(-1), 0
    for dimension in orders[order]:
        partner = node ^ 1 << dimension
        # What a node received in one dimension it sends on in the next.
        after = built.send(column_path(k, m, router, router[partner]), at, after)[partner]
        at += 4
    return built.schedule(at)


def vector_path(k: int, m: int, router: np.ndarray, gamma: int, pi: np.ndarray | int, delta: np.ndarray | int) -> np.ndarray:
    """Return the routers of messages with a vector before and after each of 3 steps, int64 (messages, 4)."""
    first = router - router % m + (router % m + delta) % m
    second = _over(k, m, first, gamma)
    third = second - second % m + (second % m + pi) % m
    return np.column_stack([router, first, second, third])


def column_path(k: int, m: int, router: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return the routers of messages over columns before and after each of 4 steps, int64 (messages, 5)."""
    first = _over(k, m, router, target // (m * m) - router // (m * m))
    second = first - first % m + target // m % m
    third = _over(k, m, second, 0)
    return np.column_stack([router, first, second, third, target])


def require(k: int, m: int, router: int = 0) -> None:
    """Raise InputError unless there is a network D3(K, M) with this router."""
    problems = []
    if k < 1:
        problems.append(Problem("k", f"must be at least 1, not {k}"))
    if m < 2:
        problems.append(Problem("m", f"must be at least 2, not {m}"))
    if not problems and not 0 <= router < k * m * m:
        problems.append(Problem("root", f"there is no router {router}", f"use 0 to {k * m * m - 1}"))
    if problems:
        raise InputError(problems)


def _over(k: int, m: int, router: np.ndarray, gamma: np.ndarray | int) -> np.ndarray:
    """Return the routers at the other ends of global ports γ."""
    c, d, p = router // (m * m), router // m % m, router % m
    return ((c + gamma) % k * m + p) * m + d


def _shortest_vector_path(k: int, m: int, source: int, target: int) -> list[int]:
    """Return the routers on the path by δ, γ and π, each once; within a drawer the link."""
    c, d = source // (m * m), source // m % m
    far_c, far_d = target // (m * m), target // m % m
    if (c, d) == (far_c, far_d):
        return [source] if source == target else [source, target]
    path = [source, (c * m + d) * m + far_d, (far_c * m + far_d) * m + d, target]
    return [router for place, router in enumerate(path) if place == 0 or router != path[place - 1]]


def _broadcast(built: Builder, k: int, m: int, source: int, at: int, request: bool = False, back: bool = True) -> np.ndarray:
    """Add the messages of one broadcast; return the message that reaches each router.

    `back` includes the message that returns to the source over (c, d, d).
    """
    d = source // m % m
    drawer = source - source % m + np.arange(m)
    scattered = built.send(np.column_stack([np.full(m, source), drawer]), at, request=request)
    column = ((np.arange(k)[:, None] * m + np.arange(m)) * m + d).ravel()
    crossed = built.send(np.column_stack([np.tile(drawer, k), column]), at + 1, np.tile(scattered, k), request)
    everyone = np.arange(k * m * m)
    last = np.column_stack([everyone - everyone % m + d, everyone])
    after = crossed[everyone // m]
    kept = np.ones(len(everyone), bool) if back else (everyone != source) | (last[:, 0] == source)
    reached = np.full(len(everyone), -1)
    reached[kept] = built.send(last[kept], at + 2, after[kept], request)
    return reached
