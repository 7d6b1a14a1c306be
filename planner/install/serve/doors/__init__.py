"""Groups of addresses: each file has `ROUTES`, a list of `planner.install.serve.door.Door`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from planner.install.serve.door import Door


def doors() -> list[Door]:
    """Return the doors of all files, by the names of the files."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    return [door for name in names for door in import_module(f"{__name__}.{name}").ROUTES]
