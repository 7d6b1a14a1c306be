"""Published figures of a machine next to those of its plan, as comma-separated text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Gt

from planner.core.errors import InputError, Problem, suggestion
from planner.core.spreadsheet import Writer
from planner.domain.model import Plan
from planner.view.tables import tables, tables_of

FILE = "published.csv"

HEADER = ("figure", "source", "published", "here", "note")


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A published figure, and how to find it in the plan: a quantity, or the rows of a table.

    Parameters
    ----------
    figure
        What it is, with its unit.
    source
        Where it is published: document, section, table.
    published
        Its value there.
    note
        Why the plan has another value.
    quantity
        Name of the quantity of the plan, see ``quantities.json``.
    table
        Table of the plan whose rows are counted, such as ``cables``.
    where
        Rows that count: columns with their text, in which ``*`` matches any text; or a list of texts.
    sum
        Column whose sum is the figure, instead of the number of rows.
    maximum
        Column whose maximum is the figure.
    divisor
        The plan's value is divided by it, such as 1,000,000 for mW in kW.
    """

    __pydantic_config__ = {"extra": "forbid"}

    figure: str
    source: str
    published: int | float
    note: str = ""
    quantity: str = ""
    table: str = ""
    where: dict[str, str | int | tuple[str | int, ...]] = field(default_factory=dict)
    sum: str = ""
    maximum: str = ""
    divisor: Annotated[int | float, Gt(0)] = 1

    def problems(self) -> Iterator[Problem]:
        """Yield what is wrong with it in every plan."""
        if bool(self.quantity) == bool(self.table):
            yield Problem("table", "a figure is either a quantity or from a table", 'write table = "cables"')
        elif self.table:
            yield from self._problems_of_columns()
        if self.sum and self.maximum:
            yield Problem("maximum", "is next to sum", "keep one of them")

    def _problems_of_columns(self) -> Iterator[Problem]:
        every = [tables(named=named, kept=True) for named in (False, True)]
        found = [own[self.table] for own in every if self.table in own]
        if not found:
            known = {*every[0], *every[1]}
            yield Problem("table", f"a plan has no table {self.table!r}", suggestion(self.table, known))
            return
        columns = {column.name: column for table in found for column in table.planned}
        for key, name in [*(("where", name) for name in self.where), ("sum", self.sum), ("maximum", self.maximum)]:
            if name and name not in columns:
                yield Problem(key, f"the table {self.table} has no column {name!r}", suggestion(name, columns))
            elif name and key != "where" and not columns[name].is_number:
                yield Problem(key, f"the column {name} of {self.table} holds no numbers", "name one with numbers")

    def here(self, plan: Plan) -> int | float:
        """Return the value of the plan.

        Raises
        ------
        InputError
            When the plan has no such quantity, or not the table.
        """
        value = self._quantity(plan) if self.quantity else self._of_table(plan)
        value = value if self.divisor == 1 else round(value / self.divisor, 6)
        return int(value) if isinstance(value, float) and value.is_integer() else value

    def _quantity(self, plan: Plan) -> int | float:
        if self.quantity not in plan.quantities:
            raise InputError(
                Problem("quantity", f"the plan has no quantity {self.quantity!r}", suggestion(self.quantity, plan.quantities))
            )
        return plan.quantities[self.quantity]["value"]

    def _of_table(self, plan: Plan) -> int | float:
        table = tables_of(plan).get(self.table)
        if table is None or table.data(plan) is None:
            raise InputError(Problem("table", f"the plan has no {self.table}", "run all stages of the study"))
        columns = {column.name: column for column in table.planned}
        needed = dict.fromkeys((*self.where, *filter(None, [self.sum or self.maximum])))
        if missing := [name for name in needed if name not in columns]:
            message = f"the table {self.table} of this plan has no column {missing[0]!r}"
            raise InputError(Problem("table", message, "name columns of plans with as many networks"))
        chosen = [columns[name] for name in needed] or table.planned[:1]
        rows = [dict(zip(needed, row, strict=False)) for row in table.rows(plan, chosen)]
        rows = [row for row in rows if all(_fits(row[name], each) for name, each in self.where.items())]
        if not self.sum and not self.maximum:
            return len(rows)
        values = [row[self.sum or self.maximum] or 0 for row in rows]
        return sum(values) if self.sum else max(values, default=0)


def _fits(cell: Any, wanted: str | int | tuple[str | int, ...]) -> bool:
    """Return whether a cell has a text, or one of several."""
    patterns = wanted if isinstance(wanted, tuple | list) else (wanted,)
    return any(fnmatchcase("" if cell is None else str(cell), str(pattern)) for pattern in patterns)


def examine(figure: tuple[Figure, ...] = ()) -> None:
    """Reject figures that no plan has.

    Raises
    ------
    InputError
        With all problems.
    """
    problems = (InputError(each.problems()).located(section=f"figure.{number}") for number, each in enumerate(figure))
    if found := [problem for error in problems for problem in error.problems]:
        raise InputError(found)


def write(plan: Plan, path: Path, *, figure: tuple[Figure, ...] = ()) -> None:
    """Write published figures next to those of the plan: what, source, published, here, note.

    Parameters
    ----------
    figure
        The figures: tables ``[[report.published.figure]]`` of the study.

    Raises
    ------
    InputError
        With every figure that the plan does not have.
    """
    rows = list(_rows(plan, figure))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = Writer(file)
        writer.writerow(HEADER)
        writer.writerows(rows)


def _rows(plan: Plan, figures: tuple[Figure, ...]) -> Iterator[tuple[Any, ...]]:
    problems: list[Problem] = []
    for number, each in enumerate(figures):
        try:
            yield each.figure, each.source, each.published, each.here(plan), each.note
        except InputError as error:
            problems += error.located(section=f"report.published.figure.{number}").problems
    if problems:
        raise InputError(problems)
