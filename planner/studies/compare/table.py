"""Terminal tables of comparisons, with the best figure of each column highlighted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Group as Lines
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from planner.domain.parts import RouterPart
from planner.studies.compare.entries import Entry
from planner.studies.compare.measures import Group, best, groups
from planner.studies.compare.pareto import objectives, ranking
from planner.studies.compare.running import Result


def tables(result: Result) -> Lines:
    """Return the tables of all subjects, and the verdicts on all networks."""
    parts: list[Table | Text] = [Text(introduction(result))]
    if result.done:
        parts += [_table(result, group) for group in groups(result)]
    parts += [Text(line) for line in verdicts(result)]
    return Lines(*parts)


def introduction(result: Result) -> str:
    """Return a summary of the comparison in one sentence."""
    head, parts = result.comparison.head, result.catalog
    cases = [entry.case for entry in result.entries]
    chosen = sum(case.choice is not None for case in cases)
    families = sum(case.choice is not None or bool(case.reason) for case in cases)
    explicit = len(cases) - families
    how = [f"{explicit} explicit networks"] * bool(explicit)
    if families:
        how.append(f"{chosen} of {families} families with a configuration for {wanted(result)}")
    quick = "; quick: reduced effort" if head.quick else ""
    room = f" in {result.room}" if result.room else ""
    router = parts.router_part
    part = f"{router.id}, {router.ports} ports of {router.rate_gbps} Gb/s"
    return f"{head.title}: {', '.join(how)}; {part}{room}{quick}"


def wanted(result: Result) -> str:
    """Return the required number of endpoints as text."""
    demand = result.comparison.demand
    size = f"{demand.minimum:,} endpoints" if demand.maximum is None else f"{demand.minimum:,} to {demand.maximum:,} endpoints"
    over = f", oversubscribed {demand.oversubscription:g} times" if demand.oversubscription > 1 else ""
    if result.comparison.phases:
        size = ", ".join(f"{phase.endpoints or 0:,} in {phase.year}" for phase in result.comparison.phases) + " endpoints"
    return size + over + (", trimmed" if demand.trimmed else "")


def verdicts(result: Result) -> Iterator[str]:
    """Yield a verdict per network: on the front, dominated and by which networks, or the reason why it is missing."""
    chosen = objectives(result)
    found = ranking(result.done, chosen)
    if len(result.done) > 1:
        yield f"Pareto front of {'; '.join(each.words for each in chosen)}:"
        for entry in result.done:
            yield f"  {entry.label}: {found.verdict(entry.label)}"
    yield from _over_the_years(result)
    if notes := list(_notes(result)):
        yield "Notes:"
        yield from (f"  {note}" for note in notes)


def _notes(result: Result) -> Iterator[str]:
    """Yield what limits the figures of a network, or why there are none."""
    for entry in result.entries:
        if entry.case.note:
            yield f"{entry.label}: {entry.case.note}"
    for entry in result.done:
        if hint := smaller(entry, result.catalog.router_part, result.routers):
            yield f"{entry.label}: {hint}"
    for entry in result.entries:
        if not entry.done:
            yield f"{entry.label}: {entry.status}: {entry.message.removeprefix(f'{entry.label}: ')}"
        for (traffic, routing), reason in entry.left_out.items():
            yield f"{entry.label}: no result for {routing} routing with {traffic} traffic: {reason}"


_COST = "growth_cost_per_endpoint_cents"


def _over_the_years(result: Result) -> Iterator[str]:
    """Yield which network is the cheapest over its phases, and which one is if the last phase is bought on day one."""
    for entry in result.done:
        if entry.no_growth:
            yield f"  {entry.label}: no cost over the years: {entry.no_growth}"
    known = [
        entry for entry in result.done if "growth_cost_per_endpoint_cents" in entry.figures and not entry.figures.get("errors")
    ]
    if not known:
        return
    first, last = result.comparison.phases[0].year, result.comparison.phases[-1].year
    currency = result.catalog.currency
    yield f"Cost per endpoint {first}–{last}, moves included; in brackets: the last phase bought in {first}:"
    for entry in sorted(known, key=lambda entry: entry.figures[_COST]):
        own = entry.figures[_COST] / 100
        at_once = entry.figures["day_one_cost_cents"] / entry.figures["endpoints"] / 100
        moved = f"{entry.figures['growth_moved_links']:,} links moved"
        yield f"  {entry.label}: {own:,.0f} {currency} ({at_once:,.0f}), {moved}"


def _table(result: Result, group: Group) -> Table:
    table = Table(title=group.title, title_justify="left", header_style="", box=None, pad_edge=False)
    table.add_column("network", no_wrap=True)
    for measure in group.measures:
        table.add_column(escape(measure.head), justify="right")
    for title, _ in group.words:
        table.add_column(title)
    for entry in result.done:
        cells = []
        for measure in group.measures:
            value = measure.value(entry)
            mark = value is not None and value == best(measure, result.done)
            cells.append(Text(measure.text(entry), style="bold green" if mark else ""))
        table.add_row(escape(entry.label), *cells, *(escape(of(entry)) for _, of in group.words))
    return table


def smaller(entry: Entry, chosen: RouterPart, parts: Iterable[RouterPart]) -> str:
    """Return a hint if a router part with fewer ports suffices, with an example from the catalog; "" if all ports are used.

    Parameters
    ----------
    chosen
        Router part shared by all networks.
    parts
        All router parts of the catalog; those with the same rate and connector are considered.
    """
    needed = entry.figures["ports_used"]
    if needed >= chosen.ports:
        return ""
    fits = [
        part
        for part in parts
        if needed <= part.ports < chosen.ports and (part.rate_gbps, part.connector) == (chosen.rate_gbps, chosen.connector)
    ]
    found = min(fits, key=lambda part: (part.ports, part.id), default=None)
    example = f", such as {found.id} with {found.ports}" if found else ""
    return f"uses {needed} of {chosen.ports} ports; a router part with {needed} ports suffices{example}"
