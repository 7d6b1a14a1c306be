"""How kernels that call kernels are compiled: the code of a callee is kept as written and optimized within each caller.

Numba optimizes each function with everything it calls, translates it to machine code, and adds the wrappers by which Python and C
call it: a function five calls below a kernel is optimized six times and translated as often. Here only a kernel that Python calls
(an entry) is optimized and translated. What it calls, directly or not (its callees), is code without optimization that it links.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import config
from numba.core.compiler import Compiler

try:
    from numba.core.codegen import JITCodeLibrary
except ImportError:
    JITCodeLibrary = None


class _Library(JITCodeLibrary or object):
    """Code of an entry, linked with its callees."""

    def add_linking_library(self, library):
        """Link a library and, if it is that of a callee, all that it links.

        The linker omits functions that nothing has called so far: callers precede callees.
        """
        for part in (library, *(library.parts() if isinstance(library, _Parts) else ())):
            if part not in self._linking_libraries:
                super().add_linking_library(part)


class _Parts(_Library):
    """Code of a callee, which its callers link."""

    def parts(self) -> list[Any]:
        """Return the libraries that callers link in addition."""
        return self._linking_libraries

    def finalize(self):
        """Keep the code as it is; callers do not vectorize, so that a loop to be vectorized is optimized here."""
        if config.LOOP_VECTORIZE:
            self._optimize_final_module()
        self._finalized = True


class _Entry(Compiler):
    """Compiles an entry; kernels that take it as an argument call it as C does, and know the type that it returns."""

    def __init__(self, typing, target, library, arguments, returned, flags, *rest):
        flags.no_cfunc_wrapper = returned is None
        library = _Library(target.codegen(), "entry")
        library.enable_object_caching()
        super().__init__(typing, target, library, arguments, returned, flags, *rest)


class _Callee(Compiler):
    """Compiles a callee: no wrappers, no machine code."""

    def __init__(self, typing, target, library, arguments, returned, flags, *rest):
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        super().__init__(typing, target, _Parts(target.codegen(), "callee"), arguments, returned, flags, *rest)


ENTRY = {"pipeline_class": _Entry} if JITCodeLibrary else {}
"""Options of the dispatcher of an entry."""


def split(kernel: Any, create: Callable[..., Any]) -> None:
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
