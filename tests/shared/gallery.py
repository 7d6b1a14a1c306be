"""Plans of studies of the gallery, placed in order, which is quick."""

from __future__ import annotations

from pathlib import Path

from planner.domain.model import Plan
from planner.studies import pipeline, study

REPORTS = Path(__file__).parents[2] / "reports"


def planned(name: str, folder: Path, until: str = "cables") -> Plan:
    quick = ["placement.algorithm='identity'", "report.formats=[]"]
    return pipeline.run(study.load(REPORTS / name / "study.toml", quick), out=folder, until=until)
