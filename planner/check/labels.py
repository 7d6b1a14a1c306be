"""Rules of labels: what the template makes of each end, one label for each end, no two that people mistake."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from string import Formatter
from typing import Any

import numpy as np

from planner.check.basis.boxes import firsts
from planner.check.basis.distinct import distinct
from planner.check.basis.places import error
from planner.check.basis.rule import rule
from planner.domain.model import Plan, Violation

LOOK_ALIKES = str.maketrans("OI", "01")
"""Characters that people take for each other: the label rule `charset` of ``catalogs/labels/rules.toml``."""

_SPACES = [chr(code) for code in range(0x3001) if chr(code).isspace()]

SCHEMES = {
    "tia606": "{cabinet}-{unit:02d}:{port:02d}/{far_cabinet}-{far_unit:02d}:{far_port:02d}",
    "hpe": "{first_cabinet}.{second_cabinet}.{class:02d}.{number:04d}-{end}",
    "serial": "{piece:06d}-{end}",
}
"""Templates with a name, as ``docs/labels.md`` states them."""


@rule(360)
def labels_unique(plan: Plan) -> Iterator[Violation]:
    """No two cable ends bear the same label, and an end that several links share bears one."""
    cables = plan.cables
    texts, text = np.unique(np.column_stack([cables.label_a, cables.label_b]), return_inverse=True)
    _, socket, _ = distinct(np.repeat(cables.piece, 2), cables.device.ravel(), cables.cage.ravel())
    first, _, _ = distinct(text.ravel(), socket)
    pairs = np.column_stack([text.ravel(), socket])[first]
    sockets = np.bincount(pairs[:, 0], minlength=1)
    for number in np.flatnonzero(sockets > 1).tolist():
        yield error("labels_unique", repr(str(texts[number])), sockets[number], 1, "cable ends", "one label on several ends")
    for number in np.flatnonzero(np.bincount(pairs[:, 1], minlength=1) > 1).tolist():
        own = texts[pairs[pairs[:, 1] == number, 0]].tolist()
        where = " and ".join(map(repr, own))
        yield error("labels_unique", where, len(own), 1, "labels", "several labels on one end")


@rule(370)
def labels_legible(plan: Plan) -> Iterator[Violation]:
    """No two labels differ only by O for 0 or I for 1, and no label is empty (warnings)."""
    texts = _doubtful(plan)
    seen: dict[str, str] = {}
    for text in texts:
        if not text.strip():
            yield Violation("labels_legible", repr(text), 0.0, 1.0, "characters", "warning", "a label without text")
        alike = seen.setdefault(text.translate(LOOK_ALIKES), text)
        if alike != text:
            where = f"{alike!r} and {text!r}"
            yield Violation("labels_legible", where, 0.0, 1.0, "", "warning", "people take O for 0 and I for 1")


def _doubtful(plan: Plan) -> list[str]:
    """Return the labels, each once in their order, that begin with a space or that O or I may confuse with another one."""
    labels = [np.ascontiguousarray(column) for column in (plan.cables.label_a, plan.cables.label_b)]
    characters = [column.view(np.uint32).reshape(len(column), -1) for column in labels if column.dtype.itemsize]
    if not all(len(column) for column in labels) or len(characters) < len(labels):
        return np.unique(np.concatenate(labels)).tolist()
    found: set[str] = set()
    for column, letters in zip(labels, characters, strict=True):
        spaced = np.isin(letters[:, 0], [0, *map(ord, _SPACES)])
        confused = np.isin(letters, list(LOOK_ALIKES)).any(axis=1)
        found.update(column[spaced | confused].tolist())
    alike = np.array(sorted({text.translate(LOOK_ALIKES) for text in found} - found), str)
    for column in labels if len(alike) else ():
        found.update(column[np.isin(column, alike)].tolist())
    return sorted(found)


@rule(380)
def labels_follow_their_template(plan: Plan) -> Iterator[Violation]:
    """The text at each end is what the study's template makes of it; rows that share an end bear what the first of them has.

    Cables of a kept plan bear the labels that they have.
    """
    label = plan.study.get("cabling", {}).get("label")
    if label is None:
        return
    fields = _Fields(plan)
    parts = [(literal, name, spec, how) for literal, name, spec, how in Formatter().parse(SCHEMES.get(label, label))]
    wanted = [_texts(fields, parts, side) for side in (0, 1)]
    have = plan.cables.label_a, plan.cables.label_b
    place = fields.first_of_end
    unlike = np.zeros(place.shape, bool)
    for side in (0, 1):
        row, turned = place[:, side] // 2, place[:, side] % 2
        unlike[:, side] = have[side] != np.where(turned, wanted[1][row], wanted[0][row])
    if plan.kept is not None:
        unlike[plan.kept.row[(plan.kept.row >= 0) & (plan.kept.label != "").all(axis=1)]] = False
    for number, side in np.argwhere(unlike)[:10].tolist():
        first = place[number, side]
        where = f"cable {number + 1}, {'ab'[side]} end"
        message = f"bears {str(have[side][number])!r}, its template makes it {str(wanted[first % 2][first // 2])!r}"
        yield Violation("labels_follow_their_template", where, 0.0, 1.0, "", "error", message)


def _texts(fields: _Fields, parts: list[tuple], side: int) -> np.ndarray:
    """Return what a template makes of the ends of one side, str (W,): of each value of a field once."""
    text = np.full(fields.cables.cable_count, "")
    for literal, name, spec, how in parts:
        text = np.strings.add(text, literal)
        if name is not None:
            values, number = np.unique(np.asarray(fields(name, side)), return_inverse=True)
            template = "{" + (f"!{how}" if how else "") + (f":{spec}" if spec else "") + "}"
            text = np.strings.add(text, np.array(list(map(template.format, values.tolist())), str)[number.ravel()])
    return text


class _Fields:
    """What a template may name, as a column for the ends of one side."""

    def __init__(self, plan: Plan):
        self.plan, self.room, self.inventory, self.cables = plan, plan.room, plan.inventory, plan.cables
        cables = plan.cables
        self.slot = plan.placement.slot_of[cables.cabinet]
        self.first_row = np.unique(cables.piece, return_index=True)[1][cables.piece]
        width = int(cables.cage.max(initial=0)) + 1, int(cables.device.max(initial=0)) + 1
        self._end = (np.repeat(cables.piece.astype(np.int64), 2) * width[1] + cables.device.ravel()) * width[
            0
        ] + cables.cage.ravel()
        _, place, plug = np.unique(self._end, return_index=True, return_inverse=True)
        self.first_of_end = place[plug.ravel()].reshape(-1, 2)

    def __call__(self, name: str, side: int) -> Any:
        """Return the values of a field at one side, or at the other where its name begins with ``far_``."""
        near = name.removeprefix("far_")
        if near != name or hasattr(self, f"_near_{near}"):
            column: Callable[[int], Sequence] = getattr(self, f"_near_{near}")
            return column(1 - side if near != name else side)
        return getattr(self, f"_whole_{name}")() if name != "end" else self._marks[self.first_of_end[:, side]]

    def _named(self, names: Sequence[str], numbers: np.ndarray) -> list[str]:
        return np.array(names, object)[numbers].tolist()

    def _near_cabinet(self, side: int) -> list[str]:
        return self._named(self.room.slot_names, self.slot[:, side])

    def _near_row(self, side: int) -> list[str]:
        return self._named(self.room.row_names, self.room.slot_row[self.slot[:, side]])

    def _near_slot(self, side: int) -> list[str]:
        pairs = zip(self._near_cabinet(side), self._near_row(side), strict=True)
        return [name[len(row) :] if row and name.startswith(row) else name for name, row in pairs]

    def _near_unit(self, side: int) -> list[int]:
        return self.cables.unit[:, side].tolist()

    def _near_port(self, side: int) -> list[int]:
        return self.cables.port[:, side].tolist()

    def _near_cage(self, side: int) -> list[int]:
        return self.cables.cage[:, side].tolist()

    def _near_kind(self, side: int) -> list[str]:
        return self._named(["endpoint", "router"], self.inventory.is_router[self.cables.device[:, side]].astype(int))

    def _near_device(self, side: int) -> list[int]:
        device, routers = self.cables.device[:, side], self.inventory.router_count
        return np.where(device < routers, device, device - routers).tolist()

    def _near_name(self, side: int) -> list[str]:
        return self.inventory.names[self.cables.device[:, side]].tolist()

    def _near_role(self, side: int) -> list[str]:
        return self._named(self.inventory.role_names, self.inventory.role[self.cables.device[:, side]])

    def _near_port_name(self, side: int) -> list[str]:
        ends = zip(self.cables.device[:, side].tolist(), self.cables.port[:, side].tolist(), strict=True)
        return [self.inventory.part_of(device).port_names[port - 1] for device, port in ends]

    def _near_xname(self, side: int) -> list[str]:
        columns = (self._near_cabinet, self._near_unit, self._near_cage, self._near_port, self._near_kind)
        return [
            f"x{cabinet.removeprefix('x')}c0" + (f"r{unit}j{cage}" if kind == "router" else f"s{unit}b0n{port - 1}h0")
            for cabinet, unit, cage, port, kind in zip(*(column(side) for column in columns), strict=True)
        ]

    def _whole_first_cabinet(self) -> list[str]:
        return self._named(self.room.slot_names, self.slot[self.first_row, 0])

    def _whole_second_cabinet(self) -> list[str]:
        return self._named(self.room.slot_names, self.slot[self.first_row, 1])

    def _whole_network(self) -> list[str]:
        names = [""] * self.cables.cable_count
        for number, name in enumerate(self.inventory.network_names):
            rows = self.inventory.connections(number, direct=True)
            names[rows] = [name] * (rows.stop - rows.start)
        return names

    def _whole_class(self) -> list[int]:
        return self.inventory.kind.tolist()

    def _whole_link(self) -> list[str]:
        return self._named(self.inventory.kind_names, self.inventory.kind)

    def _whole_number(self) -> list[int]:
        count: dict[tuple[int, int, int], int] = {}
        number_of_piece: dict[int, int] = {}
        rows = zip(self.cables.piece.tolist(), self.slot.tolist(), self._whole_class(), strict=True)
        for piece, (a, b), kind in rows:
            if piece not in number_of_piece:
                number_of_piece[piece] = count[a, b, kind] = count.get((a, b, kind), 0) + 1
        return [number_of_piece[piece] for piece in self.cables.piece.tolist()]

    @cached_property
    def _marks(self) -> np.ndarray:
        """Return A and B of each end; A1, A2 … where several ends of a piece are on one side."""
        places = np.flatnonzero(firsts(self._end))
        group = self.cables.piece[places // 2].astype(np.int64) * 2 + places % 2
        order = np.argsort(group, kind="stable")
        first, number, count = distinct(group[order])
        rank = np.empty(len(places), np.int64)
        rank[order] = np.arange(len(places)) - first[number] + 1
        several = np.empty(len(places), bool)
        several[order] = count[number] > 1
        mark = np.zeros(self._end.size, np.strings.add(np.array(["A"]), str(int(rank.max(initial=0)))).dtype)
        mark[places] = np.strings.add(np.array(["A", "B"])[places % 2], np.where(several, rank.astype(str), ""))
        return mark

    def _whole_cable(self) -> list[int]:
        return list(range(1, self.cables.cable_count + 1))

    def _whole_piece(self) -> list[int]:
        return (self.cables.piece + 1).tolist()

    def _whole_bundle(self) -> list[int]:
        return (self.cables.bundle + 1).tolist()

    def _whole_part(self) -> list[str]:
        return self._named([made_of.length_part for made_of in self.cables.assemblies], self.cables.assembly)

    def _whole_stock_mm(self) -> list[int]:
        return self.cables.stock_mm.tolist()

    def _whole_stock_m(self) -> list[str]:
        return [f"{stock / 1000:g}" for stock in self.cables.stock_mm.tolist()]

    def _whole_stage(self) -> list[str]:
        return self._named(self.cables.stage_names, self.cables.stage)
