"""The web page as text: complete in itself, true to the plan, safe whatever the names are."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from shared.bundled_plans import planned
from shared.page_data import page_data
from shared.small_plans import lonely, make_plan, measured

from planner.design.work import work
from planner.domain.model import PanelPlan, Plan, Violation, Violations
from planner.formats import html
from planner.formats.web.columns import packed
from planner.hall.cooling import cooling
from planner.view.cabinets import cabinets
from planner.view.names import device_names

HOSTILE = 'R&D </script><script>alert("1")</script><!-- <img src=x onerror=alert(2)> Größe 漢字'


class Page(HTMLParser):
    """Elements with their attributes, and the text inside scripts, styles and table cells."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.cells: list[str] = []
        self.title = ""
        self._inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self._inside = tag
        if tag == "script":
            self.scripts.append((dict(attrs), ""))
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag):
        self._inside = ""

    def handle_data(self, data):
        if self._inside == "script":
            self.scripts[-1] = (self.scripts[-1][0], self.scripts[-1][1] + data)
        elif self._inside == "title":
            self.title += data
        elif self._inside == "td":
            self.cells[-1] += data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def data(self) -> dict:
        text = next(text for attributes, text in self.scripts if attributes.get("id") == "plan")
        return page_data(f'id="plan">{text}</script>')


def written(plan: Plan, folder) -> str:
    path = folder / "page.html"
    html.write(plan, path)
    return path.read_text(encoding="utf-8")


def column(entry: dict[str, str]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(entry["base64"]), f"<{entry['dtype']}")


