"""Create a folder with a commented example study."""

from __future__ import annotations

import argparse
from pathlib import Path

from planner.commands import SUCCESS
from planner.errors import InputError, Problem


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("name", help="folder to create")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.storage import replacing
    from planner.study import head_problems
    from planner.terminal import TEMPLATE

    path = Path(arguments.name) / "study.toml"
    if problems := head_problems({"name": path.resolve().parent.name, "title": "", "seed": 1}):
        raise InputError(problems)
    if path.exists():
        raise InputError(Problem(str(path), "already exists", "choose another name"))
    try:
        with replacing(path) as temporary:
            temporary.write_text(TEMPLATE.format(name=path.resolve().parent.name), encoding="utf-8")
    except OSError as error:
        raise InputError(Problem(str(path), f"cannot be written: {error.strerror}", "choose another folder")) from None
    print(f"{path}\nnext: planner run {path.parent}")
    return SUCCESS
