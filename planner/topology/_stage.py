"""The stage `topology`."""

from planner.model import Topology
from planner.section import Section, Variant
from planner.stage import Stage
from planner.topology import build

STAGES = (
    Stage(
        record=Topology,
        run=lambda run: build(**run.arguments("topology"), progress=run.progress),
        rank=10,
        network_needs=(),
        section=Section("topology", (build,), given=("progress",), variant=Variant("topology", "family")),
        is_input=True,
        seeded=False,
    ),
)
