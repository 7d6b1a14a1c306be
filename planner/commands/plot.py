"""Plot any quantity of a sweep against any parameter."""

from __future__ import annotations

import argparse

from planner.commands import SUCCESS


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("table", help="table of planner sweep, or a .csv or .parquet exported from one")
    parser.add_argument("--x", required=True, metavar="COLUMN", help="parameter, quantity, or measure of simulated loads")
    parser.add_argument("--y", required=True, metavar="COLUMN", help="the same")
    parser.add_argument("--by", metavar="COLUMNS", help="comma-separated columns that tell the lines apart")
    parser.add_argument("--where", action="append", default=[], metavar="COLUMN=VALUE", help="only such rows")
    parser.add_argument("--out", default="plot.pdf", metavar="FILE", help=".pdf, .svg or .png (default plot.pdf)")
    parser.add_argument("--log", default="", choices=("x", "y", "xy"), help="axes with a logarithmic scale")
    parser.add_argument("--most", type=float, metavar="Y", help="largest value shown, in the unit of the table")
    parser.add_argument("--title", default="", help="text above the plot")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.plot import plot

    by = [name.strip() for name in (arguments.by or "").split(",") if name.strip()]
    chosen = {"x": arguments.x, "y": arguments.y, "by": by, "where": arguments.where, "out": arguments.out}
    print(plot(arguments.table, **chosen, log=arguments.log, most=arguments.most, title=arguments.title))
    return SUCCESS
