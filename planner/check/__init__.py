"""The independent verifier: records in, violations out.

It imports no stage and shares no kernel with one; it recomputes what it can from the records of
other stages, and is given what the study alone decides: network, catalog and room built again. A file per
subject; each function that `planner.check.basis.rule.rule` declares in it is one rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from planner.check.basis.places import error
from planner.check.basis.rule import Rule, Source, Window, declared_rules
from planner.check.references import references_resolve
from planner.core import version
from planner.domain.model import Plan, Violation, Violations

__all__ = ["AGAINST_SOURCE", "RULES", "Source", "Window", "check"]

_DECLARED = declared_rules()

RULES = tuple(rule for rule in _DECLARED if not rule.source)
"""Rules of consistency among the records of a plan."""

AGAINST_SOURCE = tuple(rule for rule in _DECLARED if rule.source)
"""Rules that compare a plan with its study."""


_PARTS = 8
"""Parts of the list of rules that are evaluated side by side; rules near each other share tables of the plan."""


def check(plan: Plan, source: Source | None = None, side_by_side: Callable[..., Iterable[Any]] = map) -> Violations:
    """Return every broken design rule of a plan.

    Parameters
    ----------
    source
        What the study alone decides, built again; without it the plan is held against itself only.
    side_by_side
        Applies a function to several parts of the list of rules and yields the results in their order, as `map` does.
    """
    found = [*references_resolve(plan)]
    sound = not found
    rules = [rule for rule in RULES if sound and (rule.networks or plan.cables is not None)]
    given: list[tuple[Any, ...]] = [(rule, plan) for rule in rules]
    if source is not None:
        given += [(rule, plan, source) for rule in AGAINST_SOURCE if rule.networks or (sound and plan.cables is not None)]
    step = -(-len(given) // _PARTS) or 1
    parts = [given[first : first + step] for first in range(0, len(given), step)]
    for each in side_by_side(lambda part: [item for task in part for item in _of_networks(*task)], parts):
        found += each
    checked = [references_resolve, *(task[0] for task in given)]
    if source is not None and version.is_same(plan.provenance):
        found += _stored(plan.violations, checked, found)
    return Violations(checked=tuple(rule.__name__ for rule in checked), items=tuple(found))


def _stored(stored: Violations | None, checked: list[Rule], found: list[Violation]) -> list[Violation]:
    """The stored violations of a plan are those found now."""
    names = tuple(rule.__name__ for rule in checked)
    if stored is None or (stored.checked, stored.items) == (names, tuple(found)):
        return []
    message = f"states {len(stored.items)} violations of {len(stored.checked)} rules: run the study again"
    return [error("stored_violations", "the plan", len(stored.items), len(found), "violations", message)]


def _of_networks(rule: Rule, plan: Plan, *source: Source) -> list[Violation]:
    """Return the violations of a rule; one about records of single networks is evaluated for each that has such a record."""
    found = _evaluated(rule, plan.of_section(rule.each) if rule.each else plan, *source)
    for name, records in plan.others.items() if rule.each else ():
        if rule.each in records:
            own = _evaluated(rule, plan.of(name), *source)
            found += [replace(item, where=f"{name}: {item.where}") for item in own]
    return found


def _evaluated(rule: Rule, *given: Any) -> list[Violation]:
    """Return the violations of a rule; a rule that cannot be evaluated on a damaged plan is a violation as well."""
    try:
        return list(rule(*given))
    except Exception as failure:  # a damaged plan may fail in any way
        message = f"cannot be evaluated: {type(failure).__name__}: {str(failure)[:200]}"
        return [error(rule.__name__, "the whole plan", 0, 0, "", message)]
