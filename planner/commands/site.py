"""Follow the installation of a plan: status, exports, imports and backups of the journal of the crews."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from planner.commands import SUCCESS, VIOLATIONS, add_own_code, positive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from planner.fabric.baseline import Planned
    from planner.install.site.board import Board
    from planner.install.site.journal import Journal, Receipt
    from planner.install.site.rescue import Rescued

ACTIONS = ("status", "export", "import", "backup", "restore")
_EXPORTS = ("as_built", "workbook", "netbox", "netbox_devices", "journal", "statistics", "remaining")

INTERRUPTED = "no file is half-written; run the same command again"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("action", choices=ACTIONS, help="what to do")
    parser.add_argument("plan", help="folder of the plan, or its cable schedule as CSV or workbook")
    words = "import: journals (.jsonl, .db), filled-in workbooks, or discovery files, which are verified; restore: a copy"
    parser.add_argument("files", nargs="*", metavar="FILE", help=words)
    parser.add_argument("--db", metavar="FILE", help="the journal (default: site.db in the folder of the plan)")
    parser.add_argument("--rebuild", action="store_true", help="status: fold all events again first")
    parser.add_argument("--as-built", metavar="CSV", help="export: cable schedule as built, as planner verify writes it")
    parser.add_argument("--workbook", metavar="XLSX", help="export: workbook with the columns of the crew filled in")
    parser.add_argument("--netbox", metavar="CSV", help="export: cables that are connected now, for NetBox")
    words = "export: cables as NetBox exports them, with columns id and label; --netbox then updates them"
    parser.add_argument("--netbox-ids", metavar="CSV", help=words)
    words = "export: devices with their serial numbers and asset tags, for NetBox"
    parser.add_argument("--netbox-devices", metavar="CSV", help=words)
    words = "export: devices as NetBox exports them, with columns id and name; --netbox-devices then updates them"
    parser.add_argument("--netbox-device-ids", metavar="CSV", help=words)
    parser.add_argument("--journal", metavar="FILE", help="export: all events, as JSON lines (.jsonl) or CSV (.csv)")
    parser.add_argument("--statistics", metavar="CSV", help="export: figures of miswires")
    parser.add_argument("--remaining", metavar="CSV", help="export: cables that are left, in the order of work")
    parser.add_argument("--crew", metavar="NAME", default="", help="import: crew of workbook rows that name none")
    parser.add_argument("--to", metavar="FOLDER", help="backup: folder of the copies (default: backups next to the journal)")
    parser.add_argument("--keep", type=positive, default=24, metavar="N", help="backup: number of copies to keep (default: 24)")
    add_own_code(parser)
    parser.add_argument("--every", type=positive, metavar="MINUTES", help="backup: go on until Ctrl-C, when something is new")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.fabric import baseline
    from planner.install.site.board import Board
    from planner.install.site.cables import Site
    from planner.install.site.journal import Journal

    _check(arguments)
    path = Path(arguments.plan)
    plan = baseline.read(path)
    site = Site.of(plan)
    database = Path(arguments.db) if arguments.db else baseline.journal_of(path)
    if arguments.action == "restore":
        return _restore(arguments, database)
    with Journal(database, make=arguments.action == "import") as journal:
        if arguments.action == "backup":
            return _backup(arguments, journal)
        if arguments.rebuild:
            journal.rebuild()
        board = Board(journal, site)
        if arguments.action == "export":
            return _export(arguments, board, plan)
        return _import(arguments, board, path) if arguments.action == "import" else _status(board)


def _check(arguments: argparse.Namespace) -> None:
    """Refuse options of other actions.

    Raises
    ------
    InputError
        With all of them.
    """
    from planner.core.errors import InputError, Problem

    action_of = dict.fromkeys((*_EXPORTS, "netbox_ids", "netbox_device_ids"), "export") | {
        "crew": "import", "to": "backup", "every": "backup", "rebuild": "status"
    }  # fmt: skip
    problems = [
        Problem(f"--{name.replace('_', '-')}", f"belongs to {action}", "leave it out")
        for name, action in action_of.items()
        if getattr(arguments, name) and action != arguments.action
    ]
    if arguments.files and arguments.action not in ("import", "restore"):
        problems.append(Problem("files", "belongs to import and restore", "leave it out"))
    if arguments.action == "import" and not arguments.files:
        problems.append(Problem("FILE", "is missing", "name the files to import"))
    if arguments.action == "restore" and len(arguments.files) != 1:
        problems.append(Problem("FILE", f"is given {len(arguments.files)} times", "name one copy of the journal"))
    if arguments.action == "export" and not any(getattr(arguments, name) for name in _EXPORTS):
        wanted = ", ".join(f"--{name.replace('_', '-')}" for name in _EXPORTS)
        problems.append(Problem("export", "names no file to write", f"give {wanted}"))
    for ids, changes in (("netbox_ids", "netbox"), ("netbox_device_ids", "netbox_devices")):
        if getattr(arguments, ids) and not getattr(arguments, changes):
            names = [f"--{each.replace('_', '-')}" for each in (ids, changes)]
            problems.append(Problem(names[0], f"belongs to {names[1]}", "give both"))
    if arguments.journal and Path(arguments.journal).suffix.lower() not in (".jsonl", ".csv"):
        problems.append(Problem("--journal", f"{arguments.journal!r} has another ending", "write to .jsonl or .csv"))
    if problems:
        raise InputError(problems)


def _status(board: Board) -> int:
    from planner.install.site.terminal import lines

    print("\n".join(lines(board)))
    return VIOLATIONS if any(status.wrong for status in board.statuses.values()) else SUCCESS


def _export(arguments: argparse.Namespace, board: Board, plan: Planned) -> int:
    from planner.core.errors import InputError, Problem
    from planner.install.site import book, built, files, miswires, netbox, terminal

    whole = [name for name in ("workbook", "netbox", "netbox_devices") if getattr(arguments, name)]
    if whole and plan.plan is None:
        option = f"--{whole[0].replace('_', '-')}"
        raise InputError(Problem(option, "needs more than the cable schedule", "give the folder of the plan", arguments.plan))
    if arguments.as_built:
        left_out = built.write_as_built(board, Path(arguments.as_built))
        _wrote(arguments.as_built, _without(left_out, "another cable is in one of their ports"))
    if arguments.workbook:
        assert plan.plan is not None
        book.write_workbook(board, plan.plan, Path(arguments.workbook))
        _wrote(arguments.workbook)
    if arguments.netbox:
        assert plan.plan is not None
        ids = Path(arguments.netbox_ids) if arguments.netbox_ids else None
        count, left_out = netbox.write_changes(board, plan.plan, Path(arguments.netbox), ids=ids)
        _wrote(arguments.netbox, f"{count:,} connected cables{_without(left_out, 'in other ports, or without an id')}")
    if arguments.netbox_devices:
        assert plan.plan is not None
        ids = Path(arguments.netbox_device_ids) if arguments.netbox_device_ids else None
        count, names = netbox.write_device_changes(board, plan.plan, Path(arguments.netbox_devices), ids=ids)
        _wrote(arguments.netbox_devices, f"{count:,} devices{_without(names, 'without an id')}")
    if arguments.journal:
        write = files.write_lines if arguments.journal.lower().endswith(".jsonl") else files.write_csv
        _wrote(arguments.journal, f"{write(board.journal, Path(arguments.journal)):,} events")
    if arguments.statistics:
        miswires.write_statistics(board, Path(arguments.statistics))
        _wrote(arguments.statistics)
    if arguments.remaining:
        _wrote(arguments.remaining, f"{terminal.write_remaining(board, Path(arguments.remaining)):,} cables left")
    return SUCCESS


def _without(left_out: Sequence[int | str], why: str) -> str:
    shown = ", ".join(map(str, left_out[:10])) + (f" and {len(left_out) - 10:,} more" if len(left_out) > 10 else "")
    return f", without {shown}: {why}" if left_out else ""


def _wrote(path: str, about: str = "") -> None:
    print(f"wrote {path}{': ' if about and not about.startswith(',') else ''}{about}")


def _import(arguments: argparse.Namespace, board: Board, plan: Path) -> int:
    from planner.install.site import book, files, rescue

    scans: list[Path] = []
    refused = False
    for file in map(Path, arguments.files):
        if file.suffix.lower() == ".db":
            refused |= _rescued(file, rescue.read_journal(board.journal, file))
            continue
        if file.suffix.lower() not in (".jsonl", ".xlsx"):
            scans.append(file)
            continue
        lines = file.suffix.lower() == ".jsonl"
        receipt = files.read_lines(board.journal, file) if lines else book.read_workbook(board, file, crew=arguments.crew)
        refused |= _received(str(file), receipt)
    if scans:
        refused |= _received(", ".join(map(str, scans)), _scan(board, plan, scans))
    return VIOLATIONS if refused else SUCCESS


def _scan(board: Board, plan: Path, scans: list[Path]) -> Receipt:
    from planner.fabric.verify import verified
    from planner.install.site.scan import record_scan

    found = verified(plan, scans)
    files = [each for scan in scans for each in (sorted(scan.rglob("*")) if scan.is_dir() else [scan]) if each.is_file()]
    return record_scan(board, found, b"".join(file.read_bytes() for file in files))


def _received(name: str, receipt: Receipt) -> bool:
    """Print what became of a file; return whether anything was refused."""
    print(f"{name}: {receipt.new:,} new events, {receipt.known:,} known")
    for each in receipt.refused[:20]:
        print(f"  refused {each.id}: {each.reason}")
    if len(receipt.refused) > 20:
        print(f"  and {len(receipt.refused) - 20:,} more")
    return bool(receipt.refused)


def _rescued(file: Path, found: Rescued) -> bool:
    """Print what became of another journal; return whether anything is lost or refused."""
    refused = _received(str(file), found.receipt)
    if found.photos or found.lost:
        print(f"  {found.photos:,} photos; {found.lost:,} rows cannot be read, or are not sound")
    return refused or found.lost > 0


def _backup(arguments: argparse.Namespace, journal: Journal) -> int:
    from planner.install.site.backup import backup, is_due

    folder = Path(arguments.to) if arguments.to else journal.path.parent / "backups"
    print(f"wrote {backup(journal, folder, keep=arguments.keep)}", flush=True)
    while arguments.every:
        time.sleep(min(60 * arguments.every, 30))
        if is_due(journal, folder, 60 * arguments.every):
            print(f"wrote {backup(journal, folder, keep=arguments.keep)}", flush=True)
    return SUCCESS


def _restore(arguments: argparse.Namespace, database: Path) -> int:
    from planner.install.site.backup import restore
    from planner.install.site.journal import Journal

    before = restore(Path(arguments.files[0]), database)
    with Journal(database, make=False) as journal:
        print(f"restored {database}: {journal.query('SELECT count(*) FROM event')[0][0]:,} events")
    if before is not None:
        print(f"the journal before is {before}; planner site import {arguments.plan} {before} brings back what the copy lacks")
    return SUCCESS
