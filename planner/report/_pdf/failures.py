"""What the loss of a cabinet, a row, a hall or a tray does to the network."""

from __future__ import annotations

import numpy as np
from reportlab.lib.colors import Color

from planner.model import Failures, Plan
from planner.report._figures import grouped
from planner.report._pdf.blocks import Block, heading, paragraph, sheets, space, together
from planner.report._pdf.canvas import INK, MUTED, PAPER, Pen
from planner.report._pdf.sheet import TEXT_WIDTH, Mark, Sheet
from planner.report._pdf.table import Column, Table

_SHOWN = 5
_KINDS = {"tray segment": "Tray segments", "PDU": "PDUs"}
_BAR = 11.0
_LOST, _PARTED = (MUTED, ""), (PAPER, "diagonal")
"""Fill and hatch of pairs that are lost, told apart without colors."""


def failure_sheets(plan: Plan) -> list[Sheet]:
    """Return the worst failure domains of every kind, and what is left without them."""
    found = plan.failures
    if found is None or len(found.names) < 2:
        return []
    ends = "endpoints" if found.endpoints else "routers"
    text = (
        "Each line loses everything in one domain at once: a cabinet, row, zone or hall with its routers and the boxes of its "
        "endpoints; a PDU or feed with the boxes that hang on nothing else; a tray or one of its segments with all cables "
        "whose way uses it. The links and endpoints of a lost "
        f"router go with it. Of all ordered pairs of {ends}, some are lost because one of the two is; others are parted: "
        "both ends and their cables are whole, but no way joins them. Hops and bisection are those of what survives, for "
        "the worst domain of each kind; the bisection is an interval, from what no halves can have less of to the best halves "
        "found."
    )
    blocks: list[Block] = [heading("Failure domains", Mark("failures", "Failure domains")), paragraph(text, 8)]
    blocks += [*_bars(found), space(8), *_tables(found)]
    return sheets("Failure domains", blocks)


def _bars(found: Failures) -> list[Block]:
    """The worst domain of every kind: the share of pairs lost with their ends, and the share parted."""
    worst = [(kind, int(found.of(kind)[0])) for kind in found.kinds[1:]]
    scale = (TEXT_WIDTH - 215) / max(float(found.lost_percent.max()), 1e-9)

    def draw(pen: Pen, x: float, top: float) -> None:
        for place, (text, *look) in enumerate((("an end is lost", *_LOST), ("parted", *_PARTED))):
            _box(pen, x + 90 + 90 * place, top - 9, 13, 7, *look)
            pen.text(x + 108 + 90 * place, top - 8, text, 7)
        for line, (kind, number) in enumerate(worst):
            y = top - 28 - line * (_BAR + 5)
            pen.text(x, y + 2, f"worst {kind}", 7, width=85)
            parted = float(found.parted_percent[number]) * scale
            own = float(found.lost_percent[number]) * scale - parted
            _box(pen, x + 90, y, own, _BAR, *_LOST)
            _box(pen, x + 90 + own, y, parted, _BAR, *_PARTED)
            pen.text(x + 94 + own + parted, y + 2, f"{found.lost_percent[number]:.2f} % of all pairs", 7, width=120)

    return [Block(24 + len(worst) * (_BAR + 5), draw)]


def _box(pen: Pen, x: float, y: float, width: float, height: float, fill: Color, hatch: str) -> None:
    if width > 0:
        pen.box(x, y, width, height, fill, INK, weight=0.4, hatch=hatch)


def _tables(found: Failures) -> list[Block]:
    """The network whole, then the worst domains of every kind, in one table of equal columns."""
    columns = (
        Column("lost"), Column("routers", "right"), Column("links", "right"), Column("endpoints", "right"),
        Column("pieces left", "right"), Column("largest piece, % of routers left", "right"),
        Column("its endpoints, % of all", "right"), Column("pairs with a lost end (%)", "right"),
        Column("pairs parted (%)", "right"), Column("most hops", "right"), Column("mean hops", "right"),
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
            blocks += [space(5), paragraph(title, 8, color=INK, keep=True)]
        blocks += together([table.row(row, (header,)) for row in rows[kind]])
    return blocks


def _row(found: Failures, number: int) -> tuple[str, ...]:
    left = found.routers - int(found.routers_lost[number])
    looked = found.diameter[number] >= 0
    lower, upper = int(found.bisection_lower[number]), int(found.bisection_upper[number])
    own = found.lost_percent[number] - found.parted_percent[number]
    return (
        str(found.names[number]), grouped(found.routers_lost[number]), grouped(found.links_lost[number]),
        grouped(found.endpoints_lost[number]), grouped(found.pieces[number]),
        f"{100 * found.largest_routers[number] / max(left, 1):.1f}",
        f"{100 * found.largest_endpoints[number] / found.endpoints:.1f}" if found.endpoints else "",
        _percent(own), _percent(found.parted_percent[number]),
        grouped(found.diameter[number]) if looked else "", f"{found.mean_hops[number]:.3f}" if looked else "",
        (grouped(upper) if lower == upper else f"{grouped(lower)} to {grouped(upper)}") if looked else "",
    )  # fmt: skip


def _percent(share: np.floating) -> str:
    return f"{share:.2f}" if share > 0 else "0"
