"""Faults outside the program (plug-ins, locale, limits, clusters): one message, exit code 2, nothing half-written."""

import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from shared.job_queue import dask_jobqueue

from planner.commands.console.cli import main

NETWORK = """
name = "net"
title = "Nëtz 北側"
[topology]
family = "slimfly"
q = 3
[simulation]
preset = "caminos"
loads = [0.2]
cycles = 300
max_cycles = 300
"""


def command(folder, *options, prepare=None, interpreter=(), **environment):
    """Run the study of a folder in a process of its own; return code and standard error."""
    call = [sys.executable, *interpreter, "-m", "planner", "run", str(folder), *options]
    ran = subprocess.run(call, capture_output=True, env=os.environ | environment, preexec_fn=prepare, check=False)
    return ran.returncode, ran.stderr.decode("utf-8", "replace"), ran.stdout


PLUGINS = {
    "import_error": "import planner.no_such_module",
    "raises_when_imported": "raise ValueError('no')",
    "exits_when_imported": "import sys; sys.exit(0)",
    "no_python": "def build(:",
    "no_function": "x = 1",
    "raises": "def build():\n    return [][1]",
    "exits": "import sys\ndef build():\n    sys.exit(0)",
}


@pytest.mark.parametrize("name", PLUGINS)
def test_a_plug_in_that_fails_is_named(tmp_path, capsys, monkeypatch, name):
    (tmp_path / "plugged").mkdir()
    (tmp_path / "plugged" / f"{name}.py").write_text(PLUGINS[name] + "\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "plugged", raising=False)
    (tmp_path / "study.toml").write_text(f'name = "net"\n[topology]\nfamily = "plugged.{name}"\n')
    assert main(["run", str(tmp_path)]) == 2
    message = capsys.readouterr().err
    assert f"plugged.{name}" in message or f"plugged/{name}.py:" in message
    assert "Traceback" not in message


@pytest.mark.parametrize("family", [".", "..", ".slimfly", "planner..topology", "a.", "1.2", "os path.x", "../x", "a.b;c"])
def test_names_with_dots_that_are_no_modules(tmp_path, capsys, family):
    (tmp_path / "study.toml").write_text(f'name = "net"\n[topology]\nfamily = "{family}"\n')
    assert main(["run", str(tmp_path)]) == 2
    assert "study.toml:3: topology.family: there is no topology" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [
        pytest.param({"LC_ALL": "C"}, marks=pytest.mark.nightly),
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        pytest.param({"PYTHONIOENCODING": "ascii"}, marks=pytest.mark.nightly),
        # Kernels overflow on purpose, which Python reports where they are not compiled.
        pytest.param(
            {"PYTHONOPTIMIZE": "2", "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore::RuntimeWarning"},
            marks=pytest.mark.nightly,
        ),
    ],
    ids=str,
)
def test_titles_beyond_ascii_and_runs_without_docstrings(tmp_path, environment):
    # Without compiled kernels everything takes a hundred times as long, and NumPy warns where integers wrap around.
    text = NETWORK.replace('"slimfly"\nq = 3', '"torus"\nsizes = [4]').replace("= 300", "= 50") + "warmup = 50\n"
    (tmp_path / "study.toml").write_text(text if "NUMBA_DISABLE_JIT" in environment else NETWORK, encoding="utf-8")
    code, message, printed = command(tmp_path, **environment)
    assert (code, message) == (0, "")
    assert b"N" in printed
    assert (tmp_path / "provenance.json").read_text(encoding="utf-8").count("北側") == 1


@pytest.mark.slow
def test_help_without_docstrings():
    ran = subprocess.run([sys.executable, "-OO", "-m", "planner", "--help"], capture_output=True, text=True, check=True)
    assert "compare" in ran.stdout


@pytest.mark.slow
def test_a_file_size_limit_ends_a_run_with_one_message(tmp_path):
    (tmp_path / "study.toml").write_text(NETWORK.replace("q = 3", "q = 5"), encoding="utf-8")
    # Compiled kernels are written, too.
    assert main(["run", str(tmp_path), "--out", str(tmp_path / "whole"), "--quiet"]) == 0
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000)); "
    call = f"{limit}import sys; from planner.commands.console.cli import main; sys.exit(main(['run', {str(tmp_path)!r}]))"
    ran = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert re.fullmatch(r"planner: error: \S+: cannot be written, the file-size limit is reached: .*\n", ran.stderr)
    assert not [name for name in os.listdir(tmp_path) if "partial" in name]
    assert main(["run", str(tmp_path), "--quiet"]) == 0


