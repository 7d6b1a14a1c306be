"""Task sheets for the crews: where a task runs, which ports it uses, and its cables to tick off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, zip_longest

import numpy as np

from planner.core.units import unit
from planner.domain.model import Plan
from planner.paper.blocks import Block, heading, paragraph, sheets, space, together
from planner.paper.canvas import ACCENT, PAPER, Pen
from planner.paper.code import draw_code
from planner.paper.elevations import small_elevation
from planner.paper.faces import LIT, draw_swatch
from planner.paper.fonts import BOLD, printable, wrapped
from planner.paper.labeling.labels import CODES, Codes
from planner.paper.route_map import RouteMaps
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import TICK, Column, Table
from planner.paper.task_faces import Item, TaskFaces
from planner.paper.work import clock
from planner.view.cabinets import Cabinet, cabinets
from planner.view.figures import grouped, trimmed
from planner.view.legs import TRUNK, Leg, Legs, Work
from planner.view.names import tray_names
from planner.view.stages import stage_texts
from planner.view.task_ends import task_ends

_SIZE = 6.0
_ROUTE = Column("route", "center")
_PICTURE, _LOWEST, _TALLEST = 150.0, 92.0, 170.0
"""Width of the map or elevation of a task, and its minimum and maximum height."""
_CODE, _GAP = 44.0, 10.0
_MEASURED = 60
"""Texts of a column of which the width is measured."""


def _columns() -> tuple[Column, ...]:
    return (
        Column("cable", "right"), Column("from"), Column("to"), Column("part"), Column(unit("stock").name or "length", "right"),
        Column("label A"), Column("label B"), Column("pulled", "center"), Column("A in", "center"), Column("B in", "center"),
        Column("tested", "center"), Column("initials"),
    )  # fmt: skip


def job_sheets(plan: Plan, works: Sequence[Work], title: str, codes: Codes = CODES) -> list[Sheet]:
    """Return the sheets of tasks, in the order of work; `codes` chooses the content of their QR codes."""
    work, tasks = plan.work, [each.task for each in works]
    minutes = int((work.end_s - work.start_s)[tasks].sum()) / 60
    counts = np.bincount(work.stage[tasks], minlength=len(work.stage_names)).tolist()
    listed = sorted(f"{text}: {grouped(n)}" for text, n in zip(stage_texts(plan), counts, strict=True) if n)
    text = (
        f"{grouped(len(tasks))} tasks, {grouped(minutes / 60, 1)} hours. Tasks of each stage, in the order of work: "
        f"{'; '.join(listed) or 'none'}. Tasks are in the order of work, cables in the order of pulling. End A is the one under "
        "from, end B the one under to; A in and B in: plugged in at this end. Left and right are as seen from the side "
        "named. A task that is printed in part lists only the chosen cables; its time is that of the whole task."
    )
    made = _Tasks(plan, works, codes)
    blocks = [heading(title, Mark("jobs", title)), paragraph(text), _key(), *made.blocks()]
    return sheets(title, blocks)


def touched(plan: Plan, cabinets: Sequence[Cabinet], works: Sequence[Work]) -> list[Cabinet]:
    """Return the cabinets in which these tasks have an end."""
    rows = sorted({row for work in works for row in work.rows})
    ends = set(np.unique(plan.cables.cabinet[rows]).tolist())
    ends |= {end for work in works for end in plan.work.cabinet[work.task].tolist()}
    return [cabinet for cabinet in cabinets if cabinet.number in ends]


def _key() -> Block:
    def draw(pen: Pen, x: float, top: float) -> None:
        x = draw_swatch(pen, x, top - 7, "port of the task, with its number; the number of a twin socket is outside of it", LIT)
        draw_swatch(pen, x, top - 7, "other port", PAPER)

    return Block(13, draw)


@dataclass(frozen=True)
class _Tasks:
    """The chosen tasks, with one table for all of them."""

    plan: Plan
    works: Sequence[Work]
    codes: Codes

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks of all tasks in the order of work."""
        for number, (work, legs) in enumerate(zip(self.works, self._legs, strict=True)):
            yield from (space(8),) if number else ()
            yield from self._task(work, legs)

    def _task(self, work: Work, legs: Sequence[Leg]) -> Iterator[Block]:
        title, counts = self._title(work.task, legs), self._counts(work)
        routes = self._routes(legs)
        next_to_map, rest = _split(self._faces.of(legs))
        yield _bar(title, counts)
        yield from self._route_lines(routes)
        yield self._picture(work, legs, next_to_map)
        yield from _pairs(rest)
        header = self._table.header()
        again = _bar(f"{title}, continued", counts)
        letter = {id(leg): name for name, own in routes.items() for leg in own} if len(routes) > 1 else {}
        cells = [self._cells(leg, letter.get(id(leg), "")) for leg in legs]
        yield from (header, *together([self._table.row(row, (again, header)) for row in cells]))

    # -- rows ----------------------------------------------------------------------------------

    @cached_property
    def _legs(self) -> list[list[Leg]]:
        made = Legs(self.plan)
        return [made.of(work) for work in self.works]

    @cached_property
    def _several_routes(self) -> bool:
        """Whether cables of one task run along different routes."""
        return any(len(self._routes(legs)) > 1 for legs in self._legs)

    @cached_property
    def _table(self) -> Table:
        columns = (_ROUTE, *_columns()) if self._several_routes else _columns()
        rows = [self._cells(leg, "") for legs in self._legs for leg in legs]
        return Table.of(columns, _longest(rows), TEXT_WIDTH, _SIZE)

    def _cells(self, leg: Leg, letter: str) -> tuple[str, ...]:
        ticks = ("" if leg.sockets and not leg.part else TICK, *[TICK if leg.plugs or leg.sockets else ""] * 2, TICK, "")
        cells = (leg.number, _unbroken(leg.a), _unbroken(leg.b), leg.part, leg.length_m, leg.label_a, leg.label_b, *ticks)
        return (letter, *cells) if self._several_routes else cells

    # -- head ----------------------------------------------------------------------------------

    def _title(self, task: int, legs: Sequence[Leg]) -> str:
        one, other = self._ends[task]
        where = f"inside {one}" if other == "inside" else f"{one} to {other}"
        if len({name for leg in legs for name in leg.run.names}) > 2:
            where += " and others"
        what = ("", "trunk ", "jumpers ")[int(self.plan.work.kind[task])]
        return f"Task {grouped(task + 1)}: {what}{where}"

    def _counts(self, chosen: Work) -> str:
        work, task = self.plan.work, chosen.task
        kind = int(work.kind[task])
        bundle = f"bundle {grouped(int(work.bundle[task]) + 1)}, " if work.bundle[task] >= 0 else ""
        minutes = trimmed(int(work.end_s[task] - work.start_s[task]) / 60, 0)
        begins = clock(int(work.start_s[task]), work.shift_s)
        pieces = (
            "1 trunk"
            if kind == TRUNK
            else _counted(len(chosen.jumpers), "jumper")
            if kind
            else _counted(len(chosen.rows), "cable")
        )
        return f"stage {self._stages[work.stage[task]]}, {bundle}{pieces}, crew {work.crew[task] + 1}, {begins}, {minutes} min"

    def _routes(self, legs: Sequence[Leg]) -> dict[str, list[Leg]]:
        """Return the legs of each route, by its letter; none inside a cabinet. A route is that of its first leg."""
        found: dict[tuple, list[Leg]] = {}
        for leg in legs:
            if leg.run.route >= 0:
                segments = self._segments[leg.run.route]
                there, back = (*leg.run.slots, segments), (*leg.run.slots[::-1], segments[::-1])
                found.setdefault(back if back in found else there, []).append(leg)
        return {_letter(number): own for number, own in enumerate(found.values())}

    @cached_property
    def _segments(self) -> list[tuple[int, ...]]:
        """Return the tray segments of each route."""
        cables = self.plan.cables
        segments = cables.route_segments.tolist()
        return [tuple(segments[a:b]) for a, b in pairwise(cables.route_indptr.tolist())]

    def _route_lines(self, routes: dict[str, list[Leg]]) -> Iterator[Block]:
        """Yield the trays of each route, from end to end."""
        for letter, legs in routes.items():
            run = legs[0].run
            one, other = run.names
            text = " → ".join([one, *self._trays[run.route], other])
            head = f"Route {letter} ({_counted(len(legs), 'cable')}): " if len(routes) > 1 else "Route: "
            back = sum(leg.run.slots != run.slots for leg in legs)
            yield _line(head + text + (f"; {back} of the cables from {other} to {one}" if back else ""))

    def _picture(self, work: Work, legs: Sequence[Leg], items: Sequence[Item]) -> Block:
        """Return the map of the routes, or the elevation of the only cabinet, with faceplates and the code of the task."""
        height = min(max(_LOWEST, sum(item.height for item in items)), _TALLEST)
        runs = [leg.run for leg in legs if leg.run.route >= 0]
        cabinet = max(self.plan.work.cabinet[work.task].tolist())
        content = self.codes.task(self.plan, work.task + 1)

        def draw(pen: Pen, x: float, top: float) -> None:
            if runs:
                self._maps.draw(pen, runs, x, top - height, _PICTURE, height)
            else:
                boxes = {int(self.plan.placement.box[plug.device]) for leg in legs for plug in leg.plugs}
                lit = {int(self.plan.placement.first_of_box[box]) for box in boxes}
                small_elevation(pen, self._cabinets[cabinet], lit, x, top - height, _PICTURE, height)
            draw_code(pen, content, x + TEXT_WIDTH - _CODE, top - _CODE, _CODE, "task")
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
    def _ends(self) -> list[tuple[str, str]]:
        return task_ends(self.plan)

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

        def draw(pen: Pen, x: float, top: float, own: Sequence[Item] = own) -> None:
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


def _unbroken(end: str) -> str:
    """Return an end that breaks only between location and device, where both are short."""
    return ", ".join(text.replace(" ", "\u00a0") if len(text) < 20 else text for text in end.split(", "))


def _counted(count: int, what: str) -> str:
    return f"{grouped(count)} {what}{'s' if count != 1 else ''}"


def _longest(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return rows with the longest texts of every column, from which widths are chosen: not all need to be measured."""
    columns = (sorted(set(column), key=lambda text: -len(text))[:_MEASURED] for column in zip(*rows, strict=True))
    return list(zip_longest(*columns, fillvalue=""))


def _letter(number: int) -> str:
    """Return a letter for a route: a … z, then a number.

    >>> _letter(0), _letter(25), _letter(26)
    ('a', 'z', '27')
    """
    return chr(97 + number) if number < 26 else str(number + 1)
