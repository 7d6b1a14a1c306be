"""Charts and table of the simulation."""

from __future__ import annotations

import numpy as np

from planner.model import Plan, SimulationResult
from planner.report._figures import SPACE, grouped, trimmed
from planner.report._pdf.axes import Axes, draw_title, up_to
from planner.report._pdf.blocks import Block, heading, paragraph, sheets, space
from planner.report._pdf.ink import ACCENT, INK, MUTED, PAPER, Pen
from planner.report._pdf.sheet import TEXT_WIDTH, Mark, Sheet
from planner.report._pdf.table import Column, table

_WIDTH = TEXT_WIDTH - 42


def simulation_sheets(plan: Plan) -> list[Sheet]:
    """Return the charts of delay and accepted load, and the figures of every point."""
    result = plan.simulation
    if result is None:
        return []
    text = (
        f"Traffic {result.traffic}, routing {result.routing}, packets of {result.packet_phits} phits, "
        f"{result.virtual_channels} virtual channels, {_span(result.cycles)} cycles measured after {_span(result.warmup)} "
        f"of warm-up, one cycle {trimmed(result.cycle_ps / 1000)}{SPACE}ns. Loads are in phits per cycle and endpoint: 1 is all "
        "that an endpoint can send. A point is saturated where the network accepted clearly less than was generated; its "
        "delay grows with the measured time and is no property of the network."
    )
    if not result.complete:
        text += " The simulation was interrupted: later loads are missing."
    blocks = [heading("Simulation", Mark("simulation", "Simulation")), paragraph(text)]
    if len(result.offered):
        blocks += [_delay(result), space(10), _accepted(result), space(14), *_points(result)]
    return sheets("Simulation", blocks)


def _delay(result: SimulationResult) -> Block:
    order = np.argsort(result.offered, kind="stable")
    curves = []
    for name, cycles, colour, dash in (
        ("mean", result.delay_mean, ACCENT, ()),
        ("99th percentile", result.delay_p99, INK, (3, 2)),
    ):
        points = [(result.offered[n], cycles[n] * result.cycle_ps / 1000) for n in order if np.isfinite(cycles[n])]
        hollow = [bool(result.saturated[n]) for n in order if np.isfinite(cycles[n])]
        curves.append((name, points, hollow, colour, dash))
    # Delays of saturated points would flatten all the others: the axis ends above the largest of the rest.
    steady = [y for _, points, hollow, _, _ in curves for (_, y), empty in zip(points, hollow, strict=True) if not empty]
    every = [y for _, points, _, _, _ in curves for _, y in points]
    highest = max(steady) * 1.5 if steady else max(every, default=1)
    limits = up_to(min(highest, max(every, default=1)))

    def draw(pen: Pen, x: float, top: float) -> None:
        draw_title(pen, x, top, "Delay by load", TEXT_WIDTH)
        _key(pen, x + TEXT_WIDTH, top - 10, [("mean", ACCENT, ()), ("99th percentile", INK, (3, 2))])
        axes = Axes(x + 42, top - 205, _WIDTH, 160, (0, _load_end(result)), limits)
        axes.draw(pen, "load offered (phits/cycle/endpoint)", "delay of packets (ns)")
        for _, points, hollow, colour, dash in curves:
            inside = [(point, empty) for point, empty in zip(points, hollow, strict=True) if point[1] <= limits[1]]
            axes.curve(pen, [point for point, _ in inside], [empty for _, empty in inside], colour, dash)
            for load, delay in points:
                if delay > limits[1]:
                    _beyond(pen, axes, load, delay, colour)

    return Block(235, draw)


def _beyond(pen: Pen, axes: Axes, load: float, delay: float, colour) -> None:
    """An arrow at the top of the axes for a point above them; the table has its figures."""
    x, y = axes.x(load), axes.bottom + axes.height
    pen.shape([(x - 3, y - 6), (x + 3, y - 6), (x, y)], PAPER, colour, 0.9)


def _accepted(result: SimulationResult) -> Block:
    order = np.argsort(result.offered, kind="stable")
    end = _load_end(result)
    points = [(float(result.offered[n]), float(result.accepted[n])) for n in order]
    hollow = [bool(result.saturated[n]) for n in order]

    def draw(pen: Pen, x: float, top: float) -> None:
        draw_title(pen, x, top, "Load accepted", TEXT_WIDTH)
        _key(pen, x + TEXT_WIDTH, top - 10, [("accepted", ACCENT, ()), ("offered", MUTED, (2, 2))])
        axes = Axes(x + 42, top - 205, _WIDTH, 160, (0, end), (0, end))
        axes.draw(pen, "load offered (phits/cycle/endpoint)", "load accepted (phits/cycle/endpoint)")
        pen.line([(axes.x(0), axes.y(0)), (axes.x(end), axes.y(end))], MUTED, 0.8, (2, 2))
        axes.curve(pen, points, hollow, ACCENT)

    return Block(235, draw)


def _load_end(result: SimulationResult) -> float:
    return up_to(float(max(result.offered.max(), result.accepted.max())))[1]


def _key(pen: Pen, right: float, y: float, lines: list) -> None:
    """Line styles, and what filled, hollow and arrow marks mean, in one line that ends at `right`."""
    x = right - 300
    for name, colour, dash in lines:
        pen.line([(x, y + 2.5), (x + 18, y + 2.5)], colour, 1.2, dash)
        pen.text(x + 22, y, name, 7)
        x += 88
    pen.dot(x + 4, y + 2.5, 2.4, PAPER, INK)
    pen.text(x + 10, y, "saturated (arrow: beyond the axis)", 7, width=right - x - 10)


def _points(result: SimulationResult) -> list[Block]:
    columns = [Column(title, "right") for title in (
        "offered", "generated", "accepted", "mean delay (ns)", "99th percentile (ns)", "largest (ns)", "mean hops", "fairness",
        "packets",
    )]  # fmt: skip
    columns.append(Column("state"))
    cycle_ns = result.cycle_ps / 1000
    rows = [
        (
            *(f"{loads[n]:.3f}" for loads in (result.offered, result.generated, result.accepted)),
            *(_nanoseconds(delays[n] * cycle_ns) for delays in (result.delay_mean, result.delay_p99, result.delay_max)),
            f"{result.mean_hops[n]:.3f}",
            f"{result.fairness[n]:.3f}",
            grouped(int(result.delivered[n])),
            _state(result, n),
        )
        for n in range(len(result.offered))
    ]
    return table(columns, rows, TEXT_WIDTH, 7)


def _nanoseconds(delay: float) -> str:
    return grouped(float(delay), 1) if np.isfinite(delay) else "–"


def _span(cycles: np.ndarray) -> str:
    """The cycles of all points, or the least and the most."""
    low, high = int(cycles.min(initial=cycles.max(initial=0))), int(cycles.max(initial=0))
    return grouped(low) if low == high else f"{grouped(low)} to {grouped(high)}"


def _state(result: SimulationResult, point: int) -> str:
    if result.deadlock[point] >= 0:
        return f"deadlock in cycle {grouped(int(result.deadlock[point]))}"
    return "saturated" if result.saturated[point] else "steady"
