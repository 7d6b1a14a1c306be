"""Charts of the cables."""

from __future__ import annotations

import numpy as np

from planner.core.units import heading as with_unit
from planner.core.units import named, unit
from planner.domain.model import MEDIA, Plan
from planner.paper.axes import MEDIUM_STYLES, Axes, draw_legend, draw_title, round_step, up_to
from planner.paper.blocks import Block, heading, sheets, space
from planner.paper.canvas import DARK, Pen
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.view.figures import grouped, trimmed

_LEFT, _ABOVE, _BELOW = 42.0, 34.0, 28.0
_HEIGHT = 215.0
"""Height of a chart with its axes, in points."""


def cable_charts(plan: Plan) -> list[Sheet]:
    """Return the charts of lengths and media."""
    if plan.cables is None or not plan.cables.cable_count:
        return []
    medium = plan.cables.of_assembly("medium")
    used = [name for name in MEDIA if (medium == name).any()]
    blocks = [
        heading("Cables in figures", Mark("cable-charts", "Cables in figures")),
        _run_lengths(plan, medium, used),
        space(12),
        _stock_lengths(plan, medium, used),
        space(12),
        media_bars(plan),
    ]
    return sheets("Cables in figures", blocks)


def stacked(counts: np.ndarray) -> np.ndarray:
    """Return the lower and upper ends of stacked bars: (media + 1, bins) from (media, bins)."""
    return np.vstack([np.zeros(counts.shape[1], counts.dtype), np.cumsum(counts, axis=0)])


def _run_lengths(plan: Plan, medium: np.ndarray, used: list[str]) -> Block:
    scale = unit("mm")
    run_lengths = plan.cables.run_mm / scale.size
    step = round_step(float(run_lengths.max()), 40)
    bins = max(1, int(np.ceil(run_lengths.max() / step)))
    counts = np.array([np.histogram(run_lengths[medium == name], bins, (0, bins * step))[0] for name in used])
    ends = stacked(counts)
    mean = (
        f"mean {grouped(float(run_lengths.mean()), 2)} {scale.name}, longest {grouped(float(run_lengths.max()), 2)} {scale.name}"
    )

    def draw(pen: Pen, x: float, top: float) -> None:
        draw_title(pen, x, top, f"Run lengths: {mean}", TEXT_WIDTH)
        axes = Axes(
            x + _LEFT, top - _HEIGHT, TEXT_WIDTH - _LEFT, _HEIGHT - _ABOVE - 12, (0, bins * step), up_to(int(ends[-1].max()))
        )
        axes.draw(pen, f"{with_unit('run length', 'mm')}, in steps of {trimmed(step)} {scale.name}", "cables")
        _legend(pen, x + TEXT_WIDTH, top - 25, used)
        for number, name in enumerate(used):
            for place in range(bins):
                axes.bar(
                    pen, (place * step, (place + 1) * step), (ends[number, place], ends[number + 1, place]), *MEDIUM_STYLES[name]
                )

    return Block(_HEIGHT + _BELOW, draw)


def _stock_lengths(plan: Plan, medium: np.ndarray, used: list[str]) -> Block:
    lengths, place = np.unique(plan.cables.stock_mm, return_inverse=True)
    counts = np.array([np.bincount(place.ravel()[medium == name], minlength=len(lengths)) for name in used])
    ends = stacked(counts)

    def draw(pen: Pen, x: float, top: float) -> None:
        draw_title(pen, x, top, "Stock lengths", TEXT_WIDTH)
        axes = Axes(
            x + _LEFT,
            top - _HEIGHT,
            TEXT_WIDTH - _LEFT,
            _HEIGHT - _ABOVE - 12,
            (0, len(lengths)),
            up_to(int(ends[-1].max()) * 1.08),
        )
        axes.draw(pen, with_unit("stock length", "mm"), "cables", x_ticks=())
        _legend(pen, x + TEXT_WIDTH, top - 25, used)
        room = axes.width / len(lengths) - 1
        for number, length in enumerate(lengths.tolist()):
            middle = axes.x(number + 0.5)
            pen.text(
                middle, axes.bottom - 10, trimmed(unit("mm").of(length), unit("mm").decimals), 6.5, align="center", width=room
            )
            pen.text(middle, axes.y(ends[-1, number]) + 2.5, grouped(int(ends[-1, number])), 6, align="center", width=room)
            for row, name in enumerate(used):
                axes.bar(pen, (number + 0.2, number + 0.8), (ends[row, number], ends[row + 1, number]), *MEDIUM_STYLES[name])

    return Block(_HEIGHT + _BELOW, draw)


def media_bars(plan: Plan) -> Block:
    """Return two bars, by number and by length: electrical and optical shares."""
    medium = plan.cables.of_assembly("medium")
    used = [name for name in MEDIA if (medium == name).any()]
    stock = plan.cables.stock_mm.astype(np.int64)
    bars = []
    for title, weight, written in (
        ("cables", np.ones(len(medium), np.int64), grouped),
        ("stock length", stock, lambda length_mm: named(length_mm, "mm", 0 if length_mm >= 1_000_000 else 1, " ")),
    ):
        parts = [int(weight[medium == name].sum()) for name in used]
        shares = [part / max(sum(parts), 1) for part in parts]
        text = ",   ".join(f"{n} {written(part)} ({100 * s:.1f} %)" for n, part, s in zip(used, parts, shares, strict=True))
        bars.append((title, shares, text))

    def draw(pen: Pen, x: float, top: float) -> None:
        draw_title(pen, x, top, "Electrical and optical", TEXT_WIDTH)
        _legend(pen, x + TEXT_WIDTH, top - 10, used)
        width = TEXT_WIDTH - 70
        for row, (title, shares, text) in enumerate(bars):
            y = top - 42 - row * 40
            pen.text(x, y + 5, title, 8)
            left = x + 70
            for name, share in zip(used, shares, strict=True):
                fill, hatch = MEDIUM_STYLES[name]
                pen.box(left, y, width * share, 16, fill, DARK, hatch=hatch)
                left += width * share
            pen.text(x + 70, y - 10, text, 7, width=width)

    return Block(110, draw)


def _legend(pen: Pen, right: float, y: float, used: list[str]) -> None:
    draw_legend(pen, right, y, [(name, *MEDIUM_STYLES[name]) for name in used])
