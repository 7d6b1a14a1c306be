"""A machine that is bought in phases: all phases are planned at once, and each is an ordinary plan in a folder of its own.

`phased` finds the networks of all phases, places the devices of the last one so that the cables of all phases are short, and
plans each phase: the last one first, and each earlier one around the cables that it shares with the next. So slots, rack units,
ports, trays and power are reserved from the first day. `compared` adds what each step moves, buys and costs.
"""

from planner.studies.phased.plans import Phases, phased
from planner.studies.phased.running import run
from planner.studies.phased.steps import PhaseStep

__all__ = ["PhaseStep", "Phases", "phased", "run"]
