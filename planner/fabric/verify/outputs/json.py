"""The verification as JSON, as ``planner verify --json`` prints it."""

from __future__ import annotations

import json
from pathlib import Path

from planner.domain.model import Plan
from planner.fabric.verify.outputs.content.findings import content
from planner.fabric.verify.result import Verification

FILE = "verification.json"


def write(verification: Verification, plan: Plan, path: Path) -> None:
    """Write the JSON."""
    path.write_text(text(verification) + "\n", encoding="utf-8", newline="\n")


def text(verification: Verification) -> str:
    """Return the JSON; characters that a terminal could interpret are escaped."""
    return json.dumps(content(verification), indent=1, ensure_ascii=True)
