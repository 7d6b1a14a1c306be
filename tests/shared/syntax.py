"""Syntax of source files: quicker than `ast.walk`, since tests go through all of them."""

import ast
from collections.abc import Iterator
from pathlib import Path


def nodes(path: Path) -> Iterator[ast.AST]:
    """Yield every node of a source file, in no particular order."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        yield node
        for value in vars(node).values():
            if value.__class__ is list:
                waiting += [each for each in value if isinstance(each, ast.AST)]
            elif isinstance(value, ast.AST):
                waiting.append(value)


def statements(path: Path) -> Iterator[ast.AST]:
    """Yield every statement of a source file; they are in bodies, and in what has bodies."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        yield node
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            if (value := getattr(node, name, None)).__class__ is list:
                waiting += value
