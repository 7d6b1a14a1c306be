"""Cabinets whose content the tables of a study fix: a number of nodes in each, switches together or with their nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from planner.core.errors import InputError, Problem
from planner.core.units import named
from planner.domain.model import POSITIONS
from planner.domain.parts import CabinetPart, EndpointPart, Name, Positive, RouterPart


@dataclass(frozen=True, kw_only=True)
class Cabinets:
    """A set of cabinets that some devices share.

    Parameters
    ----------
    name
        Name of the set, used by nodes and networks.
    count
        Number of cabinets, over which devices of each kind are distributed evenly; by default the number needed.
    position
        Where they are wanted: ``"end of row"``, ``"middle of row"``, or ``"any"``.
    order
        How devices are distributed evenly: ``"blocks"``, the first ones into the first cabinet, or ``"in turn"``, each into the
        next cabinet, so that the routers of a pair are in different cabinets.
    """

    __pydantic_config__ = {"extra": "forbid"}

    name: Name
    count: Positive | None = None
    position: Literal["any", "end of row", "middle of row"] = "any"
    order: Literal["blocks", "in turn"] = "blocks"


@dataclass(frozen=True, eq=False)
class Kind:
    """Equal devices to distribute: a kind of node, or the routers of one role of a network.

    Attributes
    ----------
    name
        Name in messages.
    device
        Devices in order, int64 (n,).
    cabinets
        Name of their set of cabinets.
    per_cabinet, unit
        Devices in each cabinet, and of one scalable unit; None: all that fit, all.
    defines
        Whether these devices decide how many cabinets a set without a count has; others join them.
    number
        Numbers of the devices among all of their kind, int64 (n,); by default from 0.
    """

    name: str
    part: RouterPart | EndpointPart
    device: np.ndarray
    cabinets: str = ""
    per_cabinet: int | None = None
    unit: int | None = None
    defines: bool = False
    number: np.ndarray | None = None

    def over(self, sets: Sequence[str]) -> list[Kind]:
        """Return the devices of each set of cabinets, over which they are distributed evenly in order; one may be named twice."""
        place = np.array(sets)[_evenly(len(self.device), len(sets))]
        own = [(name, np.flatnonzero(place == name)) for name in dict.fromkeys(sets)]
        return [replace(self, device=self.device[some], cabinets=name, number=some) for name, some in own if len(some)]


@dataclass(frozen=True, eq=False)
class Racks:
    """Cabinet of each device, int64 (D,); scalable unit, -1 for none, and wanted position of each cabinet, int64 (C,)."""

    rack: np.ndarray
    unit: np.ndarray
    position: np.ndarray


def racks(
    kinds: Sequence[Kind], sets: Sequence[Cabinets], cabinet: CabinetPart, units: int, power_mw: int, devices: int
) -> Racks:
    """Return the cabinet of each device.

    Within a set, kinds that define cabinets fill them one after the other, `per_cabinet` devices in each or all that fit,
    beginning a new cabinet with each scalable unit. Other kinds are distributed evenly over these cabinets. In a set without
    such kinds, devices fill cabinets in order; with a count, every kind is distributed evenly.

    Parameters
    ----------
    units
        Rack units of a cabinet that devices may use.
    power_mw
        Maximum power of the devices of one cabinet.
    devices
        Number of all devices.

    Raises
    ------
    InputError
        When the devices of a cabinet need more units, power or load than it has; with the problems of all sets.
    """
    known = {each.name: each for each in sets}
    names = list(dict.fromkeys(kind.cabinets for kind in kinds))
    rack, unit, position = np.full(devices, -1), list[int](), list[int]()
    problems = []
    for name in names:
        own = [kind for kind in kinds if kind.cabinets == name]
        given = known.get(name, Cabinets(name=name))
        found, scalable = _set(own, given, units, power_mw)
        for kind, places in zip(own, found, strict=True):
            rack[kind.device] = len(unit) + places
        problems += _over(name, own, found, cabinet, units, power_mw)
        unit += scalable.tolist()
        position += [POSITIONS.index(given.position)] * len(scalable)
    if problems:
        raise InputError(problems)
    return Racks(rack, np.array(unit, np.int64), np.array(position, np.int64))


def _set(kinds: list[Kind], given: Cabinets, units: int, power_mw: int) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the cabinets of each kind in one set, from 0, and the scalable unit of each cabinet."""
    count = given.count
    found: list[np.ndarray] = [np.zeros(0, np.int64)] * len(kinds)
    scalable: list[int] = []
    if count is None:
        for number, kind in enumerate(kinds):
            if kind.defines:
                found[number], more = _filled(kind, units, power_mw)
                found[number] = found[number] + len(scalable)
                scalable += more.tolist()
        if not scalable:
            return _in_order(kinds, units, power_mw)
        count = len(scalable)
    for number, kind in enumerate(kinds):
        if not len(found[number]):
            devices = len(kind.device)
            found[number] = np.arange(devices) % count if given.order == "in turn" else _evenly(devices, count)
    return found, np.array(scalable or [-1] * count, np.int64)


