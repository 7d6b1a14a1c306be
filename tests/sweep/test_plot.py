"""Plots: what is drawn is what the table has, with units, and can be read without colors."""

import re
from itertools import combinations

import pytest
from shared.small_sweeps import curves, rows, run, write

from planner.commands.console.cli import main
from planner.core.errors import InputError
from planner.studies import plot
from planner.studies.plotting import STROKES
from planner.studies.sweep import Store, tables
from planner.studies.sweep.tables import Table

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plot")
    path = folder / "sweep.sqlite"
    run(write(folder), path)
    with Store(path) as store:
        tables.export(store, folder / "out.csv")
    return path


@pytest.mark.slow
def test_a_line_is_the_mean_over_what_is_left_and_its_range(table):
    found = plot.lines(tables.read(table)[0], "simulation.loads", "throughput", ["case"])
    assert [line.label for line in found] == ["Slim Fly", "torus"]
    for line in found:
        assert line.x == ["[0.1]", "[0.3, 0.6]"]
        for place, loads in enumerate(line.x):
            values = [row["throughput"] for row in rows(table) if (row["case"], row["simulation.loads"]) == (line.label, loads)]
            assert len(values) == 2
            assert line.y[place] == pytest.approx(sum(values) / 2)
            assert (line.low[place], line.high[place]) == (min(values), max(values))


@pytest.mark.slow
def test_loads_of_many_runs_make_one_curve(table):
    where = [("seed", "2"), ("case", "torus")]
    [line] = plot.lines(tables.read(table)[1], "offered", "delay_mean", where=where)
    points = [point for point in curves(table) if point["seed"] == 2 and point["case"] == "torus"]
    assert line.x == [0.1, 0.3, 0.6]
    assert sorted(line.y) == sorted(point["delay_mean"] for point in points)
    assert line.hollow == [bool(point["saturated"]) for point in sorted(points, key=lambda p: p["offered"])]


def test_an_exported_file_gives_the_same_lines(table):
    stored = plot.lines(tables.read(table)[1], "offered", "accepted", ["case", "seed"])
    assert plot.lines(tables.read(table.with_name("out.curve.csv"))[0], "offered", "accepted", ["case", "seed"]) == stored


def test_rows_without_a_value_are_left_out():
    source = Table(["q", "cost"], [(3, 1), (5, None), (None, 2), (7, "text")])
    [line] = plot.lines(source, "q", "cost")
    assert line.x == [3]
    assert plot.lines(source, "q", "cost", where=[("q", "5")]) == []


def test_axes_have_units():
    assert plot.axis("throughput") == ("throughput (phits/cycle/endpoint)", 1)
    assert plot.axis("longest_run_mm") == ("longest run (m)", 1e-3)
    assert plot.axis("power_mw") == ("power (kW)", 1e-6)
    assert plot.axis("routers") == ("routers", 1)


def test_lines_differ_without_their_colors():
    looks = [(mark, dashes) for _, mark, dashes in STROKES[:40]]
    assert all(one != other for one, other in combinations(looks, 2))


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "start"), [("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_the_file_is_of_the_kind_of_its_name_and_always_the_same(table, tmp_path, suffix, start):
    chosen = {"x": "offered", "y": "delay_mean", "by": ["case"], "max_y": 300, "log": "x", "title": "Delay"}
    first = plot.plot(table, **chosen, out=tmp_path / f"a.{suffix}").read_bytes()
    assert first.startswith(start)
    assert plot.plot(table, **chosen, out=tmp_path / f"b.{suffix}").read_bytes() == first
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"a.{suffix}", f"b.{suffix}"]


@pytest.mark.slow
def test_the_command_line(table, tmp_path, capsys):
    out = tmp_path / "delay.svg"
    command = ["plot", str(table), "--x", "offered", "--y", "delay_p99", "--by", "case, seed", "--out", str(out)]
    assert main(command) == 0
    assert capsys.readouterr().out.strip() == str(out)
    # Text of an SVG is drawn as paths; its comments hold it.
    reported = re.findall(r"<!-- (.*?) -->", out.read_text())
    assert {"offered (phits/cycle/endpoint)", "delay p99 (cycles)", "Slim Fly, 1", "torus, 2"} <= set(reported)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"y": "thruput"}, "has no column 'thruput'; did you mean throughput"),
        ({"y": "throughput", "where": ["case=Dragonfly"]}, "no row has both"),
        ({"y": "throughput", "out": "plot.doc"}, "is not a PDF, SVG or PNG"),
        ({"x": "offered", "y": "throughput"}, "are not in one table"),
    ],
)
def test_what_cannot_be_plotted_is_reported(table, tmp_path, monkeypatch, chosen, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        plot.plot(table, **{"x": "simulation.routing"} | chosen)
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_no_table(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        tables.read(tmp_path / "none.csv")
    with pytest.raises(InputError, match="does not exist"):
        tables.read(tmp_path / "none.sqlite")
