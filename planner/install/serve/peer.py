"""Whose connection it is that comes from this machine: the kernel knows the user of each socket."""

from __future__ import annotations

import ipaddress
import os
import struct
from pathlib import Path

TABLES = {4: Path("/proc/net/tcp"), 6: Path("/proc/net/tcp6")}
"""Tables of connections of the kernel, by the version of their addresses."""


def is_own(address: str, port: int, server_port: int) -> bool:
    """Return whether the other end of a connection on this machine is a program of the user who runs this one.

    A proxy is usually one of another user. Where the kernel has no such table, or the connection has ended, nothing is known, and
    the answer is yes.
    """
    user = _user(address, port, server_port)
    return user is None or user == os.getuid()


def _user(address: str, port: int, server_port: int) -> int | None:
    try:
        found = ipaddress.ip_address(address)
        lines = TABLES[found.version].read_text(encoding="ascii").splitlines()[1:]
    except (ValueError, OSError):
        return None
    words = struct.unpack(f"={len(found.packed) // 4}I", found.packed)
    local, far = f"{''.join(f'{word:08X}' for word in words)}:{port:04X}", f":{server_port:04X}"
    for line in lines:
        fields = line.split()
        if len(fields) > 7 and fields[1] == local and fields[2].endswith(far):
            return int(fields[7])
    return None
