"""Ports that later stages of a machine will use."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.core.record import Record, array, value


@dataclass(frozen=True, eq=False)
class Reserved(Record, name="reserved", needs=("inventory",)):
    """Ports of this plan's devices that plans of later stages use, each for the first of them."""

    stages: tuple[str, ...] = value("names of the later stages, the next one first")
    device: np.ndarray = array("int32", "P", "device of this plan")
    port: np.ndarray = array("int32", "P", "port, from 1")
    stage: np.ndarray = array("uint8", "P", "stage, index into stages")
    far: np.ndarray = array("str", "P", "device at the other end in that stage")

    def names(self) -> dict[tuple[int, int], str]:
        """Return the name of the stage by device and port."""
        rows = zip(self.device.tolist(), self.port.tolist(), self.stage.tolist(), strict=True)
        return {(device, port): self.stages[stage] for device, port, stage in rows}
