"""Speed against baselines measured in the same run, and against the last committed table: regressions on any machine.

Ours and the baseline run in turns; the ratio of their minimum CPU times depends little on the machine and on what else it does.
Baselines are the plain twins of the tests, NumPy, SciPy and NetworkX, and the libraries for PDF and workbooks as they are. The
table is written to ``benchmarks/ratios.toml``; commit it to compare later runs with it. The exit status is 1 after a regression.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import networkx
import numpy as np
import tomli_w
import xlsxwriter
from scipy.sparse.csgraph import dijkstra

from benchmarks import _machine
from planner.formats import pdf, xlsx
from planner.kernels.packet import records
from planner.network import metrics, topology
from planner.network.metrics.graph import adjacency
from planner.paper import canvas
from planner.simulation.engine import Run
from planner.studies import pipeline, study
from planner.view.rows import sheets
from planner.view.selection import WHOLE

ROOT = Path(__file__).parents[1]

TABLE = Path(__file__).with_name("ratios.toml")

REPEATS = 5

SLOWER = 0.7
"""Ratio to the committed one below which a regression is reported; runs on a busy machine differ by up to a fifth."""


class Case(NamedTuple):
    """What is compared; each function does the same work once, or the stated share of it."""

    name: str
    baseline: str
    ours: Callable[[], object]
    theirs: Callable[[], object]
    share: float = 1.0
    """Share of our work that the baseline does."""


def main() -> None:
    before = committed()
    print(f"{_machine.described()}; {_machine.load()}\n")
    print("| work | baseline | ours CPU ms | baseline CPU ms | ratio | committed | |")
    print("|---|---|---|---|---|---|---|")
    rows, slower = [], []
    with tempfile.TemporaryDirectory() as folder:
        for case in cases(Path(folder)):
            ours_s, theirs_s = measured(case)
            ratio, old = theirs_s / ours_s, before.get(case.name)
            verdict = "new" if old is None else "REGRESSION" if ratio < SLOWER * old else "faster" if ratio > old / SLOWER else ""
            slower += [case.name] if verdict == "REGRESSION" else []
            times = f"{ours_s * 1e3:,.1f} | {theirs_s * 1e3:,.1f} | {ratio:.1f}"
            print(f"| {case.name} | {case.baseline} | {times} | {'–' if old is None else f'{old:.1f}'} | {verdict} |", flush=True)
            rows.append({"name": case.name, "baseline": case.baseline, "ratio": round(ratio, 2)})
    TABLE.write_text(tomli_w.dumps({"machine": _machine.described(), "load": _machine.load(), "ratio": rows}), encoding="utf-8")
    print(f"\nwritten to {TABLE.relative_to(ROOT)}")
    if slower:
        sys.exit(f"slower than the committed table by more than {1 - SLOWER:.0%}: {', '.join(slower)}")


def committed() -> dict[str, float]:
    """Return the ratios of the last committed table by name; without a repository those of the file."""
    found = subprocess.run(["git", "show", f"HEAD:{TABLE.relative_to(ROOT)}"], cwd=ROOT, capture_output=True, check=False)
    text = found.stdout.decode() if not found.returncode else TABLE.read_text(encoding="utf-8") if TABLE.is_file() else ""
    return {row["name"]: row["ratio"] for row in tomllib.loads(text).get("ratio", ())}


def measured(case: Case) -> tuple[float, float]:
    """Return the minimum CPU seconds of ours and of the baseline for the same work; the first call of ours does not count."""
    case.ours()
    pairs = [(_machine.cpu_s(case.ours), _machine.cpu_s(case.theirs) / case.share) for _ in range(REPEATS)]
    ours, theirs = (min(column) for column in zip(*pairs, strict=True))
    return ours, theirs


def cases(folder: Path) -> Iterator[Case]:
    """Yield all comparisons; preparing one takes no part in its time."""
    yield from _networks()
    yield _engine()
    yield from _reports(folder)


def _networks() -> Iterator[Case]:
    large, small = topology.build("jellyfish", routers=2000, degree=32), topology.build("slimfly", q=7)
    matrix, sources = adjacency(large), np.arange(0, 2000, 20)
    yield Case(
        "all distances, 2,000 routers",
        "scipy.sparse.csgraph.dijkstra",
        lambda: metrics.distances(large),
        lambda: dijkstra(matrix, unweighted=True, indices=sources),
        len(sources) / 2000,
    )
    graph = networkx.Graph(small.links.tolist())
    yield Case(
        "load of all links, 98 routers",
        "networkx.edge_betweenness_centrality",
        lambda: [metrics.channel_load(small) for _ in range(20)],
        lambda: networkx.edge_betweenness_centrality(graph),
        1 / 20,
    )


def _engine() -> Case:
    sys.path.insert(0, str(ROOT / "tests"))
    from shared.networks import case, ring, seed
    from shared.plain_engine import Plain

    made = case(ring(6, 2), arbitration=records.RANDOM, warmup=500, cycles=30_000, router_cycles=1)
    net, draw = made.network, np.random.default_rng(1)

    def path(router: int, target: int, hops: int) -> list[tuple[int, int]]:
        near = net.topology.indices[slice(*net.topology.indptr[router : router + 2])]
        return [(port, hops) for port, each in enumerate(near) if net.distance[each, target] < net.distance[router, target]]

    def plain() -> None:
        Plain(made, 0.3, seed(), path, lambda source: (source + 1 + int(draw.integers(11))) % 12).run(300)

    return Case(
        "packet engine, 30,500 cycles of a ring",
        "plain engine of the tests",
        lambda: Run(made, 0.3, seed()).measure(lambda now: None),
        plain,
        300 / 30_500,
    )


def _reports(folder: Path) -> Iterator[Case]:
    data = study.read(ROOT / "reports" / "slimfly-200").data | {"report": {"formats": []}}
    del data["simulation"]
    plan = pipeline.run(study.check(data, base=folder))

    def book() -> None:
        xlsx.write(plan, folder / "book.xlsx")

    def paper() -> None:
        pdf.write(plan, folder / "paper.pdf")

    def plain_book() -> None:
        with xlsxwriter.Workbook(folder / "plain.xlsx", {"constant_memory": True}) as made:
            for sheet in sheets(plan, WHOLE):
                page = made.add_worksheet(sheet.table.name)
                for line, row in enumerate(sheet.rows):
                    page.write_row(line, 0, row)

    yield Case("workbook", "xlsxwriter, cell by cell without formats", book, plain_book)
    yield Case(
        "PDF", "reportlab, text object for each text", paper, lambda: _without(canvas, "is_common", lambda text: False, paper)
    )


def _without(owner: Any, name: str, value: Any, work: Callable[[], None]) -> None:
    with _changed(owner, name, value):
        work()


@contextmanager
def _changed(owner: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


if __name__ == "__main__":
    main()
