"""Readers of discovery files: samples of every format, and the same fabric in several formats."""

import ast
import json
from pathlib import Path

import pytest

from planner.core import registry
from planner.core.errors import InputError
from planner.fabric.verify import readers
from planner.fabric.verify.found import HOST, SWITCH, Port, Reading, Scan
from planner.fabric.verify.readers import ibnetdiscover

SAMPLES = {path.name: path for path in sorted((Path(__file__).parents[1] / "data/verify/formats").iterdir())}
SETS = Path(__file__).parents[1] / "data/verify"
INFINIBAND = (
    "ibnetdiscover.txt",
    "ibnetdiscover-noname.txt",
    "ibnetdiscover-p.txt",
    "iblinkinfo-line.txt",
    "ibdiagnet2.db_csv",
    "ufm-links.json",
)

R0, R1, E0 = "7cfe900300a00b40", "7cfe900300a00980", "ec0d9a0300b000b0"


def reader_of(name: str) -> str:
    """Return the reader of a sample: the longest name of one with which the name of the file begins."""
    return max((one for one in registry.names("discovery") if name.startswith(one)), key=len)


def scan(name: str) -> Scan:
    (found,) = readers.read([SAMPLES[name]])
    return found


def links(found: Scan) -> set[frozenset]:
    """Return the links of a scan between boxes, without aggregation nodes."""
    dropped = {key for key, device in found.devices.items() if "Aggregation Node" in device.name}
    ends = ((reading.port, reading.far) for reading in found.readings if reading.far and not reading.internal)
    return {frozenset(pair) for pair in ends if not {end.device for end in pair} & dropped}


def reading(found: Scan, device: str, port: str) -> Reading:
    (one,) = (one for one in found.readings if one.port == Port(device, port))
    return one


