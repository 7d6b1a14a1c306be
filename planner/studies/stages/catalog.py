"""The stage `catalog`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from planner.core.errors import Problem
from planner.core.section import Section
from planner.domain.catalog import joints, rows, select
from planner.domain.model import Catalog, Joint
from planner.domain.parts import DEVICES, PortGroup
from planner.studies.stage import Run, Stage


def rows_of(run: Run, kind: str) -> tuple[Any, ...]:
    """Return the catalog rows of a kind, with those of the study's own files."""
    return rows(kind, _files(run.arguments("catalog"), run.study.base))


def devices_of(run: Run) -> dict[str, Any]:
    """Return the catalog rows that may be devices in a cabinet or in a slot of their own, by id."""
    rows = (row for kind in DEVICES for row in rows_of(run, kind))
    return {row.id: row for row in rows if row.units is not None or row.freestanding}


def _files(arguments: Mapping[str, Any], base: Path) -> tuple[str, ...]:
    return tuple(str(base / file) for file in arguments["files"])


def join(run: Run) -> Callable[[str, PortGroup, PortGroup, int], Joint]:
    """Return a function that finds the cables between two port groups in a network."""
    chosen, files = run.arguments("catalog"), _files(run.arguments("catalog"), run.study.base)

    @cache
    def finder(network: int) -> Callable[[str, PortGroup, PortGroup], Joint]:
        own = run.study.networks[network] if run.study.networks else None
        cables, media = (getattr(own, key, ()) or chosen[key] for key in ("cables", "media"))
        return joints(loss=chosen["loss"], cables=cables, media=media, files=files, allow_estimates=chosen["allow_estimates"])

    return lambda name, a, b, network: finder(network)(name, a, b)


def _between(sections: Mapping[str, Any]) -> list[Problem]:
    """Return the problems with parts that a study needs or does not use."""
    chosen = sections.get("catalog", {})
    if not chosen:
        return []
    problems = [] if chosen["cabinet"] else [Problem("catalog.cabinet", "catalog needs this key", "add cabinet = …")]
    for name in ("router", "endpoint"):
        if "network" in sections and chosen[name]:
            remedy = "give parts in [[network]] and [[node]]"
            problems.append(Problem(f"catalog.{name}", "has no meaning next to [[network]]", remedy))
        elif "network" not in sections and not chosen[name]:
            problems.append(Problem(f"catalog.{name}", "catalog needs this key", f"add {name} = …"))
    return problems


def _select(arguments: Mapping[str, Any], base: Path) -> Catalog:
    return select(**{**arguments, "files": _files(arguments, base)})


STAGES = (
    Stage(
        record=Catalog,
        run=lambda run: _select(run.arguments("catalog"), run.study.base),
        rank=20,
        section=Section("catalog", (select,)),
        is_input=True,
        # Catalog files may change and are quick to read, so they are read on every run.
        stored=False,
        preview=lambda arguments, base: _select(arguments, base) if arguments["cabinet"] else None,
        between=_between,
    ),
)
