"""Plugs against the plan: parts, lengths, serial numbers, light and error ratios."""

from __future__ import annotations

import pytest
from shared.built_fabrics import PLAN, built

from planner.fabric.verify import parts
from planner.fabric.verify.found import SWITCH, Device, Errors, Fabric, Link, Place, Plug
from planner.fabric.verify.result import Evidence, Identified, Identity, Plugged
from planner.view import schedule
from planner.view.schedule import Connection, End


@pytest.fixture(scope="module")
def plan() -> list[Connection]:
    return schedule.read(PLAN)


@pytest.fixture(scope="module")
def rows():
    return parts.rows_of()


@pytest.mark.parametrize("name", ["sf-clean", "sf-device-swap"])
def test_right_parts_give_no_finding(plan, rows, name):
    fabric, identity, _ = built(name)
    result = parts.examined(fabric, identity, plan, rows)
    assert result.findings == []
    assert result.notes == []
    assert {reading.verdict for reading in result.readings} == {"ok"}


def test_planted_parts_are_found_and_nothing_else(plan, rows):
    fabric, identity, answer = built("sf-mixed")
    result = parts.examined(fabric, identity, plan, rows)
    assert {cable for finding in result.findings for cable in finding.cables} == set(map(int, answer["part_of_cable"]))
    assert {finding.kind for finding in result.findings} == {"wrong length"}
    by_number = {reading.cable: reading for reading in result.readings}
    for cable, wrong in answer["part_of_cable"].items():
        assert by_number[int(cable)].read == (wrong["eeprom_pn"],) * 2
        assert by_number[int(cable)].length_m == (wrong["eeprom_m"],) * 2
        assert by_number[int(cable)].planned_mm == wrong["stock_mm"]
    assert {reading.verdict for reading in result.readings if str(reading.cable) not in answer["part_of_cable"]} == {"ok"}


def test_serials_give_the_cables_of_dark_and_of_moved_plugs(plan, rows):
    fabric, identity, answer = built("sf-mixed")
    evidence = parts.examined(fabric, identity, plan, rows).evidence
    by_number = {row.number: row for row in plan}
    planted = {error["kind"]: error["cables"] for error in answer["errors"] if error["kind"] in ("missing", "half", "dead")}
    ports = {row.number: [Plugged(end.device, end.port) for end in row.ends] for row in plan}
    for kind, plugs, complete in (("missing", 0, False), ("half", 1, False), ("dead", 2, True)):
        a, b = ports[planted[kind][0]]
        assert len({a, b} & evidence.plugs) == plugs
        assert (evidence.joined.get(a) == b) == complete
        assert evidence.joined.keys().isdisjoint({a, b}) != complete
    for moved in answer["misplaced_plugs"]:
        row = by_number[moved["cable"]]
        stays = row.b if moved["end"] == "A" else row.a
        assert evidence.joined[Plugged(*moved["is_in"])] == Plugged(stays.device, stays.port)


# -- single cables -----------------------------------------------------------------------------------


def connection(number=1, a=("R1", 1), b=("R2", 1), part="100g-qsfp28-dac-30awg", stock_mm=1500, modules=("", ""), **other):
    one, two = (
        End(device, port, other.get(f"printed_{x}", str(port)), "A01", 1) for x, (device, port) in zip("ab", (a, b), strict=True)
    )
    medium = other.get("medium", "copper")
    return Connection(number, other.get("piece", number), "", "", one, two, part, modules, medium, stock_mm, 1000, "", "", "")


def with_plugs(plugs: dict[tuple[str, int], Plug], links=(), errors=None) -> tuple[Fabric, Identity]:
    """A fabric whose devices are those of the plan by name."""
    names = {device for device, _ in plugs} | {place[0] for link in links for place in link} | set(dict(errors or {}))
    devices = {name: Device(name, name, SWITCH) for name in names}
    fabric = Fabric(
        devices,
        [Link(Place(*a), Place(*b)) for a, b in links],
        plugs={Place(*place): plug for place, plug in plugs.items()},
        errors={Place(*place): error for place, error in (errors or {}).items()},
    )
    return fabric, Identity({name: Identified(name, name, 1.0, "name") for name in names})


