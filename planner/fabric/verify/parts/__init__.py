"""Plugs of the fabric as found: which two are the ends of one cable, which part they are, light and bit errors.

The memories of both plugs of a finished cable bear one serial number. It joins plugs without any light: cables whose link is
down, and cables in wrong ports, are known by it.
"""

from planner.fabric.verify.parts._examine import Examined, examined
from planner.fabric.verify.parts._limits import Limits
from planner.fabric.verify.parts._numbers import PartNumbers
from planner.fabric.verify.parts._plan import rows_of

__all__ = ["Examined", "Limits", "PartNumbers", "examined", "rows_of"]
