"""reports/swapped-dragonfly-collectives: the counts of the paper, and what the page states about the runs."""

import importlib.util
import json
from pathlib import Path

import pytest
from shared.findings import REPORTS, assert_on_page, table

NAME = "swapped-dragonfly-collectives"
ROOT = Path(__file__).parents[1]
GOLDEN = json.loads((ROOT / "tests" / "data" / "golden.json").read_text())["d3_collectives"]


def runs():
    """The rows of both sweeps by case and network; the routing of lock step is ``lock step``."""
    found = {}
    for name in ("lock-step", "asynchronous"):
        for row in table(f"{NAME}/{name}"):
            routing = row.get("workload.routing", "lock step")
            found.setdefault((row["case"], row["topology.k"], row["topology.m"]), {})[routing] = row
    return found


def test_the_table_of_published_counts_is_that_of_the_tool():
    spec = importlib.util.spec_from_file_location("published", ROOT / "tools" / "published_collectives.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (REPORTS / NAME / "published.csv").read_text(encoding="utf-8") == module.page(), "run tools/published_collectives.py"


def test_steps_are_those_of_the_paper():
    """By the reviewed figures of the paper, which state the steps of the last round as well."""
    lock = {key: rows["lock step"] for key, rows in runs().items() if "lock step" in rows}
    assert all(row["workload_conflicts"] == 0 for row in lock.values())
    for k, m in ((2, 4), (3, 4)):
        steps = {case: lock[case, k, m]["workload_steps"] for case, *size in lock if size == [k, m]}
        assert steps["all-to-all"] == GOLDEN["all_to_all"][f"K{k}M{m}"][2]
        assert steps["one-to-all, d ≠ p"] == k * m + 2
        assert steps["one-to-all, d = p"] == k * m + 2 + m - 1
        assert steps["one-to-all by columns"] == m * m + 3
        assert steps["all-to-one"] == k * m + 6
        assert steps["16 broadcasts, d ≠ p"] == 16 + 2
        assert steps["16 broadcasts, d = p"] == 2 * 16
        assert max(steps["permutation by drawers"], steps["random permutation"]) <= m + 2
        assert steps["ascend-descend"] == 2 * 4 * {2: 5, 3: 5}[k]


def test_every_run_has_the_table_of_the_page():
    lines = [
        "| collective | network | steps, paper | steps | lock step (µs) | scheduled paths (µs) | minimal (µs) | UGAL (µs) |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    published = {row["figure"]: row["published"] for row in table(f"{NAME}/published")}
    for (case, k, m), rows in runs().items():
        times = [rows[name]["workload_ns"] / 1000 if name in rows else None for name in ROUTINGS]
        count = published.get(f"{case} on D3({k}, {m}): steps", "–")
        cells = [case, f"D3({k}, {m})", count, rows["swapped_dragonfly"]["workload_steps"]]
        lines.append(f"| {' | '.join(map(str, cells))} | {' | '.join('–' if t is None else f'{t:.2f}' for t in times)} |")
    assert_on_page(NAME, "\n".join(lines))


ROUTINGS = ("lock step", "swapped_dragonfly", "minimal", "ugal")


def test_lock_step_costs_time():
    """Every step lasts as long as its longest cable; without lock step packets wait for their links alone."""
    for (case, *_), rows in runs().items():
        if "lock step" in rows:
            factor = rows["lock step"]["workload_ns"] / rows["swapped_dragonfly"]["workload_ns"]
            assert 1.4 < factor < 7.1, case


def test_the_schedule_without_lock_step_is_no_better_than_other_routings_for_long_messages():
    [rows] = [rows for (case, *_), rows in runs().items() if case == "all-to-all of 64 KiB"]
    scheduled, minimal, ugal = (rows[name]["workload_ns"] for name in ROUTINGS[1:])
    assert 1.2 < scheduled / minimal < 1.3
    assert 1.4 < scheduled / ugal < 1.6


@pytest.mark.parametrize("name", ["lock-step", "asynchronous"])
def test_all_runs_are_planned(name):
    rows = table(f"{NAME}/{name}")
    assert all(row["status"] == "done" for row in rows)
    # Links and endpoints.
    assert all(row["cables"] == row["links"] + row["endpoints"] for row in rows)
