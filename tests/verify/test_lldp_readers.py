"""Readers of Ethernet neighbors: what each format states, in the shapes that its boxes print."""

import json
import re
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from planner.core import registry
from planner.core.errors import InputError
from planner.fabric.verify.found import HOST, SWITCH, Device, Port, Reading, Scan
from planner.fabric.verify.readers import recognized
from planner.fabric.verify.readers.syntax.neighbors import Neighbor
from planner.fabric.verify.readers.syntax.neighbors import scan as scan_of

SAMPLES = Path(__file__).parents[1] / "data" / "verify" / "formats"
SETS = Path(__file__).parents[1] / "data" / "verify"
FORMATS = ["lldpcli_json0", "lldpcli_keyvalue", "sonic", "arista", "nxos", "junos", "aruba_cx", "onyx", "ptm"]


def read(name: str, text: str, file: str = "lldp/R033.json") -> Scan:
    """Read a text with the one reader that recognizes it, which must be `name`."""
    readers = {each: registry.load("discovery", each) for each in registry.names("discovery")}
    assert recognized(text, readers) == [name]
    scan = readers[name].read(text, file)
    assert scan.format == name
    assert scan.both_ends
    assert not scan.dark_ports
    return scan


def sample(name: str, file: str = "lldp/R033.json") -> Scan:
    (path,) = SAMPLES.glob(f"{name}.*")
    return read(name.partition("-")[0], path.read_text(), file)


def links(scan: Scan) -> dict[str, list[Port | None]]:
    found: dict[str, list[Port | None]] = {}
    for reading in scan.readings:
        found.setdefault(reading.port.port, []).append(reading.far)
    return found


EXPECTED = [
    Reading(
        Port("R033", "swp1"),
        far=Port("R001", "swp7"),
        far_names=("to R033", "0c42a1a00980"),
        state="up",
        age_s=14461,
        ttl_s=120,
    ),
    Reading(
        Port("R033", "swp2"),
        far=Port("E073", "0c42a1b0019d"),
        far_names=("enp1s0f0np0", "0c42a1b0019c"),
        state="up",
        age_s=172810,
        ttl_s=120,
    ),
    Reading(Port("R033", "swp2"), far=Port("b8cef6000002", "b8cef6000002"), state="up", age_s=70, ttl_s=121),
    Reading(Port("R033", "sfp2.665"), far=Port("switch-9", "xe-0/0/1"), far_names=("switch-9",), state="up"),
]


@pytest.mark.parametrize("name", ["lldpcli_json0", "lldpcli_json0-collapsed", "lldpcli_keyvalue"])
def test_the_forms_of_lldpcli_state_the_same(name):
    scan = sample(name)
    assert scan.readings == EXPECTED
    assert scan.devices == {
        "R033": Device("R033", "R033", SWITCH),
        "R001": Device("R001", "R001", SWITCH, addresses=("0c42a1a00980",), answers=False),
        "E073": Device("E073", "E073", HOST, "", ("0c42a1b0019c", "0c42a1b0019d"), "S-0815", "XE9680", answers=False),
        "b8cef6000002": Device("b8cef6000002", addresses=("b8cef6000002",), answers=False),
        # Many boxes are called localhost: the chassis id distinguishes them.
        "switch-9": Device("switch-9", "localhost", answers=False),
    }


def test_a_single_neighbor_in_collapsed_json_is_no_list():
    assert links(sample("lldpcli_json0-one")) == {"swp1": [Port("R001", "swp7")]}


@pytest.mark.parametrize("text", ['{"lldp": [{}]}', '{"lldp": {}}', '{"lldp": [{"interface": []}]}'])
def test_a_box_without_neighbors_answers_all_the_same(text):
    scan = read("lldpcli_json0", text)
    assert scan.readings == []
    assert scan.devices == {"R033": Device("R033", "R033")}


def test_interfaces_in_lists_of_lists():
    document = json.loads((SAMPLES / "lldpcli_json0.json").read_text())
    (block,) = document["lldp"]
    nested = {"lldp": {"interface": [[entry] for entry in block["interface"]]}}
    assert read("lldpcli_json0", json.dumps(nested)).readings == EXPECTED


def test_line_breaks_that_older_lldpcli_escapes_wrongly_are_read():
    text = (SAMPLES / "lldpcli_json0.json").read_text().replace("Cumulus Linux", "Cisco\\\nLinux")
    with pytest.raises(json.JSONDecodeError):
        json.loads(text)
    assert read("lldpcli_json0", text).readings == EXPECTED


