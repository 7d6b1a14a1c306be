"""No false alarm: plans that the planner makes break no design rule, whichever option of their study is changed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import tomli_w
from shared.changed_studies import changes
from shared.plans import STUDIES

from planner.core.errors import Infeasible
from planner.studies import pipeline, study
from planner.studies.stages import stages

QUICK = ["report.formats=[]", "placement.bounds=false"]
GALLERY = sorted((Path(__file__).parents[2] / "reports").glob("*/study.toml"))
SINGLE = [path for path in GALLERY if "[[phase]]" not in path.read_text(encoding="utf-8")]

TOO_LARGE = {"polarstar-campus", "polarstar-1064", "frontier-like", "multiplane-deepseek"}
"""Plans of minutes each: their kinds of networks and cabinets are those of others."""


def false_alarms(path: Path, wanted=None) -> list[str]:
    """Return the errors of the plans of a study with each change; what the room cannot hold is left out."""
    base = _planned(path, [])
    found, tried = [], 0
    for name, values in changes(base):
        if wanted is not None and name not in wanted:
            continue
        try:
            plan = _planned(path, values)
        except Infeasible as error:
            print(f"{path.parent.name}: {name} does not fit: {error}")
            continue
        tried += 1
        found += [f"{name}: {item.rule}: {item.where}: {item.value:g}, limit {item.limit:g} {item.message}"
                  for item in plan.violations.errors]  # fmt: skip
    assert tried >= 5, "the majority of changes suits every study"
    return found


def _planned(path: Path, values: list[str]):
    """Return the plan with changed values; packets are simulated only where that is what changes."""
    searched = 'algorithm = "identity"' not in path.read_text(encoding="utf-8")
    changed = study.load(path, [*QUICK, *["placement.moves=20000"] * searched, *values])
    if "simulation" not in str(values):
        wanted = [name for name in stages(changed) if name.partition("@")[0] not in ("simulation", "workload")]
        return pipeline.make(changed, wanted, accepted=False)
    return pipeline.make(changed, accepted=False)


def _written(name: str, folder: Path) -> Path:
    """Return the file of a small study."""
    content = {"name": name.replace(" ", "-"), "seed": 1, **STUDIES[name]}
    if content.get("placement", {}).get("algorithm") == "random":
        # It takes no number of moves.
        content["placement"] = {**content["placement"], "algorithm": "anneal"}
    path = folder / "study.toml"
    path.write_text(tomli_w.dumps(content), encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", ["plain", "several networks"])
def test_small_studies(name, tmp_path):
    assert false_alarms(_written(name, tmp_path)) == []


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in STUDIES if name not in ("plain", "several networks")])
def test_other_small_studies(name, tmp_path):
    assert false_alarms(_written(name, tmp_path)) == []


@pytest.mark.nightly
@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.parent.name) for path in SINGLE if path.parent.name not in TOO_LARGE]
)
def test_the_gallery(path):
    if "room" in tomllib.loads(path.read_text(encoding="utf-8")):
        assert false_alarms(path) == []
