"""A fabric built from a plan, and its discovery files in the formats of the readers, written from the plan."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from planner.domain.model import Plan
from planner.view import schedule
from planner.view.schedule import Connection, End, nodes_of

Port = tuple[str, int]
Link = tuple[Port, Port]


@dataclass
class Built:
    """Cables as plugged: both ports of each row that is in place, and of cables that no row plans."""

    plan: Plan
    rows: list[Connection]
    plugged: dict[int, Link] = field(default_factory=dict)
    extra: list[Link] = field(default_factory=list)

    @classmethod
    def of(cls, plan: Plan, sees: Callable[[Built, Connection], bool] | None = None) -> Built:
        """Return the fabric of a plan as planned; only the rows that a format can see."""
        built = cls(plan, schedule.of_plan(plan))
        built.plugged = {row.number: _ports(row) for row in built.rows if sees is None or sees(built, row)}
        return built

    @property
    def links(self) -> list[Link]:
        return [*self.plugged.values(), *self.extra]

    @property
    def seen(self) -> list[Connection]:
        """Rows whose cables are in place."""
        return [row for row in self.rows if row.number in self.plugged]

    @cached_property
    def nodes(self) -> frozenset[str]:
        return nodes_of(self.rows)

    @cached_property
    def ends(self) -> dict[Port, End]:
        return {(end.device, end.port): end for row in self.rows for end in row.ends}

    @cached_property
    def _device(self) -> dict[str, int]:
        from planner.view.names import device_names

        return {name: number for number, name in enumerate(device_names(self.plan))}

    @cached_property
    def _cages(self) -> dict[str, dict[int, tuple[int, int, int]]]:
        """Cage, lane in it, both from 1, and lanes of the cage, by name of the part and port."""
        found = {}
        for part in self.plan.inventory.parts:
            cages, port = 0, 0
            own = found.setdefault(part.id, {})
            for group in part.groups:
                for n in range(group.count):
                    port += 1
                    lanes = group.ports_per_cage
                    own[port] = (cages + n // lanes + 1, n % lanes + 1, lanes)
                cages += -(-group.count // group.ports_per_cage)
        return found

    def part(self, device: str):
        return self.plan.inventory.part_of(self._device[device])

    def cage(self, port: Port) -> tuple[int, int, int]:
        """Return the cage of a port, its lane, and the number of lanes of the cage."""
        return self._cages[self.part(port[0]).id][port[1]]

    def printed(self, port: Port) -> str:
        """Return a port as printed; the plan may have no cable in it."""
        end = self.ends.get(port)
        return end.printed if end else str(self.part(port[0]).port_names[port[1] - 1])

    def is_management(self, port: Port) -> bool:
        return self.part(port[0]).port_names[port[1] - 1] == "mgmt"

    def free_ports(self, device: str) -> list[int]:
        """Return the free ports of a device that are like one in use."""
        used = {port for link in self.links for name, port in link if name == device}
        planned = {end.port for row in self.rows for end in row.ends if end.device == device}
        part = self.part(device)
        group = [group.name for group in part.groups for _ in range(group.count)]
        alike = {group[port - 1] for port in used}
        return [port for port in range(1, len(group) + 1) if port not in planned | used and group[port - 1] in alike]


def _ports(row: Connection) -> Link:
    return (row.a.device, row.a.port), (row.b.device, row.b.port)


# -- what formats see -------------------------------------------------------------------------------


def everything(built: Built, row: Connection) -> bool:
    return True


def of_routers(built: Built, row: Connection) -> bool:
    """Whether a router is at one end: nodes report nothing."""
    return any(end.device not in built.nodes for end in row.ends)


# -- names of ports ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Style:
    """How boxes of a maker call their ports: single ones, those of a cage, and the one for management."""

    single: str
    split: str
    management: str
    lanes: int = 0

    def text(self, built: Built, port: Port) -> str:
        if built.is_management(port):
            return self.management
        cage, lane, lanes = built.cage(port)
        first = self.lanes * (cage - 1) + (lane - 1) * self.lanes // lanes
        text = self.split if lanes > 1 else self.single
        return text.format(cage=cage, lane=lane, zero=cage - 1, from_0=lane - 1, first=first)


SWP = Style("swp{cage}", "swp{cage}s{from_0}", "eth0")
EOS = Style("Ethernet{cage}", "Ethernet{cage}/{lane}", "Management1")
CISCO = Style("Ethernet1/{cage}", "Ethernet1/{cage}/{lane}", "mgmt0")
JUNOS = Style("et-0/0/{zero}", "et-0/0/{zero}:{from_0}", "re0:mgmt-0")
SONIC = Style("Ethernet{first}", "Ethernet{first}", "eth0", lanes=8)
ONYX = Style("Eth1/{cage}", "Eth1/{cage}/{lane}", "mgmt0")
ARUBA = Style("1/1/{cage}", "1/1/{cage}:{lane}", "mgmt")


def mac(port: Port, number: int) -> str:
    text = f"02{number:06x}{port[1]:04x}"
    return ":".join(text[place : place + 2] for place in range(0, 12, 2))


def interface(port: Port) -> str:
    """Return the name of an adapter as Linux gives it."""
    return f"enp{port[1]}s0f0np0"


# -- LLDP -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heard:
    """A neighbor as a router hears it."""

    local: str
    name: str
    port: str
    description: str
    chassis: str
    by_mac: bool


def heard(built: Built, style: Style, *, names: bool = True) -> dict[str, list[Heard]]:
    """Return what each router hears; `names` is whether nodes state the names of their adapters."""
    number = {device: n for n, device in enumerate(sorted({port[0] for link in built.links for port in link}))}
    found: dict[str, list[Heard]] = defaultdict(list)
    for link in built.links:
        for near, far in (link, link[::-1]):
            if near[0] in built.nodes:
                continue
            chassis = mac((far[0], 0), number[far[0]])
            if far[0] in built.nodes:
                own = mac(far, number[far[0]])
                entry = Heard(style.text(built, near), far[0], own, interface(far) if names else "", chassis, True)
            else:
                entry = Heard(style.text(built, near), far[0], style.text(built, far), "", chassis, False)
            found[near[0]].append(entry)
    return found


def _files(folder: Path, found: dict[str, str], ending: str) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    for device, text in found.items():
        (folder / f"{device}.{ending}").write_text(text, encoding="utf-8")
    return [folder]


def arista(built: Built, folder: Path, *, names: bool = True) -> list[Path]:
    def entry(each: Heard) -> dict:
        kind = "macAddress" if each.by_mac else "interfaceName"
        info = {"interfaceIdType": kind, "interfaceId": f'"{each.port}"', "interfaceDescription": each.description}
        capable = {"bridge": True, "router": True}
        return {
            "systemName": each.name, "chassisId": each.chassis, "chassisIdType": "macAddress", "systemCapabilities": capable,
            "neighborInterfaceInfo": info,
        }  # fmt: skip

    found = {}
    for device, neighbors in heard(built, EOS, names=names).items():
        table = defaultdict(list)
        for each in neighbors:
            table[each.local].append(entry(each))
        found[device] = json.dumps({"lldpNeighbors": {local: {"lldpNeighborInfo": own} for local, own in table.items()}})
    return _files(folder, found, "json")


def arista_by_mac(built: Built, folder: Path) -> list[Path]:
    return arista(built, folder, names=False)


def lldpcli_json0(built: Built, folder: Path) -> list[Path]:
    def entry(each: Heard) -> dict:
        port = {"id": [{"type": "mac" if each.by_mac else "ifname", "value": each.port}], "descr": [{"value": each.description}]}
        chassis = {"id": [{"type": "mac", "value": each.chassis}], "name": [{"value": each.name}]}
        chassis["capability"] = [{"type": "Bridge", "enabled": not each.by_mac}, {"type": "Station", "enabled": each.by_mac}]
        return {"name": each.local, "via": "LLDP", "chassis": [chassis], "port": [port]}

    return _files(
        folder,
        {
            device: json.dumps({"lldp": [{"interface": [entry(each) for each in neighbors]}]})
            for device, neighbors in heard(built, SWP).items()
        },
        "json",
    )


def lldpcli_keyvalue(built: Built, folder: Path) -> list[Path]:
    def lines(each: Heard) -> Iterator[str]:
        head = f"lldp.{each.local}"
        yield f"{head}.via=LLDP"
        yield f"{head}.chassis.mac={each.chassis}"
        yield f"{head}.chassis.name={each.name}"
        yield f"{head}.port.{'mac' if each.by_mac else 'ifname'}={each.port}"
        yield f"{head}.port.descr={each.description}"

    return _files(
        folder,
        {
            device: "\n".join(line for each in neighbors for line in lines(each)) + "\n"
            for device, neighbors in heard(built, SWP).items()
        },
        "txt",
    )


def ptm(built: Built, folder: Path) -> list[Path]:
    def row(each: Heard) -> dict:
        port = each.description if each.by_mac else each.port
        return {
            "port": each.local, "cbl status": "pass", "act nbr": f"{each.name}:{port}", "sysname": each.name, "portID": each.port,
            "portDescr": each.description, "match on": "IfName", "last upd": "1m",
        }  # fmt: skip

    return _files(
        folder,
        {
            device: json.dumps({str(n): row(each) for n, each in enumerate(neighbors)})
            for device, neighbors in heard(built, SWP).items()
        },
        "json",
    )


def junos(built: Built, folder: Path) -> list[Path]:
    def data(text: str) -> list[dict]:
        return [{"data": text}]

    def entry(each: Heard) -> dict:
        return {
            "lldp-local-port-id": data(each.local),
            "lldp-remote-chassis-id": data(each.chassis),
            "lldp-remote-port-id-subtype": data("Mac address" if each.by_mac else "Interface name"),
            "lldp-remote-port-id": data(each.port),
            "lldp-remote-port-description": data(each.description),
            "lldp-remote-system-name": data(each.name),
        }

    return _files(
        folder,
        {
            device: json.dumps(
                {"lldp-neighbors-information": [{"lldp-neighbor-information": [entry(each) for each in neighbors]}]}
            )
            for device, neighbors in heard(built, JUNOS).items()
        },
        "json",
    )


def nxos(built: Built, folder: Path) -> list[Path]:
    def entry(each: Heard) -> dict:
        return {
            "chassis_id": each.chassis, "port_id": each.port, "l_port_id": each.local, "port_desc": each.description or "null",
            "sys_name": each.name, "ttl": "112", "enabled_capability": "S" if each.by_mac else "B, R",
        }  # fmt: skip

    return _files(
        folder,
        {
            device: json.dumps({"TABLE_nbor_detail": {"ROW_nbor_detail": [entry(each) for each in neighbors]}})
            for device, neighbors in heard(built, CISCO).items()
        },
        "json",
    )


def onyx(built: Built, folder: Path) -> list[Path]:
    def entry(each: Heard) -> dict:
        return {
            "Remote chassis id": each.chassis, "Remote port-id": each.port, "Remote system name": each.name,
            "Remote port description": each.description or "Not Advertised",
        }  # fmt: skip

    return _files(
        folder,
        {
            device: json.dumps({each.local: [entry(each)] for each in neighbors if each.local.startswith("Eth")})
            for device, neighbors in heard(built, ONYX).items()
        },
        "json",
    )


def aruba_cx(built: Built, folder: Path) -> list[Path]:
    def entry(each: Heard) -> dict:
        info = {"chassis_name": each.name, "port_description": each.description}
        info["port_id_subtype"] = "mac_addr" if each.by_mac else "if_name"
        return {"chassis_id": each.chassis, "port_id": each.port, "neighbor_info": info}

    return _files(
        folder,
        {
            device: json.dumps({each.local: {f"{each.chassis},{each.port}": entry(each)} for each in neighbors})
            for device, neighbors in heard(built, ARUBA).items()
        },
        "json",
    )


def sonic(built: Built, folder: Path) -> list[Path]:
    def entry(each: Heard) -> dict:
        return {
            "lldp_rem_sys_name": each.name, "lldp_rem_chassis_id": each.chassis, "lldp_rem_port_id": each.port,
            "lldp_rem_port_desc": each.description, "lldp_rem_port_id_subtype": "3" if each.by_mac else "7",
            "lldp_rem_sys_cap_enabled": "01 00" if each.by_mac else "28 00",
        }  # fmt: skip

    return _files(
        folder,
        {
            device: json.dumps({f"LLDP_ENTRY_TABLE:{each.local}": entry(each) for each in neighbors})
            for device, neighbors in heard(built, SONIC).items()
        },
        "json",
    )


def canu_cabling(built: Built, folder: Path) -> list[Path]:
    titles = ("PORT", "NEIGHBOR", "NEIGHBOR PORT", "PORT DESCRIPTION", "DESCRIPTION")
    lines = []
    for device, neighbors in heard(built, ARUBA).items():
        cells = [(f"{each.local}", f"==> {each.name}", each.port, each.description, "") for each in neighbors]
        widths = [max(len(row[place]) for row in (titles, *cells)) + 2 for place in range(5)]
        widths[1] = max(widths[1], len("    NEIGHBOR") + 2)
        head = "PORT".ljust(widths[0]) + "    NEIGHBOR".ljust(widths[1])
        head += "".join(title.ljust(width) for title, width in zip(titles[2:], widths[2:], strict=True))
        lines += [f"Switch: {device} (10.0.0.1)", "Aruba 8325", "-" * 60, head]
        lines += ["".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
        lines.append("")
    return _one(folder, "cabling.txt", "\n".join(lines) + "\n")


# -- InfiniBand -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Node:
    """A node of an InfiniBand fabric: GUID, description, kind, number of ports."""

    guid: int
    text: str
    is_switch: bool
    ports: int


_CHIP = 20
"""Ports of a chip of a director that lead out of it; its others lead to a chip of a spine module."""


class Fabric:
    """Switches, and adapters with one port each; directors are chips in modules, with links inside."""

    def __init__(self, built: Built) -> None:
        self.nodes: dict[tuple, Node] = {}
        self.links = [tuple(self._at(built, port) for port in link) for link in built.links]
        self.inside = list(self._inside())

    def _at(self, built: Built, port: Port) -> tuple[Node, int]:
        device, number = port
        if device in built.nodes:
            return self._node(port, f"{device} mlx5_{number - 1}", ports=1, base=0xBB), 1
        modules = [group for group in built.part(device).groups if group.name.startswith("leaf")]
        if not modules:
            return self._node((device,), f"MF0;{device}:MQM9700/U1", ports=len(built.part(device).port_names)), number
        module, rest = divmod(number - 1, modules[0].count)
        chip, own = divmod(rest, _CHIP)
        return self._node((device, module, chip), f"MF0;{device}:MCS8500/L{module + 1:02}/U{chip + 1}", ports=41), own + 1

    def _node(self, key: tuple, text: str, *, ports: int, base: int = 0xAA) -> Node:
        if key not in self.nodes:
            self.nodes[key] = Node((base << 40) + (len(self.nodes) + 1 << 8), text, base == 0xAA, ports)
        return self.nodes[key]

    def _inside(self) -> Iterator[tuple[tuple[Node, int], tuple[Node, int]]]:
        """Yield the links inside of directors: those of every second chip of every module, used or not."""
        for device, module in dict.fromkeys(key[:2] for key in self.nodes if len(key) == 3):
            for chip in (0, 1):
                text = f"MF0;{device}:MCS8500/L{module + 1:02}/U{chip + 1}"
                leaf = self._node((device, module, chip), text, ports=41)
                spine = self._node((device, "spine", 0), f"MF0;{device}:MCS8500/S01/U1", ports=41)
                yield (leaf, _CHIP + 1), (spine, 2 * module + chip + 1)

    def system(self, node: Node) -> int:
        """Return the GUID that all chips of a box have in common."""
        key = next(key for key, other in self.nodes.items() if other is node)
        return next(other.guid for place, other in self.nodes.items() if place[0] == key[0]) if len(key) == 3 else node.guid

    def both(self) -> Iterator[tuple[Node, int, Node, int]]:
        for (a, m), (b, n) in [*self.links, *self.inside]:
            yield a, m, b, n
            yield b, n, a, m


def _one(folder: Path, name: str, text: str) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return [folder / name]


def ibnetdiscover(built: Built, folder: Path) -> list[Path]:
    fabric = Fabric(built)
    at: dict[int, list[str]] = defaultdict(list)
    for near, port, far, far_port in fabric.both():
        letter = "S" if far.is_switch else "H"
        own = "" if near.is_switch else f"({near.guid + 1:x})"
        at[near.guid].append(f'[{port}]{own}\t"{letter}-{far.guid:016x}"[{far_port}]\t\t# "{far.text}" lid 4 4xNDR')
    lines = []
    for node in fabric.nodes.values():
        if node.is_switch:
            lines += [f"sysimgguid=0x{fabric.system(node):x}", f"switchguid=0x{node.guid:x}({node.guid:x})"]
            lines += [f'Switch\t{node.ports} "S-{node.guid:016x}"\t\t# "{node.text}" enhanced port 0 lid 1 lmc 0']
        else:
            lines += [f"caguid=0x{node.guid:x}", f'Ca\t1 "H-{node.guid:016x}"\t\t# "{node.text}"']
        lines += [*sorted(at[node.guid]), ""]
    return _one(folder, "ibnetdiscover.txt", "\n".join(lines))


def iblinkinfo(built: Built, folder: Path) -> list[Path]:
    lines = []
    for near, port, far, far_port in Fabric(built).both():
        lines.append(
            f'0x{near.guid:016x} "{near.text}" {4:>6} {port:>4}[  ] ==( 4X 106.25 Gbps Active/  LinkUp)==>  '
            f'0x{far.guid:016x} {5:>6} {far_port:>4}[  ] "{far.text}" ( )'
        )
    return _one(folder, "iblinkinfo.txt", "\n".join(lines) + "\n")


def ibdiagnet_lst(built: Built, folder: Path) -> list[Path]:
    fabric = Fabric(built)

    def end(node: Node, port: int) -> str:
        kind = "SW" if node.is_switch else "CA"
        guids = (
            f"SystemGUID:{fabric.system(node):016x} NodeGUID:{node.guid:016x} PortGUID:{node.guid + (not node.is_switch):016x}"
        )
        return f"{{ {kind} Ports:{node.ports:02x} {guids} VenID:02C9 DevID:D2F2 Rev:A0 {{{node.text}}} LID:0004 PN:{port:02x} }}"

    lines = [f"{end(a, m)} {end(b, n)} PHY=4x LOG=ACT SPD=100" for (a, m), (b, n) in [*fabric.links, *fabric.inside]]
    return _one(folder, "ibdiagnet2.lst", "\n".join(lines) + "\n")


def ufm_links(built: Built, folder: Path) -> list[Path]:
    def side(name: str, node: Node, port: int) -> dict:
        return {
            f"{name}_guid": f"{node.guid:016x}", f"{name}_port": str(port), f"{name}_port_dname": str(port),
            f"{name}_port_node_description": f"{node.text}:{port}",
        }  # fmt: skip

    links = [{**side("source", *a), **side("destination", *b), "width": "IB_4x"} for a, b in Fabric(built).links]
    return _one(folder, "links.json", json.dumps(links))


def opareport(built: Built, folder: Path) -> list[Path]:
    def end(tag: str, node: Node, port: int) -> str:
        kind = "SW" if node.is_switch else "FI"
        return (
            f"<{tag}><NodeGUID>0x{node.guid:016x}</NodeGUID><PortNum>{port}</PortNum><NodeType>{kind}</NodeType>"
            f"<NodeDesc>{node.text.removeprefix('MF0;').partition(':')[0]}</NodeDesc></{tag}>"
        )

    links = "".join(f'<Link id="{n}">{end("From", *a)}{end("To", *b)}</Link>' for n, (a, b) in enumerate(Fabric(built).links))
    return _one(folder, "links.xml", f'<?xml version="1.0"?>\n<Report><LinkSummary>{links}</LinkSummary></Report>\n')


def guid_links(built: Built, folder: Path) -> list[Path]:
    """Write the links of GUIDs; their names are in a node-name map next to it."""
    fabric = Fabric(built)
    lines = ["guid_a,port_a,guid_b,port_b"]
    lines += [f"0x{a.guid:016x},{m},0x{b.guid:016x},{n}" for (a, m), (b, n) in fabric.links]
    _one(folder, NAMES, "".join(f'0x{node.guid:016x} "{node.text}"\n' for node in fabric.nodes.values()))
    return _one(folder, "links.csv", "\n".join(lines) + "\n")


NAMES = "node-name-map"


# -- records ----------------------------------------------------------------------------------------


def _table(folder: Path, name: str, header: list[str], lines: list[list[str]]) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / name).open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *lines])
    return [folder / name]


def links_csv(built: Built, folder: Path) -> list[Path]:
    lines = [[a, str(m), b, str(n)] for (a, m), (b, n) in built.links]
    return _table(folder, "links.csv", ["device1", "port1", "device2", "port2"], lines)


def links_printed(built: Built, folder: Path) -> list[Path]:
    """Write the links with ports as printed on the devices."""
    lines = [[a[0], built.printed(a), b[0], built.printed(b)] for a, b in built.links]
    return _table(folder, "links.csv", ["switch", "switch_port", "peer_device", "peer_port"], lines)


def ndt_csv(built: Built, folder: Path) -> list[Path]:
    def port(end: Port) -> str:
        return f"Port {end[1]}" if end[0] not in built.nodes else f"{end[0]} mlx5_{end[1] - 1}"

    lines = [["", "A1", a[0], port(a), b[0], port(b), "Data", "400000", "10"] for a, b in built.links]
    header = ["", "rack", "#Fields:StartDevice", "StartPort", "EndDevice", "EndPort", "LinkType", "Speed", "Length"]
    return _table(folder, "ndt.csv", header, lines)


def canu_paddle(built: Built, folder: Path) -> list[Path]:
    devices = sorted({port[0] for link in built.links for port in link})
    number = {device: place for place, device in enumerate(devices)}
    at: dict[str, list[dict]] = defaultdict(list)
    for link in built.links:
        for near, far in (link, link[::-1]):
            port = {
                "port": near[1], "slot": None, "speed": 100, "destination_node_id": number[far[0]], "destination_port": far[1],
                "destination_slot": None,
            }  # fmt: skip
            at[near[0]].append(port)
    topology = [
        {
            "common_name": device, "id": number[device], "type": "server" if device in built.nodes else "switch", "model": "",
            "architecture": "x", "vendor": "x", "ports": at[device],
        }
        for device in devices
    ]  # fmt: skip
    return _one(folder, "paddle.json", json.dumps({"canu_version": "1.7.1", "architecture": "full", "topology": topology}))


def netbox_rest(built: Built, folder: Path) -> list[Path]:
    def ends(port: Port) -> list[dict]:
        inner = {"id": 1, "device": {"id": 1, "name": port[0]}, "name": built.printed(port)}
        return [{"object_type": "dcim.interface", "object_id": 1, "object": inner}]

    cables = [
        {"id": n, "status": {"value": "connected"}, "a_terminations": ends(a), "b_terminations": ends(b)}
        for n, (a, b) in enumerate(built.links)
    ]
    text = json.dumps({"count": len(cables), "next": None, "previous": None, "results": cables})
    return _one(folder, "cables.json", text)


def workbook(built: Built, folder: Path) -> list[Path]:
    """Fill in the workbook of the plan: what is in place, and deviations."""
    import openpyxl

    from planner.formats import write

    folder.mkdir(parents=True, exist_ok=True)
    path = write(built.plan, folder, "xlsx")
    book = openpyxl.load_workbook(path)
    sheet = book["cables"]
    head = next(n for n, row in enumerate(sheet.iter_rows(values_only=True), 1) if row and row[0] == "cable")
    column = {cell.value: cell.column for cell in sheet[head] if cell.value}
    for number, row in enumerate(built.rows, head + 2):
        plugged = built.plugged.get(row.number)
        assert sheet.cell(number, column["cable"]).value == row.number
        if plugged is None:
            continue
        sheet.cell(number, column["installed"], "x")
        for letter, end, port in zip("ab", row.ends, plugged, strict=True):
            if (end.device, end.port) != port:
                sheet.cell(number, column[f"built_{letter}_device"], port[0])
                sheet.cell(number, column[f"built_{letter}_port"], built.printed(port))
    book.save(path)
    return [path]


@dataclass(frozen=True)
class Format:
    """A format: how it is written, which rows it sees, and whether it is of one network.

    `node_ports` is whether it states which port of a node is meant, `modules` whether it states the chips of a director.
    """

    write: Callable[[Built, Path], list[Path]]
    sees: Callable[[Built, Connection], bool] = everything
    one_network: bool = False
    node_ports: bool = True
    modules: bool = True


FORMATS = {
    "links_csv": Format(links_csv),
    "links_printed": Format(links_printed),
    "netbox_rest": Format(netbox_rest),
    "workbook": Format(workbook),
    "ndt_csv": Format(ndt_csv),
    "canu_paddle": Format(canu_paddle),
    "arista": Format(arista, of_routers),
    "arista_by_mac": Format(arista_by_mac, of_routers, node_ports=False),
    "lldpcli_json0": Format(lldpcli_json0, of_routers),
    "lldpcli_keyvalue": Format(lldpcli_keyvalue, of_routers),
    "ptm": Format(ptm, of_routers),
    "junos": Format(junos, of_routers),
    "nxos": Format(nxos, of_routers),
    "onyx": Format(onyx, of_routers),
    "aruba_cx": Format(aruba_cx, of_routers),
    "sonic": Format(sonic, of_routers),
    "canu_cabling": Format(canu_cabling, of_routers),
    "ibnetdiscover": Format(ibnetdiscover, of_routers, one_network=True),
    "iblinkinfo": Format(iblinkinfo, of_routers, one_network=True),
    "ibdiagnet_lst": Format(ibdiagnet_lst, of_routers, one_network=True),
    "ufm_links": Format(ufm_links, of_routers, one_network=True, modules=False),
    "opareport": Format(opareport, of_routers, one_network=True, modules=False),
    "guid_links": Format(guid_links, of_routers, one_network=True, modules=False),
}
"""Formats by name."""
