"""What was recorded under an older revision of the plan, in terms of the plan as it is."""

from __future__ import annotations

from typing import NamedTuple

from planner.install.site.cables import Place, Site, key
from planner.install.site.journal import Journal, Register
from planner.view.schedule import Connection


class _Old(NamedTuple):
    """A cable of an older revision."""

    number: int
    labels: tuple[str, str]
    part: str
    stock_mm: int


class Carried(NamedTuple):
    """Where a value belongs now; None with the reason where it belongs nowhere.

    Attributes
    ----------
    number
        Number of the cable in the revision under which it was recorded; 0 if unknown.
    installed_labels
        Labels at the time, where they differ from those of the plan.
    """

    place: Place | None
    reason: str = ""
    number: int = 0
    installed_labels: tuple[str, str] | None = None


class Carry:
    """Carries values over to a plan by devices and ports, and by labels where devices have other names.

    A value counts where the same ports have a cable of the same part and length. Where no cable of the plan joins these ports, it
    counts for the cable with the same pair of labels and the same part, if that one joins ports that the older plan did not.
    """

    def __init__(self, journal: Journal, site: Site):
        self._journal, self._site = journal, site
        self._older: dict[str, dict[str, _Old]] = {}

    def over(self, register: Register) -> Carried:
        """Return where a value belongs."""
        place = self._site.place(register.target)
        if register.plan == self._site.revision:
            return Carried(place, "" if place else "this plan has no such cable")
        older = self._cables(register.plan)
        old = older.get(register.target)
        if place is None:
            return self._by_labels(old, older)
        if old is None:
            return Carried(place)
        if reason := _other_part(old, place.row):
            return Carried(None, reason, old.number)
        now = _labels(place.row, place.turned)
        return Carried(place, "", old.number, None if now == old.labels else _turned(old.labels, place.turned))

    def _by_labels(self, old: _Old | None, older: dict[str, _Old]) -> Carried:
        if old is None:
            return Carried(None, "no cable of the plan joins these ports")
        for turned in (False, True):
            row = self._site.by_labels.get(_turned(old.labels, turned))
            if row is None or {key(row), key(row, turned=True)} & older.keys():
                continue
            if reason := _other_part(old, row):
                return Carried(None, f"its labels are now those of cable {row.number}; {reason}", old.number)
            found = self._site.place(key(row))
            assert found is not None
            return Carried(found._replace(turned=turned), "", old.number)
        return Carried(None, "no cable of the plan joins these ports", old.number)

    def _cables(self, plan: str) -> dict[str, _Old]:
        if plan not in self._older:
            rows = self._journal.query(
                "SELECT target, number, label_a, label_b, part, stock_mm FROM cable WHERE plan = ?", (plan,)
            )
            for row in rows:
                self._journal.require([*map(type, row)] == [str, int, str, str, str, int], "cable")
            self._older[plan] = {target: _Old(number, (a, b), part, mm) for target, number, a, b, part, mm in rows}
        return self._older[plan]


def _labels(row: Connection, turned: bool) -> tuple[str, str]:
    return _turned((row.a.label, row.b.label), turned)


def _turned(pair: tuple[str, str], turned: bool) -> tuple[str, str]:
    return (pair[1], pair[0]) if turned else pair


def _other_part(old: _Old, row: Connection) -> str:
    if (old.part, old.stock_mm) == (row.part, row.stock_mm):
        return ""
    return f"it was {old.part}, {old.stock_mm / 1000:g} m, and is now {row.part}, {row.stock_mm / 1000:g} m"
