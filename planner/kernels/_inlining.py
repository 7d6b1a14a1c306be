"""Copies of functions that Numba inlines.

Numba copies an inlined function twice, block by block, and with each block every variable of the function and every
place in the source. These are never changed: here a copy shares them.
"""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

try:
    from numba.core import inline_closurecall as inliner
    from numba.core.ir import Block, Loc, Scope
except ImportError:
    inliner = None

_SCOPE = {"parent", "localvars", "loc", "redefined", "var_redefinitions"}
"""Attributes of Numba's scopes that `_separate` knows."""


def _separate(scope: Any) -> Any:
    """Return a scope of the same variables to which others can be added."""
    separate = copy.copy(scope)
    for name in _SCOPE - {"parent", "loc"}:
        setattr(separate, name, copy.copy(getattr(scope, name)))
    separate.localvars._con = dict(scope.localvars._con)
    for name, versions in separate.var_redefinitions.items():
        separate.var_redefinitions[name] = set(versions)
    return separate


def deepcopy(found: Any, memo: dict[int, Any] | None = None) -> Any:
    """Copy a block of Numba's intermediate code without its variables and places; anything else as Python does."""
    if memo is not None or not isinstance(found, Block):
        return copy.deepcopy(found, memo)
    shared = {id(found.scope): _separate(found.scope)}
    for statement in found.body:
        for part in (statement, getattr(statement, "value", None)):
            place = getattr(part, "loc", None)
            if isinstance(place, Loc):
                shared[id(place)] = place
    return copy.deepcopy(found, shared)


def _is_known() -> bool:
    """Return whether this version of Numba has the names and attributes in use."""
    if not hasattr(inliner, "copy"):
        return False
    scope = Scope(None, Loc("", 0))
    return set(vars(scope)) == _SCOPE and set(vars(scope.localvars)) == {"_con"}


INLINER = inliner
"""Numba's module that inlines."""

INLINING = {"copy": SimpleNamespace(**vars(copy) | {"deepcopy": deepcopy})} if _is_known() else {}
"""Attributes of `INLINER` while a kernel is compiled."""
