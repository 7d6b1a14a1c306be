"""Floor plans as TOML text: slots as rows where a rule generates them, else one by one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from planner.hall.floor._cabinets import Cabinet
from planner.hall.floor._drawing import RowRule
from planner.hall.floor._slots import DIRECTIONS, LIMITS, places_of


def rows_of(cabinets: list[Cabinet], common: Mapping[str, int | None]) -> dict[str, Any]:
    """Return ``row`` and ``slot`` tables of named cabinets; limits in `common` are the room's and omitted.

    Rules come first in a plan: from the first row without a rule on, all are listed slot by slot,
    so that the order is kept.
    """
    limits = {name: common.get(name) for name in LIMITS}
    rows: dict[str, list[Cabinet]] = {}
    for cabinet in cabinets:
        rows.setdefault(cabinet.row, []).append(cabinet)
    rules, slots = [], list[dict[str, Any]]()
    for name, members in rows.items():
        rule = None if slots else _rule(name, members, limits)
        if rule is not None:
            rules.append(rule)
            continue
        for cabinet in members:
            table = cabinet.table()
            slots.append({key: given for key, given in table.items() if key not in LIMITS or given != limits[key]})
    return {"row": rules, "slot": slots}


def _rule(name: str, members: list[Cabinet], common: Mapping[str, int | None]) -> dict[str, Any] | None:
    """Return the ``[[row]]`` table that generates exactly these cabinets, or None."""
    numbers = [cabinet.name.removeprefix(name) for cabinet in members]
    alike = {(c.facing, c.width_mm, c.depth_mm, c.exit, c.egress, c.limits) for c in members}
    if len(alike) > 1 or not all(number.isascii() and number.isdigit() and len(number) < 6 for number in numbers):
        return None
    first, last = members[0], members[-1]
    low, high = int(numbers[0]), int(numbers[-1])
    if not 1 <= low <= high <= 10_000:
        return None
    axis = 0 if first.at_mm[0] != last.at_mm[0] or first is last else 1
    span, steps = last.at_mm[axis] - first.at_mm[axis], high - low
    pitch = abs(span) // steps if steps else 0
    if steps and (not pitch or abs(span) % steps):
        return None
    along = f"{'-' if span < 0 else '+'}{'xy'[axis]}"
    x, y = DIRECTIONS[along]
    start = (first.at_mm[0] - x * pitch * (low - 1), first.at_mm[1] - y * pitch * (low - 1))
    there = set(map(int, numbers))
    rule: dict[str, Any] = {
        "name": name,
        "first_mm": start,
        "count": high,
        "pitch_mm": pitch or None,
        "along": along,
        "facing": first.facing,
        "width_mm": first.width_mm,
        "depth_mm": first.depth_mm,
        **first.leaving,
        "skip": tuple(n for n in range(1, high + 1) if n not in there) or None,
        **{key: given for key, given in zip(LIMITS, first.limits, strict=True) if given != common[key]},
    }
    rule = {key: given for key, given in rule.items() if given is not None}
    made = [(place.name, place.at_mm) for place in places_of(RowRule(**rule))]
    return rule if made == [(cabinet.name, cabinet.at_mm) for cabinet in members] else None


def text_of(plan: dict[str, Any]) -> str:
    """Return a floor plan as TOML text, one key on a line.

    >>> print(text_of({"title": "T", "row": [{"name": "A", "first_mm": (1, 2)}]}), end="")
    title = "T"
    <BLANKLINE>
    [[row]]
    name = "A"
    first_mm = [1, 2]
    """
    single = {key: given for key, given in plan.items() if not _is_tables(given)}
    lines = list(_lines(single))
    for name, tables in plan.items():
        if name not in single:
            for table in tables:
                lines += ["", f"[[{name}]]", *_lines(table)]
    return "\n".join(lines) + "\n"


def _lines(table: dict[str, Any]) -> Iterable[str]:
    for key, given in table.items():
        # JSON is valid TOML for text, numbers and lists of them, except for one character.
        yield f"{key} = {json.dumps(given, ensure_ascii=False)}".replace("\x7f", "\\u007f")


def _is_tables(given: Any) -> bool:
    return isinstance(given, list | tuple) and (not given or isinstance(given[0], dict))
