"""The contract of verification: of every plan, in every format, a fabric as planned is clean, and one error is found exactly."""

from __future__ import annotations

import random
import re
import warnings
from functools import cache
from pathlib import Path

import pytest
from shared.gallery import REPORTS
from shared.planted_errors import KINDS, plant
from shared.written_scans import FORMATS, NAMES, Built, Format

from planner.domain.model import Plan
from planner.fabric.baseline import Planned
from planner.fabric.verify import verified
from planner.fabric.verify.result import Plugged
from planner.formats import WHOLE, Selection
from planner.studies import pipeline, study

DATA = Path(__file__).parents[1] / "data" / "verify"

SMALL = {
    "nodes": (DATA / "cases/nodes-not-identified/study.toml", ()),
    "racks": (DATA / "contract/racks.toml", ()),
    "director": (DATA / "contract/director.toml", ()),
    "splitters": (REPORTS / "dragonfly-two-halls/study.toml", ("topology.a=4", "topology.h=1")),
}
"""Plans of some 50 to 120 cables: nodes of a network, several networks with dual-homed nodes, modules, splitters over panels."""

OF_SMALL = [pytest.param(name, marks=pytest.mark.slow) if name == "workbook" else name for name in FORMATS]

LARGE, OF_LARGE = 10_000, ("links_csv", "ibnetdiscover", "arista", "arista_by_mac", "guid_links")
"""Cables of a large plan, and the formats in which it is verified."""

LEFT_OUT = {"polarstar-campus": "3.8 million cables", "dragonfly-in-phases": "several plans, the last like its single ones"}
"""Studies of the gallery that are left out, and why."""

GALLERY = sorted(path.parent.name for path in REPORTS.glob("*/study.toml") if path.parent.name not in LEFT_OUT)


