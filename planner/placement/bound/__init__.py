"""Lower bounds of placements: what no layout can go below; one file per bound."""

from __future__ import annotations

from collections.abc import Iterable

from planner import registry
from planner.placement._problem import PlacementProblem
from planner.progress import Progress, silent


def best(
    problem: PlacementProblem, names: Iterable[str] | None = None, progress: Progress = silent
) -> tuple[int, str, dict[str, int | None]]:
    """Return the highest lower bound of a problem's objective: a bound of its links, and its endpoint cables.

    Parameters
    ----------
    problem
        Any placement problem.
    names
        Bounds to try; all by default.

    Returns
    -------
    value, name, values
        The highest bound and which one it is (0 and ``""`` where none applies), and the value of each, None
        where it does not apply. Ctrl-C leaves out those not yet known.
    """
    names = list(registry.names("bound") if names is None else names)
    values: dict[str, int | None] = {}
    try:
        for done, name in enumerate(names):
            progress("lower bound", done, len(names), bound=name)
            value = registry.function("bound", name)(problem)
            values[name] = None if value is None else value + problem.constant
        progress("lower bound", len(names), len(names))
    except KeyboardInterrupt:
        pass
    known = [(value, name) for name, value in values.items() if value is not None]
    value, name = max(known, key=lambda pair: pair[0], default=(0, ""))
    return value, name, values
