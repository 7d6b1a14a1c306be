"""Bill of a change: what is bought at the prices of the new plan, what is left over, and the labor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from planner.domain.model import Bill, BillLine, Plan
from planner.domain.parts import LaborRates
from planner.studies.diff.result import Action, ChangeBill, Pieces, Reuse, is_over_panels
from planner.view.schedule import ADDED, REMOVED, Connection, Difference

_Item = tuple[str, str, int]
"""Category, catalog row and stock length in mm of a line of the bill."""

_NAMED = ("routers", "nodes", "endpoints", "fittings", "cabinets")


def change_bill(
    old: Plan, new: Plan, found: Difference, pieces: Pieces, reuse: Sequence[Reuse], actions: Sequence[Action]
) -> ChangeBill | None:
    """Return the bill of a change; None where the new plan has no bill.

    Cables, transceivers, devices and cabinets that the new plan adds are bought at its prices; re-used cables cost nothing.
    Parts of links over panels are not named one by one: what the new plan has more of is bought. Taking a plug out takes as long
    as putting it in, which is half of the labor of a cable.
    """
    bill = new.bill
    if bill is None or new.catalog is None or new.cables is None:
        return None
    wanted = Counter(dict(_cables(new, pieces, reuse)))
    wanted += Counter({("", part, 0): count for part, count in _devices(new, found, ADDED).items()})
    wanted += Counter({("cabinets", part, 0): count for part, count in (_cabinets(new) - _cabinets(old)).items()})
    wanted += _over_panels(new) - _over_panels(old)
    fresh = {each.new.number for each in found.cables if each.kind == ADDED and each.new is not None}
    labels = sum(
        action.step == "label" or (action.step == "plug" and action.row is not None and action.row.number in fresh)
        for action in actions
    )
    wanted["labels", "", 0] += labels
    known = _lines(bill)
    lines = [_priced(known[item], count) for item in known if (count := _taken(wanted, item))]
    labor, labor_s = _labor(new.catalog.labor, actions, labels)
    lines += labor if any(line.category == "labor" for line in bill.lines) else []
    unpriced = [(part, count) for (category, part, _), count in sorted(wanted.items()) if count > 0 and category != "labels"]
    return ChangeBill(bill.currency, lines, _removed(old, new, found, pieces, reuse), labor_s, unpriced)


def _cables(new: Plan, pieces: Pieces, reuse: Sequence[Reuse]) -> Iterator[tuple[_Item, int]]:
    """Yield the cables and transceivers to buy, by item."""
    cables = new.cables
    reused = {each.new.number for each in reuse}
    bought = [rows for rows in pieces.added if rows[0].number not in reused]
    count: Counter[_Item] = Counter()
    for rows in bought:
        if not cables.carried[rows[0].number - 1]:
            count["cables", rows[0].part, rows[0].stock_mm] += 1
        for row in rows:
            assembly = cables.assemblies[int(cables.assembly[row.number - 1])]
            for end, modules in zip(assembly.ends, cables.modules[row.number - 1].tolist(), strict=True):
                count["transceivers", end.part, 0] += modules
    yield from count.items()


def _devices(plan: Plan, found: Difference, kind: str) -> Counter[str]:
    """Return the catalog rows of the devices that are added, or removed, with their number."""
    names = plan.inventory.names.tolist()
    part = {name: plan.inventory.parts[number].id for name, number in zip(names, plan.inventory.part.tolist(), strict=True)}
    own = (each.new or each.old for each in found.devices if each.kind == kind)
    return Counter(part[name] for name in own if name in part)


def _cabinets(plan: Plan) -> Counter[str]:
    """Return the cabinets that the bill of a plan has, by catalog row."""
    lines = plan.bill.lines if plan.bill is not None else ()
    return Counter({line.part: line.quantity for line in lines if line.category == "cabinets"})


def _over_panels(plan: Plan) -> Counter[_Item]:
    """Return jumpers, trunks and panels by item: the bill lists jumpers as cables."""
    count: Counter[_Item] = Counter()
    for one in plan.cables.passives:
        count["cables" if one.category == "jumpers" else one.category, one.part, one.stock_mm] += one.quantity
    return count


def _item(line: BillLine) -> _Item:
    return (line.category, line.part, line.stock_mm) if line.category != "labels" else ("labels", "", 0)


def _lines(bill: Bill) -> dict[_Item, BillLine]:
    """Return the lines of a bill by item; those of one item at several prices, as in cost models, at their mean."""
    found: dict[_Item, BillLine] = {}
    for line in bill.lines:
        if line.category in ("labor", "spares", "packs", "energy"):
            continue
        key = _item(line)
        if (other := found.get(key)) is not None:
            quantity = other.quantity + line.quantity
            unit, over = divmod(other.cents + line.cents, max(quantity, 1))
            line = replace(other, quantity=quantity, unit_cents=unit, over_cents=over)
        found[key] = line
    return found


def _taken(wanted: Counter[_Item], item: _Item) -> int:
    """Take what is wanted of an item out of the list; devices are wanted by catalog row alone."""
    count = wanted.pop(item, 0)
    if item[0] in _NAMED:
        count += wanted.pop(("", item[1], 0), 0)
    return count


def _priced(line: BillLine, count: int) -> BillLine:
    """Return a line for another quantity; where prices differ within the line, at their mean."""
    unit, over = divmod(line.cents * count // max(line.quantity, 1), count)
    return replace(line, quantity=count, unit_cents=unit, over_cents=over)


# -- labor ------------------------------------------------------------------------------------------


def _labor(rates: LaborRates, actions: Iterable[Action], labels: int) -> tuple[list[BillLine], int | None]:
    """Return the lines of labor, and the person-seconds; None where the rates have no times."""
    halves = {True: 0, False: 0}
    pulled_mm = tested = 0
    for action in actions:
        row = action.row
        if row is None:
            continue
        halves[row.a.cabinet == row.b.cabinet] += sum(action.plugs)
        tested += action.plugs[1]
        if action.step in ("take out", "lay") and row.a.cabinet != row.b.cabinet and not is_over_panels(row):
            pulled_mm += row.run_mm
    times = (rates.in_cabinet_s, rates.between_cabinets_s, rates.pull_s_per_m, rates.label_s, rates.test_s)
    plug_s = -(-(halves[True] * rates.in_cabinet_s + halves[False] * rates.between_cabinets_s) // 2)
    total_s = plug_s + -(-pulled_mm * rates.pull_s_per_m // 1000) + labels * rates.label_s + tested * rates.test_s
    labor_s = total_s if any(times) else None
    if not any(halves.values()):
        return [], labor_s
    if rates.hour_cents is not None and labor_s is not None:
        return [BillLine("labor", rates.id, "person-hour", -(-labor_s // 3600), rates.hour_cents)], labor_s
    rows = [
        ("half a cable inside a cabinet", halves[True], rates.in_cabinet_cents),
        ("half a cable between cabinets", halves[False], rates.between_cabinets_cents),
    ]
    lines = []
    for what, count, cents in rows:
        unit, over = divmod(-(-count * cents // 2), max(count, 1))
        lines += [BillLine("labor", rates.id, what, count, unit, over_cents=over)] if count else []
    if rates.pull_cents_per_m and pulled_mm:
        lines.append(BillLine("labor", rates.id, "meter pulled over trays", -(-pulled_mm // 1000), rates.pull_cents_per_m))
    return lines, labor_s


# -- left over --------------------------------------------------------------------------------------


def _removed(old: Plan, new: Plan, found: Difference, pieces: Pieces, reuse: Sequence[Reuse]) -> list[tuple[str, str, int, int]]:
    """Return what the change leaves over, by catalog row."""
    used = {each.old.number for each in reuse}
    left = (rows[0] for rows in pieces.removed if rows[0].number not in used and not _is_carried(old, rows[0]))
    cables = Counter((row.part, "cable", row.stock_mm) for row in left)
    devices = Counter({(part, "device", 0): count for part, count in _devices(old, found, REMOVED).items()})
    others = Counter({(part, "cabinet", 0): count for part, count in (_cabinets(old) - _cabinets(new)).items()})
    panels = _over_panels(old) - _over_panels(new)
    others += Counter({(part, category, stock_mm): count for (category, part, stock_mm), count in panels.items()})
    return [(*key, count) for every in (devices, cables, others) for key, count in sorted(every.items())]


def _is_carried(plan: Plan, row: Connection) -> bool:
    return bool(plan.cables.carried[row.number - 1])
