"""Where the catalogs and floor plans that travel with Planner lie."""

from __future__ import annotations

from pathlib import Path

from planner.errors import InputError, Problem, suggestion


def folder(name: str) -> Path:
    """Return the folder of shipped data: inside an installed package, or beside the package in a checkout.

    >>> folder("floorplans").is_dir()
    True
    """
    package = Path(__file__).parent
    inside = package / "shipped" / name
    return inside if inside.is_dir() else package.parent / name


def find(kind: str, name: str, base: Path) -> Path:
    """Return the TOML file that a study means: a path from `base`, or the name of a shipped file.

    Raises
    ------
    InputError
        When there is neither.
    """
    if name.endswith(".toml") or "/" in name:
        path = base / name
        if not path.is_file():
            raise InputError(Problem("", f"there is no file {path}", "check the path; it starts at the study's folder"))
        return path
    known = {path.stem: path for path in sorted(folder(kind).rglob("*.toml"))}
    if name not in known:
        raise InputError(Problem("", f"there is no {name!r} in {kind}", suggestion(name, known)))
    return known[name]
