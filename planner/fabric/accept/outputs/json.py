"""The acceptance report as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from planner.domain.model import Plan
from planner.fabric.accept._record import Acceptance, BerResult, CableRecord, LossResult

FILE = "acceptance.json"


def content(acceptance: Acceptance) -> dict[str, Any]:
    """Return the report as values of JSON."""
    found = acceptance.verification
    return {
        "plan": {"name": acceptance.name, "title": acceptance.title, "fingerprint": acceptance.fingerprint},
        "accepted": acceptance.accepted,
        "open": [{"kind": each.kind, "text": each.text, "cables": list(each.cables)} for each in acceptance.open],
        "fabric": {
            "planned": len(found.planned), "found": found.found, "right": found.right, "wrong": len(found.wrong),
            "dark": len(found.dark), "unknown": len(found.unknown), "extra": len(found.removals), "moves": len(found.moves),
        },
        "scans": [vars(each) for each in acceptance.files],
        "cables": [_cable(record) for record in acceptance.cables],
        "loss": None if acceptance.loss is None else [_loss(result) for result in acceptance.loss],
        "unmeasured": acceptance.unmeasured,
        "ber": [_ber(result) for result in acceptance.ber],
        "statistics": dict(acceptance.statistics),
    }  # fmt: skip


def text(acceptance: Acceptance) -> str:
    """Return the report as text."""
    return json.dumps(content(acceptance), indent=1, ensure_ascii=False)


def write(acceptance: Acceptance, plan: Plan, path: Path) -> None:
    """Write the file."""
    path.write_text(text(acceptance) + "\n", encoding="utf-8")


def _cable(record: CableRecord) -> dict[str, Any]:
    row, part, crew = record.row, record.part, record.crew
    return {
        "cable": row.number,
        "stage": row.stage,
        "ends": [{"device": end.device, "port": end.port, "cabinet": end.cabinet, "label": end.label} for end in row.ends],
        "part": row.part,
        "stock_mm": row.stock_mm,
        "state": record.state,
        "read": None if part is None else {"numbers": part.read, "serials": part.serials, "verdict": part.verdict},
        "crew": None if crew is None else vars(crew),
        "deviations": list(record.deviations),
    }


def _loss(result: LossResult) -> dict[str, Any]:
    return {
        **vars(result.test), "verdict": result.verdict, "planned_db": result.planned_db, "allowed_db": result.limit_db,
        "allowed_by": result.limit_from, "connections": result.connections, "remark": result.remark,
    }  # fmt: skip


def _ber(result: BerResult) -> dict[str, Any]:
    return {**vars(result), "port": list(result.port)}
