"""Workbooks read by openpyxl: NVIDIA's point-to-point file and the SHCD."""

from __future__ import annotations

import re
from collections import Counter

import openpyxl
import pytest

from planner.formats import write
from planner.formats.workbook import book as book_module


def sheets(path):
    """Header and rows of each sheet; empty cells are None."""
    book = openpyxl.load_workbook(path)
    for sheet in book:
        assert sheet.freeze_panes == "A2"
    tables = {sheet.title: [list(row) for row in sheet.iter_rows(values_only=True)] for sheet in book}
    return {name: (rows[0], rows[1:]) for name, rows in tables.items()}


# -- NVIDIA -----------------------------------------------------------------------------------


def test_infiniband_sheets_hold_every_link_once(plan, tmp_path):
    found = sheets(write(plan, tmp_path, "nvidia_p2p"))
    assert {name: len(rows) for name, (_, rows) in found.items()} == {"endpoints": 100, "routers": 175}
    for header, rows in found.values():
        assert header == ["Rack", "U", "Name", "HCA/Port", "Rack", "U", "Name", "Port"]
        ends = Counter((row[at + 2], row[at + 3]) for row in rows for at in (0, 4))
        assert set(ends.values()) == {1}
    for (rack, unit, name, port, *_), router in zip(found["routers"][1], plan.topology.links[:, 0].tolist(), strict=True):
        assert name == f"R{router:03d}"
        assert rack == plan.room.slot_names[plan.placement.slot_of[plan.placement.cabinet[router]]]
        assert unit == plan.placement.unit[router]
        assert re.fullmatch(r"\d+", port)
    assert all(row[3] == "1" and row[2][0] == "E" and row[6][0] == "R" for row in found["endpoints"][1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fabric", "router", "host"),
    [("infiniband", r"\d+/[12]", "1"), ("nvos", r"sw\d+p[12]", "1"), ("ethernet", r"swp\d+s[01]", "rail1")],
)
def test_ports_of_twin_port_cages(twin, tmp_path, fabric, router, host):
    found = sheets(write(twin, tmp_path, "nvidia_p2p", fabric=fabric))
    name, near, far = (2, 4, 9) if fabric == "ethernet" else (2, 3, 7)
    header, rows = found["routers"]
    assert len(rows) == 8
    assert all(re.fullmatch(router, row[near]) and re.fullmatch(router, row[far]) for row in rows)
    assert len({(row[name], row[near]) for row in rows}) == 8
    assert {row[near] for row in found["endpoints"][1]} == {host}
    if fabric == "ethernet":
        assert header == ["A-Rack", "A-U", "A-Node Name", "A-Type", "A-Port", "Z-Rack", "Z-RU", "Z-Node Name", "Z-Type", "Z-Port"]
        assert {(row[3], row[8]) for row in found["endpoints"][1]} == {("Host", "Switch")}
        assert {(row[3], row[8]) for row in rows} == {("Switch", "Switch")}


def test_odd_names_stay_as_they_are(odd, tmp_path):
    _, rows = sheets(write(odd, tmp_path, "nvidia_p2p"))["routers"]
    used = {odd.room.slot_names[slot] for slot in odd.placement.slot_of}
    assert {row[at] for row in rows for at in (0, 4)} == used


def test_long_tables_go_on_in_another_sheet(monkeypatch, plan, tmp_path):
    monkeypatch.setattr(book_module, "_ROWS", 60)
    found = sheets(write(plan, tmp_path, "nvidia_p2p"))
    assert [(name, len(rows)) for name, (_, rows) in found.items()] == [
        ("endpoints", 60), ("endpoints 2", 40), ("routers", 60), ("routers 2", 60), ("routers 3", 55),
    ]  # fmt: skip


# -- SHCD -------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", ["plan", "twin", "odd"])
@pytest.mark.slow
def test_shcd_as_canu_reads_it(which, request, tmp_path):
    plan = request.getfixturevalue(which)
    path = write(plan, tmp_path, "shcd")
    sheet = openpyxl.load_workbook(path)["HSN"]
    header, *rows = ([cell.value for cell in row] for row in sheet["G1" : f"Q{sheet.max_row}"])
    assert header == ["Source", "Rack", "Location", "Slot", None, "Port", "Destination", "Rack", "Location", None, "Port"]
    assert len(rows) == plan.cables.cable_count
    for row in rows:
        assert row[4] is row[9] is None
        assert all(re.fullmatch(r"[RE]\d+", row[at]) for at in (0, 6))
        assert all(re.fullmatch(r"x\d{4}", row[at]) for at in (1, 7))
        assert all(re.fullmatch(r"u\d{2}", row[at]) for at in (2, 8))
        assert all(re.fullmatch(r"j\d+", row[at]) for at in (5, 10))
        assert row[3] == (None if row[0][0] == "R" else "pcie-slot1")
    # A box of several endpoints has a port for each of them.
    ends = Counter((row[at], row[at + 1], row[at + 2], row[port]) for row in rows for at, port in ((0, 5), (6, 10)))
    assert set(ends.values()) == {1}


@pytest.mark.slow
def test_shcd_maps_racks_to_cabinets(odd, tmp_path):
    found = sheets(write(odd, tmp_path, "shcd"))
    header, racks = found["Racks"]
    assert header == ["Rack", "Cabinet", "Row"]
    slots = sorted(odd.placement.slot_of.tolist())
    assert [(row[1], row[2]) for row in racks] == [
        (odd.room.slot_names[slot], odd.room.row_names[odd.room.slot_row[slot]]) for slot in slots
    ]
    header, rows = found["HSN"]
    assert header[:6] == ["Cable", "Label A", "Label B", "Part", "Length m", "Stage"]
    assert [row[1] for row in rows[:175]] == odd.cables.label_a.tolist()[:175]
    assert [round(1000 * row[4]) for row in rows] == odd.cables.stock_mm.tolist()


@pytest.mark.slow
def test_cabinets_that_are_numbered_keep_their_numbers(tmp_path):
    from shared.small_plans import make_plan

    plan = make_plan(q=5, endpoints_per_router=2, room="frontier")
    found = sheets(write(plan, tmp_path, "shcd"))
    assert all(rack == cabinet for rack, cabinet, _ in found["Racks"][1])
