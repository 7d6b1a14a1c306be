"""Readers of plugs, light and bit errors."""

import re
from pathlib import Path

import pytest

from planner.core import registry
from planner.core.errors import InputError
from planner.fabric.verify.found import HOST, Device, Errors, Plug, Port, Reading, Scan
from planner.fabric.verify.readers import recognized
from planner.fabric.verify.readers.syntax.plugs import DARK_DBM, placed_by_file

SAMPLES = Path(__file__).parents[1] / "data" / "verify" / "formats"


def read(name: str, text: str, file: str) -> Scan:
    """Read a text with the one reader that recognizes it, which must be `name`."""
    readers = {each: registry.load("discovery", each) for each in registry.names("discovery")}
    assert recognized(text, readers) == [name]
    scan = readers[name].read(text, file)
    # Readings of plugs state nothing about links, nor about ports that the file lacks.
    assert scan.format == name
    assert not scan.dark_ports
    assert all(reading.far is None for reading in scan.readings)
    assert not any(device.answers for device in scan.devices.values())
    return scan


def sample(name: str, file: str) -> Scan:
    (path,) = SAMPLES.glob(f"{name}.*")
    return read(name.partition("-")[0], path.read_text(), file)


def test_mlxlink_plug_light_and_errors_of_one_port():
    (reading,) = sample("mlxlink-R001-5", "plugs/R001-5.json").readings
    assert reading == Reading(
        Port("R001", "5"),
        state="up",
        width=4,
        speed="HDR",
        plug=Plug(
            "Mellanox",
            "MFS1S00-H010E",
            "MT2037FT00001",
            10.0,
            "850 nm VCSEL",
            (1.886, -1.989, 2.281, -40.0),
            (1.562, 1.427, 1.559, 1.761),
            46.0,
        ),
        # 15E-255 is the firmware's word for no error.
        errors=Errors(3e-10, 0.0, 0.0, 67.1, 1),
    )


def test_mlxlink_several_ports_in_one_file():
    scan = sample("mlxlink-list", "all.json")
    assert scan.devices == {
        "R001": Device("R001", "R001", answers=False),
        "E001 mlx5_1": Device("E001 mlx5_1", "E001 mlx5_1", HOST, answers=False),
    }
    copper, absent = scan.readings
    assert copper == Reading(
        Port("R001", "6"),
        state="down",
        plug=Plug("FS", "OSFPFL-400G-PC01", "C2604279049-2", 1.0, "Copper cable, passive, unequalized"),
    )
    assert absent == Reading(Port("E001 mlx5_1", "1"), state="disabled")
    text = (SAMPLES / "mlxlink-R001-5.json").read_text()
    scan = read("mlxlink", f'{{"R001-5": {text}, "R002": {{"7": {text}}}}}', "all.json")
    assert [reading.port for reading in scan.readings] == [Port("R001", "5"), Port("R002", "7")]


def test_mlxlink_as_text_with_colors():
    (reading,) = sample("mlxlink-E001_mlx5_0", "plugs/E001_mlx5_0.txt").readings
    assert reading == Reading(
        Port("E001 mlx5_0", "1"),
        state="up",
        width=4,
        speed="NDR",
        plug=Plug("FS", "OSFPFL-400G-PC01", "C2604279049-2", 1.0, "Copper cable, passive, unequalized"),
        errors=Errors(2e-11, 0.0, 0.0, 35.4, 0),
    )


def test_transceivers_have_no_length_of_their_own():
    text = (SAMPLES / "mlxlink-R001-5.json").read_text().replace("Active optical cable (AOC)", "Optical Module (separated)")
    (reading,) = read("mlxlink", text, "R001-5.json").readings
    assert reading.plug.length_m is None
    assert reading.plug.part_number == "MFS1S00-H010E"


def test_ethtool_copper_has_no_light():
    (reading,) = sample("ethtool-R001-swp12", "R001-swp12.txt").readings
    plug = Plug("Mellanox", "MCP1600-E001", "MT1834VS04288", 1.0, "Copper cable unequalized")
    assert reading == Reading(Port("R001", "swp12"), plug=plug)


