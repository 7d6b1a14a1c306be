"""The cabinets, in the order of their slots."""

from __future__ import annotations

from planner.domain.model import Plan
from planner.view.cabinets import Cabinet, cabinets
from planner.view.tables.table import EVERYWHERE, REMARK, Column, Table, each, installed


def _data(plan: Plan) -> tuple[Cabinet, ...] | None:
    return cabinets(plan) if plan.placement is not None else None


COLUMNS = (
    Column("cabinet", "cabinet", "name of the cabinet", each(lambda c: c.name), shown=EVERYWHERE, link="cabinet"),
    Column("row", "row", "name of its row", each(lambda c: c.row), shown=EVERYWHERE, width=26),
    Column("routers", "routers", "number of routers", each(lambda c: c.routers), "whole", shown=EVERYWHERE),
    Column("nodes", "nodes", "number of nodes", each(lambda c: c.nodes), "whole", shown=EVERYWHERE, named=True),
    Column("endpoints", "endpoints", "number of endpoints", each(lambda c: c.endpoints), "whole", shown=EVERYWHERE, named=False),
    Column("endpoints", "attached ports", "number of ports of its devices that are attached to a network",
           each(lambda c: c.endpoints), "whole", shown=("file", "page"), named=True),
    Column("units_used", "units used", "rack units in use, of all", each(lambda c: f"{c.used_units} of {c.units}"),
           shown=("paper",), align="right"),
    Column("used_units", "rack units in use", "rack units in use, fixtures included", each(lambda c: c.used_units), "whole",
           shown=("file", "page"), short="units used"),
    Column("units", "rack units", "rack units of the cabinet", each(lambda c: c.units), "whole"),
    Column("cables_listed", "cables with their first end here", "number of cables with their first end in the cabinet",
           each(lambda c: c.cables), "whole", shown=("file", "paper"), short="cables starting here"),
    Column("cables_here", "cables", "number of cables with an end in the cabinet", each(lambda c: c.cables_here), "whole",
           shown=("page",)),
    Column("power_typical_mw", "power typical", "typical power of its devices", each(lambda c: c.power_typical_mw), "whole",
           "mW"),
    Column("power_max_mw", "power max", "maximum power of its devices", each(lambda c: c.power_max_mw), "whole", "mW",
           shown=EVERYWHERE, short="power max.", decimals=1),
    Column("power_limit_mw", "power limit", "supply of its slot, 0 if not stated", each(lambda c: c.power_limit_mw), "whole",
           "mW", shown=EVERYWHERE, short="limit", decimals=1),
    Column("load_g", "mass inside", "mass of its contents", each(lambda c: c.mass_g), "whole", "g"),
    Column("load_limit_g", "load limit", "maximum mass of its contents", each(lambda c: c.load_limit_g), "whole", "g"),
    Column("floor_g", "mass on the floor", "mass with the empty cabinet", each(lambda c: c.total_g), "whole", "g",
           shown=EVERYWHERE, short="floor load", decimals=0),
    Column("floor_limit_g", "floor limit", "maximum mass on its slot, 0 if not stated", each(lambda c: c.floor_limit_g), "whole",
           "g", shown=("file", "paper"), short="limit", decimals=0),
    installed(),
    REMARK,
)  # fmt: skip

CABINETS = Table("cabinets", "One row per cabinet, in the order of their slots.", _data, COLUMNS, keys=1)
