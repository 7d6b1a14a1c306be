"""What the crew pulls: every cable, trunk and jumper with its two ends, in the words of a sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from planner.model import Plan
from planner.report._figures import trimmed
from planner.report._names import branch_of_rows, end_names


class Leg(NamedTuple):
    """One line of a task: a cable from end to end, or a trunk or jumper of a cable over panels.

    Attributes
    ----------
    number
        The number by which it is found: that of the cable, with its branch or end.
    row
        The row of the cable plan.
    a, b
        Both ends: cabinet, unit, device and port, or panel and position.
    part, length_m
        What is taken from the store.
    label_a, label_b
        Texts of the labels.
    """

    number: str
    row: int
    a: str
    b: str
    part: str
    length_m: str
    label_a: str
    label_b: str


@dataclass(frozen=True)
class Legs:
    """The legs of all cables of a plan."""

    plan: Plan

    def of(self, rows: np.ndarray) -> Iterator[Leg]:
        """Yield what is pulled for some rows of the cable plan, int64 (N,), in their order."""
        for row in rows.tolist():
            yield self._direct(row)

    def _direct(self, row: int) -> Leg:
        cables = self.plan.cables
        branch = self._branches[row]
        return Leg(
            f"{row + 1}" + (f".{branch}" if branch else ""),
            row,
            self._ends[0][row],
            self._ends[1][row],
            self._parts[self._assembly[row]],
            self._lengths(row),
            str(cables.label_a[row]),
            str(cables.label_b[row]),
        )

    def _lengths(self, row: int) -> str:
        if not self._carried[row]:
            return trimmed(self._stock[row] / 1000)
        return " | ".join(trimmed(part / 1000) for part in self.plan.cables.leg_stock_mm[row].tolist())

    @cached_property
    def _ends(self) -> tuple[list[str], list[str]]:
        return end_names(self.plan, 0), end_names(self.plan, 1)

    @cached_property
    def _branches(self) -> list[int]:
        return branch_of_rows(self.plan).tolist()

    @cached_property
    def _parts(self) -> list[str]:
        return [assembly.length_part for assembly in self.plan.cables.assemblies]

    @cached_property
    def _assembly(self) -> list[int]:
        return self.plan.cables.assembly.tolist()

    @cached_property
    def _stock(self) -> list[int]:
        return self.plan.cables.stock_mm.tolist()

    @cached_property
    def _carried(self) -> list[bool]:
        return self.plan.cables.carried.tolist()
