"""The stage `bisection`."""

from planner.domain.model import Bisection
from planner.network.metrics.bisection import bisection
from planner.studies.stage import Stage

STAGES = (
    Stage(
        record=Bisection,
        of_each_network=True,
        run=lambda run: bisection(run.topology, seed=run.study.seed, progress=run.progress),
        rank=110,
    ),
)
