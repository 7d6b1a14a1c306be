"""Power shelves and coolant distribution units as devices: units, mass, management ports, power and cooling of a rack."""

import csv
import io
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from planner import formats
from planner.check import Source, check
from planner.check.cooling import cooling_removes_the_heat, cooling_units_from_the_catalog
from planner.check.power import power_shelves_suffice
from planner.core import storage
from planner.core.errors import Infeasible, InputError
from planner.domain.catalog import rows
from planner.domain.model import Inventory
from planner.studies import pipeline, study

TRAY_MW, SHELF_MW = 5_400_000, 33_000_000
LIQUID = 0.85
"""Share of the heat of a compute tray that liquid removes, as in the catalog."""


def nodes(shelves=3, cdu="supermicro-in-rack-cdu-250kw"):
    """Two racks of 18 compute trays, with the CDU at the bottom and the shelves at the top."""
    return [
        {"name": "tray", "part": "gb200-compute-tray", "count": 36, "per_cabinet": 18},
        {"name": "shelf", "part": "nvidia-33kw", "count": 2 * shelves, "cabinets": "tray", "at": "top", "role": "power shelf"},
        {"name": "cdu", "part": cdu, "count": 2, "cabinets": "tray", "at": 1, "role": "CDU"},
    ]


def planned(folder, kinds, wanted=("cooling", "bill", "violations"), files=()):
    lab = (Path(__file__).parents[2] / "floorplans" / "lab.toml").read_text(encoding="utf-8")
    (folder / "lab.toml").write_text(lab.replace("power_mw = 30_000_000", "power_mw = 140_000_000"), encoding="utf-8")
    attach = [{"node": kind["name"], "ports": "mgmt", "rule": "near", "per_device": 1} for kind in kinds]
    oob = {
        "name": "oob", "topology": {"family": "leaves", "leaves": 2, "endpoints_per_leaf": 40},
        "parts": {"leaf": "nvidia-sn2201"}, "place": {"leaf": "tray"}, "attach": attach,
    }  # fmt: skip
    content = {
        "name": "nvl72", "seed": 1, "room": {"plan": "lab.toml"}, "catalog": {"cabinet": "nvidia-nvl72-rack", "files": [*files]},
        "placement": {"moves": 2_000}, "node": kinds, "network": [oob], "near_misses": {"detailed": 0},
    }  # fmt: skip
    return pipeline.make(study.check(content, base=folder), wanted, accepted=False)


@pytest.fixture(scope="module")
def rack(tmp_path_factory):
    return planned(tmp_path_factory.mktemp("rack"), nodes())


def named(plan, kind):
    return np.flatnonzero(np.char.startswith(plan.inventory.names, kind))


def test_they_take_units_and_an_own_port_of_the_management_network(rack):
    placement = rack.placement
    assert placement.unit[named(rack, "cdu")].tolist() == [1, 1]
    # Below the switch, which is at the top of the rack.
    assert sorted(placement.unit[named(rack, "shelf")].tolist()) == [45, 45, 46, 46, 47, 47]
    attached = rack.inventory.ends[rack.inventory.endpoints(), 1]
    assert np.array_equal(np.sort(attached), np.arange(2, 2 + 36 + 6 + 2))
    here = rack.inventory.endpoints()
    assert (rack.cables.cabinet[here, 0] == rack.cables.cabinet[here, 1]).all()


def test_they_draw_nothing_but_have_mass_and_a_price(rack):
    """Per rack: 18 trays of 35 kg, three shelves of 32 kg, a CDU of 110 kg, and the switch."""
    switch = rack.inventory.part_of(0)
    own = 18 * 35_000 + 3 * 32_000 + 110_000 + switch.mass_g
    assert (rack.cooling.mass_g == rack.catalog.cabinet.mass_g + own).all()
    assert (rack.cooling.heat_mw == 18 * TRAY_MW + switch.power_max_mw).all()
    bought = {line.part: (line.category, line.quantity) for line in rack.bill.lines}
    assert bought["nvidia-33kw"] == ("fittings", 6)
    assert bought["supermicro-in-rack-cdu-250kw"] == ("fittings", 2)


def test_a_unit_takes_the_liquid_heat_of_its_cabinet_alone(rack):
    """82.6 of 250 kW; nothing is left for units of the room, of which there are none."""
    liquid_mw = round(18 * TRAY_MW * LIQUID)
    assert rack.cooling.in_rack_mw.tolist() == [liquid_mw, liquid_mw]
    assert rack.cooling.whole.loop_mw == 0
    assert (rack.cooling.whole.liquid_supply_mw, rack.cooling.whole.air_supply_mw) == (0, None)


def test_the_verifier_accepts_the_plan(rack):
    assert [item for item in rack.violations.items if item.severity == "error"] == []