@pytest.fixture(scope="module")
def text(plan, tmp_path_factory):
    return written(plan, tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


def test_the_page_is_complete_in_itself(page):
    for tag, attributes in page.elements:
        assert not attributes.get("src"), tag
        assert tag not in ("iframe", "object", "embed")
        href = attributes.get("href", "")
        assert not href or href.startswith(("#", "data:")), (tag, href)
    policy = next(meta["content"] for meta in page.named("meta") if meta.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy
    assert "http" not in policy


def test_its_parts_stand_where_scripts_look_for_them(page):
    ids = [attributes["id"] for _, attributes in page.elements if attributes.get("id")]
    assert len(ids) == len(set(ids))
    modules = {attributes["data-module"]: text for attributes, text in page.scripts if "data-module" in attributes}
    assert "planner/app.js" in modules
    for name, text in modules.items():
        assert set(re.findall(r'byId\("([\w-]+)"\)', text)) <= set(ids), name
        imported = re.findall(r'^import \{([^}]+)\} from "(.+)";$', text, re.MULTILINE)
        assert len(imported) == len(re.findall("^import", text, re.MULTILINE)), name
        for names, source in imported:
            found = re.findall(r"^export (?:async )?(?:const|let|function|class) (\w+|\{[^}]+\})", modules[source], re.MULTILINE)
            exported = {each for group in found for each in re.findall(r"\w+", group)}
            assert set(re.findall(r"\w+", names)) <= exported, (name, source)
    libraries = [str(attributes["id"]) for attributes, _ in page.scripts if str(attributes.get("id")).endswith("-library")]
    assert libraries == ["charts-library", "tables-library", "three-core-library", "three-library", "three-orbit-library"]


def test_libraries_are_unpacked_to_what_they_were(page):
    three = files("planner.formats.web") / "third_party" / "three"
    packed_texts = {attributes.get("id"): text for attributes, text in page.scripts}
    for name, file in (("three-core", "three.core.min.js"), ("three-orbit", "OrbitControls.min.js")):
        unpacked = zlib.decompress(base64.b64decode(packed_texts[f"{name}-library"]))
        assert unpacked == (three / file).read_bytes()


def test_tasks_and_sections_are_those_of_the_plan(plan, tmp_path):
    worked = replace(plan, work=work(plan.catalog, plan.cables, PanelPlan.none(), plan.room.segment_mm, crews=3))
    data = Page(written(worked, tmp_path)).data
    assert np.array_equal(column(data["work"]["task"]), worked.work.task)
    stages = [data["work"]["stage_names"][stage] for stage in column(data["work"]["stage"]).tolist()]
    assert stages == [worked.work.stage_names[stage] for stage in worked.work.stage.tolist()]
    assert list(dict.fromkeys(stages)) == data["work"]["stage_names"]
    drawn = {
        name
        for section in data["sections"].values()
        for layer, _, groups in section["layers"]
        for kind, *_, names in groups
        for name in names
        if layer == "cabinets" and kind == "cabinet"
    }
    assert drawn == set(data["cabinets"]["names"])


def test_figures_are_the_quantities(plan, page):
    rows = [attributes for attributes in page.named("tr") if "data-quantity" in attributes]
    shown = {row["data-quantity"]: {"value": json.loads(row["data-value"]), "unit": row["data-unit"]} for row in rows}
    assert shown == plan.quantities
    values = [cell for place, cell in enumerate(page.cells) if place % 4 == 2]
    assert values == [row["data-value"] for row in rows]


def test_columns_are_those_of_the_plan(plan, page):
    cables, data = plan.cables, page.data["cables"]
    for name in ("device", "port", "cabinet", "run_mm", "stock_mm", "route", "route_indptr", "route_segments", "bundle"):
        assert np.array_equal(column(data[name]), getattr(cables, name).ravel()), name
    assert data["label_a"] == cables.label_a.tolist()
    assert data["label_b"] == cables.label_b.tolist()
    stages = [cables.stage_names[stage] for stage in cables.stage.tolist()]
    assert [data["stage"]["texts"][number] for number in column(data["stage"]["index"])] == stages
    parts = [
        column(data[each["array"]]).reshape(cables.cable_count, -1)[:, each["side"] or 0]
        for each in data["columns"]
        if each["part"]
    ]
    assert np.array_equal(np.sum(parts, axis=0, dtype=np.int64), cables.run_mm)
    devices = page.data["devices"]
    assert devices["names"] == device_names(plan)
    assert np.array_equal(column(devices["cabinet"]), plan.placement.cabinet)
    assert np.allclose(column(page.data["simulation"]["link_load"]) / 10_000, plan.simulation.link_load.ravel(), atol=5.1e-5)


def test_the_floor_is_that_of_the_plan(plan, page, tmp_path):
    scene = page.data["scene"]
    layers = {name: groups for name, _, groups in scene["layers"]}
    ((kind, closed, _, points, start),) = layers["cabinets"]
    corners = column(points).reshape(-1, 4, 2)
    assert (kind, closed) == ("cabinet", True)
    assert column(start).tolist() == list(range(0, 4 * plan.placement.cabinet_count + 1, 4))
    assert np.array_equal(corners.mean(axis=1), plan.room.slot_xy[plan.placement.slot_of])
    found = sorted(cabinets(plan), key=lambda cabinet: cabinet.number)
    shades = scene["shades"]
    assert np.allclose(column(shades["fill"]["share"]), [cabinet.used_units / cabinet.units for cabinet in found])
    power = [cabinet.power_max_mw / cabinet.power_limit_mw for cabinet in found]
    assert np.allclose(column(shades["power"]["share"]), power)
    assert shades["power"]["marks"] == [f"{cabinet.power_max_mw / 1e6:.1f}" for cabinet in found]
    assert set(scene["use"]) == {"routers and endpoints"}


def test_heat_is_shaded_by_the_cooling_of_the_slots_or_the_hottest_cabinet(plan, tmp_path):
    made = replace(plan, cooling=cooling(plan.inventory, plan.catalog, plan.room, plan.placement, plan.cables))
    heat_mw = made.cooling.heat_mw
    for limits, share in (((), heat_mw / heat_mw.max()), ((8_000_000,) * plan.room.slot_count, heat_mw / 8_000_000)):
        room = replace(plan.room, cooling_mw=limits)
        shade = Page(written(replace(made, room=room), tmp_path)).data["scene"]["shades"]["heat"]
        assert np.allclose(column(shade["share"]), share)
        assert shade["marks"] == [f"{each / 1e6:.1f}" for each in heat_mw.tolist()]


def test_the_bill_adds_up_to_the_cost(plan, page):
    bill = page.data["bill"]
    assert sum(cents for _, cents in bill["categories"]) == plan.quantities["cost_cents"]["value"]
    assert column(bill["cents"]).sum() == plan.quantities["cost_cents"]["value"]


@pytest.mark.slow
def test_equal_plans_give_equal_bytes(tmp_path):
    first, second = (written(make_plan(q=5, endpoints_per_router=1), tmp_path) for _ in range(2))
    assert first == second


def test_names_are_text_and_nothing_else(plan, tmp_path):
    zone = replace(plan.room.obstacles[0], name=HOSTILE)
    room = replace(plan.room, title=HOSTILE, slot_names=(HOSTILE, *plan.room.slot_names[1:]), obstacles=(zone,))
    labels = np.array([HOSTILE, *plan.cables.label_a[1:]])
    found = Violation("cabinet-power", HOSTILE, 5.0, 4.0, "mW", "error", HOSTILE)
    hostile = replace(
        plan, name="a<b", title=HOSTILE, room=room, cables=replace(plan.cables, label_a=labels),
        violations=Violations(checked=("cabinet-power",), items=(found,)),
    )  # fmt: skip
    page, harmless = Page(written(hostile, tmp_path)), Page(written(plan, tmp_path))
    assert page.title == HOSTILE
    assert len(page.scripts) == len(harmless.scripts)
    assert not page.named("img")
    assert page.data["cables"]["label_a"][0] == HOSTILE
    assert page.data["violations"]["where"][0] == HOSTILE
    assert page.data["room"]["slot_names"][0] == HOSTILE


def test_a_plan_without_simulation(plan, tmp_path):
    page = Page(written(measured(replace(plan, simulation=None)), tmp_path))
    assert page.data["simulation"] is None
    assert page.data["cables"] is not None
    assert not any(row.get("data-quantity") == "throughput" for row in page.named("tr"))


def test_a_plan_of_one_cabinet(tmp_path):
    page = Page(written(make_plan(network=lonely(), simulate=False), tmp_path))
    assert len(page.data["cabinets"]["names"]) == 1
    assert page.data["cables"]["label_a"] == []


@pytest.mark.parametrize(
    "kept",
    [(), ("topology",), ("topology", "room", "catalog"), ("topology", "room", "catalog", "inventory", "placement")],
)
def test_a_plan_that_stopped_early(plan, tmp_path, kept):
    page = Page(written(measured(Plan("early", "", {}, **{record: getattr(plan, record) for record in kept})), tmp_path))
    assert page.title == "early"
    assert page.data["cables"] is None
    assert (page.data["room"] is None) == ("room" not in kept)
    assert (page.data["cabinets"] is None) == ("placement" not in kept)


def test_amounts_without_a_bill(plan, tmp_path):
    early = replace(plan, bill=None, quantities={"near_misses_cents": {"value": 123_456, "unit": "cents"}})
    assert "1,234.56" in Page(written(early, tmp_path)).cells


@given(arrays.arrays(st.sampled_from(["int64", "uint8", "float32", "float64", "bool"]), st.integers(0, 20)))
def test_packed_arrays_come_back(values):
    if values.dtype == np.int64:
        values = values % 2**53
    assert np.array_equal(column(packed(values)).astype(values.dtype), values, equal_nan=values.dtype.kind == "f")


@pytest.mark.parametrize(("highest", "dtype"), [(255, "u1"), (256, "u2"), (65_536, "u4"), (2**32, "f8")])
def test_the_narrowest_type_that_holds_all(highest, dtype):
    assert packed([0, highest])["dtype"] == dtype
    assert packed([-1, 1])["dtype"] == "i1"


def test_columns_are_shown_as_declared(plan, page):
    """Every column of the page has an array of its objects, or names them."""
    counts = {
        "cables": plan.cables.cable_count, "cabinets": plan.placement.cabinet_count, "devices": plan.topology.router_count,
        "bundles": len(plan.cables.bundle_kind), "trays": len(plan.room.segments),
    }  # fmt: skip
    for owner, count in counts.items():
        shown = page.data[owner]
        assert [each["title"] for each in shown["columns"] if each["array"] is None] == [shown["columns"][0]["title"]]
        for each in shown["columns"][1:]:
            values = shown[each["array"]]
            length = len(values) if isinstance(values, list) else len(column(values.get("index", values)))
            assert length >= count * (1 if each["side"] is None else 2), (owner, each)
    routers = {each["title"]: each["array"] for each in page.data["devices"]["columns"]}
    ends = np.bincount(plan.cables.device.ravel())[: plan.topology.router_count]
    assert np.array_equal(column(page.data["devices"][routers["ports in use"]]), ends)


@pytest.mark.slow
def test_panels_and_the_tasks_of_their_trunks_and_jumpers(tmp_path):
    made, _ = planned("trunk")
    order = work(made.catalog, made.cables, made.panels, made.room.segment_mm)
    data = Page(written(measured(replace(made, work=order)), tmp_path)).data
    panels, shown = made.panels, data["panels"]
    ends = [
        (panels.names[panels.jumper_panel[jumper]], row)
        for row, jumpers in zip(panels.row.tolist(), panels.jumper, strict=True)
        for jumper in jumpers
    ]
    names = np.array(shown["names"])[column(shown["panel"])].tolist()
    assert sorted(zip(names, column(shown["cable"]).tolist(), strict=True)) == sorted(ends)
    tasks = column(data["work"]["jumper_tasks"]).reshape(-1, 2)
    assert np.array_equal(tasks[panels.row], order.jumper_task[panels.jumper])
    assert {data["work"]["kind"][task] for task in tasks[panels.row].ravel().tolist()} == {"jumpers"}
    assert {data["work"]["kind"][task] for task in column(data["work"]["task"])[panels.row].tolist()} == {"trunk"}
    assert np.array_equal(column(data["trunks"]["bundle"]), panels.trunk_bundle)
