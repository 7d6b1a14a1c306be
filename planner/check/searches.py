"""Rules of searches: what was interrupted is the best so far, not the result."""

from __future__ import annotations

from collections.abc import Iterator

from planner.check.basis.rule import rule
from planner.domain.model import Plan, Violation


@rule(620, networks=True)
def searches_completed(plan: Plan) -> Iterator[Violation]:
    """No search was interrupted before its end, nor a simulation (warnings)."""
    for name, record in (
        ("placement", plan.placement),
        ("routes of cables", plan.cables),
        ("simulation", plan.simulation),
        ("workload", plan.workload),
    ):
        if record is not None and not record.complete:
            yield Violation("searches_completed", name, 0.0, 1.0, "", "warning", "was interrupted: the best so far, run it again")
