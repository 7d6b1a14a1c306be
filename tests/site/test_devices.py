"""Devices: where they are, what is recorded about them, and what NetBox and the workbook get of it."""

import csv

import pytest
from shared.sites import site_of

from planner.core.errors import InputError
from planner.formats.netbox import built_devices
from planner.install.site import codes, netbox, phones, summary
from planner.install.site.board import Board


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_device_of_the_plan_is_known_with_its_place(small, small_plan):
    found = small.site.devices
    assert found.keys() == set(small_plan.inventory.names.tolist())
    for row in small.site.rows:
        for end in row.ends:
            assert (found[end.device].cabinet, found[end.device].unit) == (end.cabinet, end.unit)
    assert {each.part for each in found.values()} == {part.id for part in small_plan.inventory.parts}
    # A schedule alone knows those with cables.
    assert site_of().devices["R4"][:2] == ("A01", 4)


def test_the_last_value_counts_and_remarks_add_up(floor):
    for field, value in (("installed", "yes"), ("serial", "MT1"), ("serial", "MT2"), ("asset_tag", "A-7"),
                         ("remark", "rail bent"), ("blocked", "No power"), ("remark", "rail mended")):  # fmt: skip
        floor.about("R1", field, value, "device")
    found = floor.board.devices["R1"]
    assert (found.installed, found.serial, found.asset_tag, found.blocked) == (True, "MT2", "A-7", "No power")
    assert found.remarks == ("rail bent", "rail mended")
    assert summary.content(floor.board)["devices"] == [["R1", "No power"]]
    assert summary.content(floor.board)["equipment"] == {"devices": 5, "installed": 1, "serials": 1, "blocked": 1}
    floor.about("R1", "blocked", "", "device")
    assert summary.content(floor.board)["devices"] == []
    # A cable at the device is not blocked by it.
    assert not any(status.blocked for status in floor.board.statuses.values())
    assert [event.field for event in phones.history_of_device(floor.journal, "R1")][:2] == ["installed", "serial"]


def test_phones_get_a_device_when_it_has_changed(floor):
    floor.about("R1", "serial", "MT1", "device")
    floor.about("R2", "serial", "MT2", "device")
    whole = phones.state(floor.board)
    assert sorted(whole["devices"]) == ["R1", "R2"]
    floor.about("R2", "asset_tag", "A-7", "device")
    since = phones.state(floor.board, whole["seq"], whole["mark"])
    assert {name: sorted(line[2] for line in lines) for name, lines in since["devices"].items()} == {
        "R2": ["asset_tag", "serial"]
    }
    assert since["cables"] == []


def test_devices_of_another_revision_are_known_by_name_and_others_are_listed(floor):
    floor.about("R1", "serial", "MT1", "device")
    floor.about("R5", "serial", "MT5", "device")
    changed = Board(floor.journal, site_of(floor.site.rows[:4]))
    assert changed.devices["R1"].serial == "MT1"
    assert "R5" not in changed.devices
    assert [(each.target, each.reason) for each in changed.unmatched.values()] == [("R5", "the plan has no device of this name")]


@pytest.mark.parametrize(("text", "found"), [
    ("R1", "R1"), ("r1", "R1"), ("HTTP://10.0.0.5:8080/D/R1", "R1"), ("https://site.local/d/r%31", "R1"),
])  # fmt: skip
def test_codes_name_devices(text, found):
    assert codes.read(site_of(), text).device == found


@pytest.mark.parametrize("text", ["R99", "HTTP://x/D/R99", "HTTP://x/D/", "https://x/d/../R1"])
def test_other_names_are_no_devices(text):
    with pytest.raises(InputError):
        codes.read(site_of(), text)


def test_capitals_decide_where_names_differ_by_them_alone():
    rows = site_of().rows
    site = site_of([rows[0]._replace(a=rows[0].a._replace(device="x1"), b=rows[0].b._replace(device="X1"))])
    assert codes.read(site, "x1").device == "x1"
    assert codes.read(site, "X1").device == "X1"


def test_netbox_gets_what_was_recorded_and_nothing_else(small, small_plan, tmp_path):
    (columns, rows), inside = built_devices(small_plan)
    rows = list(rows)
    assert {name for own in inside.values() for name in own} == small.site.devices.keys()
    shared = next(own for own in inside.values() if len(own) > 1)
    router = small.site.rows[0].a.device
    small.about(router, "serial", "@MT1", "device")
    small.about(router, "installed", "yes", "device")
    small.about(shared[1], "asset_tag", "A-9", "device")
    # A remark alone is nothing for NetBox.
    small.about(small.site.rows[-1].a.device, "remark", "dusty", "device")
    path = tmp_path / "devices.csv"
    assert netbox.write_device_changes(small.board, small_plan, path) == (2, [])
    written = table(path)
    assert [*written[0]] == [*columns, "serial", "asset_tag", "comments"]
    first, second = written
    assert (first["name"], first["status"], first["serial"]) == (router, "active", "'@MT1")
    assert (second["status"], second["asset_tag"], second["serial"]) == ("planned", "A-9", "")
    planned = {row[0]: dict(zip(columns, row, strict=True)) for row in rows}
    for each in written:
        for column in ("role", "device_type", "rack", "position", "face"):
            assert each[column] == str(planned[each["name"]][column])
    ids = tmp_path / "ids.csv"
    ids.write_text(f"ID,Name,Site\n17,{router},x\n", encoding="utf-8")
    assert netbox.write_device_changes(small.board, small_plan, path, ids=ids) == (1, [second["name"]])
    assert table(path) == [{"id": "17", "status": "active", "serial": "'@MT1", "asset_tag": "", "comments": ""}]
    ids.write_text("label\nx\n", encoding="utf-8")
    with pytest.raises(InputError, match="--netbox-device-ids"):
        netbox.write_device_changes(small.board, small_plan, path, ids=ids)
