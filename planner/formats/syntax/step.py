"""STEP files as ISO 10303-21 writes them, with the entities of IFC4 that buildings and their equipment need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$"

Point = Sequence[float]


class Entity(str):
    """An argument as written: a reference ``#12``, an enumeration ``.AREA.``, ``$`` or a typed value."""


NONE, DERIVED = Entity("$"), Entity("*")


def enumeration(name: str) -> Entity:
    return Entity(f".{name}.")


def typed(kind: str, value: str | float) -> Entity:
    """Return a value of a defined type, such as ``IFCREAL(0.4)``."""
    return Entity(f"{kind}({_argument(value)})")


class Model:
    """Entities in the order in which they are added; equal points and directions are shared."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lines: list[str] = []
        self._shared: dict[str, Entity] = {}
        self.origin = self.axes((0, 0, 0))

    def add(self, kind: str, *arguments: object) -> Entity:
        """Add an entity and return its reference."""
        self._lines.append(f"{kind}({','.join(map(_argument, arguments))})")
        return Entity(f"#{len(self._lines)}")

    def rooted(self, kind: str, key: str, *arguments: object) -> Entity:
        """Add an entity with an identifier, which follows from the model's name and `key`, and without owner history."""
        return self.add(kind, identifier(f"{self._name}\n{kind}\n{key}"), NONE, *arguments)

    def shared(self, kind: str, *arguments: object) -> Entity:
        """Add an entity unless there is an equal one."""
        text = f"{kind}({','.join(map(_argument, arguments))})"
        if text not in self._shared:
            self._shared[text] = self.add(kind, *arguments)
        return self._shared[text]

    def point(self, at: Point) -> Entity:
        return self.shared("IFCCARTESIANPOINT", [float(value) for value in at])

    def direction(self, to: Point) -> Entity:
        return self.shared("IFCDIRECTION", [float(value) for value in to])

    def axes(self, at: Point, along: Point | None = None) -> Entity:
        """Return a placement with its first axis `along`, by default that of the room."""
        if along is None:
            return self.shared("IFCAXIS2PLACEMENT3D", self.point(at), NONE, NONE)
        return self.shared("IFCAXIS2PLACEMENT3D", self.point(at), self.direction((0, 0, 1)), self.direction(along))

    def box(self, context: Entity, wide: float, deep: float, high: float) -> Entity:
        """Return the shape of a box above the middle of its base."""
        middle = self.shared("IFCAXIS2PLACEMENT2D", self.point((0, 0)), NONE)
        profile = self.shared("IFCRECTANGLEPROFILEDEF", enumeration("AREA"), NONE, middle, float(wide), float(deep))
        solid = self.shared("IFCEXTRUDEDAREASOLID", profile, self.origin, self.direction((0, 0, 1)), float(high))
        body = self.add("IFCSHAPEREPRESENTATION", context, "Body", "SweptSolid", [solid])
        return self.add("IFCPRODUCTDEFINITIONSHAPE", NONE, NONE, [body])

    def properties(self, name: str, key: str, of: Entity, values: Iterable[tuple[str, Entity]]) -> None:
        """Add a property set to an object."""
        single = [self.shared("IFCPROPERTYSINGLEVALUE", label, NONE, value, NONE) for label, value in values]
        made = self.rooted("IFCPROPERTYSET", key, name, NONE, single)
        self.rooted("IFCRELDEFINESBYPROPERTIES", key, NONE, NONE, [of], made)

    def lines(self, author: str) -> Iterator[str]:
        """Yield the lines of the file; it has no date, so that equal plans give equal bytes."""
        yield from ("ISO-10303-21;", "HEADER;", "FILE_DESCRIPTION(('ViewDefinition [ReferenceView_V1.2]'),'2;1');")
        yield f"FILE_NAME({_argument(self._name)},'2000-01-01T00:00:00',(''),(''),{_argument(author)},{_argument(author)},'');"
        yield from ("FILE_SCHEMA(('IFC4'));", "ENDSEC;", "DATA;")
        yield from (f"#{number}={line};" for number, line in enumerate(self._lines, 1))
        yield from ("ENDSEC;", "END-ISO-10303-21;")


def identifier(text: str) -> str:
    """Return an identifier of IFC, 128 bits in 22 characters, that follows from a text.

    >>> identifier("a"), len(identifier("b"))
    ('...', 22)
    """
    number = int.from_bytes(sha256(text.encode()).digest()[:16], "big")
    return "".join(_CHARACTERS[number >> 6 * place & 63] for place in reversed(range(22)))


def _argument(value: object) -> str:
    if isinstance(value, Entity):
        return value
    if isinstance(value, str):
        return f"'{_escaped(value)}'"
    if isinstance(value, float):
        text = f"{value:.6f}".rstrip("0")
        return "0." if text == "-0." else text
    if isinstance(value, int):
        return str(value)
    assert isinstance(value, list | tuple)
    return f"({','.join(map(_argument, value))})"


def _escaped(text: str) -> str:
    r"""Return a text with quotes doubled and other scripts as hexadecimal digits.

    >>> print(_escaped("O'Neil, Saal Süd"))
    O''Neil, Saal S\X2\00FC\X0\d
    """
    found = []
    for c in text:
        if c in "'\\":
            found.append(2 * c)
        elif " " <= c <= "~":
            found.append(c)
        elif c.isprintable():
            digits = c.encode("utf-16-be").hex().upper() if ord(c) < 0x10000 else f"{ord(c):08X}"
            found.append(f"\\X{2 if ord(c) < 0x10000 else 4}\\{digits}\\X0\\")
        else:
            found.append(" ")
    return "".join(found)
