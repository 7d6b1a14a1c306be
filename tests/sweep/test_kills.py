"""Kill -9 of the driver and of workers at random moments: the final table is that of an undisturbed sweep."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from shared.small_sweeps import NETWORKS, exported, rows, run, write

from planner.studies import sweep

SEEDS = "seed = [1, 2]"
MOMENTS = 4


def start(study, table):
    command = [
        sys.executable,
        "-m",
        "planner",
        "sweep",
        str(study),
        "--store",
        str(table),
        "--jobs",
        "2",
        "--quiet",
    ]
    return subprocess.Popen(command, start_new_session=True)


def workers(driver):
    """The worker processes of a driver."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and f"PPid:\t{driver}\n" in (entry / "status").read_text():
                found += [int(entry.name)] * (b"spawn_main" in (entry / "cmdline").read_bytes())
        except OSError:
            continue
    return found


def awaited(driver):
    """The worker processes of a driver once it has some; none when it is through before."""
    while driver.poll() is None:
        if found := workers(driver.pid):
            return found
        time.sleep(0.05)
    return []


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def disturbed(study, table, moments, whole):
    """Run a sweep to its end, killing a worker and the driver in turn at random moments; return how many of each."""
    draw = random.Random(moments)
    driver, killed = start(study, table), {"driver": 0, "worker": 0}
    while sum(killed.values()) < moments and driver.poll() is None:
        if killed["worker"] <= killed["driver"]:
            if alive := awaited(driver):
                time.sleep(draw.uniform(0, 1))
                kill(draw.choice(alive))
                killed["worker"] += 1
            continue
        time.sleep(draw.uniform(0.1, 3))
        alive = workers(driver.pid)
        driver.kill()
        driver.wait()
        killed["driver"] += 1
        deadline = time.monotonic() + 20
        while any(Path(f"/proc/{pid}").exists() for pid in alive):
            assert time.monotonic() < deadline, "workers outlive their driver"
            time.sleep(0.05)
        if table.exists():
            # Whatever the moment, the table holds whole rows only.
            known = {row["fingerprint"]: row for row in whole}
            assert all(row == known[row["fingerprint"]] for row in rows(table) if row["status"] == "done")
        driver = start(study, table)
    driver.wait()
    # Runs whose workers were killed twice, by chance, are tried again.
    assert start(study, table).wait() == 0
    return killed


@pytest.mark.nightly
def test_the_table_does_not_depend_on_what_is_killed(tmp_path):
    text = NETWORKS.replace(SEEDS, f"seed = {list(range(2 * MOMENTS))}").replace("cycles = 200", "cycles = 30_000")
    study = write(tmp_path, text)
    (tmp_path / "whole").mkdir()
    run(study, tmp_path / "whole" / "sweep.sqlite")
    table = tmp_path / "killed" / "sweep.sqlite"
    killed = disturbed(study, table, MOMENTS, rows(tmp_path / "whole" / "sweep.sqlite"))
    # While there was work left: the sweep ends when it is through.
    assert min(killed.values()) >= MOMENTS // 4, killed
    assert exported(table) == exported(tmp_path / "whole" / "sweep.sqlite")
    assert {path.name for path in table.parent.iterdir()} == {"sweep.sqlite", "sweep.csv", "sweep.curve.csv"}


@pytest.mark.slow
def test_ctrl_c_leaves_a_whole_table_and_no_process(tmp_path):
    text = NETWORKS.replace(SEEDS, f"seed = {list(range(40))}").replace("cycles = 200", "cycles = 4000")
    study, table = write(tmp_path, text), tmp_path / "sweep.sqlite"
    driver = start(study, table)
    deadline = time.monotonic() + 60
    while not table.exists() or not any(row["status"] == "done" for row in rows(table)):
        assert time.monotonic() < deadline
        time.sleep(0.2)
    alive = workers(driver.pid)
    # As a terminal does: to the whole group.
    os.killpg(driver.pid, signal.SIGINT)
    assert driver.wait(30) == 130
    assert not any(Path(f"/proc/{pid}").exists() for pid in alive)
    found = rows(table)
    assert {row["status"] for row in found} == {"done", "waiting"}
    with sweep.Store(table) as store:
        done = {row["number"] for row in found if row["status"] == "done"}
        names, points = store.curves()
        assert {point[names.index("number")] for point in points} == done
