"""Floor plans spoiled at random: a room, or a list of problems with their place; never another exception or endless loop."""

import copy
import random
import tomllib

import pytest
from shared.toml_text import text_of

from planner.core.errors import InputError
from planner.domain import catalog
from planner.hall import floor
from planner.hall.floor import Lengths, Slack

ODD = [
    None, 0, -1, 1, 2**31, 2**63, -(2**40), 0.5, -0.0, 1e308, float("nan"), float("inf"), True, "", " ", "x", "ÿ\u2028", "+x",
    "-y", [], [[]], [0], [0, 0], [[0, 0], [0, 0]], [[0, 0], [1, 1], [2, 2]], {}, {"a": 1}, "any", "fiber", "copper", "top",
    "bottom",
]  # fmt: skip
ROOMS = ("lab", "raised-hall", "two-halls", "container", "frontier")
CABINET = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300").cabinet
NEVER = 20_000
"""More slots than this take long, and are as good as any."""


def places(data, path=()):
    """Every place in nested tables and lists."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        yield (*path, key)
        yield from places(value, (*path, key))


def spoil(data, rng):
    """Change one place: drop it, repeat it, exchange it for something odd, or move a number."""
    path = rng.choice(list(places(data)))
    parent = data
    for key in path[:-1]:
        parent = parent[key]
    key, how = path[-1], rng.randrange(5)
    if how == 0:
        del parent[key]
    elif how == 1 and isinstance(parent, list):
        parent.append(copy.deepcopy(parent[key]))
    elif how == 2 and isinstance(parent[key], int) and not isinstance(parent[key], bool):
        parent[key] += rng.choice([-1, 1, 600, -600, 100_000, -100_000]) * rng.randrange(1, 20)
    elif how == 3 and isinstance(parent, dict):
        parent[rng.choice(["tray", "row", "name", "exit", "carries", "ünknown", key + "x"])] = parent.pop(key)
    else:
        odd = rng.choice(ODD)
        if odd is None:
            del parent[key]
        else:
            parent[key] = copy.deepcopy(odd)


def spoiled(name, seed):
    rng = random.Random(f"{name} {seed}")
    data = tomllib.loads((floor.shipped.folder("floorplans") / f"{name}.toml").read_text(encoding="utf-8"))
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        if data:
            spoil(data, rng)
    rows = data.get("row")
    if isinstance(rows, list):
        for row in rows:
            if isinstance(row, dict) and isinstance(row.get("count"), int):
                row["count"] = min(row["count"], NEVER)
    return data


def attempt(name, seed, path):
    """Read one spoiled room; fail on anything but a room or a list of problems with a place."""
    path.write_text(text_of(spoiled(name, seed)), encoding="utf-8", errors="surrogatepass")
    try:
        room = floor.room(str(path), routers=1)
        Lengths(room, CABINET, Slack()).distances.rows_mm(range(min(3, room.slot_count)))
    except InputError as error:
        assert error.problems
        assert all(problem.message and (problem.place or problem.file) for problem in error.problems)
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("name", ROOMS)
def test_spoiled_rooms(name, tmp_path):
    read = sum(attempt(name, seed, tmp_path / "room.toml") for seed in range(60))
    assert 0 < read < 60
