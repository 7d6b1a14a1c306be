"""Interface of cost models and power models."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem, suggestion
from planner.domain.parts import Row

Rows = Callable[[str], Iterable[Any]]
"""Function from the name of a kind of catalog row to all its rows."""


@dataclass(frozen=True)
class PriceBy:
    """A cost model.

    Attributes
    ----------
    rows
        Catalog rows of its coefficients.
    labor
        Whether the model prices labor.
    router_usd
        Function from the ports in use to the price of a router.
    cable_usd
        Function from length in meters, whether both ends share a cabinet, and whether one end is an endpoint, to the price
        and whether the cable is optical. Raises `Infeasible` where the model has no such cable.
    """

    name: str
    rows: tuple[Row, ...]
    labor: bool
    router_usd: Callable[[int], float]
    cable_usd: Callable[[float, bool, bool], tuple[float, bool]]

    @property
    def confidence(self) -> str:
        """The lowest confidence of its rows."""
        return max(row.confidence for row in self.rows)

    def router_cents(self, ports: int) -> int:
        """Return the price of a router, in whole cents and not below 0."""
        return max(0, round(100 * self.router_usd(ports)))

    def cable_cents(self, run_mm: np.ndarray, inside: np.ndarray, server: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the price of each cable, int64 (N,), and whether it is optical, bool (N,).

        Raises
        ------
        Infeasible
            When the model has no cable of a length.
        """
        kinds, back = np.unique(np.column_stack([run_mm, inside, server]), axis=0, return_inverse=True)
        found = [self.cable_usd(length / 1000, bool(a), bool(b)) for length, a, b in kinds.tolist()]
        cents = np.array([round(100 * usd) for usd, _ in found], np.int64)
        optical = np.array([fiber for _, fiber in found], bool)
        return cents[back.ravel()], optical[back.ravel()]


@dataclass(frozen=True)
class PowerBy:
    """A power model: base power of a router, and power per port by the medium of its cable."""

    name: str
    rows: tuple[Row, ...]
    router_w: Callable[[int], float]
    electric_w: float = 0.0
    optical_w: float = 0.0

    def router_mw(self, ports: int) -> int:
        """Return the power of a router with this number of ports in use, without the share of its cables."""
        return round(1000 * self.router_w(ports))

    def port_mw(self, optical: bool) -> int:
        """Return the power of one router port."""
        return round(1000 * (self.optical_w if optical else self.electric_w))


def row(rows: Rows, kind: str, name: str) -> Any:
    """Return the catalog row of a model.

    Raises
    ------
    InputError
        When there is none.
    """
    known = {row.id: row for row in rows(kind)}
    if name not in known:
        raise InputError(Problem("", f"the model needs the row {name!r} of kind {kind}", suggestion(name, known)))
    return known[name]
