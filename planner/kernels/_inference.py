"""Type inference of operators and built-in functions, remembered: it takes a quarter of the time to compile a kernel.

Numba infers ``a + b`` of two integers wherever it occurs, by trying some thirty declarations, most of which fail with an
error message that nobody reads. The result follows from the function, its declarations, the types and the options.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

try:
    from numba.core.errors import HighlightColorScheme
except ImportError:
    HighlightColorScheme = None
try:
    from numba.core.targetconfig import ConfigStack
    from numba.core.types.functions import BaseFunction
except ImportError:
    ConfigStack = BaseFunction = None


def remembered(infer: Callable[..., Any]) -> Callable[..., Any]:
    """Return Numba's `BaseFunction.get_call_type` with a memory of the calls that it resolved."""
    known: dict[Any, list[tuple[Any, Any, Any]]] = {}

    def get_call_type(function, context, args, kws):
        # Options cannot be hashed, and few differ.
        options = getattr(ConfigStack.top_or_none(), "_values", None)
        if options is None or not hasattr(function, "_impl_keys"):
            return infer(function, context, args, kws)
        entries = known.setdefault((function, function.templates, context, args, tuple(kws.items())), [])
        entry = next((entry for entry in entries if entry[2] == options), None)
        if entry is None:
            signature = infer(function, context, args, kws)
            entry = signature, function._impl_keys[signature.args], dict(options)
            entries.append(entry)
        signature, implementation, _ = entry
        # Lowering finds the implementation by the signature.
        function._impl_keys[signature.args] = implementation
        return signature

    return get_call_type


FUNCTIONS = BaseFunction
"""Numba's type of operators and built-in functions, None if this version has none of that name."""

INFERENCE = {} if BaseFunction is None else {"get_call_type": remembered(BaseFunction.get_call_type)}
"""Attributes of `FUNCTIONS` while a kernel is compiled."""

COLORS = HighlightColorScheme
"""Numba's colors of error messages, None if it has none."""

PLAIN = {"_markup": lambda scheme, message, color=None, style=None: message}
"""Attributes of `COLORS` while a kernel is compiled: to color messages that nobody reads takes a fiftieth of the time."""
