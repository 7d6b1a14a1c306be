"""Power of the SpectralFly paper: watts per router port, by the medium of the cable in it."""

from __future__ import annotations

from planner.design.bill.models._model import PowerBy, Rows, row


def power(rows: Rows) -> PowerBy:
    """Return the power model: the power of a router is the sum over its ports in use.

    References
    ----------
    .. [1] S. Young et al., "SpectralFly: Ramanujan Graphs as Flexible and Efficient Interconnection Networks",
           section VII.
    """
    model = row(rows, "power_model", "spectralfly-2022")
    return PowerBy("spectralfly", (model,), lambda ports: 0.0, model.electric_w_per_port, model.optical_w_per_port)
