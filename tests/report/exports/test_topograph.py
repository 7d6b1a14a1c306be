"""topograph: the model keeps the rules of its documentation, and the labels lead from each node to the root."""

from __future__ import annotations

import re
import zipfile

import pytest
import yaml
from shared.gallery import planned
from shared.small_plans import make_plan

from planner.formats import write


def read(plan, folder, **options):
    with zipfile.ZipFile(write(plan, folder, "topograph", **options)) as archive:
        return yaml.safe_load(archive.read("model.yaml")), archive.read("label-nodes.sh").decode()


def expanded(texts):
    """Names of compact ranges such as ``n[1-4]``."""
    found = []
    for text in texts:
        head, _, inside = text.removesuffix("]").partition("[")
        for part in inside.split(",") if inside else [""]:
            first, _, last = part.partition("-")
            found += (
                [f"{head}{number:0{len(first)}d}" for number in range(int(first), int(last or first) + 1)] if part else [head]
            )
    return found


def assert_model(model, nodes):
    """The checklist of docs/modeling.md."""
    assert set(model) == {"switches", "blocks"}
    children = [child for switch in model["switches"].values() for child in switch["switches"]]
    assert len(children) == len(set(children))
    leaves = [block["switch"] for block in model["blocks"]]
    assert set(children) <= set(leaves) | set(model["switches"])
    attached = [node for block in model["blocks"] for node in expanded(block["nodes"])]
    assert sorted(attached) == sorted(nodes)
    return leaves


def test_a_slim_fly_has_groups_above_its_routers(plan, tmp_path):
    model, labels = read(plan, tmp_path)
    assert len(assert_model(model, [f"E{number:03d}" for number in range(100)])) == 50
    assert len(model["switches"]) == 6
    (line,) = re.findall(r"^kubectl label node E042 --overwrite (.*)$", labels, re.MULTILINE)
    leaf = plan.topology.endpoint_router[42]
    group = plan.topology.group[leaf, 0]
    assert line == " ".join(
        f"fabric.topograph.run/tier-{tier}={name}" for tier, name in enumerate((f"R{leaf:03d}", f"group{group + 1}", "fabric"))
    )
    assert labels.count("kubectl label node") == 100


@pytest.mark.slow
def test_a_superpod_has_its_scalable_units(tmp_path_factory, tmp_path):
    superpod = planned("superpod-h100", tmp_path_factory.mktemp("superpod"), until="inventory")
    model, labels = read(superpod, tmp_path)
    assert_model(model, [f"dgx{number:03d}" for number in range(1, 128)])
    assert model["blocks"][1] == {"switch": "compute-leaf09", "nodes": ["dgx[033-064]"]}
    assert model["switches"] == {"spine": {"switches": [f"compute-leaf{n:02d}" for n in (1, 9, 17, 25)]}}
    values = re.findall(r"fabric\.topograph\.run/tier-\d+=(\S+)", labels)
    assert all(re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?", value) for value in values)


def test_a_network_of_one_router(tmp_path):
    one = make_plan(family="leaves", leaves=1, endpoints_per_leaf=4, simulate=False)
    model, labels = read(one, tmp_path)
    assert model["switches"] == {}
    assert [block["nodes"] for block in model["blocks"]] == [["E[000-003]"]]
    assert "tier-0=R000\n" in labels
