"""QAPLIB files: problems (.dat) and permutations (.sln).

A .dat file contains n and two n × n matrices A and B in free form; the cost of a permutation is
``sum_ij A[i, j] * B[p[i], p[j]]``: A is the flow, B the distance. A .sln file contains n, the cost, and
the permutation counted from 1. Some QAPLIB files list the inverse permutation; the one with the stated
cost is used. Spaces, tabs, commas and line ends separate numbers.

References
----------
.. [1] R. Burkard, S. Karisch, F. Rendl, "QAPLIB: a quadratic assignment problem library",
   J. Global Optimization 10, 1997.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from planner.core.errors import InputError, Problem
from planner.core.reading import text
from planner.core.storage import replacing
from planner.design.qap import LARGEST, Qap
from planner.design.qap.normal import CEILING

_NUMBER = re.compile(r"[+-]?(\d+)(\.0*)?")
_LARGEST_FILE_BYTES = 200_000_000


@dataclass(frozen=True)
class Known:
    """Content of a .sln file.

    Attributes
    ----------
    objective
        Cost of the permutation, recomputed.
    stated
        Cost stated in the file; above `objective` if the file is wrong.
    permutation
        int64 (n,), counted from 0: the location of every item.
    inverted
        Whether the file lists the item of every location.
    """

    objective: int
    stated: int
    permutation: np.ndarray
    inverted: bool


def read(path: str | Path) -> Qap:
    """Read a .dat file.

    Raises
    ------
    InputError
        When the file is missing or does not contain n and two n × n integer matrices.
    """
    numbers = _numbers(path)
    n = numbers[0] if numbers else 0
    if not 1 <= n <= LARGEST:
        remedy = f"the first number is the number of items, 1 to {LARGEST:,}"
        raise _wrong(path, f"states the size {n}" if numbers else "contains no number", remedy)
    wanted = 1 + 2 * n * n
    if len(numbers) != wanted:
        few = "too few" if len(numbers) < wanted else "too many"
        raise _wrong(path, f"contains {len(numbers):,} numbers, {few} for size {n}", f"n and two n × n matrices are {wanted:,}")
    if max(map(abs, numbers)) > CEILING:
        raise _wrong(path, f"contains numbers beyond {CEILING:,}", "divide them by a common factor")
    matrices = np.array(numbers[1:], np.int64).reshape(2, n, n)
    try:
        return Qap(matrices[0], matrices[1])
    except InputError as error:
        raise error.located(str(path)) from None


def write(qap: Qap, path: str | Path) -> None:
    """Write a .dat file; linear costs and fixed items are not supported.

    Raises
    ------
    InputError
        When the problem has a linear cost or fixed items, or the file cannot be written.
    """
    if qap.linear is not None or qap.fixed is not None:
        raise _wrong(path, "cannot store linear costs or fixed items", "the QAPLIB format has two matrices only")
    blocks = ["\n".join(" ".join(map(str, row)) for row in matrix.tolist()) for matrix in (qap.flow, qap.distance)]
    _write(path, f"{qap.size}\n\n{blocks[0]}\n\n{blocks[1]}\n")


def read_solution(path: str | Path, qap: Qap) -> Known:
    """Read a .sln file of `qap`.

    Raises
    ------
    InputError
        When the file is missing or damaged, or neither the permutation nor its inverse has the stated cost.
    """
    numbers = _numbers(path)
    n = qap.size
    if len(numbers) != n + 2 or numbers[0] != n:
        remedy = f"the problem has size {n}: the file must contain {n}, the cost and {n} locations"
        size = f" and states the size {numbers[0]}" if numbers else ""
        raise _wrong(path, f"contains {len(numbers):,} numbers{size}", remedy)
    listed = np.array([min(max(x, 0), n + 1) for x in numbers[2:]], np.int64) - 1
    if not np.array_equal(np.sort(listed), np.arange(n)):
        raise _wrong(path, f"is not a permutation of 1 … {n}", "every location must occur once")
    stated, choices = numbers[1], [listed, np.argsort(listed)]
    costs = [qap.objective(permutation) for permutation in choices]
    # kra32.sln states 88,900 for a permutation of cost 88,700: better than stated is accepted.
    taken = costs.index(stated) if stated in costs else int(np.argmin(costs))
    if costs[taken] > stated:
        remedy = f"the permutation costs {costs[0]:,}, its inverse {costs[1]:,}"
        raise _wrong(path, f"states the cost {stated:,}", remedy)
    return Known(costs[taken], stated, choices[taken], bool(taken))


def write_solution(permutation: np.ndarray, objective: int, path: str | Path) -> None:
    """Write a .sln file.

    Raises
    ------
    InputError
        When the file cannot be written.
    """
    _write(path, f"{len(permutation)} {objective}\n{' '.join(str(x + 1) for x in np.asarray(permutation).tolist())}\n")


def _numbers(path: str | Path) -> list[int]:
    """Return all numbers of a file; integers may be written as 3.0."""
    path = Path(path)
    found = []
    for line, content in enumerate(text(path, _LARGEST_FILE_BYTES).splitlines(), 1):
        for word in content.replace(",", " ").split():
            if not _NUMBER.fullmatch(word) or len(word) > 40:
                raise _wrong(path, f"contains {word[:40]!r}, not an integer", "a QAPLIB file contains integers only", line)
            found.append(int(word.partition(".")[0]))
    return found


def _write(path: str | Path, text: str) -> None:
    try:
        with replacing(Path(path)) as temporary:
            temporary.write_text(text, encoding="utf-8")
    except OSError as error:
        raise _wrong(path, f"cannot be written: {error.strerror}", "choose another folder") from None


def _wrong(path: str | Path, message: str, remedy: str, line: int = 0) -> InputError:
    return InputError(Problem("", message, remedy, str(path), line))
