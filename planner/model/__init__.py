"""Records exchanged between stages; depends on NumPy and the catalog rows only.

One file per record. Sizes: N networks, R routers, H endpoints, L links, D devices, W = L + H connections and cables,
C cabinets, S slots, T tray nodes, K tray segments, Q routes, P simulated points, J simulated jobs.
The page ``docs/data-model.md`` is generated from these declarations.
"""

from planner.model.bill import Bill, BillLine, PurchaseLine
from planner.model.bisection import Bisection
from planner.model.bundlings import BigBundle, Bundlings
from planner.model.cables import MEDIA, SIDES, Bottleneck, CablePlan, Passive
from planner.model.catalog import Catalog
from planner.model.existing import RESERVED, WHOLE, Equipment, Existing, FixedDevice, KeepFree
from planner.model.failures import Domain, Failures
from planner.model.inventory import AT, POSITIONS, Inventory, Joint
from planner.model.kept import Kept
from planner.model.latency import DELAY_PARTS, Latency
from planner.model.motifs import MotifResult
from planner.model.near_misses import NearMiss, NearMisses
from planner.model.panels import PANEL_KINDS, PanelPlan
from planner.model.placement import FIXTURES, UNIT_UM, Alternative, Placement
from planner.model.plan import Plan
from planner.model.reserved import Reserved
from planner.model.room import EGRESS, MEDIUM_CLASSES, UNSTATED, Room, Zone, ZoneLimit, stated
from planner.model.simulation import SimulationResult
from planner.model.supply import FEEDS, pdu_loads_mw, pdus, power_domains
from planner.model.topology import Topology
from planner.model.violations import Violation, Violations
from planner.model.work import ACTIVITIES, PATCHING, TASK_KINDS, WorkOrder
from planner.model.workload import Workload

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
