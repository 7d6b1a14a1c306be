"""Charts and tables of the simulation and of the workload."""

from __future__ import annotations

import numpy as np
from reportlab.lib.colors import Color

from planner.domain.model import Plan, SimulationResult, Workload
from planner.paper.axes import Axes, draw_title, up_to
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.canvas import ACCENT, DARK, MUTED, PAPER, Pen
from planner.paper.link_load import link_load_blocks
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import Column, table
from planner.view.figures import SPACE, grouped, trimmed
from planner.view.names import network_title

_WIDTH = TEXT_WIDTH - 42


def simulation_sheets(plan: Plan) -> list[Sheet]:
    """Return the charts of delay and accepted load, a table of every point, the busiest links, and the jobs."""
    blocks: list[Block] = []
    result = plan.simulation
    if result is not None:
        one = plan.of_section("simulation")
        title = network_title(one, "Simulation")
        blocks += [heading(title, Mark("simulation", title)), paragraph(_introduction(result))]
        if len(result.offered):
            blocks += [_delay(result), space(10), _accepted(result), space(14), *_loads(result), space(10), *_delays(result)]
            blocks += link_load_blocks(one)
    if plan.workload is not None:
        title = network_title(plan.of_section("workload"), "Workload")
        mark = Mark("workload", title, 1 if result is not None else 0)
        blocks += [space(14), heading(title, mark, size=11 if result is not None else 15), *_jobs(plan.workload)]
    return sheets("Simulation", blocks)


def _introduction(result: SimulationResult) -> str:
    text = (
        f"Traffic {result.traffic}, routing {result.routing}, packets of {result.packet_phits} phits, "
        f"{result.virtual_channels} virtual channels, {_span(result.cycles)} cycles measured after {_span(result.warmup)} "
        f"of warm-up, one cycle {trimmed(result.cycle_ps / 1000)}{SPACE}ns. Loads are in phits per cycle and endpoint: 1 is the "
        "injection bandwidth. At a saturated point the accepted load is clearly below the generated load; its "
        "delay grows with the measured time and is no property of the network. Whiskers and ± are 95 % confidence intervals."
    )
    if result.load_bound is not None:
        text += f" Upper bound of the accepted load: {result.load_bound:.3f} (every link saturated, minimal paths)."
    if result.saturation_throughput is not None:
        text += (
            f" The saturation point is between offered loads {result.saturation_low:.3f} and {result.saturation_high:.3f}; the "
            f"saturation throughput is {result.saturation_throughput:.3f}."
            if result.saturates
            else " The network does not saturate up to the injection bandwidth."
        )
    if result.checked_pairs:
        every = result.checked_pairs == result.router_pairs
        pairs = "all pairs" if every else f"{grouped(result.checked_pairs)} of {grouped(result.router_pairs)} pairs"
        text += f" The channel dependency graph is acyclic for {pairs} of routers."
    if result.dropped.any():
        text += f" Faults dropped up to {grouped(int(result.dropped.max()))} packets per point."
    if not result.complete:
        text += " The simulation was interrupted: later loads are missing."
    return text


