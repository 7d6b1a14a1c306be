"""What the doors answer; what they do is tested with the functions behind them."""

import gzip
import json
import re
from io import BytesIO
from pathlib import Path
from urllib.parse import quote, unquote

import numpy as np
import openpyxl
import pytest
from PIL import Image
from shared.built_fabrics import DATA
from shared.page_data import page_data
from shared.served import Hall, event
from shared.sites import row

from planner.fabric.baseline import Planned
from planner.formats import html
from planner.install.serve import qr
from planner.install.serve.doors import doors
from planner.install.serve.served import Options
from planner.install.site import built, miswires
from planner.install.site.fields import ROLES
from planner.install.site.outputs import OUTPUTS

PICTURE = BytesIO()
Image.new("L", (40, 40), 255).save(PICTURE, "PNG")
PNG = PICTURE.getvalue()


def test_phones_load_the_cables_once(hall):
    crew = hall.guest("crew")
    first = crew.get("/api/install/cables")
    found = first.json()
    assert [row[0] for row in found["cables"]] == [1, 2, 3, 4, 5]
    by_name = dict(zip(found["columns"], found["cables"][3], strict=True))
    assert (by_name["cable"], by_name["a_device"], by_name["a_port"], by_name["b_label"]) == (4, "R1", "3/1", "L4b")
    assert found["stages"] == ["one", "two"]
    again = crew.get("/api/install/cables", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_events_are_recorded_once_and_come_back_as_state(hall):
    crew = hall.guest("crew")
    pulled, plugged = event(1), event(1, "plugged", "as planned", "a")
    assert crew.records(pulled, plugged).json() | {"clock": 0} == {"clock": 0, "seq": 2, "new": 2, "known": 0, "refused": []}
    assert crew.records(plugged, pulled).json()["known"] == 2
    state = crew.get("/api/install/state").json()
    assert state["cables"] == [[1, "one end", False, [], "", False]]
    assert [value[:4] for value in state["events"]] == [[1, "", "pulled", "yes"], [1, "a", "plugged", "as planned"]]
    assert {value[8] for value in state["events"]} == {"blue"}
    assert state["whole"]
    crew.records(event(2))
    since = crew.get(f"/api/install/events?after={state['seq']}&mark={state['mark']}").json()
    assert [row[0] for row in since["cables"]] == [2]
    assert not since["whole"]
    assert crew.get(f"/api/install/events?after={since['seq']}&mark={since['mark']}").json()["cables"] == []


def test_refused_events_are_named(hall):
    wrong, good = event(1, "length_mm", "far"), event(2)
    found = hall.guest("crew").records(wrong, good, event(99)).json()
    assert found["new"] == 1
    assert {each["id"] for each in found["refused"]} >= {wrong["id"]}
    assert len(found["refused"]) == 2


def test_history_and_board(hall):
    crew = hall.guest("crew")
    crew.records(event(1, clock=1), event(1, value="", clock=2), event(3, "blocked", "door locked"))
    history = crew.get("/api/install/history?cable=1").json()
    assert [dict(zip(history["columns"], row, strict=True))["value"] for row in history["events"]] == ["yes", ""]
    board = crew.get("/api/board").json()
    assert board["whole"]["cables"] == 4
    assert board["blocked"] == [[3, "door locked"]]
    assert [share["name"] for share in board["stages"]] == ["one", "two"]
    listed = crew.get("/api/board/remaining.csv")
    assert len(listed.text.splitlines()) == 5
    assert "door locked" in listed.text
    assert crew.get("/api/board/remaining.pdf").content.startswith(b"%PDF")


def test_what_goes_out_is_what_the_functions_write(hall, journal, whole, tmp_path):
    foreman = hall.guest("foreman", "boss")
    foreman.records(event(1), event(2, "plugged", "R9 7", "a"), event(3, "remark", "=cmd|x"))
    # A schedule alone has no workbook.
    assert [line[0] for line in foreman.get("/api/board/exports").json()["exports"]] == [
        "as-built",
        "journal",
        "lines",
        "statistics",
    ]
    assert foreman.get("/api/board/exports/workbook").status_code == 400
    assert foreman.get("/api/board/exports/..%2fsite.db").status_code == 404
    with hall.served.board() as board:
        built.write_as_built(board, tmp_path / "built.csv")
        miswires.write_statistics(board, tmp_path / "statistics.csv")
    files = {name: foreman.get(f"/api/board/exports/{name}") for name in ("as-built", "statistics", "journal", "lines")}
    assert files["as-built"].content == (tmp_path / "built.csv").read_bytes()
    assert files["statistics"].content == (tmp_path / "statistics.csv").read_bytes()
    assert "'=cmd|x" in files["journal"].text
    assert len([line for line in files["lines"].text.splitlines() if json.loads(line)["type"] == "event"]) == 3
    assert 'filename="as-built.csv"' in files["as-built"].headers["content-disposition"]
    assert hall.guest("crew").get("/api/board/exports/journal").status_code == 403
    offered = Hall(journal, planned=whole).local().get("/api/board/exports").json()["exports"]
    assert [line[0] for line in offered] == [*OUTPUTS]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["workbook", "netbox", "netbox-devices"])
