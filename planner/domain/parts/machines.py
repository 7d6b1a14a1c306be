"""Machines that were built, and published cable tables, for comparison with plans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from planner.core.errors import Problem
from planner.domain.parts.row import Name, NonNegative, Positive, Row

Cell = int | float | str


@dataclass(frozen=True, kw_only=True)
class Machine(Row):
    """A machine that was built: common figures, and `facts` for all others.

    `derived` contains arithmetic on the sourced figures; the note gives the formula. Keys of `facts`
    and `derived` include their unit. An optional table consists of `columns` and `table`.
    """

    site: str = ""
    topology: str = ""
    nodes: Positive | None = None
    nics_per_node: Positive | None = None
    routers: Positive | None = None
    groups: Positive | None = None
    cabinets: Positive | None = None
    cables: Positive | None = None
    cable_m: tuple[Positive, ...] = ()
    facts: dict[str, Cell | tuple[Cell, ...]] = field(default_factory=dict)
    derived: dict[str, Cell] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    table: tuple[tuple[Cell, ...], ...] = ()

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from table_problems("table", self.columns, self.table)


@dataclass(frozen=True, kw_only=True)
class CabinetGrid(Row):
    """Cabinet map of a machine: rows by columns, and the empty positions."""

    machine: Name
    rows: Positive
    columns: Positive
    row_counts: tuple[NonNegative, ...]
    missing: tuple[tuple[NonNegative, NonNegative], ...]
    cooling_pattern: str = ""
    numbering: str = ""
    cabinet_mm: tuple[Positive, Positive, Positive]
    cooling_unit_mm: tuple[Positive, Positive, Positive]
    service_aisle_mm: Positive


@dataclass(frozen=True, kw_only=True)
class CableTable(Row):
    """A vendor's cables by position: rows of `table` under `columns`."""

    columns: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    rule: str = ""

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from table_problems("table", self.columns, self.table)


def table_problems(key: str, columns: tuple[str, ...], table: tuple[tuple, ...]) -> Iterator[Problem]:
    """Yield the lines of a table that are not as wide as its heading."""
    for number, line in enumerate(table, 1):
        if len(line) != len(columns):
            yield Problem(key, f"line {number} has {len(line)} entries under {len(columns)} columns", "make them equal")
