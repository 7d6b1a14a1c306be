"""Run the benchmarks: every module of this folder with a function `main`."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def names() -> list[str]:
    """Return the names of all benchmarks."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))


if __name__ == "__main__":
    wanted = sys.argv[1:] or names()
    if unknown := set(wanted) - set(names()):
        sys.exit(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(names())}")
    for name in wanted:
        module = importlib.import_module(f"benchmarks.{name}")
        print(f"\n{name}: {module.__doc__.splitlines()[0]}\n", flush=True)
        module.main()
