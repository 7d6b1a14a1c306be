"""Compiled loops, by subject: arrays and numbers in, arrays filled, an int status out.

`compiled` is Numba's ``njit`` with a cache that never goes stale: the cache folder is named by a
hash of all kernel sources, since Numba does not notice an edited callee in another file. It lies
in the user's cache folder, so that a read-only installation works.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from functools import partial
from pathlib import Path


def _cache_folder() -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
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


# Threads that spin while they wait cost more than they bring on a shared machine.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# Random gathers lose by vectorising; must be set before Numba is imported.
os.environ.setdefault("NUMBA_LOOP_VECTORIZE", "0")

import numba  # noqa: E402
from llvmlite import ir  # noqa: E402
from numba.np import arrayobj  # noqa: E402


def _fixed(either, context, builder, kind, index, size):
    """Let kernels that create no array index as C does; `either` is Numba's own function, which counts from both ends.

    To ask of every index whether it is negative costs the packet engine a good part of its time. Constants may be.
    """
    if context.enable_nrt or isinstance(index, ir.Constant):
        return either(context, builder, kind, index, size)
    return context.cast(builder, index, kind, numba.types.intp if kind.signed else numba.types.uintp)


arrayobj.fix_integer_index = partial(_fixed, arrayobj.fix_integer_index)

_FOLDER = _cache_folder()
if _FOLDER:
    numba.config.CACHE_DIR = _FOLDER


_WIDE = {numba.int8: numba.int64, numba.int16: numba.int64, numba.int32: numba.int64}
"""Whole numbers are handed on as int64: else a kernel is compiled anew for every width that callers happen to hold."""


def _under(kernel, **settings):
    """Let a kernel be compiled under settings of Numba of its own, whoever calls it."""
    if numba.config.DISABLE_JIT:
        return kernel
    plain = kernel.compile

    def compile_under(signature):
        if isinstance(signature, tuple):
            signature = tuple(_WIDE.get(kind, numba.types.unliteral(kind)) for kind in signature)
        # What Numba reads only once, it reads here.
        numba.core.registry.cpu_target.target_context.codegen()
        before = {name: getattr(numba.config, name) for name in settings}
        try:
            for name, value in settings.items():
                setattr(numba.config, name, value)
            return plain(signature)
        finally:
            for name, value in before.items():
                setattr(numba.config, name, value)

    kernel.compile = compile_under
    return kernel


def _decorator(level=numba.config.OPT, **options):
    jit = numba.njit(cache=bool(_FOLDER), nogil=True, error_model="numpy", **options)
    return lambda function: _under(jit(function), OPT=level)


compiled = _decorator()
"""Decorator for kernels."""

bare = _decorator(_nrt=False)
"""Decorator for kernels that create no array: without reference counts on records of arrays they run several times faster.

Such kernels index arrays from the front only, see `_fixed`.
"""

inlined = _decorator(level=1, _nrt=False, forceinline=True)
"""As `bare`, always inlined: where a record of arrays is handed on, passing it costs more than the call does.

Its callers optimise it again; doing so here as well would take a quarter of all the time to compile.
"""


merged = _decorator(level=1, _nrt=False, inline="always")
"""As `inlined`, for kernels with few callers: compiled as a part of those only, not before for itself.

Where a caller gathers many of them, its code gets a little slower and takes longer to compile.
"""


def vectorised(function):
    """Decorate a kernel whose one loop sweeps contiguous rows: there, unlike in gathers, vectorising pays threefold."""
    return _under(bare(function), LOOP_VECTORIZE=1)
