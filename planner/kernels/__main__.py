"""Compile all kernels that commands use: python -m planner.kernels"""

import argparse
import sys
from pathlib import Path

from planner.kernels import CACHE_FOLDER
from planner.kernels.ahead import archive, compile_all


def main() -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m planner.kernels", description="Compile all kernels that commands use.")
    parser.add_argument(
        "--archive", metavar="FOLDER", type=Path, help="write them to an archive in this folder and print its path"
    )
    folder = parser.parse_args().archive
    if folder and not folder.is_dir():
        parser.error(f"--archive: there is no folder {folder}")
    if folder and not CACHE_FOLDER:
        parser.error("--archive: there is no folder for compiled kernels; set XDG_CACHE_HOME to one that can be written")
    code = compile_all()
    if folder and not code:
        print(archive(folder))
    return code


if __name__ == "__main__":
    sys.exit(main())
