"""Terminal output of a plan: key figures, violations and the paths of its reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from planner.core.names import shown
from planner.core.units import named, system, using
from planner.domain.model import Placement, Plan
from planner.domain.model.project import units_of
from planner.domain.quantities import networks, unattached


def summary(plan: Plan, reports: Iterable[Path]) -> None:
    """Print key figures, violations and the paths of the reports."""
    # Names in a stored plan are untrusted.
    print(shown(plan.title))
    for name, text in key_figures(plan):
        print(shown(f"{name:<11} {text}"))
    if plan.violations is not None:
        violations(plan)
    for path in reports:
        print(path)


def withheld(plan: Plan, formats: Sequence[str]) -> str:
    """Return the message about files to order from that a plan with violations does not get."""
    rules = counted(len(plan.violations.errors), "violation")
    command = f"planner report FOLDER --format {','.join(formats)} --force"
    return f"{'withheld':<11} {', '.join(formats)}: not to be ordered from with {rules} of design rules; {command} writes it"


def counted(count: int, noun: str) -> str:
    """Return a number with its noun in singular or plural.

    Examples
    --------
    >>> counted(1, "cabinet"), counted(1064, "router")
    ('1 cabinet', '1,064 routers')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _ratio(q: dict[str, Any]) -> str:
    """Return the ratio of stock length to run length as text."""
    return f"{q['stock_mm'] / q['run_mm']:.2f} times the run length" if q["run_mm"] else "no cables"


def _long(length_mm: int) -> str:
    """Return a total length in kilometers, or in feet."""
    return named(length_mm, "mm", 0, " ") if system().feet else f"{length_mm / 1e6:,.2f} km"


def _area(um2: float) -> str:
    return named(um2, "µm²", gap=" ")


def _airflow(l_per_s: float) -> str:
    return named(l_per_s, "air", gap=" ") if system().feet else f"{l_per_s / 1e3:,.1f} m³/s"


def key_figures(plan: Plan) -> list[tuple[str, str]]:
    """Return the key figures of a plan as pairs of name and text, in the units of its project."""
    with using(units_of(plan.study)):
        return _key_figures(plan)


_NO_FIBER = "no fiber between two transceivers"
"""Reason of cables with optics of their own."""


def _over_panels(plan: Plan) -> str:
    """Return how many connections between cabinets a bundling carries over panels, and why others run directly."""
    cables, kind = plan.cables, plan.study["cabling"]["bundling"]
    carried, between = int(cables.carried.sum()), int((cables.cabinet[:, 0] != cables.cabinet[:, 1]).sum())
    why = ", ".join(f"{count:,} {text}" for text, count in sorted(cables.direct, key=lambda reason: -reason[1]))
    share = f"{carried:,} of {between:,} connections between cabinets" if carried else f"none of {between:,} connections"
    hint = ""
    if not carried and any(text == _NO_FIBER for text, _ in cables.direct):
        hint = ' (media = ["passive copper", "transceiver"] in [catalog] buys transceivers and fibers)'
    return f"bundling {kind} carries {share} over panels; the others: {why}{hint}"


