"""Moves of a verification as work cards: what a crew does at which port, as plain values for phones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from planner.fabric.verify.outputs.content.findings import ordered
from planner.fabric.verify.outputs.content.places import Places, places
from planner.fabric.verify.result import Plugged, Verification


def worklist(verification: Verification) -> list[dict[str, Any]]:
    """Return the cards in the order of work: cables to remove, plugs to move, cables to add or to revive."""
    where = places(verification)
    return [*_removals(verification, where), *_moves(verification, where), *_additions(verification, where)]


def _removals(verification: Verification, where: Places) -> Iterator[dict[str, Any]]:
    for number, each in enumerate(verification.removals, 1):
        ends = [where.full(Plugged(*end)) for end in each.ports]
        yield {"card": f"R{number}", "kind": "remove", "cable": each.cable, "crew": 0, "ends": ends}


def _moves(verification: Verification, where: Places) -> Iterator[dict[str, Any]]:
    for each in ordered(verification.moves):
        yield {
            "card": str(each.order), "kind": "move", "cable": each.cable, "end": each.end.lower(), "crew": each.crew,
            "cabinet": where.cabinet(each.device), "unit": where.unit_text(each.device), "device": each.device,
            "from_port": where.printed(each.device, each.from_port), "to_device": each.to_device,
            "to_cabinet": where.cabinet(each.to_device), "to_unit": where.unit_text(each.to_device),
            "to_port": where.printed(each.to_device, each.to_port), "to_number": each.to_port, "label": each.label,
            "hold": each.hold, "certainty": each.certainty, "otherwise": each.else_, "component": each.component,
        }  # fmt: skip


def _additions(verification: Verification, where: Places) -> Iterator[dict[str, Any]]:
    for number, each in enumerate(verification.additions, 1):
        ends = [where.full(Plugged(*end)) for end in each.ports]
        yield {"card": f"P{number}", "kind": each.what, "cable": each.cable, "crew": 0, "ends": ends}
