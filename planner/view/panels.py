"""Panels in words: sockets, fibers, and what is plugged in at both ends of trunks and jumpers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from planner.core.units import stock
from planner.domain.model import PANEL_KINDS, PanelPlan, Plan
from planner.view.names import cabinet_names, end_names, printed_ports


@dataclass(frozen=True)
class PanelTexts:
    """Texts of the panels of a plan, which has some. Ends of rows are in the order of rows, first ends first: (2N,)."""

    plan: Plan

    @property
    def panels(self) -> PanelPlan:
        return self.plan.panels

    @classmethod
    def of(cls, plan: Plan) -> PanelTexts | None:
        """Return the texts of a plan; None without panels."""
        return cls(plan) if plan.panels is not None and plan.cables is not None and len(plan.panels.row) else None

    @cached_property
    def fronts(self) -> list[str]:
        """Port of each jumper at the front of its panel: ``PP-B07-01:2/3``."""
        return self.panels.ports()

    @cached_property
    def rears(self) -> tuple[list[str], list[str]]:
        """Rear socket of each trunk plug at both ends: ``PP-B07-01:2/R1``."""
        return self.panels.rears(0), self.panels.rears(1)

    @cached_property
    def device_ends(self) -> tuple[list[str], list[str]]:
        """Device ends of all rows of the cable plan: cabinet, unit, device and port."""
        return end_names(self.plan, 0), end_names(self.plan, 1)

    @cached_property
    def jumper_labels(self) -> list[tuple[str, str]]:
        """Label texts of each jumper at its device and at its panel: near end, then far end."""
        row, side = self.panels.end_of_jumper()
        cables, cabinets = self.plan.cables, cabinet_names(self.plan)
        places = zip(cables.cabinet[row, side].tolist(), cables.unit[row, side].tolist(), strict=True)
        ports = [printed_ports(self.plan, 0), printed_ports(self.plan, 1)]
        near = [
            f"{cabinets[cabinet]}-{unit:02}:{ports[end][number]}"
            for (cabinet, unit), number, end in zip(places, row.tolist(), side.tolist(), strict=True)
        ]
        return [(f"{one} > {other}", f"{other} > {one}") for one, other in zip(near, self.fronts, strict=True)]

    def trunk_labels(self, trunk: int) -> tuple[str, str]:
        """Return the label texts of both ends of a trunk: its name with the end, and the frame there."""
        name, frames = self.panels.trunk_names[trunk], self.panels.frame_names[self.panels.trunk_frame[trunk]]
        return f"{name}-A > {frames[1]}", f"{name}-B > {frames[0]}"

    def trunk_sockets(self, end: int) -> list[str]:
        """Return the sockets at one end of each trunk, of several the first and the last."""
        start = np.searchsorted(self.panels.plug_trunk, np.arange(len(self.panels.trunk_names) + 1)).tolist()
        sockets = self.rears[end]
        return [sockets[a] if b - a == 1 else f"{sockets[a]} to {sockets[b - 1]}" for a, b in pairwise(start)]

    def fibers(self) -> list[str]:
        """Return the fibers (or cores) of both ends of each row in the plug of its trunk; empty without a trunk."""
        panels, rule = self.panels, self.plan.catalog.bundling.trunk_rule
        count = np.array([made_of.fibers for made_of in self.plan.cables.assemblies])[self.plan.cables.assembly[panels.row]]
        plugs = np.bincount(panels.plug_trunk, minlength=len(panels.trunk_names))
        bundle = self.plan.cables.bundle[panels.row]
        alone = self.plan.cables.bundle_capacity[bundle] == np.append(plugs, 1)[panels.trunk]
        if self.core:
            cores = (self.plan.study["cabling"].get("bundling_parameters") or {}).get("cores_per_link", 1)
            count, alone = np.full(len(count), cores), np.zeros(len(count), bool)
        columns = (np.tile(panels.plug, 2), panels.fiber.T.ravel(), np.tile(count, 2), np.tile(alone, 2))
        return [
            _fibers(first, many, rule.fibers_per_mpo if single else many) if plug >= 0 else ""
            for plug, first, many, single in zip(*(one.tolist() for one in columns), strict=True)
        ]

    @property
    def core(self) -> bool:
        """Whether trunks are multi-core fibers, whose rows are cores."""
        return bool((self.panels.kind == PANEL_KINDS.index("fan-out")).any())

    def legs(self) -> list[str]:
        """Return the stock lengths of each row over panels: jumper, trunk, jumper."""
        panels, cables = self.panels, self.plan.cables
        trunk = cables.bundle_stock_mm[cables.bundle[panels.row]]
        jumpers = panels.jumper_stock_mm[panels.jumper]
        return [
            " | ".join(map(stock, three))
            for three in zip(jumpers[:, 0].tolist(), trunk.tolist(), jumpers[:, 1].tolist(), strict=True)
        ]


def _fibers(first: int, count: int, positions: int) -> str:
    """Return the fibers of a link as text; one that has its plug alone leaves the middle positions dark.

    >>> _fibers(1, 8, 12), _fibers(3, 2, 2), _fibers(4, 1, 1)
    ('1-4, 9-12', '3-4', '4')
    """
    if count < positions:
        half = count // 2
        return f"{_span(1, count - half)}, {_span(positions - half + 1, positions)}"
    return _span(first, first + count - 1)


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
