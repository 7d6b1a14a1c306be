"""Task sheets for the crews: where a task runs, which ports it uses, and its cables to tick off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from planner.errors import InputError, Problem
from planner.model import Plan
from planner.report._cabinets import Cabinet, cabinets
from planner.report._figures import grouped, trimmed
from planner.report._label_text import dark_runs, qr_modules, qr_version
from planner.report._labels import Codes
from planner.report._legs import Legs
from planner.report._names import cabinet_names, tray_names
from planner.report._pdf.blocks import Block, heading, paragraph, sheets, space, together
from planner.report._pdf.canvas import ACCENT, DARK, MUTED, PAPER, Pen
from planner.report._pdf.elevations import small_elevation
from planner.report._pdf.faces import LIT, draw_swatch
from planner.report._pdf.fonts import BOLD, MIN_PT, printable, wrapped
from planner.report._pdf.route_map import RouteMaps
from planner.report._pdf.schedule import pulling_rank
from planner.report._pdf.sheet import TEXT_WIDTH, Mark, Sheet
from planner.report._pdf.table import TICK, Column, Table
from planner.report._pdf.task_faces import Item, TaskFaces
from planner.report._pdf.work import clock
from planner.report._stages import stage_texts

_SIZE = 6.0
_COLUMNS = (
    Column("cable", "right"), Column("from"), Column("to"), Column("part"), Column("m", "right"), Column("label A"),
    Column("label B"), Column("pulled", "center"), Column("A in", "center"), Column("B in", "center"), Column("tested", "center"),
    Column("initials"),
)  # fmt: skip
_ROUTE = Column("route", "center")
_PICTURE, _LOWEST, _TALLEST = 150.0, 92.0, 170.0
"""Width of the map or elevation of a task, and its minimum and maximum height."""
_CODE, _GAP = 44.0, 10.0


def job_sheets(plan: Plan, cables: np.ndarray, title: str, codes: Codes | None = None) -> list[Sheet]:
    """Return the sheets of the tasks that install these cables, int64 (N,), in the order of work.

    Raises
    ------
    InputError
        When there is no work order.
    """
    work = plan.work
    if work is None:
        raise InputError(Problem("stage", "the plan has no work order", "run the study to the end"))
    tasks = np.unique(work.task[cables])
    minutes = int((work.end_s - work.start_s)[tasks].sum()) / 60
    counts = np.bincount(plan.cables.stage[cables], minlength=len(plan.cables.stage_names)).tolist()
    listed = sorted(f"{text}: {grouped(n)}" for text, n in zip(stage_texts(plan), counts, strict=True) if n)
    text = (
        f"{grouped(len(tasks))} tasks, {grouped(len(cables))} cables, {grouped(minutes / 60, 1)} hours. Stages in the order of "
        f"work: {'; '.join(listed) or 'none'}. Tasks are in the order of work, cables in the order of pulling. "
        "End A is the one under from, end B the one under to; A in and B in: plugged in at this end. A task that is printed in "
        "part lists only the chosen cables; its time is that of the whole task."
    )
    if plan.cables.carried[cables].any():
        text += " Two lengths are those of the jumpers at both ends of a cable over patch panels."
    made = _Tasks(plan, cables, codes or Codes("cable", None))
    blocks = [heading(title, Mark("jobs", title)), paragraph(text), _key(), *made.blocks()]
    return sheets(title, blocks)


def touched(plan: Plan, cabinets: Sequence[Cabinet], cables: np.ndarray) -> list[Cabinet]:
    """Return the cabinets in which these cables have an end."""
    ends = set(np.unique(plan.cables.cabinet[cables]).tolist())
    return [cabinet for cabinet in cabinets if cabinet.number in ends]


def _key() -> Block:
    def draw(pen: Pen, x: float, top: float) -> None:
        x = draw_swatch(pen, x, top - 7, "port of the task, with its number; the number of a twin socket is outside of it", LIT)
        draw_swatch(pen, x, top - 7, "other port", PAPER)

    return Block(13, draw)


@dataclass(frozen=True)
class _Tasks:
    """The chosen cables by task, with one table for all tasks."""

    plan: Plan
    cables: np.ndarray
    codes: Codes

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks of all tasks in the order of work."""
        order = self.cables[np.lexsort((pulling_rank(self.plan)[self.cables], self.plan.work.task[self.cables]))]
        tasks, starts = np.unique(self.plan.work.task[order], return_index=True)
        for number, (task, own) in enumerate(zip(tasks.tolist(), np.split(order, starts[1:]), strict=True)):
            yield from (space(8),) if number else ()
            yield from self._task(task, own)

    def _task(self, task: int, own: np.ndarray) -> Iterator[Block]:
        title, counts = self._title(task, own), self._counts(task, len(own))
        routes = self._routes(own)
        items = self._faces.of(own)
        yield _bar(title, counts)
        yield from self._route_lines(routes)
        at_map, rest = _split(items)
        yield self._picture(task, own, at_map)
        yield from _pairs(rest)
        header = self._table.header()
        again = _bar(f"{title}, continued", counts)
        letter = {row: name for name, rows in routes.items() for row in rows} if len(routes) > 1 else {}
        rows = [self._cells(row, letter) for row in own.tolist()]
        yield from (header, *together([self._table.row(row, (again, header)) for row in rows]))

    # -- rows ----------------------------------------------------------------------------------

    @cached_property
    def _legs(self) -> Legs:
        return Legs(self.plan)

    @cached_property
    def _several_routes(self) -> bool:
        """Whether cables of one task run along different routes."""
        order = self.cables[np.argsort(self.plan.work.task[self.cables], kind="stable")]
        _, starts = np.unique(self.plan.work.task[order], return_index=True)
        return any(len(self._routes(own)) > 1 for own in np.split(order, starts[1:]))

    @cached_property
    def _segments(self) -> list[tuple[int, ...]]:
        """Return the tray segments of each route."""
        cables = self.plan.cables
        segments = cables.route_segments.tolist()
        return [tuple(segments[a:b]) for a, b in pairwise(cables.route_indptr.tolist())]

    @cached_property
    def _rows(self) -> dict[int, tuple[str, ...]]:
        ticks = (*[TICK] * 4, "")
        return {
            leg.row: (leg.number, _unbroken(leg.a), _unbroken(leg.b), leg.part, leg.length_m, leg.label_a, leg.label_b, *ticks)
            for leg in self._legs.of(self.cables)
        }

    @cached_property
    def _table(self) -> Table:
        columns = (_ROUTE, *_COLUMNS) if self._several_routes else _COLUMNS
        rows = (self._cells(row, {}) for row in self.cables.tolist())
        return Table.of(columns, rows, TEXT_WIDTH, _SIZE)

    def _cells(self, row: int, letter: dict[int, str]) -> tuple[str, ...]:
        return (letter.get(row, ""), *self._rows[row]) if self._several_routes else self._rows[row]

    # -- head ----------------------------------------------------------------------------------

    def _title(self, task: int, own: np.ndarray) -> str:
        one, other = self.plan.work.cabinet[task].tolist()
        names = self._cabinet_names
        where = f"inside {names[one]}" if one == other else f"{names[one]} to {names[other]}"
        if len(np.unique(self.plan.cables.cabinet[own])) > 2:
            where += " and others"
        return f"Task {grouped(task + 1)}: {where}"

    def _counts(self, task: int, cables: int) -> str:
        work = self.plan.work
        bundle = f"bundle {grouped(int(work.bundle[task]) + 1)}, " if work.bundle[task] >= 0 else ""
        minutes = trimmed(int(work.end_s[task] - work.start_s[task]) / 60, 0)
        begins = clock(int(work.start_s[task]), work.shift_s)
        pieces = f"{grouped(cables)} cable{'s' if cables != 1 else ''}"
        return f"stage {self._stages[work.stage[task]]}, {bundle}{pieces}, crew {work.crew[task] + 1}, {begins}, {minutes} min"

    def _routes(self, own: np.ndarray) -> dict[str, list[int]]:
        """Return the cables of each route, by its letter; none inside a cabinet. A route is that of its first cable."""
        found: dict[tuple, list[int]] = {}
        cables = self.plan.cables
        ends, routes = cables.cabinet[own].tolist(), cables.route[own].tolist()
        for row, (a, b), route in zip(own.tolist(), ends, routes, strict=True):
            if route >= 0:
                segments = self._segments[route]
                there, back = (a, b, segments), (b, a, segments[::-1])
                found.setdefault(back if back in found else there, []).append(row)
        return {_letter(number): rows for number, rows in enumerate(found.values())}

    def _route_lines(self, routes: dict[str, list[int]]) -> Iterator[Block]:
        """Yield the trays of each route, from cabinet to cabinet."""
        cables, names = self.plan.cables, self._cabinet_names
        for letter, rows in routes.items():
            one, other = cables.cabinet[rows[0]].tolist()
            text = " → ".join([names[one], *self._trays[cables.route[rows[0]]], names[other]])
            head = f"Route {letter} ({len(rows)} cables): " if len(routes) > 1 else "Route: "
            back = int((cables.cabinet[rows, 0] != one).sum())
            yield _line(head + text + (f"; {back} of the cables from {names[other]} to {names[one]}" if back else ""))

    def _picture(self, task: int, own: np.ndarray, items: Sequence[Item]) -> Block:
        """Return the map of the routes, or the elevation of the only cabinet, with faceplates and the code of the task."""
        height = min(max(_LOWEST, sum(item.height for item in items)), _TALLEST)
        one, other = self.plan.work.cabinet[task].tolist()
        content = self.codes.task(self.plan, task + 1)

        def draw(pen: Pen, x: float, top: float) -> None:
            if one == other:
                boxes = set(self.plan.placement.box[self.plan.cables.device[own]].ravel().tolist())
                lit = {int(self.plan.placement.first_of_box[box]) for box in boxes}
                small_elevation(pen, self._cabinets[one], lit, x, top - height, _PICTURE, height)
            else:
                self._maps.draw(pen, own.tolist(), x, top - height, _PICTURE, height)
            _draw_code(pen, content, x + TEXT_WIDTH - _CODE, top - _CODE)
            y = top
            for item in items:
                item.draw(pen, x + _PICTURE + _GAP, y, _AT_MAP)
                y -= item.height

        return Block(height + 6, draw, keep=True)

    @cached_property
    def _faces(self) -> TaskFaces:
        return TaskFaces(self.plan)

    @cached_property
    def _maps(self) -> RouteMaps:
        return RouteMaps(self.plan)

    @cached_property
    def _cabinets(self) -> dict[int, Cabinet]:
        return {cabinet.number: cabinet for cabinet in cabinets(self.plan)}

    @cached_property
    def _cabinet_names(self) -> list[str]:
        return cabinet_names(self.plan)

    @cached_property
    def _trays(self) -> list[list[str]]:
        return tray_names(self.plan)

    @cached_property
    def _stages(self) -> list[str]:
        return stage_texts(self.plan)


