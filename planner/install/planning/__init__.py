"""Planning by hand: a placement that is edited move by move, with what each move costs and breaks."""

from planner.install.planning.delta import Delta, Figures
from planner.install.planning.moves import Move
from planner.install.planning.session import Session

__all__ = ["Delta", "Figures", "Move", "Session"]
