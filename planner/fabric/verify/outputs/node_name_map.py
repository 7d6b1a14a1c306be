"""Names of the plan for the GUIDs as found: the node-name map that the ``ibdiag`` tools take.

ibnetdiscover --node-name-map node-name-map
"""

from __future__ import annotations

import re
from pathlib import Path

from planner.domain.model import Plan
from planner.fabric.verify.result import Verification

FILE = "node-name-map"

_GUID = re.compile(r"[0-9a-f]{16}")
_UNWRITABLE = re.compile(r'["\\\x00-\x1f\x7f]')


def write(verification: Verification, plan: Plan, path: Path) -> None:
    """Write a line for each identified device that has a GUID, sorted by name; devices that are unsure are comments."""
    lines = [f"# {_clean(plan.name)}: {len(verification.identity.of):,} devices identified by planner verify"]
    for one in sorted(verification.identity.of.values(), key=lambda one: (one.device, one.key)):
        if _GUID.fullmatch(one.key):
            mark = "# unsure: " if one.certainty < 0.5 else ""
            lines.append(f'{mark}0x{one.key} "{_clean(one.device)}"')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def _clean(name: str) -> str:
    """Return a name that the format can hold.

    >>> _clean('a"b')
    'a_b'
    """
    return _UNWRITABLE.sub("_", name)
