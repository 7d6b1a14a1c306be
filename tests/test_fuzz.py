"""A sample of the fuzzer's cases, of every kind of input; `tools/fuzz.py` runs any number."""

import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[1] / "tools"


@pytest.fixture(scope="module")
def fuzz():
    sys.path.insert(0, str(TOOLS))
    try:
        import fuzz as module

        yield module
    finally:
        sys.path.remove(str(TOOLS))


@pytest.mark.slow
@pytest.mark.parametrize("each", [1, pytest.param(20, marks=pytest.mark.nightly)])
def test_a_sample_of_mutated_inputs_ends_with_one_message(fuzz, tmp_path, each):
    numbers = range(each * len(fuzz.KINDS))
    counts, failures = fuzz.run(numbers, 7, list(fuzz.KINDS), keep=tmp_path)
    assert not failures
    assert sum(counts.values()) == len(numbers)
    assert {kind for kind, _ in counts} == set(fuzz.KINDS)
    # Most of the mutations are wrong inputs, and some are none.
    assert {ending for _, ending in counts} >= {"exit 0", "exit 2"}


@pytest.mark.slow
def test_a_case_that_hangs_costs_itself_alone(fuzz, monkeypatch):
    monkeypatch.setattr(fuzz, "WAITS_S", -1000.0)
    counts, failures = fuzz.run(range(2), 7, ["qaplib"])
    assert counts == {("qaplib", "hangs"): 2}
    assert [failure.number for failure in failures] == [0, 1]


@pytest.mark.parametrize(
    ("code", "complained", "new", "what"),
    [
        (0, "", "case/plan.csv", ""),
        (2, "planner: error: no", "", ""),
        (3, "", "", "exit code 3"),
        (None, "", "", "exit code None"),
        (2, "Traceback (most recent call last)", "", "prints"),
        (2, "\x1b[2J", "", "prints"),
        (0, "", "case/.plan.1.partial.csv", "leaves"),
        (0, "", "escaped.csv", "writes"),
        (2, "planner: error: no", "case/plan.csv", "is refused and yet writes"),
    ],
)
def test_what_the_fuzzer_finds(fuzz, tmp_path, code, complained, new, what):
    before, after = set(), {tmp_path / new} if new else set()
    case = fuzz.Case(lambda: 0)
    found = fuzz.fault_of(code, complained, case, before, after, tmp_path / "case")
    assert found.startswith(what)
    assert bool(found) == bool(what)
