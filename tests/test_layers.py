"""Who may import whom: the table of the architecture, and nothing else."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from shared.syntax import nodes, statements

import planner

ROOT = Path(planner.__file__).parent

GROUND = {
    "cores",
    "errors",
    "parts",
    "record",
    "model",
    "registry",
    "quantities",
    "progress",
    "seeds",
    "reading",
    "shipped",
    "pricelist",
    "storage",
    "cp_sat",
    "names",
    "spreadsheet",
    "section",
    "checking",
    "stage",
    "units",
    "growing",
    "archives",
    "delimited",
    "children",
    "scratch",
    "sheets",
}
KERNELS = GROUND | {"kernels"}
SCENE = GROUND | {"scene"}
STAGES = {path.parent.name for path in ROOT.glob("*/_stage.py")}
"""Folders of stages: those that declare one."""

MAY_IMPORT = {
    **{name: GROUND for name in GROUND},
    "kernels": KERNELS,
    "scene": SCENE,
    **{name: KERNELS | {name, "floor"} for name in STAGES},
    "attachment": GROUND | {"attachment"},
    "inventory": GROUND | {"inventory", "attachment"},
    "floor": KERNELS | {"floor", "scene"},
    # A kept plan is read as others read plans; its network grows.
    "keep": KERNELS | {"keep", "floor", "planned", "growth"},
    "reserve": GROUND | {"reserve", "planned"},
    "placement": KERNELS | {"placement", "floor", "metrics", "qap"},
    "qap": KERNELS | {"qap"},
    "failures": KERNELS | {"failures", "metrics"},
    "growth": KERNELS | {"growth", "metrics", "topology"},
    "simulation": KERNELS | {"simulation", "floor", "metrics"},
    # The verifier shares nothing with what it verifies.
    "check": {"check", "model", "parts", "errors", "record"},
    # A declaration joins a stage to the others; only `stages` imports it, by name, and other declarations.
    "_stage": KERNELS | STAGES,
    # Forwarding tables of `ibsim` are those of the simulated routings.
    "report": SCENE | {"report", "simulation"},
    "workbook": GROUND | {"report", "workbook"},
    "stages": GROUND,
    "study": GROUND | {"stages"},
    "provenance": GROUND | {"study"},
    "acceptance": GROUND | {"stages", "study", "cabling", "report"},
    "folder": GROUND | {"provenance", "stages"},
    # Stages and reports run side by side on forked processes.
    "execution": KERNELS | {"study", "provenance", "folder", "executors"},
    "flow": GROUND | {"study", "provenance", "stages", "acceptance", "folder", "report", "executors", "execution"},
    "executors": GROUND | {"executors"},
    "verification": GROUND | STAGES | {"study", "stages", "flow", "provenance", "verification"},
    "sweep": GROUND | {"study", "provenance", "stages", "flow", "executors", "sweep"},
    "plotting": SCENE,
    "plot": GROUND | {"sweep", "plotting"},
    "explore": KERNELS | STAGES | {"explore", "growth", "plotting"},
    # The flow-level model decides what is simulated.
    "compare": GROUND
    | {"simulation"}
    | {"kernels", "metrics", "topology", "catalog", "study", "provenance", "flow", "executors"}
    | {"sweep", "explore", "growth", "growing", "staged", "diff", "report", "compare", "scene"},
    "planned": GROUND | {"report", "workbook", "flow", "provenance"},
    "verify": GROUND | {"report", "workbook", "planned", "catalog", "verify"},
    "accept": GROUND | {"report", "workbook", "planned", "catalog", "verify", "accept"},
    "diff": SCENE | {"report", "planned", "diff"},
    "planning": KERNELS | STAGES | {"study", "stages", "folder", "flow", "planned", "diff", "provenance", "report", "planning"},
    "staged": SCENE
    | {
        "study",
        "stages",
        "flow",
        "provenance",
        "growth",
        "placement",
        "floor",
        "topology",
        "planned",
        "report",
        "diff",
        "simulation",
        "staged",
    },
    "site": GROUND | {"report", "planned", "verify", "workbook", "site"},
    # A thin door: what it does is a function of another package.
    "serve": SCENE | {"report", "planned", "verify", "accept", "site", "planning", "simulation", "serve"},
    "bars": GROUND,
    "terminal": GROUND | {"terminal"},
    # Plans a small study for the kernels that this compiles.
    "ahead": GROUND | {"kernels", "executors", "flow", "study", "simulation"},
    "commands": KERNELS
    | STAGES
    | {"ahead", "qap", "study", "folder", "flow", "provenance", "report", "executors", "sweep", "plot", "explore", "compare"}
    | {
        "growth",
        "planned",
        "verify",
        "accept",
        "diff",
        "staged",
        "site",
        "serve",
        "verification",
        "bars",
        "terminal",
        "commands",
    },
    # Sets the threads of each process before anything heavy is imported.
    "cli": GROUND | {"commands", "executors"},
    "__init__": GROUND | {"flow", "study"},
}


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
        room = "_stage" if path.name == "_stage.py" else path.relative_to(ROOT).parts[0].removesuffix(".py")
        allowed = MAY_IMPORT.get(room)
        assert allowed is not None, f"{room} is missing from the table above"
        wrong += [f"{path.relative_to(ROOT)} imports {name}" for name in sorted(imports(path) - allowed)]
    assert not wrong


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
                if is_file and file != "_stage" and not path.is_relative_to(private.parent):
                    wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert not wrong


def test_only_declarations_import_declarations():
    """`planner.stages` finds them by file name."""
    users = {path for path in ROOT.rglob("*.py") if "._stage import" in path.read_text(encoding="utf-8")}
    assert {path.name for path in users} == {"_stage.py"}


def test_listing_imports_nothing_heavy():
    for room in ("cli", "registry", "errors", "__init__"):
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
