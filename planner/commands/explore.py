"""List the configurations of topology families by radix, estimate them in a room, or compare the families by how they grow."""

from __future__ import annotations

import argparse
import json
from typing import Any

from planner.commands import INTERRUPTED, SUCCESS, _explore_room, add_workers, positive, span
from planner.core.errors import Infeasible, InputError, Problem


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "--radix", type=span, metavar="A-B", help="links per router: a number or a range such as 8-64 (optional with --growth)"
    )
    parser.add_argument("--routers", type=span, metavar="A-B", help="only networks with a number of routers in this range")
    parser.add_argument("--endpoints", type=span, metavar="A-B", help="only networks with a number of endpoints in this range")
    parser.add_argument(
        "--family", metavar="NAMES", help="comma-separated families (default: all that can list their configurations)"
    )
    parser.add_argument(
        "--reference", default="polarstar", metavar="FAMILY", help="family to compare the others with (default: polarstar)"
    )
    parser.add_argument(
        "--csv", metavar="FILE", help="write all configurations, or all stages, to this CSV file (with --room also Parquet)"
    )
    parser.add_argument(
        "--plot", metavar="FILE", help="write plots to this PDF file: order, Moore efficiency, feasible sizes; or moved links"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    growth = parser.add_argument_group("growth")
    growth.add_argument(
        "--growth", metavar="SIZES", help="compare families by how they grow over these numbers of endpoints: 1000,2000,4000"
    )
    growth.add_argument("--ports", type=positive, metavar="N", help="ports per router, for links and endpoints")
    growth.add_argument(
        "--method", default="auto", metavar="NAME", help="method of growth (see planner list growth; default: auto)"
    )
    growth.add_argument(
        "--reserve", action="store_true", help="keep ports free for later routers where a family or method can do that"
    )
    growth.add_argument(
        "--oversubscription",
        type=float,
        metavar="X",
        help="maximum injection rate over link capacity (default: 1; with --room 1.5)",
    )
    growth.add_argument("--ends-down", type=positive, default=1, metavar="N", help="ports of a router out at once (default: 1)")
    growth.add_argument("--cables-down", type=positive, default=40, metavar="N", help="cables out at once (default: 40)")
    growth.add_argument(
        "--moves", type=positive, metavar="N", help="effort of the method match for each step, in moves (default: 20,000,000)"
    )
    _explore_room.arguments(parser)
    both = parser.add_argument_group("growth and room")
    both.add_argument("--seed", type=int, default=1, metavar="N", help="random seed (default: 1)")
    both.add_argument("--quiet", action="store_true", help="show no progress bar")
    add_workers(both)


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    if arguments.room is not None:
        return _explore_room.run(arguments)
    return _sizes(arguments) if arguments.growth is None else _growth(arguments)


def _sizes(arguments: argparse.Namespace) -> int:
    from dataclasses import asdict

    from planner.studies.explore import explore, output, ratios

    if arguments.radix is None:
        raise InputError(
            Problem("--radix", "is missing", "write --radix 8-64, --growth 1000,2000,4000 --ports 36, or --room hall-a")
        )
    first, last = arguments.radix
    names = arguments.family.split(",") if arguments.family else None
    found = explore(range(first, last + 1), names, routers=arguments.routers, endpoints=arguments.endpoints)
    if not found:
        raise Infeasible("no family has a configuration in these ranges")
    comparison = ratios(found, arguments.reference)
    if arguments.csv:
        output.write_csv(found, arguments.csv)
    if arguments.plot:
        from planner.studies.explore.plots import write_plots

        write_plots(found, arguments.plot)
    if arguments.json:
        print(json.dumps({"configurations": [asdict(c) for c in found], "ratios": [asdict(r) for r in comparison]}, indent=1))
    else:
        print(output.table(found, comparison, arguments.reference))
    return SUCCESS


def _growth(arguments: argparse.Namespace) -> int:
    from planner.commands.console.bars import progress_bar
    from planner.core.executors import executor
    from planner.studies.explore import growth_output as output
    from planner.studies.explore.growing import explore_growth

    wish = _wish(arguments)
    families = [name.strip() for name in arguments.family.split(",")] if arguments.family else None
    with (
        executor(arguments.jobs, arguments.cluster) as workers,
        progress_bar(arguments.quiet or arguments.json) as progress,
    ):
        found, complete = explore_growth(wish, families, executor=workers, progress=progress)
    if not any(each.rows for each in found) and complete:
        reasons = "; ".join(f"{each.family}: {each.reason}" for each in found)
        raise Infeasible(f"no family grows over these sizes: {reasons}")
    if arguments.csv:
        output.write_csv(found, arguments.csv)
    if arguments.plot:
        output.write_plot(found, arguments.plot)
    if arguments.json:
        print(json.dumps(output.content(found, wish) | {"complete": complete}, indent=1))
    else:
        print(output.table(found, wish))
        if not complete:
            print("interrupted: families that were not done are missing")
    return SUCCESS if complete else INTERRUPTED


def _wish(arguments: argparse.Namespace) -> Any:
    """Return what the families have to reach, with all problems of the options together."""
    from planner.studies.explore.growing import MOVES, Wish
    from planner.studies.explore.growing import problems as wrong
    from planner.studies.explore.growth_output import plot_problems

    problems = []
    try:
        sizes = tuple(int(text.replace("_", "")) for text in arguments.growth.split(","))
    except ValueError:
        sizes = (1, 2)
        problems.append(
            Problem("--growth", f"must be numbers of endpoints, not {arguments.growth!r}", "write --growth 1000,2000,4000")
        )
    if arguments.ports is None:
        problems.append(Problem("--ports", "is missing: growth needs the ports per router", "write --ports 36"))
    oversubscription = 1.0 if arguments.oversubscription is None else arguments.oversubscription
    if not 1 <= oversubscription < float("inf"):
        problems.append(Problem("--oversubscription", f"must be at least 1, not {oversubscription:g}"))
    if arguments.seed < 0:
        problems.append(Problem("--seed", f"must be at least 0, not {arguments.seed}"))
    if arguments.moves is not None and arguments.method != "match":
        problems.append(Problem("--moves", f"is the effort of match, not of {arguments.method}", "write --method match"))
    for name in ("routers", "endpoints"):
        if getattr(arguments, name) is not None:
            problems.append(Problem(f"--{name}", "does not apply to growth", "choose sizes with --growth, links with --radix"))
    if arguments.plot:
        problems += plot_problems(arguments.plot)
    wish = Wish(
        sizes,
        arguments.ports or 36,
        arguments.radix,
        oversubscription,
        arguments.method,
        arguments.reserve,
        arguments.ends_down,
        arguments.cables_down,
        arguments.moves or MOVES,
        max(arguments.seed, 0),
    )
    names = [name.strip() for name in arguments.family.split(",")] if arguments.family else []
    problems += wrong(wish, names)
    if problems:
        raise InputError(problems)
    return wish
