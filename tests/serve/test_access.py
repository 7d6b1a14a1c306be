"""Who gets in, with what, and what other sites can do: nothing."""

import os
import re
import socket
import subprocess
from pathlib import Path

import pytest
from shared.built_fabrics import PLAN
from shared.http_phones import forked
from shared.served import FAR, HOST, Hall, Visitor, event

from planner.install.serve import peer
from planner.install.serve.doors import doors
from planner.install.serve.served import Options
from planner.install.site import access
from planner.install.site.fields import ROLES

pytestmark = pytest.mark.slow

WRITES = [door for door in doors() if door.writes]


def address(door):
    return door.path.replace("{", "").replace("}", "")


def test_a_link_opens_the_page_of_its_role_once_it_is_made(hall):
    boss = hall.guest("foreman", "boss")
    made = boss.post("/api/access", {"crew": "green", "role": "crew", "hours": 2}).json()
    assert made["url"].startswith("HTTP://127.0.0.1:8080/K/")
    assert made["qr"].startswith("<svg")
    phone = hall.stranger()
    assert phone.get("/api/me").status_code == 401
    opened = phone.get(f"/K/{made['token']}")
    assert (opened.status_code, opened.headers["location"]) == (303, "/install")
    cookie = opened.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert made["token"] not in cookie
    assert phone.get("/api/me").json()["crew"] == "green"
    listed = boss.get("/api/access").json()["links"]
    assert [link["crew"] for link in listed] == ["boss", "green"]
    assert made["token"] not in boss.get("/api/access").text
    assert boss.delete(f"/api/access/{made['key']}").json()["revoked"] >= 1
    assert phone.get("/api/me").status_code == 401
    assert boss.delete("/api/access/nobody").status_code == 404
    assert [row[1] for row in boss.get("/api/audit").json()["entries"]].count("boss") >= 2


def test_cookies_are_secure_where_connections_are(journal):
    hall = Hall(journal, Options("https://10.0.0.5:8443", local=False, tls=True))
    answer = Visitor(hall, "https://10.0.0.5:8443", "8.8.8.8").get(f"/k/{access.issue(journal, 'blue')}")
    assert "; Secure" in answer.headers["set-cookie"]


def test_forged_expired_and_revoked_tokens_open_nothing(hall, journal):
    token = access.issue(journal, "blue", hours=1e-6)
    revoked = access.issue(journal, "green")
    access.revoke(journal, "green")
    session = access.session(journal, access.issue(journal, "red"))
    for wrong in (token, revoked, session, "A" * 26, "x", "%00", "A" * 5000, "' OR 1=1 --", "../../etc/passwd"):
        assert hall.stranger().get(f"/k/{wrong}").status_code in (401, 404), wrong
        visitor = hall.stranger()
        visitor.http.cookies.set("planner", wrong if wrong.isascii() and wrong.isalnum() and wrong != session else "x")
        assert visitor.get("/api/me").status_code == 401
    # A link is no session.
    visitor = hall.stranger()
    link = access.issue(journal, "black")
    visitor.http.cookies.set("planner", link)
    assert visitor.get("/api/me").json()["crew"] == "black"


@pytest.mark.parametrize("door", [door for door in doors() if door.role], ids=lambda door: f"{door.method} {door.path}")
def test_each_door_refuses_lower_roles(hall, door):
    below = ROLES[: ROLES.index(door.role)]
    for visitor in [hall.stranger(), *(hall.guest(role, role) for role in below)]:
        before = hall.content()
        answer = visitor.http.request(door.method, address(door), headers=visitor.headers)
        assert answer.status_code in (401, 403)
        assert hall.content() == before


