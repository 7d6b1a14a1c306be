"""Import of device types of NetBox' device-type library as rows of a catalog."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge

from planner.core.checking import checked
from planner.core.errors import InputError, Problem, suggestion
from planner.core.reading import MAX_DEPTH, construct, limits, text
from planner.core.storage import replacing
from planner.domain.catalog import rows
from planner.domain.catalog._interfaces import add_ports, slug_of
from planner.domain.parts import KINDS

MAX_BYTES = 2**20
"""Maximum size of a file; the largest of the library have some 100 kB."""

_GRAMS = {"kg": 1000.0, "g": 1.0, "lb": 453.59237, "oz": 28.349523125}

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
    spare_supplies: Annotated[int, Ge(0)] | None = None,
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
        Id of a row of this kind, whose figures replace those that the file lacks; they are listed as estimates. One of the two
        powers is in that row's proportion to the one that the file states.
    given
        Keys of the row by the user; they come first.
    spare_supplies
        Number of power supplies that carry nothing while all others work; by default half of them, rounded down.

    Raises
    ------
    InputError
        When the file is no device type, it takes no rack units of its own, no interface has a known socket, or figures are
        missing.
    ModuleNotFoundError
        Without PyYAML.

    References
    ----------
    .. [1] netbox-community/devicetype-library, schema/devicetype.json and schema/components.json.
    """
    row = _imported(Path(path), kind, like, given, spare_supplies)
    _write([row], kind, out)
    return row


@checked()
def import_device_types(
    folder: Path | str,
    out: Path | str,
    *,
    kind: Literal["router", "endpoint"] = "router",
    like: str | None = None,
    given: Mapping[str, Any] | None = None,
    spare_supplies: Annotated[int, Ge(0)] | None = None,
) -> tuple[list[dict[str, Any]], dict[Path, InputError]]:
    """Write the rows of all device types below a folder as one catalog file; return them, and why other files are refused.

    Parameters
    ----------
    folder
        A folder of the library, such as ``device-types``.
    out, kind, like, given, spare_supplies
        As for `import_device_type`.

    Raises
    ------
    InputError
        When no file can be imported.
    """
    found: dict[str, dict[str, Any]] = {}
    refused: dict[Path, InputError] = {}
    for path in sorted(each for each in Path(folder).rglob("*") if each.suffix in (".yaml", ".yml")):
        try:
            row = _imported(path, kind, like, given, spare_supplies)
            if row["id"] in found:
                raise InputError(Problem("slug", f"another file has the same id: {row['id']}", "give another slug", str(path)))
            found[row["id"]] = row
        except InputError as error:
            refused[path] = error
    if not found:
        first = next(iter(refused.values()), InputError(Problem("", "holds no YAML file", "give device-types/", str(folder))))
        raise InputError(first.problems)
    _write([*found.values()], kind, out)
    return [*found.values()], refused


def _write(made: list[dict[str, Any]], kind: str, out: Path | str) -> None:
    import tomli_w

    with replacing(Path(out)) as temporary:
        temporary.write_text(tomli_w.dumps({kind: made}), encoding="utf-8")


def _imported(path: Path, kind: str, like: str | None, given: Mapping[str, Any] | None, spare: int | None) -> dict[str, Any]:
    """Return the row of a file."""
    content, given = _content(path), dict(given or {})
    row = _row(content, kind, path, given, spare) | given
    missing = [key for key in _NEEDED if key not in row and key in _keys(kind)]
    if missing and like is not None:
        row |= _figures(row, _like(kind, like), missing)
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
    return row


def _keys(kind: str) -> tuple[str, ...]:
    return tuple(KINDS[kind].cls.__dataclass_fields__)


def _like(kind: str, name: str) -> Any:
    known = {row.id: row for row in rows(kind)}
    if name not in known:
        raise InputError(Problem("--like", f"there is no {kind} {name!r}", suggestion(name, known)))
    return known[name]


def _figures(row: Mapping[str, Any], other: Any, missing: list[str]) -> dict[str, Any]:
    """Return the figures of another row; one of the two powers in the other row's proportion to the one that the row has."""
    found = {key: getattr(other, key) for key in missing}
    typical_mw, max_mw = other.power_typical_mw, other.power_max_mw
    if "power_typical_mw" in missing and "power_max_mw" in row and max_mw:
        found["power_typical_mw"] = round(row["power_max_mw"] * typical_mw / max_mw)
    if "power_max_mw" in missing and "power_typical_mw" in row and typical_mw:
        found["power_max_mw"] = round(row["power_typical_mw"] * max_mw / typical_mw)
    return found


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
        data = _constructed(content)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        message = f"is not valid YAML: {getattr(error, 'problem', None) or 'it cannot be read'}"
        raise InputError(Problem("", message, "correct it", str(path), mark.line + 1 if mark else 0)) from None
    except RecursionError:
        raise InputError(Problem("", "is nested too deeply", "correct it", str(path))) from None
    problems = list(_problems(data)) or list(limits(data))
    if problems:
        raise InputError(problems).located(str(path))
    return data