# -- every reader -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names("discovery"))
def test_every_reader_has_what_the_registry_promises(name):
    tree = ast.parse((registry.KINDS["discovery"].folder / f"{name}.py").read_text())
    first, _, rest = (ast.get_docstring(tree) or "").partition("\n\n")
    assert first.endswith(".")
    assert "\n" not in first
    assert rest, "how to collect the file"
    assert {"recognizes", "read"} <= {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert name == "workbook" or name in map(reader_of, SAMPLES), "a sample in tests/data/verify/formats"


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_recognized_by_its_reader_alone(name):
    assert readers.recognized(SAMPLES[name].read_text(), readers.known()) == [reader_of(name)]
    assert scan(name).format == reader_of(name)
    assert scan(name).readings


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_the_name_of_a_file_does_not_matter(name, tmp_path):
    # Tools that print neither device nor port need a file that is named by them.
    copy = tmp_path / "R001-5"
    copy.write_bytes(b"\xef\xbb\xbf" + SAMPLES[name].read_bytes().replace(b"\n", b"\r\n"))
    (found,) = readers.read([copy])
    assert found.format == reader_of(name)
    assert len(found.readings) == len(scan(name).readings)


@pytest.mark.parametrize("name", SAMPLES)
def test_devices_of_readings_are_listed(name):
    found = scan(name)
    assert all(one.port.device in found.devices and (not one.far or one.far.device in found.devices) for one in found.readings)
    assert all(device.key == key for key, device in found.devices.items())


def test_an_unknown_format_lists_the_formats(tmp_path):
    path = tmp_path / "ibnetdiscover.txt"
    path.write_text("hello")
    with pytest.raises(InputError, match=r"no known discovery format; if it is ibnetdiscover, .*; there are .*iblinkinfo"):
        readers.read([path])


def test_two_formats_in_one_file_are_refused(tmp_path):
    path = tmp_path / "both.txt"
    path.write_text(SAMPLES["ibnetdiscover.txt"].read_text() + SAMPLES["ibnetdiscover_ports.txt"].read_text())
    with pytest.raises(InputError, match=r"several formats: ibnetdiscover, ibnetdiscover_ports; .* one in each file"):
        readers.read([path])


def test_all_problems_of_all_files_are_reported(tmp_path):
    (tmp_path / "empty.txt").write_text("\n")
    (tmp_path / "links.json").write_text(SAMPLES["ufm_links.json"].read_text().replace('"8"', "[]")[:-3])
    rows = SAMPLES["iblinkinfo.txt"].read_text().replace("==>", "==", 2)
    (tmp_path / "ports.txt").write_text(rows)
    with pytest.raises(InputError) as error:
        readers.read([tmp_path / "empty.txt", tmp_path / "missing.txt", tmp_path])
    found = [(Path(problem.file).name, problem.line) for problem in error.value.problems]
    assert found == [
        ("empty.txt", 0),
        ("missing.txt", 0),
        ("empty.txt", 0),
        ("links.json", 8),
        ("ports.txt", 1),
        ("ports.txt", 2),
    ]


# -- the same fabric in several formats -------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sf-clean", "sf-mixed", "sf-device-swap"])
def test_every_infiniband_format_of_a_fabric_states_the_same_links(name):
    found = readers.read([SETS / name / file for file in INFINIBAND])
    answer = json.loads((SETS / name / "answer.json").read_text())
    assert {len(links(one)) for one in found} == {answer["found"]}
    assert len({frozenset(links(one)) for one in found}) == 1
    switches = [
        {key for key, device in one.devices.items() if device.kind == SWITCH} for one in found if one.format != "ufm_links"
    ]
    assert {len(one) for one in switches} == {50}
    assert len(set(map(frozenset, switches))) == 1


def test_the_database_has_serial_numbers_of_dark_cables():
    (found,) = readers.read([SETS / "sf-mixed/ibdiagnet2.db_csv"])
    serials = [one.plug.serial for one in found.readings if one.plug]
    # Of 375 cables one is missing, one hangs at one end, one has failed with both plugs in, and one is too many.
    assert len(serials) == 749
    assert sum(serials.count(serial) == 1 for serial in set(serials)) == 1
    dark = [one for one in found.readings if one.plug and one.far is None]
    assert len(dark) == 3


@pytest.mark.slow
def test_neighbors_of_switches_in_an_archive():
    found = readers.read([SETS / "sf-clean/lldp-json0.tar.gz"])
    assert len(found) == 50
    assert found[0].file.endswith("lldp-json0.tar.gz:lldp/R000.json")


# -- InfiniBand -------------------------------------------------------------------------------------


def test_ibnetdiscover():
    found = scan("ibnetdiscover.txt")
    assert (found.devices[R0].name, found.devices[R0].kind, found.devices[R0].ports) == ("MF0;R000:MSB7800/U1", SWITCH, 37)
    assert found.devices[E0].kind == HOST
    assert set(found.devices[E0].addresses) == {E0, "ec0d9a0300b000b1"}
    assert links(found) == {frozenset({Port(R0, "1"), Port(R1, "1")}), frozenset({Port(R0, "8"), Port(E0, "1")})}
    assert (reading(found, R0, "1").width, reading(found, R0, "1").speed) == (4, "EDR")
    # The aggregation node has no block of its own.
    assert [key for key, device in found.devices.items() if not device.answers] == ["7cfe900300a00b48"]
    assert found.both_ends
    assert not found.dark_ports


def test_ibnetdiscover_of_a_director():
    found = scan("ibnetdiscover-chassis.txt")
    leaf, spine = "00000002c90300d1", "0000002c90300d10"
    assert found.devices[leaf].system == found.devices[spine].system == leaf
    assert reading(found, leaf, "1").label == "18"
    assert reading(found, E0, "1").far_names == ("18",)
    assert [one.internal for one in found.readings] == [True, False, True, False]
    assert links(found) == {frozenset({Port(leaf, "1"), Port(E0, "1")})}


def test_ibnetdiscover_without_tabs():
    found = scan("ibnetdiscover-no-tabs.txt")
    assert links(found) == {frozenset({Port(R0, "1"), Port(R1, "1")}), frozenset({Port(R0, "8"), Port(E0, "1")})}
    assert found.devices[R0].ports == 41
    assert (found.devices[E0].name, found.devices[E0].kind, found.devices[E0].answers) == ("E000 mlx5_0", HOST, False)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('[1]\t"S-7cfe900300a00980"', '[1]\t"S-7cfe900300a0098"', ":11: is no port"),
        ('Switch\t37 "S-7cfe900300a00b40"', "Switch\t37", ":10: is no head of a node"),
        ('[8]\t"H', '8]\t"H', ":12: is neither a port nor a node"),
        ('"S-7cfe900300a00980"\t\t#', '"S-7cfe900300a00b40"\t\t#', ":19: node 7cfe900300a00b40 is listed twice"),
    ],
)
def test_ibnetdiscover_names_the_wrong_line(old, new, message, tmp_path):
    path = tmp_path / "fabric.txt"
    path.write_text(SAMPLES["ibnetdiscover.txt"].read_text().replace(old, new))
    with pytest.raises(InputError, match=message):
        readers.read([path])


