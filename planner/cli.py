"""Command line: arguments to one library call to printed text. Heavy imports happen inside commands."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from planner import __version__, registry
from planner.errors import CheckFailed, Infeasible, InputError, PlannerError

FINE, VIOLATIONS, BAD_INPUT, OUR_BUG, INTERRUPTED = 0, 1, 2, 3, 130


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code.

    0 fine; 1 the plan has broken rules, or nothing fits; 2 bad input; 3 our bug; 130 interrupted.
    """
    arguments = _parser().parse_args(argv)
    try:
        return arguments.command(arguments)
    except InputError as error:
        for problem in error.problems:
            _complain("error", str(problem))
        return BAD_INPUT
    except Infeasible as error:
        _complain("does not fit", str(error))
        return VIOLATIONS
    except KeyboardInterrupt:
        _complain("interrupted", "finished stages are kept; the same command goes on from there")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except (PlannerError, Exception) as error:
        return _our_bug(error)


def _list(arguments: argparse.Namespace) -> int:
    kinds = [arguments.kind] if arguments.kind else list(registry.KINDS)
    elements = [(kind, name, *registry.summary(kind, name)) for kind in kinds for name in registry.names(kind)]
    if arguments.json:
        keys = ("kind", "name", "meaning", "parameters")
        print(json.dumps([dict(zip(keys, element, strict=True)) for element in elements], indent=1))
        return FINE
    last = None
    for kind, name, meaning, parameters in elements:
        if kind != last:
            print(f"{'' if last is None else chr(10)}{kind}")
            last = kind
        print(f"  {name:<12} {meaning}")
        if parameters:
            print(f"  {'':<12} {parameters}")
    return FINE


def _run(arguments: argparse.Namespace) -> int:
    from planner import flow, study
    from planner.terminal import progress_bar, summary

    checked = study.load(arguments.study, arguments.set)
    with progress_bar(arguments.quiet or arguments.json) as progress, _executor(arguments.workers) as executor:
        plan = flow.run(
            checked,
            out=arguments.out,
            until=arguments.until,
            progress=progress,
            executor=executor,
            resume=not arguments.fresh,
        )
    if arguments.json:
        print(json.dumps(plan.quantities, indent=1, sort_keys=True))
    elif not arguments.quiet:
        summary(plan, Path(arguments.out or checked.base), checked.sections["report"]["formats"] if not arguments.until else ())
    return _verdict(plan)


def _report(arguments: argparse.Namespace) -> int:
    from planner import flow, registry
    from planner.terminal import progress_bar

    formats = tuple(name.strip() for name in arguments.format.split(",") if name.strip())
    for name in formats:
        registry.load("report", name)
    plan = flow.restore(arguments.folder)
    with progress_bar(arguments.quiet) as progress:
        paths = flow.write_reports(plan, Path(arguments.out or arguments.folder), formats, progress)
    for path in paths:
        print(path)
    return FINE


def _check(arguments: argparse.Namespace) -> int:
    from dataclasses import replace

    from planner import flow
    from planner.check import check
    from planner.record import plain
    from planner.terminal import violations

    plan = flow.restore(arguments.folder)
    if plan.cables is None:
        raise InputError(_problem(arguments.folder, "the plan has no cables yet", "run it without --until"))
    plan = replace(plan, violations=check(plan))
    if arguments.json:
        print(json.dumps(plain(plan.violations.items), indent=1))
    else:
        violations(plan)
    return _verdict(plan)


def _explore(arguments: argparse.Namespace) -> int:
    from dataclasses import asdict

    from planner.explore import explore, output, ratios

    first, last = arguments.radix
    names = arguments.family.split(",") if arguments.family else None
    found = explore(range(first, last + 1), names, routers=arguments.routers, endpoints=arguments.endpoints)
    if not found:
        raise Infeasible("no family has such a network in these ranges")
    comparison = ratios(found, arguments.reference)
    if arguments.csv:
        output.write_csv(found, arguments.csv)
    if arguments.plot:
        from planner.explore.plots import write_plots

        write_plots(found, arguments.plot)
    if arguments.json:
        print(json.dumps({"configurations": [asdict(c) for c in found], "ratios": [asdict(r) for r in comparison]}, indent=1))
    else:
        print(output.table(found, comparison, arguments.reference))
    return FINE


def _topology(arguments: argparse.Namespace) -> int:
    from planner import metrics, topology
    from planner.study import parameters_of
    from planner.terminal import figures, progress_bar

    network = topology.build(arguments.family, **parameters_of(arguments.parameters))
    with progress_bar(arguments.quiet or arguments.json) as progress:
        found = metrics.figures(network, effort=arguments.effort, progress=progress)
    if arguments.json:
        print(json.dumps({"family": network.family, "parameters": network.params, "figures": found}, indent=1, default=str))
    else:
        print(figures(network, found))
    return FINE


