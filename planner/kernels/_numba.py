"""The interface to Numba: compilation and caching of kernels.

Settings are per kernel and applied while Numba's compiler lock is held, so that neither the environment nor the
order of imports changes the code of a kernel, and functions of other packages keep their settings. Only the processor is the
same for all of a process: the baseline of `planner.kernels._cache.processor`, or, where another package has created a function
before, the machine's own, with cache entries of its own.

``PLANNER_KERNELS=checked`` in the environment selects a build that raises IndexError for every index beyond the end of an
axis and for every computed index below 0; it has a separate cache and is several times slower.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from types import FunctionType
from typing import Any

import numba
from llvmlite import ir
from numba import config, from_dtype, types
from numba.core import event
from numba.extending import intrinsic, overload

from planner.core.errors import InputError, Problem
from planner.kernels import _cache as cache
from planner.kernels import _internals as internals
from planner.kernels import _signatures as signatures

__all__ = [
    "CACHE_FOLDER",
    "COMPILED",
    "COMPILES",
    "ENTRIES",
    "always_inlined",
    "compile_for",
    "compiled",
    "copied_into_callers",
    "from_dtype",
    "intrinsic",
    "ir",
    "load",
    "overload",
    "specialized",
    "types",
    "uncounted",
    "vectorized",
    "vectorized_sum",
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

_SETTINGS = {"SLP_VECTORIZE": 0, "BOUNDSCHECK": None, "DEBUGINFO_DEFAULT": 0} | cache.processor()
"""Numba settings of all kernels."""

CACHE_FOLDER = cache.folder() if COMPILES else ""
"""Cache folder of kernels; empty if there is none."""

COMPILED = os.path.join(CACHE_FOLDER, f"{_build()}.jsonl")
"""File that lists what has been compiled into the cache: kernels as in the list of those that commands use."""

ENTRIES: dict[str, Any] = {}
"""All kernels of this process by module and name."""

_WIDE = {numba.int8: numba.int64, numba.int16: numba.int64, numba.int32: numba.int64}
"""Integers are passed as int64; otherwise a kernel would be compiled for every width used by callers."""

_log = logging.getLogger("planner.kernels")
"""Messages about kernels that are compiled because they are not in the cache."""


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
def _under(settings: dict[str, Any], front: bool = False) -> Iterator[None]:
    """Hold Numba's lock with settings of a kernel; other compilations wait and see their own settings."""
    with internals.lock:
        # Numba reads changed environment variables when it starts to compile; trigger that before applying our settings.
        internals.reload_config()
        indexing = _changed(internals.arrays, fix_integer_index=internals.from_front) if front else nullcontext()
        with _changed(config, **settings), indexing:
            yield


def _decorator(*, vectorize: bool = False, front: bool = False, **options: Any) -> Callable[[Callable], Callable]:
    """Return a decorator for kernels; with `front` they index arrays from the front only.

    Vectorization slows down random gathers, which dominate in nearly all kernels.
    """
    settings = _SETTINGS | {"LOOP_VECTORIZE": int(vectorize)}
    front = bool(internals.arrays) and (front or CHECKED)
    options |= {"nogil": True, "error_model": "numpy", "boundscheck": CHECKED}
    name = hashlib.sha256(repr((sorted(settings.items()), sorted(map(repr, options.items())), front)).encode()).hexdigest()[:16]
    # The folder is read once, when the kernel is created, as is the processor.
    created = settings | {"CACHE_DIR": os.path.join(CACHE_FOLDER, name), "CACHE_LOCATOR_CLASSES": internals.LOCATOR}

    def decorate(function: Callable) -> Callable:
        if not COMPILES:
            return function
        cached = bool(CACHE_FOLDER) and os.path.exists(function.__code__.co_filename)
        with _under(created):
            kernel = create(function, partial(cache.alone, CACHE_FOLDER, function), cache=cached, **internals.ENTRY)
        internals.link_callees(kernel, partial(create, function, nullcontext))
        ENTRIES[f"{function.__module__}.{function.__qualname__}"] = kernel
        return kernel

    def create(function: Callable, alone: Callable, **more: Any) -> Callable:
        kernel = numba.njit(**more, **options)(function)
        plain = kernel.compile

        def compile_under(signature):
            if isinstance(signature, tuple):
                signature = tuple(_WIDE.get(kind, types.unliteral(kind)) for kind in signature)
            with alone(), _under(settings, front):
                return plain(signature)

        kernel.compile = compile_under
        return kernel

    return decorate


compiled = _decorator()
"""Decorator for kernels that create arrays."""

uncounted = _decorator(front=True, **internals.UNCOUNTED)
"""As `compiled`, without counting references to arrays: several times faster on records of arrays. It creates no arrays.

Such kernels index arrays from the front only, see `planner.kernels._internals.from_front`.
"""

always_inlined = _decorator(front=True, **internals.UNCOUNTED, **internals.INLINED)
"""As `uncounted`, its machine code always inlined: passing a record of arrays costs more than the call."""

copied_into_callers = _decorator(front=True, inline="always", **internals.UNCOUNTED)
"""As `always_inlined`, for kernels with few callers: their code is copied into callers before types are inferred.

With many of them the code of a caller gets slightly slower and takes longer to compile.
"""

vectorized = _decorator(vectorize=True, front=True, **internals.UNCOUNTED)
"""As `uncounted`, for a kernel with a single loop over contiguous rows, which vectorization makes three times faster."""

vectorized_sum = _decorator(vectorize=True, front=True, fastmath={"reassoc", "nsz"}, **internals.UNCOUNTED)
"""As `vectorized`, for a loop that adds floating-point numbers: their order may change."""


@compiled
def _nothing():
    return 0


class _Compilations(event.Listener):
    """Reports and lists kernels that are compiled; Numba also reports their callees, and functions of other packages."""

    def on_start(self, event: event.Event) -> None:
        """Report that a kernel is compiled."""
        if name := _name_of_entry(event):
            _log.info("compiling kernel %s", name)
            self._began = time.process_time()

    def on_end(self, event: event.Event) -> None:
        """List a kernel that was compiled."""
        name, arguments = _name_of_entry(event), event.data["args"]
        if CACHE_FOLDER and name and arguments in ENTRIES[name].signatures:
            line = json.dumps([name, signatures.texts(arguments), round(time.process_time() - self._began, 2)])
            # A full disk is no reason to fail.
            with suppress(OSError), open(COMPILED, "a", encoding="utf-8") as file:
                file.write(f"{line}\n")


def _name_of_entry(event: event.Event) -> str:
    function = event.data["dispatcher"].py_func
    name = f"{function.__module__}.{function.__qualname__}"
    return name if ENTRIES.get(name) is event.data["dispatcher"] else ""


if COMPILES:
    event.register("numba:compile", _Compilations())


def load() -> None:
    """Load all that Numba needs for any kernel, which takes a fifth of a second; processes that are forked later share it."""
    _nothing()


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
