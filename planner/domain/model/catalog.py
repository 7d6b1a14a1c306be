"""The parts of one study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from planner.core.errors import InputError, Problem
from planner.core.record import Record, value
from planner.domain.parts import (
    Assembly,
    BlankingPanel,
    BundlingParts,
    CabinetPart,
    CableManager,
    CustomLength,
    EndpointPart,
    LaborRates,
    LossRule,
    PduPart,
    RouterPart,
    Row,
)

P = TypeVar("P", RouterPart, EndpointPart)


@dataclass(frozen=True, eq=False)
class Catalog(Record, name="catalog"):
    """The parts that one study may use, chosen from the catalog files."""

    router: RouterPart | None = value("box of every router in a study with one network")
    endpoint: EndpointPart | None = value("box of the endpoints in such a study")
    cabinet: CabinetPart = value("cabinet")
    labor: LaborRates = value("labor rates")
    rows: tuple[Row, ...] = value("every catalog row in use, for sources and assumptions")
    link_assemblies: tuple[Assembly, ...] = value("assemblies that connect two routers", default=())
    endpoint_assemblies: tuple[Assembly, ...] = value("assemblies that connect a router and an endpoint", default=())
    shared_link_assemblies: tuple[Assembly, ...] = value("assemblies that carry all links of two cages", default=())
    shared_endpoint_assemblies: tuple[Assembly, ...] = value("assemblies that connect a cage to all its endpoints", default=())
    loss: LossRule | None = value("loss of connectors and fiber", default=None)
    custom_length: CustomLength | None = value("price rule of cables made to length", default=None)
    pdu: PduPart | None = value("power distribution unit, where power is planned per unit", default=None)
    manager: CableManager | None = value("cable manager above routers, if any", default=None)
    blanking: BlankingPanel | None = value("blanking panel for free units, if any", default=None)
    bundling: BundlingParts | None = value("trunks, panels, multi-core fibers and shuffle boxes", default=None)
    currency: str = value("currency of all prices", default="USD")

    @property
    def router_part(self) -> RouterPart:
        """Box of the routers of a study with one network."""
        return _of_one_network(self.router)

    @property
    def endpoint_part(self) -> EndpointPart:
        """Box of the endpoints of a study with one network."""
        return _of_one_network(self.endpoint)

    @property
    def bundling_parts(self) -> BundlingParts:
        """Parts for bundling, which trunks, panels, multi-core fibers and shuffle boxes need."""
        if self.bundling is None:
            remedy = "give rows of the kinds trunk_rule, panel, shuffle_box and fill"
            raise InputError(Problem("catalog", "the catalogs have no parts for trunks, panels and boxes", remedy))
        return self.bundling


def _of_one_network(part: P | None) -> P:
    if part is None:
        remedy = "choose router and endpoint in [catalog], or write [[network]] and [[node]] tables"
        raise InputError(
            Problem("catalog", "states no router or no endpoint, as a network without a table of its own needs", remedy)
        )
    return part
