"""Assessment of a problem file: read, solve, bound, compare with the known solution."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from planner.core.progress import Progress, silent
from planner.design.qap import Solution, bounds, files, solve

BOUND_ROUNDS = 20
"""Rounds of dual ascent: some seconds for 40 items."""


@dataclass(frozen=True)
class Assessment:
    """Assessment of one problem file.

    Attributes
    ----------
    solution
        Best permutation found.
    bound, bound_method
        Best lower bound and its name; None if interrupted.
    known
        Cost of the permutation in the .sln file next to the problem; None without one.
    """

    file: str
    size: int
    solution: Solution
    bound: int | None
    bound_method: str
    known: int | None

    def figures(self) -> dict:
        """Return all results as plain values; gaps in percent of the bound or the known cost."""
        solution = self.solution
        return {
            "file": self.file,
            "size": self.size,
            "objective": solution.objective,
            "method": solution.method,
            "evaluations": solution.evaluations,
            "bound": self.bound,
            "bound_method": self.bound_method,
            "bound_gap_percent": _gap(solution.objective, self.bound),
            "optimal": self.bound is not None and self.bound >= solution.objective,
            "complete": solution.complete,
            "known": self.known,
            "known_gap_percent": _gap(solution.objective, self.known),
            "permutation": (solution.permutation + 1).tolist(),
        }

    def text(self) -> str:
        """Return the results as text."""
        figures = self.figures()
        rows = [
            ("objective", f"{figures['objective']:,}"),
            ("method", figures["method"]),
            ("evaluations", f"{figures['evaluations']:,}"),
        ]
        if self.bound is not None:
            proven = "proven optimal" if figures["optimal"] else f"gap {_percent(figures['bound_gap_percent'])}"
            rows.append(("lower bound", f"{self.bound:,} ({self.bound_method}), {proven}"))
        if self.known is not None:
            rows.append(("best known", f"{self.known:,}, gap {_percent(figures['known_gap_percent'])}"))
        return "\n".join(f"{name:<12} {content}" for name, content in rows)


def assess(
    path: str | Path,
    *,
    seed: int = 1,
    seconds: float | None = None,
    moves: int | None = None,
    algorithm: str = "auto",
    out: str | Path | None = None,
    progress: Progress = silent,
) -> Assessment:
    """Read a QAPLIB problem, solve it, write the permutation to `out`, and bound the optimum.

    Ctrl-C ends the search, or the bound, and keeps the results so far.

    Raises
    ------
    InputError
        When the file, the .sln file next to it or an argument is not valid, or `out` cannot be written.
    """
    path = Path(path)
    problem = files.read(path)
    solution_path = path.with_suffix(".sln")
    known = files.read_solution(solution_path, problem).objective if solution_path.exists() and solution_path != path else None
    solution = solve(problem, seed=seed, seconds=seconds, moves=moves, algorithm=algorithm, progress=progress)
    if out is not None:
        files.write_solution(solution.permutation, solution.objective, out)
    bound, name = solution.bound, algorithm
    if bound is None and solution.complete:
        try:
            bound, name = bounds.best(problem, rounds=BOUND_ROUNDS)
        except KeyboardInterrupt:
            name = "interrupted"
    return Assessment(str(path), problem.size, solution, bound, "" if bound is None else name, known)


def _percent(gap: float | None) -> str:
    return "unknown" if gap is None else f"{gap:.3f} %"


def _gap(objective: int, reference: int | None) -> float | None:
    if reference is None:
        return None
    if objective == reference:
        return 0.0
    return 100 * (objective - reference) / abs(reference) if reference else None
