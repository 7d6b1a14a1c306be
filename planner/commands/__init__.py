"""Commands of the command line: each file is one command; the first line of its docstring is the help text.

Each file defines ``arguments(parser)``, which declares the arguments, and ``run(arguments)``, which calls the library and
returns an exit code. Heavy imports belong inside `run`. ``INTERRUPTED`` states what becomes of its work at Ctrl-C where no stages
are kept.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from planner.domain.model import Plan

SUCCESS, VIOLATIONS, BAD_INPUT, INTERNAL_ERROR, INTERRUPTED = 0, 1, 2, 3, 130


def names() -> list[str]:
    """Return the names of all commands, sorted."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))


def verdict(plan: Plan) -> int:
    """Return the exit code of a plan: `VIOLATIONS` if it violates a design rule."""
    return VIOLATIONS if plan.violations is not None and plan.violations.errors else SUCCESS


def add_overrides(parser: argparse.ArgumentParser) -> None:
    """Declare the option that overrides values of the study."""
    words = "override a value of the study; repeatable"
    parser.add_argument("--set", action="append", default=[], metavar="SECTION.KEY=VALUE", help=words)


def add_own_code(parser: argparse.ArgumentParser) -> None:
    """Declare that the command opens a plan, which may be from somebody else: without the option no plug-in is imported."""
    words = "import the plug-in modules that the plan names; without it a plan runs no code of its own"
    parser.add_argument("--own-code", action="store_true", help=words)


def add_workers(parser: Any, *, one: bool = False) -> None:
    """Declare the options of worker processes; `one` is the default where work is rarely independent."""
    words = "for independent work (default: 1)" if one else "(default: one per processor)"
    parser.add_argument("--jobs", type=int, default=1 if one else None, metavar="N", help=f"number of worker processes {words}")
    words = "run on a Dask cluster: tcp://host:port of a scheduler, local, or slurm"
    parser.add_argument("--cluster", metavar="ADDRESS", help=words)


MAX_NUMBER = 10**6
"""Largest number that options take."""


def positive(text: str) -> int:
    """Parse a positive integer."""
    if not text.isascii() or not text.isdigit() or len(text) > 20 or not 0 < int(text) <= MAX_NUMBER:
        raise argparse.ArgumentTypeError(f"expected an integer from 1 to {MAX_NUMBER:,}, not {text[:40]!r}")
    return int(text)


def span(text: str) -> tuple[int, int]:
    """Parse an integer or a range such as 8-64."""
    first, dash, last = text.partition("-")
    try:
        bounds = int(first), int(last if dash else first)
    except ValueError:
        bounds = 1, 0
    if bounds[0] > bounds[1]:
        raise argparse.ArgumentTypeError(f"expected an integer or a range such as 8-64, not {text!r}")
    return bounds
