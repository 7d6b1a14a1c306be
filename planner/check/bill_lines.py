"""Rules of the bill's lines: each is what parts, placement, cables and work come to under the study's terms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import zip_longest

from planner.check.basis.bill_lines import Terms, bundling_rows, lines
from planner.check.basis.places import unlike
from planner.check.basis.rule import Source, rule
from planner.check.bill import laser_modules
from planner.core.record import plain
from planner.domain.model import Plan, Violation


@rule(30, source=True)
def bill_lines_add_up(plan: Plan, source: Source) -> Iterator[Violation]:
    """Every line of the bill has the part, quantity, price, power and mass that follow from the plan, and none is missing."""
    if plan.bill is None:
        return
    wanted = lines(plan, Terms(plan, source))
    for number, (have, want) in enumerate(zip_longest(plan.bill.lines, wanted), 1):
        if have == want:
            continue
        if have is None or want is None:
            one, two = (line and f"{line.quantity} x {line.description}" for line in (have, want))
            yield from unlike("bill_lines_add_up", f"line {number}", one, two, "is not a line of the plan")
            continue
        for (key, value), right in zip(asdict(have).items(), asdict(want).values(), strict=True):
            yield from unlike(
                "bill_lines_add_up", f"line {number} ({have.description}): {key}", value, right, "is not the plan's"
            )


@rule(40, source=True)
def bill_follows_its_terms(plan: Plan, source: Source) -> Iterator[Violation]:
    """Currency, models, policies, rates and years are those of the study, with the dates and origins of their rows."""
    bill, rule = plan.bill, "bill_follows_its_terms"
    if bill is None:
        return
    terms = Terms(plan, source)
    used = {one.part for one in plan.cables.passives}
    spares = {line.part for line in bill.lines if line.category == "spares"}
    behind = [*terms.rows, *(terms.lasers[laser] for laser in laser_modules(plan) if laser in spares)]
    rows = [row.origin for row in behind] + [row.origin for row in bundling_rows(plan) if row.id in used]
    dates = _dates(plan, terms)
    for field, want in (
        ("currency", plan.catalog.currency),
        ("prices", terms.settings["prices"]),
        ("power", terms.settings["power"]),
        ("spares", terms.spares),
        ("electricity", terms.electricity),
        ("years", terms.years),
        ("rows", tuple(rows)),
        ("oldest", min(filter(None, dates), default="")),
        ("newest", max(dates, default="")),
        ("undated", dates.count("")),
    ):
        yield from unlike(rule, f"bill.{field}", plain(getattr(bill, field)), plain(want), "is not what the study's terms give")


def _dates(plan: Plan, terms: Terms) -> list[str]:
    """Return the dates of the rows that prices on the bill come from; empty text for rows without one."""
    by_model = ("routers", "cables", "spares") if terms.prices else ()
    named = {line.part for line in plan.bill.lines if line.cents and line.category not in by_model}
    dates = {
        row.id: row.date
        for row in (*plan.catalog.rows, *plan.inventory.rows, *terms.rows, *terms.lasers.values())
        if row.id in named
    }
    dates |= {row.id: row.date for row in terms.prices.rows} if terms.prices else {}
    return list(dates.values())