def _qap(arguments: argparse.Namespace) -> int:
    from planner.qap.assess import assess
    from planner.terminal import progress_bar

    seconds = arguments.seconds
    if seconds is None and arguments.moves is None:
        seconds = 10.0
    with progress_bar(arguments.quiet or arguments.json) as progress:
        found = assess(
            arguments.file,
            seed=arguments.seed,
            seconds=seconds,
            moves=arguments.moves,
            algorithm="exact" if arguments.exact else arguments.algorithm,
            out=arguments.out,
            progress=progress,
        )
    if arguments.json:
        print(json.dumps(found.figures(), indent=1))
    else:
        print(found.text())
    return FINE


def _floor_check(arguments: argparse.Namespace) -> int:
    from planner import floor

    found = floor.survey(floor.room(arguments.plan, routers=arguments.routers))
    print(json.dumps(found, indent=1) if arguments.json else floor.survey_text(found))
    return FINE


def _floor_draw(arguments: argparse.Namespace) -> int:
    from planner import floor

    print(floor.draw(arguments.plan, arguments.out, routers=arguments.routers, scale=arguments.scale))
    return FINE


def _floor_import(arguments: argparse.Namespace) -> int:
    from planner import floor

    room = floor.import_dxf(arguments.drawing, arguments.out, layers=arguments.layers)
    print(f"{arguments.out}\n{floor.survey_text(floor.survey(room))}")
    return FINE


def _new(arguments: argparse.Namespace) -> int:
    from planner.storage import replacing
    from planner.terminal import TEMPLATE

    path = Path(arguments.name) / "study.toml"
    if path.exists():
        raise InputError(_problem(path, "is there already", "choose another name"))
    try:
        with replacing(path) as temporary:
            temporary.write_text(TEMPLATE.format(name=Path(arguments.name).name), encoding="utf-8")
    except OSError as error:
        raise InputError(_problem(path, f"cannot be written: {error.strerror}", "choose another folder")) from None
    print(f"{path}\nnext: planner run {path.parent}")
    return FINE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="planner", description="Plan the machine room of an interconnect: floor, cabinets, cables."
    )
    parser.add_argument("--version", action="version", version=f"planner {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    command = commands.add_parser(
        "list", help="what there is: topologies, placement algorithms, packings, bounds, routings, traffics, reports"
    )
    command.add_argument("kind", nargs="?", type=_singular, choices=tuple(registry.KINDS))
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(command=_list)

    command = commands.add_parser("run", help="run a study and write its reports")
    command.add_argument("study", help="study file, or the folder that holds study.toml")
    command.add_argument("--out", help="folder for the results (default: beside the study)")
    command.add_argument("--until", metavar="STAGE", help="stop after this stage")
    command.add_argument("--set", action="append", default=[], metavar="SECTION.KEY=VALUE", help="replace a value of the study")
    command.add_argument("--workers", type=int, default=1, metavar="N", help="processes for independent parts (default 1)")
    command.add_argument("--fresh", action="store_true", help="run every stage, even if its result is stored")
    command.add_argument("--json", action="store_true", help="print all quantities as JSON")
    command.add_argument("--quiet", action="store_true", help="print errors only")
    command.set_defaults(command=_run)

    command = commands.add_parser("report", help="write reports of a finished plan")
    command.add_argument("folder", help="folder of the plan")
    command.add_argument("--format", default="pdf", help="comma-separated: pdf,xlsx,csv (default pdf)")
    command.add_argument("--out", help="folder for the reports (default: the plan's)")
    command.add_argument("--quiet", action="store_true", help="no progress")
    command.set_defaults(command=_report)

    command = commands.add_parser("check", help="verify a finished plan again, independently")
    command.add_argument("folder", help="folder of the plan")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(command=_check)

    command = commands.add_parser("explore", help="the networks that families can be, by radix, with their scale compared")
    command.add_argument("--radix", type=_range, required=True, metavar="A-B", help="links of a router, such as 8-64")
    command.add_argument("--routers", type=_range, metavar="A-B", help="only networks with so many routers")
    command.add_argument("--endpoints", type=_range, metavar="A-B", help="only networks with so many endpoints")
    command.add_argument("--family", metavar="NAMES", help="comma-separated families (default all with closed forms)")
    command.add_argument("--reference", default="polarstar", metavar="FAMILY", help="compare with this one (default polarstar)")
    command.add_argument("--csv", metavar="FILE", help="write every configuration")
    command.add_argument("--plot", metavar="FILE", help="write plots as PDF: order, Moore efficiency, feasible sizes")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(command=_explore)

    command = commands.add_parser("topology", help="figures of one network: planner topology slimfly q=5")
    command.add_argument("family", help="a family of planner list topology, or a dotted name")
    command.add_argument("parameters", nargs="*", metavar="KEY=VALUE", help="parameters, values as in TOML")
    command.add_argument("--effort", choices=("low", "medium", "high"), default="medium", help="default medium")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument("--quiet", action="store_true", help="no progress")
    command.set_defaults(command=_topology)

    command = commands.add_parser("qap", help="solve a quadratic assignment problem of QAPLIB's format")
    command.add_argument("file", help="problem (.dat); a .sln file beside it is compared with")
    command.add_argument("--seconds", type=float, metavar="S", help="wall time of the search (default 10, none with --moves)")
    command.add_argument("--moves", type=int, metavar="N", help="exchanges to look at, or nodes with --exact; reproducible")
    command.add_argument("--seed", type=int, default=1, help="default 1")
    command.add_argument("--algorithm", default="auto", help="auto, tabu, anneal, descent, faq or exact (default auto)")
    command.add_argument("--exact", action="store_true", help="branch and bound, with proof where it ends: --algorithm exact")
    command.add_argument("--out", metavar="FILE", help="write the permutation as .sln")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument("--quiet", action="store_true", help="no progress")
    command.set_defaults(command=_qap)

    command = commands.add_parser("floor", help="check, draw and import floor plans")
    _add_floor(command.add_subparsers(metavar="ACTION", required=True))

    command = commands.add_parser("new", help="write a commented study to start from")
    command.add_argument("name", help="folder to make")
    command.set_defaults(command=_new)
    return parser