_AT_MAP = TEXT_WIDTH - _PICTURE - 2 * _GAP - _CODE
"""Width of a faceplate at the right of the map."""


def _split(items: Sequence[Item]) -> tuple[list[Item], list[Item]]:
    """Return the faceplates next to the map, and those below it."""
    height = 0.0
    for number, item in enumerate(items):
        height += item.height
        if height > _TALLEST:
            return list(items[:number]), list(items[number:])
    return list(items), []


def _pairs(items: Sequence[Item]) -> Iterator[Block]:
    """Yield faceplates two by two."""
    width = (TEXT_WIDTH - _GAP) / 2
    for start in range(0, len(items), 2):
        own = items[start : start + 2]

        def draw(pen: Pen, x: float, top: float, own=own) -> None:
            for place, item in enumerate(own):
                item.draw(pen, x + place * (width + _GAP), top, width)

        yield Block(max(item.height for item in own), draw, keep=start + 2 >= len(items))


def _line(text: str) -> Block:
    lines = wrapped(printable(text), TEXT_WIDTH, 7)

    def draw(pen: Pen, x: float, top: float) -> None:
        for number, line in enumerate(lines):
            pen.text(x, top - 8 - number * 9, line, 7)

    return Block(9 * len(lines) + 3, draw, keep=True)


