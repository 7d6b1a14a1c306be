"""Records that Planner 0.1 stored, which have no version: their fingerprints are of fields in the order of declaration then."""

from __future__ import annotations

from typing import Any

import numpy as np

_ORDER = {
    "Bisection": "vvvaav",
    "Bundlings": "vvaaaaaaaavv",
    "CablePlan": "aaaaaaaaaaaaaaaaavaaaaaaaaaavavaaaaaaaavvvavaaavvv",
    "Cooling": "vvvvvaaaaavvvv",
    "Failures": "vvavaaaaaaaaaaaaaa",
    "Inventory": "vvaavavavavaaavaaaavvaaaaaaaa",
    "Kept": "vaaaaaaaaaaaaaaaaaa",
    "Latency": "avvvaaavvvvvvvvvvaaaaavaaaaavva",
    "PanelPlan": "aaaaaaaavaaaaaaaaaaaaaaaavaaaaaaaaav",
    "Placement": "aaaaaavvvvvavvvvvvvvvv",
    "Reserved": "vaaaa",
    "Room": "vvvavvvaaaaaaaavaaaaaavvvvvvvvvvvvvvv",
    "SimulationResult": "vvvvvaaaaaaaaaaaaaaaaaaaaaaavvvvvvv",
    "Topology": "vvaavaaaaavavavvvv",
    "WorkOrder": "vvvvaaaavaaaaaaaaaaa",
    "Workload": "vvvvvaaaaaaaaaaaaa",
}
"""Which fields of a record were arrays (a) and which values (v), in their order; a file has each kind in its order."""


def order_of_0_1(record: str, content: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return the fields of a record that Planner 0.1 stored in the order of their declaration, with their contents."""
    of_kind: dict[str, list[tuple[str, Any]]] = {"a": [], "v": []}
    for name, given in content.items():
        of_kind["a" if isinstance(given, np.ndarray) else "v"].append((name, given))
    following = {kind: iter(fields) for kind, fields in of_kind.items()}
    ordered = [next(following[kind], None) for kind in _ORDER.get(record, "")]
    return [*(each for each in ordered if each), *following["a"], *following["v"]]
