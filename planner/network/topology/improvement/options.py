"""Options of the improvement of a network by exchanges of links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Ge, Gt, Le


@dataclass(frozen=True, kw_only=True)
class Improve:
    """Search for a network with fewer hops by exchanges of links.

    Parameters
    ----------
    moves
        Number of exchanges tried.
    objective
        ``mean``: mean hops between all pairs of routers. ``diameter``: first the diameter, then mean hops.
    groups
        ``kept``: the number of links between every two groups of the finest level, and inside each, stays. ``ignored``: links of
        one class are exchanged between any groups.
    hot
        Initial temperature, in units of the mean absolute cost change of a random exchange. The default keeps the structure of a
        good network; from a small random network, higher ones give better results.
    cold
        Final temperature, in the same unit.
    seed
        Seed of the search, separate from the seed of the study.
    """

    __pydantic_config__ = {"extra": "forbid", "allow_inf_nan": False}

    moves: Annotated[int, Ge(1), Le(2_000_000_000)] = 100_000
    objective: Literal["mean", "diameter"] = "mean"
    groups: Literal["kept", "ignored"] = "kept"
    hot: Annotated[float, Gt(0)] = 0.02
    cold: Annotated[float, Gt(0)] = 0.005
    seed: Annotated[int, Ge(0)] = 1
