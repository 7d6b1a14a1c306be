"""Violations of design rules."""

from __future__ import annotations

from dataclasses import dataclass

from planner.core.record import Record, value


@dataclass(frozen=True)
class Violation:
    """A violation of a design rule by a finished plan."""

    rule: str
    where: str
    value: float
    limit: float
    unit: str
    severity: str
    message: str = ""


@dataclass(frozen=True, eq=False)
class Violations(
    Record, name="violations", needs=("topology", "catalog", "room", "inventory", "placement", "cables", "work", "bill")
):
    """Violations found by the independent verifier; an empty list is a clean plan."""

    checked: tuple[str, ...] = value("names of the rules that were checked")
    items: tuple[Violation, ...] = value("the violations")

    @property
    def errors(self) -> tuple[Violation, ...]:
        return tuple(item for item in self.items if item.severity == "error")
