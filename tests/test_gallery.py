"""Every study under reports/ is run again; its figures must be those that are kept beside it."""

import json
import zipfile
from pathlib import Path

import pytest

from planner import flow, registry, study
from planner.report import file_name

EXAMPLES = Path(__file__).parents[1] / "reports" / "every-format"
BY_LIBRARIES = {"pdf", "labels", "xlsx", "nvidia_p2p", "shcd", "dxf_floor", "html"}
"""Formats whose bytes depend on the version of the library that writes them."""

STUDIES = sorted((Path(__file__).parents[1] / "reports").glob("*/study.toml"))

EXACT = {"routers", "endpoints", "links", "radix", "diameter", "cabinets", "slots", "cables", "errors", "cost_routers_cents"}
"""Other figures pass through floating point in placement and simulation, whose last bit may differ between processors."""


@pytest.mark.parametrize("path", [pytest.param(p, id=p.parent.name, marks=[pytest.mark.slow]) for p in STUDIES])
def test_a_study_gives_its_figures_again(path, tmp_path):
    kept = json.loads((path.parent / "quantities.json").read_text())
    # Files of every format are compared as well, where the gallery has them.
    plan = flow.run(study.load(path, [] if path.parent == EXAMPLES else ['report.formats=["csv"]']), out=tmp_path)
    assert plan.quantities.keys() == kept.keys()
    for name, entry in kept.items():
        found = plan.quantities[name]
        assert found["unit"] == entry["unit"]
        tolerance = 0 if name in EXACT else 0.01 * abs(entry["value"])
        assert found["value"] == pytest.approx(entry["value"], abs=tolerance), name
    assert plan.violations.errors == ()
    if path.parent == EXAMPLES:
        for name in set(registry.names("report")) - BY_LIBRARIES:
            file = file_name(plan.name, name, {})
            assert contents(tmp_path / file) == contents(EXAMPLES / file), f"run planner run reports/every-format for {file}"


def test_every_study_keeps_its_results():
    assert len(STUDIES) >= 2
    for path in STUDIES:
        assert (path.parent / "quantities.json").exists()
        assert (path.parent / "violations.json").exists()


def test_the_gallery_has_an_example_of_every_format():
    formats = registry.names("report")
    assert set(study.load(EXAMPLES).sections["report"]["formats"]) == set(formats)
    kept = {path.name for path in EXAMPLES.glob("every-format.*")} - {"every-format.html"}
    assert kept == {file_name("every-format", name, {}) for name in formats} - {"every-format.html"}


def contents(path):
    """Bytes of a file, or of all files in an archive."""
    if path.suffix != ".zip":
        return path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
