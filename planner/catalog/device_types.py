"""Import of device types of NetBox' device-type library as rows of a catalog."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

from planner.catalog import rows
from planner.checking import checked
from planner.errors import InputError, Problem, suggestion
from planner.parts import KINDS
from planner.reading import MAX_DEPTH, construct, text
from planner.storage import replacing

MAX_BYTES = 2**20
"""Maximum size of a file; the largest of the library have some 100 kB."""

_GRAMS = {"kg": 1000.0, "g": 1.0, "lb": 453.59237, "oz": 28.349523125}

_INFINIBAND = {"qdr": ("QSFP+", 40), "fdr": ("QSFP+", 56), "edr": ("QSFP28", 100), "hdr": ("QSFP56", 200)}
"""Usual sockets of a generation; later ones have several."""

_SOCKETS = {
    "sfp": "SFP", "sfpp": "SFP+", "sfp28": "SFP28", "qsfpp": "QSFP+", "qsfp28": "QSFP28", "qsfp56": "QSFP56",
    "qsfp112": "QSFP112", "qsfpdd": "QSFP-DD", "osfp": "OSFP", "osfp-rhs": "OSFP-RHS",
}  # fmt: skip

_NEEDED = ("power_typical_mw", "power_max_mw", "mass_g", "delay_ps", "price_cents")
"""Figures that a row needs and that the library seldom or never has."""


@checked()
def import_device_type(
    path: Path | str,
    out: Path | str,
    *,
    kind: Literal["router", "endpoint"] = "router",
    like: str | None = None,
    given: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Write the row of a device type as a catalog file and return it.

    Parameters
    ----------
    path
        A YAML file of the library.
    out
        The catalog file to write.
    kind
        Kind of row.
    like
        Id of a row of this kind, whose figures replace those that the file lacks; they are listed as estimates.
    given
        Keys of the row by the user; they come first.

    Raises
    ------
    InputError
        When the file is no device type, an interface has an unknown socket, or figures are missing.
    ModuleNotFoundError
        Without PyYAML.

    References
    ----------
    .. [1] netbox-community/devicetype-library, schema/devicetype.json and schema/components.json.
    """
    import tomli_w

    content = _content(Path(path))
    row = _row(content, kind, Path(path).name) | dict(given or {})
    missing = [key for key in _NEEDED if key not in row and key in _keys(kind)]
    if missing and like is not None:
        other = _like(kind, like)
        row |= {key: getattr(other, key) for key in missing}
        row["note"] += f" Figures of {like}: {', '.join(missing)}."
        row["estimates"] = sorted({*row["estimates"], *missing})
        missing = []
    if missing:
        remedy = "give them, --set delay_ps=300000, or a row that is alike, --like ID"
        raise InputError(Problem(", ".join(missing), "the file has no such figures, and a row needs them", remedy, str(path)))
    place = f"{kind} {row['id']}"
    made = construct(KINDS[kind].cls, row, file=str(path), section=place)
    if problems := list(made.problems()):
        raise InputError(problems).located(str(path), place)
    with replacing(Path(out)) as temporary:
        temporary.write_text(tomli_w.dumps({kind: [row]}), encoding="utf-8")
    return row


def _keys(kind: str) -> tuple[str, ...]:
    return tuple(KINDS[kind].cls.__dataclass_fields__)


def _like(kind: str, name: str) -> Any:
    known = {row.id: row for row in rows(kind)}
    if name not in known:
        raise InputError(Problem("--like", f"there is no {kind} {name!r}", suggestion(name, known)))
    return known[name]


def _content(path: Path) -> dict[str, Any]:
    """Return the data of a file: one document without anchors, since aliases can unpack to any size."""
    import yaml

    content = text(path, MAX_BYTES)
    try:
        depth = 0
        for event in yaml.parse(content, yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent):
                raise InputError(Problem("", "contains aliases", "write their values", str(path)))
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_DEPTH:
                raise RecursionError
        data = yaml.safe_load(content)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        message = f"is not valid YAML: {getattr(error, 'problem', None) or 'it cannot be read'}"
        raise InputError(Problem("", message, "correct it", str(path), mark.line + 1 if mark else 0)) from None
    except (RecursionError, ValueError) as error:
        message = "is nested too deeply" if isinstance(error, RecursionError) else f"has a wrong value: {error}"
        raise InputError(Problem("", message, "correct it", str(path))) from None
    problems = list(_problems(data))
    if problems:
        raise InputError(problems).located(str(path))
    return data


def _problems(data: Any) -> Iterator[Problem]:
    """Yield what the schema of the library forbids, as far as it is read here."""
    if not isinstance(data, dict):
        yield Problem("", "is not a device type", "give a file of device-types/ of the library")
        return
    for key in ("manufacturer", "model", "slug"):
        if not isinstance(data.get(key), str) or not data[key].strip():
            yield Problem(key, "is missing or not a text", f"add {key}: …")
    for key, kinds in (("u_height", (int, float)), ("weight", (int, float)), ("weight_unit", str)):
        value = data.get(key, 0 if kinds is not str else "kg")
        if not isinstance(value, kinds) or isinstance(value, bool) or (kinds is not str and not 0 <= value < 10**6):
            yield Problem(key, f"{str(value)[:80]} is not {'a text' if kinds is str else 'a number from 0'}", "correct it")
    if isinstance(data.get("weight_unit"), str) and data["weight_unit"] not in _GRAMS:
        yield Problem("weight_unit", f"{data['weight_unit']!r} is not a unit of mass", f"use {', '.join(_GRAMS)}")
    for key in ("interfaces", "power-ports", "module-bays"):
        entries = data.get(key, [])
        if not isinstance(entries, list) or not all(
            isinstance(each, dict) and isinstance(each.get("name"), str) for each in entries
        ):
            yield Problem(key, "is not a list of entries with a name", "correct it")


