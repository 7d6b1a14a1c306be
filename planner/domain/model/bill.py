"""The bill of materials: quantities and prices."""

from __future__ import annotations

from dataclasses import dataclass

from planner.core.record import Record, value
from planner.domain.parts import ElectricityRates, ExchangeRate, Row, SparesPolicy


@dataclass(frozen=True)
class BillLine:
    """One line of the bill; totals are quantity times unit.

    Where prices differ within a line, as in cost models by length, `unit_cents` is the mean rounded
    down and `over_cents` the remainder of the line beyond quantity times unit. `stock_mm` is the length of items
    bought by length, else 0.
    """

    category: str
    part: str
    description: str
    quantity: int
    unit_cents: int
    unit_power_mw: int = 0
    unit_mass_g: int = 0
    confidence: str = "A"
    over_cents: int = 0
    stock_mm: int = 0

    @property
    def cents(self) -> int:
        return self.quantity * self.unit_cents + self.over_cents

    @property
    def power_mw(self) -> int:
        return self.quantity * self.unit_power_mw

    @property
    def mass_g(self) -> int:
        return self.quantity * self.unit_mass_g


@dataclass(frozen=True)
class PurchaseLine:
    """One orderable part, or one service: the lines of the bill for one part and length, spares included.

    `section` is parts, services or energy. `part_number` is the maker's complete one, `family` that of the parts of all lengths.
    `cents` is the price of all pieces, as on the bill; `unit_cents` that of one, the mean rounded down where prices differ.
    `source` and `date` are those of the price, `confidence` is empty where there is none. `networks` are the pieces that each
    network installs; the rest serve all of them.
    """

    section: str
    category: str
    part: str
    maker: str
    part_number: str
    family: str
    description: str
    stock_mm: int
    quantity: int
    spares: int
    pieces_per_item: int
    unit_cents: int
    cents: int
    source: str
    date: str
    confidence: str
    lead_days: int | None
    together: str
    networks: tuple[int, ...]

    @property
    def pieces(self) -> int:
        """Pieces to buy."""
        return self.quantity + self.spares

    @property
    def items(self) -> int:
        """Items to order: packs where pieces are delivered together."""
        return -(-self.pieces // self.pieces_per_item)


@dataclass(frozen=True, eq=False)
class Bill(Record, name="bill", needs=("inventory", "catalog", "room", "placement", "cables", "panels", "work")):
    """The bill of materials of a network."""

    currency: str = value("currency of all prices")
    lines: tuple[BillLine, ...] = value("lines, by category")
    prices: str = value("source of router and cable prices: catalog, or a cost model", default="catalog")
    power: str = value("source of power figures: catalog, or a power model", default="catalog")
    spares: SparesPolicy | None = value("spares policy; None without spares", default=None)
    electricity: ElectricityRates | None = value("electricity rates; None where energy is not on the bill", default=None)
    years: float = value("years of energy on the bill", "a", default=0.0)
    oldest: str = value("oldest date of the catalog rows behind the prices", default="")
    newest: str = value("newest of these dates", default="")
    undated: int = value("number of these rows without a date", default=0)
    purchase: tuple[PurchaseLine, ...] = value("the same by orderable part", default=())
    exchange: ExchangeRate | None = value("rate of the purchase file's currency; None for the catalog's", default=None)
    rows: tuple[Row, ...] = value("catalog rows of policies and models, in addition to those of the parts", default=())

    @property
    def categories(self) -> tuple[str, ...]:
        """Categories of the lines, in order."""
        return tuple(dict.fromkeys(line.category for line in self.lines))

    @property
    def energy_kwh(self) -> int:
        """Energy on the bill."""
        return self._total("quantity", "energy")

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
