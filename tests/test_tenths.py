"""Ten runs of CI, each with another tenth of the nightly tests, run all of them; other tests run every time."""

import re
from pathlib import Path

from shared.tenths import TENTHS, VARIABLE, left_out

ROOT = Path(__file__).parents[1]


def test_tenths_cover_all_nightly_tests_once():
    nodes = [(f"tests/test_{n}.py::test_it[{n}]", n % 3 == 0) for n in range(900)]
    run = [[not out for out in left_out(nodes, tenth)] for tenth in range(TENTHS)]
    for number, (_, nightly) in enumerate(nodes):
        assert sum(each[number] for each in run) == (1 if nightly else TENTHS)
    # No tenth is much larger than others.
    assert all(15 <= sum(each) - 600 <= 45 for each in run)


def test_ci_chooses_a_tenth_by_its_commit():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.search(rf"{VARIABLE}=\$\(\(\$\(git rev-list --count HEAD\) % {TENTHS}\)\)", script)
