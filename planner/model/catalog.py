"""The parts of one study."""

from __future__ import annotations

from dataclasses import dataclass

from planner.parts import (
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
from planner.record import Record, value


@dataclass(frozen=True, eq=False)
class Catalog(Record):
    """The parts that one study may use, chosen from the catalog files."""

    router: RouterPart = value("the switch box of every router")
    endpoint: EndpointPart = value("the box that holds the endpoints")
    cabinet: CabinetPart = value("the cabinet")
    labor: LaborRates = value("labor rates")
    link_assemblies: tuple[Assembly, ...] = value("what can join two routers")
    endpoint_assemblies: tuple[Assembly, ...] = value("what can join a router and an endpoint")
    rows: tuple[Row, ...] = value("every catalog row in use, for sources and assumptions")
    shared_link_assemblies: tuple[Assembly, ...] = value("what can join two cages by all their links at once", default=())
    shared_endpoint_assemblies: tuple[Assembly, ...] = value("what can join a cage to all its endpoints at once", default=())
    loss: LossRule | None = value("loss of connectors and fiber", default=None)
    custom_length: CustomLength | None = value("what a cable made to length costs", default=None)
    pdu: PduPart | None = value("the power distribution unit, where power is planned down to it", default=None)
    manager: CableManager | None = value("the cable manager above routers, if any", default=None)
    blanking: BlankingPanel | None = value("the panel that closes free units, if any", default=None)
    bundling: BundlingParts | None = value("trunks, panels, multi-core fibers and shuffle boxes", default=None)
    currency: str = value("currency of all prices", default="USD")
