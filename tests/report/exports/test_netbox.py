"""The NetBox files: headers and choices of its import forms (v4.6.8), sizes of its fields, and names that all resolve."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import yaml
from shared.bundled_plans import OVER_PANELS, planned

from planner.core.errors import InputError, PlannerWarning
from planner.domain.parts import RouterPart
from planner.formats import write
from planner.formats.dcim.types import cable_type, interface_type
from planner.formats.netbox import airflow
from planner.studies import pipeline

# Columns that the import forms know, from netbox/dcim/forms/bulk_import.py; a file may leave columns out.
FORMS = {
    "manufacturers": "name,slug,description,owner,comments,tags",
    "sites": "name,slug,status,region,group,facility,tenant,asns,time_zone,description,physical_address,"
    "shipping_address,latitude,longitude,owner,comments,tags",
    "rack_groups": "name,slug,description,owner,comments,tags",
    "rack_types": "manufacturer,model,slug,form_factor,width,u_height,starting_unit,desc_units,outer_width,outer_height,"
    "outer_depth,outer_unit,mounting_depth,weight,max_weight,weight_unit,description,comments,tags",
    "racks": "site,location,group,name,facility_id,tenant,status,role,rack_type,form_factor,serial,asset_tag,width,"
    "u_height,desc_units,outer_width,outer_height,outer_depth,outer_unit,mounting_depth,airflow,weight,max_weight,weight_unit,"
    "description,comments,tags",
    "device_roles": "name,slug,parent,color,vm_role,config_template,description,owner,comments,tags",
    "device_types": "manufacturer,default_platform,model,slug,part_number,u_height,exclude_from_utilization,is_full_depth,"
    "subdevice_role,airflow,description,weight,weight_unit,comments,tags",
    "module_types": "profile,manufacturer,model,part_number,description,airflow,weight,weight_unit,"
    "attribute_data,owner,comments,tags",
    "devices": "name,role,tenant,manufacturer,device_type,platform,serial,asset_tag,status,site,location,rack,position,"
    "face,latitude,longitude,parent,device_bay,airflow,virtual_chassis,description,comments,tags",
    "interfaces": "device,name,label,parent,lag,type,speed,duplex,enabled,mark_connected,mtu,mgmt_only,description",
    "cable_bundles": "name,description,comments,tags",
    "cables": "side_a_site,side_a_device,side_a_power_panel,side_a_type,side_a_name,side_b_site,side_b_device,"
    "side_b_power_panel,side_b_type,side_b_name,type,status,profile,tenant,bundle,label,color,length,length_unit,description,"
    "owner,comments,tags",
    "power_panels": "site,location,name,description,owner,comments,tags",
    "power_feeds": "site,power_panel,location,rack,name,status,type,mark_connected,supply,phase,voltage,amperage,max_utilization,"
    "tenant,description,owner,comments,tags",
    "power_ports": "device,name,label,type,mark_connected,maximum_draw,allocated_draw,description,owner,tags",
    "power_outlets": "device,name,label,type,color,mark_connected,power_port,feed_leg,description,owner,tags",
}
FORMS["power_cables"] = FORMS["cables"]
PORTS = {
    "rear_ports": "device,name,label,type,color,mark_connected,positions,description,owner,tags",
    "front_ports": "device,name,label,type,color,mark_connected,positions,rear_port,rear_port_position,description,owner,tags",
}
"""Files of plans with panels; v4.5 does not know the two columns of rear ports at front ports."""
LOCATIONS = {"locations": "site,name,slug,status,parent,tenant,facility,description,owner,comments,tags"}
FORMS_45 = {
    **{name: LOCATIONS["locations"] if name == "rack_groups" else columns for name, columns in FORMS.items()},
    "racks": FORMS["racks"].replace("location,group,", "location,"),
    "cables": FORMS["cables"].replace("bundle,", ""),
    "power_cables": FORMS["cables"].replace("bundle,", ""),
}
"""Those of v4.5: rows are locations, and there are no bundles."""
CABLE_TYPES = {"dac-active", "dac-passive", "mmf-om3", "mmf-om4", "smf-os2", "aoc", ""}
PROFILES = {"single-1c1p", "trunk-2c1p", "trunk-4c1p", ""}
INTERFACE_TYPES = re.compile(r"other|infiniband-(sdr|ddr|qdr|fdr10|fdr|edr|hdr|ndr|xdr)|\d+gbase-x-(qsfp|osfp).*|1000base-t")
MAX_LENGTH = {"name": 100, "model": 100, "slug": 100, "description": 200, "label": 100}
SLUG = re.compile(r"[-a-zA-Z0-9_]+")


def paneled(plan):
    return plan.panels is not None and bool(set(plan.panels.kind.tolist()) - {1})


def files(plan, folder, **options):
    """Rows of each file, after what holds for all of them."""
    found = {}
    forms = FORMS
    order = list(FORMS)
    if options.get("version") == "4.5":
        forms = {**FORMS_45, **LOCATIONS}
        order = ["locations" if name == "rack_groups" else name for name in FORMS if name != "cable_bundles"]
    if paneled(plan):
        forms = {**forms, **PORTS}
        if options.get("version") == "4.5":
            forms["front_ports"] = PORTS["front_ports"].replace("rear_port,rear_port_position,", "")
        place = order.index("interfaces") + 1
        order[place:place] = PORTS
    with zipfile.ZipFile(write(plan, folder, "netbox", **options)) as book:
        assert book.namelist() == [f"{number:02d}_{name}.csv" for number, name in enumerate(order, 1)]
        for name in book.namelist():
            reader = csv.DictReader(io.TextIOWrapper(book.open(name), encoding="utf-8", newline=""))
            rows = found[name[3:-4]] = list(reader)
            assert set(reader.fieldnames) <= set(forms[name[3:-4]].split(",")), name
            for row in rows:
                assert None not in row
                assert None not in row.values()
                assert all(len(row[key]) <= limit for key, limit in MAX_LENGTH.items() if key in row), row
                assert all(value == value.strip() for value in row.values())
    return found


def check_references(found):
    """Everything that a row refers to is in an earlier file, once."""
    key = {name: Counter(row["name"] for row in found[name]) for name in ("manufacturers", "sites", "rack_groups", "racks")}
    key |= {name: Counter(row["name"] for row in found[name]) for name in ("device_roles", "devices", "cable_bundles")}
    key |= {name: Counter(row["model"] for row in found[name]) for name in ("rack_types", "device_types")}
    for name, names in key.items():
        assert set(names.values()) <= {1}, name
        slugs = Counter(row["slug"] for row in found[name] if "slug" in row)
        assert set(slugs.values()) <= {1}
        assert all(SLUG.fullmatch(slug) for slug in slugs)
    refers = [
        ("rack_types", "manufacturer", "manufacturers"), ("racks", "site", "sites"), ("racks", "group", "rack_groups"),
        ("racks", "rack_type", "rack_types"), ("device_types", "manufacturer", "manufacturers"),
        ("devices", "role", "device_roles"), ("devices", "device_type", "device_types"), ("devices", "rack", "racks"),
        ("devices", "site", "sites"), ("interfaces", "device", "devices"), ("cables", "side_a_site", "sites"),
    ]  # fmt: skip
    for name, column, other in refers:
        assert {row[column] for row in found[name]} <= set(key[other]), (name, column)
    assert {row["bundle"] for row in found["cables"]} - {""} <= set(key["cable_bundles"])
    ports = Counter((row["device"], row["name"]) for row in found["interfaces"])
    assert set(ports.values()) == {1}
    return set(ports)


def check_units(plan, found):
    """No two devices in one unit of a rack, and none above its top."""
    height = {row["model"]: int(row["u_height"]) for row in found["device_types"]}
    taken = Counter()
    for row in found["devices"]:
        if height[row["device_type"]]:
            low = int(row["position"])
            units = range(low, low + height[row["device_type"]])
            assert 1 <= units[0] <= units[-1] <= plan.catalog.cabinet.units
            taken.update((row["rack"], unit) for unit in units)
            assert row["face"] in ("front", "rear")
    assert set(taken.values()) == {1}


@pytest.mark.parametrize("which", ["plan", "twin", "odd"])
def test_all_names_resolve_and_every_link_is_a_cable(which, request, tmp_path):
    plan = request.getfixturevalue(which)
    found = files(plan, tmp_path)
    ports = check_references(found)
    check_units(plan, found)
    cables = found["cables"]
    assert len(cables) == plan.cables.cable_count
    ends = [(row[f"side_{side}_device"], row[f"side_{side}_name"]) for row in cables for side in "ab"]
    assert len(set(ends)) == len(ends)
    assert set(ends) <= ports
    for row, stock_mm in zip(cables, plan.cables.stock_mm.tolist(), strict=True):
        assert row["side_a_type"] == row["side_b_type"] == "dcim.interface"
        assert row["type"] in CABLE_TYPES
        assert row["profile"] == "single-1c1p"
        assert (row["status"], row["length_unit"]) == ("planned", "m")
        assert 0 <= float(row["length"]) - stock_mm / 1000 < 0.01
    for row, a, b in zip(cables, plan.cables.label_a.tolist(), plan.cables.label_b.tolist(), strict=True):
        assert a in row["comments"]
        assert b in row["comments"]
        assert row["label"] == a or len(a) > 100
    assert len(found["racks"]) == plan.placement.cabinet_count
    assert len(found["cable_bundles"]) == len(plan.cables.bundle_kind)
    bundles = Counter(int(row["bundle"].rpartition("B")[2]) - 1 for row in cables if row["bundle"])
    assert bundles == Counter(plan.cables.bundle[plan.cables.bundle >= 0].tolist())
    assert all(INTERFACE_TYPES.fullmatch(row["type"]) for row in found["interfaces"])


def test_whole_cables_list_their_ends(twin, tmp_path):
    found = files(twin, tmp_path, lanes="lists")
    ports = check_references(found)
    cables = found["cables"]
    assert len(cables) == len(twin.cables.first_of_piece) == 12
    assert {row["profile"] for row in cables} == {"trunk-2c1p"}
    used = []
    for row in cables:
        for side in "ab":
            devices, names = row[f"side_{side}_device"].split(","), row[f"side_{side}_name"].split(",")
            # One device for all names, or one for each: as the import form pairs them.
            devices = devices * len(names) if len(devices) == 1 else devices
            used += zip(devices, names, strict=True)
    assert len(used) == len(set(used)) == 2 * twin.cables.cable_count
    assert set(used) <= ports


def test_four_tails_are_four_connectors(four_tails, tmp_path):
    found = files(four_tails, tmp_path, lanes="lists")
    check_references(found)
    assert Counter(row["profile"] for row in found["cables"]) == {"single-1c1p": 12, "trunk-4c1p": 8}


def test_lanes_of_one_cable_say_so(twin, tmp_path):
    comments = [row["comments"] for row in files(twin, tmp_path)["cables"]]
    assert comments[0].startswith("cable 1; link 1 of 2 of one cable; label A: A01.A02.00.0001-A;")
    assert sum("link 2 of 2" in comment for comment in comments) == 12


def test_cable_managers_stand_in_their_units(twin, tmp_path):
    managers = [row for row in files(twin, tmp_path)["devices"] if row["role"] == "cable manager"]
    assert [row["name"] for row in managers] == ["M0001", "M0002", "M0003", "M0004"]
    assert [int(row["position"]) for row in managers] == twin.placement.fixture_unit.tolist()


def test_boxes_of_endpoints_are_devices(twin, tmp_path):
    found = files(twin, tmp_path)
    boxes = [row for row in found["devices"] if row["role"] == "endpoint"]
    assert (boxes[0]["name"], boxes[0]["description"]) == ("E000+3", "E000, E001, E002, E003")
    assert len(boxes) == 4
    assert {(row["device"], row["name"]) for row in found["interfaces"]} >= {("E000+3", "E002"), ("R000", "p64")}
    assert next(row for row in found["interfaces"] if row["name"] == "p64")["label"] == "32/2"
    assert {row["type"] for row in found["interfaces"] if row["device"] == "R000"} == {"infiniband-ndr"}


def test_what_is_built_is_connected(plan, tmp_path):
    found = files(plan, tmp_path, built=True, site="Site, 1", manufacturer="Mäker")
    assert {row["status"] for row in found["cables"]} == {"connected"}
    assert {row["status"] for name in ("sites", "racks", "devices") for row in found[name]} == {"active"}
    assert found["sites"] == [{"name": "Site, 1", "slug": "site__1", "status": "active"}]
    assert found["manufacturers"][0]["slug"] == "maker"


def test_types_have_the_makers_of_their_rows(plan, tmp_path):
    parts = tuple(replace(part, maker="Builder & Co", part_number="B-1") for part in plan.inventory.parts)
    made = replace(plan, inventory=replace(plan.inventory, parts=parts))
    found = files(made, tmp_path, manufacturer="Generic")
    types = {row["model"]: row for row in found["device_types"]}
    assert {types[part.id]["manufacturer"] for part in parts} == {"Builder & Co"}
    assert {types[part.id]["part_number"] for part in parts} == {"B-1"}
    assert {"Builder & Co", "Generic"} <= {row["name"] for row in found["manufacturers"]}
    assert {row["manufacturer"] for name in ("device_types", "devices", "rack_types") for row in found[name]} <= {
        row["name"] for row in found["manufacturers"]
    }


@pytest.mark.parametrize("bad", [{"site": " "}, {"manufacturer": "x" * 101}])
def test_names_that_netbox_refuses(plan, tmp_path, bad):
    with pytest.raises(InputError, match="NetBox takes 1 to 100"):
        write(plan, tmp_path, "netbox", **bad)


def test_types_of_ports_and_cables(plan, twin, trunks):
    router = twin.catalog.router
    ethernet = replace(router, family="Tomahawk")
    assert interface_type(ethernet, ethernet.family) == "400gbase-x-osfp"
    assert isinstance(ethernet, RouterPart)
    assert interface_type(replace(ethernet, connector="OSFP", rate_gbps=800), ethernet.family) == "800gbase-x-osfp"
    assert interface_type(replace(ethernet, connector="made up"), ethernet.family) == "other"
    kinds = {made.medium: cable_type(made) for made in (*plan.cables.assemblies, *twin.cables.assemblies)}
    assert kinds["copper"] == "dac-passive"
    assert kinds["active copper"] == "dac-active"
    assert {cable_type(made) for made in trunks.cables.assemblies if made.medium == "optical"} == {"smf-os2"}


# -- versions and power -----------------------------------------------------------------------------------


def test_version_4_5_has_locations_and_no_bundles(plan, tmp_path):
    older, newer = files(plan, tmp_path, version="4.5"), files(plan, tmp_path)
    # Locations are in their site; rack groups are in none.
    assert [f"Laboratory {row['name']}" for row in older["locations"]] == [row["name"] for row in newer["rack_groups"]]
    assert [f"Laboratory {row['location']}" for row in older["racks"]] == [row["group"] for row in newer["racks"]]
    for row, other in zip(older["cables"], newer["cables"], strict=True):
        bundle = other.pop("bundle")
        assert row == other | {"comments": other["comments"] + (f"; bundle {bundle}" if bundle else "")}
    for name in ("devices", "interfaces", "device_types", "power_ports"):
        assert older[name] == newer[name]


POWERED = """
name = "powered"
title = "With PDUs"
seed = 1
[topology]
family = "dragonfly"
a = 4
h = 1
endpoints_per_router = 2
[catalog]
router = "nvidia-sn4700"
endpoint = "server-half-unit-400g"
cabinet = "hpe-10648-g2"
pdu = "apc-ap8886"
[room]
plan = "two-halls"
[placement]
algorithm = "identity"
interior = { reserve_top_units = 30, feeds = "A+B", pdus_per_feed = 2 }
[cabling]
label = "hpe"
[report]
formats = []
"""


@pytest.fixture(scope="module")
def powered(tmp_path_factory):
    folder = tmp_path_factory.mktemp("powered")
    (folder / "study.toml").write_text(POWERED)
    return pipeline.run(folder, out=folder / "out", until="cables")


@pytest.mark.slow
@pytest.mark.parametrize("version", ["4.5", "4.6"])
def test_every_supply_leads_to_its_feed(powered, version, tmp_path):
    found = files(powered, tmp_path, version=version)
    cabinets, part = powered.placement.cabinet_count, powered.catalog.pdu
    names = [row["name"] for row in found["devices"] if row["role"] == "PDU"]
    slots = [powered.room.slot_names[slot] for slot in powered.placement.slot_of]
    assert sorted(names) == sorted(f"{slot}-{feed}{number}" for slot in slots for feed in "AB" for number in (1, 2))
    assert [row["name"] for row in found["power_panels"]] == ["feed A", "feed B"]
    assert [row["name"] for row in found["power_feeds"]] == names
    assert {(row["voltage"], row["amperage"], row["phase"]) for row in found["power_feeds"]} == {
        (str(part.volts), str(part.amps), "three-phase")
    }
    assert all(row["type"] == {"A": "primary", "B": "redundant"}[row["name"][-2]] for row in found["power_feeds"])
    rows = {row["name"]: row.get("location") for row in found["racks"]}
    assert all(row.get("location") == rows[row["rack"]] for row in found["power_feeds"])
    outlets = Counter(row["device"] for row in found["power_outlets"])
    assert outlets == Counter({name: part.outlets for name in names})
    ports = {(row["device"], row["name"]): row for row in found["power_ports"]}
    sockets = {(row["device"], row["name"]) for row in found["power_outlets"]}
    cords, plugged, feeds = found["power_cables"], Counter(), {}
    for row in cords:
        assert (row["side_a_device"], row["side_a_name"]) in ports
        if row["side_b_type"] == "dcim.powerfeed":
            feeds[row["side_a_device"]] = row["side_b_power_panel"]
            assert row["side_b_name"] == row["side_a_device"]
        else:
            assert (row["side_b_device"], row["side_b_name"]) in sockets
            plugged[row["side_b_device"], row["side_b_name"]] += 1
    assert len(cords) == len(ports)
    assert set(plugged.values()) == {1}
    assert feeds == {name: f"feed {name[-2]}" for name in names}
    # Both supplies of a router are on different feeds, and together they draw what the router draws.
    feed_of = {}
    for row in cords:
        if row["side_b_type"] == "dcim.poweroutlet":
            feed_of.setdefault(row["side_a_device"], []).append(feeds[row["side_b_device"]])
    assert sorted(feed_of["R000"]) == ["feed A", "feed B"]
    draws = [int(row["maximum_draw"]) for (device, _), row in ports.items() if device == "R000"]
    assert 0 <= 1000 * sum(draws) - powered.catalog.router.power_max_mw < 2000
    assert cabinets * 4 == len(names)


def test_transceivers_are_module_types(twin, trunks, tmp_path):
    for plan in (twin, trunks):
        models = [row["model"] for row in files(plan, tmp_path)["module_types"]]
        assert models == sorted({made.end_part for made in plan.cables.assemblies if made.end_part})


PANELED = [
    ("trunk", True),
    ("multicore", False),
    *(pytest.param(kind, False, marks=pytest.mark.slow) for kind in OVER_PANELS if kind.startswith("trunk")),
]


def traced(found):
    """Follow every jumper through front port, rear port, trunk, rear port and front port to the device at the other end."""
    front = {(row["device"], row["name"]): (row["rear_port"], row["rear_port_position"]) for row in found["front_ports"]}
    back = {(device, *rear): name for (device, name), rear in front.items()}
    keys = ("type", "device", "name")
    ends = [[tuple(row[f"side_{side}_{key}"] for key in keys) for side in "ab"] for row in found["cables"]]
    far = {one[1:]: other[1:] for a, b in ends for one, other in ((a, b), (b, a)) if one[0] == other[0] == "dcim.rearport"}
    near = {b[1:]: a[1:] for a, b in ends if b[0] == "dcim.frontport"}
    for port, device in near.items():
        rear, position = front[port]
        panel, socket = far[port[0], rear]
        yield frozenset([device, near[panel, back[panel, socket, position]]])


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "duplex"), PANELED)
def test_panels_lead_from_device_to_device(kind, duplex, tmp_path):
    plan, _ = planned(kind, q=7 if "zones" in kind else 5, duplex=duplex)
    found = files(plan, tmp_path)
    cables, panels = plan.cables, plan.panels
    plugs = len(panels.plug_trunk)
    assert len(found["rear_ports"]) == 2 * plugs
    assert len(found["front_ports"]) == len(panels.jumper_port)
    assert len(found["cables"]) == (~cables.carried).sum() + plugs + len(panels.jumper_port)
    names = plan.inventory.names
    wanted = {
        frozenset((str(names[device]), f"p{port}") for device, port in zip(*ends, strict=True))
        for ends in zip(cables.device[panels.row].tolist(), cables.port[panels.row].tolist(), strict=True)
    }
    assert set(traced(found)) == wanted
    assert {row["type"] for row in found["front_ports"]} == {"lc" if duplex else "mpo"}
    positions = {(row["device"], row["name"]): int(row["positions"]) for row in found["rear_ports"]}
    for row in found["front_ports"]:
        assert 1 <= int(row["rear_port_position"]) <= positions[row["device"], row["rear_port"]]
    profiles = {row["side_a_type"]: row["profile"] for row in found["cables"]}
    # Six duplex links share a plug, eight cores a fiber; a link with MPO plugs has a plug of its own.
    share = 8 if kind == "multicore" else 6 if duplex else 1
    assert (profiles["dcim.rearport"], profiles["dcim.interface"]) == (f"single-1c{share}p", "single-1c1p")
    devices = {row["name"]: row for row in found["devices"]}
    racks = {row["name"] for row in found["racks"]}
    assert set(panels.names.tolist()) <= devices.keys()
    assert {devices[name]["rack"] for name in panels.names.tolist()} == set(panels.frame_names.tolist()) <= racks
    ends = [tuple(row[f"side_{side}_{key}"] for key in ("type", "device", "name")) for row in found["cables"] for side in "ab"]
    assert len(set(ends)) == len(ends)


@pytest.mark.slow
def test_panels_in_netbox_4_5_state_their_rear_ports_in_words(tmp_path):
    plan, _ = planned("trunk", q=5)
    found = files(plan, tmp_path, version="4.5")
    assert "rear_port" not in found["front_ports"][0]
    assert all(re.match(r"rear port \d+/R\d+, position 1; far panel PP-", row["description"]) for row in found["front_ports"])


@pytest.mark.slow
def test_links_over_shuffle_boxes_are_cables_from_port_to_port(tmp_path):
    plan, _ = planned("shuffle", q=5)
    found = files(plan, tmp_path)
    assert len(found["cables"]) == plan.cables.cable_count
    assert not {"rear_ports", "front_ports"} & found.keys()


def test_shuffle_boxes_are_devices_in_their_frames(tmp_path):
    plan, _ = planned("shuffle", q=5)
    found, panels = files(plan, tmp_path), plan.panels
    devices = {row["name"]: row for row in found["devices"]}
    assert {name: devices[name]["rack"] for name in panels.names.tolist()} == {
        name: panels.frame_names[frame] for name, frame in zip(panels.names.tolist(), panels.frame.tolist(), strict=True)
    }
    box = plan.catalog.bundling.shuffle_box.id
    assert {devices[name]["device_type"] for name in panels.names.tolist()} == {box}
    assert box in {row["model"] for row in found["device_types"]}
    assert set(panels.frame_names.tolist()) <= {row["name"] for row in found["racks"]}
    assert "patch panel" in {row["name"] for row in found["device_roles"]}


# -- a NetBox that has data -------------------------------------------------------------------------------


UNIQUE = {
    "manufacturers": ("name",), "sites": ("name",), "rack_groups": ("name",), "rack_types": ("manufacturer", "model"),
    "racks": ("site", "name"), "device_roles": ("name",), "device_types": ("manufacturer", "model"), "devices": ("site", "name"),
    "module_types": ("manufacturer", "model"), "interfaces": ("device", "name"), "cable_bundles": ("name",),
    "power_ports": ("device", "name"),
}  # fmt: skip
"""What NetBox refuses twice."""


def unpacked(plan, folder, **options):
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(write(plan, folder, "netbox", **options)) as book:
        book.extractall(folder / "files")
    return folder / "files"


def keys(found, table):
    return {tuple(row[column] for column in UNIQUE[table]) for row in found[table]}


def test_a_second_plan_adds_only_what_is_absent(plan, twin, tmp_path):
    """Two plans in one room: sites, racks, types, roles and groups are shared, devices are those of two sites."""
    first = files(plan, tmp_path, site="Lab")
    there = unpacked(plan, tmp_path / "first", site="Lab")
    with pytest.raises(InputError, match=r"has \d+ devices of the plan's names at other sites, such as R000 at lab"):
        write(twin, tmp_path, "netbox", site="Annex", existing=there)
    names = np.array([f"annex-{name}" for name in twin.inventory.names])
    twin = replace(twin, inventory=replace(twin.inventory, names=names))
    alone = files(twin, tmp_path, site="Annex")
    second = files(twin, tmp_path, site="Annex", existing=there)
    for table in UNIQUE:
        assert not keys(second, table) & keys(first, table), table
        assert keys(second, table) == keys(alone, table) - keys(first, table), table
    # Names of lists without a site differ between the plans anyway.
    for table in ("rack_groups", "cable_bundles"):
        assert not keys(alone, table) & keys(first, table)
    # Imported again, nothing is left.
    again = files(plan, tmp_path, site="Lab", existing=there)
    assert not any(again[table] for table in (*UNIQUE, "cables"))


def test_cables_at_ports_that_are_taken_are_left_out(plan, tmp_path):
    there = unpacked(plan, tmp_path / "first")
    path = next(there.glob("*_cables.csv"))
    rows = path.read_text().splitlines()
    path.write_text("\n".join([rows[0], *rows[3:], rows[1].replace("R000", "R777")]))
    with pytest.warns(PlannerWarning, match="1 cables are left out: NetBox has other cables at their ends"):
        found = files(plan, tmp_path, existing=there)
    assert [row["label"] for row in found["cables"]] == [rows[2].split(",")[12]]


def test_exports_of_netbox_itself_are_known(plan, tmp_path):
    """Headings of its lists, YAML of device types, pages of its REST interface."""
    there = tmp_path / "netbox"
    there.mkdir()
    full = files(plan, tmp_path)
    devices = "".join(f"{row['name']},Planned,{row['site']}\n" for row in full["devices"])
    (there / "netbox_devices_2026-11-28.csv").write_text("Name,Status,Site\n" + devices)
    cables = "".join(
        f"{n} (7),{m},{a},{b}\n"
        for a, n, b, m in (
            (row["side_a_device"], row["side_a_name"], row["side_b_device"], row["side_b_name"]) for row in full["cables"]
        )
    )
    (there / "netbox_cables.csv").write_text("Termination A,Termination B,Device A,Device B\n" + cables)
    makers = {"Generic": "GENERIC Inc"}
    types = [
        f"manufacturer: {makers.get(row['manufacturer'], row['manufacturer'])}\nmodel: {row['model']}\nslug: x\n"
        for row in full["device_types"]
    ]
    (there / "device-types.csv").write_text("---\n".join(types))
    page = {"count": len(full["racks"]), "next": None}
    url = "https://netbox/api/dcim/racks/1/"
    results = [{"url": url, "name": row["name"], "site": {"name": row["site"]}} for row in full["racks"]]
    (there / "racks.json").write_text(json.dumps(page | {"results": results[:1]}))
    (there / "more.json").write_text(json.dumps(page | {"results": results[1:]}))
    maker = {"url": "https://netbox/api/dcim/manufacturers/1/", "name": "GENERIC Inc", "slug": "generic"}
    (there / "manufacturers.json").write_text(json.dumps([maker]))
    found = files(plan, tmp_path, existing=there)
    assert not any(found[table] for table in ("devices", "cables", "device_types", "racks"))
    # NetBox has the manufacturer under another name, to which rows refer.
    assert "Generic" not in {row["name"] for row in found["manufacturers"]}
    assert {row["manufacturer"] for row in found["module_types"]} <= {"GENERIC Inc"} | keys_of(found["manufacturers"])
    (there / "more.json").unlink()
    with pytest.raises(InputError, match=f"holds 1 of {len(full['racks'])} racks"):
        write(plan, tmp_path, "netbox", existing=there)


def keys_of(rows):
    return {row["name"] for row in rows}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("racks.csv", "Site,Title\n", "has no column name"),
        ("racks.csv", "", "has no column site, name"),
        ("notes.csv", "a\n", "is named after no table"),
        ("racks.json", "[1", "is not JSON"),
        ("racks.json", "[1]", "is no list of objects of one table"),
        ("x.txt", "", "holds no export"),
    ],
)
def test_exports_that_cannot_be_read(plan, tmp_path, name, content, message):
    there = tmp_path / "netbox"
    there.mkdir()
    (there / name).write_text(content)
    with pytest.raises(InputError, match=message):
        write(plan, tmp_path, "netbox", existing=there)
    with pytest.raises(InputError, match="is not a folder"):
        write(plan, tmp_path, "netbox", existing=there / "none")


@pytest.mark.parametrize("which", ["plan", "twin", "odd"])
def test_templates_make_what_the_files_leave_out(which, request, tmp_path):
    plan = request.getfixturevalue(which)
    whole = files(plan, tmp_path)
    with zipfile.ZipFile(write(plan, tmp_path, "netbox", templates=True)) as book:
        member = {name[3:]: name for name in book.namelist()}
        types = {one["model"]: one for one in yaml.safe_load_all(book.read(member["device_types.yaml"]))}
        left = {
            table: list(csv.DictReader(book.read(member[f"{table}.csv"]).decode().splitlines()))
            for table in ("interfaces", "power_ports", "power_outlets")
        }
    assert set(types) == {row["model"] for row in whole["device_types"]}
    devices = [(row["name"], types[row["device_type"]]) for row in whole["devices"]]
    for table, key, extra in (("interfaces", "interfaces", "label"), ("power_ports", "power-ports", "maximum_draw")):
        made = {(name, own["name"], str(own.get(extra, ""))) for name, of in devices for own in of.get(key, [])}
        rest = {(row["device"], row["name"], row[extra]) for row in left[table]}
        assert not made & rest
        assert made | rest == {(row["device"], row["name"], row[extra]) for row in whole[table]}
    assert not left["power_ports"]
    kinds = {own["type"] for one in types.values() for own in one.get("interfaces", [])}
    assert all(INTERFACE_TYPES.fullmatch(kind) for kind in kinds)


def test_airflow_of_device_types(plan):
    router, node = plan.inventory.parts
    intake, exhaust = ("port-side intake",), ("port-side exhaust",)
    # Ports at the front of a switch; those of a server are at its rear.
    assert [airflow(replace(router, airflow=one)) for one in (intake, exhaust)] == ["front-to-rear", "rear-to-front"]
    assert [airflow(replace(node, airflow=one, port_side="rear")) for one in (intake, exhaust)] == [
        "rear-to-front",
        "front-to-rear",
    ]
    assert airflow(replace(router, airflow=("none",))) == "passive"
    assert airflow(replace(router, airflow=(*intake, *exhaust))) == airflow(replace(router, airflow=())) == ""
