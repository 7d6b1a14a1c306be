"""Cost models of Mudigonda et al.: cables by stock length, or made to length; 500 USD per router port."""

from __future__ import annotations

from planner.core.errors import Infeasible
from planner.design.bill.models._model import PriceBy, Rows, row
from planner.domain.parts import CableCost


def stock(rows: Rows) -> PriceBy:
    """Return the model with cables from stock: the shortest length that is long enough.

    Endpoint cables are SFP+ copper; links are QSFP+ copper up to its reach, then QSFP+ fiber. Labor is
    added by the study's labor rates.

    References
    ----------
    .. [1] J. Mudigonda, P. Yalagandula, J. C. Mogul, "Taming the Flying Cable Monster: A Topology Design and
           Optimization Framework for Data-Center Networks", USENIX ATC 2011.
    """
    return _model(
        rows, "mudigonda-stock", "mudigonda-2011-stock-sfp-copper", "mudigonda-2011-stock-qsfp-copper",
        "mudigonda-2011-stock-qsfp-fiber",
    )  # fmt: skip


def custom(rows: Rows) -> PriceBy:
    """Return the model with cables made to length: a line in length, plus the cost of fabrication.

    Endpoint cables are of one channel, copper up to its reach; links are of four, copper up to its reach and
    fiber beyond. Endpoint cables beyond the reach of copper are priced as fiber of four channels: the model has no other.
    """
    return _model(
        rows, "mudigonda-custom", "mudigonda-2011-single-copper", "mudigonda-2011-quad-copper", "mudigonda-2011-quad-fiber"
    )


def _model(rows: Rows, name: str, endpoint: str, copper: str, fiber: str) -> PriceBy:
    single, quad, optical = (row(rows, "cable_cost", each) for each in (endpoint, copper, fiber))
    router = row(rows, "router_cost", "mudigonda-2011-port")

    def cable_usd(length_m: float, inside: bool, server: bool) -> tuple[float, bool]:
        for model, is_optical in ((single if server else quad, False), (optical, True)):
            if length_m <= _reach_m(model):
                return model.usd(length_m), is_optical
        raise Infeasible(
            f"a cable of {length_m:g} m has no price in {name}: its longest is {_reach_m(optical):g} m; "
            "shorten the routes, or choose other prices in [bill]"
        )

    return PriceBy(name, (single, quad, optical, router), True, router.price_usd, cable_usd)


def _reach_m(model: CableCost) -> float:
    if model.stock_mm:
        return model.stock_mm[-1] / 1000
    return float("inf") if model.reach_m is None else model.reach_m
