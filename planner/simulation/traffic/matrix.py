"""Traffic matrix from a file: rates between endpoints, routers or groups."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np

from planner.core.errors import InputError, Problem, suggestion
from planner.domain.model import Topology
from planner.kernels.packet.records import traffic_function
from planner.kernels.random import below
from planner.simulation import _csv

_WHOLE = 2**30
_ARRAYS = 8
"""Number of arrays in the table; it starts with the offsets of the second and later arrays."""


def prepare(topology: Topology, seed: int, file: Path, level: str = "endpoint") -> np.ndarray:
    """Prepare traffic by a matrix of rates.

    Rates have an arbitrary unit: the endpoint with the highest rate sends at the offered load, others
    proportionally. The rate of a router or group is split evenly over its endpoints, at source and target.

    Parameters
    ----------
    topology
        The network.
    seed
        Unused.
    file
        CSV with the header ``source,target,rate``, one line per communicating pair.
    level
        Unit of source and target: ``endpoint``, ``router``, or a level of the network's groups.

    Raises
    ------
    InputError
        When the file cannot be read or a line is wrong, or there is no such level.

    Notes
    -----
    Targets are drawn by the alias method [1]_, in constant time; probabilities are rounded to 2^-30.

    References
    ----------
    .. [1] M. D. Vose, "A linear algorithm for generating random numbers with a given distribution", IEEE Trans. Softw.
       Eng., 1991.
    """
    unit, units = _units(topology, level)
    sizes = np.bincount(unit, minlength=units)
    rows = _rates(file, units, level, sizes < 2)
    source, goal = rows[:, 0].astype(np.int64), rows[:, 1].astype(np.int64)
    empty = np.flatnonzero((sizes[source] == 0) | (sizes[goal] == 0))
    if len(empty):
        pair = f"{level} {source[empty[0]]} to {goal[empty[0]]}"
        raise InputError(Problem("", f"{pair}: one of them has no endpoint", "remove the line", str(file)))
    first = np.searchsorted(source, np.arange(units + 1))
    alias, threshold = _alias(rows[:, 2], first)
    sent = np.bincount(source, rows[:, 2], units) / np.maximum(sizes, 1)
    share = np.rint(sent / sent.max() * _WHOLE)
    members = np.argsort(unit, kind="stable")
    arrays = [unit, first, goal, alias, threshold, np.concatenate([[0], np.cumsum(sizes)]), members, share[unit]]
    begin = _ARRAYS - 1 + np.cumsum([len(array) for array in arrays])
    return np.concatenate([begin[:-1], *arrays]).astype(np.int32)


def _units(topology: Topology, level: str) -> tuple[np.ndarray, int]:
    """Return the unit of each endpoint and the number of units."""
    if level == "endpoint":
        return np.arange(topology.endpoint_count), topology.endpoint_count
    if level == "router":
        return topology.endpoint_router.astype(np.int64), topology.router_count
    known = ("endpoint", "router", *topology.group_names)
    if level not in known:
        raise InputError(Problem("level", f"unknown level {level!r}", suggestion(level, known)))
    group = topology.group[:, topology.group_names.index(level)].astype(np.int64)
    return group[topology.endpoint_router], int(group.max()) + 1


def _alias(rate: np.ndarray, first: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the alias of each entry and its probability of being kept, times 2^30, for every row of a matrix."""
    alias, threshold = np.arange(len(rate)), np.full(len(rate), _WHOLE)
    for start, end in pairwise(first.tolist()):
        chance = rate[start:end] / rate[start:end].sum() * (end - start)
        small = [entry for entry in range(end - start) if chance[entry] < 1]
        large = [entry for entry in range(end - start) if chance[entry] >= 1]
        while small and large:
            less, more = small.pop(), large[-1]
            alias[start + less], threshold[start + less] = start + more, round(chance[less] * _WHOLE)
            chance[more] -= 1 - chance[less]
            if chance[more] < 1:
                small.append(large.pop())
    return alias, threshold