def _evenly(devices: int, count: int) -> np.ndarray:
    """Return the number of the cabinet or set of each device, int64 (devices,)."""
    return np.arange(devices) * count // max(devices, 1)


def _filled(kind: Kind, units: int, power_mw: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the cabinets of devices that fill them, unit by unit, and the scalable unit of each cabinet."""
    max_count = kind.per_cabinet or _max_count(kind.part, units, power_mw)
    place = np.arange(len(kind.device))
    number = place if kind.number is None else kind.number
    unit = number // kind.unit if kind.unit else np.zeros_like(number)
    place = place - np.searchsorted(unit, unit)
    rack = np.unique(np.column_stack([unit, place // max_count]), axis=0, return_inverse=True)[1].ravel()
    scalable = np.zeros(int(rack.max(initial=-1)) + 1, np.int64)
    scalable[rack] = unit if kind.unit else -1
    return rack, scalable


def _max_count(part: RouterPart | EndpointPart, units: int, power_mw: int) -> int:
    """Return the number of equal devices that a cabinet holds, at least one."""
    return max(1, min(units // max(part.units, 1), power_mw // max(part.power_max_mw, 1)))


def _in_order(kinds: list[Kind], units: int, power_mw: int) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the cabinets of kinds that fill cabinets one after the other."""
    found, rack, free_units, free_mw = [], 0, units, power_mw
    for kind in kinds:
        places = np.empty(len(kind.device), np.int64)
        for number in range(len(places)):
            if (kind.part.units > free_units or kind.part.power_max_mw > free_mw) and (free_units, free_mw) != (units, power_mw):
                rack, free_units, free_mw = rack + 1, units, power_mw
            free_units, free_mw = free_units - kind.part.units, free_mw - kind.part.power_max_mw
            places[number] = rack
        found.append(places)
    return found, np.full(rack + 1, -1)


def _over(
    name: str, kinds: list[Kind], found: list[np.ndarray], cabinet: CabinetPart, units: int, power_mw: int
) -> list[Problem]:
    """Return the problem of the first cabinet of a set over each of its limits."""
    count = 1 + max(int(places.max(initial=-1)) for places in found)

    def total(figure: str) -> np.ndarray:
        sums = (
            getattr(kind.part, figure) * np.bincount(places, minlength=count) for kind, places in zip(kinds, found, strict=True)
        )
        return np.sum(list(sums), axis=0)

    problems = []
    limits = (
        ("units", "rack units", units, str),
        ("power_max_mw", "power", power_mw, lambda value: named(value, "mW", gap=" ")),
        ("mass_g", "load", cabinet.load_g, lambda value: named(value, "g", gap=" ")),
    )
    for figure, words, limit, text in limits:
        needed = total(figure)
        if (needed > limit).any():
            worst = int(np.argmax(needed))
            content = ", ".join(
                f"{int((places == worst).sum())} {kind.name}"
                for kind, places in zip(kinds, found, strict=True)
                if (places == worst).any()
            )
            message = f"cabinet {worst + 1} of {name} with {content}: {words} {text(int(needed[worst]))}, allowed {text(limit)}"
            problems.append(Problem("cabinets", message, "use more cabinets, fewer devices in each, or larger cabinets"))
    return problems