@pytest.mark.parametrize("door", WRITES, ids=lambda door: f"{door.method} {door.path}")
def test_requests_of_other_sites_are_refused(hall, door):
    boss = hall.guest("foreman", "boss")
    own = {"X-Planner": boss.csrf, "Origin": FAR, "Sec-Fetch-Site": "same-origin"}
    wrong = [
        {**own, "Origin": "https://evil.example"}, {**own, "Origin": "null"}, {**own, "Sec-Fetch-Site": "cross-site"},
        {**own, "Sec-Fetch-Site": "same-site"}, {**own, "X-Planner": ""}, {**own, "X-Planner": "0" * 32}, {},
        {**own, "Origin": "http://10.0.0.5"}, {**own, "X-Planner": b"\xc3\xa4"},
    ]  # fmt: skip
    before = hall.content()
    for headers in wrong:
        answer = boss.http.request(door.method, address(door), headers=headers, json={"events": [event()]})
        assert answer.status_code == 403, headers
    assert hall.content() == before


def test_other_sites_cannot_read(hall):
    crew = hall.guest("crew")
    assert crew.get("/api/install/state", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    # A code on a label is opened from anywhere.
    assert crew.get("/c/1A", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 303
    assert "access-control-allow-origin" not in crew.get("/api/me", headers={"Origin": "https://evil.example"}).headers


def test_the_header_of_one_session_does_not_serve_another(hall):
    first, second = hall.guest("crew", "one"), hall.guest("crew", "two")
    first.csrf = second.csrf
    assert first.records(event()).status_code == 403


def test_the_user_of_the_machine_needs_no_link(hall):
    assert hall.local().get("/api/me").json()["role"] == "foreman"
    for base, client, headers in (
        ("http://evil.example:8080", "127.0.0.1", {}),
        (HOST, "127.0.0.1", {"X-Forwarded-For": "203.0.113.9"}),
        (HOST, "127.0.0.1", {"Forwarded": "for=203.0.113.9"}),
        (HOST, "10.0.0.9", {}),
    ):
        visitor = Visitor(hall, FAR, client)
        visitor.http.base_url = base
        assert visitor.get("/api/me", headers=headers).status_code == 401


def test_programs_of_other_users_are_not_the_user_of_the_machine(monkeypatch):
    """A proxy with its settings as they come: it passes on neither the name nor the address of a visitor."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as own:
        address, port = own.getsockname()
        assert peer.is_own(address, port, server.getsockname()[1])
        monkeypatch.setattr(peer.os, "getuid", lambda: 12345)
        assert not peer.is_own(address, port, server.getsockname()[1])
        # Of a connection that has ended nothing is known.
        assert peer.is_own(address, 1, server.getsockname()[1])
    with (
        socket.create_server(("::1", 0), family=socket.AF_INET6) as server,
        socket.create_connection(server.getsockname()[:2]) as own,
    ):
        assert not peer.is_own(*own.getsockname()[:2], server.getsockname()[1])
    monkeypatch.setattr(peer, "TABLES", {4: Path("/nonexistent"), 6: Path("/nonexistent")})
    assert peer.is_own(address, port, 1)


def test_the_server_knows_whose_connection_it_is(tmp_path):
    get = b"GET /api/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with forked(PLAN, tmp_path / "site.db") as (_, port):
        answers = []
        for user in (None, *([65534] if os.getuid() == 0 else [])):
            code = (
                f"import socket, sys; s = socket.create_connection(('127.0.0.1', {port})); s.sendall({get!r}); print(s.recv(99))"
            )
            command = ["/usr/bin/env", "python3", "-c", code]
            ended = subprocess.run(command, user=user, capture_output=True, text=True, check=True, timeout=60, cwd="/")
            answers.append(ended.stdout[2:14])
    assert answers[0] == "HTTP/1.1 200"
    assert answers[1:] in ([], ["HTTP/1.1 401"])


def proxied(journal, url="https://site.example"):
    return Hall(journal, Options(url, local=False, proxied=True))


def test_behind_a_proxy_everybody_needs_a_link(journal):
    """Its Host is that of this server, and there is no header that names the visitor."""
    hall = proxied(journal)
    visitor = Visitor(hall, HOST, "127.0.0.1")
    assert visitor.get("/api/me").status_code == 401
    opened = visitor.get(f"/k/{access.issue(journal, 'blue')}")
    assert opened.status_code == 303
    assert "; Secure" in opened.headers["set-cookie"]
    visitor.http.cookies.set("planner", opened.headers["set-cookie"].partition("=")[2].partition(";")[0])
    visitor.known()
    own = {"X-Planner": visitor.csrf, "Sec-Fetch-Site": "same-origin"}
    body = {"events": [event()]}
    assert visitor.post("/api/install/events", body, headers=own | {"Origin": "https://site.example"}).status_code == 200
    for other in ("http://127.0.0.1:8080", "http://site.example", "https://evil.example"):
        assert visitor.post("/api/install/events", body, headers=own | {"Origin": other}).status_code == 403
    assert visitor.get("/api/me", headers={"Host": "evil.example"}).status_code == 200


def test_another_site_does_not_exchange_a_session(hall, journal):
    crew = hall.guest("foreman", "boss")
    token = access.issue(journal, "<b>evil</b>", "crew")
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {}):
        asked = crew.get(f"/k/{token}", headers=headers)
        assert asked.status_code == 200
        assert "set-cookie" not in asked.headers
        assert "You are boss (foreman)" in asked.text
        assert "<b>evil" not in asked.text
        assert crew.get("/api/me").json()["crew"] == "boss"
    address = re.search(r'href="(/k/[^"]+)"', asked.text)[1]
    wrong = address.replace("instead=", "instead=0")
    assert crew.get(wrong, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200
    assert crew.get("/api/me").json()["crew"] == "boss"
    assert crew.get(address).status_code == 303
    assert crew.get("/api/me").json()["crew"] == "<b>evil</b>"


def test_links_open_at_once_where_nothing_is_exchanged(hall, journal):
    token, same = access.issue(journal, "blue"), access.issue(journal, "blue")
    visitor = hall.stranger()
    # From a message, or a code that a camera shows.
    assert visitor.get(f"/k/{token}", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 303
    assert visitor.get(f"/k/{same}", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 303
    other = access.issue(journal, "green")
    assert visitor.get(f"/k/{other}", headers={"Sec-Fetch-Site": "none"}).status_code == 303
    assert visitor.get("/api/me").json()["crew"] == "green"
    assert visitor.get("/k/AAAA", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 401


def test_nobody_is_local_where_others_listen(journal):
    hall = Hall(journal, Options(local=False))
    assert Visitor(hall, HOST, "127.0.0.1").get("/api/me").status_code == 401


def test_other_networks_need_encryption(journal):
    hall = Hall(journal, Options(local=False))
    assert hall.stranger("8.8.8.8").get("/board").status_code == 403
    assert hall.stranger("192.168.1.7").get("/board").status_code == 401
    assert Hall(journal, Options(local=False, tls=True)).stranger("8.8.8.8").get("/board").status_code == 401


def test_people_without_a_link_read_what_to_do(hall):
    answer = hall.stranger().get("/install")
    assert (answer.status_code, answer.headers["content-type"]) == (401, "text/html; charset=utf-8")
    assert "from the foreman" in answer.text


def test_links_out_of_bounds_are_refused(hall):
    boss = hall.guest("foreman", "boss")
    for wrong in ({}, {"crew": ""}, {"crew": "fabric"}, {"crew": "x", "role": "king"}, {"crew": "x", "hours": -1}, [], "x",
                  {"crew": "x", "hours": 1e9}, {"crew": 7}, {"crew": "a\u202eb"}, {"crew": "x", "hours": True}):  # fmt: skip
        assert boss.post("/api/access", wrong).status_code == 400, wrong
    assert len(boss.get("/api/access").json()["links"]) == 1
