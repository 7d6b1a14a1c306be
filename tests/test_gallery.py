"""Every study under reports/ is run again; its figures must be those that are kept beside it."""

import json
from pathlib import Path

import pytest

from planner import flow, study

STUDIES = sorted((Path(__file__).parents[1] / "reports").glob("*/study.toml"))

EXACT = {"routers", "endpoints", "links", "radix", "diameter", "cabinets", "slots", "cables", "errors", "cost_routers_cents"}
"""Other figures pass through floating point in placement and simulation, whose last bit may differ between processors."""


@pytest.mark.parametrize("path", [pytest.param(p, id=p.parent.name, marks=[pytest.mark.slow]) for p in STUDIES])
def test_a_study_gives_its_figures_again(path, tmp_path):
    kept = json.loads((path.parent / "quantities.json").read_text())
    plan = flow.run(study.load(path, ['report.formats=["csv"]']), out=tmp_path)
    assert plan.quantities.keys() == kept.keys()
    for name, entry in kept.items():
        found = plan.quantities[name]
        assert found["unit"] == entry["unit"]
        tolerance = 0 if name in EXACT else 0.01 * abs(entry["value"])
        assert found["value"] == pytest.approx(entry["value"], abs=tolerance), name
    assert plan.violations.errors == ()


def test_every_study_keeps_its_results():
    assert len(STUDIES) >= 2
    for path in STUDIES:
        assert (path.parent / "quantities.json").exists()
        assert (path.parent / "violations.json").exists()
