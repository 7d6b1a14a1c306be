"""Catalog rows: one dataclass per kind of row.

Integers with the unit in the name, because all figures are summed: millimeters, micrometers,
grams, milliwatts, cents, picoseconds. The TOML tables of ``catalogs/`` have exactly these keys.
Coefficients of published models are floats in the papers' own units.
"""

from __future__ import annotations

from dataclasses import dataclass

from planner.domain.parts.assembly import Assembly
from planner.domain.parts.boxes import CabinetPart, EndpointPart, NicPart, RouterPart
from planner.domain.parts.cables import (
    BendRule,
    BreakoutPart,
    CableDiameters,
    CablePart,
    CustomLength,
    FiberPart,
    LaserModule,
    LossRule,
    MulticoreFiber,
    PolarityMap,
    TransceiverPart,
    TrunkBound,
    TrunkRule,
)
from planner.domain.parts.faceplate import Face, Socket, SocketBlock
from planner.domain.parts.facility import BlankingPanel, CableManager, CoolingUnit, FacilityPart, PduPart, PowerShelf
from planner.domain.parts.labels import LabelPrint, LabelSheet
from planner.domain.parts.machines import CabinetGrid, CableTable, Machine
from planner.domain.parts.models import (
    BundleModel,
    CableClassCost,
    CableCost,
    DelayModel,
    LayoutModel,
    PanelCost,
    PowerModel,
    PublishedLayout,
    RouterCost,
)
from planner.domain.parts.money import ElectricityRates, ExchangeRate, Gap, LaborRates, PriceSeen, SparesPolicy
from planner.domain.parts.panels import BundlingParts, CassettePart, FanOut, PanelPart, ShuffleBox, TrunkPart
from planner.domain.parts.plugs import LightLimit, LinkLimit, LossLimit, PlugNumber
from planner.domain.parts.port_group import Optics, PortGroup
from planner.domain.parts.ports import MANAGEMENT
from planner.domain.parts.row import Confidence, Goods, Medium, Name, NonNegative, Positive, Row
from planner.domain.parts.site import (
    ColorCode,
    FillRule,
    FloorRule,
    LabelFormat,
    LabelRule,
    PowerLimit,
    SeparationRule,
    SlackRule,
    TrayPart,
)


@dataclass(frozen=True)
class Kind:
    """One kind of row: its dataclass, its folder in ``catalogs/``, and whether it is reference for people: no stage reads it."""

    cls: type[Row]
    folder: str
    reference: bool = False


KINDS = {
    "router": Kind(RouterPart, "routers"),
    "endpoint": Kind(EndpointPart, "endpoints"),
    "nic": Kind(NicPart, "nics", reference=True),
    "cabinet": Kind(CabinetPart, "cabinets"),
    "pdu": Kind(PduPart, "pdus"),
    "power_shelf": Kind(PowerShelf, "pdus"),
    "cable_manager": Kind(CableManager, "accessories"),
    "blanking_panel": Kind(BlankingPanel, "accessories"),
    "cooling_unit": Kind(CoolingUnit, "cooling"),
    "cable": Kind(CablePart, "cables"),
    "breakout": Kind(BreakoutPart, "breakouts"),
    "transceiver": Kind(TransceiverPart, "transceivers"),
    "laser_module": Kind(LaserModule, "transceivers"),
    "fiber": Kind(FiberPart, "fibers"),
    "trunk": Kind(TrunkPart, "trunks"),
    "trunk_rule": Kind(TrunkRule, "trunks"),
    "trunk_bound": Kind(TrunkBound, "trunks", reference=True),
    "multicore_fiber": Kind(MulticoreFiber, "trunks"),
    "panel": Kind(PanelPart, "panels"),
    "cassette": Kind(CassettePart, "panels"),
    "shuffle_box": Kind(ShuffleBox, "panels"),
    "fan_out": Kind(FanOut, "panels"),
    "polarity": Kind(PolarityMap, "rules", reference=True),
    "loss": Kind(LossRule, "rules"),
    "custom_length": Kind(CustomLength, "rules"),
    "loss_limit": Kind(LossLimit, "rules"),
    "plug_number": Kind(PlugNumber, "plugs"),
    "link_limit": Kind(LinkLimit, "plugs"),
    "light_limit": Kind(LightLimit, "plugs"),
    "bend": Kind(BendRule, "rules", reference=True),
    "diameter": Kind(CableDiameters, "rules", reference=True),
    "tray": Kind(TrayPart, "rules"),
    "fill": Kind(FillRule, "rules"),
    "separation": Kind(SeparationRule, "rules", reference=True),
    "slack": Kind(SlackRule, "rules", reference=True),
    "floor": Kind(FloorRule, "floors", reference=True),
    "power_limit": Kind(PowerLimit, "floors", reference=True),
    "label": Kind(LabelFormat, "labels", reference=True),
    "label_rule": Kind(LabelRule, "labels", reference=True),
    "label_sheet": Kind(LabelSheet, "labels"),
    "label_print": Kind(LabelPrint, "labels"),
    "color": Kind(ColorCode, "labels", reference=True),
    "labor": Kind(LaborRates, "labor"),
    "spares": Kind(SparesPolicy, "spares"),
    "electricity": Kind(ElectricityRates, "prices"),
    "price": Kind(PriceSeen, "prices"),
    "gap": Kind(Gap, "gaps", reference=True),
    "cable_cost": Kind(CableCost, "models"),
    "cable_class_cost": Kind(CableClassCost, "models", reference=True),
    "router_cost": Kind(RouterCost, "models"),
    "panel_cost": Kind(PanelCost, "models", reference=True),
    "power_model": Kind(PowerModel, "models"),
    "layout": Kind(LayoutModel, "models", reference=True),
    "delay_model": Kind(DelayModel, "models"),
    "bundle_model": Kind(BundleModel, "models", reference=True),
    "published_layout": Kind(PublishedLayout, "models", reference=True),
    "machine": Kind(Machine, "machines", reference=True),
    "cabinet_grid": Kind(CabinetGrid, "machines", reference=True),
    "cable_table": Kind(CableTable, "machines", reference=True),
}
"""Every kind of row by the name of its TOML table."""

DEVICES = ("router", "endpoint", "pdu", "power_shelf", "cooling_unit")
"""Kinds of rows that may be devices in a cabinet."""

__all__ = [
    "DEVICES",
    "KINDS",
    "MANAGEMENT",
    "Assembly",
    "BundlingParts",
    "Confidence",
    "ExchangeRate",
    "Face",
    "FacilityPart",
    "Goods",
    "Kind",
    "LaborRates",
    "Medium",
    "Name",
    "NonNegative",
    "Optics",
    "PortGroup",
    "Positive",
    "Row",
    "Socket",
    "SocketBlock",
    *(kind.cls.__name__ for kind in KINDS.values()),
]
