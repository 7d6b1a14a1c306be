"""The interface to Numba: compilation and caching of kernels, and the private names of Numba in use.

Settings are per kernel and applied while Numba's compiler lock is held, so that neither the environment nor the
order of imports changes the code of a kernel, and kernels of other packages are unaffected. If a
private name of Numba is missing, the feature based on it is disabled: kernels get slower, never wrong.

``PLANNER_KERNELS=checked`` in the environment selects a build that raises IndexError for every index beyond the end of an
axis and for every computed index below 0; it has a separate cache and is several times slower.
"""

from __future__ import annotations

import gc
import hashlib
import inspect
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from types import FunctionType, ModuleType
from typing import Any

import numba
from llvmlite import ir
from numba import from_dtype, types
from numba.core import config
from numba.core.cgutils import if_unlikely
from numba.extending import intrinsic, overload

from planner.core.errors import InputError, Problem
from planner.kernels import _cache as cache
from planner.kernels._inference import COLORS, FUNCTIONS, INFERENCE, PLAIN
from planner.kernels._inlining import INLINER, INLINING
from planner.kernels._linking import ENTRY, split

__all__ = [
    "CACHE_FOLDER",
    "COMPILES",
    "bare",
    "compile_for",
    "compiled",
    "from_dtype",
    "if_unlikely",
    "inlined",
    "intrinsic",
    "ir",
    "load",
    "merged",
    "overload",
    "specialized",
    "summed",
    "types",
    "vectorized",
]

COMPILES = not config.DISABLE_JIT
"""Whether kernels are compiled; ``NUMBA_DISABLE_JIT=1`` runs them as Python functions."""

BUILDS = ("fast", "checked")


def _build() -> str:
    build = os.environ.get("PLANNER_KERNELS", "fast")
    if build not in BUILDS:
        raise InputError(Problem("PLANNER_KERNELS", f"{build!r} is not a kernel build", f"use one of {', '.join(BUILDS)}"))
    return build


CHECKED = _build() == "checked"

_SETTINGS = {"SLP_VECTORIZE": 0, "BOUNDSCHECK": None, "DEBUGINFO_DEFAULT": 0}
"""Numba settings of all kernels."""


def _private(module: str, name: str, parameters: tuple[str, ...] | None = None) -> tuple[ModuleType, Any] | tuple[None, None]:
    """Return a module of Numba and its private name; None twice if either is missing or has other parameters."""
    try:
        owner = __import__(module, fromlist=[name])
        found = getattr(owner, name)
    except (ImportError, AttributeError):
        return None, None
    if parameters is not None and tuple(inspect.signature(found).parameters) != parameters:
        return None, None
    return owner, found


_arrays, _either_end = _private("numba.np.arrayobj", "fix_integer_index", ("context", "builder", "idxty", "idx", "size"))
_lock = _private("numba.core.compiler_lock", "global_compiler_lock")[1] or threading.RLock()
_target = _private("numba.core.registry", "cpu_target")[1]
_options = _private("numba.core.cpu", "CPUTargetOptions")[1]
# Numba reads changed environment variables when it starts to compile; trigger that before applying our settings.
_reload = _private("numba.core.config", "reload_config")[1] or (lambda: None)


def _known(**options: Any) -> dict[str, Any]:
    """Return the options that this version of Numba supports."""
    return {name: value for name, value in options.items() if hasattr(_options, name)}


def _generator() -> bool:
    """Create Numba's code generator, which stores the user's optimization level; return whether that succeeded."""
    try:
        _target.target_context.codegen()
    except AttributeError:
        return False
    return True


def _settings(level: int, vectorize: bool) -> dict[str, Any]:
    """Return the settings of Numba for a kernel."""
    return _SETTINGS | ({"OPT": level} if _LEVELS else {}) | {"LOOP_VECTORIZE": int(vectorize)}


def _from_front(context, builder, idxty, idx, size):
    """Index as C does, without counting negative numbers from the end; constants may be negative.

    Testing the sign of every index slows the packet engine considerably. A subsequent bounds check
    detects negative indices.
    """
    if isinstance(idx, ir.Constant):
        return _either_end(context, builder, idxty, idx, size)
    return context.cast(builder, idx, idxty, types.intp if idxty.signed else types.uintp)


_LEVELS = _generator()


@contextmanager
def _changed(owner: Any, **values: Any) -> Iterator[None]:
    """Set existing attributes and restore them."""
    before = {name: getattr(owner, name) for name in values if hasattr(owner, name)}
    try:
        for name in before:
            setattr(owner, name, values[name])
        yield
    finally:
        for name, value in before.items():
            setattr(owner, name, value)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Disable the garbage collector and restore its state."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def _front_end() -> Iterator[None]:
    """Let Numba do what it repeats only once."""
    with _changed(FUNCTIONS, **INFERENCE), _changed(COLORS, **PLAIN), _changed(INLINER, **INLINING):
        yield


