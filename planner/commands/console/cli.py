"""Command line; each command is a file of `planner.commands`."""

from __future__ import annotations

import argparse
import atexit
import gc
import logging
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

from planner import __version__
from planner.commands import BAD_INPUT, INTERNAL_ERROR, INTERRUPTED, SUCCESS, VIOLATIONS, names
from planner.core.errors import CheckFailed, Infeasible, InputError, PlannerError, PlannerWarning
from planner.core.executors import THREADS
from planner.core.names import shown
from planner.core.registry import own_code, plugin_frame

_ALLOCATIONS = 50_000
"""New objects between two searches for unused cycles of objects. With Python's own 700 a tenth of the time of a report passes in
them, all for nothing: records are arrays, and nearly all else is released without a search."""


_INTERRUPTED = "finished stages are kept; run the same command again to continue"
"""What becomes of the work of a command at Ctrl-C, unless its file states otherwise."""


_PLAIN_WARNING = warnings.formatwarning


def _warning(message: Warning | str, category: type[Warning], *place: Any, **line: Any) -> str:
    """Return the text of a warning: those of Planner are about the study, not about a line of its code."""
    if issubclass(category, PlannerWarning):
        return f"planner: warning: {message}\n"
    return _PLAIN_WARNING(message, category, *place, **line)


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code.

    0: success. 1: the plan violates design rules, or nothing fits. 2: invalid input, or a failure of disk, memory, cluster or
    plug-in. 3: internal error. 130: interrupted; results may hold the best so far.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # Characters that the terminal cannot show are printed as escapes.
            stream.reconfigure(errors="backslashreplace")
    warnings.formatwarning = _warning
    gc.set_threshold(_ALLOCATIONS)
    # Before a process ends, Python searches all objects for cycles once more, which takes a third of a second.
    atexit.register(gc.freeze)
    for name in THREADS:
        # Cores are shared by processes. Threads of linear algebra would wait for each other, and round sums by their number.
        os.environ.setdefault(name, "1")
    arguments = _arguments(argv)
    if sys.stderr.isatty() and not getattr(arguments, "quiet", False):
        _report_compilation()
    try:
        # Commands with this option open plans of others, which are data.
        with _interrupts() as count, own_code(getattr(arguments, "own_code", True)):
            code = arguments.command(arguments)
        if count:
            _complain("interrupted", "the results hold the best so far; run the same command again to continue")
            return INTERRUPTED
        return code
    except InputError as error:
        for problem in error.problems:
            _complain("error", str(problem))
        return BAD_INPUT
    except Infeasible as error:
        _complain("infeasible", str(error))
        return VIOLATIONS
    except KeyboardInterrupt:
        _complain("interrupted", arguments.interrupted)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader closed the pipe early.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return SUCCESS
    except (Exception, SystemExit) as error:
        return _failed(error)


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Count interrupts by Ctrl-C: an interrupted search keeps its best result, and the command continues to its end."""
    found: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        found.append(number)
        raise KeyboardInterrupt

    # Handlers of the caller are kept, and other threads have none.
    ours = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield found
    finally:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _report_compilation() -> None:
    """Print a line for each kernel that is compiled because the cache does not have it."""
    log, handler = logging.getLogger("planner.kernels"), logging.StreamHandler()
    handler.setFormatter(logging.Formatter("planner: %(message)s"))
    log.handlers[:] = [handler]
    log.setLevel(logging.INFO)


def _arguments(argv: list[str] | None) -> argparse.Namespace:
    """Parse the command line; KEY=VALUE arguments may also follow options."""
    parser = _parser()
    arguments, rest = parser.parse_known_args(argv)
    if "words" in arguments and not any(word.startswith("-") for word in rest):
        getattr(arguments, arguments.words).extend(rest)
    elif rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    return arguments


class _Parser(argparse.ArgumentParser):
    """Argument parser that escapes control characters in its messages."""

    def error(self, message: str) -> NoReturn:
        super().error(shown(message))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="planner", description="Plan the physical deployment of an interconnect: floor, cabinets, cables.")
    parser.add_argument("--version", action="version", version=f"planner {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in names():
        module = import_module(f"planner.commands.{name}")
        # Without docstrings (python -OO) there is no help text.
        text = (module.__doc__ or name).partition("\n")[0].rstrip(".")
        command = commands.add_parser(name, help=text[0].lower() + text[1:], description=text)
        module.arguments(command)
        command.set_defaults(command=module.run, interrupted=getattr(module, "INTERRUPTED", _INTERRUPTED))
    return parser


def _complain(kind: str, text: str) -> None:
    print(f"planner: {kind}: {shown(text)}", file=sys.stderr)


def _failed(error: BaseException) -> int:
    """Report an unexpected error: a failure outside the program, or a bug."""
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        _complain("error", f"{where}{error.strerror or error}")
    elif isinstance(error, MemoryError):
        _complain("error", "out of memory; choose a smaller network or fewer workers")
    elif isinstance(error, UnicodeEncodeError):
        _complain("error", f"the locale cannot encode {error.object!r:.200}; set LANG=C.UTF-8, or choose an ASCII name")
    elif place := plugin_frame(error):
        _complain("error", f"{place}: the plug-in failed: {type(error).__name__}: {error}; correct it")
    elif isinstance(error, PlannerError) and not isinstance(error, CheckFailed):
        _complain("error", str(error))
    else:
        return _internal_error(error)
    return BAD_INPUT


def _internal_error(error: BaseException) -> int:
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile("w", prefix="planner-", suffix=".log", delete=False, encoding="utf-8") as log:
        traceback.print_exception(error, file=log)
    kind = "an internal check failed" if isinstance(error, CheckFailed) else "Planner failed"
    _complain("bug", f"{kind}: {type(error).__name__}: {error}; please report it with the study and {log.name}")
    return INTERNAL_ERROR