def _delay(result: SimulationResult) -> Block:
    order, unit = np.argsort(result.offered, kind="stable"), result.cycle_ps / 1000
    curves = []
    for name, cycles, color, dash in (
        ("mean", result.delay_mean, ACCENT, ()),
        ("99th percentile", result.delay_p99, DARK, (3, 2)),
    ):
        points = [(result.offered[n], cycles[n] * unit) for n in order if np.isfinite(cycles[n])]
        hollow = [bool(result.saturated[n]) for n in order if np.isfinite(cycles[n])]
        curves.append((name, points, hollow, color, dash))
    # Delays of saturated points would flatten the curve: the axis ends above the largest of the other points.
    steady = [y for _, points, hollow, _, _ in curves for (_, y), empty in zip(points, hollow, strict=True) if not empty]
    every = [y for _, points, _, _, _ in curves for _, y in points]
    highest = max(steady) * 1.5 if steady else max(every, default=1)
    limits = up_to(min(highest, max(every, default=1)))

    def draw(pen: Pen, x: float, top: float) -> None:
        draw_title(pen, x, top, "Packet delay by offered load", TEXT_WIDTH)
        _key(pen, x + TEXT_WIDTH, top - 10, [("mean", ACCENT, ()), ("99th percentile", DARK, (3, 2))])
        axes = Axes(x + 42, top - 205, _WIDTH, 160, (0, _load_end(result)), limits)
        axes.draw(pen, "offered load (phits/cycle/endpoint)", "packet delay (ns)")
        for _, points, hollow, color, dash in curves:
            inside = [(point, empty) for point, empty in zip(points, hollow, strict=True) if point[1] <= limits[1]]
            axes.curve(pen, [point for point, _ in inside], [empty for _, empty in inside], color, dash)
            for load, delay in points:
                if delay > limits[1]:
                    _beyond(pen, axes, load, delay, color)
        for n in order:
            _whisker(pen, axes, result.offered[n], result.delay_mean[n] * unit, result.delay_error[n] * unit)

    return Block(235, draw)


def _beyond(pen: Pen, axes: Axes, load: float, delay: float, color: Color) -> None:
    """Draw an arrow at the top of the axes for a point above them; the table has its values."""
    x, y = axes.x(load), axes.bottom + axes.height
    pen.shape([(x - 3, y - 6), (x + 3, y - 6), (x, y)], PAPER, color, 0.9)


def _whisker(pen: Pen, axes: Axes, x: float, y: float, error: float) -> None:
    """Draw the interval of a point, where it is wider than the dot."""
    low, high = axes.y(y - error), axes.y(y + error)
    if not np.isfinite(error) or high > axes.bottom + axes.height or high - low < 6:
        return
    at = axes.x(x)
    pen.line([(at, low), (at, high)], ACCENT, 0.7)
    for end in (low, high):
        pen.line([(at - 2, end), (at + 2, end)], ACCENT, 0.7)


def _accepted(result: SimulationResult) -> Block:
    order = np.argsort(result.offered, kind="stable")
    end = _load_end(result)
    points = [(float(result.offered[n]), float(result.accepted[n])) for n in order]
    hollow = [bool(result.saturated[n]) for n in order]

    def draw(pen: Pen, x: float, top: float) -> None:
        draw_title(pen, x, top, "Accepted load", TEXT_WIDTH)
        _key(
            pen,
            x + TEXT_WIDTH,
            top - 10,
            [("accepted", ACCENT, ()), ("offered", MUTED, (2, 2)), ("bound", MUTED, (6, 3))],
        )
        axes = Axes(x + 42, top - 205, _WIDTH, 160, (0, end), (0, end))
        axes.draw(pen, "offered load (phits/cycle/endpoint)", "accepted load (phits/cycle/endpoint)")
        pen.line([(axes.x(0), axes.y(0)), (axes.x(end), axes.y(end))], MUTED, 0.8, (2, 2))
        if result.load_bound is not None and result.load_bound <= end:
            y = axes.y(result.load_bound)
            pen.line([(axes.x(0), y), (axes.x(end), y)], MUTED, 0.8, (6, 3))
        axes.curve(pen, points, hollow, ACCENT)
        for n in order:
            _whisker(pen, axes, result.offered[n], result.accepted[n], result.accepted_error[n])

    return Block(235, draw)


def _load_end(result: SimulationResult) -> float:
    return up_to(float(max(result.offered.max(), result.accepted.max())))[1]


def _key(pen: Pen, right: float, y: float, lines: list) -> None:
    """Draw the legend of lines and marks in one line that ends at `right`."""
    x = right - 124 - 88 * len(lines)
    for name, color, dash in lines:
        pen.line([(x, y + 2.5), (x + 18, y + 2.5)], color, 1.2, dash)
        pen.text(x + 22, y, name, 7)
        x += 88
    pen.dot(x + 4, y + 2.5, 2.4, PAPER, DARK)
    pen.text(x + 10, y, "saturated (arrow: beyond the axis)", 7, width=right - x - 10)


