"""Cost and power of the Slim Fly paper: routers by ports, cables by length, 2.8 W per port."""

from __future__ import annotations

from planner.design.bill.models._model import PowerBy, PriceBy, Rows, row


def prices(rows: Rows) -> PriceBy:
    """Return the cost model: a cable inside a cabinet is electric, any other electric or optical, whichever is cheaper.

    Endpoint cables are priced like links. Cabinets and labor are not in the model.

    References
    ----------
    .. [1] M. Besta, T. Hoefler, "Slim Fly: A Cost Effective Low-Diameter Network Topology", SC'14.
    .. [2] I. Fujiwara, layout scripts of the National Institute of Informatics, method cost_of_cable, which
           quote [1]; see the rows of ``catalogs/models/cost.toml``.
    """
    electric = row(rows, "cable_cost", "slimfly-sc14-fdr10-electric")
    optical = row(rows, "cable_cost", "slimfly-sc14-fdr10-optical")
    router = row(rows, "router_cost", "slimfly-sc14-router")

    def cable_usd(length_m: float, inside: bool, server: bool) -> tuple[float, bool]:
        by_wire, by_fiber = electric.usd(length_m), optical.usd(length_m)
        return (by_wire, False) if inside or by_wire <= by_fiber else (by_fiber, True)

    return PriceBy("slimfly", (electric, optical, router), False, router.price_usd, cable_usd)


def power(rows: Rows) -> PowerBy:
    """Return the power model: lanes per port times watts per lane, for every port in use, regardless of the medium."""
    model = row(rows, "power_model", "slimfly-sc14-serdes")
    return PowerBy("slimfly", (model,), lambda ports: ports * model.lanes_per_port * model.w_per_lane)