@pytest.mark.slow
@pytest.mark.parametrize(("limit_mb", "code"), [pytest.param(450, 0, marks=pytest.mark.nightly), (200, 2)])
def test_a_run_keeps_within_its_memory_or_ends_with_one_message(tmp_path, limit_mb, code):
    """docs/performance.md states that the study needs less than 450 MB; OpenBLAS reserves memory for each of its threads."""
    gallery = Path(__file__).parents[1] / "reports" / "slimfly-200"
    call = [
        sys.executable,
        "-m",
        "planner",
        "run",
        str(gallery),
        "--out",
        str(tmp_path),
        "--jobs",
        "1",
        "--quiet",
    ]

    def limited():
        resource.setrlimit(resource.RLIMIT_DATA, (limit_mb * 1_000_000, limit_mb * 1_000_000))

    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    ran = subprocess.run(call, capture_output=True, text=True, preexec_fn=limited, env=environment, check=False)
    message = "planner: error: out of memory; choose a smaller network or fewer workers\n" if code else ""
    assert (ran.returncode, ran.stderr) == (code, message)
    assert not [name for name in os.listdir(tmp_path) if "partial" in name]
    assert (tmp_path / "slimfly-200.pdf").exists() == (code == 0)


@pytest.mark.slow
def test_slurm_without_settings(tmp_path):
    dask_jobqueue()
    (tmp_path / "study.toml").write_text(NETWORK, encoding="utf-8")
    code, message, _ = command(tmp_path, "--cluster", "slurm", DASK_CONFIG=str(tmp_path))
    assert code == 2
    assert message.startswith("planner: error: --cluster: slurm cannot be set up")
    assert message.count("\n") == 1


@pytest.mark.nightly
def test_a_scheduler_that_goes_away(tmp_path):
    pytest.importorskip("distributed")
    text = NETWORK.replace("loads = [0.2]", "loads = [0.2, 0.3, 0.4, 0.5]").replace("cycles = 300", "cycles = 100_000_000")
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    log = tmp_path / "log"
    with log.open("w") as out:
        base = [sys.executable, "-m"]
        scheduler = subprocess.Popen(
            [*base, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"], stderr=out
        )
        started, run = time.monotonic(), None
        try:
            while not (found := re.search(r"Scheduler at: +(tcp://\S+)", log.read_text())):
                assert time.monotonic() - started < 60, log.read_text()
                time.sleep(0.1)
            call = [*base, "planner", "run", str(tmp_path), "--cluster", found[1]]
            run = subprocess.Popen(call, stderr=subprocess.PIPE, text=True)
            while not (tmp_path / "provenance.json").exists():
                assert time.monotonic() - started < 120
                time.sleep(0.1)
            time.sleep(1)
            scheduler.send_signal(signal.SIGKILL)
            estimate, message = run.communicate(timeout=120)[1].splitlines()
            assert re.fullmatch(r"planner: warning: simulation: 4 loads take about \d+ min of one core", estimate)
            assert (run.returncode, message) == (2, f"planner: error: the connection to the cluster at {found[1]} was lost")
        finally:
            scheduler.kill()
            scheduler.wait()
            if run is not None:
                run.kill()
                run.communicate()


@pytest.mark.slow
def test_a_local_cluster_listens_on_loopback_alone():
    """Its ports take code from whoever reaches them: those of scheduler, workers, nannies and dashboards."""
    psutil = pytest.importorskip("psutil")
    pytest.importorskip("distributed")
    code = """
import psutil
from planner.core.executors.cluster import Cluster
if __name__ == "__main__":
    with Cluster("local", 1) as cluster:
        assert list(cluster.map(abs, [-1])) == [1]
        me = psutil.Process()
        for process in [me, *me.children(recursive=True)]:
            for one in process.net_connections(kind="inet"):
                if one.status == psutil.CONN_LISTEN:
                    print(one.laddr.ip)
"""
    assert psutil
    script = [sys.executable, "-c", code]
    printed = subprocess.run(script, capture_output=True, text=True, check=True, timeout=120).stdout.split()
    assert len(printed) >= 3
    assert set(printed) == {"127.0.0.1"}
