"""The command line as ``python -m planner``."""

import sys

from planner.commands.console.cli import main

if __name__ == "__main__":
    sys.exit(main())
