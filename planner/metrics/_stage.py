"""The stage `bisection`."""

from planner.metrics.bisection import bisection
from planner.model import Bisection
from planner.stage import Stage

STAGES = (
    Stage(
        record=Bisection,
        of_each_network=True,
        run=lambda run: bisection(run.topology, seed=run.study.seed, progress=run.progress),
        rank=110,
        needs=("topology",),
        network_needs=("topology",),
    ),
)
