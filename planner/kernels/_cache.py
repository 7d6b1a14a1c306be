"""The cache of kernels: a folder of the user, shared by all processes, and one that is shipped with the package."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import llvmlite
import numba
from llvmlite import binding

from planner.core.locks import lock

SHIPPED = Path(__file__).parent
"""Folder of an installed package where compiled kernels are, in an archive with the name of their cache folder."""

_X86_64_V3 = ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")


def processor() -> dict[str, str]:
    """Return Numba's settings of the processor that kernels are compiled for.

    This is a baseline of the architecture, so that machines with unlike processors share compiled kernels: AVX2 and fused
    multiply-add on x86-64, any 64-bit ARM. An older processor, another architecture and a user's own ``NUMBA_CPU_NAME`` get
    code of their own.
    """
    if numba.config.CPU_NAME is not None:
        return {}
    machine = platform.machine().lower()
    if machine in ("x86_64", "amd64"):
        features = binding.get_host_cpu_features()
        name = "x86-64-v3" if all(features.get(feature) for feature in _X86_64_V3) else ""
    else:
        name = "generic" if machine in ("aarch64", "arm64") else ""
    return {"CPU_NAME": name, "CPU_FEATURES": ""} if name else {}


def folder() -> str:
    """Return the cache folder of kernels, named by a hash of everything their code depends on; empty if not writable.

    Numba does not detect an edited callee in another file. The folder is in the user's cache folder, so that a read-only
    installation works; it starts as a copy of the shipped one, if that was compiled from the same sources.
    """
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    versions = numba.__version__, llvmlite.__version__, sys.implementation.cache_tag, platform.machine(), sys.platform
    digest.update(repr((versions, numba.config.OPT, sorted(processor().items()))).encode())
    name = f"kernels-{digest.hexdigest()[:16]}"
    for root in _roots():
        folder = root / name
        try:
            if not folder.exists():
                _begin(folder)
            with tempfile.TemporaryFile(dir=folder):
                return str(folder)
        except OSError:
            continue
    return ""


def _roots() -> Iterator[Path]:
    """Yield the folders below which a cache may be; that for temporary files only where no other user can write to it.

    What is in a cache is executed.
    """
    yield Path(os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "planner")
    folder = Path(tempfile.gettempdir(), f"planner-{os.getuid()}")
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) == 0o700:
            yield folder


def _begin(folder: Path) -> None:
    """Create a cache folder with the shipped kernels, if they are of the same name; other processes may do so as well."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        place = Path(temporary, folder.name)
        place.mkdir()
        if (archive := SHIPPED / f"{folder.name}.zip").is_file():
            shutil.unpack_archive(archive, place)
        with suppress(OSError):
            # Fails where another process was first.
            place.rename(folder)


@contextmanager
def alone(folder: str, function: Callable) -> Iterator[None]:
    """Let one process compile a function while others that need it wait, and find it in the cache.

    The system ends the wait when the process ends, however it ends. Without a cache, or where files cannot be locked, all
    compile.
    """
    with ExitStack() as stack:
        if folder:
            name = hashlib.sha256(f"{function.__module__}.{function.__qualname__}".encode()).hexdigest()[:16]
            with suppress(OSError):
                file = stack.enter_context(open(os.path.join(folder, f"{name}.lock"), "ab"))
                lock(file.fileno())
        yield
