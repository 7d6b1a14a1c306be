"""The folder of each phase: an ordinary study, which keeps the plan of the next phase as far as that is installed already."""

from __future__ import annotations

import os
from collections.abc import Mapping
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np

from planner.core import storage
from planner.core.spreadsheet import Writer
from planner.design.placement import place
from planner.domain.model import Room, Topology
from planner.studies.stage import Study
from planner.studies.study import load

NETWORK, LAYOUT = "network.npz", "layout.csv"
"""Files of a phase: its network with the routers of the phase before first, and the cabinet of each."""


def written(
    study: Study,
    folder: Path,
    network: Topology,
    slot: np.ndarray,
    room: Room,
    *,
    existing: dict[str, Any] | None = None,
    later: Mapping[str, Path] | None = None,
) -> Study:
    """Write the study of a phase with its network and layout, and return it as read from its folder.

    Parameters
    ----------
    study
        The study of the phase.
    network
        Its network.
    slot
        Slot of each router of the last phase, int64 (R,).
    room
        The room of all phases.
    existing
        What is in the room already, with what later phases need.
    later
        Folders of the plans of later phases by name, the next one first.
    """
    content = study.expanded()
    content["topology"] = {"family": "file", "path": str((folder / NETWORK).resolve())}
    own = {"algorithm": "manual", "layout": str((folder / LAYOUT).resolve()), "endpoints": "together"}
    known = set(signature(place).parameters)
    content["placement"] = {key: value for key, value in content["placement"].items() if key in known} | own | {"front": 0}
    if later:
        next_one = next(iter(later.values()))
        # The network of the phase is given, and routers of the next one have its numbers.
        content["keep"] = {"plan": str(next_one.resolve()), "shrink": True, "growth": "none"}
        content["reserve"] = {"plans": {name: str(path.resolve()) for name, path in later.items()}}
    if existing is not None:
        content["room"]["existing"] = existing
    write_study(content, folder, network, slot, room)
    return load(folder)


def of_network(study: Study, folder: Path, network: Topology) -> Study:
    """Write a study without cables, whose network is that of a phase, and return it as read from its folder."""
    content = study.expanded()
    content["topology"] = {"family": "file", "path": str((folder / NETWORK).resolve())}
    write_study(content, folder, network)
    return load(folder)


def alone(study: Study, folder: Path, network: Topology) -> Study:
    """Write the study of a phase that is planned alone, in the empty room, and return it as read from its folder."""
    content = study.expanded()
    content["topology"] = {"family": "file", "path": str((folder / NETWORK).resolve())}
    content["placement"] = content["placement"] | {"endpoints": "together", "front": 0}
    content.pop("report", None)
    write_study(content, folder, network)
    return load(folder)


def write_study(
    content: dict[str, Any], folder: Path, network: Topology, slot: np.ndarray | None = None, room: Room | None = None
) -> None:
    """Write the files of a study into its folder; paths are relative to it, so that all folders may move together."""
    folder.mkdir(parents=True, exist_ok=True)
    storage.save(network, folder / NETWORK)
    if slot is not None and room is not None:
        with storage.replacing(folder / LAYOUT) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
            rows = Writer(file)
            rows.writerow(["router", "slot", "fixed"])
            rows.writerows(
                (router, room.slot_names[place], "yes") for router, place in enumerate(slot[: network.router_count].tolist())
            )
    storage.write_toml(_relative(content, folder.resolve()), folder / "study.toml")


def _relative(content: Any, folder: Path) -> Any:
    """Return study data with absolute paths relative to a folder."""
    if isinstance(content, dict):
        return {key: _relative(value, folder) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_relative(value, folder) for value in content]
    if isinstance(content, str) and content.startswith("/") and Path(content).exists():
        return os.path.relpath(content, folder)
    return content
