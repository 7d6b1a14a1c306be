"""Heat of each cabinet, of the hottest one."""

from __future__ import annotations

from planner.model import Plan
from planner.report._web.layers._layer import Layer

ORDER = 30


def layer(plan: Plan) -> Layer | None:
    """Return the layer; None without the record."""
    if plan.cooling is None or not plan.cooling.heat_mw.any():
        return None
    heat_kw = plan.cooling.heat_mw / 1e6
    marks = tuple(f"{one:.1f}" for one in heat_kw.tolist())
    title = f"Heat at {plan.cooling.load} power, nodes included (kW)"
    return Layer("by heat", title, f"{heat_kw.max():.1f} kW", heat_kw / heat_kw.max(), marks)
