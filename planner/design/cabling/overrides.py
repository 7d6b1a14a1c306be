"""Overrides of run lengths: per cable, per pair of cabinets, per class."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from planner.core import delimited
from planner.core.errors import InputError, Problem, suggestion
from planner.design.cabling.runs import Override
from planner.domain.model import Inventory

COLUMNS = ("cable", "a_cabinet", "b_cabinet", "class", "run_mm", "add_mm")
_LONGEST_MM = 10_000_000
_Kind = Literal["class", "pair", "cable"]


@dataclass(frozen=True)
class _Row:
    """One line of the file: the cables it applies to, and their length."""

    kind: _Kind
    cables: np.ndarray
    run_mm: int
    add_mm: int


def overrides(path: Path | None, inventory: Inventory, cabinet: np.ndarray, names: tuple[str, ...]) -> Override:
    """Read a file of overrides.

    Parameters
    ----------
    path
        CSV with the columns `COLUMNS`; None for no overrides. A line applies to one cable (its number, from 1), to all
        cables between two cabinets (by the names of their slots, in either order), or to a class of
        links (``endpoint`` for endpoint cables). It sets the run length, or adds to it. A line
        for a cable overrides one for its pair, that overrides one for its class, and a later line overrides an
        earlier one of its kind.
    cabinet
        Cabinet at both ends of every cable, int (W, 2).
    names
        Name of each cabinet.

    Raises
    ------
    InputError
        With every line that is wrong.
    """
    count = len(cabinet)
    run, add = np.full(count, -1, np.int64), np.zeros(count, np.int64)
    if path is not None:
        rows = _read(Path(path), inventory, cabinet, names)
        for kind in ("class", "pair", "cable"):
            for row in rows:
                if row.kind == kind:
                    run[row.cables], add[row.cables] = row.run_mm, row.add_mm
    return Override(run, add)


def _read(path: Path, inventory: Inventory, cabinet: np.ndarray, names: tuple[str, ...]) -> list[_Row]:
    table = delimited.read(path)
    unknown = [name for name in table.header if name not in COLUMNS]
    problems = [Problem("header", f"unknown column {name!r}", suggestion(name, COLUMNS)) for name in unknown]
    if not {"run_mm", "add_mm"} & set(table.header):
        problems.append(Problem("header", "has neither run_mm nor add_mm", f"the columns are {', '.join(COLUMNS)}"))
    found = []
    number_of = {name: number for number, name in enumerate(names)}
    for line, given in table.records() if not problems else ():
        faults: list[tuple[str, str]] = []
        row = _row(given, inventory, cabinet, number_of, faults)
        problems += [Problem("", rule, remedy, str(path), line) for rule, remedy in faults]
        found.append(row)
    if problems:
        raise InputError(problems).located(str(path))
    return found


def _row(
    given: dict[str, str], inventory: Inventory, cabinet: np.ndarray, number_of: dict[str, int], faults: list[tuple[str, str]]
) -> _Row:
    kind, cables = _cables(given, inventory, cabinet, number_of, faults)
    amounts = {name: given.get(name, "") for name in ("run_mm", "add_mm")}
    if all(amounts.values()) or not any(amounts.values()):
        faults.append(("must set either run_mm or add_mm", "fill in one of the two"))
    for name, text in amounts.items():
        low = 1 if name == "run_mm" else -_LONGEST_MM
        if text and not (text.lstrip("+-").isdecimal() and text.isascii() and len(text) < 18 and low <= int(text) <= _LONGEST_MM):
            faults.append((f"{name} = {text!r} is not a whole number from {low} to {_LONGEST_MM}", "give millimeters"))
            amounts[name] = ""
    return _Row(kind, cables, int(amounts["run_mm"] or -1), int(amounts["add_mm"] or 0))


def _cables(
    given: dict[str, str], inventory: Inventory, cabinet: np.ndarray, number_of: dict[str, int], faults: list[tuple[str, str]]
) -> tuple[_Kind, np.ndarray]:
    """Return kind and cables of a line."""
    about = [name for name in ("cable", "a_cabinet", "class") if given.get(name)]
    if len(about) != 1 or bool(given.get("a_cabinet")) != bool(given.get("b_cabinet")):
        faults.append(("must name a cable, a pair of cabinets or a class", "fill in one of the three"))
        return "cable", np.zeros(0, np.int64)
    if about == ["cable"]:
        text = given["cable"]
        if text.isdecimal() and len(text) < 18 and 1 <= int(text) <= len(cabinet):
            return "cable", np.array([int(text) - 1])
        faults.append((f"there is no cable {text!r}", f"cables are numbered from 1 to {len(cabinet)}"))
    elif about == ["class"]:
        names = inventory.kind_names
        if given["class"] in names:
            return "class", np.flatnonzero(inventory.kind == names.index(given["class"]))
        faults.append((f"there is no class {given['class']!r}", suggestion(given["class"], names)))
    else:
        pair = [given["a_cabinet"], given["b_cabinet"]]
        missing = [name for name in pair if name not in number_of]
        faults += [(f"there is no cabinet in slot {name!r}", suggestion(name, number_of)) for name in missing]
        if not missing:
            ends = np.sort(np.array([number_of[name] for name in pair]))
            return "pair", np.flatnonzero((np.sort(cabinet, axis=1) == ends).all(axis=1))
    return "cable", np.zeros(0, np.int64)
