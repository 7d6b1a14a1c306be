"""From catalog files to the parts that one study may use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from planner import shipped
from planner.errors import InputError, Problem, suggestion
from planner.model import Catalog
from planner.parts import KINDS, Assembly, CablePart, FibrePart, Row, TransceiverPart
from planner.reading import Document, construct, read

_PLANNED = ("router", "endpoint", "cabinet", "labour", "cable", "transceiver", "fibre")
"""The kinds of row that a plan is made of."""


def kinds() -> tuple[str, ...]:
    """Return the kinds of row that a catalog file may hold: the names of its TOML tables."""
    return tuple(KINDS)


def rows(kind: str, files: Iterable[str | Path] = ()) -> tuple[Row, ...]:
    """Return all rows of one kind, in the order of the files.

    Parameters
    ----------
    kind
        Name of the TOML table: ``"router"``, ``"machine"`` …
    files
        Files of the user's own; their rows replace shipped rows with the same id, or come last.

    Raises
    ------
    InputError
        When there is no such kind, or with everything that is wrong in the files that were read.

    Examples
    --------
    >>> [row.id for row in rows("labour")]
    ['mudigonda-2011']
    """
    if kind not in KINDS:
        raise InputError(Problem("", f"there is no kind of row {kind!r}", suggestion(kind, KINDS)))
    return tuple(_load([kind], files)[kind].values())


def select(
    router: str,
    endpoint: str,
    cabinet: str,
    *,
    labour: str = "mudigonda-2011",
    cables: tuple[str, ...] = (),
    files: tuple[str, ...] = (),
    allow_estimates: bool = True,
) -> Catalog:
    """Choose the parts of one study.

    Parameters
    ----------
    router
        Id of the switch box of every router.
    endpoint
        Id of the box that holds the endpoints.
    cabinet
        Id of the cabinet.
    labour
        Id of the labour rates.
    cables
        Ids of the cables and transceivers that may be used; all that fit if none is named. Fibres
        may be named too: then only those are used.
    files
        Catalog files of the user's own; their rows come beside the shipped ones and replace those
        with the same id.
    allow_estimates
        Whether rows may be used that hold figures without a source.

    Raises
    ------
    InputError
        With everything that is wrong in the files; or with every id that no row has; or when
        nothing joins two routers, or a router and an endpoint.

    Examples
    --------
    >>> catalog = select("nvidia-sb7800", "server-half-unit", "apc-ar3300")
    >>> [assembly.kind for assembly in catalog.link_assemblies]
    ['AOC', 'DAC', 'DAC', 'SR4']
    """
    shelf = _load(_PLANNED, files)
    chosen = {"router": router, "endpoint": endpoint, "cabinet": cabinet, "labour": labour}
    problems = [*_unknown(shelf, chosen, cables)]
    if not problems and not allow_estimates:
        problems = [*_estimated(shelf, chosen)]
    if problems:
        raise InputError(problems)
    box = {kind: shelf[kind][name] for kind, name in chosen.items()}
    fits = _fits(shelf, cables, allow_estimates)
    links = fits.assemblies(box["router"].connector, box["router"].connector, box["router"].rate_gbps)
    ends = fits.assemblies(box["router"].connector, box["endpoint"].connector, box["endpoint"].rate_gbps)
    if fits.problems:
        raise InputError(fits.problems)
    parts = {part.id: part for part in (*fits.cables, *fits.transceivers, *fits.fibres)}
    used = {name for item in (*links, *ends) for name in (item.length_part, item.end_part, item.end_part_b) if name}
    return Catalog(
        router=box["router"],
        endpoint=box["endpoint"],
        cabinet=box["cabinet"],
        labour=box["labour"],
        link_assemblies=links,
        endpoint_assemblies=ends,
        rows=tuple(row.origin for row in (*box.values(), *(parts[name] for name in sorted(used)))),
    )


# -- reading ----------------------------------------------------------------------------------


def _load(wanted: Iterable[str], files: Iterable[str | Path]) -> dict[str, dict[str, Row]]:
    """Return rows by kind and id: those of the shipped folders of the wanted kinds, and of all `files`."""
    folders = sorted({KINDS[kind].folder for kind in wanted})
    ours = [path for folder in folders for path in sorted((shipped.folder("catalogs") / folder).glob("*.toml"))]
    shelf: dict[str, dict[str, Row]] = {kind: {} for kind in KINDS}
    problems: list[Problem] = []
    for paths in (ours, files):
        seen: dict[tuple[str, str], str] = {}
        for path in paths:
            try:
                document = read(path)
            except InputError as error:
                problems += error.problems
                continue
            problems += _shelve(document, shelf, seen)
    if problems:
        raise InputError(problems)
    return shelf


def _shelve(document: Document, shelf: dict[str, dict[str, Row]], seen: dict[tuple[str, str], str]) -> list[Problem]:
    """Put the rows of one file on the shelf; return what is wrong with it."""
    problems = []
    for kind, entry, line, lines in _entries(document, problems):
        name = entry.get("id")
        place = f"{kind} {name}" if isinstance(name, str) else kind
        position = {f"{place}.{key}": number for key, number in lines.items()} | {place: line}
        try:
            row = construct(KINDS[kind].cls, entry, file=document.file, section=place, lines=position)
        except InputError as error:
            problems += error.problems
            continue
        problems += InputError(row.problems()).located(document.file, place, position).problems
        if (kind, row.id) in seen:
            message = f"this id stands already at {seen[kind, row.id]}"
            problems.append(Problem(place, message, "give each row an id of its own", document.file, line))
        seen[kind, row.id] = f"{document.file}:{line}"
        shelf[kind][row.id] = row
    return problems


def _entries(document: Document, problems: list[Problem]) -> Iterator[tuple[str, dict[str, Any], int, dict[str, int]]]:
    """Yield each row as kind, keys with the file's defaults below, line, and line of each key."""
    defaults = document.data.get("defaults", {})
    if not isinstance(defaults, dict):
        line = document.lines.get("defaults", 0)
        problems.append(Problem("defaults", "must be a table", "write [defaults] above its keys", document.file, line))
        defaults = {}
    default_lines = {key: document.lines.get(f"defaults.{key}", 0) for key in defaults}
    for kind, entries in document.data.items():
        line = document.lines.get(kind) or document.lines.get(f"{kind}.0", 0)
        if kind == "defaults":
            continue
        if kind not in KINDS:
            problems.append(Problem(kind, "is not a kind of catalog row", suggestion(kind, KINDS), document.file, line))
        elif not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            problems.append(Problem(kind, "must be a list of rows", f"write [[{kind}]] above each row", document.file, line))
        else:
            for number, entry in enumerate(entries):
                prefix = f"{kind}.{number}"
                own = {key: document.lines.get(f"{prefix}.{key}", 0) for key in entry}
                yield kind, defaults | entry, document.lines.get(prefix, 0), default_lines | own


