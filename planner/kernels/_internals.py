"""The private names of Numba in use, all of them: what each gains, and what happens where a version of Numba lacks it.

| name | gains | without it |
|---|---|---|
| option ``_nrt=False`` | no counting of references to arrays: placement, failures and latency 4.5 times as fast | counts |
| option ``forceinline`` | no call for a record of dozens of arrays: the packet engine 1.8 times as fast | calls |
| ``fix_integer_index`` | no test of the sign of an index: the packet engine 15 to 22 % less CPU time | tests |
| ``CPUTargetOptions`` | shows whether the two options exist | neither |
| ``JITCodeLibrary`` | a callee is optimized once: a third less CPU time to compile all kernels | optimizes it in every caller |
| ``global_compiler_lock`` | other packages do not compile under the settings of a kernel | a lock of this package |
| ``reload_config`` | a changed environment does not undo the settings of a kernel | settings of the first kernel undone |
| ``UserProvidedCacheLocator`` | a cache that copies of the package share | a cache for each copy |

Kernels get slower without them, never wrong. What `planner.kernels._numba` imports is in Numba's manual, `numba.core.event` too.
"""

from __future__ import annotations

import hashlib
import inspect
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from llvmlite import ir
from numba import config, types

PACKAGE = Path(__file__).resolve().parents[1]


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


lock = _private("numba.core.compiler_lock", "global_compiler_lock")[1] or threading.RLock()
reload_config = _private("numba.core.config", "reload_config")[1] or (lambda: None)
arrays, _either_end = _private("numba.np.arrayobj", "fix_integer_index", ("context", "builder", "idxty", "idx", "size"))
_Compiler = _private("numba.core.compiler", "Compiler")[1]
_Library = _private("numba.core.codegen", "JITCodeLibrary")[1] if _Compiler else None
_options = _private("numba.core.cpu", "CPUTargetOptions")[1]
_Locator = _private("numba.core.caching", "UserProvidedCacheLocator")[1]


UNCOUNTED = {"_nrt": False} if hasattr(_options, "_nrt") else {}
"""Options of a kernel that counts no references."""

INLINED = {"forceinline": True} if hasattr(_options, "forceinline") else {}
"""Options of a kernel whose machine code is always inlined."""


def from_front(context: Any, builder: Any, idxty: Any, idx: Any, size: Any) -> Any:
    """Index as C does, without counting negative numbers from the end; constants may be negative.

    A subsequent bounds check detects negative indices.
    """
    if isinstance(idx, ir.Constant):
        return _either_end(context, builder, idxty, idx, size)
    return context.cast(builder, idx, idxty, types.intp if idxty.signed else types.uintp)


class Locator(_Locator or object):
    """Finds the cache of a kernel by its place in the package, so that all copies of the same sources share it."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the folder of a file below the cache folder."""
        path = Path(py_file).resolve()
        if path.is_relative_to(PACKAGE):
            return ".".join(("planner", *path.relative_to(PACKAGE).parent.parts))
        return super().get_suitable_cache_subpath(py_file)

    def get_source_stamp(self):
        """Return a hash of the source: an installation changes the times of files."""
        return hashlib.sha256(Path(self._py_file).read_bytes()).hexdigest()


LOCATOR = f"{__name__}.Locator" if _Locator else ""


# Numba optimizes each function with everything it calls, translates it to machine code, and adds the wrappers by which Python
# and C call it: a function five calls below a kernel is optimized six times and translated as often. Here only a kernel that
# Python calls (an entry) is optimized and translated. What it calls, directly or not (its callees), is code without optimization
# that it links.


class _EntryLibrary(_Library or object):
    """Code of an entry, linked with its callees."""

    def add_linking_library(self, library):
        """Link a library and, if it is that of a callee, all that it links.

        The linker omits functions that nothing has called so far: callers precede callees.
        """
        for part in (library, *(library.parts() if isinstance(library, _CalleeLibrary) else ())):
            if part not in self._linking_libraries:
                super().add_linking_library(part)


class _CalleeLibrary(_EntryLibrary):
    """Code of a callee, which its callers link."""

    def parts(self) -> list[Any]:
        """Return the libraries that callers link in addition."""
        return self._linking_libraries

    def finalize(self):
        """Keep the code as it is; callers do not vectorize, so that a loop to be vectorized is optimized here."""
        if config.LOOP_VECTORIZE:
            self._optimize_final_module()
        self._finalized = True


class _Entry(_Compiler or object):
    """Compiles an entry; kernels that take it as an argument call it as C does, and know the type that it returns."""

    def __init__(self, typing, target, library, arguments, returned, flags, *rest):
        flags.no_cfunc_wrapper = returned is None
        library = _EntryLibrary(target.codegen(), "entry")
        library.enable_object_caching()
        super().__init__(typing, target, library, arguments, returned, flags, *rest)


class _Callee(_Compiler or object):
    """Compiles a callee: no wrappers, no machine code."""

    def __init__(self, typing, target, library, arguments, returned, flags, *rest):
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        super().__init__(typing, target, _CalleeLibrary(target.codegen(), "callee"), arguments, returned, flags, *rest)


ENTRY = {"pipeline_class": _Entry} if _Library else {}
"""Options of the dispatcher of an entry."""


def link_callees(kernel: Any, create: Callable[..., Any]) -> None:
    """Let kernels that call `kernel` link it as a callee, which is created when it is first called so.

    Parameters
    ----------
    kernel
        Dispatcher, created with the options `ENTRY`.
    create
        Returns another dispatcher of the same function and settings with the given options.
    """
    if not ENTRY:
        return
    callees, places = [], {}

    def add(compiled):
        arguments = tuple(compiled.signature.args)
        # Under the settings of the callee; a caller has others.
        compiled.library.finalize()
        callees[0].overloads[arguments] = compiled
        # Numba knows a compiled function by an object of its own.
        places[arguments] = object()
        callees[0].targetctx.insert_user_function(places[arguments], compiled.fndesc, [compiled.library])

    def template(arguments, keywords):
        if not callees:
            callees.append(create(pipeline_class=_Callee))
            callees[0].add_overload = add
        return callees[0].get_call_template(arguments, keywords)

    kernel.get_call_template = template
    kernel.get_overload = lambda arguments: places[tuple(arguments)]
