"""A real Dask scheduler with real workers on loopback: the same results, and a killed worker costs its task alone."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from shared import tasks
from shared.job_queue import dask_jobqueue
from shared.small_sweeps import exported, run, write

from planner.core.errors import InputError, PlannerError
from planner.core.executors import WorkerDied, executor
from planner.core.executors.cluster import Cluster
from planner.studies import sweep

pytest.importorskip("distributed")

TESTS = Path(__file__).parents[1]


class Loopback:
    """A scheduler and workers as processes, each started from the command line."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = os.environ | {
            "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent), os.environ.get("PYTHONPATH", "")]),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
            "OMP_NUM_THREADS": "1",
        }
        self.scheduler, self.address = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.workers = []

    def worker(self):
        options = ("--nworkers", "1", "--nthreads", "1", "--no-dashboard", "--local-directory", str(self.folder))
        process, _ = self._start("worker", self.address, "--no-nanny", *options)
        self.workers.append(process)

    def _start(self, *command):
        log = self.folder / f"{command[0]}-{time.monotonic_ns()}.log"
        with log.open("w") as out:
            arguments = [sys.executable, "-m", "distributed.cli.dask_" + command[0], *command[1:]]
            process = subprocess.Popen(arguments, stdout=out, stderr=out, env=self.environment)
        deadline = time.monotonic() + 60
        wanted = r"Scheduler at: +(tcp://\S+)" if command[0] == "scheduler" else r"Registered to: +(\S+)"
        while not (found := re.search(wanted, log.read_text())):
            assert time.monotonic() < deadline, log.read_text()
            assert process.poll() is None, log.read_text()
            time.sleep(0.1)
        return process, found[1]

    def close(self):
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def loopback(tmp_path_factory):
    made = Loopback(tmp_path_factory.mktemp("dask"))
    made.worker()
    made.worker()
    yield made
    made.close()


@pytest.fixture
def workers(loopback):
    """The cluster, with two workers that live."""
    loopback.workers = [process for process in loopback.workers if process.poll() is None]
    while len(loopback.workers) < 2:
        loopback.worker()
    with executor(cluster=loopback.address) as cluster:
        yield cluster


@pytest.mark.slow
def test_map_and_each(workers):
    assert list(workers.map(tasks.square, range(500))) == [n * n for n in range(500)]
    outcomes = dict(workers.each(tasks.odd, range(4)))
    assert [outcomes[n].value for n in (1, 3)] == [1, 3]
    assert all("even" in str(outcomes[n].error) for n in (0, 2))
    with pytest.raises(InputError, match="0 is even"):
        list(workers.map(tasks.odd, range(4)))
    with pytest.raises(PlannerError, match="cannot be pickled"):
        list(workers.map(tasks.lock, [1]))


@pytest.mark.slow
def test_a_large_function_is_sent_once(workers):
    large = b"x" * 300_000
    assert [len(found) for found in workers.map(tasks.Prefix(large), [b"y"] * 20)] == [300_001] * 20


@pytest.mark.slow
def test_a_sweep_gives_the_same_table(workers, tmp_path):
    study = write(tmp_path)
    run(study, tmp_path / "here.sqlite")
    sweep.run(sweep.load(study), tmp_path / "dask.sqlite", executor=workers)
    assert exported(tmp_path / "dask.sqlite") == exported(tmp_path / "here.sqlite")


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_nothing_else(loopback, workers, tmp_path):
    """One of two workers is killed in the middle; the other does the rest."""
    text = (
        write(tmp_path).read_text().replace("seed = [1, 2]", f"seed = {list(range(6))}").replace("cycles = 200", "cycles = 2000")
    )
    study = write(tmp_path, text)
    run(study, tmp_path / "here.sqlite")
    victim = loopback.workers[0]
    killer = threading.Timer(0.7, lambda: victim.send_signal(signal.SIGKILL))
    killer.start()
    try:
        result = sweep.run(sweep.load(study), tmp_path / "dask.sqlite", executor=workers)
    finally:
        killer.join()
    assert result.counts == {"done": 24}
    assert exported(tmp_path / "dask.sqlite") == exported(tmp_path / "here.sqlite")


@pytest.mark.nightly
def test_a_task_that_kills_its_workers_is_given_up(loopback, workers, tmp_path):
    loopback.worker()
    loopback.worker()
    loopback.worker()
    outcomes = dict(workers.each(tasks.Deadly(tmp_path, deaths=9, at=3), range(10)))
    assert isinstance(outcomes.pop(3).error, WorkerDied)
    assert {number: outcome.value for number, outcome in outcomes.items()} == {n: n for n in range(10) if n != 3}


@pytest.mark.slow
def test_a_cluster_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(TESTS), str(TESTS.parent), os.environ.get("PYTHONPATH", "")]))
    with executor(2, cluster="local") as cluster:
        pids = set(cluster.map(tasks.own_pid, range(8)))
        assert os.getpid() not in pids
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.slow
def test_a_slurm_job_runs_a_dask_worker(monkeypatch):
    jobqueue = dask_jobqueue()
    made = []

    class Slurm(jobqueue.SLURMCluster):
        def __init__(self):
            super().__init__(
                cores=1, memory="2GB", queue="batch", walltime="01:00:00", scheduler_options={"dashboard_address": ":0"}
            )
            made.append(self.job_script())

        def scale(self, jobs):
            made.append(jobs)

    monkeypatch.setattr(jobqueue, "SLURMCluster", Slurm)
    with Cluster("slurm", 7):
        pass
    script, jobs, *_ = made
    assert jobs == 7
    assert "#SBATCH -p batch" in script
    assert re.search(r"dask_worker|dask worker", script)


@pytest.mark.slow
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "mars"])
def test_a_cluster_that_does_not_answer(address, monkeypatch):
    monkeypatch.setattr("planner.core.executors.cluster.CONNECT_S", 0.5)
    with pytest.raises(InputError, match="--cluster"), executor(cluster=address):
        pass
