"""What a difference comes to, in words: the same on the terminal, on paper, in the workbook and on the page."""

from __future__ import annotations

from collections.abc import Iterator

from planner.core.units import named, stock_named
from planner.fabric.baseline import Planned
from planner.studies.diff.result import STEPS, Action, Comparison
from planner.view.figures import grouped, money
from planner.view.schedule import KINDS, REMOVED, REPLUGGED, Connection

TITLE = "Difference of two plans"

ASSUMED = (
    "Labor: each plug that is put in or taken out counts as half of the labor of a cable; pulling a cable out takes as long as "
    "pulling it in. Moving a device is not in it: the labor rates have no time for it."
)


def counts(found: Comparison) -> list[tuple[str, str, str]]:
    """Return the number of devices and cables of every kind, as text; no device is re-plugged."""
    rows = []
    for kind in KINDS:
        devices, cables = found.found.count(kind)
        rows.append((kind, grouped(devices) if kind != REPLUGGED else "", grouped(cables)))
    return rows


def facts(found: Comparison) -> list[tuple[str, str]]:
    """Return names and texts of the summary."""
    unplugged = found.found.count(REMOVED)[1] + found.found.count(REPLUGGED)[1]
    bound = found.found.lower_bound
    rows = [
        ("old plan", _named(found.old)),
        ("new plan", _named(found.new)),
        ("result", "no difference" if found.found.is_empty else "the plans differ"),
        ("unplugged", f"{grouped(unplugged)} cables removed or re-plugged; at least {grouped(bound)} with these connections"),
        ("re-used", f"{grouped(len(found.reuse))} of the removed cables serve as added ones"),
    ]
    return rows + list(_prices(found))


def _prices(found: Comparison) -> Iterator[tuple[str, str]]:
    bill = found.bill
    if bill is None:
        yield "price", "unknown"
        return
    yield "price", f"{money(bill.cents)} {bill.currency}, at the prices of the new plan"
    yield "labor", "unknown" if bill.labor_s is None else f"{grouped(-(-bill.labor_s // 60))} person-minutes"
    if bill.unpriced:
        listed = ", ".join(f"{grouped(count)} {part}" for part, count in bill.unpriced)
        yield "not priced", f"not on the bill of the new plan: {listed}"


def _named(given: Planned) -> str:
    mark = str(given.titled.provenance.get("plan", ""))[:16]
    return f"{given.titled.title or given.titled.name} ({given.path}), fingerprint {mark}"


def bill_rows(found: Comparison) -> list[tuple[str, str, str, str, str]]:
    """Return category, item, quantity, unit price and price of each line of the bill of the change."""
    lines = found.bill.lines if found.bill is not None else ()
    return [
        (each.category, each.description, grouped(each.quantity), money(each.unit_cents), money(each.cents)) for each in lines
    ]


def left_rows(found: Comparison) -> list[tuple[str, str, str]]:
    """Return what is left over, and its number; nothing where there is no bill."""
    return [
        (what, f"{part}{f', {stock_named(stock_mm)}' if stock_mm else ''}", grouped(count))
        for part, what, stock_mm, count in (found.bill.removed if found.bill is not None else ())
    ]


def reuse_rows(found: Comparison) -> list[tuple[str, str, str, str]]:
    """Return number and length of each re-used cable, and number and need of the one that it serves as."""
    return [
        (grouped(each.old.number), f"{each.old.part}, {stock_named(each.old.stock_mm)}", grouped(each.new.number),
         f"{each.new.a} to {each.new.b}; needs {named(each.need_mm, 'mm')}")
        for each in found.reuse
    ]  # fmt: skip


def place_of(action: Action) -> str:
    """Return the unit of an action as people write it."""
    return f"U{action.unit}" if action.unit > 0 else ""


def number_of(row: Connection | None) -> str:
    return "" if row is None else grouped(row.number)


def by_step(found: Comparison) -> Iterator[tuple[str, str, list[Action]]]:
    """Yield the key and the title of each step with actions, and these."""
    for step, title in STEPS.items():
        if own := [action for action in found.actions if action.step == step]:
            yield step, title, own