def test_what_needs_the_plan_goes_out_too(journal, whole, name):
    visitor = Hall(journal, planned=whole).local()
    visitor.records({**event(1, "serial", "MT1", "device"), "device": "R001"}, event(1, "plugged", "as planned", "a"),
                    event(1, "plugged", "as planned", "b"))  # fmt: skip
    answer = visitor.get(f"/api/board/exports/{name}")
    assert answer.status_code == 200
    if name == "workbook":
        assert openpyxl.load_workbook(BytesIO(answer.content))["cables"]
    else:
        assert len(answer.text.splitlines()) == 2


def test_photos_are_kept_by_their_content(hall):
    crew = hall.guest("crew")
    made = crew.post("/api/install/photo", raw=PNG)
    assert made.status_code == 200
    found = crew.get(f"/api/install/photo/{made.json()['id']}")
    assert (found.content, found.headers["content-type"]) == (PNG, "image/png")
    assert crew.post("/api/install/photo", raw=b"<svg onload=alert(1)>").status_code == 400
    assert crew.get("/api/install/photo/ffff").status_code == 404


def test_codes_are_read_from_text_and_photos(hall):
    pytest.importorskip("zxingcpp")
    crew = hall.guest("crew")
    assert crew.post("/api/install/scan", {"text": "4 b"}).json() == {"cable": 4, "end": "b", "device": ""}
    assert crew.post("/api/install/scan", {"text": "L2a"}).json() == {"cable": 2, "end": "a", "device": ""}
    assert crew.post("/api/install/scan", {"text": "77"}).status_code == 400
    file = BytesIO()
    # As the terminal shows it: each character is two modules, one above the other.
    light = {"█": (255, 255), "▀": (255, 0), "▄": (0, 255), " ": (0, 0)}
    rows = [[light[mark][half] for mark in line] for line in qr.lines("HTTP://10.0.0.5:8080/C/3A") for half in (0, 1)]
    Image.fromarray(np.kron(np.array(rows, np.uint8), np.ones((6, 6), np.uint8))).save(file, "JPEG")
    assert crew.post("/api/install/scan", raw=file.getvalue()).json() == {"cable": 3, "end": "a", "device": ""}
    assert crew.post("/api/install/scan", raw=PNG).status_code == 400
    assert crew.get("/C/3A").headers["location"] == "/install#cable=3A"
    assert crew.get("/c/99").status_code == 400
    assert crew.get("/T/07").headers["location"] == "/install#task=7"
    assert crew.get("/t/x").status_code == 404
    assert crew.get("/d/r3").headers["location"] == "/install#device=R3"
    assert crew.get("/D/R99").status_code == 400