def test_a_stored_plan_has_them(tmp_path, rack):
    storage.save(rack.inventory, tmp_path / "inventory.npz")
    again = storage.restore(Inventory, tmp_path / "inventory.npz")
    assert again.parts == rack.inventory.parts
    assert again.fingerprint == rack.inventory.fingerprint


def test_too_few_shelves_are_found(rack):
    """The rating of one shelf less: 66 kW for 97 kW of trays in both racks."""
    cabinet = rack.placement.slot_of
    parts = [replace(part, rating_mw=22_000_000) if part.id == "nvidia-33kw" else part for part in rack.inventory.parts]
    found = list(power_shelves_suffice(replace(rack, inventory=replace(rack.inventory, parts=tuple(parts)))))
    assert {item.where for item in found} == {f"cabinet {rack.room.slot_names[slot]}" for slot in cabinet.tolist()}
    assert {item.limit for item in found} == {66_000_000.0}
    assert {item.value for item in found} == {float(18 * TRAY_MW + rack.inventory.part_of(0).power_max_mw)}


def test_a_cabinet_without_a_unit_of_its_own_needs_one_of_the_room(tmp_path):
    """Both CDUs in one rack: the liquid heat of the other has nowhere to go."""
    kinds = [*nodes()[:2], nodes()[2] | {"count": 1}]
    plan = planned(tmp_path, kinds)
    liquid_mw = round(18 * TRAY_MW * LIQUID)
    assert sorted(plan.cooling.in_rack_mw.tolist()) == [0, liquid_mw]
    [found] = cooling_removes_the_heat(plan)
    assert (found.value, found.limit) == (liquid_mw, 0)


def test_a_unit_with_nothing_to_cool_gives_no_verdict(tmp_path):
    disks = {"name": "tray", "part": "storage-node", "count": 4, "per_cabinet": 2}
    plan = planned(tmp_path, [disks, nodes()[2]])
    assert not plan.cooling.in_rack_mw.any()
    assert plan.cooling.whole.liquid_supply_mw is None
    assert [item for item in plan.violations.items if item.severity == "error"] == []


def test_heat_taken_in_the_wrong_cabinet_is_found(rack):
    taken = rack.cooling.in_rack_mw - np.array([1, 0])
    wrong = replace(rack, cooling=replace(rack.cooling, in_rack_mw=taken))
    assert "cooling_adds_up" in {item.rule for item in check(wrong).items}


def test_a_unit_of_the_room_is_no_device(tmp_path):
    with pytest.raises(InputError, match=r"node\.2\.part: there is no part 'liquidstack-cdu-1mw' for nodes"):
        planned(tmp_path, nodes(cdu="liquidstack-cdu-1mw"), wanted=("inventory",))


# -- units that take a slot of the floor by themselves ----------------------------------------

ROW_UNIT = """
[[cooling_unit]]
id = "row-cdu"
cools = "liquid"
capacity_mw = 200_000_000
width_mm = {width}
depth_mm = 1000
height_mm = 2000
loaded_g = 700_000
price_cents = 8_000_000
freestanding = true
mgmt_connector = "RJ45"
source = "test"
confidence = "D"
date = "2026-01-01"
"""


def next_to(folder, width=600, **more):
    """The two racks of trays and shelves, and two units next to them."""
    (folder / "row.toml").write_text(ROW_UNIT.format(width=width), encoding="utf-8")
    row = {"name": "cdu", "part": "row-cdu", "count": 2, "role": "CDU"} | more
    return planned(folder, [*nodes()[:2], row], files=["row.toml"])


@pytest.fixture(scope="module")
def row(tmp_path_factory):
    return next_to(tmp_path_factory.mktemp("row"))


@pytest.mark.slow
def test_freestanding_units_take_a_slot_each_and_a_port_of_the_management_network(row):
    units = named(row, "cdu")
    alone = row.placement.cabinet[units]
    assert len(np.unique(alone)) == 2
    assert np.bincount(row.placement.cabinet, minlength=4)[alone].tolist() == [1, 1]
    assert len(row.inventory.endpoints_at(units)) == 2
    here = np.isin(row.cables.device, units).any(axis=1)
    assert (row.cables.cabinet[here, 0] != row.cables.cabinet[here, 1]).all()
    assert (row.cables.run_mm[here] > 0).all()


def test_no_cabinet_is_bought_or_carried_for_them(row):
    """Two cabinets for the racks; a unit has the mass of its row, and its load is no load of a cabinet."""
    bought = {line.part: line.quantity for line in row.bill.lines}
    assert (bought["nvidia-nvl72-rack"], bought["row-cdu"]) == (2, 2)
    alone = row.placement.cabinet[named(row, "cdu")]
    assert row.cooling.mass_g[alone].tolist() == [700_000, 700_000]