# -- choosing ---------------------------------------------------------------------------------


def _unknown(shelf: dict[str, dict[str, Row]], chosen: dict[str, str], cables: tuple[str, ...]) -> Iterator[Problem]:
    for kind, name in chosen.items():
        if name not in shelf[kind]:
            yield Problem(kind, f"there is no {kind} {name!r} in the catalogs", suggestion(name, shelf[kind]))
    parts = {*shelf["cable"], *shelf["transceiver"], *shelf["fibre"]}
    for name in cables:
        if name not in parts:
            yield Problem("cables", f"there is no cable, transceiver or fibre {name!r} in the catalogs", suggestion(name, parts))


def _estimated(shelf: dict[str, dict[str, Row]], chosen: dict[str, str]) -> Iterator[Problem]:
    for kind, name in chosen.items():
        row = shelf[kind][name]
        if row.estimated:
            what = ", ".join(row.estimates) or "the whole row"
            yield Problem(kind, f"{name} holds estimates ({what})", "allow_estimates = true, or give a row of your own in files")


def _allowed(parts: list[Row], cables: tuple[str, ...], allow_estimates: bool) -> list[Row]:
    offered = [part for part in parts if part.id in cables] or parts
    return [part for part in offered if allow_estimates or not part.estimated]


# -- joining ----------------------------------------------------------------------------------


def _fits(shelf: dict[str, dict[str, Row]], cables: tuple[str, ...], allow_estimates: bool) -> _Fits:
    ends = _allowed([*shelf["cable"].values(), *shelf["transceiver"].values()], cables, allow_estimates)
    fibres = _allowed([*shelf["fibre"].values()], cables, allow_estimates)
    finished = [part for part in ends if isinstance(part, CablePart)]
    return _Fits(finished, [part for part in ends if isinstance(part, TransceiverPart)], fibres)


