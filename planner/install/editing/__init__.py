"""Planning by hand: a placement that is edited move by move, with what each move costs and breaks."""

from planner.install.editing.delta import Delta, Figures
from planner.install.editing.moves import Move
from planner.install.editing.session import Session

__all__ = ["Delta", "Figures", "Move", "Session"]
