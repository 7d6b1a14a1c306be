"""Write the paper's counts next to ours: python tools/published_collectives.py

The counts of ours are those of the sweep reports/swapped-dragonfly-collectives/lock-step.csv.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

from planner.studies.sweep import tables

FOLDER = Path(__file__).parents[1] / "reports" / "swapped-dragonfly-collectives"
PAGE = FOLDER / "published.csv"

_LAST = "the last round takes {} more steps"

PUBLISHED = {
    "all-to-all": ("theorem 7", lambda k, m: k * m * m + k * m, f"K M² rounds and K M delays; {_LAST.format(2)}"),
    "one-to-all, d ≠ p": ("theorem 5", lambda k, m: k * m, f"K M rounds; {_LAST.format(2)}"),
    "one-to-all, d = p": (
        "theorem 5",
        lambda k, m: k * m + m,
        f"K M rounds and M delays; M - 1 delays suffice, {_LAST.format(2)}",
    ),
    "one-to-all by columns": ("appendix, after theorem 6", lambda k, m: m * m, f"M² rounds; {_LAST.format(3)}"),
    "all-to-one": ("theorem 6", lambda k, m: k * m + 6, ""),
    "16 broadcasts, d ≠ p": ("section 9, footnote 4", lambda k, m: 16 + 2, ""),
    "16 broadcasts, d = p": ("theorem 4", lambda k, m: 2 * 16, ""),
    "permutation by drawers": ("theorem 8", lambda k, m: m + 4, "the paper's count is a maximum"),
    "random permutation": ("theorem 8", lambda k, m: m + 4, "the paper's count is a maximum"),
    "ascend-descend": (
        "section 10",
        lambda k, m: 2 * 4 * (k.bit_length() - 1 + 2 * (m.bit_length() - 1)),
        "4 steps for every dimension, twice: the paper states the dilation, not the algorithm's steps",
    ),
    "all-to-all in D3(4, 4) and D3(5, 4)": (
        "section 4, theorem 7",
        lambda k, m: 5 * 16 + 5 * 4,
        f"both at the same time; {_LAST.format(2)}",
    ),
    "all-to-all in D3(9, 2)": (
        "section 4, theorem 7",
        lambda k, m: 9 * 4 + 9 * 2,
        f"the theorem assumes M of 4 or more; {_LAST.format(2)}",
    ),
}
"""Of each collective: the place in the paper, its steps on D3(K, M), and why ours differ."""


def page() -> str:
    """Return the text of the table."""
    found = tables.read(FOLDER / "lock-step.csv")[0]
    file = io.StringIO()
    lines = csv.writer(file, lineterminator="\n")
    lines.writerow(["figure", "source", "published", "here", "note"])
    for row in (dict(zip(found.names, row, strict=True)) for row in found.rows):
        k, m = row["topology.k"], row["topology.m"]
        source, steps, note = PUBLISHED[row["case"]]
        name = f"{row['case']} on D3({k}, {m})"
        lines.writerow([f"{name}: steps", source, steps(k, m), row["workload_steps"], note])
        lines.writerow([f"{name}: conflicts", source, 0, row["workload_conflicts"], ""])
    return file.getvalue()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
