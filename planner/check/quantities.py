"""Rules of reported quantities: each is recomputed from the records, by plain sums over their rows."""

from __future__ import annotations

import math
from collections.abc import Iterator

from planner.check.basis.figures import cabinets, each_network, money, network, physical
from planner.check.basis.places import error, unlike
from planner.check.basis.rule import Number, declared_figures, rule
from planner.check.dual_homing import spreads
from planner.domain.model import Plan, Violation

_RULE = "quantities_follow_the_records"


@rule(630, networks=True)
def quantities_follow_the_records(plan: Plan) -> Iterator[Violation]:
    """Every reported number is the sum, share or quotient that the records of the plan give, to six decimals."""
    if not plan.quantities:
        return
    wanted = {name: value for name, value in _numbers(plan) if value is not None}
    for name in sorted(wanted.keys() | plan.quantities.keys()):
        have = plan.quantities.get(name, {}).get("value")
        if name not in wanted or have is None:
            yield from unlike(_RULE, name, have, wanted.get(name), "is reported without a record behind it, or missing")
        elif not math.isclose(have, wanted[name], rel_tol=1e-9, abs_tol=1e-6):
            yield error(_RULE, name, have, wanted[name], plan.quantities[name].get("unit", ""), "is not what the records give")


def _numbers(plan: Plan) -> Iterator[Number]:
    yield from network(plan)
    if plan.cables is not None:
        yield from physical(plan)
        yield from cabinets(plan)
        yield from money(plan)
        yield from each_network(plan)
        for recomputed in declared_figures():
            yield from recomputed(plan)
    if plan.violations is not None:
        errors = [item for item in plan.violations.items if item.severity == "error"]
        yield "errors", len(errors)
        yield "warnings", len(plan.violations.items) - len(errors)
        if spreads(plan, "trays"):
            yield "shared_tray_pairs", sum(item.rule == "cables_spread_over_trays" for item in plan.violations.items)
