"""Records exchanged between stages; depends on NumPy and the catalog rows only.

One file per record. Sizes: N networks, R routers, H endpoints, L links, D devices, W = L + H connections and cables,
C cabinets, S slots, T tray nodes, K tray segments, Q routes, P simulated points, J simulated jobs.
The page ``docs/data-model.md`` is generated from these declarations.
"""

from planner.domain.model.bill import Bill, BillLine, PurchaseLine
from planner.domain.model.bisection import Bisection
from planner.domain.model.bundlings import BigBundle, Bundlings
from planner.domain.model.cables import MEDIA, SIDES, Bottleneck, CablePlan, Passive
from planner.domain.model.catalog import Catalog
from planner.domain.model.existing import RESERVED, WHOLE, Equipment, Existing, FixedDevice, KeepFree
from planner.domain.model.failures import Domain, Failures
from planner.domain.model.inventory import AT, POSITIONS, Inventory, Joint
from planner.domain.model.kept import Kept
from planner.domain.model.latency import DELAY_PARTS, Latency
from planner.domain.model.motifs import MotifResult
from planner.domain.model.near_misses import NearMiss, NearMisses
from planner.domain.model.panels import PANEL_KINDS, PanelPlan
from planner.domain.model.placement import FIXTURES, UNIT_UM, Alternative, Placement
from planner.domain.model.plan import Plan
from planner.domain.model.reserved import Reserved
from planner.domain.model.room import EGRESS, MEDIUM_CLASSES, UNSTATED, Room, Zone, ZoneLimit, stated
from planner.domain.model.simulation import SimulationResult
from planner.domain.model.supply import FEEDS, pdu_loads_mw, pdus, power_domains
from planner.domain.model.topology import Topology
from planner.domain.model.violations import Violation, Violations
from planner.domain.model.work import ACTIVITIES, PATCHING, TASK_KINDS, WorkOrder
from planner.domain.model.workload import Workload

__all__ = [
    "ACTIVITIES",
    "AT",
    "DELAY_PARTS",
    "EGRESS",
    "FEEDS",
    "FIXTURES",
    "MEDIA",
    "MEDIUM_CLASSES",
    "PANEL_KINDS",
    "PATCHING",
    "POSITIONS",
    "RESERVED",
    "SIDES",
    "TASK_KINDS",
    "UNIT_UM",
    "UNSTATED",
    "WHOLE",
    "Alternative",
    "BigBundle",
    "Bill",
    "BillLine",
    "Bisection",
    "Bottleneck",
    "Bundlings",
    "CablePlan",
    "Catalog",
    "Domain",
    "Equipment",
    "Existing",
    "Failures",
    "FixedDevice",
    "Inventory",
    "Joint",
    "KeepFree",
    "Kept",
    "Latency",
    "MotifResult",
    "NearMiss",
    "NearMisses",
    "PanelPlan",
    "Passive",
    "Placement",
    "Plan",
    "PurchaseLine",
    "Reserved",
    "Room",
    "SimulationResult",
    "Topology",
    "Violation",
    "Violations",
    "WorkOrder",
    "Workload",
    "Zone",
    "ZoneLimit",
    "pdu_loads_mw",
    "pdus",
    "power_domains",
    "stated",
]
