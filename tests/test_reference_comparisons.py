"""Comparisons with figures of papers under reports/: the tables hold what their pages state, and rows come out again."""

import csv
import json
import statistics
from pathlib import Path

import pytest

from planner.domain import catalog
from planner.studies import pipeline, sweep

REPORTS = Path(__file__).parents[1] / "reports"
TABLE2, MDDP = REPORTS / "spectralfly-table2", REPORTS / "mddp-curve"
SWEEPS = {
    TABLE2 / "sweep.csv": (TABLE2 / "sweep.toml",),
    TABLE2 / "draws.csv": (TABLE2 / "draws.toml",),
    TABLE2 / "latency.csv": (TABLE2 / "latency.toml",),
    MDDP / "curve.csv": (MDDP / "points.toml", MDDP / "curve.toml"),
}


def number(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text or None


def rows(path, **wanted):
    with path.open(encoding="utf-8", newline="") as file:
        found = [{name: number(text) for name, text in row.items()} for row in csv.DictReader(file)]
    return [row for row in found if all(row[name] == value for name, value in wanted.items())]


def one(path, **wanted):
    (row,) = rows(path, **wanted)
    return row


# -- every table is that of its study ---------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("table", SWEEPS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_table_has_a_finished_row_for_every_run(table):
    changes = [change for study in SWEEPS[table] for change in sweep.load(study).changes]
    found = rows(table)
    assert len(found) == len(changes)
    assert {row["status"] for row in found} == {"done"}
    for row, changed in zip(found, changes, strict=True):
        for path, value in changed.items():
            leaves = {f"{path}.{key}": v for key, v in value.items()} if isinstance(value, dict) else {path: value}
            for leaf, expected in leaves.items():
                assert row[leaf] == (json.dumps(expected) if isinstance(expected, list) else expected), leaf


@pytest.mark.slow
@pytest.mark.parametrize(
    ("study", "table", "place"),
    [
        (TABLE2 / "sweep.toml", TABLE2 / "sweep.csv", 4),
        (TABLE2 / "draws.toml", TABLE2 / "draws.csv", 1),
        (TABLE2 / "latency.toml", TABLE2 / "latency.csv", 2),
        (MDDP / "points.toml", MDDP / "curve.csv", 0),
        (MDDP / "curve.toml", MDDP / "curve.csv", 1),
        pytest.param(TABLE2 / "sweep.toml", TABLE2 / "sweep.csv", 0, marks=pytest.mark.nightly),
    ],
    ids=lambda each: getattr(each, "stem", None),
)
def test_a_row_comes_out_again(study, table, place):
    """All figures, exactly."""
    loaded = sweep.load(study)
    # The table of curve.toml begins with the rows of points.toml.
    first = len(rows(table)) - len(loaded.studies) if study.name == "curve.toml" else 0
    kept = rows(table)[first + place]
    plan = pipeline.make(loaded.studies[place], loaded.stages)
    assert kept["case"] == loaded.changes[place]["case"]
    for name, entry in plan.quantities.items():
        assert kept[name] == entry["value"], name


# -- SpectralFly's Table II -------------------------------------------------------------------

CLASSES = [("LPS(11,7)", "SF(9)"), ("LPS(19,7)", "SF(13)"), ("LPS(23,11)", "SF(17)"), ("LPS(29,13)", "SF(23)")]
PRINTED = {row.topology: row for row in catalog.rows("published_layout")}


def planned(name):
    case = "SpectralFly" if name.startswith("LPS") else "Slim Fly"
    return one(TABLE2 / "sweep.csv", case=case, routers=PRINTED[name].routers)


def others(case, table="sweep"):
    """Rows of the other networks, by room in order of size."""
    return rows(TABLE2 / f"{table}.csv", case=case)


def bisection(row):
    """Links in the best cut: power over power per Gb/s, of 100 Gb/s a link."""
    return round(row["power_mw"] / row["power_per_bisection_gbps_min_mw"] / 100)


@pytest.mark.parametrize("name", PRINTED)
def test_lines_of_table_ii_stand_on_the_page(name):
    """Ours and, in brackets, the paper's."""
    ours, paper = planned(name), PRINTED[name]
    cells = [
        name.replace(",", ", "),
        f"{ours['mean_link_mm'] / 1000:.2f} ({paper.mean_mm / 1000:.2f})",
        f"{ours['longest_run_mm'] / 1000:.1f} ({paper.longest_mm / 1000:.1f})",
        f"{ours['cables_copper']:,} ({paper.electrical:,})",
        f"{bisection(ours):,} ({paper.bisection_links:,})",
        f"{ours['power_mw'] / 1e6:.2f} ({paper.power_mw / 1e6:.2f})",
        f"{ours['power_per_bisection_gbps_min_mw']:.0f} ({paper.mw_per_gbps})",
        f"{ours['placement_gap_percent']:.1f}",
    ]
    assert f"| {' | '.join(cells)} |" in (TABLE2 / "README.md").read_text(encoding="utf-8")


def test_lengths_are_a_little_shorter_in_the_same_order():
    for pair in CLASSES:
        ours, paper = zip(*((planned(name)["mean_link_mm"], PRINTED[name].mean_mm) for name in pair), strict=True)
        assert all(0.94 < own / printed < 0.99 for own, printed in zip(ours, paper, strict=True))
        assert (ours[0] < ours[1]) == (paper[0] < paper[1])
        assert max(ours) / min(ours) < 1.09


def test_a_random_network_is_as_short_when_it_is_placed():
    for (lps, _), placed, skywalk in zip(CLASSES, others("random, placed"), others("SkyWalk"), strict=True):
        own = planned(lps)["mean_link_mm"]
        assert placed["mean_link_mm"] == pytest.approx(own, rel=0.05)
        assert 0.79 - 0.005 < skywalk["mean_link_mm"] / min(own, placed["mean_link_mm"]) < 0.975
        assert 0.28 - 0.01 < bisection(skywalk) / bisection(planned(lps)) < 0.73


def test_what_the_paper_calls_skywalk_is_as_long_as_a_random_network():
    draws = others("random", "draws")
    for (lps, _), cabinets in zip(CLASSES, (84, 169, 330, 546), strict=True):
        means = [row["mean_link_mm"] for row in draws if row["room.cabinets"] == cabinets]
        assert len(means) == 20
        assert statistics.mean(means) == pytest.approx(PRINTED[lps].mean_skywalk_mm, rel=0.04)
        assert f"{statistics.mean(means) / 1000:.2f}" in (TABLE2 / "README.md").read_text(encoding="utf-8")


def test_bisections():
    for lps, slimfly in CLASSES:
        assert bisection(planned(slimfly)) == PRINTED[slimfly].bisection_links
        assert 0.93 < bisection(planned(lps)) / PRINTED[lps].bisection_links < 0.985


def test_power_is_not_what_is_printed_but_its_ratios_remain():
    more = []
    for lps, slimfly in CLASSES:
        for name in (lps, slimfly):
            assert 9.3 <= planned(name)["power_mw"] / PRINTED[name].power_mw < 9.9
        ours = [planned(name)["power_per_bisection_gbps_min_mw"] for name in (lps, slimfly)]
        more.append(
            (round(100 * (ours[0] / ours[1] - 1)), round(100 * (PRINTED[lps].mw_per_gbps / PRINTED[slimfly].mw_per_gbps - 1)))
        )
    assert more == [(23, 9), (16, 6), (-3, -8), (-9, -12)]


def delays(figure, switch):
    """For each room SpectralFly, Slim Fly and SkyWalk."""
    wanted = {"catalog.router": f"switch-{switch:03}-ns"}
    columns = [rows(TABLE2 / "latency.csv", case=case, **wanted) for case in ("SpectralFly", "Slim Fly", "SkyWalk")]
    return [[row[figure] for row in room] for room in zip(*columns, strict=True)]


@pytest.mark.parametrize("switch", [100, 200])
def test_delays_against_skywalk(switch):
    """Figure 11: the longest is below SkyWalk's except for LPS(19, 7)."""
    longest = delays("delay_worst_ps", switch)
    assert [lps < skywalk for lps, _, skywalk in longest] == [True, False, True, True]
    assert all(slimfly < skywalk for _, slimfly, skywalk in longest)
    mean = delays("delay_mean_ps", switch)
    assert [lps < skywalk for lps, _, skywalk in mean] == [True, False, True, True]
    assert all(0.84 < slimfly / skywalk < 0.93 for _, slimfly, skywalk in mean)
    low, high = {100: (1.06, 1.12), 200: (1.09, 1.15)}[switch]
    assert all(low < lps / slimfly < high for lps, slimfly, _ in mean)


def test_delays_where_switches_take_no_time():
    for lps, slimfly, skywalk in delays("delay_mean_ps", 0):
        assert 0.96 < lps / skywalk < 1.04
        assert 1.03 < slimfly / skywalk < 1.13


# -- MDDP's figure 6 --------------------------------------------------------------------------

SIZES = (64, 128, 256, 512, 768, 1024)


def curve(case, routers, algorithm="identity", prices="slimfly"):
    return one(MDDP / "curve.csv", **{"case": case, "routers": routers, "placement.algorithm": algorithm, "bill.prices": prices})


@pytest.mark.slow
def test_lines_of_the_table_stand_on_the_page():
    page = (MDDP / "README.md").read_text(encoding="utf-8")
    shown = [line.strip("| ").split(" | ") for line in page.splitlines() if " d = " in line and line.startswith("| ")]
    assert len(shown) >= 20
    for case, routers, *figures in shown:
        ordered, annealed = (curve(case, int(routers.replace(",", "")), algorithm) for algorithm in ("identity", "anneal"))
        expected = [f"{row['mean_link_mm'] / 1000:.2f}" for row in (ordered, annealed)]
        expected += [f"{row['cost_cents'] / 1e8:.2f}" for row in (ordered, annealed)]
        assert figures == [*expected, f"{ordered['power_mw'] / 1e6:.2f}", f"{ordered['mean_hops']:.3f}"]


@pytest.mark.slow
@pytest.mark.parametrize("degree", [8, 29])
@pytest.mark.parametrize("routers", SIZES)
def test_mddp_is_built_like_a_random_network(degree, routers):
    for prices in ("slimfly", "mudigonda-stock"):
        for algorithm in ("identity", "anneal"):
            mddp, rnd = (curve(f"{kind}, d = {degree}", routers, algorithm, prices) for kind in ("MDDP", "random"))
            assert 0.91 < mddp["mean_link_mm"] / rnd["mean_link_mm"] < (1.04 if algorithm == "identity" else 1.08)
            assert 0.94 < mddp["cost_cents"] / rnd["cost_cents"] < 1.015
            assert 0.998 < mddp["power_mw"] / rnd["power_mw"] <= 1
            assert 0.12 < rnd["cost_cables_cents"] / rnd["cost_cents"] < 0.3
    assert mddp["mean_hops"] <= rnd["mean_hops"] or (degree, routers) == (29, 64)


@pytest.mark.slow
def test_the_degree_decides_the_cost():
    for routers in SIZES[2:]:
        for prices, low, high in (("slimfly", 4.4, 4.8), ("mudigonda-stock", 3.6, 3.85)):
            for algorithm in ("identity", "anneal"):
                eight, more = (curve(f"random, d = {d}", routers, algorithm, prices)["cost_cents"] for d in (8, 29))
                assert low < more / eight < high


@pytest.mark.slow
def test_the_torus_has_shorter_cables_but_not_by_several_factors():
    for routers in (256, 512, 1024):
        for algorithm, low, high in (("identity", 1.6, 1.9), ("anneal", 1.2, 1.6)):
            longer = curve("random, d = 8", routers, algorithm)["mean_link_mm"]
            assert low < longer / curve("torus, d = 8", routers, algorithm)["mean_link_mm"] < high


@pytest.mark.slow
def test_a_third_less_cable_is_a_tenth_less_cost():
    saved = [
        tuple(
            1 - curve(f"MDDP, d = {d}", n, "anneal")[key] / curve(f"MDDP, d = {d}", n)[key]
            for key in ("mean_link_mm", "cost_cents")
        )
        for d in (8, 29)
        for n in (256, 1024)
    ]
    assert max(length for length, _ in saved) == pytest.approx(0.34, abs=0.01)
    assert min(length for length, _ in saved) == pytest.approx(0.13, abs=0.01)
    assert max(cost for _, cost in saved) == pytest.approx(0.09, abs=0.01)
