"""Spares of the laser modules of switches with co-packaged optics."""

from dataclasses import replace
from pathlib import Path

import pytest

from planner.check.bill import bill_complete
from planner.core.errors import InputError
from planner.domain import catalog
from planner.studies import pipeline, study

POLICY = """
[[spares]]
id = "tenth"
transceivers_percent = 10.0
source = "test"
confidence = "D"
"""


def planned(folder, spares="tenth", router="nvidia-q3450-ld", own=POLICY, **bill):
    (folder / "own.toml").write_text(own, encoding="utf-8")
    compute = {
        "name": "compute",
        "topology": {"family": "leafspine", "leaves": 2, "spines": 1, "uplinks": 4, "endpoints_per_leaf": 8},
        "parts": {"leaf": router, "spine": router},
        "attach": [{"node": "dgx", "ports": "compute", "rule": "fill"}],
    }
    content = {
        "name": "photonic", "seed": 1, "room": {"plan": "hall-a"}, "catalog": {"cabinet": "apc-ar3300", "files": ["own.toml"]},
        "placement": {"moves": 1_000}, "near_misses": {"detailed": 0}, "bill": {"spares": spares, **bill},
        "node": [{"name": "dgx", "part": "dgx-b300-xdr", "count": 2}], "network": [compute],
    }  # fmt: skip
    return pipeline.make(study.check(content, base=folder), ("violations",), accepted=False)


def spares_of(plan, part):
    return [line for line in plan.bill.lines if (line.category, line.part) == ("spares", part)]


@pytest.mark.slow
def test_spares_are_counted_over_all_switches(tmp_path):
    """Three switches of 18 modules: a tenth of 54, rounded up."""
    plan = planned(tmp_path)
    [line] = spares_of(plan, "nvidia-quantum-x-laser")
    assert line.quantity == 6
    assert line.unit_cents == next(row.price_cents for row in catalog.rows("laser_module") if row.id == line.part)
    assert "nvidia-quantum-x-laser" in {row.id for row in plan.bill.rows}
    assert plan.violations.items == ()


@pytest.mark.slow
def test_the_verifier_counts_them_again(tmp_path):
    plan = planned(tmp_path)
    lines = tuple(replace(line, quantity=5) if line.part == "nvidia-quantum-x-laser" else line for line in plan.bill.lines)
    found = [item.where for item in bill_complete(replace(plan, bill=replace(plan.bill, lines=lines)))]
    assert found == ["spares of nvidia-quantum-x-laser"]


@pytest.mark.slow
@pytest.mark.parametrize(("spares", "bill"), [("none", {}), ("cisco-cables", {}), ("tenth", {"prices": "slimfly"})])
def test_other_policies_and_prices(tmp_path, spares, bill):
    """No spares without a rule for modules; models of papers do not price them."""
    plan = planned(tmp_path, spares=spares, **bill)
    found = spares_of(plan, "nvidia-quantum-x-laser")
    assert [line.unit_cents for line in found] == ([0] if bill else [])
    assert plan.violations.items == ()


@pytest.mark.slow
def test_switches_without_lasers_have_no_spares_of_them(tmp_path):
    plan = planned(tmp_path, router="nvidia-q3400-ra")
    assert not any("laser" in line.part for line in plan.bill.lines)


def test_an_unknown_module_is_refused_before_anything_runs(tmp_path):
    shipped = (Path(catalog.__file__).parents[3] / "catalogs" / "routers" / "nvidia-quantum.toml").read_text(encoding="utf-8")
    rows = ["[[router]]" + row for row in shipped.split("[[router]]")[1:] if 'id = "nvidia-q3450-ld"' in row]
    own = rows[0].replace("nvidia-q3450-ld", "own-switch").replace("nvidia-quantum-x-laser", "nvidia-quantum-laser")
    with pytest.raises(
        InputError, match="router own-switch names the laser module 'nvidia-quantum-laser', which is in no catalog"
    ):
        planned(tmp_path, own=POLICY + own)
