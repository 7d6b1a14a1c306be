"""Floor as a DXF drawing in millimeters: rows, cabinets, trays, their fill and the busiest routes, a layer for each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Le

from planner.errors import CheckFailed, InputError, Problem
from planner.model import Plan
from planner.report._cabinets import cabinets
from planner.report._dxf import Drawing
from planner.report._tray_lines import busiest_routes, fill_shares

ENDING = ".floor.dxf"

_FILLS = (("FILL-LOW", 150, 0.5), ("FILL-DESIGN", 92, 1.0))
_OVER = (("FILL-ABOVE-DESIGN", 40), ("FILL-ABOVE-MAX", 10))


def write(plan: Plan, path: Path, *, routes: Annotated[int, Ge(0), Le(1000)] = 10) -> None:
    """Write the drawing; cabinets are on the layer CABINET, with their contents as attributes.

    The layers OUTLINE, SLOT, TRAY and those of obstacles are as ``planner floor import`` reads them: an architect can edit
    the drawing, and it can be imported as a room again.

    Parameters
    ----------
    routes
        Number of routes between two cabinets to draw, busiest first.

    Raises
    ------
    InputError
        When the plan has no room.
    """
    if plan.room is None:
        raise InputError(Problem("", "the plan has no room", "run the study to its end"))
    import ezdxf

    with _fixed_dates(ezdxf.options):
        drawing = Drawing(ezdxf.new("R2010", units=ezdxf.units.MM))
        drawing.room(plan.room)
        _cabinets(plan, drawing)
        _fill(plan, drawing)
        drawing.routes(plan.room, busiest_routes(plan, routes))
        auditor = drawing.doc.audit()
        if auditor.has_errors or auditor.has_fixes:
            raise CheckFailed(f"the drawing has faults: {[fault.message for fault in auditor.errors + auditor.fixes][:3]}")
        drawing.doc.saveas(path)


def _cabinets(plan: Plan, drawing: Drawing) -> None:
    if plan.placement is None or plan.catalog is None:
        return
    for cabinet in cabinets(plan):
        facts = {
            "CABINET": cabinet.name,
            "ROUTERS": cabinet.count("router"),
            "ENDPOINTS": cabinet.count("endpoint"),
            "UNITS_USED": cabinet.used_units,
            "UNITS": cabinet.units,
            "POWER_MAX_KW": f"{cabinet.power_max_mw / 1e6:g}",
            "MASS_KG": f"{cabinet.total_g / 1e3:g}",
        }
        drawing.cabinet(plan.room, cabinet.slot, facts)


def _fill(plan: Plan, drawing: Drawing) -> None:
    room = plan.room
    shares = fill_shares(plan)
    for number in np.flatnonzero(shares > 0).tolist():
        share = float(shares[number])
        layer, color = _layer(share, room.design_fill, room.max_fill)
        drawing.stretch(room, number, layer, color, f"{share:.0%}")


def _layer(share: float, design: float, limit: float) -> tuple[str, int]:
    if share > limit:
        return _OVER[1]
    return next(((layer, color) for layer, color, part in _FILLS if share <= part * design), _OVER[0])


@contextmanager
def _fixed_dates(options: Any) -> Iterator[None]:
    """Make ezdxf write constant dates and ids, so that equal plans give equal bytes."""
    before = options.write_fixed_meta_data_for_testing
    options.write_fixed_meta_data_for_testing = True
    try:
        yield
    finally:
        options.write_fixed_meta_data_for_testing = before
