"""Part numbers of makers: the catalog rows that they may be, and their lengths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from planner.domain import catalog
from planner.domain.parts import Goods, PlugNumber, Row

_MAX_CHARACTERS = 64
"""Longer numbers are not looked up: memories of plugs hold 16 characters."""


@dataclass(frozen=True)
class Meaning:
    """What a part number names: the catalog rows it may be, its length in mm, and its wire gauge; None where it has none."""

    parts: frozenset[str]
    length_mm: int | None = None
    gauge: str = ""


class PartNumbers:
    """Part numbers by catalog row: complete numbers of the rows, and patterns of makers.

    Parameters
    ----------
    rows
        Catalog rows by id.
    patterns
        Rows of the kind ``plug_number``; without it those of the shipped catalog.

    Examples
    --------
    >>> numbers = PartNumbers({})
    >>> sorted(numbers.meaning(" MCP1600-E01AE30 ").parts), numbers.meaning("MCP1600-E01AE30").length_mm
    (['100g-qsfp28-dac-26awg', '100g-qsfp28-dac-30awg'], 1500)
    >>> numbers.meaning("CAB-100G-2M") is None
    True
    """

    def __init__(self, rows: Mapping[str, Row], patterns: Iterable[PlugNumber] | None = None):
        self._exact: dict[str, list[tuple[str, int | None]]] = {}
        for row in rows.values():
            for number, length_mm in _complete(row):
                self._exact.setdefault(spelled(number), []).append((row.id, length_mm))
        found: Iterable[Any] = catalog.rows("plug_number") if patterns is None else patterns
        self._patterns = [(re.compile(row.pattern), frozenset(row.parts)) for row in found]
        self._known = {name for found in self._exact.values() for name, _ in found}
        self._known |= {name for _, parts in self._patterns for name in parts}
        self._of: dict[str, Meaning | None] = {}

    def names(self, part: str) -> bool:
        """Return whether any part number of a catalog row is known."""
        return part in self._known

    def meaning(self, number: str) -> Meaning | None:
        """Return what a part number names, None if it is unknown. Blanks around it, and its case, do not matter."""
        number = spelled(number)
        if number not in self._of:
            self._of[number] = self._looked_up(number)
        return self._of[number]

    def _looked_up(self, number: str) -> Meaning | None:
        if not number or len(number) > _MAX_CHARACTERS:
            return None
        exact = self._exact.get(number, [])
        parts = {name for name, _ in exact}
        lengths = {length for _, length in exact}
        gauge = ""
        for pattern, of in self._patterns:
            if (match := pattern.fullmatch(number)) is not None:
                groups = match.groupdict()
                parts |= of
                gauge = groups.get("awg") or gauge
                lengths.add(_millimeters(groups["meters"]) if groups.get("meters") else None)
        lengths.discard(None)
        # Sources that disagree about the length do not decide it.
        return Meaning(frozenset(parts), lengths.pop() if len(lengths) == 1 else None, gauge) if parts else None


def spelled(number: str) -> str:
    """Return a part number as it is compared.

    >>> spelled("MFS1S00-H010E   ")
    'MFS1S00-H010E'
    """
    return number.replace("\0", " ").strip().upper()


def _complete(row: Row) -> list[tuple[str, int | None]]:
    if not isinstance(row, Goods):
        return []
    lengths = getattr(row, "stock_mm", ())
    if lengths:
        return [(number, length) for length, number in zip(lengths, row.part_numbers, strict=False) if number]
    return [(row.part_number, None)] if row.part_number else []


def _millimeters(text: str) -> int | None:
    """Return a length in mm: three digits are meters, and an A after two adds a half.

    >>> _millimeters("003"), _millimeters("01A"), _millimeters("02")
    (3000, 1500, 2000)
    """
    digits = text.removesuffix("A")
    if not digits.isdecimal():
        return None
    return int(digits) * 1000 + (500 if text.endswith("A") else 0)
