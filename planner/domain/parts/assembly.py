"""Assemblies: the parts that make up one cable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from planner.domain.parts.row import Medium, Name


class End(NamedTuple):
    """Plug or module at one end: the module's row ("" for the plug of a finished cable), its full price and power, its ports."""

    part: str
    price_cents: int
    power_mw: int
    links: int


@dataclass(frozen=True, kw_only=True)
class Assembly:
    """The parts that make up one cable: a finished cable, a splitter cable, or two transceivers and a fiber.

    `stock_mm` and `price_cents` are parallel, shortest first; the price is that of the whole
    assembly at that stock length, including the share of a module that serves several ports.
    `power_mw` and `delay_end_ps` are those of one end of one link (the mean of two different ends).

    `length_part` is the row bought by length. `end_part` is the row bought per end ("" for a finished
    cable, and for built-in optics) with its full price and power; if the second end uses another row, that is
    `end_part_b`. `end_links` ports of one cage share such a module.

    A twin-port cable carries `links` links between the same two cages. A splitter has its head in the
    router's cage and `tails` plugs at the other end, one link each.

    `glass`, `plug`, `fibers` and `budget_db` describe the optical channel between two transceivers;
    `loss_db` is the loss of the longest stock length.
    """

    __pydantic_config__ = {"extra": "forbid"}

    id: Name
    medium: Medium
    kind: Name
    rate_gbps: int
    links: int = 1
    tails: int = 1
    connector_a: str
    connector_b: str
    reach_mm: int
    stock_mm: tuple[int, ...]
    price_cents: tuple[int, ...]
    power_mw: int
    diameter_um: int
    bend_mm: int
    mass_g_per_m: int
    delay_ps_per_m: int
    delay_end_ps: int
    length_part: str
    end_part: str = ""
    end_price_cents: int = 0
    end_power_mw: int | None = None
    end_links: int = 1
    end_part_b: str = ""
    end_price_b_cents: int = 0
    end_power_b_mw: int | None = None
    end_links_b: int = 1
    glass: str = ""
    plug: str = ""
    fibers: int = 0
    budget_db: float = 0.0
    loss_db: float = 0.0

    @property
    def carries(self) -> int:
        """Number of links that one such cable carries."""
        return self.links * self.tails

    @property
    def ends(self) -> tuple[End, End]:
        """Plugs or modules at the first and the second end; of a splitter, one of the tails is the second."""
        power = self.power_mw if self.end_power_mw is None else self.end_power_mw
        first = End(self.end_part, self.end_price_cents, power, self.end_links)
        if not self.end_part_b and self.end_power_b_mw is None:
            return first, first
        power_b = self.power_mw if self.end_power_b_mw is None else self.end_power_b_mw
        return first, End(self.end_part_b, self.end_price_b_cents, power_b, self.end_links_b)

    @property
    def length_cents(self) -> tuple[int, ...]:
        """Price of the row bought by length alone, parallel to `stock_mm`."""
        shares = sum(-(-end.price_cents // end.links) for end in self.ends)
        return tuple(price - shares for price in self.price_cents)
