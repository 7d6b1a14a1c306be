"""Check, draw and import floor plans."""

from __future__ import annotations

import argparse
import json

from planner.commands import SUCCESS, positive


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    for name, run, text in (
        ("check", check, "check a floor plan and summarize the room"),
        ("draw", draw, "draw a floor plan as DXF or SVG"),
    ):
        action = actions.add_parser(name, help=text)
        action.add_argument("plan", help="name of a shipped floor plan, or a path such as ./my-hall.toml")
        action.add_argument(
            "--routers",
            type=positive,
            default=100,
            metavar="N",
            help="number of routers that parametric floor plans are sized for (default: 100)",
        )
        action.set_defaults(action=run)
        if name == "check":
            action.add_argument("--json", action="store_true", help="print JSON")
        else:
            action.add_argument("--out", required=True, metavar="FILE", help="output file, .dxf or .svg")
            action.add_argument("--scale", type=positive, default=50, metavar="N", help="scale 1:N of an SVG (default: 50)")
    action = actions.add_parser("import", help="convert a DXF drawing to a floor plan")
    action.add_argument("drawing", help="DXF file")
    action.add_argument(
        "--layers",
        metavar="FILE",
        help="TOML file that maps layers and blocks to objects (default: the layers that floor draw writes)",
    )
    action.add_argument("--out", required=True, metavar="FILE", help="floor plan to write (TOML)")
    action.set_defaults(action=import_)


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    return arguments.action(arguments)


def check(arguments: argparse.Namespace) -> int:
    from planner.hall import floor

    found = floor.survey(floor.room(arguments.plan, routers=arguments.routers))
    print(json.dumps(found, indent=1) if arguments.json else floor.survey_text(found))
    return SUCCESS


def draw(arguments: argparse.Namespace) -> int:
    from planner.hall import floor

    print(floor.draw(arguments.plan, arguments.out, routers=arguments.routers, scale=arguments.scale))
    return SUCCESS


def import_(arguments: argparse.Namespace) -> int:
    from planner.hall import floor

    room = floor.import_dxf(arguments.drawing, arguments.out, layers=arguments.layers)
    print(f"{arguments.out}\n{floor.survey_text(floor.survey(room))}")
    return SUCCESS
