"""The mutation matrix: every field of every record of finished plans changed, and which rules notice.

``python tests/shared/matrix.py`` prints the table of ``docs/method/verification.md``.
"""

from __future__ import annotations

import dataclasses
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from planner.check import AGAINST_SOURCE, RULES, check
from planner.check.sources import records_follow_the_study
from planner.core.record import Record
from planner.domain.model import CablePlan, Plan
from shared.mutations import changes
from shared.plans import STUDIES, planned, source

PAGE = Path(__file__).parents[2] / "docs" / "method" / "verification.md"

BUILT_AGAIN = ("catalog", "room", "topology")
"""Records that are compared with new ones field by field: of their parts a few fields are enough."""

SIMULATED = ("simulation", "workload")


_RULES = {rule.__name__: rule for rule in (*AGAINST_SOURCE, *RULES)}


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A plan with one field changed; None where no such record can be made.

    `network` is the name of a further network whose record it is.
    """

    record: str
    field: str
    what: str
    plan: Plan | None
    network: str = ""


def mutants(name: str) -> Iterator[Mutant]:
    """Yield the plan of a study with every field of every record changed; without its numbers, which state fields twice.

    Of further networks the records of the first one are changed, but for its halves: those of so small a network are not unique.
    """
    plan = dataclasses.replace(planned(name), quantities={})
    for spec in dataclasses.fields(plan):
        record = getattr(plan, spec.name)
        if isinstance(record, Record):
            for field, what, changed in changes(record, 2 if spec.name in BUILT_AGAIN else None):
                made = None if isinstance(changed, Exception) else dataclasses.replace(plan, **{spec.name: changed})
                if made is not None and field == "route" and _same_routes(plan.cables, made.cables):
                    continue
                yield Mutant(spec.name, field, what, made)
    for network, records in list(plan.others.items())[:1]:
        for record in records.keys() - {"bisection"}:
            for field, what, changed in changes(records[record], 2):
                made = None
                if not isinstance(changed, Exception):
                    made = dataclasses.replace(plan, others=plan.others | {network: records | {record: changed}})
                yield Mutant(record, field, f"{network}: {what}", made, network)


def _same_routes(one: CablePlan, other: CablePlan) -> bool:
    """Return whether all cables use the same segments: cables of two thicknesses have routes of their own over these."""
    known = len(other.route_indptr) - 1
    return other.route.max() < known and all(
        one.route_of(cable).tolist() == other.route_of(cable).tolist() for cable in range(one.cable_count)
    )


def noticed(name: str, mutant: Mutant) -> set[str]:
    """Return the rules that find what they do not find in the plan as it was; ``the record`` where none can be made."""
    if mutant.plan is None:
        return {"the record"}
    if mutant.record in BUILT_AGAIN:
        return {item.rule for item in records_follow_the_study(mutant.plan, source(name))}
    before = _before(name)
    return {item.rule for item in check(mutant.plan, source(name)).items if repr(item) not in before}


def noticed_by(guard: str, name: str, mutant: Mutant) -> bool:
    """Return whether the rule that guards a field finds a change by itself; False where it is no rule of a plan."""
    rule = _RULES.get(guard)
    if rule is None or mutant.plan is None or mutant.record in BUILT_AGAIN:
        return False
    plan = mutant.plan.of(mutant.network) if mutant.network else mutant.plan.of_section(rule.each)
    try:
        found = rule(plan, source(name)) if rule in AGAINST_SOURCE else rule(plan)
        return any(repr(item) not in _before(name) for item in found)
    except Exception:  # the verifier reports such plans as ones that the rule cannot evaluate
        return True


@cache
def _before(name: str) -> frozenset[str]:
    """What is found in the plan as it was."""
    found = check(dataclasses.replace(planned(name), quantities={}), source(name))
    return frozenset(map(repr, found.items))


def table(rows: str) -> list[list[str]]:
    """Return the cells of the table under a heading of the page."""
    text = PAGE.read_text(encoding="utf-8").partition(f"## {rows}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines[2:]]


def main() -> None:
    """Print which rule guards each field: the one that finds the largest number of its changes, of several the first in order."""
    order = [rule.__name__ for rule in (*AGAINST_SOURCE, *RULES)]
    found: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    missed: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name in sys.argv[1:] or STUDIES:
        for mutant in mutants(name):
            rules = noticed(name, mutant)
            found[mutant.record, mutant.field].update(rules - {"stored_violations"} or rules)
            if not rules:
                missed[mutant.record, mutant.field].append(f"{name}: {mutant.what}")
        print(name, "done", file=sys.stderr)
    for (record, field), rules in found.items():
        best = max(rules, key=lambda rule: (rules[rule], rule in order, -order.index(rule) if rule in order else 0), default="")
        print(f"| `{record}` | `{field}` | `{best}` |")
    for (record, field), whats in missed.items():
        print(f"missed: {record}.{field}: {whats}", file=sys.stderr)


if __name__ == "__main__":
    main()