def verdict(row: Connection, plug: Plug, rows) -> parts.Examined:
    fabric, identity = with_plugs({("R1", 1): plug, ("R2", 1): plug})
    return parts.examined(fabric, identity, [row], rows)


@pytest.mark.parametrize(
    ("number", "length_m", "technology", "expected"),
    [
        ("MCP1600-E01AE30", 2.0, "Copper cable- unequalized", "ok"),
        ("mcp1600-e01ae30 ", None, "", "ok"),
        ("MCP1600-C01AE30N", 2.0, "", "ok"),
        ("MCP1600-E01A", 1.0, "", "length?"),
        ("MCP1600-E01AE30", 0.0, "", "length?"),
        ("MCP1600-E01AE30", 1.5, "", "ok"),
        ("MCP1600-E002E30", 2.0, "", "wrong length"),
        ("MCP1600-E00AE30", 1.0, "", "wrong length"),
        ("MFA1A00-E003", 3.0, "", "wrong part"),
        ("CAB-100G-1M5", 2.0, "Copper cable", "unknown part"),
        ("CAB-100G-1M5", 1.0, "Copper cable", "length?"),
        ("CAB-100G-5M", 5.0, "Copper cable", "wrong length"),
        ("CAB-100G-5M", 5.0, "850 nm VCSEL", "wrong part"),
        ("", None, "", "unknown part"),
        ("X" * 5000, None, "", "unknown part"),
    ],
)
def test_verdict_of_a_cable_of_one_and_a_half_meters(rows, number, length_m, technology, expected):
    result = verdict(connection(), Plug("Mellanox", number, "MT1926VS05127", length_m, technology), rows)
    (reading,) = result.readings
    assert reading.verdict == expected
    assert [finding.kind for finding in result.findings] == ([expected] if expected.startswith("wrong") else [])


def test_another_gauge_of_the_same_length_is_a_remark(rows):
    row = connection(part="100g-qsfp28-dac-26awg", stock_mm=2500)
    (reading,) = verdict(row, Plug("Mellanox", "MCP1600-E02AE30", "MT1926VS05127", 3.0), rows).readings
    assert (reading.verdict, reading.remark) == ("ok", "30 AWG, planned 26 AWG")


def test_a_part_without_known_numbers_is_compared_by_medium_kind_and_rate(rows):
    row = connection(part="56g-qsfp-dac", stock_mm=2000)
    (reading,) = verdict(row, Plug("Mellanox", "MCP1600-E002E30", "MT1926VS05127", 2.0), rows).readings
    assert (reading.verdict, reading.remark) == ("wrong part", "it is 100g-qsfp28-dac-26awg or 100g-qsfp28-dac-30awg")
    row = connection(part="no-such-row", stock_mm=2000)
    (reading,) = verdict(row, Plug("Mellanox", "MCP1600-E002E30", "MT1926VS05127", 2.0), rows).readings
    assert reading.verdict == "unknown part"


def test_modules_are_compared_end_by_end(rows):
    modules = ("400g-osfp-sr4-transceiver", "400g-osfp-dr4-transceiver")
    row = connection(part="om4-mpo12-apc", stock_mm=5000, modules=modules, medium="optical")
    right, wrong = Plug("NVIDIA", "MMA4Z00-NS400", "S1"), Plug("NVIDIA", "980-9I51S-00NS00", "S2")
    fabric, identity = with_plugs({("R1", 1): right, ("R2", 1): wrong})
    (finding,) = parts.examined(fabric, identity, [row], rows).findings
    assert (finding.kind, finding.cables) == ("wrong part", (1,))
    assert "400g-osfp-sr4-transceiver" in finding.text


