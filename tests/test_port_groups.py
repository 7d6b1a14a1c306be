"""Port groups of devices: their checks, the shipped devices against published counts, and the cables between them."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.core import shipped
from planner.core.errors import InputError
from planner.domain import catalog
from planner.domain.parts import DEVICES, MANAGEMENT, PortGroup, Row

OWN = Path(__file__).parent / "data" / "catalog" / "ports.toml"
TEXT = OWN.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def devices() -> dict[str, Row]:
    """Every shipped device by id."""
    return {row.id: row for kind in DEVICES for row in catalog.rows(kind)}


@pytest.fixture(scope="module")
def join():
    """Return the cables between two groups, from all shipped rows."""
    return catalog.joints()


@pytest.fixture
def nothing_shipped(tmp_path, monkeypatch):
    monkeypatch.setattr(shipped, "folder", lambda name: tmp_path / "empty")


def write(folder: Path, text: str) -> str:
    path = folder / "ports.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def groups(row: Row) -> dict[str, PortGroup]:
    return {group.name: group for group in row.groups}


# -- rows -------------------------------------------------------------------------------------


def test_declared_groups_come_with_the_management_port_and_their_side(nothing_shipped):
    (node,) = catalog.rows("endpoint", (str(OWN),))
    assert [(group.name, group.count, group.cages, group.side) for group in node.groups] == [
        ("compute", 4, 2, "rear"),
        ("storage", 2, 2, "front"),
        ("mgmt", 1, 1, "rear"),
    ]
    assert (node.endpoints, node.groups[1].card) == (0, (4, 4))


def test_a_box_without_groups_has_one(nothing_shipped):
    plain = next(row for row in catalog.rows("router", (str(OWN),)) if row.id == "own-plain")
    assert plain.groups == (PortGroup(name="ports", count=8, ports_per_cage=2, connector="PLUG-2x10", rate_gbps=10, side="rear"),)


# name: text replaced, by what, kind of row, place named, text on the line named, message
WRONG = {
    "count": ("count = 4\nports_", "count = 3\nports_", "endpoint own-node.port.0.ports_per_cage", "ports_per_cage = 2",
              "3 ports of"),
    "same name": ('"storage"', '"compute"', "endpoint own-node.port.1.name", 'name = "compute"', "two port groups 'compute'"),
    "cards": ("[4, 4]", "[4]", "endpoint own-node.port.1.card", "card = [4]", "1 cards for 2 ports of group storage"),
    "two mgmt": ('"storage"', '"mgmt"', "endpoint own-node.mgmt_connector", "mgmt_connector", "both declare management ports"),
    "no count": ("count = 4\nports_", "ports_", "endpoint own-node.port.0.count", '[[endpoint.port]]\nname = "compute"',
                 "needs this key"),
    "unknown key": ("card = ", "cards = ", "endpoint own-node.port.1.cards", "cards = ", "no such key"),
    "optics": ('"linear"', '"magic"', "router own-switch.port.0.optics", 'optics = "magic"', "'built-in' or 'linear'"),
    "other cages": ("ports = 6\n", "ports = 6\nports_per_cage = 2\n", "router own-switch.ports_per_cage",
                    "ports_per_cage = 2\nconnector = \"PLUG\"", "2 ports in a cage, its group down 1"),
    "too many": ("ports = 6", "ports = 9", "router own-switch.ports", "ports = 9", "have 6 ports PLUG at 10 Gb/s, not 9"),
    "half a node": ("units = 3", "units = 3\nendpoints = 4", "endpoint own-node.connector", "[[endpoint]]", "add connector"),
    "price": ("price_cents = 0", "price_cents = 7", "transceiver own-inside.price_cents", "price_cents = 7", "counted twice"),
    "shelf": ("rating_mw = 5_000", "rating_mw = 6_000", "power_shelf own-shelf.rating_mw", "rating_mw = 6_000", "more than 5000"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_groups_are_named_with_their_line(nothing_shipped, tmp_path, name):
    good, bad, place, at, message = WRONG[name]
    text = TEXT.replace(good, bad, 1)
    assert text != TEXT
    with pytest.raises(InputError, match=message) as caught:
        catalog.rows("router", (write(tmp_path, text),))
    lines = {problem.place: problem.line for problem in caught.value.problems}
    assert lines[place] == text[: text.rindex(at)].count("\n") + 1


def test_a_node_with_groups_alone_is_no_endpoint_of_one_network():
    with pytest.raises(InputError, match="server-2x100g has port groups alone") as caught:
        catalog.select("nvidia-sb7800", "server-2x100g", "apc-ar3300")
    assert [problem.place for problem in caught.value.problems] == ["endpoint"]


def test_cabinets_with_other_units_are_refused():
    with pytest.raises(InputError, match=r"ocp-orv3-44ou has units of 48 mm, boxes are placed in units of 44\.45 mm"):
        catalog.select("nvidia-sb7800", "server-half-unit", "ocp-orv3-44ou")


# -- cables between groups, by hand -----------------------------------------------------------


def socket(connector, optics="", per_cage=1, rate=10):
    return PortGroup(name="x", count=4, connector=connector, rate_gbps=rate, optics=optics, ports_per_cage=per_cage)


def test_built_in_optics_take_a_bare_fiber(nothing_shipped):
    """5 m cost 500 cents; a module 3,000 cents, 2,000 mW and 5 ns; the optics inside add 1 ns and neither price nor power."""
    join = catalog.joints(loss="own-loss", files=(str(OWN),))
    inside, outside = socket("FRONT", "built-in"), socket("PLUG")
    (both,) = join("x", inside, inside).single
    assert (both.id, both.kind, both.price_cents, both.power_mw) == ("own-glass", "fiber", (500, 800), 0)
    assert [(end.part, end.price_cents, end.power_mw) for end in both.ends] == [("", 0, 0), ("", 0, 0)]
    (one,) = join("x", inside, outside).single
    assert (one.id, one.kind, one.price_cents, one.power_mw) == ("own-glass+own-module", "fiber", (3500, 3800), 1000)
    assert [(end.part, end.price_cents, end.power_mw) for end in one.ends] == [("", 0, 0), ("own-module", 3000, 2000)]
    assert (one.delay_end_ps, one.length_cents, one.reach_mm) == (3000, (500, 800), 20_000)
    (other,) = join("x", outside, inside).single
    assert (other.id, other.kind) == ("own-module+own-glass", "SR4")
    assert [(end.part, end.price_cents, end.power_mw) for end in other.ends] == [("own-module", 3000, 2000), ("", 0, 0)]


@pytest.mark.parametrize(
    ("one", "two", "found"),
    [
        ("", "", {"own-copper", "own-module+own-glass"}),
        ("linear", "", {"own-copper", "own-module+own-glass"}),
        ("", "linear", {"own-copper", "own-module+own-glass"}),
        ("linear", "linear", {"own-copper", "own-module+own-glass", "own-linear+own-glass"}),
    ],
)
def test_linear_modules_need_linear_ports_at_both_ends(nothing_shipped, one, two, found):
    join = catalog.joints(loss="own-loss", files=(str(OWN),))
    assert {assembly.id for assembly in join("x", socket("PLUG", one), socket("PLUG", two)).single} == found


def test_a_linear_module_does_not_talk_to_built_in_optics(nothing_shipped):
    join = catalog.joints(loss="own-loss", files=(str(OWN),))
    (only,) = join("x", socket("FRONT", "built-in"), socket("PLUG", "linear")).single
    assert only.end_part_b == "own-module"


def test_built_in_optics_stay_when_cables_or_media_are_chosen(nothing_shipped):
    rules = {"loss": "own-loss", "files": (str(OWN),)}
    join = catalog.joints(cables=("own-module", "own-glass"), media=("transceiver",), **rules)
    assert join("x", socket("FRONT", "built-in"), socket("PLUG")).single
    with pytest.raises(InputError, match=r"no cable connects FRONT \(built-in optics\) to PLUG at 10 Gb/s"):
        catalog.joints(media=("passive copper",), **rules)("x", socket("FRONT", "built-in"), socket("PLUG"))


def test_unknown_rules_and_cables_of_joints():
    with pytest.raises(InputError) as caught:
        catalog.joints(loss="none", cables=("100g-qsfp28-aco",))
    assert [problem.place for problem in caught.value.problems] == ["loss", "cables"]


def test_the_slower_end_sets_the_rate(devices, join):
    """An in-band port of 400G and a switch of 100G: the 100G cables, whose plugs fit the socket of the node."""
    joint = join("in-band", groups(devices["nvidia-sn4600c"])["ports"], groups(devices["dgx-h100"])["inband"])
    assert {assembly.rate_gbps for assembly in joint.assemblies} == {100}
    assert {assembly.kind for assembly in joint.single} == {"AOC", "DAC", "SR4", "CWDM4"}


def test_a_splitter_serves_a_cage_of_the_switch(devices, join):
    tor, host = groups(devices["generic-51t-tor"])["down"], groups(devices["hpn-host"])["backend"]
    joint = join("segment", tor, host)
    assert joint.ports_per_cage == (4, 1)
    assert {assembly.tails for assembly in joint.shared} == {4}
    assert {assembly.kind for assembly in joint.single} == {"SR2", "DR2"}
    assert {assembly.ends[0].links for assembly in joint.single} == {4}


# -- the shipped devices against their sources ------------------------------------------------


def counts(row: Row) -> dict[str, tuple[int, int, int]]:
    return {group.name: (group.count, group.cages, group.rate_gbps) for group in row.groups}


def test_dgx_ports(devices):
    """DGX H100 and B200 user guides: eight ports in four OSFP cages, two dual-port cards for storage and in-band, a BMC."""
    for name in ("dgx-h100", "dgx-b200"):
        assert counts(devices[name]) == {
            "compute": (8, 4, 400), "storage": (2, 2, 400), "inband": (2, 2, 400), "mgmt": (1, 1, 1),
        }  # fmt: skip
        assert groups(devices[name])["storage"].card == groups(devices[name])["inband"].card == (8, 9)
    body = ("units", "depth_mm", "mass_g", "power_max_mw", "psu_count")
    assert [getattr(devices["dgx-h100"], key) for key in body] == [8, 897, 130_450, 10_200_000, 6]
    assert [getattr(devices["dgx-b200"], key) for key in body] == [10, 897, 142_400, 14_300_000, 6]


def test_superpod_cages(devices):
    """RA-11333, Table 8: 127 nodes have 508 OSFP and 254 QSFP112 modules; with 1,024 links to spines, switches have 1,536."""
    node, switch = groups(devices["dgx-h100"]), groups(devices["nvidia-qm9700"])["ports"]
    assert 127 * node["compute"].cages == 508
    assert 127 * node["storage"].cages == 254
    links_at_switches = 127 * node["compute"].count + 2 * 1024
    assert links_at_switches // switch.ports_per_cage + 4 == 1536
    assert switch.cages == 32


def test_nvl72_ports(devices):
    """RA-11338: 18 trays of four 400G and four 200GbE ports; 32 leaves of 18 ports for 8 racks."""
    tray, rack = counts(devices["gb200-compute-tray"]), counts(devices["gb200-nvl72"])
    for name in ("compute", "ethernet"):
        assert rack[name][0] == 18 * tray[name][0] == 72
    assert 8 * rack["compute"][0] == 32 * 18


def test_dual_planes_of_b300(devices):
    """RA-11337: 64 nodes have 512 cages of 800G, two optical links each; RA-11339: 72 nodes have 576 ports of 800G."""
    twin, single = groups(devices["dgx-b300"])["compute"], groups(devices["dgx-b300-xdr"])["compute"]
    assert (64 * twin.cages, 64 * twin.count) == (512, 1024)
    assert all(twin.card.count(card) == 2 for card in range(8))
    assert 72 * single.count == 576


def test_chips_of_51_2_tb_s(devices):
    """Alibaba HPN: 136 ports of 200G and 60 of 400G; aggregation 120 + 8 of 400G; both in the 64 cages of such boxes."""
    tor, top = devices["generic-51t-tor"], devices["generic-51t-aggregation"]
    for box in (tor, top):
        data = [group for group in box.groups if group.name != MANAGEMENT]
        assert sum(group.count * group.rate_gbps for group in data) == 51_200
        assert sum(group.cages for group in data) == 64
    assert counts(tor)["down"][:2] == (136, 34)
    assert counts(devices["hpn-host"])["backend"] == (16, 16, 200)


def test_switches_with_unlike_ports(devices):
    """netbox devicetype-library: SN2201 48 RJ45 and 4 QSFP28, SN3420 48 SFP28 and 12 QSFP28, Q3400-RA 144 ports and fnm1."""
    assert counts(devices["nvidia-sn2201"]) == {"ports": (48, 48, 1), "uplink": (4, 4, 100), "mgmt": (1, 1, 1)}
    assert counts(devices["nvidia-sn3420"]) == {"ports": (48, 48, 25), "uplink": (12, 12, 100), "mgmt": (1, 1, 1)}
    assert counts(devices["nvidia-q3400-ra"]) == {"ports": (144, 72, 800), "ufm": (1, 1, 800), "mgmt": (1, 1, 1)}


def test_line_cards_of_a_director(devices):
    """docs.nvidia.com CS8500: 20 leaf modules of 40 ports."""
    director = devices["nvidia-cs8500"]
    assert [group.count for group in director.port] == [40] * 20
    assert sum(group.count for group in director.port) == director.ports == 800


def test_photonic_switches(devices):
    """Q3450-LD: 144 ports, 18 laser modules, 3.95 kW; SN6810: 102.4 Tb/s, as the pluggable SN6600; SN6800: 409.6 Tb/s."""
    quantum = devices["nvidia-q3450-ld"]
    assert (quantum.ports, quantum.laser_modules, quantum.power_max_mw, quantum.units) == (144, 18, 3_950_000, 4)
    for name, rate in (("nvidia-sn6810-ld", 102_400), ("nvidia-sn6800-ld", 409_600)):
        (ports,) = devices[name].port
        assert (ports.optics, ports.count * ports.rate_gbps) == ("built-in", rate)
    ports = groups(devices["nvidia-sn6600-ld"])["ports"]
    assert (ports.optics, ports.cages, ports.count * ports.rate_gbps) == ("", 64, 102_400)


def test_racks_and_shelves(devices):
    """Open Rack V3: 44 units of 48 mm; NVL72: 8 shelves of six supplies of 5.5 kW; EX4000: 8 chassis, 64 and 64 blades."""
    cabinets = {row.id: row for row in catalog.rows("cabinet")}
    orv3, nvl, cray = (cabinets[name] for name in ("ocp-orv3-44ou", "nvidia-nvl72-rack", "hpe-cray-ex4000-olympus"))
    assert orv3.units * orv3.unit_um == 2_112_000 < 1000 * orv3.height_mm
    shelf = devices["nvidia-33kw"]
    assert shelf.supplies * shelf.supply_mw == shelf.rating_mw == 33_000_000
    assert nvl.power_shelves * shelf.rating_mw > nvl.power_max_mw >= devices["gb200-nvl72"].power_max_mw
    assert (cray.chassis, cray.blade_slots, cray.switch_slots, cray.power_shelves) == (8, 64, 64, 4)
    assert [row.units for row in catalog.rows("cabinet") if (row.width_mm, row.depth_mm) == (700, 1200)] == [52]


def test_every_metered_pdu_is_managed():
    assert {row.mgmt_connector for row in catalog.rows("pdu")} == {"RJ45"}


def test_every_group_can_be_cabled(devices, join):
    """Each sort of port of each shipped device joins its like: no socket is without a cable."""
    sorts = {(group.connector, group.rate_gbps, group.ports_per_cage, group.optics): group
             for row in devices.values() for group in row.groups}  # fmt: skip
    assert len(sorts) > 20
    for group in sorts.values():
        joint = join(group.name, group, group)
        assert joint.single, group
        assert all(max(assembly.stock_mm) <= assembly.reach_mm for assembly in joint.assemblies), group


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("nvidia-qm9700.ports", "dgx-h100.compute"),
        ("nvidia-qm9700.ports", "dgx-h100.storage"),
        ("nvidia-qm9700.ports", "nvidia-ufm-3.1.ib"),
        ("nvidia-qm9700.ports", "storage-node.storage"),
        ("nvidia-qm9700.ports", "gb200-nvl72.compute"),
        ("nvidia-qm9700-4x200.ports", "gb200-nvl72.ethernet"),
        ("nvidia-sn4600c.ports", "dgx-h100.inband"),
        ("nvidia-sn4600c.ports", "management-node.inband"),
        ("nvidia-sn4600c.ports", "nvidia-sn2201.uplink"),
        ("nvidia-sn5600-2x400.ports", "dgx-b200.inband"),
        ("nvidia-sn5600-2x400.ports", "dgx-b300.compute"),
        ("nvidia-q3400-ra.ports", "dgx-b300-xdr.compute"),
        ("nvidia-q3450-ld.ports", "dgx-b300-xdr.compute"),
        ("nvidia-q3450-ld.ports", "nvidia-q3400-ra.ports"),
        ("nvidia-sn6810-ld.ports", "nvidia-sn6800-ld.ports"),
        ("generic-51t-tor.up", "generic-51t-aggregation.ports"),
        ("generic-51t-tor.down", "hpn-host.backend"),
        ("nvidia-sn2201.ports", "dgx-h100.mgmt"),
        ("nvidia-sn2201.ports", "nvidia-qm9700.mgmt"),
        ("nvidia-sn2201.ports", "apc-ap8881.mgmt"),
        ("nvidia-sn2201.ports", "nvidia-33kw.mgmt"),
        ("nvidia-sn3420.uplink", "server-2x100g.data"),
    ],
)
def test_usual_partners(devices, join, one, other):
    (a, a_group), (b, b_group) = one.rsplit(".", 1), other.rsplit(".", 1)
    assert join("x", groups(devices[a])[a_group], groups(devices[b])[b_group]).single
