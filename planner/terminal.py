"""Terminal output: progress bars, result tables, violations, and the study template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from planner.model import Placement, Plan, Topology
from planner.names import shown
from planner.progress import Progress, silent

TEMPLATE = """\
# A study: network, catalog parts and room. All keys that are left out have defaults;
# `planner list` shows the available elements. Lengths are in mm, prices in cents, power in mW.
name = "{name}"
title = "Slim Fly with 200 endpoints"
seed = 1

[topology]
family = "slimfly"              # see `planner list topology`, or your.own.module
q = 5
endpoints_per_router = 4

[catalog]
router = "nvidia-sb7800"        # ids of catalog rows
endpoint = "server-half-unit"
cabinet = "apc-ar3300"
# pdu = "apc-ap8886"            # also cable_manager, blanking_panel, media, files

[room]
plan = "lab"                    # a shipped floor plan, or a path such as "my-hall.toml"

[placement]
algorithm = "auto"              # see `planner list placement`
objective = "price"             # or "length", "power", "delay"
groups = "auto"                 # or "required", "preferred", "ignored"
endpoints = "auto"              # or "together" (with their routers), "apart"

# [[placement.spread]]          # limit the number of spines per cabinet
# at_most = 4
# where = {{ level = 1 }}

# [placement.interior]          # arrangement inside each cabinet
# feeds = "A+B"
# routers_per_manager = 4

[cabling]
prefer = "price"                # or "power", "delay"
label = "tia606"                # or "hpe", "serial", or your own template
bundling = "loom"               # or "row_loom", "trunk", "multicore", "shuffle"
# overrides = "lengths.csv"     # run lengths given by hand
# custom_lengths = true

[cabling.slack]
end_mm = 300
loop_mm = 500

[work]
crews = 2

[bill]
spares = "one-per-hundred"      # or "none"
years = 0                       # years of energy cost
# prices = "slimfly"            # use the cost model of a paper instead of the catalog

[latency]
fec = "none"                    # or "auto"

[simulation]                    # leave this section out to skip the simulation
routing = "minimal"
traffic = "uniform"
loads = [0.1, 0.3, 0.5, 0.7, 0.9]
# saturation = true             # search for the saturation throughput
# precision = 0.01              # measure until the 95 % intervals are within 1 % of the mean
# outages = [{{domains = ["cabinet A01"]}}, {{cycle = 4000, link_share = 0.01}}]

# [workload]                    # job completion times; see `planner list motif`
# jobs = [{{motif = "allreduce", ranks = 128}}, {{motif = "alltoall", placement = "random"}}]

[report]
formats = ["pdf", "xlsx", "csv"]
"""


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Progress]:
    """Yield a progress callback that draws one bar per stage on standard error."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield silent
        return
    columns = (TextColumn("{task.description:<11}"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.fields[facts]}"))
    with Bars(*columns, console=console) as bars:
        tasks: dict[str, Any] = {}

        def show(stage: str, done: int, total: int, **facts: Any) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total or None, facts="")
            text = "  ".join(f"{key} {value}" for key, value in facts.items())
            bars.update(tasks[stage], completed=done, total=total or None, **({"facts": text} if text else {}))

        yield show