def serials(of: dict[tuple[str, int], str], plan: list[Connection], rows, vendor="Maker"):
    fabric, identity = with_plugs({place: Plug(vendor, "", serial) for place, serial in of.items()})
    result = parts.examined(fabric, identity, plan, rows)
    return {tuple(a): tuple(b) for a, b in result.evidence.joined.items()}, result.notes


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("APF2050001", "APF2050001", True),
        ("APF2050001  ", "apf2050001", True),
        ("APF2050001A", "APF2050001B", True),
        ("APF2050001-A", "APF2050001-B", True),
        ("APF2050001-1", "APF2050001-2", True),
        ("APF2050001", "APF2050002", False),
        ("APF2050001-1", "APF2050001-3", False),
        ("APF2050001A", "APF2050002B", False),
        ("N/A", "N/A", False),
        ("", "", False),
        ("0000000000", "0000000000", False),
    ],
)
def test_two_plugs_are_the_ends_of_one_cable(rows, one, two, same):
    found, notes = serials({("R1", 1): one, ("R9", 4): two}, [connection()], rows)
    assert found == ({("R1", 1): ("R9", 4), ("R9", 4): ("R1", 1)} if same else {})
    assert notes == []


def test_a_maker_that_writes_one_number_on_all_plugs_identifies_no_cable(rows):
    plan = [connection(n, ("R1", n), ("R2", n)) for n in (1, 2, 3)]
    found, notes = serials({(device, port): "123456" for device in ("R1", "R2") for port in (1, 2, 3)}, plan, rows)
    assert found == {}
    assert notes == ["6 plugs bear one serial number, such as at R1 port 1: it identifies no cable"]


def splitter() -> list[Connection]:
    """A head with two ports in cage 6, and a tail at each of two nodes."""
    head = [("R1", 11), ("R1", 12)]
    return [connection(n + 1, head[n], (f"N{n}", 1), piece=1, printed_a=f"6/{n + 1}") for n in (0, 1)]


def test_splitters_have_one_number_at_all_plugs(rows):
    found, notes = serials({("R1", 11): "S0001", ("R1", 12): "S0001", ("N0", 1): "S0001", ("N1", 1): "S0001"}, splitter(), rows)
    assert found == {("R1", 11): ("N0", 1), ("N0", 1): ("R1", 11), ("R1", 12): ("N1", 1), ("N1", 1): ("R1", 12)}
    assert notes == []


def test_a_splitter_with_one_tail_in_another_node(rows):
    found, _ = serials({("R1", 11): "S0001", ("R1", 12): "S0001", ("N0", 1): "S0001", ("N7", 1): "S0001"}, splitter(), rows)
    assert found[("R1", 12)] == ("N7", 1)
    assert found[("R1", 11)] == ("N0", 1)


def test_a_twin_port_cable_in_a_wrong_cage(rows):
    plan = [connection(n, ("R1", 10 + n), ("R2", 20 + n), piece=1, printed_a=f"6/{n}", printed_b=f"11/{n}") for n in (1, 2)] + [
        connection(2 + n, ("R3", 10 + n), ("R4", 20 + n), piece=3, printed_a=f"6/{n}", printed_b=f"11/{n}") for n in (1, 2)
    ]
    places = [("R1", 11), ("R1", 12), ("R4", 21), ("R4", 22)]
    found, _ = serials(dict.fromkeys(places, "S0001"), plan, rows)
    assert found == {("R1", 11): ("R4", 21), ("R1", 12): ("R4", 22), ("R4", 21): ("R1", 11), ("R4", 22): ("R1", 12)}


def test_plugs_in_wrong_ports_are_not_compared_with_the_plan_of_the_port(rows):
    """Two cables exchanged at R2: each is as planned, and none is called wrong in the port of the other."""
    plan = [connection(1, ("R1", 1), ("R2", 1)), connection(2, ("R3", 1), ("R2", 2), stock_mm=2000)]
    short, long = Plug("M", "MCP1600-E01AE30", "S0001", 2.0), Plug("M", "MCP1600-E002E30", "S0002", 2.0)
    fabric, identity = with_plugs({("R1", 1): short, ("R2", 2): short, ("R3", 1): long, ("R2", 1): long})
    result = parts.examined(fabric, identity, plan, rows)
    assert result.findings == result.readings == []
    assert result.evidence.reach_mm[Plugged("R2", 2)] == 1500