def test_lldpcli_names_its_box_if_its_chassis_is_in_the_file():
    chassis = {"id": [{"type": "mac", "value": "0c:42:a1:a0:00:00"}], "name": [{"value": "leaf9"}]}
    own = json.dumps({"local-chassis": [{"chassis": [chassis]}]})
    scan = read("lldpcli_json0", (SAMPLES / "lldpcli_json0.json").read_text() + "\n" + own)
    assert scan.devices["leaf9"] == Device("leaf9", "leaf9", SWITCH, addresses=("0c42a1a00000",))
    assert {reading.port.device for reading in scan.readings} == {"leaf9"}
    lines = "local-chassis.chassis.mac=0c:42:a1:a0:00:00\nlocal-chassis.chassis.name=leaf9\n"
    assert read("lldpcli_keyvalue", (SAMPLES / "lldpcli_keyvalue.txt").read_text() + lines) == replace(
        scan, format="lldpcli_keyvalue"
    )


def keyvalue(document: dict) -> str:
    """Return the key-value form of a json0 document, as lldpcli's writers differ: names and types replace the last word."""
    lines = []

    def write(prefix: str, item: dict) -> None:
        for key in ("name", "type"):
            if isinstance(item.get(key), str):
                prefix = f"{prefix.rpartition('.')[0]}.{item[key]}"
        for key, value in item.items():
            if isinstance(value, list):
                for inner in value:
                    write(f"{prefix}.{key}", inner)
            elif key == "value":
                lines.append(f"{prefix}={value}")
            elif key not in ("name", "type"):
                lines.append(f"{prefix}.{key}={({True: 'on', False: 'off'}).get(value, value)}")

    for block in document["lldp"]:
        for interface in block["interface"]:
            write("lldp.interface", interface)
    return "\n".join(lines) + "\n"


def collapsed(value: object) -> object:
    """Return the json form of json0, by the rules of lldpcli's writer."""
    if isinstance(value, list) and len(value) == 1:
        return collapsed(value[0])
    if isinstance(value, list):
        return [collapsed(item) for item in value]
    if not isinstance(value, dict):
        return value
    if list(value) == ["value"]:
        return collapsed(value["value"])
    inner = {key: collapsed(item) for key, item in value.items()}
    name = inner.pop("name") if isinstance(inner.get("name"), str) else None
    return inner if name is None else {name: inner}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sf-clean", "sf-mixed", "sf-device-swap"])
def test_fabrics_are_the_same_in_all_forms_of_lldpcli(name):
    with tarfile.open(SETS / name / "lldp-json0.tar.gz") as archive:
        texts = {member.name: archive.extractfile(member).read().decode() for member in archive if member.isfile()}
    assert len(texts) == 50
    claims: dict[Port, set[Port]] = {}
    for file, text in texts.items():
        document = json.loads(text)
        scan = read("lldpcli_json0", text, f"fabric.tar.gz:{file}")
        assert scan.devices[Path(file).stem].answers
        assert len(scan.readings) == text.count('"via"')
        other = read("lldpcli_json0", json.dumps(collapsed(document)), scan.file)
        assert other == scan
        assert read("lldpcli_keyvalue", keyvalue(document), scan.file) == replace(scan, format="lldpcli_keyvalue")
        for reading in scan.readings:
            claims.setdefault(reading.port, set()).add(reading.far)
    between = {port: far for port, (far, *_) in claims.items() if port.port != "eth0" and far.device.startswith("R")}
    stale = [port for port, far in between.items() if port not in claims.get(far, ())]
    if name == "sf-clean":
        # 50 routers of degree 7.
        assert len(between) == 350
        assert not stale


def test_sonic_tables_of_the_database():
    scan = sample("sonic")
    assert scan.devices["spine1"] == Device("spine1", "spine1", SWITCH, addresses=("94ef97946500",))
    assert scan.devices["E073"].kind == HOST
    assert links(scan) == {
        "Ethernet0": [Port("leaf3", "Eth3(Port3)")],
        "Ethernet4": [Port("E073", "0c42a1b0019d")],
        "eth0": [Port("oob-mgmt-switch", "swp35")],
    }
    # Between SONiC boxes the port id is an alias; the description names the port.
    assert scan.readings[0].far_names == ("Ethernet8", "94ef97946542")
    assert links(sample("sonic-redis")) == {"Ethernet0": [Port("leaf3", "Eth3(Port3)")]}


def test_sonic_text_table_with_several_neighbors_on_one_port():
    assert links(sample("sonic-table")) == {
        "Ethernet0": [Port("leaf3", "Eth3(Port3)")],
        "Ethernet4": [Port("E073", "0c42a1b0019d")],
        "eth0": [Port("leaf2", "0c2221ac0000"), Port("leaf3", "0c8668130000")],
    }


