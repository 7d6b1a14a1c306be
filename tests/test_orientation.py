"""A room that is turned or mirrored is the same room: the same lengths, parts and bill."""

import tomllib

import numpy as np
import pytest
from shared.toml_text import text_of

from planner.design.cabling import cable
from planner.design.inventory import inventory
from planner.design.placement import place
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology

TURNS = {
    "quarter turn": np.array([[0, -1], [1, 0]]),
    "half turn": np.array([[-1, 0], [0, -1]]),
    "mirrored": np.array([[-1, 0], [0, 1]]),
    "mirrored and turned": np.array([[0, 1], [1, 0]]),
}
AXES = {"+x": (1, 0), "-x": (-1, 0), "+y": (0, 1), "-y": (0, -1)}


def turned(data, matrix):
    """A floor plan with every place and direction turned."""

    def point(xy):
        return (matrix @ np.array(xy)).tolist()

    def direction(name):
        there = tuple(point(AXES[name]))
        return next(key for key, axis in AXES.items() if axis == there)

    def table(entry):
        out = dict(entry)
        if "size_mm" in entry and "at_mm" in entry:
            corners = np.array([point(entry["at_mm"]), point(np.add(entry["at_mm"], entry["size_mm"]))])
            out["at_mm"], out["size_mm"] = corners.min(axis=0).tolist(), np.ptp(corners, axis=0).tolist()
        elif "at_mm" in entry:
            out["at_mm"] = point(entry["at_mm"])
        for key in ("path_mm", "outline_mm", "corners_mm"):
            if key in entry:
                out[key] = [point(xy) for xy in entry[key]]
        if "first_mm" in entry:
            out["first_mm"] = point(entry["first_mm"])
            out["along"] = direction(entry.get("along", "+x"))
        for key in ("facing", "opens"):
            if key in entry or (key == "facing" and "first_mm" in entry):
                out[key] = direction(entry.get(key, "+y"))
        if "through" in entry and abs(matrix[0, 1]):
            out["through"] = {"x": "y", "y": "x"}[entry["through"]]
        return out

    out = table({key: value for key, value in data.items() if not isinstance(value, list) or not isinstance(value[0], dict)})
    for key, value in data.items():
        if isinstance(value, list) and isinstance(value[0], dict):
            out[key] = [table(entry) for entry in value]
    return out


def planned(plan, parts, network):
    lengths = Lengths(floor.room(str(plan), routers=1), parts.cabinet, Slack())
    return cable(inventory(network, parts), parts, place(network, parts, lengths, seed=1, algorithm="identity"), lengths)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lab", "raised-hall", "two-halls"])
@pytest.mark.parametrize("turn", TURNS)
def test_orientation_does_not_matter(tmp_path, edr, name, turn):
    path = floor.shipped.folder("floorplans") / f"{name}.toml"
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    (tmp_path / "turned.toml").write_text(text_of(turned(data, TURNS[turn])), encoding="utf-8")
    network = topology.build("slimfly", q=5, endpoints_per_router=4)
    one, two = planned(path, edr, network), planned(tmp_path / "turned.toml", edr, network)
    for field in ("rise_mm", "drop_mm", "run_mm", "stock_mm", "price_cents", "power_mw", "stage", "label_a", "label_b"):
        assert np.array_equal(getattr(one, field), getattr(two, field)), field
    assert [made_of.id for made_of in one.assemblies] == [made_of.id for made_of in two.assemblies]
