"""Findings of the papers: the sweeps under reports/ still give their tables, and the tables have what the pages claim."""

import json

import pytest
from shared.findings import REPORTS, assert_on_page, at, clearly, curve, delay, markdown, table, throughput

from planner.core import version
from planner.studies import sweep
from planner.studies.sweep.work import DONE, Job, work

AGAIN = {
    "polarized-rrg720/figures-4-6": (2, 13),
    "polarstar-routing/figure-9": (1, 40),
    "polarstar-routing/figure-10": (4, 6),
    "spectralfly-workloads/figure-6": (1,),
    "spectralfly-workloads/figure-7": (2,),
    "spectralfly-workloads/figure-8": (4,),
    "spectralfly-workloads/figures-9-10": (1, 5),
    "swapped-dragonfly-collectives/lock-step": (11, 16),
    "swapped-dragonfly-collectives/asynchronous": (31, 33),
    "mddp-motifs/case1": (3, 66),
    "mddp-motifs/case2": (6, 37),
}
"""Of each sweep the rows that are run again here; of a row with loads, the first load."""

NOT_MEASURED = {"number", "point", "fingerprint", "program", "study", "status", "message"}


def flat(changes, prefix=""):
    """The key paths that a run of a sweep changes."""
    for key, value in changes.items():
        yield from flat(value, f"{prefix}{key}.") if isinstance(value, dict) else [prefix + key]


def said(study, path):
    """The value at a key path of an expanded study, as a table holds it."""
    value = study
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value


@pytest.mark.slow
@pytest.mark.parametrize("name", AGAIN)
def test_a_table_has_all_rows_of_its_sweep(name):
    loaded = sweep.load(REPORTS / f"{name}.toml")
    rows = table(name)
    assert [row["number"] for row in rows] == list(range(1, len(loaded.studies) + 1))
    for row, one, changes in zip(rows, loaded.studies, loaded.changes, strict=True):
        assert row["status"] == DONE
        study = one.expanded() | {"case": changes.get("case")}
        assert {path: row[path] for path in flat(changes)} == {path: said(study, path) for path in flat(changes)}
        loads = [point["offered"] for point in curve(name) if point["number"] == row["number"]]
        assert loads == list(one.sections["simulation"]["loads"] if "simulation" in one.sections else [])


AT_NIGHT = {
    ("polarstar-routing/figure-9", 40),
    ("polarstar-routing/figure-10", 6),
    ("spectralfly-workloads/figure-6", 1),
    ("spectralfly-workloads/figure-7", 2),
    ("spectralfly-workloads/figure-8", 4),
    ("spectralfly-workloads/figures-9-10", 5),
}
"""Rows that take longest; of each paper others are run daily."""

ROWS = [
    pytest.param(
        name,
        number,
        marks=pytest.mark.nightly if (name, number) in AT_NIGHT else [] if name.startswith("mddp") else pytest.mark.slow,
    )
    for name, numbers in AGAIN.items()
    for number in numbers
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "number"), ROWS)
def test_a_row_comes_out_again(name, number):
    path = REPORTS / f"{name}.toml"
    points = [row for row in curve(name) if row["number"] == number]
    # Each load has a stream of its own, so that the first alone gives what it gives among others.
    first = [f"simulation.loads=[{points[0]['offered']}]"] if points else []
    again = sweep.load(path, first)
    made = work(Job(again.stages, None, version.source()), (number, again.studies[number - 1]))
    assert made.status == DONE, made.message
    if points:
        _assert_equal(made.curve[0], points[0])
    else:
        _assert_equal(made.quantities, table(name)[number - 1])


def _assert_equal(found, kept):
    measured = {key: value for key, value in kept.items() if key in found and value is not None}
    assert len(measured) >= 5
    assert NOT_MEASURED.isdisjoint(measured)
    for key, value in measured.items():
        assert found[key] == (value if isinstance(value, int) else pytest.approx(value, rel=1e-9)), key


POLARIZED = "polarized-rrg720/figures-4-6"
OTHERS = ("valiant", "source", "ksp", "all_paths")


def rrg(load, traffic, routing):
    return at(POLARIZED, load, **{"simulation.traffic": traffic, "simulation.routing": routing})


def test_polarized_is_about_equal_to_minimal_for_uniform_traffic():
    for load in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        minimal, polarized = rrg(load, "uniform", "minimal"), rrg(load, "uniform", "polarized")
        assert not minimal["saturated"]
        assert not polarized["saturated"]
        assert polarized["delay_mean"] == pytest.approx(minimal["delay_mean"], rel=0.1)
        assert polarized["fairness"] == pytest.approx(minimal["fairness"], abs=0.002)
    assert rrg(1.0, "uniform", "polarized")["accepted"] == pytest.approx(rrg(1.0, "uniform", "minimal")["accepted"], rel=0.1)


