"""Verifications made by hand from fabrics with known errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from planner.fabric.verify.result import (
    Addition,
    Finding,
    Identified,
    Identity,
    Joined,
    Move,
    PartReading,
    Plugged,
    Removal,
    Verification,
)
from planner.view import schedule

DATA = Path(__file__).parents[1] / "data" / "verify"
SCHEDULE = DATA / "plan-slimfly-200.csv"


def answer(name: str) -> dict[str, Any]:
    """Return the key of a discovered fabric."""
    return json.loads((DATA / name / "answer.json").read_text(encoding="utf-8"))


_ERRORS = {
    "swap_local": "swapped pair", "swap_cabinet": "swapped pair", "swap_hosts": "exchanged hosts", "cycle3": "cycle",
    "missing": "missing", "half": "half plugged", "dead": "dead", "free_port": "wrong port, free", "shift": "shifted block",
    "extra": "extra", "slow": "slow", "wrong_part": "wrong part", "device_swap": "exchanged devices",
}  # fmt: skip


_CYCLES = ("swap_local", "swap_cabinet", "cycle3", "swap_hosts")


def verification(name: str = "sf-mixed") -> Verification:
    """Return what a correct verification of a fabric finds, from its key."""
    key, rows = answer(name), schedule.read(SCHEDULE)
    by_number = {row.number: row for row in rows}
    component = {cable: error["id"] for error in key["errors"] for cable in error["cables"]}
    kind = {error["id"]: error["kind"] for error in key["errors"]}
    moves = []
    for plug in sorted(key["misplaced_plugs"], key=lambda plug: (component[plug["cable"]], -plug["is_in"][1])):
        number = component[plug["cable"]]
        first = number not in {move.component for move in moves}
        moves.append(
            Move(
                len(moves) + 1, *plug["is_in"], *plug["should_be"], plug["cable"], plug["end"].lower(), plug["label"],
                "do not move: scan the label", number, first and kind[number] in _CYCLES,
                "certain", 1,
            )
        )  # fmt: skip
    dark = [_joined(link) for link in key["dark"]]
    numbers = {joined: row.number for row in rows for joined in [_of_row(row)]}
    extra = [_joined(error["ports"]) for error in key["errors"] if error["kind"] == "extra"]
    findings = [
        Finding(
            _ERRORS[error["kind"]],
            f"{_ERRORS[error['kind']]} of {', '.join(map(str, error['cables'] or error.get('devices') or ['no cable']))}",
            tuple(Plugged(end.device, end.port) for cable in error["cables"] for end in by_number[cable].ends),
            tuple(error["cables"]),
            tuple(move.order for move in moves if move.component == error["id"]),
        )
        for error in key["errors"]
    ]
    identity = Identity({guid: Identified(guid, device, 1.0, "links") for guid, device in key["identity"].items()})
    parts = [
        PartReading(
            int(cable),
            part["planned"],
            part["stock_mm"],
            (part["eeprom_pn"],) * 2,
            ("", ""),
            (part["eeprom_m"],) * 2,
            "wrong part",
        )
        for cable, part in key["part_of_cable"].items()
    ]
    return Verification(
        rows, key["found"], key["right"], [_joined(link) for link in key["wrong"]], dark, [], moves,
        [Removal(link) for link in extra], [Addition(numbers[link], link, "missing") for link in dark], findings, identity, parts,
    )  # fmt: skip


def _joined(link: list) -> Joined:
    first, second = sorted(Plugged(*end) for end in link)
    return first, second


def _of_row(row: schedule.Connection) -> Joined:
    first, second = sorted(Plugged(end.device, end.port) for end in row.ends)
    return first, second
