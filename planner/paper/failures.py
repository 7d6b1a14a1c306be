"""Effect of the failure of a cabinet, a row, a hall or a tray on the network."""

from __future__ import annotations

import numpy as np
from reportlab.lib.colors import Color

from planner.domain.model import Failures, Plan
from planner.paper.blocks import Block, heading, paragraph, sheets, space, together
from planner.paper.canvas import DARK, MUTED, PAPER, Pen
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import Column, Table
from planner.view.figures import grouped
from planner.view.names import network_key, network_title

_SHOWN = 5
_KINDS = {"tray segment": "Tray segments", "PDU": "PDUs"}
_BAR = 11.0
_FAILED_END, _DISCONNECTED = (MUTED, ""), (PAPER, "diagonal")
"""Fill and hatch of affected pairs; hatching distinguishes them without color."""


def failure_sheets(plan: Plan) -> list[Sheet]:
    """Return the worst failure domains of every kind, and the metrics of the surviving network."""
    found = plan.failures
    if found is None or len(found.names) < 2:
        return []
    ends = "routers" if not found.endpoints else "endpoints" if found.nodes == found.endpoints else "nodes"
    text = (
        "Each line is the failure of one whole domain: a cabinet, row, zone or hall with its routers and endpoint devices; "
        "a PDU or feed with the devices that have no other supply; a tray or one of its segments with all cables "
        "routed through it. The links and endpoints of a failed "
        f"router fail with it. Of the ordered pairs of {ends}, some have a failed end; others are disconnected: "
        "both ends and their cables work, but no path connects them. Hops and bisection are those of the surviving network, "
        "for the worst domain of each kind; the bisection is an interval from a proven lower bound to the best cut found."
    )
    title = network_title(plan, "Failure domains")
    blocks: list[Block] = [heading(title, Mark(network_key(plan, "failures"), title)), paragraph(text, 8)]
    blocks += [*_bars(found), space(8), *_tables(found)]
    return sheets("Failure domains", blocks)


def _bars(found: Failures) -> list[Block]:
    """Return a bar chart of the worst domain of every kind: pairs with a failed end, and disconnected pairs."""
    worst = [(kind, int(found.of(kind)[0])) for kind in found.kinds[1:]]
    scale = (TEXT_WIDTH - 215) / max(float(found.lost_percent.max()), 1e-9)

    def draw(pen: Pen, x: float, top: float) -> None:
        for place, (text, fill, hatch) in enumerate((("an end failed", *_FAILED_END), ("disconnected", *_DISCONNECTED))):
            _box(pen, x + 90 + 90 * place, top - 9, 13, 7, fill, hatch)
            pen.text(x + 108 + 90 * place, top - 8, text, 7)
        for line, (kind, number) in enumerate(worst):
            y = top - 28 - line * (_BAR + 5)
            pen.text(x, y + 2, f"worst {kind}", 7, width=85)
            disconnected = float(found.disconnected_percent[number]) * scale
            own = float(found.lost_percent[number]) * scale - disconnected
            _box(pen, x + 90, y, own, _BAR, *_FAILED_END)
            _box(pen, x + 90 + own, y, disconnected, _BAR, *_DISCONNECTED)
            pen.text(x + 94 + own + disconnected, y + 2, f"{found.lost_percent[number]:.2f} % of all pairs", 7, width=120)

    return [Block(24 + len(worst) * (_BAR + 5), draw)]


def _box(pen: Pen, x: float, y: float, width: float, height: float, fill: Color, hatch: str) -> None:
    if width > 0:
        pen.box(x, y, width, height, fill, DARK, weight=0.4, hatch=hatch)


def _tables(found: Failures) -> list[Block]:
    """Return one table: the intact network, then the worst domains of every kind."""
    columns = (
        Column("failed"), Column("routers", "right"), Column("links", "right"), Column("endpoints", "right"),
        Column("components", "right"), Column("largest, % of routers left", "right"),
        Column("its endpoints, % of all", "right"), Column("pairs with a failed end (%)", "right"),
        Column("pairs disconnected (%)", "right"), Column("max. hops", "right"), Column("mean hops", "right"),
        Column("bisection (links)", "right"),
    )  # fmt: skip
    groups = [(kind, found.of(kind)) for kind in found.kinds]
    rows = {kind: [_row(found, number) for number in own[:_SHOWN].tolist()] for kind, own in groups}
    table = Table.of(columns, [row for lines in rows.values() for row in lines], TEXT_WIDTH, 6.5)
    header = table.header()
    blocks = [header]
    for kind, own in groups:
        if kind != "none":
            shown = f"{len(own)}" if len(own) <= _SHOWN else f"the worst {_SHOWN} of {grouped(len(own))}"
            title = f"{_KINDS.get(kind, kind.capitalize() + 's')}: {shown}"
            blocks += [space(5), paragraph(title, 8, color=DARK, keep=True)]
        blocks += together([table.row(row, (header,)) for row in rows[kind]])
    return blocks


def _row(found: Failures, number: int) -> tuple[str, ...]:
    left = found.routers - int(found.routers_lost[number])
    computed = found.diameter[number] >= 0
    lower, upper = int(found.bisection_lower[number]), int(found.bisection_upper[number])
    own = found.lost_percent[number] - found.disconnected_percent[number]
    return (
        str(found.names[number]), grouped(found.routers_lost[number]), grouped(found.links_lost[number]),
        grouped(found.endpoints_lost[number]), grouped(found.components[number]),
        f"{100 * found.largest_routers[number] / max(left, 1):.1f}",
        f"{100 * found.largest_endpoints[number] / found.endpoints:.1f}" if found.endpoints else "",
        _percent(own), _percent(found.disconnected_percent[number]),
        grouped(found.diameter[number]) if computed else "", f"{found.mean_hops[number]:.3f}" if computed else "",
        (grouped(upper) if lower == upper else f"{grouped(lower)} to {grouped(upper)}") if computed else "",
    )  # fmt: skip


def _percent(share: np.floating) -> str:
    return f"{share:.2f}" if share > 0 else "0"
