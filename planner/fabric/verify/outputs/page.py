"""The web page of the plan with the fabric as found: states of cables, links that the plan lacks, moves and findings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from planner.domain.model import Plan
from planner.fabric.verify.outputs.content.findings import ordered
from planner.fabric.verify.outputs.content.places import Places, places
from planner.fabric.verify.outputs.terminal import facts
from planner.fabric.verify.result import KINDS, Finding, Joined, Move, Plugged, Verification
from planner.formats import html
from planner.formats.web.columns import packed
from planner.view.names import device_names

FILE = "verification.html"
PLACED = True
PACKAGES = ("bokeh",)

STATES = ("right", "not compared", "unknown", "dark", "wrong")
"""States of planned cables, in the order in which they are drawn."""

_RIGHT, _APART, _UNKNOWN, _DARK, _WRONG = range(len(STATES))


def write(verification: Verification, plan: Plan, path: Path) -> None:
    """Write the page."""
    made = _Page(verification, plan).content()
    path.write_text(html.page(plan, {"verification": made}), encoding="utf-8", newline="\n")


@dataclass(frozen=True)
class _Page:
    verification: Verification
    plan: Plan

    def content(self) -> dict[str, Any]:
        """Return the data of the layer: cables, devices and cabinets by their numbers in the plan, -1 for none."""
        found = self.verification
        return {
            "states": list(STATES),
            "state": packed(self._states()),
            "links": [self._link(link) for link in sorted(found.wrong)],
            "moves": [self._move(move) for move in ordered(found.moves)],
            "findings": [self._finding(finding) for finding in found.findings],
            "facts": [list(fact) for fact in facts(found)],
        }

    def _states(self) -> np.ndarray:
        """Return the state of each cable; a cable is wrong if another link uses one of its ports."""
        states = np.full(self._cables, _APART, np.int64)
        ends = self._where.ends
        for row in self.verification.planned:
            if row.number <= self._cables:
                states[row.number - 1] = _RIGHT
        groups: Iterable[tuple[int, Iterable[Joined]]] = (
            (_UNKNOWN, self.verification.unknown),
            (_DARK, self.verification.dark),
            (_WRONG, self.verification.wrong),
        )
        for state, links in groups:
            for port in (Plugged(*end) for link in links for end in link):
                planned = ends.get(self._where.planned(port))
                if planned is not None and planned[0].number <= self._cables:
                    states[planned[0].number - 1] = state
        return states

    def _link(self, link: Joined) -> dict[str, Any]:
        a, b = (self._cabinet(end[0]) for end in link)
        return {"a": a, "b": b, "text": self._where.ends_text(link)}

    def _move(self, move: Move) -> dict[str, Any]:
        where = self._where
        return {
            "order": move.order, "crew": move.crew, "device": self._device(move.device), "device_name": move.device,
            "cabinet": self._cabinet(move.device), "unit": where.unit_text(move.device), "from_port": move.from_port,
            "from": where.printed(move.device, move.from_port), "to_device": self._device(move.to_device),
            "to_name": move.to_device, "to_cabinet": self._cabinet(move.to_device), "to_port": move.to_port,
            "to": where.printed(move.to_device, move.to_port), "label": move.label, "cable": self._cable(move.cable),
            "end": move.end, "hold": move.hold, "certainty": move.certainty, "otherwise": move.else_,
        }  # fmt: skip

    def _finding(self, finding: Finding) -> dict[str, Any]:
        cables = [number for cable in finding.cables if (number := self._cable(cable)) >= 0]
        cabinets = {cabinet for port in finding.ports if (cabinet := self._cabinet(port.device)) >= 0}
        rank = list(KINDS).index(finding.kind) if finding.kind in KINDS else len(KINDS)
        return {
            "kind": finding.kind, "rank": rank, "text": finding.text, "cables": cables, "cabinets": sorted(cabinets),
            "moves": list(finding.moves),
        }  # fmt: skip

    def _cable(self, number: int) -> int:
        return number - 1 if 0 < number <= self._cables else -1

    def _device(self, name: str) -> int:
        return self._devices.get(name, -1)

    def _cabinet(self, device: str) -> int:
        number = self._device(device)
        return -1 if number < 0 else int(self.plan.placement.cabinet[number])

    @property
    def _cables(self) -> int:
        return int(self.plan.cables.cable_count)

    @cached_property
    def _where(self) -> Places:
        return places(self.verification)

    @cached_property
    def _devices(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(device_names(self.plan))}
