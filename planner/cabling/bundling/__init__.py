"""Bundling of the cables between cabinets; one file per kind."""

from planner.cabling.bundling._bundles import KINDS, REASONS, Bundles, Panels, TrayLoad
from planner.cabling.bundling._cables import CableSet
from planner.cabling.bundling._compare import bundlings, compare
from planner.cabling.bundling._kind import bundle
from planner.cabling.bundling._panels import cassette_for

__all__ = ["KINDS", "REASONS", "Bundles", "CableSet", "Panels", "TrayLoad", "bundle", "bundlings", "cassette_for", "compare"]
