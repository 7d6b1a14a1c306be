"""The cover: title, key figures, floor overview and provenance."""

from __future__ import annotations

from collections.abc import Sequence

from planner.domain.model import Plan
from planner.paper.canvas import ACCENT, DARK, MUTED, RULE, Pen
from planner.paper.charts import media_bars
from planner.paper.floor import picture
from planner.paper.fonts import BOLD, printable, wrapped
from planner.paper.sheet import Area, Mark, Sheet, fingerprint
from planner.view.cabinets import Cabinet
from planner.view.figures import Group, key_figures
from planner.view.names import is_named, networks_with

_LEADING = 11.5
_BETWEEN = 8.0


def cover_sheets(plan: Plan, cabinets: Sequence[Cabinet], part: str = "") -> list[Sheet]:
    """Return the cover."""

    def draw(pen: Pen, area: Area) -> None:
        pen.mark("cover", area.top + 30)
        y = _title(pen, plan, area, area.top + 4, f"CABLING REPORT, {part.upper()}" if part else "CABLING REPORT")
        y = _figures(pen, key_figures(plan), area, y - 16)
        foot = _provenance(pen, plan, area)
        if plan.room is not None and y - foot > 90:
            height = min(y - foot - 34, 300)
            _floor(pen, plan, cabinets, area, foot + 8, height)

    return [Sheet("", draw, marks=(Mark("cover", "Cover"),), bare=True)]


def summary_sheets(plan: Plan, cabinets: Sequence[Cabinet]) -> list[Sheet]:
    """Return a one-page summary: key figures, design rule check, media and lengths, and the floor."""

    def draw(pen: Pen, area: Area) -> None:
        pen.mark("summary", area.top + 30)
        y = _title(pen, plan, area, area.top + 4, "SUMMARY")
        y = _figures(pen, key_figures(plan), area, y - 12)
        foot = _provenance(pen, plan, area)
        pen.text(area.left, y - 8, _rules(plan), 8, width=area.width)
        y -= 24
        if plan.cables is not None and plan.cables.cable_count and y - foot > media_bars(plan).height:
            bars = media_bars(plan)
            bars.draw(pen, area.left, y)
            y -= bars.height
        if plan.room is not None and y - foot > 90:
            _floor(pen, plan, cabinets, area, foot + 8, min(y - foot - 34, 240))

    return [Sheet("", draw, marks=(Mark("summary", "Summary"),), bare=True)]


def _floor(pen: Pen, plan: Plan, cabinets: Sequence[Cabinet], area: Area, bottom: float, height: float) -> None:
    pen.text(area.left, bottom + height + 8, f"Floor: {plan.room.title}", 8, font=BOLD, color=ACCENT, width=area.width)
    picture(pen, plan, cabinets, area.left, bottom, area.width, height)


def _rules(plan: Plan) -> str:
    """Return the result of the design rule check, in a sentence."""
    if plan.violations is None:
        return "The design rules of this plan have not been checked."
    errors, found = len(plan.violations.errors), len(plan.violations.items)
    if not found:
        return f"No violation of {len(plan.violations.checked)} design rules."
    return f"{errors} errors and {found - errors} warnings against {len(plan.violations.checked)} design rules."


def provenance(plan: Plan) -> list[tuple[str, str]]:
    """Return the provenance of the plan: name and text."""
    known = plan.provenance
    facts = [("plan", fingerprint(plan))]
    seed = plan.study.get("seed", known.get("study", {}).get("seed"))
    if seed is not None:
        facts.append(("seed", str(seed)))
    if plan.topology is not None:
        for one in networks_with(plan, "topology"):
            stated = {name: value for name, value in one.topology.params.items() if value is not None or not is_named(plan)}
            parameters = ", ".join(f"{name} = {value}" for name, value in stated.items())
            text = f"{one.topology.family} ({parameters})" if parameters else one.topology.family
            facts.append(("network", f"{one.network_names[one.network]}: {text}" if is_named(plan) else text))
    if plan.placement is not None:
        facts.append(("placement", plan.placement.method))
    if "planner" in known:
        versions = {"Planner": known["planner"], "Python": known.get("python"), **known.get("packages", {})}
        facts.append(("made with", ", ".join(f"{name} {number}" for name, number in versions.items() if number)))
    return facts


def _title(pen: Pen, plan: Plan, area: Area, top: float, kind: str) -> float:
    pen.text(area.left, top - 4, kind, 9, font=BOLD, color=MUTED)
    pen.line([(area.left, top - 14), (area.right, top - 14)], ACCENT, 2)
    size = 22
    lines = wrapped(printable(plan.title or plan.name), area.width, size, BOLD)
    if len(lines) > 2:
        size = 15
        lines = wrapped(printable(plan.title or plan.name), area.width, size, BOLD)
    y = top - 22 - size
    for number, line in enumerate(lines[:4]):
        pen.text(
            area.left, y, line + (" …" if number == 3 and len(lines) > 4 else ""), size, font=BOLD, color=DARK, width=area.width
        )
        y -= size * 1.25
    pen.text(area.left, y + size * 1.25 - 17, plan.name, 10, color=MUTED, width=area.width)
    return y + size * 1.25 - 24


def _figures(pen: Pen, groups: Sequence[Group], area: Area, top: float) -> float:
    """Print the groups in two columns of similar height; return where they end."""
    heights = [len(rows) * _LEADING + 15 + _BETWEEN for _, rows in groups]
    split = min(range(len(groups) + 1), key=lambda n: max(sum(heights[:n]), sum(heights[n:])))
    width = (area.width - 24) / 2
    lowest = top
    for column, own in enumerate((groups[:split], groups[split:])):
        x, y = area.left + column * (width + 24), top
        for subject, rows in own:
            pen.text(x, y - 9, subject, 9, font=BOLD, color=ACCENT, width=width)
            y -= 13
            pen.line([(x, y), (x + width, y)], ACCENT, 0.6)
            for label, text in rows:
                pen.text(x, y - 9, label, 8, color=MUTED, width=width * 0.55)
                pen.text(x + width, y - 9, text, 8, align="right", width=width * 0.44)
                y -= _LEADING
                pen.line([(x, y), (x + width, y)], RULE, 0.25)
            y -= _BETWEEN + 2
        lowest = min(lowest, y)
    return lowest


def _provenance(pen: Pen, plan: Plan, area: Area) -> float:
    """Print the provenance at the foot of the sheet; return its top."""
    facts = provenance(plan)
    labels = 58.0
    lines = [(name if not number else "", line) for name, text in facts
             for number, line in enumerate(wrapped(printable(text), area.width - labels, 7)[:3])]  # fmt: skip
    y = area.bottom + len(lines) * 9.5
    top = y + 8
    pen.line([(area.left, top), (area.right, top)], RULE, 0.4)
    for name, line in lines:
        y -= 9.5
        pen.text(area.left, y + 2, name, 7, color=MUTED)
        pen.text(area.left + labels, y + 2, line, 7)
    return top
