"""Catalogs and floor plans shipped with Planner."""

from __future__ import annotations

from pathlib import Path

from planner.core.errors import InputError, Problem, suggestion


def folder(name: str) -> Path:
    """Return the folder of shipped data: inside an installed package, or next to the package in a checkout.

    >>> folder("floorplans").is_dir()
    True
    """
    inside = Path(__file__).parent / "shipped" / name
    return inside if inside.is_dir() else Path(__file__).parents[2] / name


def find(kind: str, name: str, base: Path) -> Path:
    """Resolve a path relative to `base`, or the name of a shipped TOML file.

    Raises
    ------
    InputError
        When there is no such file.
    """
    if name.endswith(".toml") or "/" in name:
        path = base / name
        if not path.is_file():
            raise InputError(Problem("", f"there is no file {path}", "check the path; it is relative to the study's folder"))
        return path
    known = {path.stem: path for path in sorted(folder(kind).rglob("*.toml"))}
    if name not in known:
        raise InputError(Problem("", f"there is no {name!r} in {kind}", suggestion(name, known)))
    return known[name]
