"""Install stages in the order in which they are executed, and their numbers."""

from __future__ import annotations

import numpy as np

from planner.domain.model import Plan


def stages_in_order(plan: Plan) -> list[int]:
    """Return the install stages as the work order executes them; without one from across the room inward.

    Stages are indices into the names of the work order, which begin with those of the cable plan. Those without a task come last.
    """
    count = len(_names(plan))
    if plan.work is None:
        return list(range(count))[::-1]
    executed = list(dict.fromkeys(plan.work.stage.tolist()))
    return executed + [stage for stage in range(count) if stage not in executed]


def stage_numbers(plan: Plan) -> np.ndarray:
    """Return the number of each install stage in the order of `stages_in_order`, from 1, int64 (stages,)."""
    order = stages_in_order(plan)
    numbers = np.empty(len(order), np.int64)
    numbers[order] = np.arange(1, len(order) + 1)
    return numbers


def stage_texts(plan: Plan) -> list[str]:
    """Return the name of each install stage behind its number: ``1 across rows``."""
    return [f"{number} {name}" for number, name in zip(stage_numbers(plan).tolist(), _names(plan), strict=True)]


def _names(plan: Plan) -> tuple[str, ...]:
    return plan.cables.stage_names if plan.work is None else plan.work.stage_names
