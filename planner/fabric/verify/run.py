"""Verification of a fabric, from files to findings and moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from planner.core.errors import InputError, Problem, suggestion
from planner.core.progress import Progress, silent
from planner.fabric import baseline
from planner.fabric.baseline import Planned
from planner.fabric.verify import given, readers
from planner.fabric.verify.compare import Difference, compared
from planner.fabric.verify.found import Fabric
from planner.fabric.verify.identify import identify, located, planned_ports
from planner.fabric.verify.normal import fabric
from planner.fabric.verify.parts import Limits, examined, rows_of
from planner.fabric.verify.repair import repaired
from planner.fabric.verify.result import Finding, Identity, Source, Verification
from planner.formats import WHOLE, Selection

_NAMED = 10
"""Maximum number of devices in one sentence."""


def verified(
    plan: Path | str | Planned,
    files: Sequence[Path | str],
    *,
    names: Path | str | None = None,
    anchors: Path | str | None = None,
    strict: bool = False,
    crews: int = 1,
    limits: Limits | None = None,
    selection: Selection = WHOLE,
    progress: Progress = silent,
) -> Verification:
    """Compare a fabric with a plan, and return what differs and the minimum plug moves that mend it.

    Parameters
    ----------
    plan
        Folder of the plan, or its cable schedule as CSV or workbook; or the plan as `planner.fabric.baseline.read` returns it.
    files
        Discovery files, folders of them, or archives; formats are recognized by content. Several files are merged.
    names, anchors
        Names of GUIDs, and devices that were scanned at the racks; see `planner.fabric.verify.given`.
    strict
        Whether cables exchanged between parallel links are wrong.
    crews
        Number of crews that share the moves.
    limits
        Limits of light and bit errors; by default those of the catalog.
    selection
        Part of the plan, as in reports.

    Raises
    ------
    InputError
        With all problems of the plan, of the files, and of the selection.
    """
    own = plan if isinstance(plan, Planned) else baseline.read(Path(plan))
    chosen = own.chosen(selection)
    called = given.names(Path(names)) if names is not None else {}
    scanned = given.anchors(Path(anchors)) if anchors is not None else {}
    _require_planned(scanned.values(), own, str(anchors))
    progress("read", 0, 0)
    scans = given.renamed(readers.read([Path(file) for file in files]), called)
    if not any(reading.far for scan in scans for reading in scan.readings):
        raise InputError(Problem("", "states no link", "give a file that lists links or neighbors", str(files[0])))
    network = selection.network
    found = fabric(scans, [row for row in own.rows if network in (None, row.network)])
    identity = identify(found, own.rows, anchors=scanned, progress=progress)
    there = located(found, identity, own.rows)
    ports = planned_ports(found, identity, own.rows)
    plugs = examined(found, identity, own.rows, rows_of(own.plan), limits=limits, port_of=ports.of)
    difference = compared(own.rows, there, chosen=chosen, strict=strict)
    repair = repaired(difference, own.rows, plugs.evidence, crews=crews)
    rows = [row for row in own.rows if chosen is None or row.number in chosen]
    findings = [
        *_of_doubts(identity),
        *_of_names(found, identity),
        *_of_devices(identity),
        *repair.findings,
        *_of_plugs(plugs.findings, chosen),
        *_of_files(found),
    ]
    return Verification(
        planned=rows,
        found=len(difference.right) + len(difference.wrong),
        right=len(difference.right),
        wrong=difference.wrong,
        dark=difference.dark,
        unknown=difference.unknown,
        moves=repair.moves,
        removals=repair.removals,
        additions=repair.additions,
        findings=findings,
        identity=identity,
        parts=[part for part in plugs.readings if chosen is None or part.cable in chosen],
        notes=[
            *identity.doubts,
            *_unscanned(difference),
            *_assumed(difference),
            *identity.notes,
            *found.notes,
            *plugs.notes,
            *repair.suggestions,
            *repair.notes,
        ],
        errors=plugs.errors,
        sources=[Source(scan.file, scan.format, scan.taken) for scan in scans],
    )


def _require_planned(devices: Iterable[str], own: Planned, file: str) -> None:
    """Raise InputError with the scanned devices that the plan lacks."""
    known = {end.device for row in own.rows for end in row.ends}
    problems = [
        Problem("device", f"{device!r} is not a device of the plan", suggestion(device, known), file)
        for device in dict.fromkeys(devices)
        if device not in known
    ]
    if problems:
        raise InputError(problems)


def _of_doubts(identity: Identity) -> Iterator[Finding]:
    for text in identity.doubts:
        yield Finding("doubtful", f"{text[:1].upper()}{text[1:]}.")


def _of_names(found: Fabric, identity: Identity) -> Iterator[Finding]:
    """Yield names that several devices have, with the planned devices in whose places these are."""
    for name, keys in found.doubled.items():
        places = sorted(identity.of[key].device for key in keys if key in identity.of)
        where = f", in the places of {_listed(places)}" if len(places) > 1 else ""
        yield Finding("same name", f"{len(keys):,} devices are called {name}{where}: give each its own name.")


def _of_devices(identity: Identity) -> Iterator[Finding]:
    """Yield devices in each other's places and devices with other names, before any cable is blamed."""
    place = {name: device for _, name, device in identity.renamed}
    left = dict(place)
    for first in place:
        cycle = [first]
        while (name := left.pop(cycle[-1], None)) is not None and name in place and name != first:
            cycle.append(name)
        if name == first and len(cycle) > 1:
            text = f"{_listed(cycle)} are in each other's places: rename them, or exchange the devices."
            yield Finding("exchanged devices", text)
            place = {name: device for name, device in place.items() if name not in cycle}
    for name, device in place.items():
        yield Finding("renamed device", f"The device called {name} is in the place of {device}: rename it.")
    for key in identity.unknown:
        yield Finding("unknown device", f"{key} is not a device of the plan.")


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:_NAMED]) + ([f"{len(names) - _NAMED} others"] if len(names) > _NAMED else [])
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def _of_plugs(findings: Sequence[Finding], chosen: set[int] | None) -> Iterator[Finding]:
    yield from (each for each in findings if chosen is None or not chosen.isdisjoint(each.cables))


def _of_files(found: Fabric) -> Iterator[Finding]:
    for each in found.contradictions:
        yield Finding("stale" if each.kind == "stale" else "contradiction", each.text)


def _assumed(difference: Difference) -> Iterator[str]:
    if count := difference.located.assumed:
        yield f"{count:,} links are compared by their devices only: no file states the port at one of their ends"


def _unscanned(difference: Difference) -> Iterator[str]:
    blind = difference.located.unscanned
    count = sum(not blind.isdisjoint({port.device for port in link}) for link in difference.unknown)
    if count:
        yield f"the files list no node: {count:,} links to nodes are unknown"