@dataclass
class _Fits:
    """Finds what joins two connectors, and collects what cannot be joined."""

    cables: list[CablePart]
    transceivers: list[TransceiverPart]
    fibres: list[FibrePart]
    problems: list[Problem] = field(default_factory=list)

    def assemblies(self, a: str, b: str, rate: int) -> tuple[Assembly, ...]:
        """Return every assembly that joins `a` to `b` at this rate, sorted by id."""
        found = [
            _finished(cable, a, b)
            for cable in self.cables
            if cable.rate_gbps == rate and cable.links == 1 and {cable.connector_a, cable.connector_b} == {a, b}
        ]
        modules = [module for module in self.transceivers if module.rate_gbps == rate]
        for one in modules:
            for two in modules:
                if _understand(one, two, a, b):
                    found += [_with_fibre(one, fibre, two, a, b) for fibre in self.fibres if fibre.fibre == one.fibre]
        found = [assembly for assembly in found if assembly.stock_mm]
        if not found:
            self.problems.append(Problem("cables", f"no cable joins {a} to {b} at {rate} Gb/s", self._remedy(a, b)))
        return tuple(sorted(found, key=lambda assembly: assembly.id))

    def _remedy(self, a: str, b: str) -> str:
        joins = {(cable.connector_a, cable.connector_b, cable.rate_gbps) for cable in self.cables if cable.links == 1}
        joins |= {(module.connector, module.connector, module.rate_gbps) for module in self.transceivers}
        near = sorted(join for join in joins if {a, b} & {*join[:2]})
        listing = ", ".join(f"{one} to {two} at {rate} Gb/s" for one, two, rate in near) or "none for these connectors"
        return f"there are {listing}: choose another endpoint or router, or add a [[cable]] of your own"


def _understand(one: TransceiverPart, two: TransceiverPart, a: str, b: str) -> bool:
    """Return whether two modules fit `a` and `b` and understand each other.

    Between equal connectors nobody buys two sorts of module.
    """
    fit = a in (one.connector, *one.fits) and b in (two.connector, *two.fits)
    return fit and (one.kind, one.fibre) == (two.kind, two.fibre) and (a != b or one is two)


def _finished(cable: CablePart, a: str, b: str) -> Assembly:
    return Assembly(
        id=cable.id,
        medium=cable.medium,
        kind=cable.kind,
        rate_gbps=cable.rate_gbps,
        connector_a=a,
        connector_b=b,
        reach_mm=cable.reach_mm,
        stock_mm=cable.stock_mm,
        price_cents=cable.price_cents,
        power_mw=cable.power_mw,
        diameter_um=cable.diameter_um,
        bend_mm=cable.bend_mm,
        mass_g_per_m=cable.mass_g_per_m,
        delay_ps_per_m=cable.delay_ps_per_m,
        delay_end_ps=cable.delay_end_ps,
        length_part=cable.id,
    )


def _with_fibre(one: TransceiverPart, fibre: FibrePart, two: TransceiverPart, a: str, b: str) -> Assembly:
    reach = min(one.reach_mm, two.reach_mm, fibre.reach_mm or max(fibre.stock_mm))
    offers = [(stock, price) for stock, price in zip(fibre.stock_mm, fibre.price_cents, strict=True) if stock <= reach]
    # A module that serves several ports counts at each of them with its share, rounded up.
    price_a, price_b = (-(-module.price_cents // module.links) for module in (one, two))
    power_a, power_b = (-(-module.power_mw // module.links) for module in (one, two))
    unlike = one is not two
    return Assembly(
        id=f"{one.id}+{fibre.id}+{two.id}" if unlike else f"{one.id}+{fibre.id}",
        medium="optical",
        kind=one.kind,
        rate_gbps=one.rate_gbps,
        connector_a=a,
        connector_b=b,
        reach_mm=reach,
        stock_mm=tuple(stock for stock, _ in offers),
        price_cents=tuple(price + price_a + price_b for _, price in offers),
        power_mw=-(-(power_a + power_b) // 2),
        diameter_um=fibre.diameter_um,
        bend_mm=fibre.bend_mm,
        mass_g_per_m=fibre.mass_g_per_m,
        delay_ps_per_m=fibre.delay_ps_per_m,
        delay_end_ps=-(-(one.delay_end_ps + two.delay_end_ps) // 2),
        length_part=fibre.id,
        end_part=one.id,
        end_price_cents=price_a,
        end_part_b=two.id if unlike else "",
        end_price_b_cents=price_b if unlike else 0,
    )
