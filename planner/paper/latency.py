"""Hops and zero-load delays: by class of pair, by class of cable, and the worst path hop by hop."""

from __future__ import annotations

import numpy as np
from reportlab.lib.colors import Color

from planner.core.units import amount, unit
from planner.domain.model import DELAY_PARTS, MEDIA, Latency, Plan
from planner.paper.axes import MEDIUM_STYLES, Axes, draw_legend, draw_title, up_to
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.canvas import DARK, FAINT, MUTED, PAPER, Pen, color_of
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import Column, table
from planner.paper.worst_path import worst_path_blocks
from planner.view.figures import SPACE, grouped, readable
from planner.view.names import network_key, network_title

_LEFT, _BELOW, _HOPS_HEIGHT, _BAR = 42.0, 28.0, 170.0, 22.0
_PART_STYLES: dict[str, tuple[Color, str]] = {
    "routers": (FAINT, ""),
    **MEDIUM_STYLES,
    "connectors": (color_of("use-endpoint"), "crossed"),
    "FEC": (PAPER, "diagonal"),
}


def latency_sheets(plan: Plan) -> list[Sheet]:
    """Return the histogram of hops, the zero-load delays and their parts."""
    latency = plan.latency
    if latency is None:
        return []
    figures = table((Column("figure"), Column("value", "right")), _figures(plan, latency), TEXT_WIDTH, 8)
    mark = Mark(network_key(plan, "latency"), network_title(plan, "Hops and delays"))
    blocks = [heading(network_title(plan, "Hops and zero-load delays"), mark)]
    if len(latency.hop_histogram) > 1:
        blocks += [_hops(latency), space(10)]
    blocks += [*figures, space(12), *_classes(latency), *_cables(latency), *_assemblies(plan, latency)]
    return sheets("Hops and delays", [*blocks, *worst_path_blocks(plan)])


def nanoseconds(delay_ps: float) -> str:
    """Return a delay in ns without the unit; "" for zero."""
    return grouped(delay_ps / 1000, 1) if delay_ps else ""


def _figures(plan: Plan, latency: Latency) -> list[tuple[str, str]]:
    bound = "at least " if latency.sampled else ""
    rows = []
    for meaning, name, error in (
        ("mean hops between different routers", "mean_hops", f"{latency.mean_hops_error:.3f} hops"),
        ("maximum hops between two routers", "diameter", ""),
        ("mean delay between different routers", "delay_mean_ps", _error(latency.mean_error_ps)),
        ("maximum delay between two routers", "delay_worst_ps", ""),
        ("mean delay between endpoints, their cables included", "endpoint_delay_mean_ps", _error(latency.endpoint_mean_error_ps)),
        ("maximum delay between two endpoints", "endpoint_delay_worst_ps", ""),
    ):
        if name in plan.quantities:
            text = readable(name, plan)
            rows.append((meaning, f"{bound}{text}" if not error else f"{text} ± {error}" if latency.sampled else text))
    rows.append(("delay of one router", f"{grouped(latency.router_delay_ps / 1000, 1)}{SPACE}ns"))
    rows.append(("forward error correction", latency.fec))
    if latency.sampled:
        text = f"{grouped(latency.sources)} of {grouped(latency.routers)} routers, at random; ± are 95 % confidence intervals"
        rows.append(("sample: delays from", text))
    if latency.unreached:
        rows.append(("disconnected ordered pairs", grouped(latency.unreached)))
    return rows


def _error(error_ps: float) -> str:
    return f"{grouped(error_ps / 1000, 1)}{SPACE}ns"


def _hops(latency: Latency) -> Block:
    """Return a bar chart of ordered pairs of different routers by hops."""
    pairs = latency.hop_histogram.tolist()[1:]
    shares = [100 * count / max(sum(pairs), 1) for count in pairs]

    def draw(pen: Pen, x: float, top: float) -> None:
        draw_title(pen, x, top, "Hops between routers", TEXT_WIDTH)
        limits = up_to(1.05 * max(shares))
        axes = Axes(x + _LEFT, top - _HOPS_HEIGHT, TEXT_WIDTH - _LEFT, _HOPS_HEIGHT - 40, (0.5, len(pairs) + 0.5), limits)
        axes.draw(pen, "hops", "share of ordered pairs of different routers (%)", x_ticks=range(1, len(pairs) + 1))
        room = axes.width / len(pairs) - 2
        for hops, (count, share) in enumerate(zip(pairs, shares, strict=True), 1):
            axes.bar(pen, (hops - 0.28, hops + 0.28), (0, share))
            pen.text(axes.x(hops), axes.y(share) + 3, f"{grouped(count)} ({share:.1f} %)", 6.5, align="center", width=room)

    return Block(_HOPS_HEIGHT + _BELOW, draw)


