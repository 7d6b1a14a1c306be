"""Rules of the site: floors, power density, trays, slack, separation, labels and colors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from planner.core.errors import Problem
from planner.domain.parts.row import Name, NonNegative, Positive, Row, Share


@dataclass(frozen=True, kw_only=True)
class PowerLimit(Row):
    """Power of a cabinet: low to high, and by class where the source distinguishes classes."""

    low_mw: NonNegative | None = None
    high_mw: NonNegative | None = None
    class_mw: dict[str, tuple[NonNegative, NonNegative]] = field(default_factory=dict)
    mass_low_g: Positive | None = None
    mass_high_g: Positive | None = None


@dataclass(frozen=True, kw_only=True)
class FloorRule(Row):
    """Floor grid, aisles and rows; inches and feet are rounded to the millimeter."""

    tile_mm: Positive | None = None
    load_g: Positive | None = None
    pitch_mm: Positive | None = None
    cold_aisle_mm: Positive | None = None
    cold_aisle_tiles: Positive | None = None
    hot_aisle_mm: Positive | None = None
    end_of_row_mm: Positive | None = None
    service_aisle_mm: Positive | None = None
    main_aisle_mm: Positive | None = None
    circulation_mm: Positive | None = None
    overhead_mm: Positive | None = None
    cabinet_depth_mm: Positive | None = None
    cabinets_per_row_max: Positive | None = None
    dead_end_cabinets_max: Positive | None = None
    definition: str = ""


@dataclass(frozen=True, kw_only=True)
class TrayPart(Row):
    """A cable tray; `price_cents_per_m` is parallel to `widths_mm`, empty where no price is known."""

    widths_mm: tuple[Positive, ...]
    price_cents_per_m: tuple[NonNegative, ...] = ()
    height_mm: Positive | None = None
    length_mm: Positive | None = None
    span_mm: Positive | None = None
    mass_g: Positive | None = None
    mass_g_per_m: Positive | None = None
    mesh_mm: tuple[Positive, ...] = ()
    flange_mm: tuple[Positive, ...] = ()

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if self.price_cents_per_m and len(self.price_cents_per_m) != len(self.widths_mm):
            message = f"{len(self.price_cents_per_m)} prices for {len(self.widths_mm)} widths"
            yield Problem("price_cents_per_m", message, "give one price for each entry of widths_mm, or none")


@dataclass(frozen=True, kw_only=True)
class FillRule(Row):
    """Share of a cross-section that cables may take."""

    design_share: Share | None = None
    vertical_share: Share | None = None
    max_share: Share | None = None
    one_cable_share: Share | None = None
    two_cables_share: Share | None = None
    more_cables_share: Share | None = None
    cables_per_bundle_max: Positive | None = None


@dataclass(frozen=True, kw_only=True)
class SeparationRule(Row):
    """Minimum distance between power and data cables."""

    open_power_mm: Positive
    conduit_power_mm: Positive


@dataclass(frozen=True, kw_only=True)
class SlackRule(Row):
    """Spare length, and direction in which cables leave a cabinet."""

    rule: str = ""
    trunk_min_mm: NonNegative | None = None
    trunk_max_mm: NonNegative | None = None
    tray_height_mm: Positive | None = None
    loop_mm_per_end: NonNegative | None = None
    end_mm_per_end: NonNegative | None = None
    optical_beyond_mm: Positive | None = None
    reach_mm: Positive | None = None


@dataclass(frozen=True, kw_only=True)
class LabelFormat(Row):
    """A pattern for the text of a label."""

    pattern: Name
    example: str = ""
    fields: str = ""


@dataclass(frozen=True, kw_only=True)
class LabelRule(Row):
    """A rule for labels: position, required fields, safe characters."""

    text: str = ""
    both_ends: bool | None = None
    printed: bool | None = None
    distance_max_mm: Positive | None = None
    fields_required: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    characters: str = ""
    classes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ColorCode(Row):
    """Meaning of colors."""

    colors: dict[str, str]
