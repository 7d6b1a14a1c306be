"""What panels are held against: areas, heights and places in the plan, by the study's kind of bundling."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from planner.check.basis.bundling.cables import Areas
from planner.check.basis.bundling.trunks import cassette_for
from planner.check.basis.places import cable_name
from planner.domain.model import PANEL_KINDS, PanelPlan, Plan
from planner.domain.parts import CassettePart

ENCLOSURE, BOX, FAN_OUT = range(len(PANEL_KINDS))

_KINDS = {"trunk": ENCLOSURE, "shuffle": BOX, "multicore": FAN_OUT}


class Held:
    """The panels of a plan with the kind of bundling that its study names; N rows over panels, with two ends each."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.panels, self.cables = plan, plan.panels, plan.cables
        self.parts, self.bundling = plan.catalog.bundling, plan.study["cabling"]["bundling"]
        self.settings: dict[str, Any] = plan.study["cabling"].get("bundling_parameters") or {}
        self.kind = _KINDS.get(self.bundling, -1)
        self.rows = np.flatnonzero(self.cables.carried) if self.kind >= 0 else np.zeros(0, np.int64)

    @classmethod
    def of(cls, plan: Plan) -> Iterator[Held]:
        """Yield the panels of a plan if it has such a record, and its rows are those that are carried."""
        if plan.panels is not None and "bundling" in plan.study.get("cabling", {}):
            held = cls(plan)
            if len(held.rows) and np.array_equal(held.rows, plan.panels.row):
                yield held

    @property
    def level(self) -> str:
        return "cabinet" if self.kind == FAN_OUT else self.settings.get("level", "row")

    @cached_property
    def center(self) -> np.ndarray:
        """Slot of the frame at both ends of each row, int64 (N, 2)."""
        areas = Areas(self.plan.room, self.level)
        return areas.center[areas.of_slot[self.plan.placement.slot_of[self.cables.cabinet[self.rows]]]]

    @cached_property
    def end(self) -> np.ndarray:
        """End of the trunk at both ends of each row, int64 (N, 2)."""
        return np.where(self.panels.turned[:, None], [[1, 0]], [[0, 1]])

    @cached_property
    def trunks(self) -> np.ndarray:
        """Bundles that are trunks or multi-core fibers, int64 (T,)."""
        return np.flatnonzero((self.cables.bundle_kind > 1) & (self.cables.bundle_part >= 0))

    @cached_property
    def connectors(self) -> np.ndarray:
        """Plugs at each end of every trunk, int64 (T,)."""
        known = {trunk.id: trunk.connectors for trunk in self.parts.trunks}
        names = [self.cables.bundle_parts[part] for part in self.cables.bundle_part[self.trunks].tolist()]
        return np.array([known.get(name, 1) for name in names], np.int64)

    @property
    def fibers(self) -> np.ndarray:
        """Fibers of each row, int64 (N,)."""
        return np.array([made_of.fibers for made_of in self.cables.assemblies], np.int64)[self.cables.assembly[self.rows]]

    @property
    def cassettes(self) -> dict[str, CassettePart]:
        return {one.id: one for one in self.parts.cassettes}

    @cached_property
    def cassette_of_row(self) -> list[Any]:
        """The cassette that fits each row's plugs and glass."""
        chosen = [cassette_for(self.parts, made_of.plug, made_of.glass) for made_of in self.cables.assemblies]
        return [chosen[number] for number in self.cables.assembly[self.rows].tolist()]

    @property
    def part(self) -> str:
        """Part of the panels."""
        if self.kind == ENCLOSURE:
            return self.parts.panel.id
        if self.kind == BOX:
            return self.parts.shuffle_box.id
        known = {row.id: row.cores for row in self.parts.multicore_fibers}
        cores = self.settings.get("cores") or known[self.settings.get("fiber", "mcf-8core-125")]
        return next((one.id for one in self.parts.fan_outs if one.cores == cores), f"{cores}-core fan-out")

    @property
    def front(self) -> np.ndarray:
        """Panel, cassette and port at both ends of each row, int64 (N, 2, 3)."""
        one: PanelPlan = self.panels
        return np.stack([one.jumper_panel, one.jumper_cassette, one.jumper_port], axis=1)[one.jumper].astype(np.int64)

    @property
    def rear(self) -> np.ndarray:
        """Panel, cassette and socket of the trunk at both ends of each row that has one, int64 (n, 2, 3)."""
        one: PanelPlan = self.panels
        whole = np.stack([one.plug_panel, one.plug_cassette, one.plug_socket], axis=2)
        on = one.plug >= 0
        return whole[one.plug[on, None], self.end[on]].astype(np.int64)


def named(held: Held) -> Callable[[int], str]:
    """Return the function that names rows over panels by their place among these."""
    return lambda row: cable_name(held.plan, int(held.rows[row]))
