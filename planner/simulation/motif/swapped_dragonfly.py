"""Scheduled collectives of the swapped Dragonfly: messages take prescribed paths in time steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge

from planner.core.errors import InputError, Problem
from planner.simulation import schedule, scheduled
from planner.simulation.messages import Messages

Collective = Literal[
    "all_to_all", "one_to_all", "one_to_all_by_columns", "all_to_one", "broadcast", "permutation", "ascend", "descend",
    "ascend_descend",
]  # fmt: skip


def messages(
    ranks: int,
    k: Annotated[int, Ge(1)],
    m: Annotated[int, Ge(2)],
    collective: Collective = "all_to_all",
    mode: Literal["lock_step", "asynchronous"] = "lock_step",
    bytes: Annotated[int, Ge(0)] = 1024,
    root: Annotated[int, Ge(0)] = 1,
    rounds: Annotated[int, Ge(1)] = 1,
    target: Literal["reverse", "next_drawer", "random"] = "reverse",
    draw_seed: Annotated[int, Ge(0)] = 0,
    partitions: tuple[tuple[Annotated[int, Ge(0)], ...], ...] | None = None,
    positions: tuple[Annotated[int, Ge(0)], ...] | None = None,
) -> Messages:
    """Return the messages of a scheduled collective; rank i is the node at router i of D3(K, M).

    The routing ``swapped_dragonfly`` takes the prescribed paths; other routings carry the same messages on paths of their own.

    Parameters
    ----------
    ranks
        Ranks of the job, K M².
    k
        Number of cabinets, K.
    m
        Drawers per cabinet and positions per drawer, M.
    collective
        ``all_to_all``: K M² rounds. ``one_to_all``: K M rounds over local ports; ``one_to_all_by_columns``: M² rounds over
        global ports. ``all_to_one``: K M rounds of a request and M answers. ``broadcast``: 3 steps, one round per step.
        ``permutation``: one message from every router. ``ascend``, ``descend``, ``ascend_descend``: exchanges along the
        dimensions of a hypercube, one after the other.
    mode
        ``lock_step``: a time step begins when the one before has ended everywhere. ``asynchronous``: nodes send as soon as they
        have received what they wait for, in the order of the schedule.
    bytes
        Size of a message; requests have none.
    root
        Router that sends or receives in the collectives of one router; ``all_to_one`` needs d ≠ p.
    rounds
        Number of broadcasts.
    target
        Permutation: to the router of the reverse number, to the same position of the next drawer, or random.
    draw_seed
        Seed of the random permutation.
    partitions
        Sets of cabinets that run the collective at the same time, each on a subnetwork of its own; by default one of all.
    positions
        Drawers, and positions of each drawer, of the subnetworks; by default all.

    Raises
    ------
    InputError
        When there is no such network, router, cabinet or position, or a cabinet is named twice.

    References
    ----------
    .. [1] R. Draper, "The swapped Dragonfly", 2022, sections 4 and 8 to 10, and appendix.
    """
    if ranks != k * m * m:
        problem = f"D3({k}, {m}) has {k * m * m:,} routers, not {ranks:,}"
        raise InputError(Problem("ranks", problem, "use one rank for each router, and k and m of the network"))
    parts = [tuple(range(k))] if partitions is None else list(partitions)
    places = tuple(range(m)) if positions is None else positions
    _require(parts, "partitions", k)
    _require([places], "positions", m)
    running = []
    for part in parts:
        cabinet, drawer, position = np.meshgrid(sorted(part), sorted(places), sorted(places), indexing="ij")
        host = ((cabinet * m + drawer) * m + position).ravel()
        one = _schedule(collective, len(part), len(places), root=root, rounds=rounds, target=target, draw_seed=draw_seed)
        running.append(one.on(host))
    return schedule.messages(schedule.together(running), ranks, bytes, mode == "lock_step")


def _schedule(collective: Any, k: int, m: int, *, root: int, rounds: int, target: str, draw_seed: int) -> schedule.Schedule:
    if collective == "all_to_all":
        return scheduled.all_to_all(k, m)
    if collective == "broadcast":
        return scheduled.broadcast(k, m, root, rounds)
    if collective == "permutation":
        return scheduled.permutation(k, m, _targets(k, m, target, draw_seed))
    if collective in ("ascend", "descend", "ascend_descend"):
        return scheduled.ascend_descend(k, m, "both" if collective == "ascend_descend" else collective)
    rooted: dict[str, Callable[[int, int, int], schedule.Schedule]] = {
        "one_to_all": scheduled.one_to_all,
        "one_to_all_by_columns": scheduled.one_to_all_by_columns,
        "all_to_one": scheduled.all_to_one,
    }
    return rooted[collective](k, m, root)


def _targets(k: int, m: int, target: str, draw_seed: int) -> np.ndarray:
    everyone = np.arange(k * m * m)
    if target == "random":
        return np.random.default_rng(draw_seed).permutation(everyone)
    return everyone[::-1] if target == "reverse" else np.roll(everyone, -m)


def _require(chosen: list[tuple[int, ...]], place: str, count: int) -> None:
    """Raise InputError unless each number below `count` is named at most once, and no set is empty."""
    named = [number for part in chosen for number in part]
    wrong = sorted({number for number in named if number >= count})
    problems = []
    if wrong:
        problems.append(Problem(place, f"{wrong} named; there are 0 to {count - 1}", "name some of these"))
    if len(set(named)) < len(named):
        problems.append(Problem(place, "one is named twice", "name each once"))
    if not named or not all(chosen):
        problems.append(Problem(place, "leave a subnetwork empty", "name some"))
    if problems:
        raise InputError(problems)
