"""Sweeps: one row per run, the same table wherever it runs; resumed, shared, exported."""

import json
import sqlite3
from contextlib import closing

import pytest
from shared.small_sweeps import NETWORKS, curves, exported, rows, run, write

from planner.commands.console.cli import main
from planner.core.errors import InputError
from planner.core.executors import executor
from planner.core.executors.serial import Serial
from planner.core.record import plain
from planner.studies import pipeline, study, sweep
from planner.studies.sweep import tables


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The table of an undisturbed sweep in this process."""
    folder = tmp_path_factory.mktemp("whole")
    table = folder / "sweep.sqlite"
    run(write(folder), table)
    return table


class Interrupted(Serial):
    """Gives some outcomes, then Ctrl-C."""

    def __init__(self, after):
        self.after = after

    def each(self, function, tasks):
        for count, outcome in enumerate(super().each(function, tasks)):
            if count == self.after:
                raise KeyboardInterrupt
            yield outcome


def test_a_row_holds_parameters_and_quantities(whole):
    found = rows(whole)
    assert [row["number"] for row in found] == list(range(1, 9))
    assert {row["status"] for row in found} == {"done"}
    assert [row["case"] for row in found] == ["Slim Fly", "torus"] * 4
    assert [row["topology.q"] for row in found] == [3, None] * 4
    assert [row["topology.sizes"] for row in found] == [None, "[3, 4]"] * 4
    assert [row["simulation.loads"] for row in found[:4]] == ["[0.1]"] * 2 + ["[0.3, 0.6]"] * 2
    assert [row["routers"] for row in found] == [18, 12] * 4
    assert all(row["throughput"] > 0 for row in found)


@pytest.mark.slow
def test_a_row_is_what_the_study_alone_gives(whole):
    made = sweep.load(whole.parent / "study.toml")
    for number in (0, 3, 6):
        plan = pipeline.make(made.studies[number], ["simulation"])
        row = rows(whole)[number]
        assert {name: entry["value"] for name, entry in plan.quantities.items()} == {name: row[name] for name in plan.quantities}
        points = [point for point in curves(whole) if point["number"] == number + 1]
        assert [point["offered"] for point in points] == plan.simulation.offered.tolist()
        assert [point["accepted"] for point in points] == plan.simulation.accepted.tolist()
        assert [point["delay_p99"] for point in points] == plan.simulation.delay_p99.tolist()


def test_the_study_of_a_row_is_next_to_it_in_full(whole):
    with sweep.Store(whole) as store:
        kept = store.study(3)
        with pytest.raises(InputError, match="has no run 9"):
            store.study(9)
    again = study.check(kept)
    original = sweep.load(whole.parent / "study.toml").studies[2]
    assert plain(again.sections) == plain(original.sections)
    assert again.seed == original.seed


@pytest.mark.nightly
def test_processes_give_the_same_table(whole, tmp_path):
    run(whole.parent / "study.toml", tmp_path / "pool.sqlite", jobs=2)
    assert exported(tmp_path / "pool.sqlite") == exported(whole)
    assert {path.name for path in tmp_path.iterdir()} == {"pool.sqlite", "pool.csv", "pool.curve.csv"}, "nothing else is left"


def test_an_interrupted_sweep_goes_on(whole, tmp_path):
    table = tmp_path / "sweep.sqlite"
    checked = sweep.load(whole.parent / "study.toml")
    for after in (0, 3, 2):
        with pytest.raises(KeyboardInterrupt):
            sweep.run(checked, table, executor=Interrupted(after))
        assert not {row["status"] for row in rows(table)} - {"done", "waiting"}
    result = sweep.run(checked, table, executor=Serial())
    assert (result.runs, result.reused, result.counts) == (8, 5, {"done": 8})
    assert exported(table) == exported(whole)


def test_what_is_there_does_not_run_again(whole):
    class Never(Serial):
        def each(self, function, tasks):
            raise AssertionError("it ran")

    result = sweep.run(sweep.load(whole.parent / "study.toml"), whole, executor=Never())
    assert result.reused == result.runs == 8


@pytest.mark.slow
def test_two_sweeps_share_a_table_and_equal_runs_are_one(tmp_path):
    table = tmp_path / "both.sqlite"
    run(write(tmp_path, NETWORKS.replace('"simulation.loads" = [[0.1], [0.3, 0.6]]', '"simulation.loads" = [[0.1]]')), table)
    first = rows(table)
    other = NETWORKS.replace('"simulation.loads" = [[0.1], [0.3, 0.6]]', '"simulation.packet_phits" = [16, 4]')
    result = run(write(tmp_path, 'name = "phits"\n' + other.replace("[simulation]", "[simulation]\nloads = [0.1]")), table)
    assert (result.runs, result.reused) == (8, 4)
    found = rows(table)
    assert len(found) == 8
    assert [row["throughput"] for row in found[:4]] == [row["throughput"] for row in first]
    # Columns that only one of the sweeps varies have their values in all rows.
    assert [row["simulation.packet_phits"] for row in found] == [16] * 4 + [4] * 4
    assert [row["simulation.loads"] for row in found] == ["[0.1]"] * 8


def test_equal_runs_of_one_sweep_are_one(tmp_path):
    result = run(write(tmp_path, NETWORKS.replace("seed = [1, 2]", "seed = [1, 1]")), tmp_path / "sweep.sqlite")
    assert result.runs == 4


def test_a_file_with_other_content_is_another_run(tmp_path):
    text = """\
