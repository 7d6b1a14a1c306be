"""Run lengths of all cables by component, over the trays of either medium class."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from planner.domain.model import EGRESS, SIDES
from planner.hall.floor import Lengths


@dataclass(frozen=True)
class Ends:
    """Ends of the cables, int64 (W, 2) each: slot, lowest unit and height of the box in units, ports at the rear or not."""

    slot: np.ndarray
    unit: np.ndarray
    units: np.ndarray
    rear: np.ndarray

    @property
    def between(self) -> np.ndarray:
        """Which cables leave their cabinet, bool (W,)."""
        return self.slot[:, 0] != self.slot[:, 1]


@dataclass(frozen=True)
class Parts:
    """The components of run lengths, int64: rise and drop (W, 2), tray (W,), slack (W, 3), override (W,).

    Inside a cabinet the first end's rise is the whole length, and the other components are 0. The slack is the minimum at
    first; `spare_mm` (W, 2) is what it is below nominal at the ends and in loops.
    """

    rise_mm: np.ndarray
    drop_mm: np.ndarray
    tray_mm: np.ndarray
    slack_mm: np.ndarray
    override_mm: np.ndarray
    spare_mm: np.ndarray

    def with_slack(self, limit_mm: np.ndarray) -> Parts:
        """Return the components with as much of the nominal slack as keeps runs within a limit, int64 (W,): ends before loops."""
        room = np.maximum(limit_mm - self.run_mm, 0)
        ends = np.minimum(self.spare_mm[:, 0], room)
        more = np.column_stack([ends, np.minimum(self.spare_mm[:, 1], room - ends)])
        slack = self.slack_mm + np.column_stack([more, np.zeros(len(more), np.int64)])
        return replace(self, slack_mm=slack, spare_mm=self.spare_mm - more)

    @property
    def run_mm(self) -> np.ndarray:
        """Run lengths, int64 (W,)."""
        ends = self.rise_mm.sum(axis=1) + self.drop_mm.sum(axis=1)
        return ends + self.tray_mm + self.slack_mm.sum(axis=1) + self.override_mm


@dataclass(frozen=True)
class Override:
    """Overrides of a study, (W,) each: the run length in mm (-1: not set), or a correction of it."""

    run_mm: np.ndarray
    add_mm: np.ndarray

    def of(self, sum_mm: np.ndarray) -> np.ndarray:
        """Return the correction of the sum of the components, int64 (W,)."""
        return np.where(self.run_mm >= 0, self.run_mm - sum_mm, self.add_mm)

    @property
    def applies(self) -> np.ndarray:
        """Rows whose length the study sets or corrects, bool (W,); they have nominal slack."""
        return (self.run_mm >= 0) | (self.add_mm != 0)


class Runs:
    """Run lengths by medium class; all components that do not depend on the route are computed once."""

    def __init__(self, lengths: Lengths, ends: Ends, override: Override):
        self._ends, self._override = ends, override
        copper, fiber = lengths.by_medium_class
        self._rules = (copper,) if copper is fiber else (copper, fiber)
        self._fixed = [_fixed(rules, ends) for rules in self._rules]

    @property
    def shared_trays(self) -> bool:
        """Whether all trays carry both medium classes."""
        return len(self._rules) == 1

    def shortest(self, medium: int) -> Parts:
        """Return the components over the shortest tray routes of one medium class."""
        rules, slot = self._rules[min(medium, len(self._rules) - 1)], self._ends.slot
        tray = np.where(self._ends.between, rules.distances.between_mm(slot[:, 0], slot[:, 1]), 0)
        return self._parts(medium, tray.astype(np.int64))

    def along(self, medium_class: np.ndarray, tray_mm: np.ndarray) -> Parts:
        """Return the components with each cable in its medium class, int (W,), and `tray_mm` of trays."""
        if self.shared_trays:
            return self._parts(0, tray_mm)
        copper, fiber = self._parts(0, tray_mm), self._parts(1, tray_mm)

        def mixed(name: str) -> np.ndarray:
            one, two = getattr(copper, name), getattr(fiber, name)
            return np.where(medium_class.reshape(-1, *[1] * (one.ndim - 1)) == 0, one, two)

        return Parts(*(mixed(name) for name in (part.name for part in fields(Parts))))

    def _parts(self, medium: int, tray_mm: np.ndarray) -> Parts:
        number = min(medium, len(self._rules) - 1)
        rise, drop = self._fixed[number]
        length = rise.sum(axis=1) + drop.sum(axis=1) + tray_mm
        nominal = self._rules[number].slack_parts_mm(length, self._ends.between, nominal=True)
        minimum = self._rules[number].slack_parts_mm(length, self._ends.between)
        slack = np.where(self._override.applies[:, None], nominal, minimum)
        override = self._override.of(length + slack.sum(axis=1))
        return Parts(rise, drop, tray_mm, slack, override, (nominal - slack)[:, :2])


def _fixed(rules: Lengths, ends: Ends) -> tuple[np.ndarray, np.ndarray]:
    """Return rise and drop at both ends, int64 (W, 2)."""
    (first, second), (tall, other) = ends.unit.T, ends.units.T
    inside = rules.inside_mm(first, tall, second, other, ends.rear[:, 0] != ends.rear[:, 1])
    within = np.column_stack([inside, np.zeros_like(inside)])
    between = ends.between[:, None]
    return np.where(between, rules.rise_mm(ends.slot, ends.unit, ends.units), within), np.where(
        between, rules.drop_mm[ends.slot, ends.rear], 0
    )


def sides(rule: np.ndarray, between: np.ndarray, cage: np.ndarray, cages: np.ndarray) -> np.ndarray:
    """Return the side by which each cable leaves, index into `planner.domain.model.SIDES`, uint8 (W, 2).

    Parameters
    ----------
    rule
        Egress of the slots at both ends, index into `planner.domain.model.EGRESS`, (W, 2).
    between
        Which cables leave their cabinet, bool (W,).
    cage, cages
        Cage at both ends, counted from 1 at the left, and number of cages of the box, (W, 2).
    """
    left = np.where(rule == EGRESS.index("nearest"), 2 * cage <= cages, rule == EGRESS.index("left"))
    side = np.where(left, SIDES.index("left"), SIDES.index("right"))
    return np.where(between[:, None], side, SIDES.index("none")).astype(np.uint8)
