"""What goes on next to the requests: copies of the journal are made, and the plan is followed."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from planner.core import registry
from planner.fabric import baseline
from planner.install.serve.served import Served
from planner.install.site.backup import backup, is_due
from planner.install.site.journal import Journal

_POLL_S = 30.0


@contextmanager
def copied(journal: Journal, folder: Path, every_s: float) -> Iterator[None]:
    """Copy the journal when something was recorded and the last copy is old enough, and at the end."""
    ended = threading.Event()

    def copy(at_least_s: float) -> None:
        try:
            if journal.query("SELECT 1 FROM event LIMIT 1") and is_due(journal, folder, at_least_s):
                backup(journal, folder)
        except OSError as error:
            print(f"planner: the journal was not copied: {error.strerror or error}", file=sys.stderr, flush=True)

    def watch() -> None:
        while not ended.wait(min(every_s, _POLL_S)):
            copy(every_s)

    watcher = threading.Thread(target=watch, name="backups", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
        copy(0.0)


@contextmanager
def followed(served: Served, every_s: float) -> Iterator[None]:
    """Serve the plan as it is in its folder: after another run, without a restart.

    A run writes after each stage: the plan is read when nothing has been written since the last look.
    """
    ended = threading.Event()

    def watch() -> None:
        seen = baseline.mark(served.planned.path)
        while not ended.wait(every_s):
            before, seen = seen, baseline.mark(served.planned.path)
            if seen == before:
                _follow(served)

    watcher = threading.Thread(target=watch, name="plan", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _follow(served: Served) -> None:
    problem, revision = served.problem, served.site.revision
    try:
        with registry.own_code(served.options.own_code):
            found = served.follow()
    except OSError as error:
        print(f"planner: the plan was not read again: {error.strerror or error}", file=sys.stderr, flush=True)
        return
    if found is not None and found.revision != revision:
        words = f"{found.carried:,} cables with work carried over, {found.unmatched:,} values left over"
        print(f"the plan has changed, revision {found.revision}: {words}, {found.relabeled:,} cables need new labels", flush=True)
    elif served.problem and served.problem != problem:
        words = "the plan in its folder is not served, but the one before"
        print(f"planner: {words}: {served.problem}", file=sys.stderr, flush=True)
