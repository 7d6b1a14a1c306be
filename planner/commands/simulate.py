"""Simulate packets on the network of a study; print delay, accepted load and job completion times."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from planner.commands import SUCCESS, add_overrides, positive

if TYPE_CHECKING:
    from planner.domain.model import Plan, SimulationResult


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("study", help="study file, or a folder with study.toml")
    parser.add_argument("--routing", help="routing (see planner list routing; default: that of the study)")
    parser.add_argument("--traffic", help="traffic pattern (see planner list traffic; default: that of the study)")
    parser.add_argument("--loads", help="comma-separated offered loads in phits per cycle and endpoint, such as 0.1,0.3,0.5")
    parser.add_argument("--cycles", type=positive, metavar="N", help="measured cycles")
    parser.add_argument(
        "--precision",
        type=float,
        metavar="SHARE",
        help="measure until the 95 %% confidence intervals are within this share of the mean, such as 0.01",
    )
    parser.add_argument("--saturation", action="store_true", help="search for the saturation throughput")
    add_overrides(parser)
    parser.add_argument("--links", type=int, default=5, metavar="N", help="number of busiest links to print (default: 5)")
    parser.add_argument("--jobs", type=positive, metavar="N", help="number of processes (default: one per processor)")
    parser.add_argument("--out", metavar="FILE", help="write a row per load to this CSV file")
    parser.add_argument(
        "--model", action="store_true", help="print estimates of the flow-level model with their error at once; no packets"
    )
    growth = parser.add_argument_group("while a crew works")
    growth.add_argument(
        "--window", metavar="N", help="networks of windows of work: all, a number, or a range such as 1-5; before and after, too"
    )
    growth.add_argument("--phase", metavar="NAME", help="phase that the machine grows to (default: the last one)")
    growth.add_argument("--from", dest="old", metavar="PLAN", help="folder of the plan before, for a study without phases")
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.commands.console.bars import progress_bar
    from planner.commands.run import workers
    from planner.core.names import shown
    from planner.simulation.curve import write
    from planner.studies import pipeline
    from planner.studies.folder import ReadOnlyFolder

    study = _study(arguments)
    if arguments.window or arguments.phase or arguments.old:
        from planner.commands import _windows

        return _windows.run(study, arguments)
    # Placement and cabling of a finished plan are reused; its folder is only read.
    store = ReadOnlyFolder(study.base, study, resume=True)
    if arguments.model:
        print(shown("\n".join(_estimates(study, store, arguments))))
        return SUCCESS
    with progress_bar(arguments.quiet) as progress, workers(arguments.jobs) as executor:
        wanted = ("simulation", "workload") if "workload" in study.sections else ("simulation",)
        plan = pipeline.make(study, wanted, store=store, progress=progress, executor=executor, accepted=False)
    if arguments.out:
        write(plan.simulation, arguments.out)
    lines = [*_points(plan), *_limits(plan.simulation), *_links(plan.of_section("simulation"), arguments.links)]
    if plan.workload is not None:
        lines += _jobs(plan)
    print(shown("\n".join(lines)))
    return SUCCESS


def _study(arguments: argparse.Namespace) -> Any:
    """Load the study, add a simulation if it has none, and apply the command line overrides."""
    from pathlib import Path

    from planner.studies import study

    document = study.read(arguments.study, arguments.set)
    data, lines = document.data, dict(document.lines)
    section = data.setdefault("simulation", {})
    if isinstance(section, dict):
        for key in ("routing", "traffic"):
            if getattr(arguments, key) is not None and getattr(arguments, key) != section.get(key):
                section[key] = getattr(arguments, key)
                lines[f"simulation.{key}"] = f"--{key} {section[key]}"
                # The study's parameters belong to the element that is replaced.
                section.pop(f"{key}_parameters", None)
        if arguments.loads is not None:
            section["loads"] = [_number(text) for text in arguments.loads.split(",")]
            lines["simulation.loads"] = f"--loads {arguments.loads}"
        given = {"cycles": arguments.cycles, "precision": arguments.precision, "saturation": arguments.saturation or None}
        section |= {key: value for key, value in given.items() if value is not None}
        lines |= {f"simulation.{key}": f"--{key} {value}" for key, value in given.items() if value is not None}
    return study.check(data, base=Path(document.file).parent, file=document.file, lines=lines)


def _estimates(study: Any, store: Any, arguments: argparse.Namespace) -> list[str]:
    """Return the lines of the flow-level model for the simulation of a study."""
    from planner.commands.console.bars import progress_bar
    from planner.core.errors import InputError
    from planner.simulation.fluid import estimate
    from planner.studies import pipeline

    chosen = study.sections["simulation"]
    with progress_bar(arguments.quiet) as progress:
        wanted = ("cables", "inventory") if study.physical else ("topology",)
        plan = pipeline.make(study, wanted, store=store, progress=progress, accepted=False).of_section("simulation")
    own_rates = bool(study.networks) and chosen["link_gbps"] is None
    try:
        return _of_model(estimate(plan, seed=study.seed, physical=study.physical, own_rates=own_rates, settings=chosen))
    except InputError as error:
        raise error.located(study.file, "simulation", study.lines) from None


def _of_model(estimate: Any) -> list[str]:
    """Return the lines of an estimate; delays are in nanoseconds where the cycle time is known."""
    cycle, unit = (estimate.cycle_ps / 1000, "ns") if estimate.cycle_ps else (1.0, "cycles")
    low, high = estimate.saturation_range
    lines = [
        f"flow-level model, no packets: {estimate.routing} routing, {estimate.traffic} traffic; estimated delays in {unit}",
        f"saturation throughput about {estimate.saturation:.3f}; by the errors measured for such cases {low:.3f} to {high:.3f}",
    ]
    if estimate.limited_by:
        lines.append(f"first limit: {estimate.limited_by}, at offered load {estimate.first_full:.3f}")
    lines += [f"no substitute for a simulation: {each}" for each in (estimate.advice, estimate.delay_advice) if each]
    lines.append("".join(f"{name:>10}" for name in ("offered", "delay", "99 %", "max link")))
    for n, load in enumerate(estimate.offered.tolist()):
        values = (estimate.delay_mean[n] * cycle, estimate.delay_p99[n] * cycle)
        fields = [f"{load:.4f}", *(f"{value:.1f}" if value == value else "–" for value in values)]
        busiest = estimate.link_load[n].max(initial=0)
        fields.append(f"{busiest:.3f}" if busiest == busiest else "–")
        lines.append("".join(f"{field:>10}" for field in fields) + "  saturated" * bool(load > estimate.saturation))
    return lines


def _number(text: str) -> Any:
    """Parse a load; invalid text is passed on and reported by the check of the study."""
    try:
        return float(text)
    except ValueError:
        return text


def _on(plan: Plan, section: str) -> str:
    """Return the words for the network of a simulation in a plan of several."""
    one = plan.of_section(section)
    name = one.network_names[one.network]
    return f"network {name}: " if name else ""


def _points(plan: Plan) -> list[str]:
    """Return the table of loads; delays are in nanoseconds where the cycle time is known."""
    result = plan.simulation
    cycle, unit = (result.cycle_ps / 1000, "ns") if result.cycle_ps else (1.0, "cycles")
    head = (
        "offered",
        "accepted",
        "±",
        "delay",
        "±",
        "network",
        "queues",
        "median",
        "99 %",
        "largest",
        "hops",
        "fairness",
    )
    lines = [
        f"{_on(plan, 'simulation')}{result.routing} routing, {result.traffic} traffic, packets of {result.packet_phits} phits, "
        f"{result.virtual_channels} virtual channels; delays in {unit}",
        "".join(f"{name:>10}" for name in head).rstrip(),
    ]
    loads = (result.offered, result.accepted, result.accepted_error)
    delays = (
        result.delay_mean, result.delay_error, result.delay_network, result.delay_queue, result.delay_p50, result.delay_p99,
        result.delay_max,
    )  # fmt: skip
    for n in range(len(result.offered)):
        fields = [
            *(f"{values[n]:.4f}" for values in loads),
            *(f"{values[n] * cycle:.1f}" if values[n] == values[n] else "–" for values in delays),
            f"{result.mean_hops[n]:.3f}",
            f"{result.fairness[n]:.3f}",
        ]
        lines.append("".join(f"{field:>10}" for field in fields) + _state(result, n))
    return lines


def _state(result: SimulationResult, n: int) -> str:
    dropped = f"  {result.dropped[n]:,} packets dropped" if result.dropped[n] else ""
    if result.deadlock[n] >= 0:
        return f"{dropped}  deadlock in cycle {result.deadlock[n]:,}"
    return dropped + "  saturated" * bool(result.saturated[n]) + "  not in a steady state" * (not result.settled[n])


def _limits(result: SimulationResult) -> list[str]:
    lines = []
    if result.load_bound is not None:
        lines.append(f"upper bound of the accepted load: {result.load_bound:.3f} (every link saturated, minimal paths)")
    if result.saturation_throughput is not None:
        found = (
            f"saturates between {result.saturation_low:.3f} and {result.saturation_high:.3f}"
            if result.saturates
            else "no saturation up to full offered load"
        )
        lines.append(f"{found}; throughput {result.saturation_throughput:.3f}")
    if is_blocked(result):
        lines.append(
            "below that bound under uniform traffic: packets wait in input queues behind others for busy ports (head-of-line "
            "blocking); crossbar_speedup = 2 or more channels raise the limit"
        )
    if result.checked_pairs:
        part = "all" if result.checked_pairs == result.router_pairs else f"{result.checked_pairs:,} of {result.router_pairs:,}"
        lines.append(f"deadlock-free: the channel dependency graph is acyclic for {part} router pairs")
    return lines


_BLOCKED = 0.8
"""Share of the bound below which saturated uniform traffic is reported as limited by the queues of the routers."""


def is_blocked(result: SimulationResult) -> bool:
    """Return whether uniform traffic saturates far below full links, so that the queues of routers limit it."""
    if result.load_bound is None or result.traffic != "uniform" or not result.saturated.any() or (result.deadlock >= 0).any():
        return False
    carried = result.saturation_throughput or float(result.accepted.max())
    return carried < _BLOCKED * result.load_bound and result.routing != "valiant"


def _links(plan: Plan, count: int) -> list[str]:
    """Return the busiest link directions, with cable labels where cables are planned."""
    result, topology, cables = plan.simulation, plan.topology, plan.cables
    first = plan.inventory.links(plan.network).start if cables is not None else 0
    point = result.steady if result.steady is not None else len(result.offered) - 1
    busiest = result.busiest(point, count)
    if not busiest:
        return []
    lines = [f"busiest links at offered load {result.offered[point]:g}, phits per cycle:"]
    for link, direction, load in busiest:
        source, target = topology.links[link][:: -1 if direction else 1]
        name = f"  {cables.label_a[first + link]} – {cables.label_b[first + link]}" if cables is not None else ""
        lines.append(f"  {load:.3f}  router {source} to {target}{name}")
    return lines


def _jobs(plan: Plan) -> list[str]:
    """Return the table of jobs: completion time, and its lower bound by the longest message chain."""
    workload = plan.workload
    width = max(10, *(len(name) + 2 for name in workload.motifs))
    scheduled = ("steps", "conflicts") if workload.steps.any() else ()
    head = ("ranks", "messages", "MB", "time us", "lower bound", "max link", *scheduled)
    titles = "motif".ljust(width) + "".join(f"{name:>14}" for name in head)
    lines = [f"{_on(plan, 'workload')}{workload.routing} routing, each job alone on the network", titles]
    us = workload.cycle_ps / 1e6
    for n, motif in enumerate(workload.motifs):
        fields = (
            f"{workload.ranks[n]:,}", f"{workload.messages[n]:,}", f"{workload.bytes[n] / 1e6:,.2f}",
            f"{workload.completion_cycles[n] * us:,.2f}", f"{workload.bound_cycles[n] * us:,.2f}",
            f"{workload.busiest_link[n]:.3f}",
            *(f"{getattr(workload, name)[n]:,}" if workload.steps[n] else "" for name in scheduled),
        )  # fmt: skip
        stuck = "" if workload.finished[n] else "  deadlock" if workload.deadlock[n] >= 0 else "  interrupted"
        lines.append(f"{motif:<{width}}" + "".join(f"{field:>14}" for field in fields) + stuck)
    return lines
