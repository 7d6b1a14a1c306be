"""A verification as plain values, with the keys on which other programs rely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from planner.fabric.verify.outputs.content.places import Places, places
from planner.fabric.verify.result import Joined, Move, Plugged, Verification

KEYS = (
    "planned", "found", "right", "wrong", "dark", "unknown", "min_plug_moves", "cables_to_remove", "cables_to_add_or_revive",
    "moves", "findings", "identity", "renamed", "ambiguous", "parts", "notes",
)  # fmt: skip
"""Keys of the JSON, in their order."""


def content(verification: Verification) -> dict[str, Any]:
    """Return counts, links, moves, findings and identities as plain values; equal verifications give equal values.

    Ports are those of the plan, but for nodes with a single planned cable: as in discovery files these have port 1, whatever its
    number on the box that several of them share.
    """
    where, adapter = places(verification), Adapters(verification)
    identity = verification.identity
    values = (
        len(verification.planned),
        verification.found,
        verification.right,
        links(verification.wrong, verification, adapter),
        links(verification.dark, verification, adapter),
        links(verification.unknown, verification, adapter),
        len(verification.moves),
        len(verification.removals),
        len(verification.additions),
        [_move(move, where, adapter) for move in ordered(verification.moves)],
        [
            {
                "kind": finding.kind,
                "text": finding.text,
                "ports": [adapter.end(port) for port in finding.ports],
                "cables": list(finding.cables),
                "moves": list(finding.moves),
            }
            for finding in verification.findings
        ],
        {key: one.device for key, one in sorted(identity.of.items())},
        [{"key": key, "name": name, "device": device} for key, name, device in sorted(identity.renamed)],
        sorted([list(group) for group in identity.ambiguous]),
        [
            {
                "cable": part.cable,
                "planned": part.planned,
                "planned_mm": part.planned_mm,
                "read": list(part.read),
                "serials": list(part.serials),
                "length_m": list(part.length_m),
                "verdict": part.verdict,
            }
            for part in sorted(verification.parts, key=lambda part: part.cable)
        ],
        list(verification.notes),
    )
    return dict(zip(KEYS, values, strict=True))


class Adapters:
    """Ports as discovery files count them."""

    def __init__(self, verification: Verification):
        rows = verification.planned
        used = Counter(end.device for row in rows for end in row.ends)
        first = {row.a.device for row in rows}
        self._single = {row.b.device for row in rows if row.b.device not in first and used[row.b.device] == 1}

    def port(self, device: str, port: int) -> int:
        return 1 if device in self._single else port

    def end(self, port: Plugged) -> list[str | int]:
        return [port[0], self.port(*port)]


def links(joined: Iterable[Joined], verification: Verification, adapter: Adapters) -> list[list[list[str | int]]]:
    """Return links as sorted lists, each from end a to end b of the cable that it is, or is believed to be."""
    second = {Plugged(row.b.device, row.b.port) for row in verification.planned}
    for move in verification.moves:
        plug = Plugged(move.device, move.from_port)
        (second.add if move.end.lower() == "b" else second.discard)(plug)
    moved = {Plugged(move.device, move.from_port) for move in verification.moves}
    oriented = []
    for link in joined:
        # A plug that moves states its end; where none does, both are as planned.
        known = [end for end in link if Plugged(*end) in moved] or list(link)
        turned = (Plugged(*known[0]) in second) == (known[0] == link[0])
        oriented.append([adapter.end(Plugged(*end)) for end in (link[::-1] if turned else link)])
    return sorted(oriented)


def ordered(moves: Iterable[Move]) -> list[Move]:
    """Return moves in the order of work."""
    return sorted(moves, key=lambda move: move.order)


def _move(move: Move, where: Places, adapter: Adapters) -> dict[str, Any]:
    return {
        "order": move.order,
        "device": move.device,
        "cabinet": where.cabinet(move.device),
        "unit": where.unit(move.device),
        "from_port": adapter.port(move.device, move.from_port),
        "to_device": move.to_device,
        "to_port": adapter.port(move.to_device, move.to_port),
        "label": move.label,
        "cable": move.cable,
        "end": move.end,
        "component": move.component,
        "hold": move.hold,
        "certainty": move.certainty,
        "else": move.else_,
        "crew": move.crew,
    }
