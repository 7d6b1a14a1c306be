"""Large plans: CPU time and peak memory of each stage and report, and the error of what is coarser in them.

*Jellyfish* has 5,884 routers and 100,028 endpoints in the large hall, 238,302 cables, cabinets in order. *PolarStar* is a member
of the family of the largest network of the papers (79,506 routers), with co-packaged optics and 16 endpoints at each router, in
a campus of eight halls; the environment variable ``BENCH_POLARSTAR`` names members as ``q,d``: ``43,20`` is the largest, of
which inventory, placement, cables and the stages after them that `STAGES` names are planned. Each plan is a process of its own
with compiled kernels; peak memory is that of the process so far.

*Coarser* compares the placement of groups as a whole with that of every cabinet and router, and rack units in the order of the
packing with those chosen over cable plans, for a PolarStar of 4,392 routers in the large hall. ``BENCH_LARGE`` names the tables
to print: ``jellyfish``, ``polarstar``, ``coarser``.
"""

from __future__ import annotations

import os
import platform
import resource
import tempfile
import time
import tomllib
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks._campus import write as write_campus
from planner.core.executors import processors
from planner.core.progress import Progress
from planner.studies import pipeline, study

JELLYFISH = tomllib.loads(Path(__file__).with_name("jellyfish-100k.toml").read_text(encoding="utf-8"))

FORMATS = ("csv", "html")

WHOLE_ROUTERS = 20_000
"""Larger networks are planned without the stages that are not in `STAGES`, and without reports."""

STAGES = ("cables", "panels", "latency", "work", "bill", "violations")


def polarstar(q: int, supernode_degree: int, room: Path) -> dict[str, Any]:
    """Return a study of a PolarStar with inductive-quad supernodes in a campus."""
    graph = {"q": q, "supernode_degree": supernode_degree, "supernode": "iq", "endpoints_per_router": 16}
    return {
        "name": f"polarstar-{(q * q + q + 1) * (2 * supernode_degree + 2)}",
        "topology": {"family": "polarstar", **graph},
        "catalog": {"router": "nvidia-sn6810-ld", "endpoint": "server-half-unit-800g-rhs", "cabinet": "hpe-10648-g2"},
        "room": {"plan": str(room)},
        "placement": {
            "algorithm": "hierarchical",
            "objective": "length",
            "groups": "preferred",
            "bounds": False,
            "drafts": 0,
        },
        "cabling": {"custom_lengths": True, "label": "serial"},
    }


def main() -> None:
    print(f"{platform.machine()}, {processors()} cores, Python {platform.python_version()}; load {os.getloadavg()[0]:.1f}")
    sizes = os.environ.get("BENCH_POLARSTAR", "13,11").split()
    wanted = os.environ.get("BENCH_LARGE", "jellyfish polarstar coarser").split()
    with tempfile.TemporaryDirectory() as folder:
        campus = write_campus(Path(folder, "campus.toml"))
        plans = [JELLYFISH] if "jellyfish" in wanted else []
        plans += [polarstar(*map(int, size.split(",")), campus) for size in sizes if "polarstar" in wanted]
        for data in plans:
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                pool.submit(planned, data, folder).result()
        if "coarser" in wanted:
            coarser()


def coarser() -> None:
    """Print the mean link and the price of cables with coarser and finer algorithms on a smaller member."""
    data = polarstar(13, 11, Path("large-hall")) | {"seed": 1}
    print(f"\n{data['name']} in the large hall\n{'placement, rack units':<40}{'mean link m':>12}{'cables $':>12}{'CPU s':>8}")
    for algorithm, extra, drafts in (
        ("identity", {}, 0), ("hierarchical", {}, 0), ("hierarchical", {}, 4), ("multilevel", {"moves": 30_000_000}, 4),
    ):  # fmt: skip
        settings = data["placement"] | {"algorithm": algorithm, "drafts": drafts} | extra
        began = time.process_time()
        plan = pipeline.make(study.check(data | {"room": {"plan": "large-hall"}, "placement": settings}), ["cables"])
        runs_mm = plan.cables.run_mm[plan.inventory.is_link]
        price = plan.cables.price_cents.sum() / 100
        units = f"{drafts} cable plans" if drafts else "as packed"
        print(f"{algorithm + ', ' + units:<40}{runs_mm.mean() / 1000:>12.2f}{price:>12,.0f}{time.process_time() - began:>8.1f}")


def planned(data: dict[str, Any], folder: str) -> None:
    """Plan a study, write its reports, and print the CPU seconds and the peak memory of each stage and report."""
    out = Path(folder, data["name"])
    print(f"\n{data['name']}\n{'stage':<16}{'CPU s':>8}{'wall s':>8}{'peak MB':>9}{'MB':>8}", flush=True)
    whole, began = time.process_time(), time.perf_counter()
    posed = study.check(data | {"seed": 1, "report": {"formats": []}}, base=Path(folder))
    graph = data["topology"]
    if (
        graph["family"] == "polarstar"
        and (graph["q"] ** 2 + graph["q"] + 1) * 2 * (graph["supernode_degree"] + 1) > WHOLE_ROUTERS
    ):
        plan, formats = pipeline.make(posed, STAGES, progress=_stages()), ()
    else:
        plan, formats = pipeline.run(posed, out=out, progress=_stages()), FORMATS
    for name in formats:
        cpu, wall = time.process_time(), time.perf_counter()
        paths = pipeline.write_reports(plan, out, formats.share_out([name], {}))
        _line(name, cpu, wall, sum(path.stat().st_size for path in paths) / 1e6)
    _line("in all", whole, began)
    print(
        f"{plan.cables.cable_count:,} cables, {plan.placement.cabinet_count:,} cabinets, {len(plan.violations.items)} violations"
    )


def _stages() -> Progress:
    """Return a progress callback that prints a line after each stage."""
    started: dict[str, tuple[float, float]] = {}

    def report_stage(stage: str, done: int, total: int, **facts: Any) -> None:
        if (done, total) == (0, 0):
            started[stage] = time.process_time(), time.perf_counter()
        elif (done, total) == (1, 1) and stage in started:
            _line(stage, *started.pop(stage))

    return report_stage


def _line(name: str, cpu: float, wall: float, size_mb: float | None = None) -> None:
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = "" if size_mb is None else f"{size_mb:>8.1f}"
    print(f"{name:<16}{time.process_time() - cpu:>8.1f}{time.perf_counter() - wall:>8.1f}{peak_mb:>9,.0f}{size}", flush=True)


if __name__ == "__main__":
    main()
