"""The stage `latency`."""

from __future__ import annotations

from typing import Any

from planner.core.section import Section
from planner.design.latency import examine, latency
from planner.domain.model import Latency
from planner.studies.stage import Run, Stage
from planner.studies.stages.catalog import rows_of


def _latency(run: Run) -> Latency:
    given: dict[str, Any] = {"seed": run.study.seed, "progress": run.progress, "side_by_side": run.side_by_side}
    return latency(run.topology, run.inventory, run.cables, rows_of(run, "delay_model"), **given, **run.arguments("latency"))


STAGES = (
    Stage(
        record=Latency,
        of_each_network=True,
        run=_latency,
        rank=60,
        section=Section(
            "latency", (latency,), given=("topology", "inventory", "cables", "delay_models", "seed", "progress", "side_by_side")
        ),
        reads=("catalog",),
        examine=lambda run: examine(run.arguments("latency")["fec"], rows_of(run, "delay_model")),
    ),
)
