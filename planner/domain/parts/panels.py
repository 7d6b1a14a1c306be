"""Parts of fiber links between cabinets: trunks, patch panels, shuffle boxes, fan-outs of multi-core fiber."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import Ge

from planner.core.errors import Problem
from planner.domain.parts.cables import Glass, LossRule, MulticoreFiber, Plug, TrunkRule
from planner.domain.parts.faceplate import SocketBlock, face
from planner.domain.parts.faceplate import problems as faceplate_problems
from planner.domain.parts.port_group import PortGroup
from planner.domain.parts.row import Goods, Lengths, NonNegative, Positive, Prices, ladder_problems


@dataclass(frozen=True, kw_only=True)
class TrunkPart(Goods):
    """A trunk: many fibers of one glass under one jacket, `connectors` MPO plugs at each end."""

    glass: Glass
    fibers: Positive
    connectors: Positive
    stock_mm: Lengths
    price_cents: Prices
    diameter_um: Positive
    diameter_min_um: Positive
    diameter_max_um: Positive
    bend_mm: Positive
    mass_g_per_m: NonNegative
    delay_ps_per_m: Positive

    @property
    def description(self) -> str:
        """What is bought, without its length."""
        return f"trunk, {self.fibers} x {self.glass.upper()}, {self.connectors} plugs at each end"

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from ladder_problems(self.stock_mm, self.price_cents)


@dataclass(frozen=True, kw_only=True)
class PanelPart(Goods):
    """An enclosure of `units` rack units with `bays` for cassettes; `faceplate` lists blocks of bays as its front looks."""

    bays: Positive
    units: Positive
    price_cents: NonNegative
    faceplate: tuple[SocketBlock, ...] = ()

    @property
    def bay_rows(self) -> list[list[int]]:
        """Numbers of the bays in each row from the top, from the left as the front is seen."""
        seen = sorted(face(self._groups, self.faceplate, "front").sockets, key=lambda bay: (bay.row, bay.column))
        return [[bay.cage for bay in row] for _, row in groupby(seen, key=lambda bay: bay.row)]

    @property
    def _groups(self) -> tuple[PortGroup, ...]:
        return (PortGroup(name="bays", count=self.bays, connector="cassette", rate_gbps=1, side="front"),)

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from faceplate_problems(self._groups, self.faceplate)

    @property
    def description(self) -> str:
        """What is bought."""
        return f"panel for {self.bays} cassettes, {self.units} units"


@dataclass(frozen=True, kw_only=True)
class CassettePart(Goods):
    """A cassette for one bay: `trunk_plugs` MPO plugs of trunks at the back, sockets for jumpers with `plug` at the front.

    `glass` is that of the fibers inside, "" for a plain adapter that joins plug to plug.
    """

    plug: Plug
    trunk_plugs: Positive
    ports: Positive
    glass: Literal["", "om3", "om4", "os2"] = ""
    price_cents: NonNegative

    @property
    def description(self) -> str:
        """What is bought."""
        return f"{'cassette' if self.glass else 'adapter'}, {self.trunk_plugs} MPO to {self.ports} {self.plug.upper()}"


@dataclass(frozen=True, kw_only=True)
class ShuffleBox(Goods):
    """A passive box that distributes the fibers of its router ports to its trunk ports; `None` where nothing is published."""

    router_ports: Positive
    pairs_per_router_port: Positive
    trunk_ports: Positive
    pairs_per_trunk_port: Positive
    connectors_max: Positive
    price_cents: NonNegative | None = None

    @property
    def description(self) -> str:
        """What is bought."""
        return f"shuffle box, {self.router_ports} router ports, {self.trunk_ports} trunk ports"


@dataclass(frozen=True, kw_only=True)
class FanOut(Goods):
    """A fan-out of the cores of a multi-core fiber to single fibers, at each of its ends; `loss_db` is its maximum loss."""

    cores: Positive
    loss_db: Annotated[float, Ge(0)]
    price_cents: NonNegative | None = None

    @property
    def description(self) -> str:
        """What is bought."""
        return f"fan-out, {self.cores} cores"


@dataclass(frozen=True, kw_only=True)
class BundlingParts:
    """The parts for bundling."""

    trunks: tuple[TrunkPart, ...] = ()
    trunk_rule: TrunkRule
    cassettes: tuple[CassettePart, ...] = ()
    panel: PanelPart
    multicore_fibers: tuple[MulticoreFiber, ...] = ()
    fan_outs: tuple[FanOut, ...] = ()
    shuffle_box: ShuffleBox
    loss: LossRule
    cables_per_loom: Positive

    KINDS: ClassVar[tuple[str, ...]] = (
        "trunk", "trunk_rule", "cassette", "panel", "multicore_fiber", "fan_out", "shuffle_box", "fill",
    )  # fmt: skip
    """The kinds of row that `of` reads."""

    @classmethod
    def of(cls, shelf: Mapping[str, Mapping[str, Any]], loss: LossRule) -> BundlingParts | None:
        """Return the parts from rows by kind and id; of rules, enclosures and boxes the first. None where one is missing."""
        rows = {kind: tuple(shelf[kind].values()) for kind in cls.KINDS}
        limits = [row.cables_per_bundle_max for row in rows["fill"] if row.cables_per_bundle_max]
        if not (limits and all(rows[kind] for kind in ("trunk_rule", "panel", "shuffle_box"))):
            return None
        return cls(
            trunks=rows["trunk"],
            trunk_rule=rows["trunk_rule"][0],
            cassettes=rows["cassette"],
            panel=rows["panel"][0],
            multicore_fibers=rows["multicore_fiber"],
            fan_outs=rows["fan_out"],
            shuffle_box=rows["shuffle_box"][0],
            loss=loss,
            cables_per_loom=limits[0],
        )
