"""NetBox' tables of cables and cable bundles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from planner.formats.dcim.export import Export
from planner.formats.dcim.interfaces import Interfaces
from planner.formats.dcim.panels import PanelTables
from planner.formats.dcim.types import cable_type
from planner.view.ends import Cable, End, cables, fitted, pieces

BUNDLE = ("name", "description")
_CABLE = (
    "side_a_site", "side_a_device", "side_a_type", "side_a_name", "side_b_site", "side_b_device", "side_b_type", "side_b_name",
    "type", "status", "profile", "bundle", "label", "length", "length_unit", "description", "comments",
)  # fmt: skip

_PROFILES = {1: "single-1c1p", 2: "trunk-2c1p", 4: "trunk-4c1p"}
"""Profiles by number of links: one connector with a position for each."""

_POSITIONS = (1, 2, 4, 6, 8, 12, 16)
"""Positions of one connector for which there is a profile; cables of others have none."""


@dataclass(frozen=True)
class Cables:
    """Cables of an export, a row for each link or for each cable; without bundles where the version does not know them."""

    export: Export
    interfaces: Interfaces
    panels: PanelTables | None

    @property
    def columns(self) -> Sequence[str]:
        return self._kept(_CABLE)

    def _kept(self, row: Sequence[Any]) -> Sequence[Any]:
        place = _CABLE.index("bundle")
        return row if self.export.groups else (*row[:place], *row[place + 1 :])

    def _bundle(self, number: int | None) -> str:
        """Return the name of a bundle, with that of the plan: bundles of all plans are in one list."""
        return "" if number is None else f"{self.export.plan.name[:90]} B{number:05d}"

    def bundles(self) -> Iterator[Sequence[Any]]:
        made = self.export.plan.cables
        count = np.bincount(made.bundle[made.bundle >= 0], minlength=len(made.bundle_kind))
        for number, (kind, links, run_mm) in enumerate(
            zip(made.bundle_kind.tolist(), count.tolist(), made.bundle_run_mm.tolist(), strict=True)
        ):
            part = made.bundle_part[number]
            bought = f", {made.bundle_parts[part]}" if part >= 0 else ""
            yield self._bundle(number + 1), f"{made.bundle_kinds[kind]}, {links} links, {run_mm / 1000:g} m{bought}"[:200]

    def rows(self) -> Iterator[Sequence[Any]]:
        total = np.bincount(self.export.plan.cables.piece).tolist()
        seen: defaultdict[int, int] = defaultdict(int)
        for cable in cables(self.export.plan, self.export.selection):
            if self._over_panels[cable.number - 1]:
                continue
            lanes = total[cable.piece - 1]
            seen[cable.piece] += 1
            about = f"link {seen[cable.piece]} of {lanes} of one cable; " if lanes > 1 else ""
            yield self._kept(self._cable([cable], about))
        yield from self._of_panels()

    def whole(self) -> Iterator[Sequence[Any]]:
        for rows in pieces(self.export.plan, self.export.selection):
            if not self._over_panels[rows[0].number - 1]:
                yield self._kept(self._cable(rows, f"{len(rows)} links; " if len(rows) > 1 else ""))
        yield from self._of_panels()

    @cached_property
    def _over_panels(self) -> np.ndarray:
        """Rows that are written as jumpers and trunks, bool (W,)."""
        made = self.export.plan.cables
        return made.carried if self.panels is not None else np.zeros(made.cable_count, bool)

    def _of_panels(self) -> Iterator[Sequence[Any]]:
        """Yield a row for each plug of a trunk, since NetBox' import takes one end on each side, and one for each jumper."""
        if self.panels is None:
            return
        status = "connected" if self.export.built else "planned"
        chosen = self.export.selection.cables(self.export.plan)
        for *ends, kind, positions, bundle, label, stock_mm, about, comments in self.panels.cables(chosen):
            length = f"{-(-stock_mm // 10) / 100:g}"
            profile = f"single-1c{positions}p" if positions in _POSITIONS else ""
            row = (*ends, kind, status, profile, self._bundle(bundle), label, length, "m", about[:200], comments)
            yield self._kept(row)

    def _cable(self, rows: list[Cable], about: str) -> tuple:
        first = rows[0]
        a, b = (self._side([getattr(row, side) for row in rows]) for side in "ab")
        far = ", ".join(dict.fromkeys(row.b.label for row in rows))
        route = f"; trays {' > '.join(first.trays)}" if first.trays else ""
        comments = f"cable {first.piece}; {about}label A: {first.a.label}; label B: {far}{route}"
        if not self.export.groups and first.bundle is not None:
            comments += f"; bundle {self._bundle(first.bundle)}"
        description = f"{first.assembly.length_part}, {about}far end {far}"
        length = -(-max(row.stock_mm for row in rows) // 10) / 100
        return (
            *a, *b, cable_type(first.assembly), "connected" if self.export.built else "planned", _PROFILES.get(len(rows), ""),
            self._bundle(first.bundle), self.labels[first.a.label], f"{length:g}", "m", description[:200], comments,
        )  # fmt: skip

    @cached_property
    def labels(self) -> dict[str, str]:
        return fitted(self.export.plan.cables.label_a.tolist(), 100)

    def _side(self, ends: list[End]) -> tuple[str, str, str, str]:
        devices = [self.export.box_of[end.device] for end in ends]
        names = [self.interfaces.name(end.device, end.port) for end in ends]
        device = devices[0] if len(set(devices)) == 1 else ",".join(devices)
        return self.export.site, device, "dcim.interface", ",".join(names)
