"""What the purchase files have in common: their columns, and the summary."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from planner.core.errors import InputError, Problem
from planner.core.units import heading as with_unit
from planner.core.units import unit
from planner.domain.model import Bill, Plan, PurchaseLine
from planner.view.figures import described

SECTIONS = {"parts": "parts", "services": "services", "energy": "energy over the operating years"}
"""Sections of the purchase with their titles; parts and services are capital expenditure, energy is not."""


class Field(NamedTuple):
    """A column: its title, its kind, text, whole, money or length, its width in the workbook, and its value in a line."""

    title: str
    kind: str
    width: int
    of: Callable[[PurchaseLine], Any]


def bill_of(plan: Plan) -> Bill:
    """Return the bill of a plan.

    Raises
    ------
    InputError
        When the plan has none.
    """
    if plan.bill is None:
        raise InputError(Problem("", "the plan has no bill", "run the study to its end: planner run"))
    return plan.bill


def _of_network(number: int) -> Callable[[PurchaseLine], int]:
    return lambda purchase: purchase.networks[number]


def fields(plan: Plan) -> tuple[Field, ...]:
    """Return the columns of a plan: a currency of choice and several networks have columns of their own."""
    bill, names = bill_of(plan), plan.inventory.network_names
    rate = bill.exchange
    money = bill.currency
    own = [Field(f"unit price ({money})", "money", 13, lambda x: _priced(x, x.unit_cents))]
    own += [Field(f"amount ({money})", "money", 15, lambda x: _priced(x, x.cents))]
    if rate is not None:
        own += [Field(f"unit price ({rate.currency})", "money", 13, lambda x: _priced(x, rate.cents(x.unit_cents)))]
        own += [Field(f"amount ({rate.currency})", "money", 15, lambda x: _priced(x, rate.cents(x.cents)))]
    shares = []
    if len(names) > 1:
        shares = [Field(f"pieces for {name}", "whole", 11, _of_network(n)) for n, name in enumerate(names)]
        shares += [Field("pieces for all networks", "whole", 11, lambda x: x.quantity - sum(x.networks))]
    return (
        Field("section", "text", 10, lambda x: x.section),
        Field("category", "text", 13, lambda x: x.category),
        Field("maker", "text", 12, lambda x: x.maker),
        Field("part number", "text", 21, lambda x: x.part_number),
        Field("family", "text", 16, lambda x: x.family),
        Field("description", "text", 46, described),
        Field(with_unit("length", "mm"), "length", 10, lambda x: unit("mm").of(x.stock_mm) if x.stock_mm else None),
        Field("quantity", "whole", 10, lambda x: x.quantity),
        Field("spares", "whole", 8, lambda x: x.spares),
        Field("pieces", "whole", 8, lambda x: x.pieces),
        Field("pieces in an item", "whole", 9, lambda x: x.pieces_per_item),
        Field("items to order", "whole", 9, lambda x: x.items),
        Field("delivered together", "text", 30, lambda x: x.together),
        *own,
        *shares,
        Field("lead time (days)", "whole", 9, lambda x: x.lead_days),
        Field("price source", "text", 46, lambda x: x.source),
        Field("price date", "text", 11, lambda x: x.date),
        Field("confidence", "text", 11, lambda x: x.confidence),
        Field("catalog row", "text", 28, lambda x: x.part),
    )


def not_to_be_ordered(plan: Plan) -> str:
    """Return a warning for the first line of files to order from; empty where the plan breaks no design rule."""
    errors = len(plan.violations.errors) if plan.violations is not None else 0
    return f"NOT TO BE ORDERED FROM: the plan has {errors:,} violations of design rules" if errors else ""


def summary(plan: Plan) -> Iterator[tuple[str, Any, str]]:
    """Yield the summary: what it is, its value, and its kind, as that of a column, or percent."""
    bill = bill_of(plan)
    lines = bill.purchase
    yield "plan", plan.title or plan.name, "text"
    yield "fingerprint of the plan", str(plan.provenance.get("plan", "")), "text"
    cents = {section: sum(line.cents for line in lines if line.section == section) for section in SECTIONS}
    parts = [line for line in lines if line.section == "parts"]
    numbered = sum(1 for line in parts if line.part_number)
    yield "lines of parts", len(parts), "whole"
    yield "lines with the maker's part number", numbered, "whole"
    yield "share of lines with a part number", numbered / len(parts) if parts else 0.0, "percent"
    yield "lines of parts without a price", sum(1 for line in parts if not line.confidence), "whole"
    totals = [
        ("parts, spares included", cents["parts"]),
        ("services", cents["services"]),
        ("capital expenditure: parts and services", cents["parts"] + cents["services"]),
        *([(f"energy in {bill.years:g} years", cents["energy"])] if bill.years else []),
        ("total of the bill", sum(cents.values())),
    ]
    totals += _of_networks(plan)
    rate = bill.exchange
    for what, amount in totals:
        yield f"{what} ({bill.currency})", amount / 100, "money"
        if rate is not None:
            yield f"{what} ({rate.currency})", rate.cents(amount) / 100, "money"
    if rate is not None:
        yield f"{rate.currency} for one {bill.currency}", rate.rate, "rate"
        yield "date of the rate", rate.date, "text"
        yield "source of the rate", rate.source, "text"


def _of_networks(plan: Plan) -> Iterator[tuple[str, int]]:
    """Yield the price of what each of several networks installs, and of the parts that serve all, spares among them."""
    names = plan.inventory.network_names
    parts = [line for line in bill_of(plan).purchase if line.section == "parts"]
    own = [sum(line.networks[number] * line.unit_cents for line in parts) for number in range(len(names))]
    if len(names) > 1:
        yield from ((f"parts of network {name}", cents) for name, cents in zip(names, own, strict=True))
        yield "parts of all networks, spares included", sum(line.cents for line in parts) - sum(own)


def _priced(line: PurchaseLine, cents: int) -> float | None:
    """Return an amount in units of its currency; None for lines without a price."""
    return cents / 100 if line.confidence else None