def test_names_of_devices_may_have_any_letters(journal):
    name = "hall 2/R#1 ä"
    rows = [row(1, ("R1", 1), ("R2", 1))]
    rows[0] = rows[0]._replace(a=rows[0].a._replace(device=name))
    crew = Hall(journal, planned=Planned(rows, Path("hall"))).guest("crew")
    address = crew.get(f"/d/{quote(name, safe='')}").headers["location"]
    assert unquote(address.partition("#device=")[2]) == name
    assert crew.records({**event(0, "serial", "S1", "device"), "device": name}).json()["new"] == 1
    history = crew.get("/api/install/history", params={"device": name}).json()
    assert [line[history["columns"].index("value")] for line in history["events"]] == ["S1"]


def scans(name: str) -> dict[str, bytes]:
    return {"files": ((DATA / name / "ibdiagnet2.db_csv").name, (DATA / name / "ibdiagnet2.db_csv").read_bytes())}


def test_serial_numbers_are_read_from_bar_codes(hall):
    zxingcpp = pytest.importorskip("zxingcpp")
    crew = hall.guest("crew")
    code = zxingcpp.create_barcode("MT2042X01937", zxingcpp.BarcodeFormat.Code128)
    made = np.array(zxingcpp.write_barcode_to_image(code, scale=3)).squeeze()
    file = BytesIO()
    Image.fromarray(np.pad(made, 40, constant_values=255)).save(file, "JPEG")
    assert crew.post("/api/install/scan/texts", raw=file.getvalue()).json() == {"texts": ["MT2042X01937"]}
    assert crew.post("/api/install/scan/texts", raw=PNG).status_code == 400
    assert crew.post("/api/install/scan/texts", raw=b"<svg>").status_code == 400


@pytest.mark.slow
def test_a_discovered_fabric_is_verified_and_accepted(journal, slimfly):
    hall = Hall(journal, planned=slimfly)
    planner, foreman = hall.guest("planner", "desk"), hall.guest("foreman", "boss")
    found = planner.post("/api/verify", files=scans("sf-clean")).json()
    assert (found["right"], found["cards"]) == (len(slimfly.rows), [])
    assert planner.get("/api/verify/cards").json()["scan"] == found["scan"]
    assert planner.post("/api/verify/accept", {"cables": "right"}).status_code == 403
    assert foreman.post("/api/verify/accept", {"cables": "right"}).json()["accepted"] == len(hall.served.site.cables)
    assert {row[1] for row in foreman.get("/api/install/state").json()["cables"]} == {"accepted"}
    again = planner.post("/api/verify", files=scans("sf-clean")).json()
    assert again["new"] == 0


def test_moves_are_work_cards(journal, slimfly):
    hall = Hall(journal, planned=slimfly)
    found = hall.guest("planner").post("/api/verify", files=scans("sf-mixed")).json()
    answer = json.loads((DATA / "sf-mixed" / "answer.json").read_text(encoding="utf-8"))
    moves = [card for card in found["cards"] if card["kind"] == "move"]
    assert len(moves) == answer["min_plug_moves"] == found["min_plug_moves"]
    assert all(card["device"] and card["to_port"] for card in moves)
    assert hall.guest("crew").get("/api/verify/cards").json()["cards"] == found["cards"]


def test_uploads_without_links_are_refused_by_name(hall):
    refused = hall.guest("planner").post("/api/verify", files={"files": ("../../etc/x.txt", b"nothing")})
    assert refused.status_code == 400
    place = refused.json()["problems"][0]["place"]
    assert place.endswith("x.txt")
    assert "/" not in place


