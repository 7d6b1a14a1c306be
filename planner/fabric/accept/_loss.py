"""Measured optical loss against the planned loss and the limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from planner.domain import catalog
from planner.domain.model import Plan
from planner.domain.parts import FanOut, FiberPart, LossLimit, LossRule, Row, TransceiverPart
from planner.fabric.accept._record import LossResult, LossTest
from planner.view.schedule import Connection
from planner.view.tables.cables import Cables

_PAIRS = {"trunk": {"mpo": (2, 0), "lc": (2, 2)}, "shuffle": {"mpo": (4, 0)}, "multi-core fiber": {"mpo": (2, 0), "lc": (0, 2)}}
"""Mated pairs of MPO and of LC plugs between the modules, by what carries the link and by the plug of its jumpers."""

_ENDS = 2
"""Mated pairs of a measurement at its test cords: the jumper plugs that belong into the modules."""

_TOLERANCE_DB = 0.05
"""Testers round to 0.01 or 0.1 dB."""


class Channel(NamedTuple):
    """The fiber between the test cords of a measurement: glass, length, mated pairs of MPO and LC plugs, further loss."""

    glass: str
    length_mm: int
    mpo_pairs: int
    lc_pairs: int
    more_db: float = 0.0

    @property
    def connections(self) -> int:
        return self.mpo_pairs + self.lc_pairs


@dataclass(frozen=True)
class LossRules:
    """What limits the loss of a link.

    Attributes
    ----------
    limit
        Limits of the test of installed fiber.
    rule
        Loss of connectors and fiber that the plan reckons with; None where only the schedule is known.
    budget_db
        Maximum loss of a channel between two modules, by catalog row.
    channels
        Channels of the connections by their number; without an entry panels are not known.
    """

    limit: LossLimit
    rule: LossRule | None = None
    budget_db: dict[str, float] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Mapping[str, Row], plan: Plan | None = None, limit: LossLimit | None = None) -> LossRules:
        """Return the rules of a plan; without it, of a cable schedule in a file."""
        chosen = limit or next(row for row in catalog.rows("loss_limit") if isinstance(row, LossLimit))
        budget_db = {row.id: row.budget_db for row in rows.values() if isinstance(row, TransceiverPart)}
        if plan is None or plan.cables is None or plan.catalog is None:
            return cls(chosen, None, budget_db)
        return cls(chosen, plan.catalog.loss, budget_db, channels(plan))

    def planned_db(self, number: int) -> float | None:
        """Return the planned loss of a connection as a tester measures it; None where it is not known."""
        channel = self.channels.get(number)
        if channel is None or self.rule is None:
            return None
        loss = self.rule.channel_db(channel.glass, channel.length_mm, channel.mpo_pairs, channel.lc_pairs)
        return round(loss + channel.more_db, 3)

    def limits(self, row: Connection) -> list[tuple[float, str]]:
        """Return the maximum losses of a connection, each with its name."""
        found = []
        if (channel := self.channels.get(row.number)) is not None:
            loss = self.limit.channel_db(channel.glass, channel.length_mm, channel.connections) + channel.more_db
            found.append((round(loss, 3), self.limit.id))
        budgets = [self.budget_db[part] for part in row.end_parts if part in self.budget_db]
        if budgets:
            found.append((min(budgets), "the modules"))
        return found


def channels(plan: Plan) -> dict[int, Channel]:
    """Return the channel of each connection of modules and fiber, by its number from 1; none where its fan-outs are unknown."""
    cables = plan.cables
    trunk_mm = Cables(plan, cables).trunk_mm().tolist()
    kinds = [*(cables.bundle_kinds[kind] for kind in cables.bundle_kind.tolist()), ""]
    fan_out_db = _fan_out_db(plan)
    found = {}
    columns = (cables.assembly, cables.stock_mm, cables.leg_stock_mm, cables.carried, cables.bundle)
    for number, (made, stock, legs, carried, bundle) in enumerate(zip(*(x.tolist() for x in columns), strict=True)):
        assembly = cables.assemblies[made]
        if not assembly.glass:
            continue
        kind = kinds[bundle] if carried else ""
        mpo, lc = _PAIRS.get(kind, {}).get(assembly.plug, (0, 0))
        more_db = 0.0
        if kind == "multi-core fiber":
            if fan_out_db is None:
                continue
            more_db = 2 * fan_out_db
        length = sum(legs) + trunk_mm[number] if carried else stock
        ends = (_ENDS, 0) if assembly.plug == "mpo" else (0, _ENDS)
        found[number + 1] = Channel(assembly.glass, length, mpo + ends[0], lc + ends[1], more_db)
    return found


def _fan_out_db(plan: Plan) -> float | None:
    """Return the loss of a fan-out of multi-core fiber: that of the study, or of the catalog; None where neither knows it."""
    stated = plan.study.get("cabling", {}).get("bundling_parameters", {}).get("fan_out_db")
    if stated is not None:
        return float(stated)
    used = () if plan.panels is None else plan.panels.parts
    known = [fan.loss_db for fan in catalog.rows("fan_out") if isinstance(fan, FanOut) and fan.id in used]
    return known[0] if known else None


def is_fiber(row: Connection, rows: Mapping[str, Row]) -> bool:
    """Return whether a connection is a fiber between modules, whose loss can be measured."""
    if row.part in rows:
        return isinstance(rows[row.part], FiberPart)
    return any(row.end_parts)


def loss_results(tests: Sequence[LossTest], schedule: Sequence[Connection], rules: LossRules) -> list[LossResult]:
    """Return the verdict about each measurement, in the order of the file."""
    by_number = {row.number: row for row in schedule}
    return [_judged(test, by_number.get(test.cable), rules) for test in tests]


def _judged(test: LossTest, row: Connection | None, rules: LossRules) -> LossResult:
    if row is None:
        return LossResult(test, "not in the plan", remark="correct the name of the cable, or give the whole plan")
    channel = rules.channels.get(row.number)
    planned = rules.planned_db(row.number)
    limits = rules.limits(row)
    if test.limit_db is not None:
        limits.append((test.limit_db, "the tester"))
    limit, limit_from = min(limits, default=(None, ""))
    connections = None if channel is None else channel.connections
    verdict, remark = "ok", _remark(test, channel)
    if test.loss_db < 0:
        verdict, remark = "negative", "the reference was set wrongly: set it again and repeat the test"
    elif limit is not None and test.loss_db > limit:
        verdict = "above the limit"
    elif planned is not None and connections is not None and test.loss_db > planned + rules.limit.over_planned_db * connections:
        verdict, remark = "above the plan", remark or "clean the plugs"
    elif limit is None:
        remark = remark or "no limit is known"
    return LossResult(test, verdict, planned, limit, limit_from, connections, remark)


def _remark(test: LossTest, channel: Channel | None) -> str:
    """Return what does not fit in the row itself."""
    if test.margin_db is not None and test.limit_db is not None:
        own = test.limit_db - test.loss_db
        if abs(own - test.margin_db) > _TOLERANCE_DB:
            return f"the margin of the file is {test.margin_db:g} dB, limit less loss is {own:.2f} dB"
    if channel is not None and test.wavelength_nm is not None:
        single_mode = channel.glass.startswith("os")
        if single_mode != (test.wavelength_nm >= 1260):
            return f"{test.wavelength_nm:g} nm is no wavelength of {channel.glass.upper()}"
    return ""
