"""Which version of the program this is, and which one wrote a plan."""

from __future__ import annotations

import hashlib
import platform
import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import planner
from planner import __version__
from planner.core import shipped

NO_RESULTS = {"paper", "install", "commands", "core/executors"}
"""Rooms that do not affect results; schedules and workbooks of a kept plan do, which `view` and `formats` read."""


@cache
def source() -> str:
    """Return a hash of the source code and the catalogs, so that a changed program never reuses old results."""
    digest = hashlib.sha256(__version__.encode())
    root = Path(planner.__file__).parent
    for path in sorted(root.rglob("*.py")):
        if not any(folder.relative_to(root).as_posix() in NO_RESULTS for folder in path.parents if folder.is_relative_to(root)):
            digest.update(path.read_bytes())
    for path in sorted(shipped.folder("catalogs").rglob("*.toml")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def versions() -> dict[str, Any]:
    """Return the versions of Planner, Python and the packages that results depend on."""
    return {"planner": __version__, "source": source(), "python": platform.python_version(), "packages": dict(_packages())}


def writer(origin: Mapping[str, Any]) -> str:
    """Return which version of the program wrote a plan and which one this is, as text."""
    return f"written by Planner {origin.get('planner') or 'of unknown version'}; this is Planner {__version__}"


def is_same(origin: Mapping[str, Any]) -> bool:
    """Return whether this very program wrote a plan; True for a plan that no run has stored."""
    return origin.get("source") in (None, source())


def is_later(origin: Mapping[str, Any]) -> bool:
    """Return whether a plan was written by a later version of this program: its records may hold what this one does not know."""
    return _release(origin.get("planner")) > _release(__version__)


def _release(version: Any) -> tuple[int, ...]:
    """Return the numbers at the start of a version."""
    found = re.match(r"\d{1,9}(?:\.\d{1,9})*", version) if isinstance(version, str) else None
    return tuple(int(part) for part in found[0].split(".")) if found else ()


@cache
def _packages() -> dict[str, str]:
    """Return the versions of packages that results depend on; every finished stage is recorded with them."""
    packages = {}
    for package in ("numpy", "scipy", "numba", "shapely", "reportlab"):
        try:
            packages[package] = version(package)
        except PackageNotFoundError:
            continue
    return packages
