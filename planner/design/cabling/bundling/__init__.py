"""Bundling of the cables between cabinets; one file per kind."""

from planner.design.cabling.bundling.bundles.bundles import KINDS, REASONS, Bundles, Panels, TrayLoad
from planner.design.cabling.bundling.bundles.cables import CableSet
from planner.design.cabling.bundling.bundles.compare import bundlings, compare
from planner.design.cabling.bundling.bundles.kind import bundle
from planner.design.cabling.bundling.bundles.panels import cassette_for

__all__ = ["KINDS", "REASONS", "Bundles", "CableSet", "Panels", "TrayLoad", "bundle", "bundlings", "cassette_for", "compare"]
