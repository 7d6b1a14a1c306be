"""Cost and power models of papers, by the names that a study gives them.

A file per paper. Coefficients are rows of ``catalogs/models``; only the paper's rule for electric or optical is code.
All prices are in the paper's own technology and year: a Slim Fly is priced at 40 Gb/s regardless of the study's router.
"""

from __future__ import annotations

from collections.abc import Callable

from planner.design.bill.models import mudigonda, slimfly, spectralfly
from planner.design.bill.models._model import PowerBy, PriceBy, Rows

PRICES: dict[str, Callable[[Rows], PriceBy]] = {
    "slimfly": slimfly.prices,
    "mudigonda-stock": mudigonda.stock,
    "mudigonda-custom": mudigonda.custom,
}
POWER: dict[str, Callable[[Rows], PowerBy]] = {"slimfly": slimfly.power, "spectralfly": spectralfly.power}

__all__ = ["POWER", "PRICES", "PowerBy", "PriceBy", "Rows"]
