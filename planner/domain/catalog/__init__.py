"""Selection of the parts of a study from catalog files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeGuard

from planner.core.checking import checked
from planner.core.errors import InputError, Problem, suggestion
from planner.domain.catalog._assemblies import Fits, MediumName, medium_of
from planner.domain.catalog._shelf import Shelf, load
from planner.domain.model import UNIT_UM, Catalog, Joint
from planner.domain.parts import KINDS, BundlingParts, CabinetPart, EndpointPart, PortGroup, RouterPart, Row, TransceiverPart
from planner.domain.parts.boxes import depth_problems

_BOXES = ("router", "endpoint", "cabinet", "labor")
_FITTINGS = ("pdu", "cable_manager", "blanking_panel")
_RULES = ("loss", "custom_length")
_JOINING = ("cable", "breakout", "transceiver", "fiber")
"""The kinds of row that are combined into assemblies."""


def kinds() -> tuple[str, ...]:
    """Return the kinds of row that a catalog file may hold: the names of its TOML tables."""
    return tuple(KINDS)


def rows(kind: str, files: Iterable[str | Path] = ()) -> tuple[Any, ...]:
    """Return all rows of one kind, in the order of the files.

    Parameters
    ----------
    kind
        Name of the TOML table: ``"router"``, ``"machine"`` …
    files
        Additional files; their rows replace shipped rows with the same id, or come last.

    Raises
    ------
    InputError
        When the kind is unknown, or with all problems of the files.

    Examples
    --------
    >>> [row.id for row in rows("labor")]
    ['mudigonda-2011', 'hourly-estimate']
    """
    if kind not in KINDS:
        raise InputError(Problem("", f"there is no kind of row {kind!r}", suggestion(kind, KINDS)))
    return tuple(load([kind], files)[kind].values())


@checked()
def select(
    router: str | None = None,
    endpoint: str | None = None,
    cabinet: str | None = None,
    *,
    labor: str = "mudigonda-2011",
    loss: str = "nvidia-structured",
    custom_length: str = "mudigonda-2011-custom",
    pdu: str | None = None,
    cable_manager: str | None = None,
    blanking_panel: str | None = None,
    cables: tuple[str, ...] = (),
    media: tuple[MediumName, ...] = (),
    files: tuple[str, ...] = (),
    allow_estimates: bool = True,
) -> Catalog:
    """Choose the parts of one study.

    Parameters
    ----------
    router
        Id of the box of every router. A study with several networks gives the parts of each of them instead.
    endpoint
        Id of the box of the endpoints; as for `router`.
    cabinet
        Id of the cabinet; required.
    labor
        Id of the labor rates.
    loss
        Id of the rule for the loss of connectors and fiber.
    custom_length
        Id of the rule for cables made to length; used where ``[cabling]`` allows them.
    pdu
        Id of the power distribution units of every cabinet: power is then planned per unit.
    cable_manager
        Id of the cable managers above routers.
    blanking_panel
        Id of the blanking panels for free units.
    cables
        Ids of the cables, splitter cables and transceivers that may be used; by default all that fit.
        Fibers may be listed too: then only those are used.
    media
        Media that may be used, by default all: ``"passive copper"``, ``"active copper"``,
        ``"AOC"`` (active optical cables), ``"transceiver"`` (transceivers and fiber).
    files
        Additional catalog files; their rows are added to the shipped ones and replace those
        with the same id.
    allow_estimates
        Whether rows with figures without a source may be used.

    Raises
    ------
    InputError
        With all problems of the files; or with every unknown id; or when
        a box is deeper than the cabinet; or when no part connects two routers, or a router and an endpoint.

    Examples
    --------
    >>> catalog = select("nvidia-sb7800", "server-half-unit", "apc-ar3300")
    >>> [assembly.kind for assembly in catalog.link_assemblies]
    ['CWDM4', 'AOC', 'DAC', 'DAC', 'SR4']
    """
    shelf = load([*_BOXES, *_FITTINGS, *_RULES, *_JOINING, *BundlingParts.KINDS], files)
    wished = {
        "router": router, "endpoint": endpoint, "cabinet": cabinet, "labor": labor,
        "pdu": pdu, "cable_manager": cable_manager, "blanking_panel": blanking_panel,
    }  # fmt: skip
    chosen = {kind: name for kind, name in wished.items() if name is not None}
    if cabinet is None:
        raise InputError(Problem("cabinet", "catalog needs this key", "add cabinet = …"))
    rules = {"loss": loss, "custom_length": custom_length}
    problems = [*_unknown(shelf, chosen | rules), *_unknown_cables(shelf, cables)]
    if not problems and not allow_estimates:
        problems = [*_estimated(shelf, chosen)]
    if problems:
        raise InputError(problems)
    box = {kind: shelf[kind][name] for kind, name in chosen.items()}
    common: dict[str, Any] = {
        "cabinet": box["cabinet"], "labor": box["labor"], "loss": shelf["loss"][loss],
        "custom_length": shelf["custom_length"][custom_length], "pdu": box.get("pdu"), "manager": box.get("cable_manager"),
        "blanking": box.get("blanking_panel"), "bundling": BundlingParts.of(shelf, shelf["loss"][loss]),
    }  # fmt: skip
    problems = [*_other_units(box["cabinet"])]
    if router is not None and endpoint is not None:
        problems += _unfit(box["router"], box["endpoint"], box["cabinet"])
    if problems:
        raise InputError(problems)
    if router is None or endpoint is None:
        return Catalog(router=None, endpoint=None, rows=tuple(row.origin for row in box.values()), **common)
    fits = _fits(shelf, loss, cables, media, allow_estimates)
    a, b = _network_ports(box["router"]), _network_ports(box["endpoint"])
    links = fits.single(a, a, a.rate_gbps)
    endpoint_cables = fits.single(a, b, b.rate_gbps)
    if fits.problems:
        raise InputError(fits.problems)
    shared_links = fits.shared(a, a, a.rate_gbps)
    shared_endpoints = fits.shared(a, b, b.rate_gbps)
    assemblies = (*links, *shared_links, *endpoint_cables, *shared_endpoints)
    used = {name for item in assemblies for name in (item.length_part, item.end_part, item.end_part_b) if name}
    used |= {part.id for part in fits.parts if _is_built_in(part) and part.connector in (a.connector, b.connector)}
    parts = {part.id: part for part in (*fits.parts, *fits.fibers)}
    if any(item.budget_db for item in assemblies):
        parts[loss] = shelf["loss"][loss]
        used.add(loss)
    return Catalog(
        router=box["router"],
        endpoint=box["endpoint"],
        link_assemblies=links,
        endpoint_assemblies=endpoint_cables,
        rows=tuple(row.origin for row in (*box.values(), *(parts[name] for name in sorted(used)))),
        shared_link_assemblies=shared_links,
        shared_endpoint_assemblies=shared_endpoints,
        **common,
    )


def joints(
    *,
    loss: str = "nvidia-structured",
    cables: tuple[str, ...] = (),
    media: tuple[MediumName, ...] = (),
    files: tuple[str, ...] = (),
    allow_estimates: bool = True,
) -> Callable[[str, PortGroup, PortGroup], Joint]:
    """Return a function that finds the cables between the ports of two groups, at the rate of the slower one.

    Parameters
    ----------
    loss, cables, media, files, allow_estimates
        As in `select`.

    Raises
    ------
    InputError
        With all problems of the files; or with every unknown id; and from the function, when no cable joins the two groups.

    Examples
    --------
    >>> switch = next(row for row in rows("router") if row.id == "nvidia-sn2201")
    >>> joint = joints()("management", switch.groups[0], switch.groups[-1])
    >>> joint.name, [assembly.id for assembly in joint.single]
    ('management', ['1g-rj45-cat6'])
    """
    shelf = load([*_JOINING, "loss"], files)
    if problems := [*_unknown(shelf, {"loss": loss}), *_unknown_cables(shelf, cables)]:
        raise InputError(problems)
    fits = _fits(shelf, loss, cables, media, allow_estimates)

    def join(name: str, a: PortGroup, b: PortGroup) -> Joint:
        own = replace(fits, problems=[])
        rate = min(a.rate_gbps, b.rate_gbps)
        single, shared = own.single(a, b, rate), own.shared(a, b, rate)
        if own.problems:
            raise InputError(own.problems)
        return Joint(name, single, shared, (a.ports_per_cage, b.ports_per_cage))

    return join


def _fits(shelf: Shelf, loss: str, cables: tuple[str, ...], media: tuple[MediumName, ...], allow_estimates: bool) -> Fits:
    """Return the search for assemblies among the parts that a study allows."""
    joining = [part for kind in _JOINING if kind != "fiber" for part in shelf[kind].values()]
    # Built-in optics come with their box, whatever cables and media the study allows.
    built_in = _allowed([part for part in joining if _is_built_in(part)], (), allow_estimates)
    ends = _allowed([part for part in joining if not _is_built_in(part)], cables, allow_estimates)
    fibers = _allowed([*shelf["fiber"].values()], cables, allow_estimates)
    return Fits([*(part for part in ends if not media or medium_of(part) in media), *built_in], fibers, shelf["loss"][loss])


def _unfit(router: RouterPart, endpoint: EndpointPart, cabinet: CabinetPart) -> Iterator[Problem]:
    """Yield problems of parts that a study with one network cannot combine."""
    yield from depth_problems(cabinet, router, endpoint)
    if not endpoint.endpoints:
        message = f"the row of {endpoint.id} has port groups alone: which of them the network attaches is not stated"
        yield Problem("endpoint", message, "choose a row with endpoints, connector and rate_gbps")


def _other_units(cabinet: CabinetPart) -> Iterator[Problem]:
    """Yield a problem for a cabinet whose units are not those of the boxes."""
    if cabinet.unit_um != UNIT_UM:
        message = f"{cabinet.id} has units of {cabinet.unit_um / 1000:g} mm, boxes are placed in units of {UNIT_UM / 1000:g} mm"
        yield Problem("cabinet", message, "choose a 19 inch cabinet")


def _network_ports(part: RouterPart | EndpointPart) -> PortGroup:
    """Return the group whose ports the network of a study uses: the one with the part's own connector and rate."""
    return next(group for group in part.groups if (group.connector, group.rate_gbps) == (part.connector, part.rate_gbps))