def _constructed(content: str) -> Any:
    """Return the data of a text without aliases."""
    import yaml

    class Loader(yaml.SafeLoader):  # type: ignore[misc]  # the library has no types
        """Values that do not fit their tags, as of !!int, raise exceptions of many types: here one, with their line."""

        def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
            try:
                return super().construct_object(node, deep)
            except (yaml.YAMLError, RecursionError):
                raise
            except Exception:
                shown = repr(node.value[:80]) if isinstance(node, yaml.ScalarNode) else "a collection"
                problem = f"{shown} is not of the kind {node.tag.rpartition(':')[2]}"
                raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark) from None

    return yaml.load(content, Loader)  # a safe loader


def _problems(data: Any) -> Iterator[Problem]:
    """Yield what the schema of the library forbids, as far as it is read here."""
    if not isinstance(data, dict):
        yield Problem("", "is not a device type", "give a file of device-types/ of the library")
        return
    for key in ("manufacturer", "model", "slug"):
        # Older files have no slug, and models may be numbers.
        if key == "slug" and key not in data:
            continue
        if not isinstance(data.get(key), str) or not data[key].strip():
            yield Problem(key, "is missing or not a text", f"add {key}: …")
    for key, kinds in (("u_height", (int, float)), ("weight", (int, float)), ("weight_unit", str)):
        value = data.get(key, 0 if kinds is not str else "kg")
        if not isinstance(value, kinds) or isinstance(value, bool) or (not isinstance(value, str) and not 0 <= value < 10**6):
            yield Problem(key, f"{str(value)[:80]} is not {'a text' if kinds is str else 'a number from 0'}", "correct it")
    if isinstance(data.get("weight_unit"), str) and data["weight_unit"] not in _GRAMS:
        yield Problem("weight_unit", f"{data['weight_unit']!r} is not a unit of mass", f"use {', '.join(_GRAMS)}")
    for key in ("interfaces", "power-ports", "module-bays"):
        entries = data.get(key, [])
        if not isinstance(entries, list) or not all(
            isinstance(each, dict) and isinstance(each.get("name"), str) for each in entries
        ):
            yield Problem(key, "is not a list of entries with a name", "correct it")


def _row(data: dict[str, Any], kind: str, path: Path, given: Mapping[str, Any], spare: int | None) -> dict[str, Any]:
    """Return the keys of the row that the file has; estimates are what it does not state outright."""
    slug, maker = slug_of(data.get("slug", data["model"])), slug_of(data["manufacturer"])
    row: dict[str, Any] = {"id": slug if slug.startswith(f"{maker}-") else f"{maker}-{slug}"}
    estimates: set[str] = set()
    notes = ["Imported."]
    row["units"] = _units(data, path, given)
    if not data.get("u_height", 1):
        estimates.add("units")
        notes.append("The file states 0 rack units: not mounted in units, or inside of another device.")
    if "weight" in data:
        row["mass_g"] = round(data["weight"] * _GRAMS[data.get("weight_unit", "kg")])
    bays = data.get("module-bays", [])
    left = add_ports(data.get("interfaces", []), kind, row, estimates, len(bays))
    notes += _power(data.get("power-ports", []), bays, row, estimates, spare)
    notes += [f"Left out: {left}."] if left else []
    if data.get("subdevice_role") == "parent":
        notes.append("Devices in its bays are not part of it.")
    part = f" ({data['part_number']})" if isinstance(data.get("part_number"), str) else ""
    source = f"netbox devicetype-library, {data['manufacturer']} {data['model']}{part}, file {path.name}"
    return row | {"source": source, "confidence": "B", "estimates": sorted(estimates), "note": " ".join(notes)}


def _units(data: dict[str, Any], path: Path, given: Mapping[str, Any]) -> int:
    """Return the rack units of a device, at least 1; a device inside of another one has none of its own."""
    if data.get("subdevice_role") == "child" and "units" not in given:
        message = "is a device inside of another one, which takes the rack units"
        raise InputError(Problem("subdevice_role", message, "import that one, or give --set units=1", str(path)))
    return max(1, -(-int(2 * data.get("u_height", 1)) // 2))


def _power(
    supplies: list[dict[str, Any]], bays: list[dict[str, Any]], row: dict[str, Any], estimates: set[str], spare: int | None
) -> list[str]:
    """Add power supplies and power to a row; return notes.

    The file states the draw of each supply, and not how many of them are spare: by default half of them, rounded down, the other
    ones carry the box.
    """
    count = len(supplies) or sum(re.match(r"psu|power", bay["name"], re.IGNORECASE) is not None for bay in bays)
    if count:
        row["psu_count"] = count
    carrying = count - min(count - 1, count // 2 if spare is None else spare)
    notes = []
    for key, name in (("maximum_draw", "power_max_mw"), ("allocated_draw", "power_typical_mw")):
        draws = sorted((each[key] for each in supplies if _is_draw(each.get(key))), reverse=True)
        if draws:
            row[name] = 1000 * sum(draws[:carrying])
            estimates.add(name)
            notes = [f"Power: the sum of {carrying} of {count} supplies, the others being spare."] if count > 1 else []
    if row.get("power_typical_mw", 0) > row.get("power_max_mw", row.get("power_typical_mw", 0)):
        # Exchanged in some files.
        row["power_typical_mw"], row["power_max_mw"] = row["power_max_mw"], row["power_typical_mw"]
    return notes


def _is_draw(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 10**6
