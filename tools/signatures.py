"""Renew the list of kernels that commands use, with their signatures: python tools/signatures.py

Signatures are those that were compiled into the cache: run commands or tests that call a new kernel first. Kernels that only
kernels or tests call are left out.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import planner
from planner.core import registry
from planner.kernels import __all__ as public
from planner.kernels import _signatures as signatures
from planner.kernels._numba import COMPILED, ENTRIES, load

PACKAGE = Path(planner.__file__).parent
ROOMS = ("network", "hall", "design", "simulation", "studies")
"""Rooms that call kernels."""

DECORATORS = {*public, "routing_function", "traffic_function"}


def called() -> set[str]:
    """Return the names of the kernels that Python code of the package calls, or loops by address."""
    used = [load.__globals__["_nothing"]]
    for kind in ("routing", "traffic"):
        found = [registry.load(kind, name) for name in registry.names(kind)]
        used += [value for module in found for value in vars(module).values() if hasattr(value, "address")]
    for room in ROOMS:
        for path in sorted((PACKAGE / room).rglob("*.py")):
            name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
            used += _used(ast.parse(path.read_text(encoding="utf-8")), dict(vars(import_module(name))))
    return {name for name, kernel in ENTRIES.items() if any(kernel is each for each in used)}


def _used(tree: ast.AST, names: dict[str, Any]) -> Iterator[Any]:
    """Yield what names and attributes in code stand for, without that of kernels."""
    for node in ast.iter_child_nodes(tree):
        if (
            isinstance(node, ast.FunctionDef)
            and {each.id for each in node.decorator_list if isinstance(each, ast.Name)} & DECORATORS
        ):
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("planner."):
            names |= {each.asname or each.name: _imported(node.module, each.name) for each in node.names}
        elif isinstance(node, ast.Name):
            yield names.get(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield getattr(names.get(node.value.id), node.attr, None)
        yield from _used(node, names)


def _imported(module: str, name: str) -> Any:
    """Return an attribute of a module, or a module of a package."""
    found = getattr(import_module(module), name, None)
    return import_module(f"{module}.{name}") if found is None and find_spec(f"{module}.{name}") else found


def main() -> None:
    """Write the list."""
    used = called()
    kernels = {json.dumps(kernel[:2]): kernel for path in (COMPILED, signatures.LIST) for kernel in signatures.read(Path(path))}
    lines = [json.dumps(kernels[key]) for key in sorted(kernels) if kernels[key].name in used]
    signatures.LIST.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
