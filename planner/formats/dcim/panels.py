"""NetBox' tables of patch panels: frames, panels with front and rear ports, and the cables of trunks and jumpers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.domain.model import PANEL_KINDS, PanelPlan
from planner.formats.dcim.export import FRAME_ROLE, Export
from planner.formats.dcim.interfaces import Interfaces
from planner.view.ends import fitted
from planner.view.names import tray_names
from planner.view.panels import PanelTexts

REAR = ("device", "name", "type", "positions", "description")
_FRONT = ("device", "name", "type", "positions", "rear_port", "rear_port_position", "description")
_RACK = "panel-frame"
_TALLEST = 100
"""Maximum height of a rack, in units."""

_GLASSES = {"om3": "mmf-om3", "om4": "mmf-om4", "os2": "smf-os2"}

End = tuple[str, str, str, str]


@dataclass(frozen=True)
class PanelTables:
    """Panels of an export.

    Shuffle boxes join ports of one box with trunks in another, which front and rear ports of one device cannot express: they are
    devices without ports, and links over them are cables from port to port.
    """

    export: Export
    interfaces: Interfaces
    texts: PanelTexts

    @classmethod
    def of(cls, export: Export, interfaces: Interfaces) -> PanelTables | None:
        """Return the tables; None for a plan without panels."""
        texts = PanelTexts.of(export.plan)
        return None if texts is None else cls(export, interfaces, texts)

    @property
    def ported(self) -> bool:
        """Whether panels have ports, which jumpers and trunks join."""
        return not (self.panels.kind == PANEL_KINDS.index("shuffle box")).any()

    @property
    def panels(self) -> PanelPlan:
        return self.texts.panels

    @cached_property
    def names(self) -> list[str]:
        """Names of the panels, which NetBox limits to 64 characters."""
        names = self.panels.names.tolist()
        short = fitted(names, 64)
        return [short[name] for name in names]

    @cached_property
    def frames(self) -> list[str]:
        names = self.panels.frame_names.tolist()
        short = fitted(names, 100)
        return [short[name] for name in names]

    @cached_property
    def _height(self) -> int:
        """Units of a panel; 0 where its height is not known."""
        return self.export.plan.catalog.bundling.panel.units if not self.panels.kind[0] else 0

    # -- racks and devices --------------------------------------------------------------------

    def rack_types(self) -> Iterator[tuple]:
        """Yield the type of the frames, as high as the highest of them."""
        units = min(int(self.panels.unit.max()) + max(self._height, 1) - 1, _TALLEST)
        yield self.export.maker, _RACK, _RACK, "2-post-frame", 19, units, 1, "false", "", "", "", "", "", "", ""

    def racks(self) -> Iterator[tuple]:
        room = self.export.plan.room
        for frame, (name, slot) in enumerate(zip(self.frames, self.panels.frame_slot.tolist(), strict=True)):
            row = self.export.row_names[room.row_names[room.slot_row[slot]]]
            on = "on cabinet" if self.panels.frame_cabinet[frame] >= 0 else "in the trays, at the tray node of"
            yield self.export.site, row, name, self.export.status, _RACK, f"panel frame {on} {room.slot_names[slot]}"[:200]

    def device_types(self) -> Iterator[tuple]:
        for part in dict.fromkeys(self.panels.parts[one] for one in self.panels.part.tolist()):
            yield self.export.maker_of(part), part[:100], self.export.slug(part), part[:50], self._height, "false", "", ""

    def devices(self) -> Iterator[tuple]:
        export, panels = self.export, self.panels
        role = export.role_of_fixture(FRAME_ROLE)
        columns = (panels.part.tolist(), panels.frame.tolist(), panels.unit.tolist())
        for name, part, frame, unit in zip(self.names, *columns, strict=True):
            place = (unit, "front") if self._height and unit + self._height - 1 <= _TALLEST else ("", "")
            model = panels.parts[part][:100]
            yield name, role, export.maker_of(model), model, export.status, export.site, self.frames[frame], *place, ""

    # -- ports --------------------------------------------------------------------------------

    @cached_property
    def _shares(self) -> np.ndarray:
        """Links that share each plug, int64 (Q,)."""
        panels, cables = self.panels, self.export.plan.cables
        plugs = np.bincount(panels.plug_trunk, minlength=len(panels.trunk_names))
        return (cables.bundle_capacity[panels.trunk_bundle] // plugs)[panels.plug_trunk]

    def rear_ports(self) -> Iterator[tuple]:
        """Yield the sockets in use at the rear; a socket has a position for each link of its plug."""
        panels = self.panels
        kind = "mpo" if panels.kind[0] == PANEL_KINDS.index("enclosure") else "other"
        for plug, (trunk, number, share) in enumerate(
            zip(panels.plug_trunk.tolist(), panels.plug_number.tolist(), self._shares.tolist(), strict=True)
        ):
            for end in (0, 1):
                about = f"{panels.trunk_names[trunk]}, plug {number}"
                yield self.names[panels.plug_panel[plug, end]], self._rear(plug, end), kind, share, about

    def front_columns(self) -> Sequence[str]:
        """Return the columns of front ports: before 4.6 NetBox imports no mapping to rear ports, which is then in the text."""
        return _FRONT if self.export.groups else tuple(name for name in _FRONT if not name.startswith("rear"))

    def front_ports(self) -> Iterator[tuple]:
        """Yield the ports in use at the front, each mapped to a position of the socket behind it."""
        panels, cables = self.panels, self.export.plan.cables
        plugs = [made_of.plug for made_of in cables.assemblies]
        ends = zip(panels.row.tolist(), panels.jumper.tolist(), panels.plug.tolist(), panels.turned.tolist(), strict=True)
        for place, (row, jumpers, plug, turned) in enumerate(ends):
            for end, jumper in enumerate(jumpers):
                rear, position = self._rear(plug, end ^ turned), self._position(place)
                mapped = (rear, position) if self.export.groups else ()
                about = f"rear port {rear}, position {position}; far panel {self.texts.fronts[jumpers[1 - end]]}"
                kind = plugs[cables.assembly[row]]
                yield self.names[panels.jumper_panel[jumper]], self._front(jumper), kind, 1, *mapped, about[:200]

    def _position(self, place: int) -> int:
        """Return the position of a row in its plug, counted at the first end: NetBox joins equal positions of two rear ports."""
        plan, row = self.export.plan, int(self.panels.row[place])
        fibers = plan.cables.assemblies[plan.cables.assembly[row]].fibers
        if self.texts.core:
            fibers = (plan.study["cabling"].get("bundling_parameters") or {}).get("cores_per_link", 1)
        return (int(self.panels.fiber[place, int(self.panels.turned[place])]) - 1) // fibers + 1

    def _front(self, jumper: int) -> str:
        return self.texts.fronts[jumper].rpartition(":")[2]

    def _rear(self, plug: int, end: int) -> str:
        return self.texts.rears[end][plug].rpartition(":")[2]

    # -- cables -------------------------------------------------------------------------------

    def cables(self, chosen: np.ndarray) -> Iterator[tuple]:
        """Yield what a cable row states of the trunks and jumpers of some rows: both ends, type, positions, bundle …

        A trunk is written with all its plugs.
        """
        panels = self.panels
        own = np.isin(panels.row, chosen)
        trunks, jumpers = set(panels.trunk[own].tolist()), set(panels.jumper[own].ravel().tolist())
        yield from (row for trunk, row in zip(panels.plug_trunk.tolist(), self._trunks(), strict=True) if trunk in trunks)
        yield from (row for jumper, row in enumerate(self._jumpers()) if jumper in jumpers)

    def _trunks(self) -> Iterator[tuple]:
        """Yield a row for each plug of a trunk."""
        plan, panels = self.export.plan, self.panels
        trays = tray_names(plan)
        glass = {part.id: part.glass for part in plan.catalog.bundling.trunks}
        plugs = np.bincount(panels.plug_trunk, minlength=len(panels.trunk_names))
        for plug, (trunk, number) in enumerate(zip(panels.plug_trunk.tolist(), panels.plug_number.tolist(), strict=True)):
            bundle = int(panels.trunk_bundle[trunk])
            part, stock = plan.cables.bundle_parts[plan.cables.bundle_part[bundle]], int(plan.cables.bundle_stock_mm[bundle])
            ends = [self._end("dcim.rearport", int(panels.plug_panel[plug, end]), self._rear(plug, end)) for end in (0, 1)]
            about = f"{part}, plug {number} of {plugs[trunk]} of trunk {panels.trunk_names[trunk]}"
            route = f"{about}; trays {' > '.join(trays[panels.trunk_route[trunk]])}"
            label = str(panels.trunk_names[trunk])[:100]
            kind, positions = _GLASSES[glass.get(part, "os2")], int(self._shares[plug])
            yield *ends[0], *ends[1], kind, positions, bundle + 1, label, stock, about, route

    def _jumpers(self) -> Iterator[tuple]:
        """Yield a row for each jumper, from its device to its panel."""
        plan, panels = self.export.plan, self.panels
        rows, sides = panels.end_of_jumper()
        for jumper, (row, side) in enumerate(zip(rows.tolist(), sides.tolist(), strict=True)):
            device, port = int(plan.cables.device[row, side]), int(plan.cables.port[row, side])
            near = (self.export.site, self.export.box_of[device], "dcim.interface", self.interfaces.name(device, port))
            far = self._end("dcim.frontport", int(panels.jumper_panel[jumper]), self._front(jumper))
            part = panels.jumper_parts[panels.jumper_part[jumper]]
            made_of = plan.cables.assemblies[plan.cables.assembly[row]]
            texts = self.texts.jumper_labels[jumper]
            about = f"{part}, jumper {jumper + 1} of cable {row + 1}"
            whole = f"{about}; label A: {texts[0]}; label B: {texts[1]}"
            stock = int(panels.jumper_stock_mm[jumper])
            yield *near, *far, _GLASSES.get(made_of.glass, ""), 1, None, texts[0][:100], stock, about, whole

    def _end(self, kind: str, panel: int, name: str) -> End:
        return self.export.site, self.names[panel], kind, name
