"""Omni-Path links as ``opareport`` lists them in XML: report of links, or snapshot.

Collect with ``opareport -o links -x > links.xml``, or with plugs ``opareport -o links -d 3 -x``; a snapshot of everything with
``opareport -o snapshot > snapshot.xml``. Ports without a link are in neither.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from xml.etree import ElementTree

from planner.fabric.verify.found import HOST, SWITCH, Device, Plug, Port, Reading, Scan
from planner.fabric.verify.readers.syntax.infiniband import joined
from planner.fabric.verify.readers.syntax.lines import Problems, fail, guid, number

_MAX_DEPTH = 40
_LENGTH = re.compile(r"\s*(\d{1,5}(?:\.\d{1,3})?)\s*m?\s*")
_KINDS = {"SW": SWITCH, "FI": HOST, "HFI": HOST}


def recognizes(text: str) -> bool:
    """Return whether it is XML with a report or a snapshot of links."""
    return text.lstrip().startswith("<") and bool(re.search(r"<(?:LinkSummary|Snapshot)\b", text))


def read(text: str, file: str) -> Scan:
    """Return nodes and links, each once."""
    # Only a declaration could refer to other files, or make the text grow when it is parsed.
    if re.search(r"<!\s*(DOCTYPE|ENTITY)", text, re.IGNORECASE):
        fail(file, "declares a document type, which this format does not have", "collect it with opareport")
    found = _Found(file)
    _walk(text, file, {"Link": found.link, "Node": found.node})
    if not found.scan.readings:
        found.problems.add(0, "lists no link")
    found.problems.check()
    return joined(found.scan)


def _walk(text: str, file: str, handlers: dict[str, Callable[[ElementTree.Element], None]]) -> None:
    """Call the handlers for each element that ends; elements are dropped after use."""
    depth = 0
    try:
        for event, element in ElementTree.iterparse(StringIO(text), ("start", "end")):
            depth += 1 if event == "start" else -1
            if depth > _MAX_DEPTH:
                fail(file, f"is nested deeper than {_MAX_DEPTH} levels")
            if event == "end" and element.tag in handlers:
                handlers[element.tag](element)
                element.clear()
    except ElementTree.ParseError as error:
        line, column = error.position
        reason = str(error).partition(":")[0]
        fail(file, f"is not valid XML: {reason} in column {column + 1}", line=line)
    except (ValueError, LookupError) as error:
        # Encodings that the parser does not know.
        fail(file, f"is not valid XML: {error}")


class _Found:
    """What was found up to an element."""

    def __init__(self, file: str):
        self.scan = Scan(file, "opareport")
        self.problems = Problems(file)

    def node(self, element: ElementTree.Element) -> None:
        """Take a node of a snapshot."""
        key = guid(_text(element, "NodeGUID"))
        if not key:
            self.problems.add(0, "has a node without NodeGUID", key=element.get("id", "")[:60])
            return
        system = guid(_text(element, "SystemImageGUID"))
        ports = number(_text(element, "NumPorts")) or 0
        self.scan.devices[key] = Device(key, _text(element, "NodeDesc"), _kind(element), system, (key,), ports=ports)

    def link(self, element: ElementTree.Element) -> None:
        """Take a link of either report."""
        ends = [end for end in element if end.tag in ("Port", "From", "To")]
        ports = [port for end in ends if (port := self._port(end)) is not None]
        if len(ends) != 2 or len(ports) != 2:
            self.problems.add(0, "has a link without two ports", key=f"link {element.get('id', '')[:60]}".strip())
            return
        a, b = ports
        internal = _text(element, "Internal") == "1"
        reading = Reading(a, far=b, state="up", speed=_text(element, "Rate")[:20], internal=internal, plug=_plug(element))
        self.scan.readings.append(reading)

    def _port(self, element: ElementTree.Element) -> Port | None:
        key, port = guid(_text(element, "NodeGUID")), number(_text(element, "PortNum"))
        if not key or port is None:
            return None
        known = self.scan.devices.setdefault(key, Device(key, addresses=(key,)))
        name = _text(element, "NodeDesc")
        if name and not known.name:
            addresses = tuple(dict.fromkeys((*known.addresses, guid(_text(element, "PortGUID")) or key)))
            self.scan.devices[key] = replace(known, name=name, kind=_kind(element) or known.kind, addresses=addresses)
        return Port(key, str(port))


def _kind(element: ElementTree.Element) -> str:
    return _KINDS.get(_text(element, "NodeType").upper(), "")


def _text(element: ElementTree.Element, tag: str) -> str:
    return (element.findtext(tag) or "").strip()[:1000]


def _plug(element: ElementTree.Element) -> Plug | None:
    cable = element.find(".//CableInfo")
    if cable is None or not (_text(cable, "VendorPN") or _text(cable, "VendorSN")):
        return None
    length = _LENGTH.fullmatch(_text(cable, "Length"))
    technology = _text(cable, "DeviceTechShort") or _text(cable, "DeviceTech")
    part, serial = _text(cable, "VendorPN"), _text(cable, "VendorSN")
    return Plug(_text(cable, "VendorName"), part, serial, float(length[1]) if length else None, technology)
