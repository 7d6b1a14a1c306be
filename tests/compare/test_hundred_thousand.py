"""The kept comparison of 100,000 endpoints: its page states what its table has, and its choices are chosen again."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path

import pytest

from planner.core.errors import Infeasible
from planner.studies.explore.candidate import Demand
from planner.studies.explore.candidates import all_families
from planner.studies.explore.choice import choose

FOLDER = Path(__file__).parents[2] / "reports" / "compare-100k"


@pytest.fixture(scope="module")
def rows():
    with open(FOLDER / "compare-100k.csv", newline="") as file:
        return {row["network"]: row for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def comparison():
    return tomllib.loads((FOLDER / "comparison.toml").read_text())


def test_every_family_is_there(rows, comparison):
    assert comparison["families"] == "all"
    assert set(rows) == set(all_families())


def test_all_that_fit_were_simulated(rows, comparison):
    planned = [row for row in rows.values() if row["status"] == "done"]
    fitting = [row for row in planned if row["errors"] == "0"]
    assert len(fitting) > 13
    assert [row["network"] for row in planned if row not in fitting] == ["fattree", "quadrangle"]
    for row in fitting:
        for simulation in comparison["simulation"]:
            share = float(row[f"saturation_{simulation['label']}_best"])
            assert 0 < share <= 1
            received = share * int(row["endpoints"]) * 400
            assert float(row[f"saturation_{simulation['label']}_gbps"]) == pytest.approx(received, rel=1e-3)


def test_the_page_has_the_table_of_the_results():
    page, results = ((FOLDER / name).read_text() for name in ("README.md", "compare-100k.md"))
    start = results.index("| network |")
    assert results[start : results.index("\n\n", start)] in page


@pytest.mark.slow
@pytest.mark.parametrize("family", ["dragonfly", "fattree", "hyperx", "jellyfish", "kautz", "megafly"])
def test_a_family_is_chosen_again(family, rows):
    choice = choose(family, 64, Demand(100_000))
    assert [choice.routers, choice.endpoints] == [int(rows[family][name]) for name in ("routers", "endpoints")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "max_endpoints"), [("slimfly", 35_322), ("polarfly", 37_860), ("projective", 72_224), ("torus", 86_436)]
)
def test_a_family_that_ends_before_states_where(family, max_endpoints):
    with pytest.raises(Infeasible, match=f"at most {max_endpoints:,} of 100,000"):
        choose(family, 64, Demand(100_000))
