"""Growth: a network becomes a larger one, and most of its cables stay where they are.

A step joins two networks: routers of the old one keep their ids, new ones come last. Files of ``methods`` define how the links of
the grown network are found; `step` counts what stays, what is moved and what is added; `bounds` are the proven minimum; `windows`
order the work so that every router stays connected; `plan` does all of it for a sequence of phases.
"""

from planner.network.growth.bounds import moved_by_ports, moved_by_quality
from planner.network.growth.during import Up, during, up
from planner.network.growth.family import grow
from planner.network.growth.methods.inside import phases
from planner.network.growth.partition import Part, Shrink, partition, shrink, subnetwork
from planner.network.growth.plan import Growth, Quality, plan
from planner.network.growth.ports import aligned, ports
from planner.network.growth.step import Step, step
from planner.network.growth.windows import Windows, windows

__all__ = [
    "Growth",
    "Part",
    "Quality",
    "Shrink",
    "Step",
    "Up",
    "Windows",
    "aligned",
    "during",
    "grow",
    "moved_by_ports",
    "moved_by_quality",
    "partition",
    "phases",
    "plan",
    "ports",
    "shrink",
    "step",
    "subnetwork",
    "up",
    "windows",
]
