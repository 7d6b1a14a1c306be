"""Points of normalizing: what must never look like a fault of cabling."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.fabric.verify import readers
from planner.fabric.verify.found import HOST, SWITCH, Device, Place, Plug, Port, Reading, Scan
from planner.fabric.verify.normal import fabric
from planner.view.schedule import Connection, End, read

DATA = Path(__file__).parents[1] / "data" / "verify"
SETS = ("sf-clean", "sf-mixed", "sf-device-swap")


def connection(number: int, a: tuple, b: tuple, kind: str = "") -> Connection:
    """A row of a schedule: ends as (device, port) or (device, port, printed)."""
    ends = [End(end[0], end[1], end[2] if len(end) > 2 else str(end[1]), "A01", 1) for end in (a, b)]
    return Connection(number, number, "", kind, *ends, "dac", ("", ""), "", 0, 0, "", "", "")


def ring(count: int = 4, hosts: int = 2, per_cage: int = 1) -> list[Connection]:
    """A ring of switches R0 … with ports 1 (next) and 2 (previous) and hosts at the next ports."""

    def end(switch: int, port: int) -> tuple:
        cage, lane = divmod(port - 1, per_cage)
        return f"R{switch}", port, str(port) if per_cage == 1 else f"{cage + 1}/{lane + 1}"

    rows = [connection(n + 1, end(n, 1), end((n + 1) % count, 2)) for n in range(count)]
    for n in range(count * hosts):
        rows.append(connection(len(rows) + 1, end(n // hosts, 3 + n % hosts), (f"E{n}", 1), "endpoint"))
    return rows


def guid(number: int) -> str:
    return f"7cfe9003{number:08x}"


def infiniband(links: list[tuple], names: dict[str, str] | None = None, **scan) -> Scan:
    """A scan with both ends of links ((device, port), (device, port)); devices S… are switches, others hosts."""
    keys = sorted({end[0] for link in links for end in link})
    devices = {
        key: Device(key, (names or {}).get(key, key), SWITCH if key[0] in "SR" else HOST, ports=36 if key[0] in "SR" else 1)
        for key in keys
    }
    readings = [
        Reading(Port(a[0], str(a[1])), far=Port(b[0], str(b[1])), state="up")
        for one, two in links
        for a, b in ((one, two), (two, one))
    ]
    return Scan("scan", "ibnetdiscover", devices, readings, both_ends=True, **scan)


def lldp(local: str, entries: list[tuple], file: str = "", kind: str = SWITCH) -> Scan:
    """Neighbors of one switch: (port, far device, far port, other names)."""
    devices = {local: Device(local, local, kind)}
    readings = []
    for port, far, far_port, *others in entries:
        devices.setdefault(far, Device(far, far, SWITCH if far[0] in "Ro" else HOST, answers=False))
        readings.append(Reading(Port(local, port), far=Port(far, far_port), far_names=tuple(others), state="up"))
    return Scan(file or f"{local}.json", "lldpcli-json0", devices, readings, both_ends=True)


def by_name(found) -> set:
    """Links by name of the device, or by key where it has none."""
    name = {key: device.name or key for key, device in found.devices.items()}
    return {tuple(sorted((name[place.device], place.port) for place in (link.a, link.b))) for link in found.links}


def planned(schedule: list[Connection]) -> set:
    return {tuple(sorted((end.device, 1 if end.device.startswith("E") else end.port) for end in row.ends)) for row in schedule}


def ring_scan(schedule: list[Connection], **scan) -> Scan:
    return infiniband([[(end.device, 1 if end.device[0] == "E" else end.port) for end in row.ends] for row in schedule], **scan)


def ring_lldp(schedule: list[Connection], port=lambda number: f"swp{number}") -> list[Scan]:
    """Files of all switches of a ring; hosts do not report."""
    entries: dict[str, list] = {}
    for row in schedule:
        for own, far in (row.ends, row.ends[::-1]):
            if own.device[0] == "R":
                far_port = port(far.port) if far.device[0] == "R" else "eth0"
                entries.setdefault(own.device, []).append((port(own.port), far.device, far_port))
    return [lldp(name, found) for name, found in entries.items()]


# -- 1. names ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("description", "kind", "name"),
    [
        ("MF0;R1:MSB7800/U1", SWITCH, "R1"),
        ("MF0;R1:MQM9700/U1", SWITCH, "R1"),
        ("r1", SWITCH, "R1"),
        ("R1.cluster.example.org", SWITCH, "R1"),
        ("R1/L05/U1", SWITCH, "R1"),
        ("'MF0;R1:MSB7800/U1'", SWITCH, "R1"),
        ("E1 HCA-1", HOST, "E1"),
        ("E1 mlx5_0", HOST, "E1"),
        ("e1 ibp11s0f0", HOST, "E1"),
        ("E1.example.org hfi1_0", HOST, "E1"),
        ("other-17 mlx5_0", HOST, "other-17"),
        ("MT4123 ConnectX6   Mellanox Technologies", HOST, ""),
        ("localhost mlx5_0", HOST, ""),
        ("localhost.localdomain mlx5_0", HOST, ""),
        ("SwitchIB Mellanox Technologies", SWITCH, ""),
        ("Quantum Mellanox Technologies", SWITCH, ""),
        ("MF0;switch-a00440:MSB7800/U1", SWITCH, ""),
        ("", SWITCH, ""),
    ],
)
def test_names_are_those_of_boxes(description, kind, name):
    scan = infiniband([(("R1", 1), ("E1", 1))], {"R1" if kind == SWITCH else "E1": description})
    scan.devices["R1" if kind == SWITCH else "E1"] = replace(scan.devices["R1" if kind == SWITCH else "E1"], key="R1", kind=kind)
    found = fabric([scan], ring())
    key = "R1" if kind == SWITCH else "E1"
    assert found.devices[key].name == name
    assert found.described.get(key, "") == description


def test_doubled_names_are_unknown_and_kept_as_found():
    names = {guid(1): "MF0;R0:MSB7800/U1", guid(2): "MF0;R0:MSB7800/U1", guid(3): "E0 mlx5_0", guid(4): "E0 mlx5_0"}
    links = [((guid(1), 1), (guid(2), 2)), ((guid(1), 3), (guid(3), 1)), ((guid(2), 3), (guid(4), 1))]
    scan = infiniband(links, names)
    for key in names:
        scan.devices[key] = replace(scan.devices[key], kind=SWITCH if key in (guid(1), guid(2)) else HOST)
    found = fabric([scan], ring())
    assert [device.name for device in found.devices.values()] == [""] * 4
    assert found.described == names
    assert len(found.links) == 3
    assert not found.contradictions
    assert any("2 names" in note for note in found.notes)


# -- 2. aggregation nodes ------------------------------------------------------------------------


@pytest.mark.parametrize("description", ["Mellanox Technologies Aggregation Node", "", "MT54004 Mellanox Technologies"])
@pytest.mark.parametrize(("last", "joined"), [(37, True), (41, True), (65, False)])
def test_aggregation_nodes_are_dropped(description, last, joined):
    scan = infiniband([(("R0", 1), ("R1", 2)), (("R0", last), ("H", 1))], {"H": description})
    scan.devices["R0"] = replace(scan.devices["R0"], ports=last, system=guid(1) if joined else "")
    scan.devices["H"] = replace(scan.devices["H"], system=guid(1) if joined else "")
    found = fabric([scan], ring())
    assert by_name(found) == {(("R0", 1), ("R1", 2))}
    assert sorted(found.devices) == ["R0", "R1"]


def test_a_host_at_the_last_port_is_no_aggregation_node():
    scan = infiniband([(("R0", 36), ("E7", 1))])
    assert by_name(fabric([scan], ring())) == {(("E7", 1), ("R0", 36))}


# -- 3. GUIDs ------------------------------------------------------------------------------------


def test_port_guids_that_follow_the_node_guid_are_the_same_adapter():
    one = infiniband([(("R0", 3), (guid(16), 1))], {guid(16): "E0 HCA-1"})
    two = infiniband([(("R0", 3), (guid(17), 1))], {guid(17): "E0 HCA-1"})
    two = replace(two, file="other")
    found = fabric([one, two], ring())
    assert by_name(found) == {(("E0", 1), ("R0", 3))}
    assert set(found.devices[guid(16)].addresses) == {guid(16), guid(17)}


def test_neighboring_guids_in_one_file_are_two_adapters():
    scan = infiniband([(("R0", 3), (guid(16), 1)), (("R0", 4), (guid(17), 1))], {guid(16): "localhost", guid(17): "localhost"})
    assert len(fabric([scan], ring()).devices) == 3


def test_the_cards_of_one_system_are_one_host():
    scan = infiniband(
        [(("R0", 3), (guid(16), 1)), (("R1", 3), (guid(32), 2))], {guid(16): "localhost mlx5_0", guid(32): "localhost mlx5_1"}
    )
    for key in (guid(16), guid(32)):
        scan.devices[key] = replace(scan.devices[key], system=guid(99))
    found = fabric([scan], ring())
    assert by_name(found) == {((guid(16), 1), ("R0", 3)), ((guid(16), 2), ("R1", 3))}


@pytest.mark.parametrize(("serials", "boxes"), [(("S1", "S1"), 2), (("", ""), 2), (("S1", "S2"), 3)])
def test_a_replaced_board_is_the_same_box_by_name_and_serial(serials, boxes):
    scans = []
    for number, serial in zip((1, 50), serials, strict=True):
        scan = infiniband([((guid(number), 1), ("R1", 2))], {guid(number): "MF0;R0:MSB7800/U1"})
        scan.devices[guid(number)] = replace(scan.devices[guid(number)], kind=SWITCH, serial=serial)
        scans.append(replace(scan, file=f"scan-{number}"))
    found = fabric(scans, ring())
    assert len(found.devices) == boxes


# -- 4. ports ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "per_cage"),
    [
        (lambda n: str(n), 1),
        (lambda n: f"swp{n}", 1),
        (lambda n: f"Ethernet{n}", 1),
        (lambda n: f"Ethernet{n - 1}", 1),
        (lambda n: f"Ethernet{4 * (n - 1)}", 1),
        (lambda n: f"Ethernet{8 * (n - 1)}", 1),
        (lambda n: f"Ethernet{n}/1", 1),
        (lambda n: f"Ethernet1/{n}", 1),
        (lambda n: f"Eth1/{n}", 1),
        (lambda n: f"1/1/{n}", 1),
        (lambda n: f"et-0/0/{n - 1}", 1),
        (lambda n: f"et-0/0/{n - 1}:0", 1),
        (lambda n: f"Port {n}", 1),
        (lambda n: f"Eth{n}(Port{n})", 1),
        (lambda n: f"etp{n}", 1),
        (lambda n: f"swp{n}s0", 1),
        (lambda n: str(n), 2),
        (lambda n: f"{(n + 1) // 2}/{(n + 1) % 2 + 1}", 2),
        (lambda n: f"1/{(n + 1) // 2}/{(n + 1) % 2 + 1}", 2),
        (lambda n: f"sw{(n + 1) // 2}p{(n + 1) % 2 + 1}", 2),
        (lambda n: f"swp{(n + 1) // 2}s{(n + 1) % 2}", 2),
        (lambda n: f"Ethernet{(n + 1) // 2}/{(n + 1) % 2 + 1}", 2),
        (lambda n: f"Eth1/{(n + 1) // 2}/{(n + 1) % 2 + 1}", 2),
        (lambda n: f"et-0/0/{(n - 1) // 2}:{(n - 1) % 2}", 2),
        (lambda n: f"etp{(n + 1) // 2}{'ab'[(n + 1) % 2]}", 2),
    ],
)
@pytest.mark.parametrize("named", [True, False])
def test_texts_of_ports_are_numbers_of_the_plan(text, per_cage, named):
    schedule = ring(6, 4, per_cage)
    scans = ring_lldp(schedule, text)
    if not named:
        scans = [_renamed(scan, "R", "other-") for scan in scans]
    found = fabric(scans, schedule)
    expected = planned(schedule)
    if not named:
        expected = {tuple(sorted((name.replace("R", "other-"), port) for name, port in link)) for link in expected}
    assert by_name(found) == expected
    assert found.numbered
    assert not found.contradictions


def _renamed(scan: Scan, old: str, new: str) -> Scan:
    def port(port):
        return port and Port(port.device.replace(old, new), port.port)

    devices = {
        key.replace(old, new): replace(device, key=key.replace(old, new), name=key.replace(old, new))
        for key, device in scan.devices.items()
    }
    readings = [replace(reading, port=port(reading.port), far=port(reading.far)) for reading in scan.readings]
    return replace(scan, devices=devices, readings=readings)


def test_labels_of_twin_cages_win_over_renumbered_ports():
    schedule = ring(4, 2, per_cage=2)
    scan = ring_scan(schedule)
    shifted = [
        replace(r, port=Port(r.port.device, str(int(r.port.port) + 40)), label=_label(r.port), far=_plus(r.far))
        for r in scan.readings
    ]
    found = fabric([replace(scan, readings=shifted)], schedule)
    assert by_name(found) == planned(schedule)


def _label(port: Port) -> str:
    number = int(port.port)
    return f"1/{(number + 1) // 2}/{(number + 1) % 2 + 1}" if port.device[0] == "R" else ""


def _plus(port: Port) -> Port:
    return Port(port.device, str(int(port.port) + 40))


def test_labels_of_cages_do_not_count_where_the_plan_counts_ports():
    schedule = ring()
    scan = ring_scan(schedule)
    readings = [replace(reading, label=_label(reading.port)) for reading in scan.readings]
    assert by_name(fabric([replace(scan, readings=readings)], schedule)) == planned(schedule)


def test_aliases_join_both_ends_of_sonic_links():
    """The far end is given by its alias, the near end by its name: both are one port."""
    schedule = ring(6, 0)
    entries: dict[str, list] = {}
    for row in schedule:
        for own, far in (row.ends, row.ends[::-1]):
            entry = (
                f"Ethernet{4 * (own.port - 1)}",
                far.device,
                f"Eth{far.port}(Port{far.port})",
                f"Ethernet{4 * (far.port - 1)}",
            )
            entries.setdefault(own.device, []).append(entry)
    found = fabric([lldp(name, rows) for name, rows in entries.items()], schedule)
    assert by_name(found) == planned(schedule)
    assert all(link.mutual for link in found.links)


def test_interface_names_win_over_numbers_of_management_protocols():
    found = fabric([lldp("R0", [("et-0/0/0", "R1", "517", "et-0/0/1")])], ring())
    assert by_name(found) == {(("R0", 1), ("R1", 2))}


def test_ports_without_a_number_are_noted():
    found = fabric([lldp("R0", [("uplink to the left", "R1", "somewhere")])], ring())
    assert not found.numbered
    assert any("has no number" in note for note in found.notes)


# -- 5. planes -----------------------------------------------------------------------------------


def planes(missing: int = 0) -> Scan:
    """Two boxes with four planes, joined by two links, of which the first lacks a plane."""
    devices, readings = {}, []
    for plane in range(1, 5):
        a, b = guid(plane), guid(100 + plane)
        devices[a] = Device(a, f"MF0;R0:Q3400/U{plane}", SWITCH, system=guid(1))
        devices[b] = Device(b, f"MF0;R1:Q3400/U{plane}", SWITCH, system=guid(101))
        for label in (1, 2):
            if label == 1 and plane == missing:
                continue
            one, two = Port(a, str(label)), Port(b, str(label))
            readings.append(Reading(one, str(label), two, (str(label),), "up", 4, "XDR", plane=plane))
            readings.append(Reading(two, str(label), one, (str(label),), "up", 4, "XDR", plane=plane))
    return Scan("xdr", "ibdiagnet-db-csv", devices, readings, both_ends=True)


def test_planes_of_a_link_are_one_link():
    found = fabric([planes()], ring())
    assert by_name(found) == {(("R0", 1), ("R1", 1)), (("R0", 2), ("R1", 2))}
    assert [link.slow for link in found.links] == ["", ""]
    assert len(found.devices) == 2


def test_a_plane_that_is_down_is_degraded_and_not_missing():
    found = fabric([planes(missing=3)], ring())
    assert {link.a.port: link.slow for link in found.links} == {1: "plane 3 down", 2: ""}
    assert not found.dark


# -- 6. ports of hosts ---------------------------------------------------------------------------


def rails(hosts: int = 6, skip: tuple = (), wrong: tuple = ()) -> list[Scan]:
    """Hosts with adapters mlx5_0, mlx5_3, mlx5_10 and mlx5_11 at switches R1 to R4; `skip` (host, rail) is dark."""
    names, links = {}, []
    for host in range(hosts):
        for rail, adapter in enumerate((0, 3, 10, 11)):
            key = f"H{host}-{rail}"
            if (host, rail) not in skip:
                names[key] = f"node{host} mlx5_{adapter}"
                links.append(((f"R{rail + 1}", host + 1), (key, 1)))
    return [infiniband(links, names)]


def test_adapters_of_a_host_are_ranked():
    schedule = [
        connection(4 * h + r + 1, (f"R{r + 1}", h + 1), (f"node{h}", r + 1), "endpoint") for h in range(6) for r in range(4)
    ]
    found = fabric(rails(), schedule)
    assert by_name(found) == planned(schedule)
    assert found.adapters[Place("H0-0", 2)] == "mlx5_3"


@pytest.mark.parametrize("known", [True, False])
def test_a_dark_adapter_does_not_shift_the_others(known):
    schedule = [
        connection(4 * h + r + 1, (f"R{r + 1}", h + 1), (f"node{h}", r + 1), "endpoint") for h in range(6) for r in range(4)
    ]
    found = fabric(rails(skip=((2, 1),)), schedule if known else ring())
    assert by_name(found) == planned(schedule) - {(("R2", 3), ("node2", 2))}


def test_hosts_with_fewer_adapters_have_ranks_of_their_own():
    scan = rails(5)[0]
    extra = infiniband([(("R1", 20), ("M-0", 1)), (("R2", 20), ("M-1", 1))], {"M-0": "manager mlx5_3", "M-1": "manager mlx5_11"})
    schedule = [connection(1, ("R1", 20), ("manager", 1), "endpoint"), connection(2, ("R2", 20), ("manager", 2), "endpoint")]
    found = fabric([replace(scan, devices=scan.devices | extra.devices, readings=scan.readings + extra.readings)], schedule)
    assert {(("R1", 20), ("manager", 1)), (("R2", 20), ("manager", 2))} <= by_name(found)


# -- 7. directors --------------------------------------------------------------------------------


def director(per_leaf: bool = True) -> tuple[Scan, list]:
    """A director of two leaf chips with two panel ports each, one spine chip, and a switch at each panel port."""
    devices = {
        key: Device(key, f"MF0;R0:MCS8500/{unit}", SWITCH, system=guid(9))
        for key, unit in ((guid(1), "L01/U1"), (guid(2), "L02/U1"), (guid(3), "S01/U1"))
    }
    readings, expected = [], set()
    for leaf in (1, 2):
        up, spine = Port(guid(leaf), "20"), Port(guid(3), str(leaf))
        readings += [Reading(up, far=spine, state="up"), Reading(spine, far=up, state="up")]
        for port in (1, 2):
            number = 2 * (leaf - 1) + port
            label = str(port if per_leaf else number)
            other = f"R{number}"
            devices[other] = Device(other, other, SWITCH)
            panel, far = Port(guid(leaf), str(port)), Port(other, "1")
            readings += [Reading(panel, label, far, (), "up"), Reading(far, "", panel, (label,), "up")]
            expected.add((("R0", number), (other, 1)))
    return Scan("director", "ibnetdiscover", devices, readings, both_ends=True), expected


@pytest.mark.parametrize("per_leaf", [True, False])
def test_only_the_panel_ports_of_a_director_are_ports(per_leaf):
    scan, expected = director(per_leaf)
    found = fabric([scan], [connection(n, ("R0", n), (f"R{n}", 1)) for n in range(1, 5)])
    assert by_name(found) == expected
    assert all(link.mutual for link in found.links)
    assert sum(device.name == "R0" for device in found.devices.values()) == 1
    assert not found.dark
    assert any("inside of one box" in note for note in found.notes)


def test_chips_of_a_director_are_one_box_by_name_alone():
    scan, expected = director()
    bare = replace(scan, devices={key: replace(device, system="") for key, device in scan.devices.items()})
    assert by_name(fabric([bare], [connection(n, ("R0", n), (f"R{n}", 1)) for n in range(1, 5)])) == expected


# -- 8. LLDP -------------------------------------------------------------------------------------


def test_management_ports_have_no_neighbors():
    schedule = ring()
    scans = ring_lldp(schedule)
    for number, scan in enumerate(scans):
        local = next(iter(scan.devices))
        more = lldp(local, [("eth0", "oob-1", f"swp{number + 10}"), ("mgmt0", "oob-2", f"Ethernet{number}")])
        scan.devices.update({key: device for key, device in more.devices.items() if key != local})
        scan.readings.extend(more.readings)
    scans.append(lldp("oob-1", [(f"swp{number + 10}", f"R{number}", "eth0") for number in range(4)]))
    found = fabric(scans, schedule)
    assert by_name(found) == planned(schedule)
    assert {device.name for device in found.devices.values()} == {end.device for row in schedule for end in row.ends}
    assert not found.contradictions


def test_planned_management_ports_count():
    schedule = [connection(1, ("oob", 7), ("R0", 65, "mgmt")), connection(2, ("R0", 1), ("R1", 2))]
    found = fabric([lldp("R0", [("mgmt0", "oob", "swp7"), ("swp1", "R1", "swp2")])], schedule)
    assert by_name(found) == {(("R0", 65), ("oob", 7)), (("R0", 1), ("R1", 2))}


def test_ports_of_hosts_may_be_mac_addresses():
    schedule = ring(2, 2)
    entries = [("swp3", "E0", "0c:42:a1:b0:01:41", "eth0"), ("swp4", "E1", "0c:42:a1:b0:01:51")]
    assert by_name(fabric([lldp("R0", entries)], schedule)) == {(("E0", 1), ("R0", 3)), (("E1", 1), ("R0", 4))}


def test_several_neighbors_on_a_port_are_no_contradiction():
    """The agent of the adapter next to the one of the host, and a sub-interface."""
    schedule = ring()
    scans = ring_lldp(schedule)
    agent = lldp("R0", [("swp3", "0c42a1b00141", "0c:42:a1:b0:01:41"), ("swp3.665", "E0", "eth0")])
    agent.devices["0c42a1b00141"] = Device("0c42a1b00141", "", HOST, answers=False)
    scans[0].devices.update({"0c42a1b00141": agent.devices["0c42a1b00141"]})
    scans[0].readings.extend(agent.readings)
    found = fabric(scans, schedule)
    assert by_name(found) == planned(schedule)
    assert "0c42a1b00141" not in found.devices
    assert not found.contradictions
    assert any("several" in note for note in found.notes)


def test_members_of_a_bond_that_show_all_neighbors_are_settled():
    a = lldp("R0", [(f"swp{p}", "R1", f"swp{q}") for p in (1, 2) for q in (1, 2)])
    b = lldp("R1", [(f"swp{p}", "R0", f"swp{q}") for p in (1, 2) for q in (1, 2)])
    found = fabric([a, b], ring())
    assert by_name(found) == {(("R0", 1), ("R1", 1)), (("R0", 2), ("R1", 2))}
    assert not found.contradictions


def test_a_stale_entry_loses_against_a_link_of_both_ends():
    """A plug moved from port 2 to port 4 of R1: R3 was at port 4 before."""
    a = lldp("R0", [("swp1", "R1", "swp4")])
    b = lldp("R1", [("swp4", "R0", "swp1"), ("swp1", "R2", "swp2")])
    c = lldp("R3", [("swp1", "R1", "swp4")])
    d = lldp("R2", [("swp2", "R1", "swp1")])
    found = fabric([a, b, c, d], ring())
    assert by_name(found) == {(("R0", 1), ("R1", 4)), (("R1", 1), ("R2", 2))}
    assert [entry.kind for entry in found.contradictions] == ["stale"]


def test_a_stale_entry_loses_against_what_the_port_itself_lists():
    a = lldp("R0", [("swp1", "R1", "swp3")])
    b = lldp("R1", [("swp3", "E2", "eth0"), ("swp1", "R2", "swp2")])
    c = lldp("R2", [("swp2", "R1", "swp1")])
    found = fabric([a, b, c], ring())
    assert by_name(found) == {(("E2", 1), ("R1", 3)), (("R1", 1), ("R2", 2))}
    assert [entry.kind for entry in found.contradictions] == ["stale"]


def test_an_entry_of_one_end_alone_is_stale_where_the_other_end_answers():
    schedule = ring(6, 2)
    scans = ring_lldp(schedule)
    scans[1].readings[:] = [reading for reading in scans[1].readings if reading.far.device != "R0"]
    found = fabric(scans, schedule)
    assert planned(schedule) - by_name(found) == {(("R0", 1), ("R1", 2))}
    assert [entry.kind for entry in found.contradictions] == ["stale"]


def test_an_entry_of_one_end_counts_where_the_other_end_does_not_answer():
    schedule = ring()
    found = fabric([scan for scan in ring_lldp(schedule) if "R1" not in scan.file], schedule)
    assert by_name(found) == {link for link in planned(schedule) if not all(end[0] in ("R1", "E2", "E3") for end in link)}
    assert not found.contradictions
    assert {found.devices[key].name for key in found.silent} == {"R1"}


def test_an_agent_that_lost_its_neighbors_is_noted_once():
    """A star: the middle lists two of twelve neighbors, the others list it."""
    schedule = [connection(n, ("R0", n), (f"R{n}", 1)) for n in range(1, 13)]
    scans = [lldp(f"R{n}", [("swp1", "R0", f"swp{n}")]) for n in range(1, 13)]
    scans.append(lldp("R0", [(f"swp{n}", f"R{n}", "swp1") for n in (1, 2)]))
    found = fabric(scans, schedule)
    assert by_name(found) == planned(schedule)
    assert found.partial == {"R0"}
    assert sum("lists 2 of 12 neighbors" in note for note in found.notes) == 1
    assert not found.contradictions


def test_a_port_that_is_up_without_neighbor_is_unknown():
    scan = lldp("R0", [("swp1", "R1", "swp2")])
    scan.readings.append(Reading(Port("R0", "swp3"), state="up"))
    found = fabric([scan], ring())
    assert found.unknown == {Place("R0", 3)}
    assert not found.dark


# -- 9. silent devices, dark ports -----------------------------------------------------------------


def test_dark_ports_are_those_listed():
    scan = infiniband([(("R0", 1), ("R1", 2))], dark_ports=True)
    scan.readings.extend(
        [Reading(Port("R0", "3"), state="down"), Reading(Port("R0", "4"), state="disabled"), Reading(Port("R1", "1"))]
    )
    found = fabric([scan], ring())
    assert found.dark == {Place("R0", 3): "down", Place("R0", 4): "disabled", Place("R1", 1): "down"}
    assert not found.silent


def test_hosts_that_do_not_report_are_not_silent():
    assert not fabric(ring_lldp(ring()), ring()).silent


# -- several files ---------------------------------------------------------------------------------


def test_formats_are_joined_by_name():
    schedule = ring()
    scan = ring_scan(schedule)
    names = {key: f"MF0;{key}:MSB7800/U1" if key[0] == "R" else f"{key} mlx5_0" for key in scan.devices}
    keys = {key: guid(n * 8) for n, key in enumerate(sorted(scan.devices))}
    devices = {keys[key]: replace(device, key=keys[key], name=names[key]) for key, device in scan.devices.items()}
    readings = [
        replace(r, port=Port(keys[r.port.device], r.port.port), far=Port(keys[r.far.device], r.far.port)) for r in scan.readings
    ]
    found = fabric([*ring_lldp(schedule), replace(scan, devices=devices, readings=readings)], schedule)
    assert by_name(found) == planned(schedule)
    assert len(found.devices) == len(devices)
    assert not found.contradictions


def test_files_with_different_far_ends_are_listed_and_the_newer_is_used():
    old = infiniband([(("R0", 1), ("R1", 2))], taken="2026-11-22T14:00")
    new = replace(infiniband([(("R0", 1), ("R2", 2))], taken="2026-11-22T14:05"), file="again")
    found = fabric([new, old], ring())
    assert by_name(found) == {(("R0", 1), ("R2", 2))}
    assert [entry.kind for entry in found.contradictions] == ["contradiction"]
    assert set(found.contradictions[0].files) == {"scan", "again"}


def test_a_link_that_flaps_is_listed():
    up = infiniband([(("R0", 1), ("R1", 2))], dark_ports=True)
    down = infiniband([(("R0", 2), ("R3", 1))], dark_ports=True)
    down.readings.append(Reading(Port("R0", "1"), state="down"))
    found = fabric([up, replace(down, file="again")], ring())
    assert len(found.links) == 2
    assert not found.dark
    assert ["flaps" in entry.text for entry in found.contradictions] == [True]


def test_records_of_people_rank_below_measurements():
    schedule = ring()
    record = replace(ring_scan(schedule), file="book.xlsx", format="workbook", claims=True, both_ends=False)
    assert by_name(fabric([record], schedule)) == planned(schedule)
    wrong = infiniband([(("R0", 1), ("R2", 2)), (("R1", 3), ("E2", 1))])
    found = fabric([record, wrong], schedule)
    assert (("R0", 1), ("R2", 2)) in by_name(found)
    assert (("R0", 1), ("R1", 2)) not in by_name(found)
    assert (("R3", 1), ("R0", 2)) not in by_name(found)
    assert any("records" in note for note in found.notes)


def test_plugs_of_several_files_are_kept():
    one, two = infiniband([(("R0", 1), ("R1", 2))]), infiniband([(("R0", 1), ("R1", 2))])
    one.readings[0] = replace(one.readings[0], plug=Plug(serial="SN1"))
    two.readings[0] = replace(two.readings[0], plug=Plug(serial="SN1", part_number="MCP", length_m=2))
    for scans in ([one, two], [two, one]):
        assert fabric(scans, ring()).plugs == {Place("R0", 1): Plug(part_number="MCP", serial="SN1", length_m=2)}


# -- slow links ------------------------------------------------------------------------------------


def speeds(slow: tuple[int, str], plain: tuple[int, str] = (4, "EDR"), host: bool = False) -> list[str]:
    schedule = ring(24, 2)
    scan = ring_scan(schedule)
    chosen = {"R0", "E0"} if host else {"R0", "R1"}
    readings = []
    for reading in scan.readings:
        width, speed = slow if {reading.port.device, reading.far.device} == chosen else plain
        readings.append(replace(reading, width=width, speed=speed))
    found = fabric([replace(scan, readings=readings)], schedule)
    assert all(not link.slow for link in found.links if {link.a.device, link.b.device} != chosen)
    return [link.slow for link in found.links if {link.a.device, link.b.device} == chosen]


@pytest.mark.parametrize("host", [True, False])
@pytest.mark.parametrize("slow", [(1, "EDR"), (4, "SDR"), (1, "SDR"), (2, "EDR")])
def test_links_below_both_ends_are_slow(slow, host):
    assert speeds(slow, host=host) != [""]


def test_older_hosts_and_lanes_of_splitters_are_not_slow():
    assert speeds((4, "FDR"), host=True) == [""]
    schedule = ring(4, 8)
    scan = ring_scan(schedule)
    readings = [replace(r, width=2 if "E" in r.port.device + r.far.device else 4, speed="HDR") for r in scan.readings]
    assert not any(link.slow for link in fabric([replace(scan, readings=readings)], schedule).links)


# -- properties ------------------------------------------------------------------------------------


@st.composite
def fabrics(draw):
    """Files of LLDP and InfiniBand of a ring with random links exchanged or missing."""
    schedule = ring(draw(st.integers(3, 6)), 2)
    chance = random.Random(draw(st.integers(0, 2**32)))
    links = [[(end.device, 1 if end.device[0] == "E" else end.port) for end in row.ends] for row in schedule]
    for _ in range(draw(st.integers(0, 3))):
        a, b = chance.sample(range(len(links)), 2)
        links[a][1], links[b][1] = links[b][1], links[a][1]
    links = [link for link in links if link[0][0] != link[1][0] and chance.random() > 0.1]
    scans = [infiniband(links)] if draw(st.booleans()) else []
    rows = [connection(n, *link) for n, link in enumerate(links)]
    scans += ring_lldp(rows) if not scans or draw(st.booleans()) else []
    for number, scan in enumerate(scans):
        stray = draw(st.booleans())
        if stray and scan.readings:
            reading = chance.choice(scan.readings)
            other = chance.choice(scan.readings)
            scans[number] = replace(scan, readings=[*scan.readings, replace(reading, far=other.far)])
    return schedule, scans, chance


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(fabrics())
def test_the_order_of_files_and_readings_does_not_matter(case):
    schedule, scans, chance = case
    found = fabric(scans, schedule)
    mixed = []
    for scan in scans:
        devices, readings = list(scan.devices.items()), list(scan.readings)
        chance.shuffle(devices)
        chance.shuffle(readings)
        mixed.append(replace(scan, devices=dict(devices), readings=readings))
    chance.shuffle(mixed)
    assert fabric(mixed, schedule) == found


KEYS = ("R0", "R1", "E0", "7cfe900300a00440", "7cfe900300a00441", "7cfe90a00440", "f" * 16, "0" * 16, "", "E0 mlx5_0")
NAMES = (
    "",
    "R0",
    "r0.x.y",
    "MF0;R0:X/L1/U2",
    "MF0;R0:X/S01/U1",
    "E0 mlx5_1",
    "localhost",
    "Aggregation Node",
    "\0",
    "MF0;;:::/",
    "/U1",
)
TEXTS = (
    "",
    "1",
    "2",
    "37",
    "0",
    "-1",
    "swp3s1",
    "eth0",
    "Ethernet4",
    "1/2/3/4",
    "9" * 5000,
    "²",
    "٣",
    "Blade 1_Port 2/3",
    "sw1p2s3",
    "x" * 99,
)


def strange(chance: random.Random, number: int) -> Scan:
    """A scan of texts that no reader should give, or only for damaged files."""

    def one(of: tuple) -> str:
        return chance.choice(of)

    devices = {
        key: Device(
            key, one(NAMES), one((SWITCH, HOST, "")), one(KEYS), tuple(chance.sample(KEYS, 2)), one(("", "s")), ports=one((0, 37))
        )
        for key in chance.sample(KEYS, 5)
    }
    readings = [
        Reading(
            Port(one(KEYS), one(TEXTS)),
            one(("", *TEXTS)),
            chance.choice((None, Port(one(KEYS), one(TEXTS)))),
            tuple(chance.sample(TEXTS, 2)),
            one(("up", "down", "", "strange")),
            chance.choice((0, 1, 4)),
            one(("", "EDR", "x")),
            plane=chance.choice((0, 0, 2)),
        )
        for _ in range(chance.randint(0, 12))
    ]
    flags = [chance.random() < 0.5 for _ in range(3)]
    return Scan(f"scan-{number}", "strange", devices, readings, *flags)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32))
def test_strange_texts_give_a_fabric_in_which_each_port_has_one_link(seed):
    chance = random.Random(seed)
    scans = [strange(chance, number) for number in range(chance.randint(1, 3))]
    found = fabric(scans, ring(3, 1, chance.choice((1, 2))))
    ports = [place for link in found.links for place in (link.a, link.b) if place.port]
    assert len(set(ports)) == len(ports)
    assert not set(ports) & set(found.dark)
    assert {place.device for place in ports} <= set(found.devices)
    chance.shuffle(scans)
    assert fabric(scans, ring(3, 1)) == fabric(scans[::-1], ring(3, 1))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(fabrics())
def test_a_file_given_twice_changes_nothing(case):
    schedule, scans, chance = case
    found = fabric(scans, schedule)
    again = fabric([*scans, chance.choice(scans)] if scans else [], schedule)
    assert (again.devices, again.links, again.dark, again.contradictions) == (
        found.devices,
        found.links,
        found.dark,
        found.contradictions,
    )


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(3, 8), st.integers(0, 3), st.integers(0, 2**32))
def test_without_one_side_of_each_link_the_links_are_the_same(switches, hosts, seed):
    schedule = ring(switches, hosts)
    chance = random.Random(seed)
    scan = ring_scan(schedule)
    pairs = list(zip(scan.readings[::2], scan.readings[1::2], strict=True))
    half = replace(scan, readings=[chance.choice(pair) for pair in pairs])
    whole, found = fabric([scan], schedule), fabric([half], schedule)
    assert [replace(link, mutual=True, texts=()) for link in found.links] == [replace(link, texts=()) for link in whole.links]
    assert not any(link.mutual for link in found.links)
    assert found.devices == whole.devices


# -- the sample sets -------------------------------------------------------------------------------


@cache
def _plan() -> list[Connection]:
    return read(DATA / "plan-slimfly-200.csv")


@cache
def _scans(folder: str, name: str) -> list[Scan]:
    return readers.read([DATA / folder / name])


def _links(files: list[str], folder: str, by_guid: bool) -> set:
    found = fabric([scan for name in files for scan in _scans(folder, name)], _plan())
    assert found.numbered
    assert not found.contradictions
    assert not found.silent
    assert not found.partial
    assert len(found.devices) == 250
    identity = json.loads((DATA / folder / "answer.json").read_text())["identity"] if by_guid else {}
    name = {key: identity.get(key) or device.name for key, device in found.devices.items()}
    return {tuple(sorted((name[place.device], place.port) for place in (link.a, link.b))) for link in found.links}


FORMATS = (
    "ibdiagnet2.db_csv",
    "iblinkinfo-line.txt",
    "ibnetdiscover.txt",
    "ibnetdiscover-p.txt",
    "ufm-links.json",
    "lldp-json0.tar.gz",
)


@pytest.mark.slow
@pytest.mark.parametrize("folder", SETS)
def test_every_format_of_a_set_gives_the_same_links(folder):
    answer = json.loads((DATA / folder / "answer.json").read_text())
    expected = planned(_plan())
    wrong = {tuple(sorted(tuple(end) for end in link)) for link in answer["wrong"]}
    guids = [_links([name], folder, True) for name in (*FORMATS[:5], "ibnetdiscover-noname.txt")]
    names = [_links([name], folder, False) for name in FORMATS]
    for found in guids:
        assert found - expected == wrong
        assert len(found) == answer["found"]
    assert all(found == guids[0] for found in guids)
    assert all(found == names[0] for found in names)
    assert len(names[0] - expected) == answer.get("by_names_wrong", len(wrong))


@pytest.mark.slow
@pytest.mark.parametrize("folder", SETS)
def test_all_formats_of_a_set_together_give_the_same_links(folder):
    alone = _links(["ibnetdiscover.txt"], folder, False)
    for one, two in combinations(FORMATS, 2):
        assert _links([one, two], folder, False) == alone
    assert _links([*FORMATS, "ibnetdiscover-noname.txt"], folder, False) == alone