def _classes(latency: Latency) -> list[Block]:
    """Return the mean delay by class of pair: stacked bars of its parts, and a table."""
    there = np.flatnonzero(latency.class_pairs)
    if not len(there):
        return []
    used = np.flatnonzero(latency.class_parts_ps.any(axis=0))
    columns = [Column("class of pair"), Column("ordered pairs", "right"), Column("mean hops", "right")]
    columns += [Column(f"{DELAY_PARTS[part]} (ns)", "right") for part in used]
    columns += [Column("mean delay (ns)", "right"), Column("max. (ns)", "right")]
    bound = "≥ " if latency.sampled else ""
    rows = []
    for number in there.tolist():
        error = f" ± {latency.class_error_ps[number] / 1000:.1f}" if latency.sampled else ""
        parts = [nanoseconds(latency.class_parts_ps[number, part]) for part in used]
        mean, worst = nanoseconds(latency.class_mean_ps[number]), nanoseconds(latency.class_worst_ps[number])
        name, pairs = latency.class_names[number], grouped(latency.class_pairs[number])
        rows.append((name, pairs, f"{latency.class_hops[number]:.3f}", *parts, mean + error, bound + worst))
    text = (
        "Every pair is counted in the first class that fits. The delay of a pair is that of its fastest shortest path: "
        "the routers, both ends included, the cables, the electronics in the plugs of active cables (connectors) and "
        "forward error correction (FEC)."
    )
    return [
        heading("Delay by class of pair", size=11),
        _bars(latency, there, used),
        paragraph(text, 7.5, keep=True),
        *table(columns, rows, TEXT_WIDTH, 7),
        space(14),
    ]


def _bars(latency: Latency, there: np.ndarray, used: np.ndarray) -> Block:
    mean = latency.class_mean_ps[there]
    scale = (TEXT_WIDTH - 110) / float(mean.max())

    def draw(pen: Pen, x: float, top: float) -> None:
        draw_legend(pen, x + TEXT_WIDTH, top - 8, [(DELAY_PARTS[part], *_PART_STYLES[DELAY_PARTS[part]]) for part in used])
        for line, number in enumerate(there.tolist()):
            y = top - 32 - line * _BAR
            pen.text(x, y + 3, latency.class_names[number], 7, width=90)
            left = x + 95
            for part in used.tolist():
                width = float(latency.class_parts_ps[number, part]) * scale
                fill, hatch = _PART_STYLES[DELAY_PARTS[part]]
                if width > 0:
                    pen.box(left, y, width, 13, fill, DARK, hatch=hatch)
                left += width

    return Block(26 + _BAR * len(there), draw, keep=True)


def _cables(latency: Latency) -> list[Block]:
    if not len(latency.cable_count):
        return []
    columns = (
        Column("class of cable"), Column("medium"), Column("cables", "right"), Column("cable (ns)", "right"),
        Column("connectors (ns)", "right"), Column("FEC (ns)", "right"), Column("mean delay (ns)", "right"),
        Column("max. (ns)", "right"),
    )  # fmt: skip
    rows = [
        (
            latency.cable_class_names[kind], MEDIA[medium], grouped(count), nanoseconds(parts[1 + medium]),
            nanoseconds(parts[-2]), nanoseconds(parts[-1]), nanoseconds(parts.sum()), nanoseconds(worst),
        )
        for kind, medium, count, parts, worst in zip(
            latency.cable_class.tolist(), latency.cable_medium.tolist(), latency.cable_count.tolist(), latency.cable_parts_ps,
            latency.cable_worst_ps.tolist(), strict=True,
        )
    ]  # fmt: skip
    return [heading("Delay by class of cable", size=11), *table(columns, rows, TEXT_WIDTH, 7), space(14)]


def _assemblies(plan: Plan, latency: Latency) -> list[Block]:
    """Return the delay of each kind of cable: per meter, in its plugs, and for error correction."""
    if plan.cables is None or not plan.cables.assemblies:
        return []
    columns = (
        Column("cable"), Column("medium"), Column("rate (Gb/s)", "right"), Column(f"cable ({unit('ps/m').name})", "right"),
        Column("both plugs (ns)", "right"), Column("FEC, catalog row"), Column("FEC (ns)", "right"),
    )  # fmt: skip
    rows = [
        (
            assembly.id, assembly.medium, grouped(assembly.rate_gbps), amount(assembly.delay_ps_per_m, "ps/m"),
            nanoseconds(2 * assembly.delay_end_ps), code or "none", nanoseconds(fec),
        )
        for assembly, code, fec in zip(plan.cables.assemblies, latency.fec_rows, latency.fec_ps.tolist(), strict=True)
    ]  # fmt: skip
    text = (
        "Plugs: conversion between electrical and optical signals, and retimers, without forward error correction. "
        "The router delay stated by the vendor may include it."
    )
    title = heading("Cable, plugs and forward error correction", size=11)
    return [title, paragraph(text, 7.5, color=MUTED, keep=True), *table(columns, rows, TEXT_WIDTH, 7), space(14)]
