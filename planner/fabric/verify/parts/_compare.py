"""What the memory of a plug states, compared with the planned part."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import NamedTuple

from planner.domain.parts import Row, TransceiverPart
from planner.fabric.verify.found import Plug
from planner.fabric.verify.parts._numbers import Meaning, PartNumbers

OK, UNKNOWN, PART, LENGTH, ROUNDED = "ok", "unknown part", "wrong part", "wrong length", "length?"
_WEIGHT = {OK: 0, UNKNOWN: 1, ROUNDED: 2, LENGTH: 3, PART: 4}

_COPPER = re.compile(r"\bcopper\b|\bDAC\b", re.IGNORECASE)
_LIGHT = re.compile(r"vcsel|\blaser\b|\boptical\b|\bAOC\b|\b(850|13\d\d|15\d\d) ?nm\b|\b(DFB|EML|MMF|SMF)\b", re.IGNORECASE)
_EXACT_M = 0.05
"""Half of the finest step of lengths in memories of modules with a length multiplier."""


class Verdict(NamedTuple):
    """Verdict about one plug, and what else differs."""

    word: str
    remark: str = ""


def worst(verdicts: list[Verdict]) -> Verdict:
    """Return the gravest verdict, with all remarks."""
    remarks = dict.fromkeys(verdict.remark for verdict in verdicts if verdict.remark)
    return Verdict(max((verdict.word for verdict in verdicts), key=_WEIGHT.__getitem__), "; ".join(remarks))


def compared(plug: Plug, part: str, stock_mm: int, medium: str, rows: Mapping[str, Row], numbers: PartNumbers) -> Verdict:
    """Return the verdict about a plug of a finished cable.

    Parameters
    ----------
    part, stock_mm, medium
        Catalog row, stock length and medium as planned; 0 for a module, which has no length.
    """
    meaning = numbers.meaning(plug.part_number)
    row = rows.get(part)
    if meaning is None or (part not in meaning.parts and not _differs(meaning, part, row, rows, numbers)):
        if _contradicts(plug, medium):
            return Verdict(PART, f"memory reads {plug.technology}")
        return worst([Verdict(UNKNOWN), Verdict(_length(plug, None, stock_mm))])
    if part not in meaning.parts:
        return Verdict(PART, f"it is {' or '.join(sorted(meaning.parts))}")
    return Verdict(_length(plug, meaning.length_mm, stock_mm), _gauge(meaning, row, stock_mm, numbers))


def _differs(meaning: Meaning, part: str, row: Row | None, rows: Mapping[str, Row], numbers: PartNumbers) -> bool:
    """Return whether a known number shows another part: that of the plan has numbers of its own, or differs in kind and rate."""
    if numbers.names(part):
        return True
    if row is None:
        return False
    others = [rows[name] for name in meaning.parts if name in rows]
    keys = ("medium", "rate_gbps", "kind")
    return bool(others) and all(any(getattr(row, key, None) != getattr(other, key, None) for key in keys) for other in others)


def _length(plug: Plug, number_mm: int | None, stock_mm: int) -> str:
    """Return the verdict about the length: the part number decides, then the memory, which holds whole meters rounded up."""
    if not stock_mm:
        return OK
    if number_mm is not None and number_mm != stock_mm:
        return LENGTH
    read = plug.length_m
    if read is None:
        return OK
    fits = read == math.ceil(stock_mm / 1000) or (not float(read).is_integer() and abs(read - stock_mm / 1000) <= _EXACT_M)
    if fits:
        return OK
    # Without a number, only the neighbors by rounding are in doubt. Many memories hold 0 for a length that is not stated.
    rounding = math.floor(stock_mm / 1000) <= read <= math.ceil(stock_mm / 1000) or read == 0
    return ROUNDED if number_mm is not None or rounding else LENGTH


def _gauge(meaning: Meaning, row: Row | None, stock_mm: int, numbers: PartNumbers) -> str:
    planned = numbers.meaning(row.number_at(stock_mm)) if row is not None and hasattr(row, "number_at") else None
    if planned is None or not planned.gauge or not meaning.gauge or planned.gauge == meaning.gauge:
        return ""
    return f"{meaning.gauge} AWG, planned {planned.gauge} AWG"


def _contradicts(plug: Plug, medium: str) -> bool:
    copper, light = bool(_COPPER.search(plug.technology)), bool(_LIGHT.search(plug.technology))
    if copper == light:
        return False
    return copper != ("copper" in medium) if medium else False


def module_kind(part: str, rows: Mapping[str, Row]) -> tuple[str, int] | None:
    """Return kind and rate of one link of a module, None if the catalog does not know it."""
    row = rows.get(part)
    return (row.kind, row.rate_gbps) if isinstance(row, TransceiverPart) else None
