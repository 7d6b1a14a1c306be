"""Who may import whom: the table of the architecture, and nothing else."""

import ast
from pathlib import Path

import planner

ROOT = Path(planner.__file__).parent

GROUND = {
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
    "stage",
}
KERNELS = GROUND | {"kernels"}
STAGES = {path.parent.name for path in ROOT.glob("*/_stage.py")}
"""Folders of stages: those that declare one."""

MAY_IMPORT = {
    **{name: GROUND for name in GROUND},
    "kernels": KERNELS,
    **{name: KERNELS | {name, "floor"} for name in STAGES},
    "placement": KERNELS | {"placement", "floor", "metrics", "qap"},
    "qap": KERNELS | {"qap"},
    "failures": KERNELS | {"failures", "metrics"},
    "simulation": KERNELS | {"simulation", "floor", "metrics"},
    # The verifier shares nothing with what it verifies.
    "check": {"check", "model", "parts", "errors", "record"},
    # A declaration joins a stage to the others; nothing but `stages` imports it, by name, and other declarations.
    "_stage": KERNELS | STAGES,
    "report": GROUND | {"report"},
    "workbook": GROUND | {"report", "workbook"},
    "stages": GROUND,
    "study": GROUND | {"stages"},
    "provenance": GROUND | {"study"},
    "acceptance": GROUND | {"stages", "study", "cabling", "report"},
    "folder": GROUND | {"provenance", "stages"},
    "flow": GROUND | {"study", "provenance", "stages", "acceptance", "folder", "report"},
    "executors": GROUND | {"executors"},
    "verification": GROUND | STAGES | {"study", "stages", "flow", "verification"},
    "sweep": GROUND | {"study", "provenance", "stages", "flow", "executors", "sweep"},
    "plot": GROUND | {"sweep"},
    "explore": KERNELS | STAGES | {"explore"},
    "compare": GROUND
    | {"kernels", "metrics", "topology", "catalog", "study", "provenance", "flow", "executors"}
    | {"sweep", "explore", "report", "compare"},
    "bars": GROUND,
    "terminal": GROUND | {"terminal"},
    "commands": KERNELS
    | STAGES
    | {"qap", "study", "folder", "flow", "report", "executors", "sweep", "plot", "explore", "compare"}
    | {"verification", "bars", "terminal", "commands"},
    "cli": GROUND | {"commands"},
    "__init__": GROUND | {"flow", "study"},
}


def imports(path: Path) -> set[str]:
    """Names of the rooms of this package that a file imports, wherever in the file."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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


def test_every_import_runs_downwards():
    wrong = []
    for path in sorted(ROOT.rglob("*.py")):
        room = "_stage" if path.name == "_stage.py" else path.relative_to(ROOT).parts[0].removesuffix(".py")
        allowed = MAY_IMPORT.get(room)
        assert allowed is not None, f"{room} is missing from the table above"
        wrong += [f"{path.relative_to(ROOT)} imports {name}" for name in sorted(imports(path) - allowed)]
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
