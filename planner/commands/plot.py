"""Plot any column of a sweep table against another."""

from __future__ import annotations

import argparse

from planner.commands import SUCCESS


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("table", help="table of planner sweep (.sqlite), or a .csv or .parquet file exported from one")
    parser.add_argument("--x", required=True, metavar="COLUMN", help="x axis: a parameter, a quantity or a simulation result")
    parser.add_argument("--y", required=True, metavar="COLUMN", help="y axis: a quantity or a simulation result")
    parser.add_argument("--by", metavar="COLUMNS", help="comma-separated columns; one line per combination of their values")
    parser.add_argument(
        "--where", action="append", default=[], metavar="COLUMN=VALUE", help="only rows with this value; repeatable"
    )
    parser.add_argument("--out", default="plot.pdf", metavar="FILE", help="output file, .pdf, .svg or .png (default: plot.pdf)")
    parser.add_argument("--log", default="", choices=("x", "y", "xy"), help="logarithmic axes (default: none)")
    parser.add_argument(
        "--max", type=float, metavar="Y", help="upper end of the y axis, in the unit of the table (default: automatic)"
    )
    parser.add_argument("--title", default="", help="title of the plot (default: none)")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.studies.plot import plot

    by = [name.strip() for name in (arguments.by or "").split(",") if name.strip()]
    chosen = {"x": arguments.x, "y": arguments.y, "by": by, "where": arguments.where, "out": arguments.out}
    print(plot(arguments.table, **chosen, log=arguments.log, max_y=arguments.max, title=arguments.title))
    return SUCCESS
