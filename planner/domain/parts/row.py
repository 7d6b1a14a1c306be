"""Common keys and checks of all catalog rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Annotated, Literal

from annotated_types import Ge, Gt, Le, MinLen

from planner.core.errors import Problem, suggestion
from planner.core.names import Name

LARGEST = 2_000_000_000
"""No figure of a single part is larger, in any unit used here; all of them fit 32 bits."""

Positive = Annotated[int, Gt(0), Le(LARGEST)]
NonNegative = Annotated[int, Ge(0), Le(LARGEST)]
Share = Annotated[float, Ge(0), Le(1)]
Confidence = Literal["A", "B", "C", "D"]
Medium = Literal["copper", "active copper", "optical"]
Lengths = Annotated[tuple[Positive, ...], MinLen(1)]
Prices = Annotated[tuple[NonNegative, ...], MinLen(1)]


_PRICE = re.compile(r"\bprice: (.+?)(?:\. |; (?=[\w, ]+: )|\.?$)")
"""Statement about the price in a note: to the end of its sentence, or the next subject."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """Common keys of all rows.

    `confidence`: A read in a paper or a vendor's own text, B quoted from one, C weak or
    conflicting, D not sourced (an engineering estimate). Fields listed in `estimates` are D
    regardless of the row's confidence. `date` is the date of reading or publication, if known.
    """

    __pydantic_config__ = {"extra": "forbid", "allow_inf_nan": False}

    id: Name
    source: Name
    confidence: Confidence
    date: str = ""
    estimates: tuple[str, ...] = ()
    note: str = ""

    @property
    def estimated(self) -> bool:
        """Whether any figure of the row is not sourced."""
        return self.confidence == "D" or bool(self.estimates)

    @property
    def price_basis(self) -> str:
        """Source of the price, or the statement about it in the note where it is an estimate."""
        if self.confidence != "D" and not any("cents" in name for name in self.estimates):
            return self.source
        stated = _PRICE.search(" ".join(self.note.split()))
        return f"estimate: {stated[1]}" if stated else "estimate"

    @property
    def origin(self) -> Row:
        """The row without its figures: source and confidence only."""
        return Row(**{field.name: getattr(self, field.name) for field in fields(Row)})

    def problems(self) -> Iterator[Problem]:
        """Yield problems of the row beyond those of single values; the place is the key."""
        known = [field.name for field in fields(self)]
        for name in self.estimates:
            if name not in known:
                yield Problem("estimates", f"{name!r} is not a key of this row", suggestion(name, known))


@dataclass(frozen=True, kw_only=True)
class Goods(Row):
    """Common keys of rows that are bought.

    `part_number` is the maker's; where the part is sold by length, that of the family, and `part_numbers` are the complete ones,
    one for each stock length, empty where it is not known. `lead_days` is the usual time from order to delivery.
    `pieces_per_item` pieces are delivered as one item, such as the legs of a fiber splitter or panels in packs; prices are those
    of a piece.
    """

    maker: str = ""
    part_number: str = ""
    part_numbers: tuple[str, ...] = ()
    lead_days: NonNegative | None = None
    pieces_per_item: Positive = 1

    @property
    def description(self) -> str:
        """What is bought, without its length."""
        return self.id

    @property
    def together(self) -> str:
        """What is delivered together as one piece or one item, in words; empty for single parts."""
        return f"{self.pieces_per_item} pieces are one item" if self.pieces_per_item > 1 else ""

    def number_at(self, stock_mm: int) -> str:
        """Return the maker's complete part number at a stock length, 0 for parts without lengths; empty where it is not known."""
        lengths = getattr(self, "stock_mm", ())
        if not lengths:
            return self.part_number
        numbers = dict(zip(lengths, self.part_numbers, strict=False))
        return numbers.get(stock_mm, "")

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        lengths = getattr(self, "stock_mm", ())
        if self.part_numbers and len(self.part_numbers) != len(lengths):
            message = f"{len(self.part_numbers)} part numbers for {len(lengths)} stock lengths"
            yield Problem("part_numbers", message, 'give one for each entry of stock_mm, "" where it is not known')


def ladder_problems(stock_mm: tuple[int, ...], price_cents: tuple[int, ...]) -> Iterator[Problem]:
    """Yield problems of prices by stock length."""
    if len(stock_mm) != len(price_cents):
        message = f"{len(price_cents)} prices {list(price_cents)} for {len(stock_mm)} stock lengths"
        yield Problem("price_cents", message, "give one price for each entry of stock_mm")
        return
    for shorter, longer in pairwise(stock_mm):
        if longer <= shorter:
            yield Problem("stock_mm", f"{longer} follows {shorter}", "list stock lengths shortest first, each once")
    for (short, low), (long, high) in pairwise(zip(stock_mm, price_cents, strict=True)):
        if high < low:
            message = f"{high} at {long} mm is cheaper than {low} at {short} mm"
            yield Problem("price_cents", message, "prices may not fall with length: correct one, or drop the shorter length")