def _bar(title: str, counts: str) -> Block:
    height = 15.0

    def draw(pen: Pen, x: float, top: float) -> None:
        pen.box(x, top - height + 1, TEXT_WIDTH, height - 1, ACCENT)
        pen.text(x + 5, top - 10.5, title, 8.5, font=BOLD, color=PAPER, width=TEXT_WIDTH * 0.4)
        pen.text(x + TEXT_WIDTH - 5, top - 10.5, counts, 7, color=PAPER, align="right", width=TEXT_WIDTH * 0.57)

    return Block(height + 2, draw, keep=True)


def _draw_code(pen: Pen, content: str, x: float, y: float) -> None:
    version = qr_version(content)
    if not version:
        return
    module = _CODE / (17 + 4 * version + 4)
    across = 17 + 4 * version
    pen.rectangles(
        [
            (x + (2 + column) * module, y + (2 + across - 1 - row) * module, length * module, module)
            for row, column, length in dark_runs(qr_modules(content, version))
        ],
        DARK,
    )
    pen.text(x + _CODE / 2, y - 3.5, content if len(content) < 12 else "task", MIN_PT, color=MUTED, align="center", width=_CODE)


def _unbroken(end: str) -> str:
    """Return an end that breaks only between location and device, where both are short."""
    return ", ".join(text.replace(" ", "\u00a0") if len(text) < 20 else text for text in end.split(", "))


def _letter(number: int) -> str:
    """Return a letter for a route: a … z, then a number.

    >>> _letter(0), _letter(25), _letter(26)
    ('a', 'z', '27')
    """
    return chr(97 + number) if number < 26 else str(number + 1)