def rates(table: np.ndarray) -> np.ndarray:
    """Return the rate of each endpoint relative to the highest."""
    return table[table[6] :] / _WHOLE


def chances(table: np.ndarray, source: int) -> np.ndarray:
    """Return the probability of each target of a source, float64 (H,)."""
    begin = _ARRAYS - 1
    unit, first, goal, alias, threshold, member_first, members, _ = np.split(table[begin:], table[:begin] - begin)
    row = np.arange(first[unit[source]], first[unit[source] + 1])
    kept = threshold[row] / _WHOLE
    units = np.bincount(goal[row], kept, len(member_first) - 1) + np.bincount(goal[alias[row]], 1 - kept, len(member_first) - 1)
    result = np.zeros(len(unit))
    for number in np.flatnonzero(units).tolist():
        own = members[member_first[number] : member_first[number + 1]]
        others = own[own != source]
        result[others] += units[number] / len(row) / len(others)
    return result


@traffic_function
def target(source, table, random):
    """Return an endpoint of a unit drawn by the row of the source's unit, never the source."""
    first, goal, alias, threshold, member_first, members = table[0], table[1], table[2], table[3], table[4], table[5]
    unit = table[_ARRAYS - 1 + source]
    start, end = table[first + unit], table[first + unit + 1]
    if start == end:
        return source
    entry = start + below(random, end - start)
    if below(random, _WHOLE) >= table[threshold + entry]:
        entry = table[alias + entry]
    own = table[member_first + table[goal + entry]]
    after = table[member_first + table[goal + entry] + 1]
    while True:
        drawn = table[members + own + below(random, after - own)]
        if drawn != source:
            return np.int64(drawn)


def _rates(path: Path, units: int, what: str, alone: np.ndarray) -> np.ndarray:
    """Return the rates of a file as rows (source, target, rate), sorted, without zeros: float64 (N, 3).

    Parameters
    ----------
    path
        A CSV file with the header ``source,target,rate``. Lines that are empty or begin with ``#`` are skipped.
    units
        Number of units, numbered 0 to `units` - 1.
    what
        Name of a unit in messages.
    alone
        Whether each unit has fewer than two endpoints and so cannot send to itself: bool (units,).

    Raises
    ------
    InputError
        With the line of every error.
    """
    problems: list[Problem] = []
    rows: dict[tuple[int, int], float] = {}

    def wrong(line: int, message: str, remedy: str) -> None:
        problems.append(Problem("", message, remedy, str(path), line))

    for line, words in _csv.lines(path, ("source", "target", "rate")):
        if len(words) != 3:
            wrong(line, f"has {len(words)} columns", "write source,target,rate")
            continue
        source, target = (_number(word, units) for word in words[:2])
        rate = _rate(words[2])
        for word, number in zip(words, (source, target), strict=False):
            if number is None:
                wrong(line, f"unknown {what} {word!r}", f"use 0 to {units - 1}")
        if rate is None:
            wrong(line, f"{words[2]!r} is not a rate", "write a number of 0 or more")
        if source is None or target is None or rate is None:
            continue
        if (source, target) in rows:
            wrong(line, f"{what} {source} to {target} is listed twice", "add the rates up")
        if source == target and alone[source] and rate:
            wrong(line, f"{what} {source} would send to itself", "remove the line")
        rows[source, target] = rate
    if not problems and not any(rows.values()):
        problems.append(Problem("", "contains no rate above 0", "write source,target,rate", str(path)))
    _csv.refuse(problems)
    return np.array(sorted((*pair, rate) for pair, rate in rows.items() if rate))


def _number(word: str, units: int) -> int | None:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 12 and int(word) < units else None


def _rate(word: str) -> float | None:
    try:
        rate = float(word)
    except ValueError:
        return None
    return rate if math.isfinite(rate) and rate >= 0 else None
