"""The networks of a plan: their size, cables and cost."""

from __future__ import annotations

from planner.domain.model import Plan
from planner.domain.quantities import Network, networks
from planner.view.tables.table import EVERYWHERE, Column, Table, each


def _data(plan: Plan) -> list[Network] | None:
    return networks(plan) if plan.inventory is not None else None


COLUMNS = (
    Column("network", "network", "name of the network", each(lambda n: n.name), shown=EVERYWHERE),
    Column("family", "family", "family of its topology", each(lambda n: n.family), shown=EVERYWHERE, width=18),
    Column("routers", "routers", "number of routers", each(lambda n: n.routers), "whole", shown=EVERYWHERE),
    Column("links", "links", "number of links between its routers", each(lambda n: n.links), "whole", shown=EVERYWHERE),
    Column("endpoints", "endpoints", "number of attached ports of nodes and of other devices", each(lambda n: n.endpoints),
           "whole", shown=EVERYWHERE),
    Column("devices", "attached devices", "number of devices that own these ports", each(lambda n: n.devices), "whole",
           shown=EVERYWHERE, short="devices"),
    Column("between", "cables between cabinets", "number of cables between two cabinets", each(lambda n: n.between), "whole",
           shown=EVERYWHERE, short="between cabinets"),
    Column("stock_mm", "stock length", "stock length of its cables", each(lambda n: n.stock_mm), "whole", "mm", shown=EVERYWHERE,
           decimals=0),
    Column("routers_cents", "price of routers", "catalog price of its routers", each(lambda n: n.routers_cents), "whole", "cents",
           shown=EVERYWHERE),
    Column("cables_cents", "price of cables", "catalog price of its cables with their transceivers",
           each(lambda n: n.cables_cents), "whole", "cents", shown=EVERYWHERE),
    Column("cents", "price", "catalog price of its routers and cables; cabinets, labor and spares serve all networks",
           each(lambda n: n.cents), "whole", "cents", shown=EVERYWHERE),
)  # fmt: skip

NETWORKS = Table("networks", "One row per network.", _data, COLUMNS, keys=1, named=True)
