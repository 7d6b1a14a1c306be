"""Compilation of all kernels that commands use, on all processors."""

from __future__ import annotations

import gc
import sys
import time
import zipfile
from collections import defaultdict
from pathlib import Path
from types import FunctionType

from planner.core.executors import executor
from planner.kernels import _signatures as signatures
from planner.kernels._numba import CACHE_FOLDER, COMPILED

_FRAME_WORDS = 2**17
"""Size of the first frame of a compilation: a mebibyte."""

_PAUSE_S = 10
"""Seconds between lines of progress in a log."""


def compile_all() -> int:
    """Compile what is not in the cache, with a line of progress on standard error; return the exit code."""
    groups = _missing() if CACHE_FOLDER else []
    if not groups:
        return 0
    began, done, total = time.perf_counter(), 0, sum(map(len, groups))
    # On a terminal in one line; in a log every few seconds.
    end, pause_s = ("\r", 0) if sys.stderr.isatty() else ("\n", _PAUSE_S)
    print(f"compiling kernels 0 of {total}", end=end, file=sys.stderr, flush=True)
    printed_s = began
    try:
        with executor() as workers:
            for _, outcome in workers.each(compile_module, groups):
                done += outcome.result()
                if (now := time.perf_counter()) - printed_s >= pause_s:
                    print(f"compiling kernels {done} of {total}", end=end, file=sys.stderr, flush=True)
                    printed_s = now
    except KeyboardInterrupt:
        print(f"interrupted: {done} of {total} kernels are compiled", file=sys.stderr)
        return 130
    print(f"{total} kernels compiled in {time.perf_counter() - began:.0f} s", file=sys.stderr)
    return 0


def _missing() -> list[list[signatures.Kernel]]:
    """Return the kernels to be compiled by module: they share callees. Those that take longest come first."""
    compiled = [(kernel.name, kernel.arguments) for kernel in signatures.read(Path(COMPILED))]
    modules = defaultdict(list)
    for kernel in signatures.read(signatures.LIST):
        if (kernel.name, kernel.arguments) not in compiled:
            modules[kernel.name.rpartition(".")[0]].append(kernel)
    return sorted(modules.values(), key=lambda kernels: -sum(kernel.seconds for kernel in kernels))


def compile_module(kernels: list[signatures.Kernel]) -> int:
    """Compile kernels of one module; return their number."""
    # All that a compilation creates stays until the process ends: to search it for unused cycles takes a seventh of the time.
    gc.disable()
    for kernel in kernels:
        # Kernels that are called by address are compiled where they are declared, as their module is imported.
        signatures.found(kernel.name).compile(signatures.kinds(kernel.arguments))
    return len(kernels)


# Python takes memory for frames from the system in small pieces and returns each at once: where Numba's calls go back and forth
# over the end of a piece, that takes a fifth of the time. A frame that needs more gets a large piece, which its callees share.
compile_module = FunctionType(compile_module.__code__.replace(co_stacksize=_FRAME_WORDS), globals())


def archive(folder: Path) -> Path:
    """Write the compiled kernels of the package to an archive, to be shipped with it; return its path.

    Its name is that of the cache folder: with other sources, another Numba or Python, or an older processor it is not used.
    """
    cache = Path(CACHE_FOLDER)
    files = [Path(COMPILED), *sorted(path for path in cache.glob("*/planner*/*") if path.is_file())]
    with zipfile.ZipFile(folder / f"{cache.name}.zip", "w", zipfile.ZIP_DEFLATED) as found:
        for path in files:
            found.write(path, path.relative_to(cache))
    return folder / f"{cache.name}.zip"