def test_the_other_routings_for_uniform_traffic():
    full = {routing: rrg(1.0, "uniform", routing) for routing in ("minimal", "polarized", *OTHERS)}
    # Source routing: slightly less than hop by hop.
    assert clearly(full["minimal"], full["source"])
    assert full["source"]["accepted"] > 0.9 * full["minimal"]["accepted"]
    assert 0.4 < full["valiant"]["accepted"] < 0.45
    assert all(clearly(full["source"], full[modest]) for modest in ("ksp", "all_paths"))
    longest = max(full, key=lambda routing: rrg(0.1, "uniform", routing)["delay_mean"])
    assert longest == "valiant"


@pytest.mark.parametrize("traffic", ["permutation", "neighbor_permutation"])
def test_polarized_is_ahead_of_all_others_for_permutations(traffic):
    full = rrg(1.0, traffic, "polarized")
    for routing in ("minimal", *OTHERS):
        assert clearly(full, rrg(1.0, traffic, routing)), routing


def test_minimal_routing_falls_behind_early_under_a_permutation_of_servers():
    for load in (0.3, 0.4, 0.5, 0.6):
        minimal, polarized = rrg(load, "permutation", "minimal"), rrg(load, "permutation", "polarized")
        assert minimal["delay_mean"] - minimal["delay_error"] > 1.2 * polarized["delay_mean"]
        assert load == 0.3 or clearly(polarized, minimal)
    assert rrg(0.5, "permutation", "minimal")["saturated"]
    assert not rrg(0.6, "permutation", "polarized")["saturated"]


def test_seven_servers_share_one_link_under_minimal_routing_to_neighbors():
    assert rrg(1.0, "neighbor_permutation", "minimal")["accepted"] == pytest.approx(1 / 7, rel=0.001)


def test_page_of_polarized():
    rows = table(POLARIZED)
    assert_on_page("polarized-rrg720", markdown(rows, "simulation.routing", "simulation.traffic", throughput))
    half = [row for row in curve(POLARIZED) if row["offered"] == 0.5]
    assert_on_page("polarized-rrg720", markdown(half, "simulation.routing", "simulation.traffic", delay))


PROGRAMS = ("FT", "IS", "MM", "Graph500", "BT", "CG", "LU", "MG", "SP", "DT")


def times(name, program, family):
    """The times of a program on all networks of a family, ns."""
    return [row["workload_ns"] for row in table(name) if row["case"] == program and row["topology.family"] == family]


@pytest.mark.parametrize("program", ["FT", "IS", "Graph500"])
def test_collectives_run_faster_on_random_networks_than_on_the_torus(program):
    [torus] = times("mddp-motifs/case1", program, "torus")
    assert max(times("mddp-motifs/case1", program, "jellyfish") + times("mddp-motifs/case1", program, "mddp")) < 0.97 * torus


@pytest.mark.parametrize("program", ["CG", "LU", "SP"])
def test_neighbors_talk_faster_on_the_torus(program):
    [torus] = times("mddp-motifs/case1", program, "torus")
    assert min(times("mddp-motifs/case1", program, "jellyfish") + times("mddp-motifs/case1", program, "mddp")) > 1.03 * torus


def ahead(name, program):
    """Whether the slowest MDDP network is faster than the fastest random one."""
    return max(times(name, program, "mddp")) < min(times(name, program, "jellyfish"))


def gain(name, program):
    """Mean time on the random networks by that on the MDDP networks."""
    return sum(times(name, program, "jellyfish")) / sum(times(name, program, "mddp"))


def test_mddp_of_degree_8_is_behind_random_for_one_program_and_little():
    assert {program for program in PROGRAMS if ahead("mddp-motifs/case1", program)} == set(PROGRAMS) - {"LU", "MM", "DT"}
    gains = {program: gain("mddp-motifs/case1", program) for program in PROGRAMS}
    assert {program for program in PROGRAMS if gains[program] < 0.999} == {"MM"}
    assert gains["MM"] > 0.98


def test_mddp_of_degree_17_is_ahead_for_some_programs_and_a_little_behind_for_others():
    assert {program for program in PROGRAMS if ahead("mddp-motifs/case2", program)} == {"FT", "IS", "LU", "MM"}
    gains = [gain("mddp-motifs/case2", program) for program in PROGRAMS]
    assert min(gains) > 0.94
    assert sum(gains) / len(gains) > 1.01


def speeds(program):
    """Speed on random and MDDP networks relative to the torus, and that of MDDP relative to random in both cases."""
    [torus] = times("mddp-motifs/case1", program, "torus")
    to_torus = [3 * torus / sum(times("mddp-motifs/case1", program, family)) for family in ("jellyfish", "mddp")]
    return [*to_torus, gain("mddp-motifs/case1", program), gain("mddp-motifs/case2", program)]


def test_page_of_mddp():
    heads = ("random / torus", "MDDP / torus", "MDDP / random", "MDDP / random, degree 17")
    rows = [
        {"program": program, "": head, "speed": speed}
        for program in PROGRAMS
        for head, speed in zip(heads, speeds(program), strict=True)
    ]
    assert_on_page("mddp-motifs", markdown(rows, "program", "", lambda row: f"{row['speed']:.2f}"))
