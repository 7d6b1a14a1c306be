"""Ports that later phases of a machine will use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.core.record import Record, array, value


def _phases_were_stages(stored: dict[str, Any]) -> None:
    stored["phases"], stored["phase"] = stored.pop("stages"), stored.pop("stage")


@dataclass(frozen=True, eq=False)
class Reserved(Record, name="reserved", needs=("inventory",), migrations=(_phases_were_stages,)):
    """Ports of this plan's devices that plans of later phases use, each for the first of them."""

    phases: tuple[str, ...] = value("names of the later phases, the next one first")
    device: np.ndarray = array("int32", "P", "device of this plan")
    port: np.ndarray = array("int32", "P", "port, from 1")
    phase: np.ndarray = array("uint8", "P", "phase, index into phases")
    far: np.ndarray = array("str", "P", "device at the other end in that phase")

    def names(self) -> dict[tuple[int, int], str]:
        """Return the name of the phase by device and port."""
        rows = zip(self.device.tolist(), self.port.tolist(), self.phase.tolist(), strict=True)
        return {(device, port): self.phases[phase] for device, port, phase in rows}
