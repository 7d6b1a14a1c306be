"""Work cards for the crews: a card for each plug that moves and each cable that goes or comes, by crew and cabinet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path

from planner.core.units import stock_named
from planner.domain.model import Plan
from planner.fabric.verify.outputs.content.card import Card, Face, Tick
from planner.fabric.verify.outputs.content.findings import ordered
from planner.fabric.verify.outputs.content.places import UNPLACED, Places, by_cabinet, places
from planner.fabric.verify.outputs.terminal import counted, facts
from planner.fabric.verify.result import Addition, Move, Plugged, Removal, Verification
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.canvas import ACCENT, PAPER, Pen
from planner.paper.document import Document
from planner.paper.fonts import BOLD
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import Column, table
from planner.paper.task_faces import TaskFaces
from planner.view.figures import grouped

FILE = "moves.pdf"

_TITLE = "Work cards"
_HOW = (
    "Work in the order of the numbers. Each card names the port in which a plug should be found, and the label that it should "
    "bear. Read the label before you pull. If it is another one, or the port is empty, do not move the plug: note what you "
    "found, and go on with the next chain or cycle. No more than two links are down at a time if each chain or cycle is finished "
    "before the next. The QR code names plan, cable and end. On faceplates the port where the plug is found is filled, and the "
    "port where it belongs is outlined."
)
_REMOVE = (
    "Pull both plugs, and take the cable out or mark it at both ends.",
    "If only one of the two ports holds a plug: note it, do not pull.",
)
_ADD = "If a cable with these labels hangs at one end: plug it in. If both plugs are in: reseat both, then try another cable."
_MOVE_TICKS = (
    Tick("label as printed", 1.3), Tick("pulled", 0.8), Tick("plugged in", 1), Tick("link up", 0.8),
    Tick("label found, if another", 2.4, True), Tick("initials", 1, True),
)  # fmt: skip
_CABLE_TICKS = (Tick("end A", 0.8), Tick("end B", 0.8), Tick("done", 0.8), Tick("remark", 3, True), Tick("initials", 1, True))


def write(verification: Verification, plan: Plan, path: Path) -> None:
    """Write the cards; faceplates are drawn where the plan has its devices."""
    made = _Cards(verification, plan).sheets()
    Document(made, part="work cards", subject="Work cards of a verification").save(plan, path, letter=False)


@dataclass(frozen=True)
class _Cards:
    verification: Verification
    plan: Plan

    def sheets(self) -> list[Sheet]:
        """Return an overview, the moves of each crew, and the cables to remove and to add."""
        found = sheets(_TITLE, self._overview())
        # Removed cables free ports into which plugs move; new cables need the ports that moves leave free.
        found += self._cables("Cables to remove, first", "R", [self._removal(each) for each in self.verification.removals])
        moves = sorted(self.verification.moves, key=lambda move: (move.crew, move.order))
        for crew, own in groupby(moves, key=lambda move: move.crew):
            title = f"Moves of crew {crew}" if crew else "Moves"
            found += sheets(title, self._moves(title, list(own)))
        added = "Cables to put in or to revive, last"
        return found + self._cables(added, "P", [self._addition(each) for each in self.verification.additions])

    def _overview(self) -> Iterator[Block]:
        yield heading(f"{_TITLE}: {self.plan.title or self.plan.name}", Mark("overview", _TITLE))
        yield paragraph(_HOW if self.verification.moves else "No plug has to move.")
        yield space(4)
        yield from table((Column("fabric", firm=True), Column("as found")), facts(self.verification), TEXT_WIDTH, 8)
        yield space(12)
        rows = [
            (str(move[0].crew) if move[0].crew else "", cabinet, _span(move), counted(len(move), "move"))
            for cabinet, move in self._visits(ordered(self.verification.moves))
        ]
        if rows:
            yield heading("Visits, in the order of work", size=11)
            yield from table((Column("crew"), Column("cabinet"), Column("cards"), Column("")), rows, TEXT_WIDTH, 8)

    def _visits(self, moves: Sequence[Move]) -> Iterator[tuple[str, list[Move]]]:
        for _, own in groupby(sorted(moves, key=lambda move: (move.crew, move.order)), key=lambda move: move.crew):
            yield from by_cabinet(own, self._where)

    # -- moves ---------------------------------------------------------------------------------

    def _moves(self, title: str, moves: Sequence[Move]) -> Iterator[Block]:
        yield heading(title, Mark(f"crew-{moves[0].crew}", title))
        for cabinet, own in by_cabinet(moves, self._where):
            name = f"Cabinet {cabinet}" if cabinet != UNPLACED else "Devices without a cabinet in the plan"
            yield _bar(name, _cards(own))
            again = (_bar(f"{name}, continued", _cards(own)),)
            for move in own:
                yield self._move(move).block(again)
            yield space(6)

    def _move(self, move: Move) -> Card:
        where = self._where
        start, end = (where.printed(*port) for port in ((move.device, move.from_port), (move.to_device, move.to_port)))
        there = f"port {end}" if move.to_device == move.device else f"{where.where(move.to_device)}, {move.to_device}, port {end}"
        return Card(
            grouped(move.order),
            f"{where.unit_text(move.device)} {move.device}: port {start}  →  {there}".lstrip(),
            "PULL AND HOLD" if move.hold else "",
            ("the plug should bear", move.label),
            [note for note in self._notes(move, end) if note],
            self._code(move.cable, move.end) if move.cable else f"{self.plan.name}/M{move.order}",
            f"move {move.order}",
            _MOVE_TICKS,
            self._faces(move, start, end),
        )

    def _notes(self, move: Move, end: str) -> Iterator[str]:
        together = self._together[move.component or -move.order]
        last = together[-1].order
        if move.hold and last != move.order:
            there = f"{move.to_device} {end}"
            yield f"Pull this plug and hold it; {there} is free only after card {grouped(last)}. Then plug it in there."
        row = self._where.by_number.get(move.cable)
        if row is not None:
            far = row.ends[0 if move.end.lower() == "b" else 1]
            yield f"Cable {row.piece} {move.end.upper()}, {row.part}, {stock_named(row.stock_mm, ' ')}; its other end: {far}."
        yield _sentence(move.else_) if move.else_ else "If it bears another label, do not move it: note the label."
        if move.certainty and move.certainty != "certain":
            yield f"Believed to be this cable by: {move.certainty}."
        if len(together) > 1:
            yield f"Cards {_span(together)} are chain or cycle {move.component}."

    def _faces(self, move: Move, start: str, end: str) -> list[Face]:
        """Return the faceplate of the device, or of both, with the port where the plug is and the one where it belongs."""
        if self._drawn is None:
            return []
        if move.device == move.to_device:
            items = self._drawn.of_device(move.device, {move.from_port: start, move.to_port: end})
            return [Face(item, move.to_port) for item in items[:2]]
        here = self._drawn.of_device(move.device, {move.from_port: start})[:1]
        there = self._drawn.of_device(move.to_device, {move.to_port: end})[:1]
        return [*(Face(item) for item in here), *(Face(item, move.to_port) for item in there)]

    @cached_property
    def _together(self) -> dict[int, list[Move]]:
        """Moves of each chain or cycle, in the order of work."""
        found: dict[int, list[Move]] = defaultdict(list)
        for move in ordered(self.verification.moves):
            found[move.component if move.component else -move.order].append(move)
        return found

    # -- cables --------------------------------------------------------------------------------

    def _cables(self, title: str, letter: str, cards: Sequence[Callable[[str], Card]]) -> list[Sheet]:
        """Return the cards of whole cables, with their numbers after a letter."""
        if not cards:
            return []
        again = (_bar(f"{title}, continued", ""),)
        blocks = [make(f"{letter}{number}").block(again) for number, make in enumerate(cards, 1)]
        return sheets(title, [heading(title, Mark(letter, title)), _bar(counted(len(cards), "cable"), ""), *blocks])

    def _removal(self, removal: Removal) -> Callable[[str], Card]:
        def make(number: str) -> Card:
            row = self._where.by_number.get(removal.cable)
            labels = ("it is believed to be", f"{row.a.label}  ·  {row.b.label}") if row else ("", "")
            return Card(
                number, f"Remove: {' – '.join(self._where.full(Plugged(*end)) for end in removal.ports)}", "", labels,
                _REMOVE,
                self._code(removal.cable, "A") if removal.cable else f"{self.plan.name}/{number}", f"card {number}", _CABLE_TICKS,
            )  # fmt: skip

        return make

    def _addition(self, addition: Addition) -> Callable[[str], Card]:
        def make(number: str) -> Card:
            row = self._where.by_number.get(addition.cable)
            verb = "Put in" if addition.what == "missing" else "Revive"
            notes = [f"State: {addition.what}."] if addition.what != "missing" else []
            if row is not None:
                trays = f", over {row.trays}" if row.trays else ""
                notes.append(f"Cable {row.piece}, {row.part}, {stock_named(row.stock_mm, ' ')}{trays}.")
            notes.append(_ADD)
            return Card(
                number, f"{verb}: {' – '.join(self._where.full(Plugged(*end)) for end in addition.ports)}", "",
                ("labels", f"{row.a.label}  ·  {row.b.label}") if row else ("", ""), notes,
                self._code(addition.cable, "A"), f"card {number}", _CABLE_TICKS,
            )  # fmt: skip

        return make

    def _code(self, cable: int, end: str) -> str:
        """Return the content of the code of an end, as labels with ``code = "end"`` have it."""
        row = self._where.by_number.get(cable)
        return f"{self.plan.name}/{row.piece if row else cable}{end.upper()}"

    @cached_property
    def _where(self) -> Places:
        return places(self.verification)

    @cached_property
    def _drawn(self) -> TaskFaces | None:
        needed = ("inventory", "placement", "room", "catalog")
        return TaskFaces(self.plan) if all(getattr(self.plan, record) is not None for record in needed) else None


def _bar(title: str, right: str) -> Block:
    def draw(pen: Pen, x: float, top: float) -> None:
        pen.box(x, top - 16, TEXT_WIDTH, 16, ACCENT)
        pen.text(x + 6, top - 11.5, title, 9.5, font=BOLD, color=PAPER, width=TEXT_WIDTH * 0.7)
        pen.text(x + TEXT_WIDTH - 6, top - 11.5, right, 8, color=PAPER, align="right")

    return Block(20, draw, keep=True)


def _span(moves: Sequence[Move]) -> str:
    first, last = moves[0].order, moves[-1].order
    return grouped(first) if first == last else f"{grouped(first)} to {grouped(last)}"


def _cards(moves: Sequence[Move]) -> str:
    return f"card{'s' if len(moves) > 1 else ''} {_span(moves)}"


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."
