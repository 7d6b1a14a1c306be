"""Cables that are one too many and may serve as missing ones."""

from __future__ import annotations

from collections.abc import Sequence

from planner.fabric.verify.compare import Difference
from planner.fabric.verify.result import Addition, Evidence, Removal


def suggestions(
    removals: Sequence[Removal], additions: Sequence[Addition], difference: Difference, evidence: Evidence
) -> list[str]:
    """Return for each cable to take out the missing link that it may serve: two plug moves instead of a new cable.

    A cable that is known to be the planned one goes first, then the longest link that it can serve.
    """
    row = difference.row
    left = [one for one in additions if one.what.startswith("missing")]
    left.sort(key=lambda one: (-row[one.ports[0]][0].run_mm, one.cable))
    found = []
    for removal in removals:
        if any(port.port == 0 for port in removal.ports):
            continue
        length = next((evidence.reach_mm[port] for port in removal.ports if port in evidence.reach_mm), None)
        for one in left:
            planned = row[one.ports[0]][0]
            fits = one.cable == removal.cable or (removal.cable == 0 and (length is None or length >= planned.run_mm))
            if fits and len(one.lanes) == len(removal.lanes):
                left.remove(one)
                (a, b), known = removal.ports, bool(removal.cable) or length is not None
                condition = "" if known else f" if it is {planned.part} and at least {planned.run_mm / 1000:g} m long"
                text = (
                    f"The cable between {a.device} port {a.port} and {b.device} port {b.port} may serve as cable {planned.number}"
                )
                found.append(f"{text}{condition}: two plug moves instead of a new cable.")
                break
    return found
