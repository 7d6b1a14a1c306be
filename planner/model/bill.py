"""What to buy and to pay."""

from __future__ import annotations

from dataclasses import dataclass

from planner.record import Record, value


@dataclass(frozen=True)
class BillLine:
    """One line of the bill; totals are quantity times unit."""

    category: str
    part: str
    description: str
    quantity: int
    unit_cents: int
    unit_power_mw: int = 0
    unit_mass_g: int = 0
    confidence: str = "A"

    @property
    def cents(self) -> int:
        return self.quantity * self.unit_cents

    @property
    def power_mw(self) -> int:
        return self.quantity * self.unit_power_mw

    @property
    def mass_g(self) -> int:
        return self.quantity * self.unit_mass_g


@dataclass(frozen=True, eq=False)
class Bill(Record):
    """What to buy and to pay."""

    currency: str = value("currency of all prices")
    lines: tuple[BillLine, ...] = value("the lines, by category")

    def _total(self, quantity: str, category: str | None) -> int:
        return sum(getattr(line, quantity) for line in self.lines if category in (None, line.category))

    def cents(self, category: str | None = None) -> int:
        """Return the total price, of one category if named."""
        return self._total("cents", category)

    def power_mw(self, category: str | None = None) -> int:
        """Return the typical power of the network: routers and both ends of every cable."""
        return self._total("power_mw", category)

    def mass_g(self, category: str | None = None) -> int:
        return self._total("mass_g", category)
