"""Placement of the cabinets: objective, lower bound, gap, and the Pareto front of cost against longest link."""

from __future__ import annotations

import numpy as np

from planner.core.units import heading as with_unit
from planner.core.units import named
from planner.core.units import unit as unit_of
from planner.domain.model import Placement, Plan
from planner.paper.axes import Axes, draw_title, round_step
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.canvas import ACCENT, Pen
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import Column, table
from planner.view.figures import SPACE, grouped, money

_HEIGHT = 230.0
_LEFT = 42.0


def placement_sheets(plan: Plan) -> list[Sheet]:
    """Return the placement figures, and the Pareto front of cost against longest link where it was computed."""
    placement = plan.placement
    if placement is None:
        return []
    text = (
        "The objective is the cost of all links and endpoint cables, given the slots of both ends. "
        "No layout that the lower bound covers costs less than it. The gap is the maximum saving of a better layout; "
        "the bound need not be reachable."
    )
    blocks = [
        heading("Placement", Mark("placement", "Placement")),
        paragraph(text),
        *table((Column("figure"), Column("value", "right")), _rows(plan, placement), TEXT_WIDTH, 8),
    ]
    if placement.alternatives:
        blocks += [space(16), paragraph(_OPEN), *table(_RULES, _alternatives(plan, placement), TEXT_WIDTH, 8)]
    if len(placement.front) > 1:
        blocks += [space(16), _front(plan, placement)]
    return sheets("Placement", blocks)


_OPEN = (
    "The study leaves these rules open. Each choice was tried with a share of the search; the cheapest was placed again with "
    "the rest. Totals in money include cabinets, power distribution units and cable managers."
)
_RULES = (
    Column("groups"), Column("packing"), Column("endpoints"), Column("cabinets", "right"), Column("total", "right"), Column(""),
)  # fmt: skip


def _alternatives(plan: Plan, placement: Placement) -> list[tuple[str, ...]]:
    """Return the table of open rules, the cheapest first."""
    return [
        (each.groups, each.packing, each.endpoints, grouped(each.cabinets), _amount(plan, each.total),
         "chosen" if each.chosen else "short search")
        for each in sorted(placement.alternatives, key=lambda each: each.total)
    ]  # fmt: skip


def _rows(plan: Plan, placement: Placement) -> list[tuple[str, str]]:
    rows = [
        ("method", placement.method),
        ("moves tried", grouped(placement.evaluations)),
        ("cost of all links and endpoint cables, cabinets in order", _amount(plan, placement.start_objective)),
        ("cost of all links and endpoint cables, as placed", _amount(plan, placement.objective)),
    ]
    if plan.inventory is not None and plan.inventory.is_link.any():
        rows.append(("mean cost of a cable", _amount(plan, round(placement.objective / plan.inventory.connection_count))))
    if placement.gap is not None:
        rows.append((f"lower bound ({placement.bound_method})", _amount(plan, placement.lower_bound)))
        rows.append(("the bound covers", placement.bound_covers))
        rows.append(("gap to bound", f"{100 * placement.gap:.2f}{SPACE}%"))
    if placement.longest_mm is not None:
        rows.append(("maximum link length requested", named(placement.longest_mm, "mm")))
        rows.append(("links longer than requested", grouped(placement.too_long)))
    return rows


def _amount(plan: Plan, value: int) -> str:
    if plan.placement.objective_unit == "mm":
        return named(value, "mm")
    if plan.placement.objective_unit == "cents":
        currency = plan.bill.currency if plan.bill is not None else ""
        return f"{money(value)}{SPACE}{currency}".rstrip(SPACE)
    return f"{grouped(value)}{SPACE}{plan.placement.objective_unit}"


def _front(plan: Plan, placement: Placement) -> Block:
    """Draw the mean cost of a cable against the longest link, one dot for each layout."""
    length = unit_of("mm")
    scale, unit = {"mm": (length.size, length.name), "cents": (100, plan.bill.currency if plan.bill is not None else "")}.get(
        placement.objective_unit, (1, placement.objective_unit)
    )
    longest = placement.front[:, 1] / length.size
    mean = placement.front[:, 0] / max(1, plan.inventory.connection_count) / scale

    def draw(pen: Pen, x: float, top: float) -> None:
        draw_title(pen, x, top, "Mean cost of a cable against the longest link", TEXT_WIDTH)
        axes = Axes(x + _LEFT, top - _HEIGHT + 30, TEXT_WIDTH - _LEFT - 10, _HEIGHT - 76, _around(longest), _around(mean))
        axes.draw(pen, with_unit("longest link", "mm"), f"mean cost of a cable ({unit})")
        points = sorted(zip(longest.tolist(), mean.tolist(), strict=True))
        axes.curve(pen, points, [False] * len(points), ACCENT)
        if placement.front[0, 0] == placement.objective:
            # Below the curve, which falls towards this point.
            pen.text(axes.x(longest[0]) - 5, axes.y(mean[0]) - 9, "as placed", 6.5, align="right")

    return Block(_HEIGHT, draw)


def _around(values: np.ndarray) -> tuple[float, float]:
    """Return a range between round numbers with a margin around values."""
    low, high = float(values.min()), float(values.max())
    step = round_step(max(high - low, 1e-3 * max(high, 1e-9)))
    return float(np.floor(low / step) * step), float(np.ceil(high / step) * step)