def test_arista_both_versions_of_the_port_id():
    scan = sample("arista")
    assert links(scan) == {
        "Ethernet1": [Port("DC1-SPINE1", "Ethernet1")],
        "Ethernet3": [Port("E073", "0c42a1b0019d")],
        "Ethernet4": [Port("old", "Ethernet5/1")],
    }
    assert scan.devices["DC1-SPINE1"].addresses == ("001c73a0fc18",)
    assert scan.devices["E073"].kind == HOST


def test_arista_names_its_box_where_its_host_name_is_in_the_file():
    scan = sample("arista-eapi")
    assert [reading.port for reading in scan.readings] == [Port("DC1-LEAF1A", "Ethernet1")]
    text = '{"hostname": "leaf7", "fqdn": "leaf7.example.com"}\nleaf7#show lldp neighbors detail | json\n'
    assert "leaf7" in read("arista", text + (SAMPLES / "arista.json").read_text() + "leaf7#").devices


def test_nxos_one_neighbor_is_an_object_and_several_are_a_list():
    assert links(sample("nxos-one")) == {"Ethernet1/1": [Port("REMOTE-SW01", "Ethernet1/49")]}
    scan = sample("nxos")
    assert links(scan) == {
        "Eth1/1": [Port("spine1.example.com", "Ethernet1/49")],
        "mgmt0": [Port("na2a-mc1-nbg3", "e0M")],
        "Eth1/2": [Port("0c42a1b0019c", "0c42a1b0019d")],
    }
    assert scan.readings[1].far_names == ("deadbeef7fef",), "a description that is not advertised is none"
    assert [device.kind for device in scan.devices.values()] == [SWITCH, SWITCH, HOST, ""]


def test_nxos_short_form_has_name_or_chassis_in_one_field():
    assert links(sample("nxos-brief")) == {
        "Eth1/1": [Port("spine1", "Eth1/49")],
        "Eth1/2": [Port("0c42a1b0019c", "0c42a1b0019d")],
    }


def test_junos_as_json_and_older_xml():
    scan = sample("junos")
    assert links(scan) == {"et-0/0/28:1": [Port("spine2", "et-0/0/3")], "et-0/0/29": [Port("E073", "0c42a1b0019d")]}
    assert scan.readings[0].far_names == ("40b4f073c100",), "an SNMP index as id, the port as description"
    scan = sample("junos-old")
    assert scan.devices["leaf1"] == Device("leaf1", "leaf1", SWITCH, addresses=("40b4f073aa00",))
    assert links(scan) == {"xe-0/0/0": [Port("spine1", "xe-0/0/7")]}


@pytest.mark.parametrize("head", ['<!DOCTYPE x [<!ENTITY a "b">]>', "<! ENTITY a>"])
def test_xml_with_a_document_type_is_refused(head):
    with pytest.raises(InputError, match="document type"):
        read("junos", head + (SAMPLES / "junos-old.xml").read_text())


def test_aruba_ports_are_escaped_and_have_several_neighbors():
    scan = sample("aruba_cx")
    assert links(scan) == {
        "1/1/1": [Port("sw-spine-001", "1/1/48")],
        "1/1/2": [Port("ncn-w001", "0c42a1b0019d"), Port("b8cef6000002", "b8cef6000002")],
    }
    assert [device.kind for device in scan.devices.values()] == [SWITCH, SWITCH, HOST, ""]


@pytest.mark.parametrize("name", ["onyx", "onyx-lines"])
def test_onyx_as_json_and_as_lines(name):
    scan = sample(name)
    assert links(scan) == {"Eth1/1": [Port("sw-test03", "Eth1/11")], "Eth1/2": [Port("0c42a1b0019c", "0c42a1b0019d")]}
    assert scan.readings[0].far_names == ("0040a6004455",), "a description that is not advertised is none"
    assert scan.devices["0c42a1b0019c"].kind == HOST


def test_onyx_as_a_table_and_without_neighbors():
    far = [Port("rack6-2", "Eth1/29")], [Port("rack6-2", "Eth1/30")]
    assert list(links(sample("onyx-table")).values()) == list(far)
    text = '{"status": "OK", "data": [{"Lines": ["", "No lldp remote information.", ""]}]}'
    assert read("onyx", text).readings == []


def test_ptm_takes_the_neighbors_that_it_found():
    assert links(sample("ptm")) == {"swp1": [Port("R001", "swp7")], "swp2": [Port("R009", "swp1")]}


