"""Who may import whom: the table of the architecture, and nothing else."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from shared.syntax import nodes, statements

import planner

ROOT = Path(planner.__file__).parent

BELOW_STUDIES = {
    "core",
    "domain",
    "kernels",
    "network",
    "hall",
    "design",
    "simulation",
    "check",
    "view",
    "paper",
    "formats",
    "fabric",
}

MAY_IMPORT = {
    "core": set[str](),
    "domain": {"core"},
    "kernels": {"core"},
    "network": {"core", "domain", "kernels"},
    "hall": {"core", "domain", "kernels"},
    "design": {"core", "domain", "kernels", "network", "hall"},
    "simulation": {"core", "domain", "kernels", "network", "hall"},
    # The verifier shares nothing with what it verifies.
    "check": {"core", "domain"},
    "view": {"core", "domain", "kernels", "network", "hall", "design", "simulation"},
    "paper": {"core", "domain", "hall", "view"},
    "formats": {"core", "domain", "hall", "design", "simulation", "view", "paper"},
    "fabric": {"core", "domain", "hall", "view", "paper", "formats"},
    "studies": BELOW_STUDIES,
    "install": BELOW_STUDIES | {"studies"},
    "commands": BELOW_STUDIES | {"studies", "install"},
}
"""The rooms from the ground up: each imports only rooms above it in this table."""


def imports(path: Path) -> set[str]:
    """Names of the rooms of this package that a file imports, wherever in the file."""
    found = set()
    for node in statements(path):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "planner":
            names = [f"planner.{alias.name}" for alias in node.names if alias.name != "__version__"]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("planner.")}
    return found


@pytest.mark.slow
def test_every_import_runs_downwards():
    wrong = []
    for path in sorted(ROOT.rglob("*.py")):
        if path.parent == ROOT:
            continue
        room = path.relative_to(ROOT).parts[0]
        wrong += [f"{path.relative_to(ROOT)} imports {name}" for name in sorted(imports(path) - MAY_IMPORT[room] - {room})]
    assert not wrong


def test_rooms_import_only_rooms_below_them():
    rooms = list(MAY_IMPORT)
    assert {path.name for path in ROOT.iterdir() if path.is_dir() and path.name != "__pycache__"} == {*rooms}
    for place, room in enumerate(rooms):
        assert MAY_IMPORT[room] <= {*rooms[:place]}, room


def test_private_files_are_those_of_their_folder():
    """Whatever others import is public: a file with an underscore serves the files next to it, and packages below."""
    wrong = []
    for path in sorted(ROOT.rglob("*.py")):
        for node in nodes(path):
            if not isinstance(node, ast.ImportFrom) or node.module is None:
                continue
            for name in (f"{node.module}.{alias.name}" for alias in node.names):
                folder, _, rest = name.partition("._")
                file = f"_{rest.partition('.')[0]}"
                private = ROOT.parent / folder.replace(".", "/") / file
                is_file = rest != "" and (private.is_dir() or private.with_suffix(".py").exists())
                if is_file and not path.is_relative_to(private.parent):
                    wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert not wrong


def test_listing_imports_nothing_heavy():
    for room in ("commands/console/cli", "core/registry", "core/errors", "__init__"):
        tree = ast.parse((ROOT / f"{room}.py").read_text(encoding="utf-8"))
        top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        names = {(getattr(node, "module", None) or node.names[0].name).split(".")[0] for node in top}
        assert not names & {"numpy", "numba", "scipy", "pydantic", "rich", "shapely", "reportlab"}, room


TESTS = Path(__file__).parent

STILL_PRIVATE = {"_runs", "_edges", "_broken", "_ROWS", "_STYLES", "_local_constants", "_get_local_constants"}
"""Names in fonts, tables and plots: a cache to clear, a limit, and what no file shows; and what Hypothesis reads from code."""


def is_public(name: str) -> bool:
    """Whether others than its own folder may use a dotted name: nothing in it starts with an underscore."""
    _, _, rest = name.partition("._")
    return not rest or rest.endswith("__")


def names_used(path: Path) -> Iterator[str]:
    """Yield dotted names of this package that a file of tests imports, and names of attributes that it uses or replaces."""
    for node in nodes(path):
        match node:
            case ast.ImportFrom(module=str(module)) if module.split(".")[0] == "planner":
                yield from (f"{module}.{alias.name}" for alias in node.names)
            case ast.Call(func=ast.Attribute(attr="setattr")):
                words = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
                yield from (word if "." in word else f".{word}" for word in words if word not in STILL_PRIVATE)
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                continue
            case ast.Attribute(attr=attr) if attr not in {"_replace", *STILL_PRIVATE}:
                yield f".{attr}"


@pytest.mark.slow
def test_tests_use_public_names():
    """Kernels apart, whose twins are compared part by part."""
    wrong = []
    for path in sorted(TESTS.rglob("*.py")):
        if path.relative_to(TESTS).parts[0] != "kernels":
            wrong += [f"{path.relative_to(TESTS)}: {name}" for name in names_used(path) if not is_public(name)]
    assert not wrong
