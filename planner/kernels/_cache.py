"""The cache of kernels: a folder of the user, shared by all processes."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import llvmlite
import numba

try:
    import fcntl
except ImportError:
    fcntl = None
try:
    from numba.core.caching import UserProvidedCacheLocator
except ImportError:
    UserProvidedCacheLocator = None


def folder(level: int) -> str:
    """Return the cache folder of kernels, named by a hash of everything their code depends on; empty if not writable.

    Numba does not detect an edited callee in another file. The folder is in the user's cache folder, so that a read-only
    installation works. `level` is the level of optimization.
    """
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    digest.update(repr((numba.__version__, llvmlite.__version__, level)).encode())
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    for root in (Path(home), Path(tempfile.gettempdir())):
        folder = root / "planner" / f"kernels-{digest.hexdigest()[:16]}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return str(folder)
        except OSError:
            continue
    return ""


class Locator(UserProvidedCacheLocator or object):
    """Finds the cache of a kernel by its place in this package, so that all copies of the same sources share it."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the folder of a file below the cache folder."""
        path, here = Path(py_file).resolve(), Path(__file__).resolve().parent
        if path.is_relative_to(here):
            return ".".join(("kernels", *path.relative_to(here).parent.parts))
        return super().get_suitable_cache_subpath(py_file)


LOCATOR = f"{__name__}.Locator" if UserProvidedCacheLocator else ""


@contextmanager
def alone(folder: str, function: Callable) -> Iterator[None]:
    """Let one process compile a function while others that need it wait, and find it in the cache.

    The system ends the wait when the process ends, however it ends. Without a cache, or where files cannot be locked, all
    compile.
    """
    with ExitStack() as stack:
        if folder and fcntl is not None:
            name = hashlib.sha256(f"{function.__module__}.{function.__qualname__}".encode()).hexdigest()[:16]
            with suppress(OSError):
                file = stack.enter_context(open(os.path.join(folder, f"{name}.lock"), "ab"))
                fcntl.flock(file, fcntl.LOCK_EX)
        yield
