"""The cable schedule as it is built: where the site accepts a deviation, the plan changes, and labels are printed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from planner.core.spreadsheet import Writer
from planner.core.storage import replacing
from planner.fabric.verify.outputs.content.places import Places, places
from planner.fabric.verify.result import Joined, Plugged, Verification
from planner.view.schedule import Connection, End

_OF_END = ("cabinet", "unit", "role", "device", "port", "printed", "panel")
COLUMNS = (
    "cable", "piece", "network", "kind", "label_a", "label_b", *(f"a_{name}" for name in _OF_END),
    *(f"b_{name}" for name in _OF_END), "part", "end_part", "end_part_b", "medium", "stock_mm", "run_mm", "trays", "trunk",
    "stage", "deviation",
)  # fmt: skip
"""Columns of the schedule: those of the format ``csv`` that describe a cable as bought, and what differs from the plan."""


@dataclass(frozen=True)
class Built:
    """A row as built, and what differs from the plan; empty where nothing does."""

    row: Connection
    deviation: str = ""


def write_schedule(verification: Verification, path: Path) -> Path:
    """Write the schedule as built as CSV and return its path; every reader of cable schedules accepts it."""
    return write_rows(as_built(verification), path)


def write_rows(built: Iterable[Built], path: Path) -> Path:
    """Write rows as built as CSV and return its path."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        rows = Writer(file)
        rows.writerow(COLUMNS)
        rows.writerows(map(_cells, built))
    return path


def _cells(built: Built) -> tuple[str | int, ...]:
    row = built.row
    ends = [[getattr(end, name) for name in _OF_END] for end in row.ends]
    return (
        row.number, row.piece, row.network, row.kind, row.a.label, row.b.label, *ends[0], *ends[1], row.part, *row.end_parts,
        row.medium, row.stock_mm, row.run_mm, row.trays, row.trunk, row.stage, built.deviation,
    )  # fmt: skip


def as_built(verification: Verification) -> list[Built]:
    """Return the schedule as built: found links in place of planned ones; a port is in one row at most.

    Cables whose plugs are in other ports keep their row, with the ports and labels of where they are. Cables that the plan lacks
    have a new row after the last one. Planned cables without a link stay: in their ports, or in the two ports that the deviations
    of their chain left free; where no such ports are left they are dropped, since nothing is open for them.
    """
    where = places(verification)
    planned = {row.number: _ports(row) for row in verification.planned}
    wrong = sorted(_sorted([where.planned(Plugged(*end)) for end in link]) for link in verification.wrong)
    found = _found(verification, planned, set(wrong))
    taken = {port for ports in found.values() for port in ports}
    new = _new(planned, found, wrong)
    taken |= {port for ports in new.values() for port in ports}
    ports = planned | found
    open_ports = _open_ports(verification, planned, taken)
    made = []
    for row in verification.planned:
        own = ports[row.number]
        if row.number not in found and not taken.isdisjoint(own):
            if row.number not in open_ports:
                continue
            own = open_ports[row.number]
        made.append(moved(row, own, where))
    extra = (_extra(number, own, where) for number, own in sorted(new.items()))
    return [*made, *extra]


def _ports(row: Connection) -> tuple[Plugged, Plugged]:
    return Plugged(row.a.device, row.a.port), Plugged(row.b.device, row.b.port)


def _found(
    verification: Verification, planned: dict[int, tuple[Plugged, Plugged]], wrong: set[Joined]
) -> dict[int, tuple[Plugged, Plugged]]:
    """Return the ports of the rows whose cables are a wrong link, as the moves and removals state."""
    ends = {number: list(ports) for number, ports in planned.items()}
    changed = set()
    for move in verification.moves:
        if move.cable in ends:
            ends[move.cable]["ab".index(move.end.lower()[:1] or "a")] = Plugged(move.device, move.from_port)
            changed.add(move.cable)
    for removal in verification.removals:
        if removal.cable in ends:
            ends[removal.cable] = [Plugged(*end) for end in removal.ports]
            changed.add(removal.cable)
    return {number: (ends[number][0], ends[number][1]) for number in sorted(changed) if _sorted(ends[number]) in wrong}


