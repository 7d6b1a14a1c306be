"""Packing: routers with their endpoints into cabinets; one file per method."""

from __future__ import annotations

from planner.placement.packing._packing import Packing

__all__ = ["Packing"]
