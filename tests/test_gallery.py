"""Every study under reports/ is run again; its figures must be those that are kept next to it."""

import csv
import json
import zipfile
from pathlib import Path

import pytest
from shared.purchase import buys_what_is_planned

from planner.core import registry
from planner.formats import file_name
from planner.formats import published as published_figures
from planner.studies import phased, pipeline, study

EXAMPLES = Path(__file__).parents[1] / "reports" / "every-format"
BY_LIBRARIES = {"pdf", "labels", "device_labels", "xlsx", "purchase", "nvidia_p2p", "shcd", "dxf_floor", "html", "parquet"}
"""Formats whose bytes depend on the version of the library that writes them."""

EVERY = sorted((Path(__file__).parents[1] / "reports").glob("*/study.toml"))
PHASED = [path for path in EVERY if "[[phase]]" in path.read_text(encoding="utf-8")]
STUDIES = [path for path in EVERY if path not in PHASED]

LONG = {"polarstar-campus"}
"""Plans of millions of cables, which take many minutes: their counts are tested, and their figures by hand."""

EXACT = {"routers", "endpoints", "links", "radix", "diameter", "cabinets", "slots", "cables", "errors", "cost_routers_cents"}
"""Other figures pass through floating point in placement and simulation, whose last bit may differ between processors."""


LARGE = {
    "dragonfly-two-halls",
    "superpod-h100",
    "polarstar-1064",
    "multiplane-deepseek",
    "frontier-like",
    "superpod-b200",
    "gb200-2su",
    "hpn-segment",
    "slimfly-with-storage",
}
"""Plans of more than 10,000 cables, and those of several networks besides superpod-h100."""


def marked(path):
    return pytest.param(path, id=path.parent.name, marks=getattr(pytest.mark, "nightly" if path.parent.name in LARGE else "slow"))


@pytest.mark.parametrize("path", [marked(path) for path in STUDIES if path.parent.name not in LONG])
def test_a_study_gives_its_figures_again(path, tmp_path):
    kept = json.loads((path.parent / "quantities.json").read_text())
    published = path.parent / published_figures.FILE
    # Files of every format are compared as well, where the gallery has them.
    formats = json.dumps(["csv", "published"] if published.exists() else ["csv"])
    plan = pipeline.run(study.load(path, [] if path.parent == EXAMPLES else [f"report.formats={formats}"]), out=tmp_path)
    assert plan.quantities.keys() == kept.keys()
    for name, entry in kept.items():
        found = plan.quantities[name]
        assert found["unit"] == entry["unit"]
        tolerance = 0 if name in EXACT else 0.01 * abs(entry["value"])
        assert found["value"] == pytest.approx(entry["value"], abs=tolerance), name
    assert plan.violations.errors == ()
    if plan.bill is not None:
        buys_what_is_planned(plan)
    if published.exists():
        assert (tmp_path / published.name).read_text() == published.read_text()
    if path.parent == EXAMPLES:
        for name in set(registry.names("report")) - BY_LIBRARIES:
            file = file_name(plan.name, name, {})
            assert contents(tmp_path / file) == contents(EXAMPLES / file), f"run planner run reports/every-format for {file}"


@pytest.mark.slow
@pytest.mark.parametrize("path", [pytest.param(path, id=path.parent.name) for path in PHASED])
def test_a_machine_in_phases_gives_its_figures_again(path, tmp_path):
    kept = json.loads((path.parent / "phases.json").read_text())
    found = phased.run(study.load(path, ['report.formats=["csv"]']), out=tmp_path)
    again = json.loads((tmp_path / "phases.json").read_text())
    exact = ("name", "routers", "endpoints", "links", "kept", "moved", "bound_ports", "bound_quality", "added", "diameter")
    for one, other in zip(again["phases"], kept["phases"], strict=True):
        assert {name: one[name] for name in exact} == {name: other[name] for name in exact}
        for name in ("cost_cents", "link_mm"):
            assert one[name] == pytest.approx(other[name], rel=0.01), name
    assert all(plan.violations.errors == () for plan in found.plans)


def test_the_largest_plan_has_the_counts_of_its_construction():
    """PolarStar of ER_q and an inductive quad of degree d: (q² + q + 1)(2d + 2) routers with q + 1 + d links each."""
    folder, q, d = EVERY[0].parents[1] / "polarstar-campus", 43, 20
    kept = json.loads((folder / "quantities.json").read_text())
    routers = (q * q + q + 1) * (2 * d + 2)
    assert kept["routers"]["value"] == routers
    assert kept["endpoints"]["value"] == 16 * routers
    assert kept["cables"]["value"] == kept["links"]["value"] + kept["endpoints"]["value"]
    assert kept["links"]["value"] == routers * (q + 1 + d) // 2
    assert json.loads((folder / "violations.json").read_text())["items"] == []
    assert study.load(folder / "study.toml").sections["placement"]["algorithm"] == "hierarchical"


def test_every_study_keeps_its_results():
    for path in PHASED:
        assert (path.parent / "phases.json").exists()
    assert len(STUDIES) >= 2
    for path in STUDIES:
        assert (path.parent / "quantities.json").exists()
        assert (path.parent / "violations.json").exists()


def test_the_gallery_has_an_example_of_every_format():
    formats = registry.names("report")
    assert set(study.load(EXAMPLES).sections["report"]["formats"]) == set(formats)
    written = {file_name("every-format", name, {}) for name in formats} - {"every-format.html"}
    assert {path.name for path in EXAMPLES.glob("every-format.*")} - {"every-format.html"} <= written
    assert all((EXAMPLES / name).exists() for name in written)


@pytest.mark.slow
@pytest.mark.parametrize("path", [pytest.param(path, id=path.parent.name) for path in STUDIES])
def test_figures_that_differ_from_the_published_ones_are_explained(path):
    """Every study with published figures keeps them, and a difference has a reason next to it."""
    file = path.parent / published_figures.FILE
    assert file.exists() == ("published" in study.load(path).sections.get("report", {}).get("formats", ()))
    if file.exists():
        with file.open(encoding="utf-8", newline="") as text:
            rows = list(csv.DictReader(text))
        assert rows
        assert not [row["figure"] for row in rows if float(row["published"]) != float(row["here"]) and not row["note"]]


def contents(path):
    """Bytes of a file, or of all files in an archive."""
    if path.suffix != ".zip":
        return path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
