"""Documents of a project in imperial units: lengths in feet, heat in BTU/h, masses in pounds; files for programs in SI units."""

from __future__ import annotations

import csv
import re
from dataclasses import replace

import openpyxl
import pytest
from shared.page_data import page_data
from shared.paper import printed
from shared.small_plans import make_plan

from planner.commands.console.terminal import key_figures
from planner.formats import write

PROJECT = {"client": "University of Anywhere", "units": "imperial"}


@pytest.fixture(scope="module")
def plans():
    """A small Slim Fly in metric and in imperial units."""
    made = make_plan(q=3, endpoints_per_router=2, simulate=False)
    metric = replace(made, study={**made.study, "project": {"client": PROJECT["client"]}})
    return metric, replace(made, study={**made.study, "project": PROJECT})


@pytest.fixture(scope="module")
def papers(plans, tmp_path_factory):
    return [printed(plan, tmp_path_factory.mktemp("paper")) for plan in plans]


@pytest.mark.slow
def test_title_blocks_name_the_units(papers):
    metric, imperial = papers
    assert all(re.search(r"units\s+SI", text) for text in metric.pages)
    assert all(re.search(r"units\s+ft-in, lb", text) for text in imperial.pages)


@pytest.mark.slow
def test_paper_has_headings_in_feet_and_pounds(papers):
    metric, imperial = (" ".join("\n".join(paper.pages).split()) for paper in papers)
    for word in ("(m)", "(kg)"):
        assert word in metric
        assert word not in imperial
    for word in ("(ft)", "(lb)", "Run lengths are in feet", "coordinates in feet"):
        assert word in imperial
        assert word not in metric
    assert not re.search(r"\d[\s\xa0](?:kg|km)\b", imperial)


def test_schedules_print_what_the_maker_sells_and_feet(plans, papers):
    text = " ".join("\n".join(papers[1].pages).split())
    for stock_mm in set(plans[1].cables.stock_mm.tolist()):
        assert f"{stock_mm / 1000:g} m ({stock_mm / 304.8:.1f}".replace(".0", "") in text.replace("\xa0", " ").replace(".0", "")


def test_the_terminal_has_feet(plans):
    metric, imperial = (dict(key_figures(plan))["length"] for plan in plans)
    cables = plans[1].cables
    assert imperial.startswith(f"{cables.run_mm.sum() / 304.8:,.0f} ft run, {cables.stock_mm.sum() / 304.8:,.0f} ft bought")
    assert imperial.endswith(f"longest {cables.run_mm.max() / 304.8:.1f} ft")
    assert metric.startswith(f"{cables.run_mm.sum() / 1e6:,.2f} km run")


@pytest.mark.parametrize("name", ["csv", "purchase_csv", "opa", "slingshot_p2p", "graphml", "ptm_dot"])
def test_files_for_programs_are_in_si_units(plans, name, tmp_path):
    metric, imperial = (write(plan, tmp_path / str(number), name) for number, plan in enumerate(plans))
    assert metric.read_bytes() == imperial.read_bytes()


def test_the_purchase_file_has_both_lengths(plans, tmp_path):
    book = openpyxl.load_workbook(write(plans[1], tmp_path, "purchase"))
    rows = [row for page in book for row in page.iter_rows(values_only=True)]
    heading = next(row for row in rows if "description" in row)
    what, length = heading.index("description"), heading.index("length (ft)")
    bought = [row for row in rows if len(row) > length and isinstance(row[length], float) and row[what]]
    assert bought
    for row in bought:
        meters, feet = re.search(r", ([\d.]+) m \(([\d.]+)\sft\)$", row[what]).groups()
        assert float(feet) == pytest.approx(row[length], abs=0.05)
        assert float(meters) == pytest.approx(row[length] * 0.3048, abs=1e-9)


def test_labels_have_both_lengths(plans, tmp_path):
    with write(plans[1], tmp_path, "labels_csv").open(encoding="utf-8", newline="") as file:
        assert all(re.search(r" [\d.]+ m \([\d.]+ ft\)", row["line4"]) for row in csv.DictReader(file))


def test_drawings_have_feet(plans, tmp_path):
    text = write(plans[1], tmp_path, "svg_floor").read_text(encoding="utf-8")
    assert ">10 ft, 1:" in text
    assert "units ft-in, lb" in text


@pytest.mark.slow
def test_the_web_page_has_the_units(plans, tmp_path):
    found = []
    for number, plan in enumerate(plans):
        text = write(plan, tmp_path / str(number), "html").read_text(encoding="utf-8")
        data = page_data(text)
        columns = {column["array"]: (column["unit"], column["factor"]) for column in data["cables"]["columns"]}
        found.append((data["feet"], data["units"]["mm"], data["units"]["g"][2], columns["run_mm"]))
    assert found == [
        (False, [1000, 3, "m"], "kg", ("m", 1000)),
        (True, [304.8, 2, "ft"], "lb", ("ft", 304.8)),
    ]
