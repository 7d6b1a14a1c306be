"""Lower bounds of placements; one file per bound."""

from __future__ import annotations

from collections.abc import Iterable

from planner.core import registry
from planner.core.progress import Progress, silent
from planner.design.placement.model.problem import PlacementProblem


def best(
    problem: PlacementProblem, names: Iterable[str] | None = None, progress: Progress = silent
) -> tuple[int, str, dict[str, int | None]]:
    """Return the best lower bound of the objective: a bound of the links, plus the endpoint cables.

    Parameters
    ----------
    problem
        Placement problem.
    names
        Bounds to compute; by default all.

    Returns
    -------
    value, name, values
        The highest bound and its name (0 and ``""`` if none applies), and all values, None for bounds that
        do not apply. Ctrl-C skips the remaining ones.
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
