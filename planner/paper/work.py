"""The work order: crews over the days, and the tasks of each crew to tick off."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.core.units import amount, stock_named
from planner.core.units import heading as with_unit
from planner.domain.model import ACTIVITIES, TASK_KINDS, Plan, WorkOrder
from planner.paper.axes import Axes, draw_legend, draw_title, round_step
from planner.paper.blocks import Block, heading, paragraph, sheets, space, together
from planner.paper.canvas import ACCENT, ACCENT_LIGHT, DARK, FAINT, PAPER, RULE, Pen
from planner.paper.fonts import BOLD, width_of
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import TICK, Column, Table, table
from planner.view.figures import grouped
from planner.view.stages import stage_texts, stages_in_order
from planner.view.task_ends import task_ends

_SIZE = 6.5
_STYLES = ((PAPER, ""), (PAPER, "diagonal"), (ACCENT_LIGHT, "level"), (ACCENT, ""), (FAINT, "diagonal"))
"""Fill and hatch of the install stages from the cabinet outwards, then patching; hatching distinguishes them without color."""
_CREWS_IN_CHART = 30


def work_sheets(plan: Plan) -> list[Sheet]:
    """Return the work order: totals, Gantt chart of the crews, and the tasks by stage and crew."""
    if plan.work is None or not plan.work.task_count:
        return []
    work = plan.work
    blocks: list[Block] = [heading("Work order", Mark("work", "Work order")), paragraph(_rules(plan))]
    blocks += [*_figures(plan), space(12), *_stages(plan), space(12)]
    for first in range(0, work.crews, _CREWS_IN_CHART):
        blocks += [_chart(plan, first, min(first + _CREWS_IN_CHART, work.crews)), space(8)]
    return sheets("Work order", [*blocks, *_tasks(plan)])


def _rules(plan: Plan) -> str:
    over = ", one trunk between panel frames, or the jumpers from one cabinet to one frame" if plan.work.kind.any() else ""
    stages = ", ".join(stage_texts(plan)[stage] for stage in _executed(plan))
    return (
        f"A task is one bundle, or all cables inside one cabinet{over}. Stages in this order: "
        f"{stages}. Where two bundles of a stage share a tray, install the one with the longer route first: it then runs at the "
        "bottom and no cable crosses it. No other crew works in these trays at the same time, and no other crew in a cabinet "
        "while it is cabled. At each cabinet begin at the endpoints and work toward the routers. Each crew takes its tasks in "
        "the order of this list; where it must wait for a tray or a cabinet, the start time of the next task includes the wait. "
        "For a bundle between several cabinets, the two listed are those of its lowest-numbered cable."
    )


def _executed(plan: Plan) -> list[int]:
    """Return the stages with tasks, in the order of work."""
    return [stage for stage in stages_in_order(plan) if (plan.work.stage == stage).any()]


def _hours(seconds: int) -> str:
    return grouped(seconds / 3600, 1)


def _figures(plan: Plan) -> list[Block]:
    work = plan.work
    crew_s = int((work.end_s - work.start_s).sum())
    waiting = 1 - crew_s / max(work.crews * work.makespan_s, 1)
    rows = [
        ("crews", f"{grouped(work.crews)}, each of {grouped(work.workers)} installers"),
        ("working time of all installers", f"{_hours(work.total_s())} hours"),
        ("working time until the last crew is done", f"{_hours(work.makespan_s)} hours"),
        (f"days of {_hours(work.shift_s)} hours", grouped(work.shifts)),
        ("waiting time of crews, share of their time", f"{100 * waiting:.1f} %"),
    ]
    labor = plan.catalog.labor if plan.catalog is not None else None
    if labor is not None:
        sure = "D, estimates" if any(name.endswith("_s") for name in labor.estimates) else labor.confidence
        rows.append((f"confidence of the times per cable, bundle and label ({labor.id})", sure))
    return table((Column("figure"), Column("value", "right")), rows, TEXT_WIDTH, 8)


def _stages(plan: Plan) -> list[Block]:
    """Return the person-hours by stage and activity."""
    work, names = plan.work, stage_texts(plan)
    columns = (
        Column("stage"), Column("tasks", "right"), Column("cables", "right"), Column(with_unit("cable", "mm"), "right"),
        *(Column(f"{name} (h)", "right") for name in ACTIVITIES), Column("person-hours", "right"),
    )  # fmt: skip
    rows = [_sums(work, names[stage], work.stage == stage) for stage in _executed(plan)]
    total = _sums(work, "Total", np.ones(work.task_count, bool))
    own = Table.of(columns, rows, TEXT_WIDTH, 7, totals=[total])
    return [*own.blocks(rows), own.row(total, strong=True)]


def _sums(work: WorkOrder, name: str, of: np.ndarray) -> tuple[str, ...]:
    person_s = work.person_s[of].sum(axis=0).tolist()
    counts = (grouped(int(of.sum())), grouped(int(work.pieces[of].sum())), amount(int(work.run_mm[of].sum()), "mm", 0))
    return (name, *counts, *map(_hours, person_s), _hours(sum(person_s)))


# -- crews over the days ----------------------------------------------------------------------


def _chart(plan: Plan, first: int, end: int) -> Block:
    """Return a Gantt chart: a line for each crew, a bar for uninterrupted work in one stage."""
    work, names = plan.work, stage_texts(plan)
    row = 13.0
    height = row * (end - first)
    span_h = max(work.makespan_s, 1) / 3600
    shift_h = work.shift_s / 3600
    bars = [(crew, *bar) for crew in range(first, end) for bar in _bars(work, crew)]

    def draw(pen: Pen, x: float, top: float) -> None:
        draw_title(pen, x, top, "Crews over the days", TEXT_WIDTH)
        draw_legend(pen, x + TEXT_WIDTH, top - 10, [(names[stage], *_STYLES[stage]) for stage in _executed(plan)])
        axes = Axes(x + 44, top - 26 - height, TEXT_WIDTH - 44, height, (0, span_h), (0, end - first))
        # Label days at an interval that leaves room for their numbers.
        step = max(1, round(round_step(work.shifts, 20)))
        for day in range(0, work.shifts, step):
            at = axes.x(day * shift_h)
            pen.line([(at, axes.bottom - 3), (at, axes.bottom + height)], RULE, 0.5)
            name = f"day {day + 1}"
            if at + 2 + width_of(name, 6) <= x + TEXT_WIDTH:
                pen.text(at + 2, axes.bottom - 9, name, 6)
        for crew in range(first, end):
            y = axes.bottom + (end - 1 - crew) * row
            pen.text(x, y + 4, f"crew {crew + 1}", 7, width=42)
            pen.line([(axes.left, y), (axes.left + axes.width, y)], FAINT, 0.4)
        for crew, stage, start, stop in bars:
            y = axes.bottom + (end - 1 - crew) * row + 2
            fill, hatch = _STYLES[stage]
            left, right = axes.x(start / 3600), axes.x(stop / 3600)
            pen.box(left, y, max(right - left, 0.4), row - 4, fill, DARK, weight=0.4, hatch=hatch)
        pen.line([(axes.left, axes.bottom), (axes.left + axes.width, axes.bottom)], DARK, 0.8)

    return Block(height + 42, draw)


def _bars(work: WorkOrder, crew: int) -> Iterator[tuple[int, int, int]]:
    """Return stage, begin and end of each stretch of work without a visible pause."""
    own = np.flatnonzero(work.crew == crew)
    own = own[np.argsort(work.start_s[own], kind="stable")]
    seen = work.makespan_s / 400
    bar: tuple[int, int, int] | None = None
    for stage, start, end in zip(work.stage[own].tolist(), work.start_s[own].tolist(), work.end_s[own].tolist(), strict=True):
        if bar is not None and bar[0] == stage and start - bar[2] <= seen:
            bar = (stage, bar[1], end)
        else:
            if bar is not None:
                yield bar
            bar = (stage, start, end)
    if bar is not None:
        yield bar


# -- tasks ------------------------------------------------------------------------------------


def _tasks(plan: Plan) -> Iterator[Block]:
    work = plan.work
    rows, names = _rows(plan), stage_texts(plan)
    own = Table.of(_columns(), rows, TEXT_WIDTH, _SIZE)
    header = own.header()
    for stage in _executed(plan):
        name = f"Stage {names[stage]}"
        yield from (space(8), heading(name, Mark(f"work-{stage}", name, 1), 11))
        yield header
        for crew in range(work.crews):
            chosen = np.flatnonzero((work.stage == stage) & (work.crew == crew))
            if not len(chosen):
                continue
            hours = _hours(int((work.end_s - work.start_s)[chosen].sum()))
            counts = f"{grouped(len(chosen))} tasks, {grouped(int(work.pieces[chosen].sum()))} cables, {hours} hours"
            title = f"{name}: crew {crew + 1}"
            again = _bar(own, f"{title}, continued", counts)
            lines = [own.row(rows[task], (header, again)) for task in chosen.tolist()]
            yield from (_bar(own, title, counts, (header,)), *together(lines))


def _columns() -> tuple[Column, ...]:
    return (
        Column("task", "right"), Column("from"), Column("to"), Column("bundle"), Column("cables", "right"),
        Column(with_unit("route on trays", "mm"), "right"), Column(with_unit("cable", "mm"), "right"),
        Column("minutes", "right"), Column("begins", "right"), Column("done", "center"),
    )  # fmt: skip


def _rows(plan: Plan) -> list[tuple[str, ...]]:
    """Return the cells of every task."""
    work = plan.work
    ends = task_ends(plan)
    columns = (
        [grouped(number) for number in range(1, work.task_count + 1)],
        [one for one, _ in ends],
        [other for _, other in ends],
        _bundles(plan),
        [grouped(count) for count in work.pieces.tolist()],
        [amount(length, "mm", 1) if length else "" for length in work.tray_mm.tolist()],
        [amount(run, "mm", 1) for run in work.run_mm.tolist()],
        [grouped(seconds / 60, 0) for seconds in (work.end_s - work.start_s).tolist()],
        [clock(start, work.shift_s) for start in work.start_s.tolist()],
        [TICK] * work.task_count,
    )
    return list(zip(*columns, strict=True))


def _bundles(plan: Plan) -> list[str]:
    """Return the bundle of each task; of a trunk its name and stock length."""
    work, bundles = plan.work, [grouped(bundle + 1) if bundle >= 0 else "" for bundle in plan.work.bundle.tolist()]
    if plan.panels is not None:
        names = dict(zip(plan.panels.trunk_bundle.tolist(), plan.panels.trunk_names.tolist(), strict=True))
        for task in np.flatnonzero(work.kind == TASK_KINDS.index("trunk")).tolist():
            bundle = int(work.bundle[task])
            bundles[task] = f"{names[bundle]}, {stock_named(int(plan.cables.bundle_stock_mm[bundle]), ' ')}"
    return bundles


def clock(start_s: int, shift_s: int) -> str:
    """Return the day and the working hours since its beginning.

    >>> clock(8 * 3600 + 5 * 60, 8 * 3600)
    'day 2, 0:05'
    """
    day, rest = divmod(start_s, shift_s)
    return f"day {day + 1}, {rest // 3600}:{rest % 3600 // 60:02d}"


def _bar(own: Table, title: str, counts: str, above: tuple[Block, ...] = ()) -> Block:
    """Return the heading of one crew's tasks."""
    height = 15.0

    def draw(pen: Pen, x: float, top: float) -> None:
        pen.box(x, top - height + 1, own.width, height - 1, ACCENT)
        pen.text(x + 5, top - 10.5, title, 8, font=BOLD, color=PAPER, width=own.width * 0.5)
        pen.text(x + own.width - 5, top - 10.5, counts, 7, color=PAPER, align="right", width=own.width * 0.45)

    return Block(height, draw, True, above)
