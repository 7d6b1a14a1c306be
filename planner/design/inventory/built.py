"""Cabinets of devices that are built: they stay, and new devices join those of their set or get cabinets of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from planner.design.inventory.devices import Devices
from planner.design.inventory.kept_names import Addresses, kept_names
from planner.design.inventory.racks import Racks
from planner.domain.model import Inventory
from planner.domain.parts import CabinetPart, EndpointPart, RouterPart


@dataclass(frozen=True)
class Built:
    """Devices of a kept plan, and cabinets that new devices may use additionally.

    Attributes
    ----------
    cabinet_of
        Name of the cabinet of each device.
    far_of
        Device at the other end of each port in use, by device and port.
    records
        The inventory of the kept plan; None where only its schedule is at hand.
    overflow
        Names of cabinets.
    """

    cabinet_of: Mapping[str, str]
    far_of: Mapping[tuple[str, int], str]
    records: Inventory | None = None
    overflow: Sequence[str] = ()

    def names(self, found: Addresses) -> np.ndarray:
        """Return the names of all devices, see `kept_names`."""
        return kept_names(found, self.cabinet_of, self.records)

    def plugged(self, devices: Devices) -> Callable[[int, int, int], int]:
        """Return a function from a port (device, port group, number) to the device where it is plugged, -1 for none."""
        number = {name: place for place, name in enumerate(devices.names.tolist())}

        def far(device: int, group: int, port: int) -> int:
            groups = devices.parts[devices.part[device]].groups
            first = sum(each.count for each in groups[:group])
            return number.get(self.far_of.get((str(devices.names[device]), first + port + 1), ""), -1)

        return far

    def around(
        self,
        packed: Racks,
        names: Sequence[str],
        parts: Sequence[RouterPart | EndpointPart],
        cabinet: CabinetPart,
        units: int,
        power_mw: int,
    ) -> Racks:
        """Return the cabinets of all devices, given their names and parts, those of the kept plan in theirs.

        A new device joins the cabinet of the devices that the rules of the study put with it, or one of the overflow, where it
        fits; otherwise it gets a new cabinet together with others of that cabinet.
        """
        home = [self.cabinet_of.get(name) for name in names]
        number = {name: place for place, name in enumerate(dict.fromkeys(name for name in home if name is not None))}
        rack = np.array([-1 if name is None else number[name] for name in home], np.int64)
        figures = np.array([[part.units, part.power_max_mw, part.mass_g] for part in parts], np.int64)
        limits = np.array([units, power_mw, cabinet.load_g], np.int64)
        load = np.zeros((len(number) + packed.unit.size, 3), np.int64)
        np.add.at(load, rack[rack >= 0], figures[rack >= 0])
        # Of kept devices that the rules put into one cabinet, the majority shows which one that is.
        planned = [Counter(rack[(packed.rack == one) & (rack >= 0)].tolist()) for one in range(packed.unit.size)]
        fresh: dict[int, int] = {}
        overflow = [number[name] for name in self.overflow if name in number]
        for device in np.flatnonzero(rack < 0).tolist():
            one = int(packed.rack[device])
            first = [place for place, _ in planned[one].most_common(1)]
            for place in (*first, *overflow):
                if (load[place] + figures[device] <= limits).all():
                    break
            else:
                place = fresh.setdefault(one, len(number) + len(fresh))
            rack[device] = place
            load[place] += figures[device]
        # Cabinets are numbered as the rules number them, so that nothing changes where nothing is new.
        earliest = np.array(
            [packed.rack[rack == place].min(initial=packed.unit.size) for place in range(len(number) + len(fresh))]
        )
        order = [place for place in np.argsort(earliest, kind="stable").tolist() if (rack == place).any()]
        rack = np.argsort(order)[np.searchsorted(np.sort(order), rack)]
        rule = np.array([Counter(packed.rack[rack == place].tolist()).most_common(1)[0][0] for place in range(len(order))])
        return Racks(rack, packed.unit[rule], packed.position[rule])
