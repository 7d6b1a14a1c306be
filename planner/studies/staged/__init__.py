"""A machine that is bought in stages: all stages are planned at once, and each is an ordinary plan in a folder of its own.

`staged` finds the networks of all stages, places the devices of the last one so that the cables of all stages are short, and
plans each stage: the last one first, and each earlier one around the cables that it shares with the next. So slots, rack units,
ports, trays and power are reserved from the first day. `compared` adds what each step moves, buys and costs.
"""

from planner.studies.staged.plans import Stages, staged
from planner.studies.staged.running import run
from planner.studies.staged.steps import StageStep

__all__ = ["StageStep", "Stages", "run", "staged"]
