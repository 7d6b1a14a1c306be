"""Axes: what a study with a sweep expands to, and that all its faults are reported once."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared.small_sweeps import NETWORKS, write

from planner.core.errors import InputError
from planner.core.reading import Document
from planner.studies import study, sweep


def expand(**sweep_section):
    data = {"topology": {"family": "slimfly", "q": 3}, "sweep": sweep_section}
    return sweep.expand(Document("study.toml", data))


def complaints(tmp_path, text):
    with pytest.raises(InputError) as caught:
        sweep.load(write(tmp_path, text))
    return [str(problem) for problem in caught.value.problems]


def test_the_runs_are_the_product_and_the_last_axis_changes_fastest(tmp_path):
    made = sweep.load(write(tmp_path))
    assert made.stages == ("simulation",)
    assert [(c["seed"], c["simulation.loads"], c["case"]) for c in made.changes] == list(
        itertools.product([1, 2], [[0.1], [0.3, 0.6]], ["Slim Fly", "torus"])
    )
    assert [one.sections["topology"]["family"] for one in made.studies] == ["slimfly", "torus"] * 4
    assert [one.sections["simulation"]["routing"] for one in made.studies] == ["minimal", "valiant"] * 4
    assert [one.seed for one in made.studies] == [1] * 4 + [2] * 4


def test_a_run_is_the_study_that_the_changes_give_by_hand(tmp_path):
    path = write(tmp_path)
    plain = NETWORKS[: NETWORKS.index("[sweep]")] + '[topology]\nfamily = "slimfly"\nq = 3\nendpoints_per_router = 2\n'
    (tmp_path / "plain.toml").write_text(plain)
    by_hand = study.load(tmp_path / "plain.toml", ["seed=2", "simulation.loads=[0.3, 0.6]"])
    expanded = next(
        one
        for one, c in zip(sweep.load(path).studies, sweep.load(path).changes, strict=True)
        if (c["seed"], c["simulation.loads"], c["case"]) == (2, [0.3, 0.6], "Slim Fly")
    )
    assert expanded.sections == by_hand.sections
    assert expanded.seed == by_hand.seed


def test_a_key_path_has_three_spellings():
    spellings = (
        {"topology.q": [3, 5]},
        {"topology": {"q": [3, 5]}},
        {"topology": [{"family": "slimfly", "q": q} for q in (3, 5)]},
    )
    for section in spellings:
        made = expand(**section)
        assert [one.sections["topology"]["q"] for one in made.studies] == [3, 5]


def test_a_list_of_tables_replaces_the_whole_section():
    made = expand(topology=[{"family": "slimfly", "q": 5}, {"family": "torus", "sizes": [3, 3]}])
    assert [one.sections["topology"]["family"] for one in made.studies] == ["slimfly", "torus"]


def test_cases_without_a_label_are_numbered():
    made = expand(case=[{"seed": 1, "topology": {"q": 3}}, {"seed": 2, "topology.q": 5}])
    assert [(c["case"], one.seed, one.sections["topology"]["q"]) for c, one in zip(made.changes, made.studies, strict=True)] == [
        (1, 1, 3),
        (2, 2, 5),
    ]


def test_a_study_without_axes_is_one_run():
    assert len(expand().studies) == 1


@pytest.mark.slow
@given(st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_as_many_runs_as_the_product_of_the_lengths(lengths):
    keys = ["seed", "topology.q", "topology.endpoints_per_router"]
    values = [list(range(9)), [3, 4, 5, 7], [1, 2, 3, 4]]
    axes = {key: values[n][: lengths[n]] for n, key in enumerate(keys[: len(lengths)])}
    made = expand(**axes)
    expected = 1
    for length in lengths:
        expected *= length
    assert len(made.studies) == len(made.changes) == expected
    assert len({str(changed) for changed in made.changes}) == expected


def test_every_fault_is_reported_once_with_its_line_and_the_number_of_its_runs(tmp_path):
    text = (
        NETWORKS.replace("q = 3", "qq = 3")
        .replace("seed = [1, 2]", "seed = [1, -2]")
        .replace("\ncycles = 200", "\ncycls = 200")
        .replace('"valiant"', '"vallant"')
    )
    found = complaints(tmp_path, text)
    line = {
        part: next(n for n, each in enumerate(text.splitlines(), 1) if part in each) for part in ("qq", "-2", "cycls", "valla")
    }
    assert len(found) == 5, found
    reported = "\n".join(found)
    assert f"study.toml:{line['qq']}: topology.qq: slimfly has no such key (4 of 8 runs, the first with" in reported
    assert "topology.q: slimfly needs this key (4 of 8 runs" in reported
    assert f"study.toml:{line['-2']}: seed: must not be negative, not -2 (4 of 8 runs, the first with seed = -2)" in reported
    assert f"study.toml:{line['valla']}: simulation.routing: there is no routing 'vallant' (4 of 8 runs" in reported
    # What all runs have in common does not distinguish runs.
    assert f"study.toml:{line['cycls']}: simulation.cycls: simulation has no such key; did you mean cycles?" in reported


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ('"topology.q" = 5', "sweep.topology.q: must be a list of values, not 5"),
        ('"topology.q" = []', "sweep.topology.q: must be a list of values, not []"),
        ('"topology.qq" = [5]', "topology.qq: slimfly has no such key"),
        ('"topolgy.q" = [5]', "topolgy: a study has no such key or section; did you mean topology?"),
        ('stages = ["simulatoin"]', "there is no stage 'simulatoin'; did you mean simulation?"),
        ('stages = ["cables"]', "there is no stage 'cables'"),
        ('stages = "simulation"', "sweep.stages: must be a list of stages"),
        ("case = [3]", "sweep.case.0: must be a table, not 3"),
        ('case = [{"topology.q" = 5}]\n"topology.q" = [3]', "changes topology.q, as case does"),
        ('"topology.q" = [3]\ntopology.family = ["slimfly"]\n"topology.family.x" = [1]', "as topology.family does"),
        ('"seed.x" = [3]', "seed.x: 1 is not a section"),
        (
            "seed = [" + "1, " * 1001 + "]\n" + '"topology.endpoints_per_router" = [' + "1, " * 1001 + "]",
            "defines 1,002,001 runs",
        ),
    ],
)
def test_a_wrong_sweep_is_reported_with_its_line(tmp_path, section, message):
    simulation = "[simulation]\nlink_cycles = 1\nrouter_delay_cycles = 1\n"
    found = complaints(tmp_path, f'seed = 1\n[topology]\nfamily = "slimfly"\nq = 3\n{simulation}[sweep]\n{section}\n')
    assert any(message in line for line in found), found
    assert all("study.toml:" in line for line in found), found


def test_a_sweep_is_no_plain_study(tmp_path):
    with pytest.raises(InputError, match="run planner sweep"):
        study.load(write(tmp_path))