@contextmanager
def _compiling(settings: dict[str, Any], index: Callable | None) -> Iterator[None]:
    """Hold Numba's lock with the settings of a kernel; other compilations wait and see their own settings.

    The garbage collector would take a seventh of the compile time, since all that a compilation creates stays until its end.
    """
    with _lock, _uncollected():
        _reload()
        indexing = _changed(_arrays, fix_integer_index=index or _either_end)
        with _changed(config, **settings), indexing, _front_end():
            yield


def load() -> None:
    """Load all that Numba needs for any kernel, which takes a fifth of a second; processes that are forked later share it."""
    if COMPILES:
        # Without this method each of them loads it with its first kernel.
        with _lock, suppress(AttributeError):
            _target.typing_context.refresh()
            _target.target_context.refresh()


CACHE_FOLDER = cache.folder(config.OPT) if COMPILES else ""
"""Cache folder of kernels; empty if there is none."""

_WIDE = {numba.int8: numba.int64, numba.int16: numba.int64, numba.int32: numba.int64}
"""Integers are passed as int64; otherwise a kernel would be compiled for every width used by callers."""


def _decorator(*, level: int = 3, vectorize: bool = False, front: bool = False, **options: Any) -> Callable[[Callable], Callable]:
    """Return a decorator for kernels; with `front` they index arrays from the front only.

    Vectorization slows down random gathers, which dominate in nearly all kernels.
    """
    settings = _settings(level, vectorize)
    index = _from_front if _arrays and (front or CHECKED) else None
    options |= {"nogil": True, "error_model": "numpy", "boundscheck": CHECKED}
    folder = hashlib.sha256(repr((settings, options, index is not None)).encode()).hexdigest()[:16]

    def decorate(function: Callable) -> Callable:
        if not COMPILES:
            return function
        cached = bool(CACHE_FOLDER) and os.path.exists(function.__code__.co_filename)
        # The folder is read once, when the kernel is created.
        with _lock, _changed(config, CACHE_DIR=os.path.join(CACHE_FOLDER, folder), CACHE_LOCATOR_CLASSES=cache.LOCATOR):
            kernel = create(function, partial(cache.alone, CACHE_FOLDER, function), cache=cached, **ENTRY)
        split(kernel, partial(create, function, nullcontext))
        return kernel

    def create(function: Callable, alone: Callable, **more: Any) -> Callable:
        kernel = numba.njit(**more, **options)(function)
        plain = kernel.compile

        def compile_under(signature):
            if isinstance(signature, tuple):
                signature = tuple(_WIDE.get(kind, types.unliteral(kind)) for kind in signature)
            with alone(), _compiling(settings, index):
                return plain(signature)

        kernel.compile = compile_under
        return kernel

    return decorate


compiled = _decorator()
"""Decorator for kernels."""

bare = _decorator(front=True, **_known(_nrt=False))
"""Decorator for kernels that create no arrays: several times faster without reference counts on records of arrays.

Such kernels index arrays from the front only, see `_from_front`.
"""

inlined = _decorator(level=1, front=True, **_known(_nrt=False, forceinline=True))
"""As `bare`, always inlined: passing a record of arrays costs more than the call.

Callers optimize it again; optimizing it here as well would take a quarter of the compile time.
"""

merged = _decorator(level=1, front=True, inline="always", **_known(_nrt=False))
"""As `inlined`, for kernels with few callers: compiled only as part of them, not separately.

With many of them the code of a caller gets slightly slower and takes longer to compile.
"""

vectorized = _decorator(vectorize=True, front=True, **_known(_nrt=False))
"""As `bare`, for a kernel with a single loop over contiguous rows, which vectorization makes three times faster."""

summed = _decorator(vectorize=True, front=True, fastmath={"reassoc", "nsz"}, **_known(_nrt=False))
"""As `vectorized`, for a loop that adds floating-point numbers: their order may change."""


def specialized(function: Callable, name: str, **values: Any) -> Callable:
    """Return a copy of a function, to be compiled, in which some global names have other values.

    Numba does not find the code of a closure, or of a kernel that takes a kernel as argument, in its cache again.
    """
    copy = FunctionType(function.__code__, function.__globals__ | values, name)
    copy.__module__, copy.__qualname__, copy.__doc__ = function.__module__, name, function.__doc__
    return copy


def compile_for(kernel: Callable, *arguments: Any) -> None:
    """Compile a kernel for exactly one signature, so that all callers share one cache entry.

    Parameters
    ----------
    arguments
        Per parameter its Numba type, or a value of the type.
    """
    if not COMPILES or kernel.signatures:
        return
    kernel.compile(tuple(map(_type_of, arguments)))
    kernel.disable_compile()


def _type_of(argument: Any) -> types.Type:
    return argument if isinstance(argument, types.Type) else numba.typeof(argument)
