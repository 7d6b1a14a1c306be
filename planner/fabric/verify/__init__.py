"""The fabric as found against the plan: what differs, and the minimum plug moves that mend it.

Readers turn discovery files into scans, which are merged and freed of what never belongs to a plan; devices are identified by
their links, names and anchors; then links are compared, and the difference is repaired.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from planner.fabric.verify.result import Verification as Verification
    from planner.fabric.verify.run import verified as verified

__all__ = ["Verification", "verified"]


def __getattr__(name: str) -> Any:
    """Import the public names at their first use: readers need neither the plan nor its reports."""
    if name == "verified":
        from planner.fabric.verify.run import verified

        return verified
    if name == "Verification":
        from planner.fabric.verify.result import Verification

        return Verification
    raise AttributeError(name)
