"""Printed reports of 800, 13,000 and 100,000 cables: time, pages, size, and memory of a fresh process.

Slim Fly networks in the room of the SpectralFly paper, two routers per cabinet, placed in order and not simulated. The
largest report has several volumes; seconds and megabytes are totals. Seconds are wall time and
CPU time, from the stored plan to the last file.
"""

from __future__ import annotations

import resource
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from planner import formats
from planner.domain import stored
from planner.studies import pipeline, study

NETWORKS = (
    # q of the Slim Fly, endpoints per router
    (7, 3),
    (19, 4),
    (37, 9),
)


def main() -> None:
    print(f"{'cables':>9}{'cabinets':>10}{'format':>8}{'files':>7}{'pages':>8}{'MB':>8}{'seconds':>9}{'CPU s':>8}{'peak MB':>9}")
    for q, endpoints in NETWORKS:
        with tempfile.TemporaryDirectory() as folder:
            plan = pipeline.run(study.check(data(q, endpoints), base=Path(folder)))
            counts = f"{plan.cables.cable_count:>9,}{plan.placement.cabinet_count:>10,}"
            # A process of its own, so that its peak memory is that of the report.
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                files, pages, size_mb, seconds, cpu_s, peak_mb = pool.submit(printed, folder).result()
            times = f"{seconds:>9.1f}{cpu_s:>8.1f}"
            print(f"{counts}{'pdf':>8}{files:>7}{pages:>8,}{size_mb:>8.1f}{times}{peak_mb:>9,.0f}", flush=True)


def data(q: int, endpoints: int) -> dict:
    """Return a study of about q³ cables."""
    return {
        "name": f"slimfly-{q}",
        "topology": {"family": "slimfly", "q": q, "endpoints_per_router": endpoints},
        "catalog": {"router": "nvidia-qm9700", "endpoint": "server-half-unit-400g", "cabinet": "hpe-10648-g2"},
        "room": {"plan": "spectralfly"},
        "placement": {"algorithm": "identity", "groups": "ignored"},
        "report": {"formats": []},
    }


def printed(folder: str) -> tuple[int, int, float, float, float, float]:
    """Write the report of a stored plan; return files, pages, megabytes, seconds, and processor time and memory used."""
    started, cpu_started = time.perf_counter(), time.process_time()
    plan = stored.restore(folder)
    paths = pipeline.write_reports(plan, Path(folder), formats.share_out(["pdf"], {}))
    seconds, cpu_s = time.perf_counter() - started, time.process_time() - cpu_started
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size_mb = sum(path.stat().st_size for path in paths) / 1e6
    pages = sum(path.read_bytes().count(b"/Type /Page\n") for path in paths)
    return len(paths), pages, size_mb, seconds, cpu_s, peak_mb