def _sorted(link: Sequence[Plugged]) -> Joined:
    first, second = sorted(Plugged(*end) for end in link)
    return first, second


def _new(
    planned: dict[int, tuple[Plugged, Plugged]], found: dict[int, tuple[Plugged, Plugged]], wrong: Sequence[Joined]
) -> dict[int, Joined]:
    """Return the wrong links that are no planned cable, by new numbers."""
    known = {_sorted(ports) for ports in found.values()}
    numbers = count(max(planned, default=0) + 1)
    return {next(numbers): link for link in wrong if link not in known}


def _open_ports(
    verification: Verification, planned: dict[int, tuple[Plugged, Plugged]], taken: set[Plugged]
) -> dict[int, tuple[Plugged, Plugged]]:
    """Return the ports of planned cables without a link whose own ports are taken: what their chain leaves free."""
    of_component: dict[int, set[int]] = {}
    for component, cable in [
        *((move.component, move.cable) for move in verification.moves),
        *((addition.component, addition.cable) for addition in verification.additions),
    ]:
        of_component.setdefault(component, set()).add(cable)
    found = {}
    for addition in verification.additions:
        if addition.component and addition.cable in planned and not taken.isdisjoint(planned[addition.cable]):
            cables = sorted(of_component[addition.component] & set(planned))
            free = [port for number in cables for port in planned[number] if port not in taken]
            if len(free) == 2:
                found[addition.cable] = (free[0], free[1])
    return found


def moved(row: Connection, ports: tuple[Plugged, Plugged], where: Places) -> Built:
    """Return a row with its ends in these ports, with new labels where they are not its own."""
    changes = [own != port for own, port in zip(_ports(row), ports, strict=True)]
    if not any(changes):
        return Built(row)
    a, b = _ends(ports, where)
    text = "; ".join(
        f"end {name} in {where.port(port)}, planned in {end.device} {end.printed}"
        for name, end, port, changed in zip("ab", row.ends, ports, changes, strict=True)
        if changed
    )
    kept = [
        new if changed else new._replace(panel=old.panel) for new, old, changed in zip((a, b), row.ends, changes, strict=True)
    ]
    return Built(row._replace(a=kept[0], b=kept[1]), text)


def _extra(number: int, ports: Joined, where: Places) -> Built:
    """Return a row for a cable that the plan lacks; what it is, is not known."""
    a, b = _ends(ports, where)
    row = Connection(number, number, "", "", a, b, "", ("", ""), "", 0, 0, "", "", "")
    return Built(row, "not in the plan")


def _ends(ports: Sequence[Plugged], where: Places) -> tuple[End, End]:
    """Return the ends in two ports, with new labels."""
    names = [_name(port, where) for port in ports]
    a, b = (_end(port, where, f"{names[side]}/{names[1 - side]}") for side, port in enumerate(ports))
    return a, b


def _end(port: Plugged, where: Places, label: str) -> End:
    planned = where.ends.get(port)
    role = planned[0].ends[planned[1]].role if planned else where.role(port.device)
    return End(
        port.device, port.port, where.printed(*port), where.cabinet(port.device), where.unit(port.device) or 0, label, role
    )


def _name(port: Plugged, where: Places) -> str:
    """Return what labels call a port: as the plan's labels do, or else cabinet, unit and port."""
    planned = where.ends.get(port)
    if planned is not None:
        row, side = planned
        for own, far in _halves(row.ends[side].label):
            if row.ends[1 - side].label == f"{far}/{own}":
                return own
    return f"{where.cabinet(port.device)}-{where.unit(port.device) or 0:02d}:{where.printed(*port).zfill(2)}"


def _halves(label: str) -> Iterator[tuple[str, str]]:
    """Yield the two parts of a label at each slash: port names may contain one."""
    for place, letter in enumerate(label):
        if letter == "/":
            yield label[:place], label[place + 1 :]
