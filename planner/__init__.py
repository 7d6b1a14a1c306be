"""Planner: a physical deployment planner for low-diameter HPC and AI interconnects."""

__version__ = "0.1.0"


def run(study, **options):
    """Run a study file or a `planner.study.Study`; see `planner.flow.run`."""
    from planner import flow

    return flow.run(study, **options)
