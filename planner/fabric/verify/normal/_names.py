"""Node descriptions and system names: the name of the box, the chip in it, and the adapter."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_UNIT = re.compile(r"^(.*?)((?:/(?:[LSU]\d+))+)(?:/P\d+)?$", re.IGNORECASE)
_ADAPTER = re.compile(
    r"^(?:HCA-?\d+|mlx[45]_\w+|i[bw]p\w+|ib\d+|ibs\w+|rocep\w+|roces\w+|hfi1_\d+|hfi\d+|qib\d+|bnxt_re\d+|irdma\d+"
    r"|hsn\d+|cxi\d+|en[a-z]\w+|eth\d+)$",
    re.IGNORECASE,
)
_PORT = re.compile(r":\d+$|/P\d+$", re.IGNORECASE)
_DOMAIN = re.compile(r"^([A-Za-z0-9_-]+)\.(?=[^.]*[A-Za-z])[\w.-]+$")
_DEFAULT = re.compile(
    r"mellanox technologies|voltaire|infiniscale|^mt\d{3,6}\b|^(?:switchx|switchib|switch-ib|quantum|connectx)\b"
    r"|^localhost\b|^switch-[0-9a-f]{6,12}$|^[a-z]?-?(?:0x)?[0-9a-f]{12,16}$|^(?:[0-9a-f]{2}[:.-]){5}[0-9a-f]{2}$"
    r"|^(?:\(none\)|none|unknown|not advertised|n/a|host|switch|router|cumulus|sonic|nvos|amnesiac|ubuntu|debian|linux)$",
    re.IGNORECASE,
)
_AGGREGATION = re.compile(r"aggregation node|^fnma?\d*$", re.IGNORECASE)


class Described(NamedTuple):
    """A description in its parts; `name` is empty where it is a default of the maker or of the operating system."""

    name: str
    unit: str = ""
    adapter: str = ""
    aggregation: bool = False


@lru_cache(maxsize=1 << 18)
def parts_of(description: str) -> Described:
    """Return a node description or system name in its parts.

    >>> parts_of("MF0;R012:MSB7800/U1")
    Described(name='R012', unit='U1', adapter='', aggregation=False)
    >>> parts_of("MF0;big:MCS8500/L16/U2").unit, parts_of("big/S01/U1").name, parts_of("E140 mlx5_0").adapter
    ('L16/U2', 'big', 'mlx5_0')
    >>> [parts_of(text).name for text in ("MT4123   Mellanox Technologies", "localhost mlx5_1", "R1.site.org", "10.0.0.1")]
    ['', '', 'R1', '10.0.0.1']
    """
    text = " ".join(description.replace("\0", "").strip().strip("'\"").split())
    if _AGGREGATION.search(text):
        return Described("", aggregation=True)
    unit = adapter = ""
    if re.match(r"MF\d;", text, re.IGNORECASE):
        name, _, model = text.partition(";")[2].partition(":")
        unit = model.partition("/")[2]
    else:
        name = text
        words = name.split(" ")
        if len(words) == 2 and _ADAPTER.match(_PORT.sub("", words[1])):
            name, adapter = words[0], _PORT.sub("", words[1])
        name = _PORT.sub("", name)
        if match := _UNIT.match(name):
            name, unit = match[1], match[2][1:]
    if match := _DOMAIN.match(name):
        name = match[1]
    if not name or _DEFAULT.search(name):
        name = ""
    return Described(name, unit, adapter)


def is_address(key: str) -> bool:
    """Return whether a key is a GUID or MAC address in the form of keys, or with separators."""
    return bool(re.fullmatch(r"(?:0x)?(?:[0-9a-f]{16}|[0-9a-f]{12})", plain(key)))


def plain(key: str) -> str:
    """Return an address without separators in lower case; other keys as they are, in lower case.

    >>> plain("0C:42:A1:a0:09:80"), plain("R001")
    ('0c42a1a00980', 'r001')
    """
    text = key.strip().casefold()
    return re.sub(r"[:.-]", "", text) if re.fullmatch(r"[0-9a-f]{2,4}([:.-][0-9a-f]{2,4})+", text) else text


def tokens_of(address: str) -> tuple[str, ...]:
    """Return the forms of an address: itself, and the MAC address inside of a GUID.

    >>> tokens_of("7cfe900300a00440"), tokens_of("7cfe90a00440"), tokens_of("0000000000000000")
    (('7cfe900300a00440', '7cfe90a00440'), ('7cfe90a00440',), ())
    """
    text = plain(address).removeprefix("0x")
    if not re.fullmatch(r"[0-9a-f]{16}|[0-9a-f]{12}", text) or set(text) <= {"0"} or set(text) <= {"f"}:
        return ()
    if len(text) == 16 and text[6:10] in ("0300", "fffe"):
        return text, text[:6] + text[10:]
    return (text,)
