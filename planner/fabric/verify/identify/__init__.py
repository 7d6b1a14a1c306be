"""Which planned device each found box is, by its links first, and the fabric in ports of the plan."""

from planner.fabric.verify.identify._identify import identify
from planner.fabric.verify.identify._located import PlannedPorts, located, planned_ports

__all__ = ["PlannedPorts", "identify", "located", "planned_ports"]
