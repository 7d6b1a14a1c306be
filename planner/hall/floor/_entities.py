"""Entities of a drawing that are visible, with the content of blocks that have no meaning of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ezdxf.document import Drawing as Document
from ezdxf.entities import DXFEntity, Insert

from planner.core.errors import InputError, Problem
from planner.hall.floor._bounds import LINES, MAX_ENTITIES
from planner.hall.floor._layers import Mapping

_MAX_LISTED = 8
"""Maximum number of layers or files in a note."""

_XREF = 0b1100
"""Flags of the block of an external reference, also of an overlay."""


class Entities:
    """Lines and block references of a drawing, for a mapping.

    Attributes
    ----------
    kept
        Visible lines, and references of blocks or on layers that the mapping names. Blocks that it does not name are exploded: a
        floor that was inserted as a block or bound as an external reference, with its cabinets as nested blocks. What is on
        layer 0 inside a block is on the layer of its reference.
    hidden
        Number of lines and references on layers that are frozen or switched off, and of those that are invisible themselves.
    external
        External references, whose lines are in other files.
    problems
        References that cannot be exploded.
    """

    def __init__(self, doc: Document, mapping: Mapping):
        self._doc, self._mapping = doc, mapping
        self._off = {layer.dxf.name.lower() for layer in doc.layers if layer.is_off() or layer.is_frozen()}
        self.hidden: Counter[str] = Counter()
        self.external: list[str] = []
        self.problems: list[Problem] = []
        self._seen = 0
        self.kept = list(self._visible(doc.modelspace(), None))

    def _visible(self, entities: Iterable[DXFEntity], within: Insert | None) -> Iterator[DXFEntity]:
        for entity in entities:
            if not isinstance(entity, Insert) and entity.dxftype() not in LINES:
                continue
            self._count()
            if within is not None and entity.dxf.layer == "0":
                entity.dxf.layer = within.dxf.layer
            if entity.dxf.layer.lower() in self._off or entity.dxf.get("invisible", 0):
                self.hidden[entity.dxf.layer] += 1
            elif isinstance(entity, Insert):
                yield from self._of_reference(entity)
            else:
                yield entity

    def _count(self, entities: int = 1) -> None:
        """Raise InputError when blocks draw too much: a few nested arrays draw any number of lines."""
        self._seen += entities
        if self._seen > 2 * MAX_ENTITIES:
            message = f"has more than {2 * MAX_ENTITIES:,} entities with those inside its blocks"
            raise InputError(Problem("", message, "save only the layers of the floor"))

    def _of_reference(self, insert: Insert) -> Iterator[DXFEntity]:
        """Yield a reference that the mapping names, one for each place of an array, or what is inside of another one."""
        block = insert.block()
        definition = None if block is None else block.block
        if definition is not None and (definition.dxf.flags & _XREF or definition.dxf.get("xref_path", "")):
            self.external.append(str(definition.dxf.get("xref_path", "") or insert.dxf.name))
            return
        self._count(insert.mcount)
        for one in insert.multi_insert() if insert.mcount > 1 else (insert,):
            if self._is_mapped(one) or block is None:
                yield one
                continue
            try:
                yield from self._visible(one.virtual_entities(), one)
            except (ValueError, TypeError, ZeroDivisionError) as error:
                self.problems.append(
                    Problem(f"block {insert.dxf.name}", f"cannot be exploded: {error}", "explode it in the drawing")
                )
                return

    def _is_mapped(self, insert: Insert) -> bool:
        layers, blocks = self._mapping.layers, self._mapping.blocks
        return blocks.kind_of(insert.dxf.name) is not None or layers.kind_of(insert.dxf.layer) is not None

    def missing(self) -> Problem:
        """Return the problem that external references are where something is missing."""
        message = f"refers to other drawings (xref), whose lines are not in this file: {', '.join(self.external[:_MAX_LISTED])}"
        return Problem("", message, "bind them (XREF, Bind) and save the drawing again")

    def notes(self) -> Iterator[str]:
        """Yield what is left out: what is hidden, and external references."""
        if self.hidden:
            layers = [f"{layer} ({count:,})" for layer, count in self.hidden.most_common(_MAX_LISTED)]
            more = [f"{len(self.hidden) - _MAX_LISTED} others"] if len(self.hidden) > _MAX_LISTED else []
            yield f"left out, on layers that are frozen or switched off, or invisible: {', '.join(layers + more)}"
        if self.external:
            yield f"left out, external references (xref): {', '.join(self.external[:_MAX_LISTED])}"