def _add_floor(actions) -> None:
    for name, run, text in (
        ("check", _floor_check, "what a room holds, or all that is wrong with it"),
        ("draw", _floor_draw, "write a floor plan as DXF or SVG"),
    ):
        action = actions.add_parser(name, help=text)
        action.add_argument("plan", help="a shipped floor plan, or a path such as ./my-hall.toml")
        action.add_argument("--routers", type=_positive, default=100, metavar="N", help="size of the papers' grids (default 100)")
        action.set_defaults(command=run)
        if name == "check":
            action.add_argument("--json", action="store_true", help="print JSON")
        else:
            action.add_argument("--out", required=True, metavar="FILE", help="name.dxf or name.svg")
            action.add_argument("--scale", type=_positive, default=50, metavar="N", help="of an SVG, 1:N (default 50)")
    action = actions.add_parser("import", help="turn a DXF drawing into a floor plan")
    action.add_argument("drawing", help="DXF file")
    action.add_argument("--layers", metavar="FILE", help="TOML: which layers and blocks are what (default: as floor draw writes)")
    action.add_argument("--out", required=True, metavar="FILE", help="floor plan to write, TOML")
    action.set_defaults(command=_floor_import)


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= 10**6:
        raise argparse.ArgumentTypeError(f"expected a whole number above zero, not {text!r}")
    return int(text)


def _range(text: str) -> tuple[int, int]:
    first, dash, last = text.partition("-")
    try:
        bounds = int(first), int(last if dash else first)
    except ValueError:
        bounds = 1, 0
    if bounds[0] > bounds[1]:
        raise argparse.ArgumentTypeError(f"expected a number or a range such as 8-64, not {text!r}")
    return bounds


def _singular(kind: str) -> str:
    """People write ``planner list topologies`` as well."""
    return {"topologies": "topology"}.get(kind, kind if kind == "traffic" else kind.removesuffix("s"))


def _executor(workers: int):
    """A process pool, or a context that gives None for a single worker."""
    from contextlib import nullcontext

    if workers < 1:
        raise InputError(_problem("--workers", f"must be at least 1, not {workers}", ""))
    if workers == 1:
        return nullcontext()
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


def _verdict(plan) -> int:
    return VIOLATIONS if plan.violations is not None and plan.violations.errors else FINE


def _problem(place: object, message: str, remedy: str):
    from planner.errors import Problem

    return Problem(str(place), message, remedy)


def _complain(kind: str, text: str) -> None:
    print(f"planner: {kind}: {text}", file=sys.stderr)


def _our_bug(error: BaseException) -> int:
    import tempfile
    import traceback

    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        _complain("error", f"{where}{error.strerror or error}")
        return BAD_INPUT
    with tempfile.NamedTemporaryFile("w", prefix="planner-", suffix=".log", delete=False, encoding="utf-8") as log:
        traceback.print_exception(error, file=log)
    kind = "a promise of Planner does not hold" if isinstance(error, CheckFailed) else "Planner failed"
    _complain("bug", f"{kind}: {type(error).__name__}: {error}; please report it with the study and {log.name}")
    return OUR_BUG


if __name__ == "__main__":
    sys.exit(main())
