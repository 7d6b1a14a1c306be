"""The purchase files have every piece of the plan, every cent of the bill, and the numbers of the makers."""

import csv
from dataclasses import replace

import openpyxl
import pytest
from shared.plans import STUDIES, planned, source
from shared.purchase import buys_what_is_planned

from planner import formats
from planner.check.purchase_lines import purchase_is_the_bill_by_part
from planner.core.errors import InputError
from planner.design.bill import terms
from planner.domain.catalog import rows
from planner.domain.model import Violation, Violations
from planner.domain.parts import BreakoutPart, CablePart, ExchangeRate, FiberPart, Row, TransceiverPart
from planner.studies import pipeline, study

FOUND = [pytest.param(name, id=name) for name in STUDIES]


def lines_of(plan, folder):
    with formats.write(plan, folder, "purchase_csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUND)
def test_a_purchase_is_the_plan_with_spares(name):
    buys_what_is_planned(planned(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUND)
def test_the_file_has_every_line_and_every_cent(name, tmp_path):
    plan = planned(name)
    lines = lines_of(plan, tmp_path)
    assert len(lines) == len(plan.bill.purchase)
    assert sum(round(100 * float(line["amount (USD)"])) for line in lines if line["amount (USD)"]) == plan.bill.cents()
    for line, entry in zip(lines, plan.bill.purchase, strict=True):
        assert int(line["pieces"]) == int(line["quantity"]) + int(line["spares"])
        # Whole packs are paid.
        assert int(line["items to order"]) * entry.pieces_per_item == entry.pieces


def test_the_workbook_has_the_lines_of_the_csv_and_keeps_energy_apart(tmp_path):
    plan = planned("plain")
    book = openpyxl.load_workbook(formats.write(plan, tmp_path, "purchase"))
    assert book.sheetnames == ["summary", "parts", "services", "energy"]
    amounts = []
    for name in book.sheetnames[1:]:
        titles, *cells = book[name].iter_rows(values_only=True)
        amounts += [line[titles.index("amount (USD)")] for line in cells]
    assert sum(round(100 * amount) for amount in amounts if amount is not None) == plan.bill.cents()
    found = dict(book["summary"].iter_rows(min_row=2, max_col=2, values_only=True))
    assert found["total of the bill (USD)"] == plan.bill.cents() / 100
    assert found["energy in 5 years (USD)"] == plan.bill.cents("energy") / 100
    assert found["capital expenditure: parts and services (USD)"] == (plan.bill.cents() - plan.bill.cents("energy")) / 100
    parts = [line for line in plan.bill.purchase if line.section == "parts"]
    assert found["share of lines with a part number"] == sum(bool(line.part_number) for line in parts) / len(parts) > 0.3


def test_no_cell_of_the_workbook_is_a_formula(tmp_path):
    plan = planned("plain")
    lines = tuple(replace(line, maker="=1+1", description="@SUM(A1)") for line in plan.bill.purchase)
    hostile = replace(plan, bill=replace(plan.bill, purchase=lines), title='=HYPERLINK("x")')
    book = openpyxl.load_workbook(formats.write(hostile, tmp_path, "purchase"))
    assert {cell.data_type for page in book for line in page.iter_rows() for cell in line} <= {"s", "n"}


@pytest.mark.slow
def test_amounts_in_a_currency_of_choice(tmp_path):
    plan = planned("two halls")
    lines = lines_of(plan, tmp_path)
    for line, entry in zip(lines, plan.bill.purchase, strict=True):
        if entry.confidence:
            assert abs(float(line["amount (EUR)"]) - entry.cents * 0.925 / 100) <= 0.005001
    found = openpyxl.load_workbook(formats.write(plan, tmp_path, "purchase"))["summary"]
    summary = dict(found.iter_rows(min_row=2, max_col=2, values_only=True))
    assert (summary["EUR for one USD"], summary["date of the rate"]) == (0.925, "2026-11-02")


@pytest.mark.parametrize("rates", [(), 2 * (ExchangeRate(currency="EUR", rate=0.9, date="2026-11-02"),)])
def test_a_currency_needs_one_rate(rates):
    with pytest.raises(InputError, match=r"rates? for EUR"):
        terms(
            rows, prices="catalog", power="catalog", spares="none", trays="none", tray="", years=0, electricity="",
            cents_per_kwh=None, pue=None, load=None, currency="EUR", rates=rates,
        )  # fmt: skip


def test_several_networks_have_columns_of_their_own(tmp_path):
    plan = planned("several networks")
    lines = lines_of(plan, tmp_path)
    names = plan.inventory.network_names
    for number, name in enumerate(names):
        routers = sum(int(line[f"pieces for {name}"]) for line in lines if line["category"] == "routers")
        assert routers == len(range(plan.inventory.device_count)[plan.inventory.routers(number)])
    for line in lines:
        own = sum(int(line[f"pieces for {name}"]) for name in names) + int(line["pieces for all networks"])
        assert own == int(line["quantity"])


def test_what_is_bought_is_described():
    found = {row.id: row for kind in ("cable", "breakout", "transceiver", "fiber") for row in rows(kind)}
    twin = found["800g-2xdr4-transceiver-100m"]
    assert (twin.description, twin.together) == ("transceiver, 2 x 400 Gb/s DR4, OSFP-2x400", "one module serves 2 ports")
    assert found["800g-osfp-2x400-dac"].together == "one cable has 2 plugs at its far end"
    assert found["om4-mpo4-apc"].together == "2 pieces are one item"
    assert found["400g-osfp-twin-dac"].description == "DAC, 2 x 400 Gb/s, OSFP-2x400"


def test_part_numbers_by_length_are_as_published():
    """Ordering information of NVIDIA for MCP7Y00-Nxxx (docs.nvidia.com) and the EDR cables MCP1600."""
    found = {row.id: row for kind in ("cable", "breakout", "fiber") for row in rows(kind)}
    assert found["800g-osfp-2x400-dac"].number_at(1500) == "980-9I926-00N01A"
    assert found["100g-qsfp28-dac-30awg"].number_at(500) == "MCP1600-E00AE30"
    assert found["os2-mpo12-apc"].number_at(10_000) == ""
    for row in found.values():
        assert not row.part_numbers or len(row.part_numbers) == len(row.stock_mm)
        assert isinstance(row, CablePart | BreakoutPart | FiberPart | TransceiverPart)


def test_the_rule_finds_changed_numbers_and_sources():
    plan, there = planned("plain"), source("plain")
    assert not list(purchase_is_the_bill_by_part(plan, there))
    for change in ({"part_number": "X"}, {"spares": 7}, {"source": "hearsay"}, {"lead_days": 3}, {"networks": (1,)}):
        first, *others = plan.bill.purchase
        changed = replace(plan, bill=replace(plan.bill, purchase=(replace(first, **change), *others)))
        assert [found.rule for found in purchase_is_the_bill_by_part(changed, there)][:1] == ["purchase_is_the_bill_by_part"]


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUND)
def test_the_rule_agrees_with_every_study(name):
    assert not list(purchase_is_the_bill_by_part(planned(name), source(name)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "sections",
    [
        {"cabling": {"bundling": "multicore"}},
        {"cabling": {"bundling": "shuffle"}},
        {"bill": {"prices": "mudigonda-stock"}},
        {"bill": {"prices": "slimfly", "power": "spectralfly", "spares": "none"}},
    ],
)
def test_it_agrees_with_parts_of_trunks_and_models_of_papers(sections):
    plan = pipeline.make(study.check({"name": "small"} | STUDIES["trunks"] | sections))
    buys_what_is_planned(plan)
    assert plan.violations.errors == ()


@pytest.mark.parametrize(
    ("note", "basis"),
    [
        ("mass: own. price: 705 USD (seen; up to 1,011) plus 8 USD; delay: own.", "705 USD (seen; up to 1,011) plus 8 USD"),
        ("price: 1.28 USD per Gb/s.", "1.28 USD per Gb/s"),
        ("price:\n twice\nthat of one. Long.", "twice that of one"),
    ],
)  # fmt: skip
def test_the_basis_of_an_estimate_is_in_its_note(note, basis):
    given = {"id": "x", "source": "a shop", "confidence": "B"}
    assert Row(**given, estimates=("price_cents",), note=note).price_basis == f"estimate: {basis}"
    assert Row(**given, note=note).price_basis == "a shop"
    assert Row(**given | {"confidence": "D"}).price_basis == "estimate"


@pytest.mark.slow
def test_a_plan_with_violations_gets_no_file_to_order_from(tmp_path, monkeypatch):
    """Neither by run nor by report, and that of an earlier run goes; forced files state it in their first line."""
    found = Violations(("some rule",), (Violation("some_rule", "here", 1.0, 0.0, "", "error", "is wrong"),))
    plan = replace(planned("plain"), violations=found)
    formats = {"csv": {}, "purchase_csv": {}, "purchase": {}}
    pipeline.write_reports(planned("plain"), tmp_path, formats)
    assert (tmp_path / "plain.purchase.csv").exists()
    assert pipeline.withheld(plan, formats) == ["purchase_csv", "purchase"]
    assert [path.name for path in pipeline.write_reports(plan, tmp_path, formats)] == ["plain.csv"]
    assert not list(tmp_path.glob("*.purchase.*"))
    pipeline.write_reports(plan, tmp_path, formats, force=True)
    warning = "NOT TO BE ORDERED FROM: the plan has 1 violations of design rules"
    assert (tmp_path / "plain.purchase.csv").read_text(encoding="utf-8").splitlines()[0] == warning
    assert openpyxl.load_workbook(tmp_path / "plain.purchase.xlsx")["summary"]["A1"].value == warning
    warned = replace(found, items=(replace(found.items[0], severity="warning"),))
    assert pipeline.withheld(replace(plan, violations=warned), formats) == []