def test_they_take_the_liquid_heat_of_their_hall(row):
    whole = row.cooling.whole
    assert not row.cooling.in_rack_mw.any()
    assert (whole.loop_mw, whole.liquid_supply_mw) == (2 * round(18 * TRAY_MW * LIQUID), 2 * 200_000_000)
    assert [(one.part, one.count) for one in row.cooling.units] == [("row-cdu", 2)]


def test_the_verifier_accepts_freestanding_units_and_finds_changed_ones(row):
    assert [item for item in row.violations.items if item.severity == "error"] == []
    source = Source({}, row.catalog, row.room, lambda kind: rows(kind), lambda number: None)
    assert not [*cooling_units_from_the_catalog(row, source)]
    for wrong in ({"count": 1}, {"where": "hall"}, {"capacity_mw": 1}):
        changed = replace(row, cooling=replace(row.cooling, units=(replace(row.cooling.units[0], **wrong),)))
        assert [*cooling_units_from_the_catalog(changed, source)]
    lighter = replace(row.cooling, mass_g=row.cooling.mass_g - 1)
    assert "cooling_adds_up" in {item.rule for item in check(replace(row, cooling=lighter)).items}
    parts = tuple(replace(part, width_mm=5000) if part.id == "row-cdu" else part for part in row.inventory.parts)
    wide = replace(row, inventory=replace(row.inventory, parts=parts))
    assert "larger than its slot" in " ".join(item.message for item in check(wide).items if item.rule == "cabinets_within_limits")


def test_a_unit_wider_than_the_slots_is_refused(tmp_path):
    with pytest.raises(
        Infeasible, match="no slot for 2 of 4 cabinets, such as that of cdu1: use a larger room, larger or stronger"
    ):
        next_to(tmp_path, width=5000)


def test_a_unit_shares_its_slot_with_nothing(tmp_path):
    with pytest.raises(InputError, match=r"cabinet 1 of tray with .*1 cdu.*: rack units"):
        next_to(tmp_path, cabinets="tray")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("units = 4", "a unit in a cabinet or at its door is not freestanding"),
        ("width_mm = 1", ""),
    ],
)
def test_a_freestanding_row_states_its_size_and_mass(tmp_path, row, message):
    text = ROW_UNIT.format(width=600)
    text = text.replace("freestanding = true", f"freestanding = true\n{row}") if message else text.replace("width_mm = 600\n", "")
    (tmp_path / "row.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message or "width_mm: a freestanding unit needs this key"):
        rows("cooling_unit", [tmp_path / "row.toml"])


@pytest.mark.slow
def test_a_node_that_is_the_catalog_s_pdu_is_the_pdu_of_its_cabinet(tmp_path):
    """Two PDUs for the feeds of each cabinet, listed as nodes in one of two: four are bought, two come with the other cabinet."""
    content = {
        "name": "managed-pdus",
        "seed": 1,
        "catalog": {"cabinet": "apc-ar3100", "pdu": "apc-ap8853"},
        "room": {"plan": "lab"},
        "placement": {"moves": 1_000, "bounds": False},
        "node": [
            {"name": "server", "part": "server-one-unit-1g", "count": 8, "per_cabinet": 4},
            {"name": "pdu", "part": "apc-ap8853", "count": 2, "role": "PDU", "cabinets": "first"},
        ],
        "cabinets": [{"name": "first", "count": 1}],
        "network": [
            {
                "name": "oob",
                "topology": {"family": "leaves", "leaves": 1, "endpoints_per_leaf": 48},
                "parts": {"leaf": "nvidia-sn2201"},
                "place": {"leaf": "first"},
                "attach": [
                    {"node": "server", "ports": "ports", "rule": "near"},
                    {"node": "pdu", "ports": "mgmt", "rule": "near"},
                ],
            }
        ],
    }
    plan = pipeline.make(study.check(content, base=tmp_path), accepted=False)
    lines = [line for line in plan.bill.purchase if line.part == "apc-ap8853"]
    assert [(line.quantity, line.spares) for line in lines] == [(2 * plan.placement.cabinet_count, 0)]
    assert plan.placement.fitted_pdus(plan.inventory, plan.catalog).tolist().count(0) == 1
    assert plan.quantities["pdus"]["value"] == 2 * plan.placement.cabinet_count
    assert plan.violations.errors == ()
    names = [row["name"] for row in netbox_table(plan, tmp_path, "devices") if row["device_type"] == "apc-ap8853"]
    assert len(names) == len(set(names)) == 2 * plan.placement.cabinet_count
    assert {"pdu1", "pdu2"} < set(names)


def netbox_table(plan, folder, name):
    with zipfile.ZipFile(formats.write(plan, folder, "netbox")) as archive:
        file = next(each for each in archive.namelist() if each.endswith(f"_{name}.csv"))
        return list(csv.DictReader(io.TextIOWrapper(archive.open(file), encoding="utf-8")))