def test_ethtool_parts_with_headings():
    scan = sample("ethtool-several", "all.txt")
    found = {reading.port: reading.plug for reading in scan.readings}
    assert found == {
        Port("R001", "swp1"): Plug(
            "FINISAR CORP.", "FTLC1152RGPL6-FB", "UX503M0", None, "1310 nm DFB", (-1.55, DARK_DBM), (-0.57, -0.46), 34.5
        ),
        Port("R001", "swp3"): Plug("Mellanox", "MCP4Y10-N01A", "MT2301VS00001", 1.5, "Copper cable, unequalized"),
        Port("R001", "swp4"): Plug("Lightron Inc.", "WSPXG-HS3LC-IEA", "S142228617", None, "", (-3.98,), (-1.93,)),
    }


def test_ethtool_headings_with_ports_alone_belong_to_the_box_of_the_file():
    text = "# swp7\n" + (SAMPLES / "ethtool-R001-swp12.txt").read_text()
    assert [reading.port for reading in read("ethtool", text, "plugs/R009.txt").readings] == [Port("R009", "swp7")]


def test_ibdiagnet_cables():
    scan = sample("ibdiagnet_cables", "ibdiagnet2.cables")
    assert {device.key: device.name for device in scan.devices.values()} == {
        "f45214030046a0a1": "coral-ufm-001",
        "0002c903008b5d30": "ib1a/L02",
        "0c42a10300a00980": "MF0;R001:MQM8700",
    }
    assert scan.readings == [
        Reading(
            Port("f45214030046a0a1", "1"),
            plug=Plug("Mellanox", "MCP1600-E002", "MT1739VS02126", 2.0, "Copper cable- unequalized"),
        ),
        Reading(
            Port("0002c903008b5d30", "2"),
            plug=Plug(
                "Mellanox", "MFS1S00-H010E", "MT2037FT00001", 10.0, "850 nm VCSEL", (-0.574, DARK_DBM), (-0.458, -0.41), 46.0
            ),
        ),
        Reading(Port("0c42a10300a00980", "12")),
    ]


@pytest.mark.parametrize(
    ("file", "port"),
    [
        ("R001-12.json", Port("R001", "12")),
        ("R001_p12.json", Port("R001", "12")),
        ("plugs.tar.gz:plugs/R001-port12.json", Port("R001", "12")),
        ("sw-1-1_6_2.json", Port("sw-1", "1/6/2")),
        ("R001-swp12.txt", Port("R001", "swp12")),
        ("leaf-01_Ethernet1_12.txt", Port("leaf-01", "Ethernet1_12")),
        ("E001_mlx5_0.json", Port("E001 mlx5_0", "1")),
        ("E001_mlx5_0_p2.json", Port("E001 mlx5_0", "2")),
        ("E001-enp1s0f0np0.txt", Port("E001", "enp1s0f0np0")),
        ("R001/swp12.txt", Port("R001", "swp12")),
        ("R001/12.json", Port("R001", "12")),
        ("E001/mlx5_1.json", Port("E001 mlx5_1", "1")),
    ],
)
def test_files_are_named_after_their_ports(file, port):
    device, found = placed_by_file(file)
    assert found == port
    assert device.key == port.device


@pytest.mark.parametrize(
    ("name", "file", "message"),
    [
        ("mlxlink-R001-5", "plug.json", "plug.json: does not name its device and port; name the file DEVICE-PORT.json"),
        ("ethtool-R001-swp12", "plug.txt", "plug.txt:1: does not name its device and port"),
    ],
)
def test_a_plug_without_a_port_is_an_error(name, file, message):
    with pytest.raises(InputError, match=re.escape(message)):
        sample(name, file)


def test_damaged_headings_of_ibdiagnet_are_listed_with_their_lines():
    text = (
        (SAMPLES / "ibdiagnet_cables.txt").read_text().replace("GUID=0x0002c9", "GUID=0xzz02c9").replace("Port=12 ", "Port=1x ")
    )
    with pytest.raises(InputError) as error:
        read("ibdiagnet_cables", text, "ibdiagnet2.cables")
    assert [problem.line for problem in error.value.problems] == [22, 37]