def test_files_of_hosts():
    text = (SAMPLES / "lldpcli_json0-one.json").read_text().replace("swp1", "enp1s0f0np0")
    scan = read("lldpcli_json0", text, "E001.json")
    assert scan.devices["E001"] == Device("E001", "E001", HOST)
    assert links(scan) == {"enp1s0f0np0": [Port("R001", "swp7")]}


def test_a_host_with_bridges_is_not_taken_for_a_switch():
    text = (SAMPLES / "lldpcli_json0.json").read_text().replace('"Station", "enabled": true', '"Bridge", "enabled": true')
    assert read("lldpcli_json0", text).devices["E073"].kind == ""


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("lldp/R033.json", "R033"),
        ("fabric.tar.gz:lldp/R033.json", "R033"),
        ("C:\\scans\\R033.txt", "R033"),
        ("leaf01.example.com.json", "leaf01.example.com"),
        ("R033-lldp-neighbors.json", "R033"),
        ("show_lldp_neighbors_R033.txt", "R033"),
        ("R033/lldp.json", "R033"),
        ("scan.zip:R033/lldp/neighbors.json", "R033"),
    ],
)
def test_files_are_named_after_their_boxes(file, name):
    text = (SAMPLES / "lldpcli_json0-one.json").read_text()
    assert read("lldpcli_json0", text, file).readings[0].port == Port(name, "swp1")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("lldpcli_json0", '{"lldp": [{"interface": [', "R033.json:1: is not valid JSON"),
        ("lldpcli_json0", '{"lldp": 5}', "lldp: is no list of interfaces"),
        ("lldpcli_json0", '{"lldp": [{"interface": [{"name": "swp1"}]}]}', "'swp1' has neither chassis nor port"),
        ("lldpcli_json0", '{"lldp": [{"interface": ["swp1"]}]}', "'swp1' has neither chassis nor port"),
        ("lldpcli_json0", '{"lldp": {}} "more": {', "R033.json:1: goes on after the end of its JSON"),
        ("lldpcli_json0", '{"lldp": ' + "[" * 60 + "]" * 60 + "}", "nested more than 40 levels"),
        ("lldpcli_keyvalue", "lldp.swp1.via=LLDP\nlldp.swp1.chasis.name=R1", "R033.json:2: the key 'lldp.swp1.chasis.name'"),
        ("arista", '{"lldpNeighbors": 3}', "lldpNeighbors: is no table of ports"),
        ("nxos", '{"TABLE_nbor_detail": "none"}', "TABLE_nbor_detail: is no table"),
        ("nxos", '{"TABLE_nbor_detail": {"ROW_nbor_detail": {"sys_name": "R1"}}}', "has a neighbor without a local port"),
        ("junos", "<lldp-neighbors-information><lldp-neigh", "R033.json:1: is not valid XML"),
        ("sonic", "LocalPort  RemoteDevice  RemotePortID\nEthernet0  R1  Ethernet4\n", "R033.json:1: has no line of dashes"),
    ],
)
def test_damaged_files_are_one_clear_error(name, text, message):
    with pytest.raises(InputError, match=re.escape(message)):
        read(name, text)


@pytest.mark.parametrize("name", FORMATS)
def test_texts_of_strangers_are_cleaned(name):
    for path in SAMPLES.glob(f"{name}*"):
        text = path.read_text()
        for word in ("R001", "leaf3", "DC1-SPINE1", "spine", "sw-", "rack6", "REMOTE"):
            text = text.replace(word, f"\u202e{word}")
        for reading in registry.load("discovery", name).read(text, "R033.json").readings:
            assert all(part.isprintable() for part in (*reading.port, *(reading.far or ()), *reading.far_names))


@pytest.mark.parametrize(
    ("neighbor", "port", "names"),
    [
        (Neighbor("swp1", "edge1", port="12", description="to leaf01", is_local=True), "to leaf01", ()),
        (Neighbor("swp1", "edge1", port="597", description="et-0/0/5"), "et-0/0/5", ()),
        (Neighbor("swp1", "edge1", port="436207616"), "", ()),
        (Neighbor("swp1", "edge1", port="12", description="to leaf01"), "12", ("to leaf01",)),
        (Neighbor("swp1", "edge1", port="1/12", is_local=True), "1/12", ()),
    ],
)
def test_an_index_of_snmp_is_no_port(neighbor, port, names):
    (reading,) = scan_of("leaf01.json", "nxos", Device("leaf01"), [neighbor]).readings
    assert (reading.far.port, reading.far_names) == (port, names)