def test_many_wrong_lines_are_counted():
    text = SAMPLES["ibnetdiscover.txt"].read_text() + "[1] nothing\n" * 50
    with pytest.raises(InputError) as error:
        ibnetdiscover.read(text, "fabric.txt")
    assert len(error.value.problems) == 11
    assert "40 more lines" in error.value.problems[-1].message


def test_ibnetdiscover_ports():
    found = scan("ibnetdiscover_ports.txt")
    assert (reading(found, R0, "12").state, reading(found, R0, "12").far) == ("down", None)
    assert reading(found, R0, "8").far == Port(E0, "1")
    assert found.dark_ports


def test_iblinkinfo():
    found = scan("iblinkinfo.txt")
    assert reading(found, R0, "1").slow == ""
    assert (reading(found, R0, "8").width, reading(found, R0, "8").slow) == (1, "Could be 4X")
    assert [reading(found, R0, port).state for port in ("12", "13")] == ["down", "disabled"]
    # A port that is up without a far end proves nothing about its link.
    assert not [one for one in found.readings if one.port.port == "14"]
    # Adapters are named by the GUID of their port.
    assert reading(found, R0, "8").far == Port("ec0d9a0300b000b1", "1")


def test_iblinkinfo_by_node_has_no_guids(tmp_path):
    path = tmp_path / "links.txt"
    port = '         172    1[  ] ==( 4X 25.78125 Gbps Active/  LinkUp)==>  191    1[  ] "R001" ( )'
    path.write_text(f"Switch: 0x{R0} MF0;R000:MSB7800/U1:\n{port}\n")
    with pytest.raises(InputError, match="collect it with iblinkinfo --line"):
        readers.read([path])


def test_database_of_ibdiagnet():
    found = scan("ibdiagnet_db_csv.csv")
    first = reading(found, R0, "1")
    assert first.plug is not None
    assert (first.plug.part_number, first.plug.serial, first.plug.length_m) == ("MCP1600-E01AE30", "MT1912VS10074", 1.5)
    assert first.errors is not None
    assert (first.errors.raw_ber, first.errors.symbol_ber, first.errors.link_downs) == (1e-9, 1.5e-254, 3)
    assert (first.label, first.width, first.speed) == ("1/1/1", 4, "NDR")
    # The order of the columns changed between versions; a label may be in either column.
    assert (reading(found, R0, "8").label, reading(found, R0, "8").plane) == ("1/4/2", 2)
    dark = reading(found, R0, "12")
    assert dark.plug is not None
    assert (dark.state, dark.plug.rx_dbm, dark.plug.temperature_c) == ("down", (-0.57, -1.2), 41)
    assert reading(found, R0, "13").state == "disabled"
    assert found.dark_ports


def test_database_without_links(tmp_path):
    path = tmp_path / "ibdiagnet2.db_csv"
    text = SAMPLES["ibdiagnet_db_csv.csv"].read_text()
    start, end = text.index("START_LINKS"), text.index("START_PORT_HIERARCHY_INFO")
    path.write_text(text[:start] + text[end:])
    # Plugs are known nevertheless.
    (found,) = readers.read([path])
    assert links(found) == set()
    assert sum(one.plug is not None for one in found.readings) == 2
    path.write_text(text[:start])
    with pytest.raises(InputError, match=r"has no block LINKS; add ibdiagnet2.lst"):
        readers.read([path])


def test_database_that_is_cut_off(tmp_path):
    path = tmp_path / "ibdiagnet2.db_csv"
    text = SAMPLES["ibdiagnet_db_csv.csv"].read_text()
    path.write_text(text[: text.index("END_LINKS") - 25])
    with pytest.raises(InputError, match="is cut off inside the block LINKS"):
        readers.read([path])


def test_list_of_links_has_hexadecimal_ports():
    found = scan("ibdiagnet_lst.lst")
    assert links(found) == {frozenset({Port(R0, "10"), Port(R1, "31")}), frozenset({Port(R0, "8"), Port(E0, "1")})}
    assert found.devices[R0].ports == 37
    assert [one.speed for one in found.readings] == ["EDR", "SDR"]


def test_net_dump_names_far_ports_by_labels():
    found = scan("ibdiagnet_net_dump.txt")
    assert reading(found, R0, "1").far == Port(R1, "2")
    assert reading(found, R0, "8").far == Port(E0, "1")
    assert [reading(found, R0, port).state for port in ("12", "13")] == ["down", "disabled"]
    # The port of the switch's own management is none of the fabric.
    assert not [one for one in found.readings if one.port.port == "65"]