[topology]
family = "file"
endpoints_per_router = 1
[sweep]
"topology.path" = ["a.edges"]
"""
    (tmp_path / "a.edges").write_text("0 1\n1 2\n")
    table = tmp_path / "sweep.sqlite"
    assert run(write(tmp_path, text), table).reused == 0
    assert run(tmp_path / "study.toml", table).reused == 1
    (tmp_path / "a.edges").write_text("0 1\n1 2\n2 0\n")
    assert run(tmp_path / "study.toml", table).reused == 0
    assert [row["links"] for row in rows(table)] == [2, 3]


@pytest.mark.slow
def test_failures_are_rows_with_their_message(tmp_path):
    text = NETWORKS.replace("q = 3", "q = 6").replace('simulation.routing = "valiant"', "simulation.traffic_parameters = {}")
    result = run(write(tmp_path, text), tmp_path / "sweep.sqlite")
    assert result.counts == {"done": 4, "failed": 4}
    assert all("nearest: 5 and 7" in row["message"] for row in rows(tmp_path / "sweep.sqlite") if row["case"] == "Slim Fly")


@pytest.mark.slow
def test_what_does_not_fit_is_a_row(tmp_path):
    text = """\
[topology]
family = "slimfly"
endpoints_per_router = 4
[catalog]
router = "nvidia-sb7800"
endpoint = "server-half-unit"
cabinet = "apc-ar3300"
[room]
plan = "lab"
[placement]
algorithm = "identity"
[sweep]
stages = ["bill"]
"topology.q" = [3, 13]
"""
    table = tmp_path / "sweep.sqlite"
    assert run(write(tmp_path, text), table).counts == {"done": 1, "infeasible": 1}
    fits, not_fits = rows(table)
    assert fits["cost_cents"] > 0
    assert not_fits["cost_cents"] is None
    assert "slots too few" in not_fits["message"]
    assert "delay_mean_ps" not in fits, "no stage ran that was not wanted"


def test_a_second_sweep_on_the_same_table_waits_its_turn(whole, tmp_path):
    table = tmp_path / "sweep.sqlite"
    checked = sweep.load(whole.parent / "study.toml")

    class Meanwhile(Serial):
        def each(self, function, tasks):
            for fresh in (False, True):
                with pytest.raises(InputError, match="is in use by another sweep"):
                    sweep.run(checked, table, executor=Serial(), fresh=fresh)
            yield from super().each(function, tasks)

    sweep.run(checked, table, executor=Meanwhile())
    assert exported(table) == exported(whole)


def test_rows_of_another_program_stay_and_are_reported(whole, tmp_path):
    table = tmp_path / "sweep.sqlite"
    table.write_bytes(whole.read_bytes())
    with closing(sqlite3.connect(table)) as changed:
        changed.execute("UPDATE run SET program = 'older', fingerprint = 'older' || number")
        changed.commit()
    result = run(whole.parent / "study.toml", table)
    assert result.others
    assert result.reused == 0
    assert len(rows(table)) == 16


def test_a_file_that_is_no_table_is_refused(tmp_path):
    (tmp_path / "x.sqlite").write_bytes(b"no database, for sure, but long enough to examine" * 9)
    with pytest.raises(InputError, match="is not a sweep table"):
        sweep.Store(tmp_path / "x.sqlite")
    with pytest.raises(InputError, match="does not exist"):
        sweep.Store(tmp_path / "y.sqlite")
    with closing(sqlite3.connect(tmp_path / "z.sqlite")) as other:
        other.execute("CREATE TABLE run (a)")
    with pytest.raises(InputError, match="is not a sweep table"):
        sweep.Store(tmp_path / "z.sqlite")


def test_a_table_that_vanishes_is_reported(whole, tmp_path):
    table = tmp_path / "sweep.sqlite"

    class Removing(Serial):
        def each(self, function, tasks):
            table.unlink()
            yield from super().each(function, tasks)

    with pytest.raises(InputError, match="cannot be written"):
        sweep.run(sweep.load(whole.parent / "study.toml"), table, executor=Removing())


@pytest.mark.slow
def test_parquet_holds_what_csv_holds(whole, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    with sweep.Store(whole) as store:
        paths = tables.export(store, tmp_path / "out.parquet")
        names, found = store.runs()
    assert [path.name for path in paths] == ["out.parquet", "out.curve.parquet"]
    table = parquet.read_table(paths[0])
    assert table.column_names == names
    assert table["routers"].to_pylist() == [row[names.index("routers")] for row in found]
    assert table["topology.sizes"].to_pylist() == [None, "[3, 4]"] * 4
    assert parquet.read_table(paths[1]).num_rows == 12


@pytest.mark.slow
def test_the_command_line(whole, tmp_path, capsys):
    table, out = tmp_path / "t.sqlite", tmp_path / "out.csv"
    study_file = str(whole.parent / "study.toml")
    command = ["sweep", study_file, "--store", str(table), "--table", str(out), "--jobs", "1"]
    assert main(command) == 0
    assert "8 runs: 8 done; 0 reused" in capsys.readouterr().out
    assert out.read_bytes() == exported(whole)[0]
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"runs": 8, "reused": 8, "counts": {"done": 8}}
    assert main([*command, "--fresh", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["reused"] == 0
    assert main(["sweep", study_file, "--list", "--set", "sweep.seed=[7]"]) == 0
    assert capsys.readouterr().out.count("seed = 7") == 4
    assert main(["sweep", study_file, "--table", "out.txt"]) == 2
    assert main(["run", study_file]) == 2
    assert "run planner sweep" in capsys.readouterr().err


def test_the_summary_of_failures_is_an_exit_code(tmp_path):
    command = ["sweep", str(write(tmp_path, NETWORKS.replace("q = 3", "q = 6"))), "--jobs", "1", "--quiet"]
    assert main(command) == 1
    assert (tmp_path / "study.sqlite").exists(), "the table is named after the study"


def test_an_executor_of_another_version_ends_the_sweep(whole, tmp_path, monkeypatch):
    from planner.core import version
    from planner.core.errors import PlannerError

    class Older(Serial):
        def each(self, function, tasks):
            monkeypatch.setattr(version, "source", lambda: "older")
            yield from super().each(function, tasks)

    with pytest.raises(PlannerError, match="another version"), executor(1):
        sweep.run(sweep.load(whole.parent / "study.toml"), tmp_path / "t.sqlite", executor=Older())
