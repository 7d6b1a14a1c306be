"""Assemblies: combinations of parts that make up a cable between two connectors, within reach and loss budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from planner.core.errors import Problem
from planner.domain.parts import Assembly, BreakoutPart, CablePart, FiberPart, LossRule, PortGroup, TransceiverPart

MediumName = Literal["passive copper", "active copper", "AOC", "transceiver"]

_MEDIUM_NAMES: dict[str, MediumName] = {"copper": "passive copper", "active copper": "active copper", "optical": "AOC"}


def medium_of(part: CablePart | BreakoutPart | TransceiverPart) -> MediumName:
    """Return the medium by which a study names a cable, splitter cable or transceiver."""
    if isinstance(part, TransceiverPart):
        return "transceiver"
    return _MEDIUM_NAMES[part.medium]


@dataclass
class Fits:
    """Search for assemblies between the ports of two groups that collects problems."""

    parts: list[CablePart | BreakoutPart | TransceiverPart]
    fibers: list[FiberPart]
    loss: LossRule
    problems: list[Problem] = field(default_factory=list)

    def single(self, a: PortGroup, b: PortGroup, rate: int) -> tuple[Assembly, ...]:
        """Return every assembly that connects a port of `a` to one of `b` at this rate, sorted by id."""
        found = [_finished(cable, a, b) for cable in self._of(CablePart) if cable.links == 1 and _plugs(cable, a, b, rate)]
        modules = [module for module in self._of(TransceiverPart) if module.rate_gbps == rate]
        for one in modules:
            for two in modules:
                if _understand(one, two, a, b):
                    found += [self._with_fiber(one, fiber, two, a, b) for fiber in self.fibers if fiber.fiber == one.fiber]
        found = [assembly for assembly in found if assembly.stock_mm]
        if not found:
            message = f"no cable connects {_socket(a)} to {_socket(b)} at {rate} Gb/s"
            self.problems.append(Problem("cables", message, self._remedy(a.connector, b.connector)))
        return _sorted(found)

    def shared(self, a: PortGroup, b: PortGroup, rate: int) -> tuple[Assembly, ...]:
        """Return assemblies from all ports of a cage of `a` to one cage of `b`, or to one cage per port, sorted by id."""
        ports = a.ports_per_cage
        if ports == 1:
            return ()
        twins = [_finished(cable, a, b) for cable in self._of(CablePart) if cable.links == ports and _plugs(cable, a, b, rate)]
        return _sorted(twins + [_splitter(part, a, b) for part in self._of(BreakoutPart) if _splits(part, a, b, rate)])

    def _of(self, cls: type) -> Iterator:
        return (part for part in self.parts if isinstance(part, cls))

    def _with_fiber(self, one: TransceiverPart, fiber: FiberPart, two: TransceiverPart, a: PortGroup, b: PortGroup) -> Assembly:
        budget = min(one.budget_db, two.budget_db)
        reach = min(_reach_on(fiber, one), _reach_on(fiber, two), fiber.reach_mm or max(fiber.stock_mm))
        reach = _within(reach, lambda length: self.loss.channel_db(fiber.glass, length) <= budget)
        offers = [(stock, price) for stock, price in zip(fiber.stock_mm, fiber.price_cents, strict=True) if stock <= reach]
        # Each port is charged its share of a module that serves several ports, rounded up.
        price = sum(-(-module.price_cents // module.links) for module in (one, two))
        power = sum(-(-module.power_mw // module.links) for module in (one, two))
        unlike = one is not two
        # Built-in optics are not bought: their end is the bare plug of the fiber.
        end, end_b = ("" if module.built_in else module.id for module in (one, two))
        return Assembly(
            id="+".join(part for part in (end, fiber.id, end_b if unlike else "") if part),
            medium="optical",
            kind=one.kind if end else "fiber",
            rate_gbps=one.rate_gbps,
            connector_a=a.connector,
            connector_b=b.connector,
            reach_mm=reach,
            stock_mm=tuple(stock for stock, _ in offers),
            price_cents=tuple(length_price + price for _, length_price in offers),
            power_mw=-(-power // 2),
            diameter_um=fiber.diameter_um,
            bend_mm=fiber.bend_mm,
            mass_g_per_m=fiber.mass_g_per_m,
            delay_ps_per_m=fiber.delay_ps_per_m,
            delay_end_ps=-(-(one.delay_end_ps + two.delay_end_ps) // 2),
            length_part=fiber.id,
            end_part=end,
            end_price_cents=one.price_cents,
            end_power_mw=one.power_mw,
            end_links=one.links,
            end_part_b=end_b if unlike else "",
            end_price_b_cents=two.price_cents if unlike else 0,
            end_power_b_mw=two.power_mw if unlike else None,
            end_links_b=two.links if unlike else 1,
            glass=fiber.glass,
            plug=fiber.plug,
            fibers=fiber.fibers,
            budget_db=budget,
            loss_db=self.loss.channel_db(fiber.glass, offers[-1][0]) if offers else 0.0,
        )

    def _remedy(self, a: str, b: str) -> str:
        joins = {(cable.connector_a, cable.connector_b, cable.rate_gbps) for cable in self._of(CablePart) if cable.links == 1}
        joins |= {(module.connector, module.connector, module.rate_gbps) for module in self._of(TransceiverPart)}
        near = sorted(join for join in joins if {a, b} & {*join[:2]})
        listing = ", ".join(f"{one} to {two} at {rate} Gb/s" for one, two, rate in near) or "none for these connectors"
        return f"there are {listing}: choose another endpoint or router, or add a [[cable]] row"


def _socket(group: PortGroup) -> str:
    return f"{group.connector} ({group.optics} optics)" if group.optics else group.connector


def _plugs(cable: CablePart, a: PortGroup, b: PortGroup, rate: int) -> bool:
    if cable.rate_gbps != rate or "built-in" in (a.optics, b.optics):
        return False
    one, two = {cable.connector_a, *cable.fits}, {cable.connector_b, *cable.fits}
    return (a.connector in one and b.connector in two) or (a.connector in two and b.connector in one)


def _splits(part: BreakoutPart, a: PortGroup, b: PortGroup, rate: int) -> bool:
    fits = (part.connector_head, part.rate_gbps, part.tails) == (a.connector, rate, a.ports_per_cage)
    return fits and b.connector in (part.connector_tail, *part.fits_tail) and not part.missing


def _understand(one: TransceiverPart, two: TransceiverPart, a: PortGroup, b: PortGroup) -> bool:
    """Return whether two modules fit `a` and `b` and interoperate.

    Between equal connectors both modules are of the same type; a linear module needs a linear one at the other end.
    """
    fit = _fits(one, a) and _fits(two, b)
    linear = "linear" in (one.requires_host, two.requires_host)
    alike = (one.kind, one.fiber) == (two.kind, two.fiber) and (not linear or one.requires_host == two.requires_host)
    return fit and alike and (a.connector != b.connector or one is two)


def _fits(module: TransceiverPart, group: PortGroup) -> bool:
    """Return whether a port takes a module: built-in optics are the only ones of their port, others need what they require."""
    hosts = ("built-in",) if group.optics == "built-in" else ("", group.optics)
    return group.connector in (module.connector, *module.fits) and module.requires_host in hosts


def _reach_on(fiber: FiberPart, module: TransceiverPart) -> int:
    return module.reach_om3_mm or module.reach_mm if fiber.glass == "om3" else module.reach_mm


def _within(reach_mm: int, fits: Callable[[int], bool]) -> int:
    """Return the maximum length up to `reach_mm` that fits, by bisection; 0 when none does."""
    low, high = 0, reach_mm
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def _sorted(found: list[Assembly]) -> tuple[Assembly, ...]:
    return tuple(sorted(found, key=lambda assembly: assembly.id))


def _finished(cable: CablePart, a: PortGroup, b: PortGroup) -> Assembly:
    return Assembly(
        id=cable.id,
        medium=cable.medium,
        kind=cable.kind,
        rate_gbps=cable.rate_gbps,
        links=cable.links,
        connector_a=a.connector,
        connector_b=b.connector,
        reach_mm=cable.reach_mm,
        stock_mm=cable.stock_mm,
        price_cents=cable.price_cents,
        power_mw=-(-cable.power_mw // cable.links),
        diameter_um=cable.diameter_um,
        bend_mm=cable.bend_mm,
        mass_g_per_m=cable.mass_g_per_m,
        delay_ps_per_m=cable.delay_ps_per_m,
        delay_end_ps=cable.delay_end_ps,
        length_part=cable.id,
        end_power_mw=cable.power_mw,
    )


def _splitter(part: Any, a: PortGroup, b: PortGroup) -> Assembly:
    """Return what a splitter cable with all figures that planning needs makes; rows without one are not offered."""
    return Assembly(
        id=part.id,
        medium=part.medium,
        kind=part.kind,
        rate_gbps=part.rate_gbps,
        tails=part.tails,
        connector_a=a.connector,
        connector_b=b.connector,
        reach_mm=part.reach_mm,
        stock_mm=part.stock_mm,
        price_cents=part.price_cents,
        power_mw=-(-(part.power_head_mw + part.tails * part.power_tail_mw) // (2 * part.tails)),
        diameter_um=part.diameter_um,
        bend_mm=part.bend_mm,
        mass_g_per_m=part.mass_g_per_m,
        delay_ps_per_m=part.delay_ps_per_m,
        delay_end_ps=part.delay_end_ps,
        length_part=part.id,
        end_power_mw=part.power_head_mw,
        end_power_b_mw=part.power_tail_mw,
    )
