"""Bundling: what cables between cabinets are laid as; one file per kind."""

from planner.cabling.bundling._bundles import KINDS, REASONS, Bundles, Laid, Panels
from planner.cabling.bundling._compare import bundlings, compare
from planner.cabling.bundling._kind import bundle
from planner.cabling.bundling._lay import Lay

__all__ = ["KINDS", "REASONS", "Bundles", "Laid", "Lay", "Panels", "bundle", "bundlings", "compare"]
