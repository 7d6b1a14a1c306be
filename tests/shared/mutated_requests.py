"""Requests that are almost right: every door with its parts changed at random, from a seed."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

from shared.served import event

VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 2**31, 2**53, 2**63, 2**70, 1e308, -0.5, "", "x", "=cmd|' /C calc'!A0", "+1",
    "@SUM(A1)",
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "\u0000", "\u202e", "\ud83d\ude00", "\r\nX: y",
    "a" * 3000,
    "../../etc/passwd", "${7*7}", "'; DROP TABLE event; --", [], {}, [[[[]]]], {"a": {"b": [1]}}, [None] * 50, "NaN",
    "1e5",
    "00000000-0000-0000-0000-000000000000", "\ufeff", "as planned", "R1 99999999999", "R1 ²", "yes", "device", "a",
    "local", "os.path", "planner.commands.console.cli", "subprocess.run", "a.b", "\ud83d", 10**400, -(10**400),
]  # fmt: skip

TYPES = (
    "application/json", "text/plain", "multipart/form-data", "multipart/form-data; boundary=",
    "multipart/form-data; boundary=" + "b" * 500,
    "application/x-www-form-urlencoded", "image/jpeg", "", "application/json; charset=utf-16",
    "\u00ff".encode("latin-1").decode("latin-1"),
)  # fmt: skip

HEADERS = (
    "Range", "If-None-Match", "Accept-Encoding", "Content-Encoding", "Transfer-Encoding", "Content-Length",
    "X-Forwarded-For",
    "Host", "Cookie", "X-HTTP-Method-Override", "Expect", "If-Modified-Since", "Accept", "Connection", "Upgrade",
    "X-Planner",
)  # fmt: skip

PIECES = (
    "..", ".", "%2e%2e", "%2f", "%00", "//", "\\", "%5c", "%c0%af", "~", "?", "#", ";a=b", "%ff", "%", "%zz", "api",
    "static", "plan", "etc",
    "A" * 2000, "%u0000", "index.html", "app.py", "site.db", "C:", "con", "%0d%0a", "*", "{name}", "137A", "-1", "0",
    "999999999999",
)  # fmt: skip


@dataclass(frozen=True)
class Sent:
    """One request; `content` is its body as values, or as bytes."""

    method: str
    path: str
    content: Any = None
    headers: dict[str, str | bytes] = field(default_factory=dict)

    @property
    def body(self) -> bytes:
        if isinstance(self.content, bytes):
            return self.content
        # Half a pair of surrogates is no text: it is sent as an escape.
        return b"" if self.content is None else json.dumps(self.content).encode()


def right(png: bytes, scan: bytes) -> list[Sent]:
    """Return a right request for every door that writes, and for those with parts in the address."""
    form = b'--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n' + scan + b"\r\n--b--\r\n"
    multipart: dict[str, str | bytes] = {"Content-Type": "multipart/form-data; boundary=b"}
    return [
        Sent("POST", "/api/install/events", {"events": [event(), event(2, "plugged", "R1 2", "a")]}),
        Sent("POST", "/api/install/events", {"events": [event(4, "remark", "=1+1",
        plan="0" * 16, seen=3, undoes="")]}),
        Sent("POST", "/api/install/photo", png),
        Sent("POST", "/api/install/scan", {"text": "HTTP://10.0.0.5/C/3A"}, {"Content-Type": "application/json"}),
        Sent("POST", "/api/install/scan", png, {"Content-Type": "image/png"}),
        Sent("POST", "/api/install/scan/texts", png, {"Content-Type": "image/png"}),
        Sent("POST", "/api/access", {"crew": "blue", "role": "crew", "hours": 1}),
        Sent("DELETE", "/api/access/blue"),
        Sent("POST", "/api/verify", form, multipart),
        Sent("POST", "/api/verify/accept", {"cables": [1, 2]}),
        Sent("POST", "/api/board/tasks", {"tasks": {"1": 2}}),
        *(Sent("GET", path) for path in (
            "/", "/install", "/board", "/c/3A", "/C/3A", "/k/ABCDEFGHIJKLMNOPQRSTUVWXYZ", "/api/me",
            "/api/install/cables",
            "/api/install/events?after=1&mark=0", "/api/install/history?cable=1", "/api/install/history?device=R001",
            "/D/R001", "/T/1", "/api/install/photo/ab", "/api/board",
            "/api/board/remaining.csv", "/api/board/exports",
            "/api/board/exports/statistics", "/api/access", "/api/audit", "/api/verify/cards", "/authority.crt",
            "/static/install/index.html",
            "/static/plan/app.js", "/api/plan",
        )),
    ]  # fmt: skip


def right_for_planners() -> list[Sent]:
    """Return right requests for the doors of planning and of rooms, but for those that start long work or save."""
    moves = (
        {"kind": "cabinet", "what": "A01", "to": "A02"}, {"kind": "device", "what": "R000", "to": "A03", "unit": 20},
        {"kind": "pin", "what": "R001"}, {"kind": "unpin", "what": "R001"}, {"kind": "row", "what": "A", "to": "A"},
    )  # fmt: skip
    steps = (
        {"do": "new"}, {"do": "undo"}, {"do": "redo"},
        {"do": "outline", "corners_mm": [[0, 0], [9000, 0], [9000, 7000], [0, 7000]]},
        {"do": "fill", "cold_mm": 1800, "hot_mm": 1200}, {"do": "facts", "keys": {"title": "Hall"}},
        {"do": "change", "kind": "tray", "name": "row A", "keys": {"width_mm": 450}},
        {"do": "add", "kind": "obstacle", "table": {"kind": "keep-out", "at_mm": [100, 6000], "size_mm": [500, 500]}},
        {"do": "columns", "at_mm": [4000, 1500], "size_mm": [400, 400], "pitch_mm": [5000, 0], "count": [2, 1]},
        {"do": "move", "kind": "row", "name": "A", "by_mm": [0, 100]}, {"do": "remove", "kind": "row", "name": "A"},
    )  # fmt: skip
    form = b'--b\r\nContent-Disposition: form-data; name="drawing"; filename="a.dxf"\r\n\r\n  0\nSECTION\n  0\nEOF\n\r\n--b--\r\n'
    paths = ("/planning", "/rooms", "/api/planning/floor", "/api/planning/state", "/api/planning/variants?a=start&b=now",
             "/api/planning/what-if", "/api/planning/improve", "/api/planning/newer", "/api/rooms",
             "/api/rooms/plan")  # fmt: skip
    return [
        *(Sent("POST", "/api/planning/moves", {"moves": [each]}) for each in moves),
        Sent("POST", "/api/planning/undo"), Sent("POST", "/api/planning/redo"), Sent("POST", "/api/planning/newer"),
        Sent("POST", "/api/planning/near-misses", {"number": 0, "by": "unit"}),
        Sent("POST", "/api/planning/variants", {"name": "one"}),
        Sent("POST", "/api/planning/variants", {"take": True, "name": "one"}),
        Sent("POST", "/api/planning/improve/best"), Sent("DELETE", "/api/planning/improve"),
        *(Sent("POST", "/api/rooms", each) for each in steps),
        Sent("POST", "/api/rooms/drawing", form, {"Content-Type": "multipart/form-data; boundary=b"}),
        *(Sent("GET", path) for path in paths),
    ]  # fmt: skip


def right_for_work() -> list[Sent]:
    """Return right requests that start long work, or save its result."""
    return [
        Sent("POST", "/api/planning/what-if", {"tray_width_percent": 120, "keep_free": 0.1}),
        Sent("POST", "/api/planning/what-if", {"row_without_power": "A"}), Sent("POST", "/api/planning/improve"),
        Sent("POST", "/api/planning/count"), Sent("POST", "/api/planning/save", {"as": "layout"}),
        Sent("POST", "/api/rooms/plan"),
        Sent("POST", "/api/rooms/save", {}), Sent("POST", "/api/rooms/plan/save", {}),
    ]  # fmt: skip


def mutated(base: list[Sent], count: int, seed: int) -> Iterator[Sent]:
    """Yield requests, each with one to three changes."""
    draw = random.Random(seed)
    for _ in range(count):
        made = draw.choice(base)
        for _ in range(draw.randint(1, 3)):
            made = draw.choice((_values, _bytes, _path, _query, _header, _method))(made, draw)
        yield made


def _values(sent: Sent, draw: random.Random) -> Sent:
    """Change a value somewhere in the body, leave it out, or add one."""
    if not isinstance(sent.content, dict | list):
        return _bytes(sent, draw)
    made = copy.deepcopy(sent.content)
    place = made
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys or draw.random() < 0.1:
            break
        key = draw.choice(keys)
        if isinstance(place[key], dict | list) and draw.random() < 0.8:
            place = place[key]
        elif draw.random() < 0.15:
            del place[key]
            break
        else:
            place[key] = copy.deepcopy(draw.choice(VALUES))
            break
    return replace(sent, content=made)


def _bytes(sent: Sent, draw: random.Random) -> Sent:
    body = bytearray(sent.body)
    at = draw.randrange(len(body) + 1)
    match draw.randrange(4):
        case 0 if body:
            body[min(at, len(body) - 1)] ^= 1 << draw.randrange(8)
        case 1:
            del body[at:]
        case 2:
            body[at:at] = draw.randbytes(draw.randint(1, 40))
        case _:
            body[at:at] = draw.choice((b"[" * 5000, b'{"a":' * 2000, b"\xff\xfe", b"NaN", b"1" * 5000, b"\x00"))
    return replace(sent, content=bytes(body))


def _path(sent: Sent, draw: random.Random) -> Sent:
    path, mark, query = sent.path.partition("?")
    parts = path.split("/")
    at = draw.randrange(1, len(parts))
    piece = draw.choice(PIECES)
    parts[at : at + draw.randrange(2)] = [piece if draw.random() < 0.5 else quote(piece)]
    return replace(sent, path="/".join(parts) + mark + query)


def _query(sent: Sent, draw: random.Random) -> Sent:
    value = draw.choice(VALUES)
    name = draw.choice(("after", "mark", "cable", "device", "a", "b", "x", "after[]"))
    text = value if isinstance(value, str) else json.dumps(value)
    return replace(sent, path=f"{sent.path.partition('?')[0]}?{name}={quote(text, errors='replace')}")


def _header(sent: Sent, draw: random.Random) -> Sent:
    if draw.random() < 0.4:
        return replace(sent, headers={**sent.headers, "Content-Type": draw.choice(TYPES).encode("latin-1")})
    value = draw.choice((b"", b"0", b"-1", b"\xff", b"a" * 5000, b"identity", b"planner=x; planner=y", b"bytes=0-1", b"gzip;q=x"))
    return replace(sent, headers={**sent.headers, draw.choice(HEADERS): value})


def _method(sent: Sent, draw: random.Random) -> Sent:
    return replace(sent, method=draw.choice(("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND")))
