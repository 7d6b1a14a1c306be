"""Quadratic assignment: gap to the best known in percent, against FAQ and repeated 2-opt at equal time.

The instances are those of ``benchmarks/qaplib``; columns are `planner.design.qap.solve` with ``auto`` after 1, 10
and 60 seconds, FAQ (SciPy) and 2-opt from many starts after 1 second, exchanges evaluated per second in the
longest run, and the time to a proof for the small ones. The whole table takes half an hour. Environment
variable ``BENCH_EFFORT`` (default 0.1, three minutes; 1 for full effort) multiplies all times.

A second table (alone with `python -m benchmarks.qap taillard`) is of `benchmarks.taillard`: the gap of ``auto`` after
5, 20 and 60 seconds. Without a published best value, the gap is relative to the
best of all runs of the table.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from benchmarks import taillard
from planner.design.qap import Qap, solve
from planner.design.qap.files import read, read_solution

QAPLIB = Path(__file__).parent / "qaplib"
SECONDS = (1, 10, 60)
SMALL = 20
"""Maximum items for branch and bound, with the time limit of the longest search."""


GROWING = (5, 20, 60)
"""Run times in seconds, with decreasing gaps."""


def main() -> None:
    effort = float(os.environ.get("BENCH_EFFORT", "0.1"))
    if "taillard" not in sys.argv:
        _library(effort)
    _taillard(effort)


def _taillard(effort: float) -> None:
    problems = {f"tai{size}a": taillard.uniform(size) for size in (50, 80, 100)}
    problems |= {f"like tai{size}b": taillard.clustered(size, seed=1) for size in (50, 80, 150)}
    problems |= {"tai64c": taillard.gray(8, 8, 13), "tai256c": taillard.gray(16, 16, 92)}
    times = [seconds * effort for seconds in GROWING]
    print(f"\n{'instance':<14}" + "".join(f"{column:>14}" for column in ["best known", *(f"auto {t:g} s" for t in times)]))
    for name, problem in problems.items():
        solve(problem, seed=1, moves=1)
        found = [solve(problem, seed=1, seconds=seconds).objective for seconds in times]
        known = taillard.KNOWN.get(name)
        cells = [f"{known:,}" if known else "–", *(_gap(value, known or min(found)) for value in found)]
        print(f"{name:<14}" + "".join(f"{cell:>14}" for cell in cells), flush=True)


def _library(effort: float) -> None:
    times = [seconds * effort for seconds in SECONDS]
    head = ["best known", *(f"auto {seconds:g} s" for seconds in times), f"FAQ {times[0]:g} s", f"2-opt {times[0]:g} s"]
    print(f"{'instance':<10}" + "".join(f"{column:>14}" for column in [*head, "moves/s", "proof"]))
    for path in sorted(QAPLIB.glob("*.dat"), key=lambda path: (read(path).size, path.stem)):
        problem = read(path)
        known = read_solution(path.with_suffix(".sln"), problem).objective
        cells = [f"{known:,}"]
        solve(problem, seed=1, moves=1)  # compiles
        for seconds in times:
            started = time.perf_counter()
            found = solve(problem, seed=1, seconds=seconds)
            speed = found.evaluations / (time.perf_counter() - started)
            cells.append(_gap(found.objective, known))
        for name in ("faq", "descent"):
            cells.append(_gap(solve(problem, seed=1, seconds=times[0], algorithm=name).objective, known))
        cells += [f"{speed:,.0f}", _proof(problem, times[-1])]
        print(f"{path.stem:<10}" + "".join(f"{cell:>14}" for cell in cells), flush=True)


def _proof(problem: Qap, seconds: float) -> str:
    """Return the time to a proof, or the gap between bound and solution."""
    if problem.size > SMALL:
        return "–"
    started = time.perf_counter()
    found = solve(problem, seed=1, seconds=seconds, algorithm="exact")
    if found.optimal:
        return f"{time.perf_counter() - started:.1f} s"
    return f"{100 * (1 - (found.bound or 0) / found.objective):.1f} % open"


def _gap(objective: int, known: int) -> str:
    return f"{100 * (objective - known) / known:.3f}"


if __name__ == "__main__":
    main()