@contextmanager
def sweep_bar(quiet: bool) -> Iterator[Progress]:
    """Yield a progress callback that draws one bar with rate and remaining time on standard error."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield silent
        return
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn(), TextColumn("left"))
    with Bars(*columns, TextColumn("{task.fields[facts]}"), console=console, speed_estimate_period=300) as bars:
        bar = bars.add_task("sweep", total=None, rate="", facts="")
        started: list[int] = []

        def show(stage: str, done: int, total: int, **facts: Any) -> None:
            if not started:
                # Reused runs do not count toward the rate.
                started.append(done)
            task = bars.tasks[bar]
            rate = (done - started[0]) / task.elapsed if task.elapsed else 0.0
            per = f"{rate:.1f}/s" if rate >= 1 else f"{60 * rate:.1f}/min"
            text = "  ".join(f"{value} {key}" for key, value in facts.items())
            bars.update(bar, completed=done, total=total, rate=per, facts=text)

        yield show


def sweep_list(changes: Iterable[Mapping[str, Any]]) -> str:
    """Return one line per run of a sweep with its changed values."""
    return "\n".join(
        f"{number:>6}  " + ", ".join(f"{path} = {value!r}" for path, value in changed.items())
        for number, changed in enumerate(changes, 1)
    )


def sweep_summary(result: Any, paths: Iterable[Path]) -> None:
    """Print the number of runs by status and the paths of the tables."""
    counts = ", ".join(f"{count:,} {status}" for status, count in sorted(result.counts.items()))
    print(f"{result.runs:,} runs: {counts}; {result.reused:,} reused")
    if result.others:
        print("the table also contains runs of another version of Planner (see the column program); --fresh discards them")
    for path in paths:
        print(path)


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


def key_figures(plan: Plan) -> list[tuple[str, str]]:
    """Return the key figures of a plan as pairs of name and text."""
    q = {name: entry["value"] for name, entry in plan.quantities.items()}
    rows = [("network", f"{plan.topology.family}: {q['routers']:,} routers, {q['links']:,} links, {q['endpoints']:,} endpoints")]
    if "cabinets" in q:
        rows.append(("floor", f"{counted(q['cabinets'], 'cabinet')} in {plan.room.title} ({counted(q['slots'], 'slot')})"))
    if "cables" in q:
        media = " + ".join(
            f"{q[f'cables_{m}']:,} {m.replace('_', ' ')}" for m in ("copper", "active_copper", "optical") if q[f"cables_{m}"]
        )
        rows.append(("cables", f"{q['cables']:,}: {media}; {q['cables_between_cabinets']:,} between cabinets"))
        if lacking := q["optical_for_lack_of_copper"]:
            kinds = f"{counted(lacking, 'cable')} inside cabinets {'is' if lacking == 1 else 'are'} optical"
            rows.append(("", f"{kinds}: the catalog has no copper part for their ports and length"))
        rows.append(
            (
                "length",
                f"{q['run_mm'] / 1e6:,.2f} km run, {q['stock_mm'] / 1e6:,.2f} km bought ({_ratio(q)}), "
                f"longest {q['longest_run_mm'] / 1e3:.1f} m",
            )
        )
        detour = f"; routes {q['tray_detour_percent']:.1f} % longer than the shortest" if q["tray_detour_percent"] else ""
        limit = f"design limit {100 * plan.room.design_fill:g} %"
        rows.append(("trays", f"fullest {q['fullest_tray_percent']:.1f} % ({limit}){detour}"))
        if (why := plan.cables.bottleneck) is not None:
            lack = (
                f": {why.needed / 1e6:,.0f} mm² of cables must cross a cut with space for {why.room / 1e6:,.0f} mm²"
                if why.is_cut
                else ""
            )
            rows.append(
                ("", f"proven: no routes keep that limit; bottleneck of {counted(len(why.segments), 'tray segment')}{lack}")
            )
    if "work_s" in q:
        done = f"makespan {q['makespan_s'] / 3600:,.1f} h"
        rows.append(("work", f"{q['work_s'] / 3600:,.1f} person-hours, {counted(q['bundles'], 'bundle')}; {done}"))
    if "cost_cents" in q:
        each = f"; {q['cost_per_endpoint_cents'] / 100:,.0f} per endpoint" if "cost_per_endpoint_cents" in q else ""
        rows.append(("cost", f"{q['cost_cents'] / 100:,.0f} {plan.bill.currency}{each}"))
        rows.append(("power", f"{q['power_mw'] / 1e6:,.2f} kW typical"))
    if q.get("near_misses"):
        saving = f"{q['near_misses_cents'] / 100:,.0f} {plan.catalog.currency}"
        rows.append(("near misses", f"{q['near_misses']:,} cables slightly too long for a cheaper part, {saving} in total"))
    if "delay_mean_ps" in q:
        hops = f"{q['mean_hops']:.3f} hops mean, {q['diameter']} max"
        rows.append(
            (
                "latency",
                f"{q['delay_mean_ps'] / 1e3:.0f} ns mean, {q['delay_worst_ps'] / 1e3:.0f} ns max between routers; {hops}",
            )
        )
    if "throughput" in q:
        rows.append(
            (
                "throughput",
                f"{q['throughput']:.3f} of the injection rate, "
                f"{plan.simulation.traffic} traffic, {plan.simulation.routing} routing",
            )
        )
    if plan.placement is not None and plan.placement.start_objective:
        saved = 100 * (1 - plan.placement.objective / plan.placement.start_objective)
        rows.append(("placement", f"{plan.placement.method}; {saved:.1f} % below the initial layout"))
    if plan.placement is not None and (gap := plan.placement.gap) is not None:
        what = "the cost of links and endpoint cables" if plan.topology.endpoint_count else "the cost of links"
        saves = f"gap to the lower bound {100 * gap:.1f} % of {what}" if gap > 1e-9 else f"optimal for {what}"
        rows.append(("", f"{saves} (bound: {plan.placement.bound_method}; {plan.placement.bound_covers})"))
    if plan.placement is not None:
        rows += [("" if number else "open rules", text) for number, text in enumerate(_alternatives(plan.placement))]
    return rows


def _alternatives(placement: Placement) -> Iterator[str]:
    """Yield the total cost of each variant of the open rules, cheapest first."""
    scale, unit = (100, "with cabinets") if placement.unit == "cents" else (1, placement.unit)
    for each in sorted(placement.alternatives, key=lambda each: each.total):
        rules = f"groups {each.groups}, packing {each.packing}, endpoints {each.endpoints}"
        total = f"{each.total / scale:,.0f} {unit}, {counted(each.cabinets, 'cabinet')}"
        yield f"{rules}: {total}{' (chosen)' if each.chosen else ' (short search)'}"


def figures(network: Topology, found: dict[str, Any]) -> str:
    """Return graph metrics of a network as aligned lines."""
    given = ", ".join(f"{key} = {value}" for key, value in network.params.items() if value is not None)
    lines = [f"{network.family} ({given})"]
    for name, value in found.items():
        text = "–" if value is None else f"{value:,.4f}".rstrip("0").rstrip(".") if isinstance(value, float) else f"{value:,}"
        lines.append(f"  {name.replace('_', ' '):<32} {text if not isinstance(value, bool) else 'yes' if value else 'no'}")
    return shown("\n".join(lines))


def violations(plan: Plan, limit: int = 12) -> None:
    """Print the violated rules, one per line."""
    found = plan.violations
    if not found.items:
        print(f"{'checked':<11} {len(found.checked)} rules, no violations")
        return
    print(
        f"{'checked':<11} {len(found.checked)} rules: {len(found.errors)} errors, {len(found.items) - len(found.errors)} warnings"
    )
    for item in found.items[:limit]:
        unit = f" {item.unit}" if item.unit else ""
        figures = f"{item.value:g}{unit}, limit {item.limit:g}{unit}"
        print(shown(f"  {item.severity}: {item.rule}: {item.where}: {figures} {item.message}".rstrip()))
    if len(found.items) > limit:
        print(f"  … and {len(found.items) - limit} more; see violations.json")