def _key_figures(plan: Plan) -> list[tuple[str, str]]:
    q = {name: entry["value"] for name, entry in plan.quantities.items()}
    several = any(plan.network_names)
    rows = [("networks" if number == 0 else "", text) for number, text in enumerate(_networks(plan))]
    if not rows:
        size = f"{q['routers']:,} routers, {q['links']:,} links, {q['endpoints']:,} endpoints"
        rows = [("network", f"{plan.topology.family}: {size}")]
    for part, count, group, ports in unattached(plan) if plan.inventory is not None and several else ():
        rows.append(("", f"no network attaches the ports {group} of {part}: {ports} on each of {counted(count, 'node')}"))
    if "cabinets" in q:
        rows.append(("floor", f"{counted(q['cabinets'], 'cabinet')} in {plan.room.title} ({counted(q['slots'], 'slot')})"))
    if "kept_connections" in q:
        stays = f"{counted(q['kept_devices'], 'device')} and {counted(q['kept_connections'], 'connection')} of {plan.kept.source}"
        gone = f"{counted(q['moved_devices'], 'device')} moved, {q['removed_devices']:,} removed"
        rows.append(("kept", f"{stays} stay; {gone}; {counted(q['removed_connections'], 'connection')} taken out"))
        rows.append(("new", f"{counted(q['new_devices'], 'device')}, {counted(q['new_connections'], 'connection')}"))
    if "cables" in q:
        media = " + ".join(
            f"{q[f'cables_{m}']:,} {m.replace('_', ' ')}" for m in ("copper", "active_copper", "optical") if q[f"cables_{m}"]
        )
        joined = f" for {plan.cables.cable_count:,} connections" if plan.cables.cable_count > q["cables"] else ""
        rows.append(("cables", f"{q['cables']:,}{joined}: {media}; {q['cables_between_cabinets']:,} between cabinets"))
        if lacking := q["optical_for_lack_of_copper"]:
            kinds = f"{counted(lacking, 'cable')} inside cabinets {'is' if lacking == 1 else 'are'} optical"
            rows.append(("", f"{kinds}: the catalog has no copper part for their ports and length"))
        rows.append(
            (
                "length",
                f"{_long(q['run_mm'])} run, {_long(q['stock_mm'])} bought ({_ratio(q)}), "
                f"longest {named(q['longest_run_mm'], 'mm', 1, ' ')}",
            )
        )
        if "cables_less_slack" in q:
            given = named(plan.cables.slack_below_mm.max(), "mm", 2, " ")
            less = f"{q['cables_less_slack']:,} cables have up to {given} less than nominal slack"
            rows.append(("", f"{less}: the next length costs more"))
        if plan.cables.direct:
            rows.append(("", _over_panels(plan)))
        detour = f"; routes {q['tray_detour_percent']:.1f} % longer than the shortest" if q["tray_detour_percent"] else ""
        limit = f"design limit {100 * plan.room.design_fill:g} %"
        rows.append(("trays", f"fullest {q['fullest_tray_percent']:.1f} % ({limit}){detour}"))
        if (why := plan.cables.bottleneck) is not None:
            new = " of new cables" if plan.kept is not None else ""
            lack = f": {_area(why.needed)} of cables must cross a cut with space for {_area(why.room)}" if why.is_cut else ""
            rows.append(
                ("", f"proven: no routes{new} keep that limit; bottleneck of {counted(len(why.segments), 'tray segment')}{lack}")
            )
    if "work_s" in q:
        done = f"makespan {q['makespan_s'] / 3600:,.1f} h"
        rows.append(("work", f"{q['work_s'] / 3600:,.1f} person-hours, {counted(q['bundles'], 'bundle')}; {done}"))
    if "cost_cents" in q:
        # Several networks have unlike endpoints.
        per_endpoint = "cost_per_endpoint_cents" in q and not several
        each = f"; {q['cost_per_endpoint_cents'] / 100:,.0f} per endpoint" if per_endpoint else ""
        rows.append(("cost", f"{q['cost_cents'] / 100:,.0f} {plan.bill.currency}{each}"))
        rows.append(("power", f"{q['power_mw'] / 1e6:,.2f} kW typical"))
    if "heat_mw" in q:
        load = f"airflow {_airflow(q['airflow_l_per_s'])}; floor load up to {named(q['floor_load_kg_per_m2'], 'kg/m²', gap=' ')}"
        used = f"; {q['cooling_used_percent']:.0f} % of the cooling units used" if "cooling_used_percent" in q else ""
        rows.append(("heat", f"{named(q['heat_mw'], 'heat', gap=' ')} {plan.cooling.load}, nodes included; {load}{used}"))
    if q.get("near_misses"):
        saving = f"{q['near_misses_cents'] / 100:,.0f} {plan.catalog.currency}"
        rows.append(("near misses", f"{q['near_misses']:,} cables slightly too long for a cheaper part, {saving} in total"))
    rows += [("" if number else "latency", text) for number, text in enumerate(_latencies(q, plan.network_names))]
    if "throughput" in q:
        rows.append(
            (
                "throughput",
                f"{_on_network(plan)}{q['throughput']:.3f} of the injection rate, "
                f"{plan.simulation.traffic} traffic, {plan.simulation.routing} routing",
            )
        )
    if plan.placement is not None and plan.placement.start_objective:
        saved = 100 * (1 - plan.placement.objective / plan.placement.start_objective)
        side = "above" if saved <= -0.05 else "below"
        rows.append(("placement", f"{plan.placement.method}; {abs(saved):.1f} % {side} the initial layout"))
    if plan.placement is not None and (gap := plan.placement.gap) is not None:
        what = "the cost of links and endpoint cables" if not plan.inventory.is_link.all() else "the cost of links"
        saves = f"gap to the lower bound {100 * gap:.1f} % of {what}" if gap > 1e-9 else f"optimal for {what}"
        rows.append(("", f"{saves} (bound: {plan.placement.bound_method}; {plan.placement.bound_covers})"))
    if plan.placement is not None:
        rows += [("" if number else "open rules", text) for number, text in enumerate(_alternatives(plan.placement))]
    return rows


