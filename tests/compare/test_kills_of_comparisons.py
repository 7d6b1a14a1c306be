"""Kill -9 and Ctrl-C in the middle: what is finished stays, and the comparison ends as an undisturbed one."""

import os
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from planner.core.executors import executor
from planner.studies import compare


def start(folder):
    command = [
        sys.executable,
        "-m",
        "planner",
        "compare",
        str(folder),
        "--jobs",
        "2",
        "--format",
        "csv",
        "--quiet",
    ]
    return subprocess.Popen(command, start_new_session=True)


def seconds(table):
    """How long each finished run took: what is run again takes another time."""
    if not table.is_file():
        return {}
    with sqlite3.connect(f"file:{table}?mode=ro", uri=True) as database:
        try:
            return dict(database.execute("SELECT number, seconds FROM timing"))
        except sqlite3.OperationalError:
            return {}


def first_done(table, driver, min_rows=1):
    deadline = time.monotonic() + 120
    while len(found := seconds(table)) < min_rows:
        assert driver.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found


@pytest.mark.nightly
def test_after_each_kill_only_what_is_missing_runs(small):
    folder, table = small.parent, small.parent / "compare.sqlite"
    # Longer simulations, so that the kills come in their midst.
    small.write_text(small.read_text().replace("cycles = 200", "cycles = 1500"))
    before = {}
    for min_rows in (1, 4):
        driver = start(folder)
        first_done(table, driver, min_rows)
        os.killpg(driver.pid, signal.SIGKILL)
        driver.wait()
        assert before.items() <= seconds(table).items()
        before = seconds(table)
        assert not list(folder.glob("*.csv"))
    assert start(folder).wait(300) == 0
    after = seconds(table)
    assert before.items() <= after.items()
    assert len(after) > len(before)
    undisturbed = folder / "undisturbed"
    with executor(1) as workers:
        result = compare.run(compare.load(small), undisturbed, executor=workers)
        again = compare.run(compare.load(small), folder, executor=workers)
    assert again.reused == len(after)
    assert [entry.figures for entry in again.entries] == [entry.figures for entry in result.entries]


# Its sibling is that of sweeps, on the same pool.
@pytest.mark.nightly
def test_ctrl_c_keeps_finished_rows(small):
    folder, table = small.parent, small.parent / "compare.sqlite"
    small.write_text(small.read_text().replace("cycles = 200", "cycles = 5000"))
    driver = start(folder)
    first_done(table, driver)
    os.killpg(driver.pid, signal.SIGINT)
    assert driver.wait(60) == 130
    assert seconds(table)
    assert not list(folder.glob("*.csv"))
    assert not list(folder.glob(".*.partial*"))
