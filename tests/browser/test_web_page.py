"""The web page in a browser: it opens without network, and it shows the figures of the plan."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect
from shared.small_plans import make_plan

from planner.design import cabling
from planner.design.inventory import inventory
from planner.design.placement import place
from planner.domain.model import Plan, Violation, Violations
from planner.domain.quantities import measure
from planner.formats import html, write
from planner.hall import floor
from planner.network import topology
from planner.view.cabinets import cabinets
from planner.view.names import device_names

pytestmark = pytest.mark.slow

WEBGL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")
"""Arguments for WebGL without a graphics processor; they make other pages slow."""

PICTURE = "document.getElementById('plan-canvas').toDataURL()"


def drawn(page) -> int:
    """Wait until the floor is drawn; return how often it was."""
    expect(page.locator("#plan-canvas")).to_have_attribute("data-scenes", re.compile("."))
    return int(page.locator("#plan-canvas").get_attribute("data-scenes"))


@pytest.fixture
def small(opened, run):
    def open_small(fragment: str = "", **options):
        made = opened(run / "small.html", fragment, **options)
        if made.page.locator("#floor").is_visible():
            drawn(made.page)
        return made

    return open_small


def ends(plan, cable: int) -> list[tuple[str, int, str]]:
    """Device, port and cabinet at both ends of a cable."""
    names, cables = device_names(plan), plan.cables
    cabinets = [plan.room.slot_names[slot] for slot in plan.placement.slot_of]
    return [
        (names[cables.device[cable, side]], int(cables.port[cable, side]), cabinets[cables.cabinet[cable, side]])
        for side in (0, 1)
    ]


def a_link_between_cabinets(plan) -> int:
    a, b = plan.cables.cabinet[: plan.topology.link_count].T
    return int((a != b).nonzero()[0][0])


@pytest.mark.parametrize("view", ["floor", "section", "tables", "charts", "figures"])
def test_every_view_opens_without_network_and_complaints(small, view):
    page = small(f"#view={view}").page
    expect(page.locator(f"#{view}")).to_be_visible()
    shown = {
        "floor": "#plan-canvas",
        "tables": "#table tbody tr >> nth=5",
        "charts": ".chart svg >> nth=4",
        "section": "svg.section [data-cabinet]",
        "figures": "tr[data-quantity]",
    }
    page.locator(shown[view]).first.wait_for()
    assert page.locator("nav a[aria-current]").inner_text().lower() == view


def test_figures_are_those_of_the_file(small, run):
    page = small("#view=figures").page
    stored = json.loads((run / "quantities.json").read_text(encoding="utf-8"))
    rows = page.locator("tr[data-quantity]").evaluate_all(
        "rows => rows.map(row => [row.querySelector('code').innerText, row.cells[2].innerText, row.cells[3].innerText])"
    )
    assert {name: {"value": json.loads(value), "unit": unit} for name, value, unit in rows} == stored


def test_what_the_script_counts_equals_the_figures(small, run):
    stored = {name: entry["value"] for name, entry in json.loads((run / "quantities.json").read_text(encoding="utf-8")).items()}
    made = small("#view=tables")
    for table, rows in (("cables", "cables"), ("cabinets", "cabinets"), ("routers", "routers"), ("bundles", "bundles")):
        page = made.at(f"#view=tables&table={table}")
        expect(page.locator("#table[data-shown]")).to_have_attribute("data-shown", table)
        expect(page.locator(".dt-info")).to_contain_text(f"of {stored[rows]} ")
    page = made.at("#view=charts")
    total = f"{stored['cost_cents'] / 100:,.2f}"
    expect(page.locator("#charts")).to_contain_text(total)


def test_search_finds_any_part_of_a_label_in_either_case(small, plan):
    made, cable = small(), a_link_between_cabinets(plan)
    label = str(plan.cables.label_b[cable])
    made.page.keyboard.press("/")
    made.page.keyboard.type(label[1:].lower())
    expect(made.page.locator("#hits li[aria-selected=true]")).to_contain_text(label)
    made.page.keyboard.press("Enter")
    expect(made.page.locator("#chosen h2")).to_have_text(f"Cable {cable + 1}")
    assert made.page.url.endswith(f"#cable={cable + 1}")


def test_search_without_hits_shows_a_message(small):
    page = small().page
    page.fill("#query", "<b>no such thing")
    expect(page.locator("#hits")).to_contain_text("No name or label contains")
    assert page.locator("#hits b").count() == 0


def test_click_through_from_cabinet_to_the_far_end(small, plan):
    made, cable = small(), a_link_between_cabinets(plan)
    (router, port, cabinet), (far, far_port, far_cabinet) = ends(plan, cable)
    page = made.at(f"#cabinet={cabinet}")
    assert made.heading() == f"Cabinet {cabinet}"
    page.locator(f'svg.elevation a[data-device="{router}"]').click()
    expect(page.locator("#chosen h2")).to_have_text(f"Router {router}")
    page.locator(f'.ports a[data-port="{port}"]').click()
    expect(page.locator("#chosen h2")).to_have_text(f"Cable {cable + 1}")
    second = page.locator(".end").nth(1)
    assert f"{far} : port {far_port}" in second.inner_text()
    assert str(plan.cables.label_b[cable]) in second.inner_text()
    page.get_by_role("link", name=f"Go to {far}").click()
    expect(page.locator("#chosen h2")).to_have_text(f"Router {far}")
    assert page.locator(".ports a.on").get_attribute("data-port") == str(far_port)
    assert page.locator(".steps a").inner_text() == far_cabinet
    page.go_back()
    expect(page.locator("#chosen h2")).to_have_text(f"Cable {cable + 1}")


def test_every_port_of_a_router_leads_to_the_right_far_end(small, plan):
    made, names, cables = small("#router=R007"), device_names(plan), plan.cables
    shown = made.page.locator("#chosen .list tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].slice(0, 2).map(cell => cell.innerText))"
    )
    expected = []
    for (a, b), (port, far_port) in zip(cables.device.tolist(), cables.port.tolist(), strict=True):
        expected += [[str(port), f"{names[b]} : {far_port}"]] if a == 7 else []
        expected += [[str(far_port), f"{names[a]} : {port}"]] if b == 7 else []
    assert shown == sorted(expected, key=lambda row: int(row[0]))


def test_a_click_on_the_floor_chooses_the_cabinet(small):
    page = small().page
    canvas = page.locator("#plan-canvas")
    box = canvas.bounding_box()
    found = None
    for x in range(40, int(box["width"]), 40):
        page.mouse.move(box["x"] + x, box["y"] + box["height"] * 0.72)
        if "over" in (canvas.get_attribute("class") or "") and "router" in page.locator("#tip").inner_text():
            found = page.locator("#tip").inner_text().split(" ")[0]
            page.mouse.down()
            page.mouse.up()
            break
    assert found is not None
    expect(page.locator("#chosen h2")).to_have_text(f"Cabinet {found}")


def test_a_path_is_as_long_as_in_the_latency_record(small, plan):
    routers = [device_names(plan)[n] for n in plan.latency.worst_path.tolist()]
    page = small(f"#path={routers[0]},{routers[-1]}").page
    assert page.locator("#chosen .list tbody tr").count() == len(plan.latency.worst_links)
    assert f"{plan.latency.worst_ps / 1000:.1f}" in page.locator("#chosen .facts").inner_text().replace("\u00a0", "")


def test_the_overview_links_to_the_path_with_the_maximum_delay(small, plan):
    page = small().page
    page.click("#worst a")
    names = device_names(plan)
    for router in plan.latency.worst_path.tolist():
        expect(page.locator("#chosen")).to_contain_text(names[router])
    assert page.locator("#chosen .list tbody tr").count() == len(plan.latency.worst_links)


@pytest.mark.parametrize(
    "layers",
    ["cabinets=power", "cabinets=fill", "cabinets=none", "trays=none", "cables=all", "cables=load", "cables=all&lines=straight"],
)
def test_layers_change_the_picture_and_the_legend_names_them(small, layers):
    made = small()
    before = made.page.evaluate(PICTURE)
    scenes = drawn(made.page)
    page = made.at(f"#{layers}")
    expect(page.locator("#plan-canvas")).not_to_have_attribute("data-scenes", str(scenes))
    assert page.evaluate(PICTURE) != before
    for part in layers.split("&"):
        name, value = part.split("=")
        assert page.locator(f"#layers select[name={name}]").input_value() == value
    legend = page.locator("#legend").inner_text()
    words = {
        "cabinets=power": "Maximum power",
        "cabinets=fill": "Rack units",
        "cables=all": "375 cables",
        "cables=load": "Cable load",
    }
    assert words.get(layers, "") in legend
    assert ("Tray fill" in legend) == (layers != "trays=none")


def test_keys(small, plan):
    page = small().page
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    for key, view in (("2", "section"), ("4", "tables"), ("5", "charts"), ("6", "figures"), ("1", "floor")):
        page.keyboard.press(key)
        expect(page.locator(f"#{view}")).to_be_visible()
    page.keyboard.press("]")
    first = plan.room.slot_names[int(plan.placement.slot_of.min())]
    expect(page.locator("#chosen h2")).to_have_text(f"Cabinet {first}")
    page.keyboard.press("c")
    expect(page.locator("#layers select[name=cabinets]")).to_have_value("power")
    page.keyboard.press("d")
    expect(page.locator("html")).to_have_class("dark")
    page.keyboard.press("Escape")
    expect(page.locator("#overview")).to_be_visible()
    page.locator("#plan-canvas").focus()
    frames = page.locator("#plan-canvas").get_attribute("data-frames")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#plan-canvas")).not_to_have_attribute("data-frames", frames)


def test_keys_follow_a_cable_to_its_far_end(small, plan):
    cable = a_link_between_cabinets(plan)
    far, far_port, _ = ends(plan, cable)[1]
    page = small(f"#cable={cable + 1}").page
    page.keyboard.press("e")
    expect(page.locator("#chosen h2")).to_have_text(f"Router {far}")
    assert page.url.endswith(f"#router={far}&port={far_port}")
    page.keyboard.press("e")
    expect(page.locator("#chosen h2")).to_have_text(f"Cable {cable + 1}")


def test_a_label_in_the_address_chooses_its_cable(small, plan):
    cable = a_link_between_cabinets(plan)
    assert small(f"#cable={plan.cables.label_a[cable]}").heading() == f"Cable {cable + 1}"
    assert "Not found in this plan" in small("#router=R999").page.locator("#chosen").inner_text()


def test_tables_filter_sort_and_copy(small, plan):
    made = small("#view=tables", permissions=["clipboard-read", "clipboard-write"])
    page = made.page
    label = str(plan.cables.label_a[3])
    page.locator(".dt-search input").fill(label)
    bearing = int((plan.cables.label_a == label).sum() + (plan.cables.label_b == label).sum())
    expect(page.locator("#table tbody tr")).to_have_count(bearing)
    page.locator(".dt-search input").fill("")
    page.get_by_text("run (m)").click()
    page.get_by_text("run (m)").click()
    longest = f"{plan.cables.run_mm.max() / 1000:.3f}"
    expect(page.locator("#table tbody tr").first).to_contain_text(longest)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    lines = download.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == 1 + plan.cables.cable_count
    assert lines[0].startswith('"cable","kind","label, first end","label, second end"')
    assert f'"{plan.cables.run_mm.max() / 1000:g}"' in lines[1]
    page.get_by_role("button", name="Copy as CSV").click()
    expect(page.locator(".dt-button-info")).to_contain_text("375")
    assert page.evaluate("navigator.clipboard.readText()").splitlines() == lines


def test_the_table_of_the_chosen_cables(small, plan):
    page = small("#router=R000&view=tables&only=1").page
    here = int((plan.cables.device == 0).any(axis=1).sum())
    expect(page.locator(".dt-info")).to_contain_text(f"of {here} ")
    page.locator("#only input").uncheck()
    expect(page.locator(".dt-info")).to_contain_text("of 375 ")


def test_dark_from_the_start_where_that_is_preferred(small):
    background = "getComputedStyle(document.querySelector('main')).colorScheme"
    light, dark = small().page, small(color_scheme="dark").page
    assert (light.evaluate(background), dark.evaluate(background)) == ("light", "dark")
    assert light.evaluate(PICTURE) != dark.evaluate(PICTURE)


def test_paper_is_white_and_has_no_buttons(small):
    page = small("#cabinet=A01", color_scheme="dark").page
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('#chosen h2')).color") == "rgb(0, 0, 0)"
    for hidden in ("nav", "#search", "#zoom", "#layers"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator("svg.elevation")).to_be_visible()
    corner = "[...document.getElementById('plan-canvas').getContext('2d').getImageData(2, 2, 1, 1).data]"
    assert page.evaluate(corner) == [255, 255, 255, 255]
    assert page.pdf().startswith(b"%PDF")


@pytest.mark.parametrize("width", [390, 820, 1920])
def test_nothing_is_wider_than_the_window(small, width):
    made = small("#cabinet=A01", viewport={"width": width, "height": 1000})
    for fragment in ("#cabinet=A02", "#router=R000", "#cable=8", "#cabinet=A01&view=figures", "#view=charts"):
        page = made.at(fragment)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.getElementById('drawer').scrollWidth - document.getElementById('drawer').clientWidth") <= 0


PAN = """async () => {
    const canvas = document.getElementById('plan-canvas'), before = [+canvas.dataset.frames, +canvas.dataset.scenes];
    canvas.setPointerCapture = () => {};
    const place = { clientY: 400, pointerId: 1, bubbles: true };
    const send = (type, clientX) => canvas.dispatchEvent(new PointerEvent(type, { ...place, clientX }));
    send('pointerdown', 300);
    for (let step = 1; step <= 60; step++) {
        send('pointermove', 300 + 2 * step);
        await new Promise(requestAnimationFrame);
    }
    send('pointerup', 420);
    return [+canvas.dataset.frames - before[0], +canvas.dataset.scenes - before[1]];
}"""


@pytest.mark.parametrize("layers", ["", pytest.param("#cables=medium", marks=pytest.mark.nightly), "#cables=all&lines=straight"])
def test_a_large_floor_moves_a_frame_at_a_time_without_being_redrawn(opened, large, layers):
    page = opened(large, layers).page
    drawn(page)
    page.wait_for_timeout(200)
    frames, scenes = page.evaluate(PAN)
    # The picture is moved in every frame that the browser grants; a busy machine may pause and redraw a few times.
    assert frames >= 40
    assert scenes <= 20


ANSWER = """async fragment => {
    const before = +document.getElementById('plan-canvas').dataset.frames;
    const heard = new Promise(done => addEventListener('hashchange', done, { once: true }));
    location.hash = fragment;
    await heard;
    // The page requests a frame as it follows the address; this one comes after it.
    await new Promise(requestAnimationFrame);
    const heading = document.querySelector('#chosen h2');
    return [heading ? heading.innerText : '', +document.getElementById('plan-canvas').dataset.frames - before];
}"""


def test_a_large_plan_answers_in_the_next_frame(opened, large):
    page = opened(large).page
    drawn(page)
    page.wait_for_timeout(200)
    for fragment, heading in (
        ("#cabinet=A05", "Cabinet A05"),
        ("#cabinet=A05&cables=medium", "Cabinet A05"),
        ("#router=R1234&cables=medium", "Router R1234"),
        ("#cable=777&cables=all&lines=straight", "Cable 777"),
    ):
        shown, frames = page.evaluate(ANSWER, fragment)
        assert shown == heading
        assert frames >= 1, fragment


def test_search_and_tables_of_a_large_plan(opened, large):
    page = opened(large).page
    page.fill("#query", "cable 20000")
    expect(page.locator("#hits li").first).to_contain_text("cable 20000")
    page.keyboard.press("Enter")
    expect(page.locator("#chosen h2")).to_have_text("Cable 20000")
    page.keyboard.press("4")
    expect(page.locator(".dt-info")).to_contain_text("of 20,000 ")
    assert page.locator("#table tbody tr").count() == 25
    assert page.evaluate("document.querySelectorAll('*').length") < 3000
    assert large.stat().st_size < 10_000_000


HOSTILE = '<img src=x onerror="document.title = 1"> & </script> "Größe" 漢字'


def paged(plan, folder):
    path = folder / "other.html"
    html.write(replace(plan, quantities=measure(plan)), path)
    return path


def test_names_are_shown_as_they_are(opened, plan, tmp_path):
    cables = replace(plan.cables, label_a=np.array([HOSTILE, *plan.cables.label_a[1:]]))
    room = replace(plan.room, slot_names=(HOSTILE, *plan.room.slot_names[1:]))
    found = Violations(checked=("cabinet-power",), items=(Violation("cabinet-power", HOSTILE, 5.0, 4.0, "mW", "error", HOSTILE),))
    made = opened(paged(replace(plan, title=HOSTILE, cables=cables, room=room, violations=found), tmp_path), "#cable=1")
    page = made.page
    assert page.title() == HOSTILE
    expect(page.locator(".end .code").first).to_have_text(HOSTILE)
    page.fill("#query", "größe")
    expect(page.locator("#hits li span").first).to_have_text(HOSTILE)
    here = int((plan.placement.slot_of[plan.cables.cabinet] == 0).any(axis=1).sum())
    for table, bearing in (("cables", here), ("violations", 1)):
        made.at(f"#view=tables&table={table}")
        expect(page.locator("#table tbody")).to_contain_text(HOSTILE)
        page.locator(".dt-search input").fill("größe")
        expect(page.locator(".dt-info")).to_contain_text(f"of {bearing} ")
        with page.expect_download() as download:
            page.get_by_role("button", name="Save as CSV").click()
        rows = list(csv.reader(download.value.path().read_text(encoding="utf-8-sig").splitlines()))
        assert HOSTILE in rows[1]
    made.at("#cabinet=A02")
    page.locator("#plan-canvas").focus()
    page.keyboard.press("[")
    expect(page.locator("#chosen h2")).to_have_text(f"Cabinet {HOSTILE}")
    assert page.locator("img").count() == 0


def test_a_router_shows_its_own_part_and_its_place_in_the_network(opened, tmp_path):
    plan = make_plan(family="dragonfly", simulate=False, a=4, h=2, endpoints_per_router=2)
    devices = plan.inventory
    part = np.where(np.arange(devices.device_count) == 6, len(devices.parts), devices.part)
    other = replace(devices.parts[0], id="switch-64", ports=64)
    mixed = replace(devices, parts=(*devices.parts, other), per_box=(*devices.per_box, 1), part=part)
    made = opened(paged(replace(plan, inventory=mixed), tmp_path))
    for router, name, ports in (("R005", "switch-16", 16), ("R006", "switch-64", 64)):
        chosen = made.at(f"#router={router}").locator("#chosen")
        expect(chosen).to_contain_text(name)
        expect(chosen).to_contain_text(f"7 in use of {ports}")
        expect(chosen).to_contain_text(f"group 1, router {int(router[1:]) - 4}")
    row = made.at("#view=tables&table=routers").locator("#table tbody tr", has_text="R006").locator("td")
    expect(row.first).to_be_visible()
    titles = made.page.locator("#table thead tr").first.locator("th").all_inner_texts()
    shown = dict(zip(titles, row.all_inner_texts(), strict=True))
    assert (shown["group"], shown["router"]) == ("1", "2")


@pytest.mark.parametrize("stages", ["", "topology", "topology room catalog", "topology room catalog inventory placement"])
def test_a_plan_that_stopped_early_opens_in_every_view(opened, plan, tmp_path, stages):
    early = Plan("early", "", {}, **{record: getattr(plan, record) for record in stages.split()})
    made = opened(paged(early, tmp_path))
    expect(made.page.locator("#floor-empty")).to_be_visible(visible="room" not in stages)
    for view in ("tables", "charts", "figures"):
        made.at(f"#view={view}")
        expect(made.page.locator(f"#{view}")).to_be_visible()
    if "placement" in stages:
        made.at("#router=R000")
        expect(made.page.locator("svg.elevation .box.on")).to_have_count(1)


def test_the_floor_alone_has_trays_and_cabinets_without_cables(opened, plan, tmp_path):
    made = opened(write(plan, tmp_path, "html", part="floor"))
    first = made.page.locator("#lists li", has_text=plan.room.slot_names[plan.placement.slot_of.min()])
    expect(first).to_be_visible()
    expect(first).not_to_contain_text("cable")
    made.at("#list=trays")
    expect(made.page.locator("#lists")).to_contain_text("of design fill")
    for view in ("section", "tables", "charts", "figures"):
        made.at(f"#view={view}")
        expect(made.page.locator(f"#{view}")).to_be_visible()
    made.at(f"#cabinet={plan.room.slot_names[plan.placement.slot_of.min()]}")
    expect(made.page.locator("#chosen")).to_contain_text("maximum power")
    expect(made.page.locator("#chosen")).not_to_contain_text("Elevation")
    assert (tmp_path / f"{plan.name}.part-floor.html").stat().st_size < write(plan, tmp_path, "html").stat().st_size


def test_a_plan_without_simulation_has_a_note(opened, plan, tmp_path):
    page = opened(paged(replace(plan, simulation=None), tmp_path), "#view=charts&cables=load").page
    expect(page.locator("#charts")).to_contain_text("Not simulated")
    assert page.locator("#layers option[value=load]").count() == 0


def test_a_plan_of_one_cabinet(opened, plan, tmp_path):
    network = topology.build("hypercube", dimensions=1, endpoints_per_router=1)
    lengths = floor.Lengths(plan.room, plan.catalog.cabinet, floor.Slack())
    placement = place(network, plan.catalog, lengths, seed=1, algorithm="identity")
    devices = inventory(network, plan.catalog)
    cables = cabling.cable(devices, plan.catalog, placement, lengths)
    records = {"topology": network, "inventory": devices, "placement": placement, "cables": cables}
    one = Plan("one", "", {}, catalog=plan.catalog, room=plan.room, **records)
    made = opened(paged(one, tmp_path), "#cables=all&cable=1")
    assert placement.cabinet_count == 1
    assert made.heading() == "Cable 1"
    expect(made.page.locator("#legend")).to_contain_text("3 cables, all inside cabinets")
    made.at("#view=charts")
    expect(made.page.locator(".chart svg").first).to_be_visible()


def tasks_of(plan, chosen) -> set[int]:
    """The tasks that install some of the cables, from 1."""
    return set((plan.work.task[chosen] + 1).tolist())


def test_filters_and_tasks(small, plan):
    """Crew, stage and task: found by search, shown on the floor and in lists and tables."""
    made = small("#crew=2")
    page, cables, work = made.page, plan.cables, plan.work
    by_crew = work.crew[work.task] == 1
    expect(page.locator("#filters")).to_contain_text("Only crew 2")
    expect(page.locator("#legend")).to_contain_text(f"{by_crew.sum()} cables")
    expect(page.locator("#lists .note")).to_have_text(f"{len(tasks_of(plan, by_crew))} tasks of {work.task_count}: crew 2")
    stage = work.stage_names[work.stage[0]]
    page.fill("#query", f"stage {stage}")
    page.keyboard.press("Enter")
    expect(page.locator("#layers select[name=stage]")).to_have_value(stage)
    both = by_crew & (cables.stage == cables.stage_names.index(stage))
    expect(page.locator("#filters")).to_contain_text(f"stage {stage}, crew 2")
    shown = page.locator("#lists .rows b").all_inner_texts()
    assert set(map(int, shown)) <= tasks_of(plan, both)
    made.at(f"#crew=2&stage={stage}&view=tables")
    expect(page.locator(".dt-info")).to_contain_text(f"of {both.sum()} ")
    made.at("#cables=crew")
    crews = np.bincount(work.crew[work.task], minlength=3)
    for crew, number in enumerate(crews.tolist(), 1):
        expect(page.locator("#legend")).to_contain_text(f"crew {crew}: {number}")
    page.fill("#query", "task 3")
    page.keyboard.press("Enter")
    expect(page.locator("#chosen h2")).to_have_text("Task 3")
    listed = page.locator("#chosen .list tbody tr td:first-child").all_inner_texts()
    assert set(map(int, listed)) == set((np.flatnonzero(work.task == 2) + 1).tolist())
    made.at("#task=3&crew=2" if work.crew[2] != 1 else "#task=3&crew=1")
    expect(page.locator("#chosen")).to_contain_text("without this filter")
    page.get_by_role("button", name="Show all", exact=True).click()
    expect(page.locator("#chosen .list tbody tr")).to_have_count(len(listed))


def test_the_selection_survives_layers_and_views(small, plan):
    page = small("#task=2").page
    chosen = int((plan.work.task == 1).sum())
    for layer, value in (("cabinets", "use"), ("trays", "none"), ("cables", "stage"), ("lines", "straight"), ("cables", "all")):
        page.locator(f"#layers select[name={layer}]").select_option(value)
        expect(page.locator("#chosen h2")).to_have_text("Task 2")
        expect(page.locator("#legend")).to_contain_text(f"Cables of the selection\n{chosen} cables", use_inner_text=True)
    for view in ("section", "tables", "charts", "floor"):
        page.locator(f"nav a[data-view={view}]").click()
        expect(page.locator(f"#{view}")).to_be_visible()
        expect(page.locator("#chosen h2")).to_have_text("Task 2")
    assert "task=2" in page.url
    assert "cables=all" in page.url


def test_sections_show_cabinets_and_heights_of_trays(small, plan):
    made = small("#view=section")
    page, room = made.page, plan.room
    page.locator("#section-choice select").select_option("across all rows")
    drawn_trays = set(page.locator("svg.section a[data-tray]").evaluate_all("all => all.map(one => one.dataset.tray)"))
    assert drawn_trays == set(room.tray_names)
    heights = set(page.locator("svg.section .height").all_text_contents())
    assert heights <= {"0 mm", f"{plan.catalog.cabinet.height_mm:,} mm", *(f"{z:,} mm" for z in room.node_xyz[:, 2].tolist())}
    assert len(heights) >= 3
    page.locator("#section-choice select").select_option(index=0)
    name = page.locator("svg.section a[data-cabinet]").first.get_attribute("data-cabinet")
    page.locator("svg.section a[data-cabinet]").first.click()
    expect(page.locator("#chosen h2")).to_have_text(f"Cabinet {name}")
    expect(page.locator("svg.section .cabinet.on")).to_have_count(1)


def test_elevations_have_a_rear_with_pdus_and_ports(small, plan):
    page = small("#router=R000").page
    page.locator("#chosen details").evaluate("part => { part.open = true }")
    side = plan.inventory.parts[plan.inventory.part[0]].port_side
    expect(page.locator(f'#chosen [data-face="{side}"]')).to_have_attribute("aria-pressed", "true")
    on = page.locator(".elevation .box.on")
    expect(on).to_have_count(1)
    used = int((plan.cables.device == 0).sum())
    here = sum(group.count for group in plan.inventory.parts[plan.inventory.part[0]].groups if group.side == side)
    row = page.locator("svg.elevation > g").filter(has=page.locator(".box.on"))
    expect(row.locator("rect.port:not(.free)")).to_have_count(used)
    expect(row.locator("rect.port")).to_have_count(here)
    page.locator('#chosen [data-face="rear"]').click()
    strips = page.locator(".elevation .strip").evaluate_all("all => all.map(one => one.dataset.strip)")
    cabinet = next(each for each in cabinets(plan) if each.number == plan.placement.cabinet[0])
    assert strips == [f"PDU {pdu.name}" for feed in cabinet.pdus for pdu in feed]
    assert strips
    page.locator('#chosen [data-face="front"]').click()
    expect(page.locator(".elevation .strip")).to_have_count(0)


def test_the_room_in_three_dimensions(small, plan):
    made = small("#view=space&cabinet=A02", arguments=WEBGL, viewport={"width": 700, "height": 500})
    page = made.page
    expect(page.locator("#space-canvas")).to_have_attribute("data-frames", re.compile("."), timeout=30_000)
    expect(page.locator("#space-canvas")).to_have_attribute("data-boxes", str(plan.placement.cabinet_count))
    expect(page.locator("#space-canvas")).to_have_attribute("data-marked", "1")
    picture = "document.getElementById('space-canvas').toDataURL()"
    before = page.evaluate(picture)
    made.at("#view=space&cabinet=A02&cabinets=use")
    page.wait_for_function(f"before => {picture} !== before", arg=before)
    # The view turns around the selection, which is in the middle.
    made.at("#view=space")
    expect(page.locator("#overview")).to_be_visible()
    page.locator("#space-canvas").click()
    expect(page.locator("#chosen h2")).to_have_text("Cabinet A02")
    page.keyboard.press("+")
    page.keyboard.press("1")
    expect(page.locator("#chosen h2")).to_have_text("Cabinet A02")


SMALL_TARGETS = """() => [...document.querySelectorAll('button, select, input, nav a, .rows a, .ports a, .acts a')]
  .filter(each => {
    const box = each.getBoundingClientRect();
    return box.width && each.type !== 'checkbox' && box.height < 44;
}).map(each => each.outerHTML)"""


def test_on_a_phone_lists_come_first_and_the_floor_zooms_to_the_selection(small, plan):
    made = small("", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page, wide = made.page, "document.documentElement.scrollWidth"
    expect(page.locator("#floor")).to_be_hidden()
    first = page.locator("#lists .rows a").first
    assert first.bounding_box()["y"] < 844 / 2
    assert page.evaluate(SMALL_TARGETS) == []
    page.get_by_role("tab", name="cabinets").tap()
    expect(page.get_by_role("tab", name="cabinets")).to_have_attribute("aria-selected", "true")
    page.locator("#lists .rows a", has_text="A02").tap()
    expect(page.locator("#chosen h2")).to_have_text("Cabinet A02")
    drawn(page)
    canvas = page.locator("#plan-canvas")
    place = canvas.bounding_box()
    assert 200 < place["height"] < 400
    slot = plan.room.slot_names.index("A02")
    x, y = map(int, str(canvas.get_attribute("data-center")).split(","))
    scale = float(str(canvas.get_attribute("data-scale")))
    assert np.hypot(x - plan.room.slot_xy[slot, 0], y - plan.room.slot_xy[slot, 1]) * scale < 5
    # The whole room would be smaller.
    assert np.ptp(plan.room.outline[:, 0]) * scale > 1.5 * place["width"]
    for fragment in (
        "#cabinet=A02",
        "#router=R003",
        "#cable=9",
        "#task=4",
        "#cabinet=A02&view=floor",
        "#view=section",
        "#view=tables",
    ):
        made.at(fragment)
        assert page.evaluate(wide) <= 390, fragment
        assert page.evaluate(SMALL_TARGETS) == [] or fragment.endswith("tables"), fragment
    made.at("#cabinet=A02&view=floor")
    expect(page.locator("#drawer")).to_be_hidden()
    assert canvas.bounding_box()["height"] > 400


WATCH_NAMES = """() => {
    const draw = CanvasRenderingContext2D.prototype.fillText;
    window.names = [];
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        const { a, b, e, f } = this.getTransform(), upright = Math.abs(b) > Math.abs(a), width = this.measureText(text).width;
        const high = parseFloat(this.font.match(/([\\d.]+)px/)[1]), left = this.textAlign === 'center' ? x - width / 2 : x;
        const [px, py] = upright ? [e, f] : [e + (left + width / 2), f + y];
        window.names.push([text, px, py, upright ? high : width, upright ? width : high]);
        return draw.apply(this, arguments);
    };
}"""


def test_cabinets_have_names_at_every_zoom_and_none_overlap(opened, large):
    page = opened(large).page
    drawn(page)
    page.evaluate(WATCH_NAMES)
    slots = floor.room("spectralfly", routers=2000).slot_names
    short = {name.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for name in slots}
    counts = []
    for _ in range(5):
        page.keyboard.press("+" if counts else "0")
        page.wait_for_timeout(300)
        scenes = drawn(page)
        page.evaluate("window.names.length = 0")
        page.keyboard.press("c")
        expect(page.locator("#plan-canvas")).not_to_have_attribute("data-scenes", str(scenes))
        boxes = np.array([box for name, *box in page.evaluate("window.names") if name in slots or name in short])
        counts.append(len(boxes))
        apart = np.abs(boxes[:, None, :2] - boxes[None, :, :2]) >= (boxes[:, None, 2:] + boxes[None, :, 2:]) / 2 - 1
        assert (apart.any(axis=2) | np.eye(len(boxes), dtype=bool)).all()
    assert min(counts) >= 20, counts