@pytest.fixture(autouse=True)
def no_warnings():
    """NumPy must not warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@cache
def plan_of(file: Path, options: tuple[str, ...], folder: Path) -> Plan:
    """Return the plan of a study, placed in order unless its placement has options of other algorithms."""
    text = file.read_text(encoding="utf-8")
    quick = () if "moves" in text.partition("[placement]")[2].partition("\n[")[0] else ("placement.algorithm='identity'",)
    return pipeline.run(study.load(file, ["report.formats=[]", *quick, *options]), out=folder, until="cables")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("contract")


def networks_of(plan: Plan, form: Format) -> list[str | None]:
    """Return the networks of which a format makes a scan each; None for all in one."""
    return list(plan.network_names) if form.one_network else [None]


def built_of(plan: Plan, form: Format, network: str | None) -> Built | None:
    """Return the fabric as a format sees it; None where it sees nothing, such as a network of management ports in InfiniBand."""
    built = Built.of(plan, lambda built, row: form.sees(built, row) and network in (None, row.network))
    ports = {port for link in built.links for port in link}
    if not ports or (form.one_network and any(map(built.is_management, ports))):
        return None
    modular = any(group.name.startswith("leaf") for device, _ in ports for group in built.part(device).groups)
    return None if modular and not form.modules else built


def verification_of(form: Format, built: Built, network: str | None, folder: Path):
    planned = Planned(built.rows, folder, built.plan)
    files = form.write(built, folder)
    names = folder / NAMES
    selection = Selection(network=network) if network else WHOLE
    return verified(planned, files, names=names if names.is_file() else None, selection=selection)


def check_clean(form: Format, built: Built, network: str | None, folder: Path) -> None:
    found = verification_of(form, built, network, folder)
    assert (found.right, found.wrong, found.dark) == (len(built.plugged), [], [])
    assert not found.moves
    # What a format cannot see is unknown, and nothing else is found.
    assert len(found.unknown) == len(found.planned) - len(built.plugged)
    assert {each.kind for each in found.findings} <= ({"device silent"} if found.unknown else set())


def check_planted(kind: str, form: Format, built: Built, network: str | None, folder: Path, seed: int) -> bool:
    """Return whether there was a place for an error; it must be found exactly."""
    planted = plant(kind, built, random.Random(seed))
    if planted is None:
        return False
    found = verification_of(form, planted.built, network, folder)

    def known(link) -> frozenset:
        return frozenset(tuple(end) if form.node_ports or end[0] not in built.nodes else (end[0], 0) for end in link)

    assert {known(link) for link in found.wrong} == {known(link) for link in planted.wrong}, found.findings[:5]
    rows = {row.number: row for row in built.rows}
    dark = {frozenset(Plugged(end.device, end.port) for end in rows[number].ends) for number in planted.dark}
    if planted.dark:
        assert {frozenset(link) for link in (*found.dark, *found.unknown)} >= dark
    assert len(found.moves) == planted.moves, found.findings[:5]
    assert found.right == len(built.plugged) - len(planted.wrong) - len(planted.dark)
    assert not found.clean
    return True


@pytest.mark.parametrize("name", OF_SMALL)
@pytest.mark.parametrize("small", SMALL)
def test_a_small_fabric_as_planned_is_clean(small, name, folder, tmp_path):
    form, plan = FORMATS[name], plan_of(*SMALL[small], folder / small)
    for network in networks_of(plan, form):
        if (built := built_of(plan, form, network)) is not None:
            check_clean(form, built, network, tmp_path / str(network))


@pytest.mark.parametrize("name", OF_SMALL)
@pytest.mark.parametrize("small", SMALL)
def test_one_error_in_a_small_fabric_is_found_exactly(small, name, folder, tmp_path):
    form, plan = FORMATS[name], plan_of(*SMALL[small], folder / small)
    for network in networks_of(plan, form):
        if (built := built_of(plan, form, network)) is None:
            continue
        for seed, kind in enumerate(KINDS):
            if kind == "two_ports_of_a_node" and not form.node_ports:
                continue
            check_planted(kind, form, built, network, tmp_path / kind / str(network), seed)


@pytest.mark.nightly
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("one", GALLERY)
def test_every_fabric_of_the_gallery_keeps_the_contract(one, name, folder, tmp_path):
    form, plan = FORMATS[name], plan_of(REPORTS / one / "study.toml", (), folder / one)
    if plan.cables.cable_count > LARGE and name not in OF_LARGE:
        pytest.skip(f"plans of more than {LARGE:,} cables are verified in {len(OF_LARGE)} formats")
    kinds = [kind for kind in KINDS if form.node_ports or kind != "two_ports_of_a_node"]
    seed = GALLERY.index(one) + list(FORMATS).index(name)
    for network in networks_of(plan, form):
        if (built := built_of(plan, form, network)) is None:
            continue
        check_clean(form, built, network, tmp_path / str(network))
        # One kind for each format, another for the next: a plan meets every kind several times.
        turned = kinds[seed % len(kinds) :] + kinds[: seed % len(kinds)]
        any(check_planted(kind, form, built, network, tmp_path / kind / str(network), seed) for kind in turned)


def test_the_gallery_is_complete():
    assert not [name for name in LEFT_OUT if not (REPORTS / name / "study.toml").is_file()]
    assert len(GALLERY) >= 10


@pytest.mark.parametrize("text", ["dc1-{}", "{}-fabric", "{}.example.org", "dc1_{}"])
@pytest.mark.parametrize("name", ["links_csv", "arista", "ptm", "ibnetdiscover"])
def test_what_a_site_adds_to_all_names_is_left_out(name, text, folder, tmp_path):
    """Boxes whose cages differ are read by the names of the plan."""
    form, plan = FORMATS[name], plan_of(*SMALL["racks"], folder / "racks")
    network = "frontend" if form.one_network else None
    built = built_of(plan, form, network)
    names = sorted({end.device for row in built.rows for end in row.ends}, key=len, reverse=True)
    whole = re.compile(rf"(?<![\w-])({'|'.join(names)})(?![\w-])")
    for path in form.write(built, tmp_path / "scan"):
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            file.write_text(whole.sub(lambda match: text.format(match[1]), file.read_text()))
            file.rename(file.with_stem(text.format(file.stem)) if path.is_dir() else file)
    selection = Selection(network=network) if network else WHOLE
    found = verified(Planned(built.rows, tmp_path, plan), [tmp_path / "scan"], selection=selection)
    assert (found.right, found.clean) == (len(built.plugged), True)
