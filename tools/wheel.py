"""Compiled kernels in the wheel: a hook of Hatchling.

With ``PLANNER_ARCHIVE`` in the environment, the archive that `python -m planner.kernels --archive` wrote, the wheel contains it
and is for this Python and platform only. Without it the wheel is for all.
"""

import os
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Kernels(BuildHookInterface):
    """Adds the archive."""

    def initialize(self, version, build_data):
        """Add the archive to what is built."""
        archive = os.environ.get("PLANNER_ARCHIVE")
        if archive and version != "editable":
            build_data["force_include"][archive] = f"planner/kernels/{Path(archive).name}"
            build_data["pure_python"], build_data["infer_tag"] = False, True