def test_ufm_links():
    found = scan("ufm_links.json")
    first = reading(found, R0, "1")
    assert (first.label, first.far, first.far_names) == ("1/1/1", Port(R1, "1"), ("1/1/1",))
    assert first.plug is not None
    assert (first.plug.serial, first.plug.length_m) == ("MT1912VS10074", 1.5)
    assert found.devices[E0].name == "E000 mlx5_0"


# -- other networks ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["opareport.xml", "opareport-snapshot.xml"])
def test_opareport(name):
    found = scan(name)
    host, switch = "001175010265d9c1", "00117501026c1a4d"
    assert links(found) == {frozenset({Port(host, "1"), Port(switch, "8")})}
    assert [(device.name, device.kind) for device in found.devices.values()] == [("E000 hfi1_0", HOST), ("R000", SWITCH)]


def test_opareport_with_plugs():
    plug = scan("opareport.xml").readings[0].plug
    assert plug is not None
    assert (plug.part_number, plug.serial, plug.length_m, plug.technology) == ("FCBN410QE2C10", "W5A1", 10, "AOC")


@pytest.mark.parametrize("declaration", ['<!DOCTYPE x [<!ENTITY a "aaa">]>', '<!DOCTYPE x SYSTEM "file:///etc/passwd">'])
def test_opareport_refuses_declarations(declaration, tmp_path):
    path = tmp_path / "links.xml"
    path.write_text(SAMPLES["opareport.xml"].read_text().replace("<Report", f"{declaration}<Report"))
    with pytest.raises(InputError, match="declares a document type"):
        readers.read([path])


def test_canu_paddle():
    found = scan("canu_paddle.json")
    assert links(found) == {
        frozenset({Port("sw-spine-001", "1"), Port("sw-leaf-001", "53")}),
        frozenset({Port("sw-spine-001", "2"), Port("ncn-m001", "ocp:1")}),
    }
    assert found.devices["ncn-m001"].kind == HOST
    assert found.claims


def test_canu_cabling():
    found = scan("canu_cabling.txt")
    assert reading(found, "sw-spine-001", "1/1/51").far == Port("sw-leaf-001", "1/1/53")
    host = reading(found, "sw-spine-001", "1/1/3")
    assert (host.far, host.far_names) == (Port("ncn-m001", "mgmt0"), ("00:00:00:00:00:02",))
    # A name longer than its column pushes the others to the right.
    assert reading(found, "sw-spine-001", "1/1/52").far == Port("sw-leaf-bmc-0001", "1/1/48")
    # Without LLDP only an address is known.
    assert reading(found, "sw-spine-001", "1/1/1").far == Port("00:00:00:00:00:01", "")


def test_ndt():
    found = scan("ndt_csv.csv")
    assert [(one.port, one.far) for one in found.readings] == [
        (Port("R000", "1"), Port("R001", "1")),
        (Port("R000", "21"), Port("core1", "16/2/20")),
        (Port("E000", "ibp11s0f0"), Port("R000", "8")),
    ]
    assert [(one.port, one.far) for one in scan("ndt_csv-fields.csv").readings] == [(Port("R000", "1"), Port("R001", "1"))]


def test_netbox():
    first = (Port("R000", "1"), Port("R001", "1"))
    splitter = [(Port("R000", "8"), Port(name, "ib0")) for name in ("E000", "E001")]
    assert [(one.port, one.far) for one in scan("netbox_cables.json").readings] == [first, *splitter]
    imported = [(one.port, one.far) for one in scan("netbox_cables-import.csv").readings]
    assert imported == [first, (Port("R000", "8"), Port("E000", "1"))]
    assert [(one.port, one.far) for one in scan("netbox_cables-export.csv").readings] == [first]


def test_a_page_without_the_others_is_refused(tmp_path):
    path = tmp_path / "cables.json"
    text = SAMPLES["netbox_cables.json"].read_text()
    path.write_text(text.replace('"count": 3, "next": null', '"count": 50, "next": "https://netbox/api/?offset=3"'))
    with pytest.raises(InputError, match="is a page of an answer of 50 entries, of which the files hold 3"):
        readers.read([path])
    path.write_text(text.replace('"count": 3, "next": null', '"next": "https://netbox/api/?offset=3"'))
    with pytest.raises(InputError, match="only one page of the answer"):
        readers.read([path])
