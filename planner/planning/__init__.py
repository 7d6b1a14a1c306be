"""Planning by hand: a placement that is edited move by move, with what each move costs and breaks."""

from planner.planning.delta import Delta, Figures
from planner.planning.moves import Move
from planner.planning.session import Session

__all__ = ["Delta", "Figures", "Move", "Session"]