def _loads(result: SimulationResult) -> list[Block]:
    columns = [Column(title, "right") for title in (
        "offered", "generated", "accepted", "±", "mean hops", "fairness", "packets", "dropped",
    )]  # fmt: skip
    columns.append(Column("state"))
    rows = [
        (
            *(f"{loads[n]:.3f}" for loads in (result.offered, result.generated, result.accepted)),
            f"{result.accepted_error[n]:.4f}",
            f"{result.mean_hops[n]:.3f}",
            f"{result.fairness[n]:.3f}",
            grouped(int(result.delivered[n])),
            grouped(int(result.dropped[n])),
            _state(result, n),
        )
        for n in range(len(result.offered))
    ]
    return table(columns, rows, TEXT_WIDTH, 7)


def _delays(result: SimulationResult) -> list[Block]:
    titles = (
        "offered",
        "mean (ns)",
        "± (ns)",
        "network (ns)",
        "in queues (ns)",
        "median (ns)",
        "99 % (ns)",
        "max. (ns)",
    )
    cycle_ns = result.cycle_ps / 1000
    delays = (
        result.delay_mean, result.delay_error, result.delay_network, result.delay_queue, result.delay_p50, result.delay_p99,
        result.delay_max,
    )  # fmt: skip
    rows = [
        (f"{result.offered[n]:.3f}", *(_nanoseconds(values[n] * cycle_ns) for values in delays))
        for n in range(len(result.offered))
    ]
    return table([Column(title, "right") for title in titles], rows, TEXT_WIDTH, 7)


def _jobs(workload: Workload) -> list[Block]:
    text = (
        f"Each job runs alone on the network, with {workload.routing} routing and packets of {workload.packet_phits} phits. "
        "Lower bound: the longest chain of dependent messages, each alone on the network. Busiest link: its load from start to "
        "end, 1 is its capacity."
    )
    columns = [Column("motif"), Column("placed")]
    columns += [
        Column(title, "right") for title in ("ranks", "messages", "data (MB)", "time (µs)", "lower bound (µs)", "busiest link")
    ]
    scheduled = ("steps", "conflicts") if workload.steps.any() else ()
    if scheduled:
        text += (
            " Steps: time steps of a job with a schedule; conflicts: packets that want a link in a time step in which another "
            "packet takes it."
        )
    columns += [Column(name, "right") for name in scheduled]
    columns.append(Column("state"))
    us = workload.cycle_ps / 1e6
    rows = [
        (
            motif, workload.placements[n], grouped(int(workload.ranks[n])), grouped(int(workload.messages[n])),
            grouped(workload.bytes[n] / 1e6, 2), grouped(workload.completion_cycles[n] * us, 2),
            grouped(workload.bound_cycles[n] * us, 2), f"{workload.busiest_link[n]:.3f}",
            *(grouped(int(getattr(workload, name)[n])) if workload.steps[n] else "–" for name in scheduled),
            "done" if workload.finished[n] else "deadlock" if workload.deadlock[n] >= 0 else "interrupted",
        )
        for n, motif in enumerate(workload.motifs)
    ]  # fmt: skip
    return [paragraph(text), *table(columns, rows, TEXT_WIDTH, 7)]


def _nanoseconds(delay: float) -> str:
    return grouped(float(delay), 1) if np.isfinite(delay) else "–"


def _span(cycles: np.ndarray) -> str:
    """Return the cycles of all points as text, as a range where they differ."""
    low, high = int(cycles.min(initial=cycles.max(initial=0))), int(cycles.max(initial=0))
    return grouped(low) if low == high else f"{grouped(low)} to {grouped(high)}"


def _state(result: SimulationResult, point: int) -> str:
    if result.deadlock[point] >= 0:
        return f"deadlock in cycle {grouped(int(result.deadlock[point]))}"
    return "saturated" if result.saturated[point] else "steady"
