"""`planner explore --room`: all configurations of all families with estimates of cost, power, latency and throughput."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from planner.commands import INTERRUPTED, SUCCESS
from planner.core.errors import Infeasible, InputError, Problem, suggestion

if TYPE_CHECKING:
    from planner.domain.model import Catalog, Room
    from planner.studies.explore.hall import Space

_ANY = {"name": "explore", "topology": {"family": "slimfly", "q": 5}}
"""Sections that a study needs besides catalog and room."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    room = parser.add_argument_group("room")
    room.add_argument(
        "--room", metavar="NAME", help="estimate all configurations in this room: a floor plan, as in [room] plan of a study"
    )
    room.add_argument(
        "--parts", metavar="ROUTER+ENDPOINT", help="comma-separated pairs of catalog parts: nvidia-qm8700+server-half-unit-200g"
    )
    room.add_argument("--cabinet", metavar="ID", help="cabinet part")
    room.add_argument(
        "--min-oversubscription",
        type=float,
        metavar="X",
        help="minimum injection rate over link capacity, below which links are idle (default: 2/3)",
    )
    room.add_argument(
        "--out",
        metavar="FILE",
        default="explore.sqlite",
        help="table of what is done; the same command continues (default: %(default)s)",
    )
    room.add_argument("--fresh", action="store_true", help="discard the table first")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.commands.console.bars import progress_bar
    from planner.core import version
    from planner.core.executors import executor
    from planner.studies.explore import hall
    from planner.studies.explore.hall import tables

    if arguments.csv:
        tables.checked(arguments.csv)
    space = _space(arguments)
    with (
        executor(arguments.jobs, arguments.cluster) as workers,
        progress_bar(arguments.quiet or arguments.json) as progress,
    ):
        found = hall.run(
            space, arguments.out, program=version.source(), executor=workers, fresh=arguments.fresh, progress=progress
        )
    rows = found.rows()
    if not rows and found.complete:
        raise Infeasible("no family has a configuration in these ranges")
    if arguments.csv:
        tables.write(rows, arguments.csv)
    if arguments.json:
        print(json.dumps({"configurations": rows, "front": tables.front(rows).tolist(), "complete": found.complete}, indent=1))
    else:
        print(tables.text(rows, space.catalogs[0].currency))
        if not found.complete:
            print(f"interrupted: the same command continues with {found.path}")
    return SUCCESS if found.complete else INTERRUPTED


def _space(arguments: argparse.Namespace) -> Space:
    """Return what to explore, with all problems of the options together."""
    from planner.studies.explore.candidates import all_families, can_choose
    from planner.studies.explore.hall import Space
    from planner.studies.explore.hall.networks import OVERSUBSCRIPTION

    known = [name for name in all_families() if can_choose(name)]
    families = [name.strip() for name in arguments.family.split(",")] if arguments.family else known
    problems = [
        Problem("--family", f"{name!r} cannot list its configurations", suggestion(name, known))
        for name in families
        if name not in known
    ]
    given = (arguments.min_oversubscription, arguments.oversubscription)
    ratios = tuple(default if each is None else each for each, default in zip(given, OVERSUBSCRIPTION, strict=True))
    if not 0 < ratios[0] <= ratios[1] < float("inf"):
        message = f"{ratios[0]:g} to {ratios[1]:g} is no range of ratios above 0"
        problems.append(Problem("--oversubscription", message, "write --min-oversubscription 0.5 --oversubscription 2"))
    if arguments.endpoints is None:
        problems.append(Problem("--endpoints", "is missing: a room is filled", "write --endpoints 500-1500"))
    if arguments.growth is not None:
        problems.append(Problem("--growth", "does not apply to a room", "leave out --growth or --room"))
    if arguments.plot:
        problems.append(Problem("--plot", "does not apply to a room", "write --csv and use planner plot"))
    if arguments.seed < 0:
        problems.append(Problem("--seed", f"must be at least 0, not {arguments.seed}"))
    room, catalogs = _records(arguments, problems)
    if problems or room is None:
        raise InputError(problems)
    return Space(
        room,
        catalogs,
        arguments.endpoints,
        tuple(dict.fromkeys(families)),
        arguments.routers or (2, 100_000),
        arguments.radix or (1, 512),
        (ratios[0], ratios[1]),
        arguments.seed,
    )


def _records(arguments: argparse.Namespace, problems: list[Problem]) -> tuple[Room | None, tuple[Catalog, ...]]:
    """Return the room, and the catalog of each pair of parts, collecting all problems."""
    from planner.studies import pipeline, study

    if not arguments.parts:
        problems.append(Problem("--parts", "is missing", "write --parts nvidia-qm8700+server-half-unit-200g"))
    if not arguments.cabinet:
        problems.append(Problem("--cabinet", "is missing", "write --cabinet hpe-10648-g2"))
    if not arguments.parts or not arguments.cabinet:
        return None, ()
    room, catalogs = None, []
    for pair in dict.fromkeys(arguments.parts.split(",")):
        router, plus, endpoint = pair.strip().partition("+")
        if not plus:
            problems.append(Problem("--parts", f"{pair!r} is no pair", "write the router, +, and the endpoint"))
            continue
        catalog = {"router": router, "endpoint": endpoint, "cabinet": arguments.cabinet}
        try:
            made = study.check(_ANY | {"catalog": catalog, "room": {"plan": arguments.room}}, base=Path.cwd())
            plan = pipeline.make(made, ["catalog", "room"], accepted=False)
        except InputError as error:
            # The room is the same for all pairs.
            problems += (problem for problem in error.problems if problem not in problems)
            continue
        room = plan.room
        catalogs.append(plan.catalog)
    return room, tuple(catalogs)
