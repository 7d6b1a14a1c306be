"""Ports that later stages of a machine will use: the plan of each stage prints them with the name of that stage."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from planner.core.errors import InputError, Problem
from planner.core.names import fault
from planner.domain.model import Inventory, Reserved


def reserve(plans: dict[str, Path]) -> None:
    """Reserve the ports that later stages use, see [a machine bought in stages](tutorials/stages.md); `planner run` of a study
    with stages writes this section.

    Parameters
    ----------
    plans
        Plan of each later stage by its name, the next one first: its folder, schedule in CSV, or workbook.
    """


def reserved(plans: Mapping[str, Path], inventory: Inventory) -> Reserved:
    """Return the ports of devices of this plan that later plans use.

    A port that several stages use is reserved for the first of them.

    Raises
    ------
    InputError
        With the problems of all plans, and names that cannot be printed.
    """
    # Reading plans loads the reports, and all stages.
    from planner.fabric import planned

    problems = [Problem("plans", f"{name[:40]!r} {why}", "remove it") for name in plans if (why := fault(name))]
    number = {name: device for device, name in enumerate(inventory.names.tolist())}
    found: dict[tuple[int, int], tuple[int, str]] = {}
    for stage, path in enumerate(plans.values()):
        try:
            rows = planned.read(path).rows
        except InputError as error:
            problems += error.problems
            continue
        for row in rows:
            for end, far in (row.ends, row.ends[::-1]):
                if end.device in number:
                    found.setdefault((number[end.device], end.port), (stage, far.device))
    if problems:
        raise InputError(problems)
    ordered = sorted(found.items())
    return Reserved(
        stages=tuple(plans),
        device=[device for (device, _), _ in ordered],
        port=[port for (_, port), _ in ordered],
        stage=[stage for _, (stage, _) in ordered],
        far=[far for _, (_, far) in ordered],
    )
