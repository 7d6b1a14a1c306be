"""Command line: arguments to one library call to printed text; the commands are the files of `planner.commands`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType
from typing import NoReturn

from planner import __version__
from planner.commands import BAD_INPUT, INTERNAL_ERROR, INTERRUPTED, SUCCESS, VIOLATIONS, names
from planner.errors import CheckFailed, Infeasible, InputError, PlannerError
from planner.names import shown
from planner.registry import plugin_frame


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code.

    0 fine; 1 the plan has broken rules, or nothing fits; 2 bad input, or disk, memory, cluster or a plug-in fail; 3 our bug;
    130 interrupted, where results may hold the best so far.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that lacks a letter shows its number.
            stream.reconfigure(errors="backslashreplace")
    arguments = _arguments(argv)
    try:
        with _interrupts() as count:
            code = arguments.command(arguments)
        if count:
            _complain("interrupted", "the results hold the best so far; the same command goes on from there")
            return INTERRUPTED
        return code
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
        return SUCCESS
    except (Exception, SystemExit) as error:
        return _failed(error)


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Gather the interrupts by Ctrl-C: a search that ends early keeps its best, and the command goes on to its end."""
    found: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        found.append(number)
        raise KeyboardInterrupt

    # Whoever calls from another thread, or has a handler of their own, keeps it.
    ours = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield found
    finally:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _arguments(argv: list[str] | None) -> argparse.Namespace:
    """The parsed command line, where words such as KEY=VALUE may stand behind options too."""
    parser = _parser()
    arguments, rest = parser.parse_known_args(argv)
    if "words" in arguments and not any(word.startswith("-") for word in rest):
        getattr(arguments, arguments.words).extend(rest)
    elif rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    return arguments


class _Parser(argparse.ArgumentParser):
    """Argument parser whose complaints quote no control characters."""

    def error(self, message: str) -> NoReturn:
        super().error(shown(message))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="planner", description="Plan the machine room of an interconnect: floor, cabinets, cables.")
    parser.add_argument("--version", action="version", version=f"planner {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in names():
        module = import_module(f"planner.commands.{name}")
        # Without docstrings (python -OO) there is no help text.
        text = (module.__doc__ or name).partition("\n")[0].rstrip(".")
        command = commands.add_parser(name, help=text[0].lower() + text[1:], description=text)
        module.arguments(command)
        command.set_defaults(command=module.run)
    return parser


def _complain(kind: str, text: str) -> None:
    print(f"planner: {kind}: {shown(text)}", file=sys.stderr)


def _failed(error: BaseException) -> int:
    """Report what no command expects: what is wrong outside the program, or a bug."""
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        _complain("error", f"{where}{error.strerror or error}")
    elif isinstance(error, MemoryError):
        _complain("error", "the memory of this machine does not suffice; choose a smaller network, or fewer workers")
    elif isinstance(error, UnicodeEncodeError):
        _complain("error", f"the locale has no bytes for {error.object!r:.200}; set LANG=C.UTF-8, or choose an ASCII name")
    elif place := plugin_frame(error):
        _complain("error", f"{place}: the plug-in fails: {type(error).__name__}: {error}; correct it")
    elif isinstance(error, PlannerError) and not isinstance(error, CheckFailed):
        _complain("error", str(error))
    else:
        return _our_bug(error)
    return BAD_INPUT


def _our_bug(error: BaseException) -> int:
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile("w", prefix="planner-", suffix=".log", delete=False, encoding="utf-8") as log:
        traceback.print_exception(error, file=log)
    kind = "a promise of Planner does not hold" if isinstance(error, CheckFailed) else "Planner failed"
    _complain("bug", f"{kind}: {type(error).__name__}: {error}; please report it with the study and {log.name}")
    return INTERNAL_ERROR


if __name__ == "__main__":
    sys.exit(main())