@pytest.mark.slow
def test_every_answer_has_the_policy(hall):
    visitor = hall.local()
    for door in doors():
        answer = visitor.get(door.path.replace("{", "").replace("}", "")) if not door.writes else visitor.post(door.path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"


def test_the_page_of_the_plan_allows_style_elements_and_nothing_else(journal, whole):
    visitor = Hall(journal, planned=whole).local()
    of_page, of_others = (visitor.get(path).headers["content-security-policy"].split("; ") for path in ("/", "/board"))
    assert of_page == [*of_others, "style-src-elem 'self' 'unsafe-inline'"]


def test_pages_have_no_inline_code(journal, whole):
    visitor = Hall(journal, planned=whole).local()
    for path in ("/", "/install", "/board"):
        text = visitor.get(path).text
        lowered = text.lower()
        assert "<style" not in lowered
        assert "<script>" not in lowered
        assert not [word for word in lowered.split() if word.startswith("on") and "=" in word], path
        assert ' style="' not in lowered


@pytest.mark.slow
def test_the_page_is_that_of_the_report(hall, journal, whole):
    visitor = Hall(journal, planned=whole).local()
    text = visitor.get("/").text
    for name in ("app.js", "plan.css", "tables.css"):
        assert f"/static/plan/{name}" in text
    own = page_data(html.page(whole.plan))
    assert visitor.get("/api/plan").json() == own
    linked = html.linked(whole.plan, "/static/plan", "/api/plan")
    for name, content in linked.files.items():
        assert visitor.get(f"/static/plan/{name}").text == content
    for name in ("app.js", "three.module.min.js", "OrbitControls.min.js"):
        imports = set(re.findall(r'\bfrom ?"([^"]+)"', linked.files[name]))
        assert imports
        assert imports <= {f"./{other}" for other in linked.files}, name
    assert hall.local().get("/").status_code == 404


def test_answers_are_compressed(hall):
    found = hall.local().http.get("/api/install/cables", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in found.headers
    with hall.local().http.stream("GET", "/api/install/cables") as answer:
        assert answer.headers["content-encoding"] == "gzip"
        assert json.loads(gzip.decompress(b"".join(answer.iter_raw()))) == found.json()


def test_read_only_changes_nothing(journal):
    hall = Hall(journal, Options(read_only=True))
    before = hall.content()
    visitor = hall.local()
    assert visitor.get("/api/board").status_code == 200
    for door in doors():
        if door.writes:
            path = door.path.replace("{", "").replace("}", "")
            assert visitor.http.request(door.method, path, headers=visitor.headers).status_code in (403, 400), path
    assert visitor.records(event()).status_code == 403
    assert hall.content() == before


def test_a_failure_shows_no_trace(hall, monkeypatch, caplog):
    def broken(*_):
        raise RuntimeError("secret words")

    monkeypatch.setattr("planner.install.site.summary.content", broken)
    answer = hall.local().get("/api/board")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert answer.json()["problems"][0]["place"] == "server"
    assert "secret words" in caplog.text
    assert "default-src 'self'" in answer.headers["content-security-policy"]


def test_a_full_disk_is_a_refusal_to_send_again(hall, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    crew = hall.guest("crew")
    monkeypatch.setattr("planner.install.site.phones.append", full)
    answer = crew.records(event())
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "10")


def test_roles_and_addresses_are_those_of_the_table():
    """Every address with its role, in one place: whoever adds a door decides who may use it."""
    found = {(door.method, door.path): door.role for door in doors()}
    assert all(role is None or role in ROLES for role in found.values())
    public = {path for (_, path), role in found.items() if role is None}
    assert public == {"/k/{token}", "/K/{token}", "/authority.crt", "/static/plan/{name}"}
    assert all(role not in (None, "viewer") for (method, path), role in found.items() if method != "GET" and "scan" not in path)


def test_a_schedule_alone_is_served(journal):
    hall = Hall(journal, planned=Planned(list(Hall(journal).planned.rows), Path("cables.csv")))
    assert hall.local().get("/api/me").json()["name"] == "cables.csv"