def _row(data: dict[str, Any], kind: str, file: str) -> dict[str, Any]:
    """Return the keys of the row that the file has; estimates are what it does not state outright."""
    slug, maker = _slug(data["slug"]), _slug(data["manufacturer"])
    row: dict[str, Any] = {"id": slug if slug.startswith(f"{maker}-") else f"{maker}-{slug}"}
    estimates: set[str] = set()
    row["units"] = max(1, -(-int(2 * data.get("u_height", 1)) // 2))
    if "weight" in data:
        row["mass_g"] = round(data["weight"] * _GRAMS[data.get("weight_unit", "kg")])
    left = _ports(data.get("interfaces", []), kind, row, estimates)
    supplies = data.get("power-ports", [])
    bays = [bay for bay in data.get("module-bays", []) if re.match(r"psu|power", bay["name"], re.IGNORECASE)]
    if supplies or bays:
        row["psu_count"] = len(supplies) or len(bays)
    for key, name in (("maximum_draw", "power_max_mw"), ("allocated_draw", "power_typical_mw")):
        draws = [each[key] for each in supplies if isinstance(each.get(key), int) and each[key] > 0]
        if draws:
            # One supply carries the box when the other fails, as in most boxes: the file does not state it.
            row[name] = 1000 * max(draws)
            estimates.add(name)
    notes = ["Imported; power: draw of one supply, the others being spare." if "power_max_mw" in row else "Imported."]
    notes += [f"Left out: {left}."] if left else []
    part = f" ({data['part_number']})" if isinstance(data.get("part_number"), str) else ""
    source = f"netbox devicetype-library, {data['manufacturer']} {data['model']}{part}, file {file}"
    return row | {"source": source, "confidence": "B", "estimates": sorted(estimates), "note": " ".join(notes)}


def _ports(interfaces: list[dict[str, Any]], kind: str, row: dict[str, Any], estimates: set[str]) -> str:
    """Add the ports to a row: the group with the highest bandwidth are its ports; return the interfaces that are left out."""
    groups: dict[tuple[str, int], list[str]] = {}
    unknown: dict[str, int] = {}
    for interface in interfaces:
        type_ = str(interface.get("type", ""))
        found = _socket(type_)
        if interface.get("mgmt_only") is True:
            row["mgmt_connector"] = (found or ("RJ45", 1))[0]
        elif found is None:
            unknown[type_] = unknown.get(type_, 0) + 1
        else:
            groups.setdefault(found, []).append(interface["name"])
            if type_.startswith("infiniband"):
                estimates.add("connector")
    if not groups:
        listed = ", ".join(f"{count} {type_}" for type_, count in unknown.items()) or "none"
        raise InputError(
            Problem("interfaces", f"none has a socket of the catalog: {listed}", f"sockets are {', '.join(_SOCKETS.values())}")
        )
    main = max(groups, key=lambda each: each[1] * len(groups[each]))
    count = "ports" if kind == "router" else "endpoints"
    row |= {count: len(groups[main]), "connector": main[0], "rate_gbps": main[1]}
    per_cage = _per_cage(groups[main])
    if per_cage > 1 and kind == "router":
        row["ports_per_cage"] = per_cage
    if len(groups) > 1:
        row["port"] = [
            {"name": "ports" if group == main else _slug(f"{group[0]}-{group[1]}g"), "count": len(names),
             "ports_per_cage": _per_cage(names), "connector": group[0], "rate_gbps": group[1]}
            for group, names in groups.items()
        ]  # fmt: skip
    return ", ".join(f"{count} of type {type_ or 'unknown'}" for type_, count in unknown.items())


def _socket(type_: str) -> tuple[str, int] | None:
    """Return socket and rate in Gb/s of a type of interface.

    >>> _socket("200gbase-x-qsfp56"), _socket("infiniband-hdr"), _socket("1000base-t"), _socket("virtual")
    (('QSFP56', 200), ('QSFP56', 200), ('RJ45', 1), None)
    """
    if found := re.fullmatch(r"infiniband-(\w+)", type_):
        return _INFINIBAND.get(found[1])
    if type_ == "1000base-x-sfp":
        return "SFP", 1
    if found := re.fullmatch(r"(1000|[\d.]+g)base-t", type_):
        rate = found[1]
        return ("RJ45", 1) if rate == "1000" else ("RJ45", int(rate[:-1])) if rate[:-1].isdecimal() else None
    found = re.fullmatch(r"(\d+)gbase-x-([\w-]+)", type_)
    if not found or found[2] not in _SOCKETS:
        return None
    connector, rate_gbps = _SOCKETS[found[2]], int(found[1])
    return ("QSFP-DD800" if (connector, rate_gbps) == ("QSFP-DD", 800) else connector), rate_gbps


def _per_cage(names: list[str]) -> int:
    """Return the ports of a cage where names end with ``cage/port`` and every cage has as many.

    >>> _per_cage(["IB1/1", "IB1/2", "IB2/1", "IB2/2"]), _per_cage(["Ethernet1/1", "Ethernet2/1"]), _per_cage(["swp1", "swp2"])
    (2, 1, 1)
    """
    heads = sorted(name.rpartition("/")[0] for name in names)
    counts = {len(list(group)) for _, group in groupby(heads)}
    return counts.pop() if "" not in heads and len(counts) == 1 and len(set(heads)) > 1 else 1


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