def _on_network(plan: Plan) -> str:
    """Return the name of the simulated network in a plan of several."""
    one = plan.of_section("simulation")
    name = one.network_names[one.network]
    return f"{name}: " if name else ""


def _latencies(q: dict[str, Any], names: tuple[str, ...]) -> Iterator[str]:
    """Yield delays and hops of each network with links whose delays are known."""
    for name in names:
        mark = f"@{name}" if f"delay_mean_ps@{name}" in q else ""
        known = f"delay_mean_ps{mark}" in q and (mark or name == names[0])
        if not known or (name and not q[f"links{mark}"]):
            continue
        delays = f"{q[f'delay_mean_ps{mark}'] / 1e3:.0f} ns mean, {q[f'delay_worst_ps{mark}'] / 1e3:.0f} ns max between routers"
        hops = f"{q[f'mean_hops{mark}']:.3f} hops mean, {q[f'diameter{mark}']} max"
        yield f"{name}: {delays}; {hops}" if name else f"{delays}; {hops}"


def _networks(plan: Plan) -> Iterator[str]:
    """Yield the size of each network with a name."""
    for one in networks(plan) if any(plan.network_names) and plan.inventory is not None else ():
        ports = f"{counted(one.endpoints, 'port')} of {counted(one.devices, 'device')}"
        cables = "" if one.cables is None else f", {counted(one.cables, 'cable')}"
        size = f"{counted(one.routers, 'router')}, {counted(one.links, 'link')}, {ports}{cables}"
        yield f"{one.name}: {one.family}, {size}"


def _alternatives(placement: Placement) -> Iterator[str]:
    """Yield the total cost of each variant of the open rules, cheapest first."""
    scale, unit = (100, "with cabinets") if placement.objective_unit == "cents" else (1, placement.objective_unit)
    for each in sorted(placement.alternatives, key=lambda each: each.total):
        rules = f"groups {each.groups}, packing {each.packing}, endpoints {each.endpoints}"
        total = f"{each.total / scale:,.0f} {unit}, {counted(each.cabinets, 'cabinet')}"
        yield f"{rules}: {total}{' (chosen)' if each.chosen else ' (short search)'}"


def violations(plan: Plan, limit: int = 12) -> None:
    """Print the violated rules, one per line."""
    found = plan.violations
    if not found.items:
        print(f"{'checked':<11} {len(found.checked)} rules, no violations")
        return
    print(
        f"{'checked':<11} {len(found.checked)} rules: {len(found.errors)} errors, {len(found.items) - len(found.errors)} warnings"
    )
    for item in sorted(found.items, key=lambda item: item.severity != "error")[:limit]:
        unit = f" {item.unit}" if item.unit else ""
        figures = f"{item.value:g}{unit}, limit {item.limit:g}{unit}"
        print(shown(f"  {item.severity}: {item.rule}: {item.where}: {figures} {item.message}".rstrip()))
    if len(found.items) > limit:
        print(f"  … and {len(found.items) - limit} more; see violations.json")