def test_a_wrong_cable_is_one_finding_for_all_its_connections(rows):
    plugs = dict.fromkeys([("R1", 11), ("R1", 12), ("R2", 21), ("R2", 22)], Plug("M", "MFS1S00-H010E", "S0001", 10.0))
    plan = [
        connection(
            n, ("R1", 10 + n), ("R2", 20 + n), "400g-osfp-twin-dac", 1000, piece=1, printed_a=f"6/{n}", printed_b=f"11/{n}"
        )
        for n in (1, 2)
    ]
    fabric, identity = with_plugs(plugs)
    (finding,) = parts.examined(fabric, identity, plan, rows).findings
    assert (finding.kind, finding.cables) == ("wrong part", (1, 2))


# -- light and error ratios --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rx_dbm", "words"),
    [
        ((-1.0, -1.5, -2.9, -1.2), ""),
        ((-1.0, -1.5, -3.2, -1.2), "differ by 2.2 dB, lane 3"),
        ((-11.0, -10.5, -10.0, -10.0), "-11.0 dBm in lane 1, below -10.3 dBm"),
        ((), ""),
    ],
)
def test_low_light(rows, rx_dbm, words):
    row = connection(part="om4-mpo12-upc", modules=("100g-sr4-transceiver",) * 2, medium="optical")
    plug = Plug("NVIDIA", "MMA1B00-E100", "S1", rx_dbm=rx_dbm)
    fabric, identity = with_plugs({("R1", 1): plug}, [(("R1", 1), ("R2", 1))])
    found = parts.examined(fabric, identity, [row], rows).findings
    assert [finding.kind for finding in found] == (["low light"] if words else [])
    assert all(words in finding.text for finding in found)
    dark, identity = with_plugs({("R1", 1): plug})
    assert parts.examined(dark, identity, [row], rows).findings == []


def test_light_limits_of_the_user_take_precedence(rows):
    row = connection(part="om4-mpo12-upc", modules=("100g-sr4-transceiver",) * 2, medium="optical")
    fabric, identity = with_plugs({("R1", 1): Plug(rx_dbm=(-4.0, -4.1))}, [(("R1", 1), ("R2", 1))])
    limits = parts.Limits.usual(rx_min_dbm=-3.0)
    (finding,) = parts.examined(fabric, identity, [row], rows, limits=limits).findings
    assert "below -3.0 dBm" in finding.text


@pytest.mark.parametrize(
    ("errors", "symbol_ber", "expected"),
    [
        (Errors(symbol_ber=1e-15), None, []),
        (Errors(symbol_ber=5e-12), None, ["symbol BER of R1 port 1 is 5.0e-12, above 1e-12"]),
        (Errors(raw_ber=1e-6, effective_ber=1e-254), None, []),
        (Errors(effective_ber=3e-9), None, ["effective BER of R1 port 1 is 3.0e-09, above 1e-12"]),
        (Errors(symbol_ber=5e-14), 1e-15, ["symbol BER of R1 port 1 is 5.0e-14, above 1e-15"]),
    ],
)
def test_high_error_ratios(rows, errors, symbol_ber, expected):
    fabric, identity = with_plugs({("R1", 1): Plug()}, errors={("R1", 1): errors})
    found = parts.examined(fabric, identity, [connection()], rows, limits=parts.Limits.usual(symbol_ber=symbol_ber)).findings
    assert [finding.text for finding in found] == expected


def test_devices_that_the_plan_does_not_know_are_passed_over(plan, rows):
    fabric, _ = with_plugs({("X", 1): Plug("M", "MCP1600-E001E30", "S1", 1.0)}, errors={("X", 1): Errors(symbol_ber=1.0)})
    result = parts.examined(fabric, Identity({}), plan, rows)
    assert (result.readings, result.findings, result.evidence) == ([], [], Evidence({}, frozenset(), {}, {}))