def _unknown(shelf: Shelf, chosen: dict[str, str]) -> Iterator[Problem]:
    for kind, name in chosen.items():
        if name not in shelf[kind]:
            yield Problem(kind, f"there is no {kind} {name!r} in the catalogs", suggestion(name, shelf[kind]))


def _unknown_cables(shelf: Shelf, cables: tuple[str, ...]) -> Iterator[Problem]:
    parts = {name: part for kind in _JOINING for name, part in shelf[kind].items()}
    for name in cables:
        if name not in parts:
            yield Problem("cables", f"there is no cable, transceiver or fiber {name!r} in the catalogs", suggestion(name, parts))
        elif missing := getattr(parts[name], "missing", ()):
            rule = f"the row of {name} has no {', '.join(missing)}"
            yield Problem("cables", f"{rule}: planning needs them", "add a complete [[breakout]] row to a file in files")


def _is_built_in(part: Row) -> TypeGuard[TransceiverPart]:
    return isinstance(part, TransceiverPart) and part.built_in


def _estimated(shelf: Shelf, chosen: dict[str, str]) -> Iterator[Problem]:
    for kind, name in chosen.items():
        row = shelf[kind][name]
        if row.estimated:
            what = ", ".join(row.estimates) or "the whole row"
            yield Problem(kind, f"{name} has estimates ({what})", "set allow_estimates = true, or add a row to a file in files")


def _allowed(parts: list[Any], cables: tuple[str, ...], allow_estimates: bool) -> list[Any]:
    offered = [part for part in parts if part.id in cables] or parts
    return [part for part in offered if allow_estimates or not part.estimated]
