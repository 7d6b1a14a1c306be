"""The command: what it refuses before anything is served, and how it begins and ends."""

import json
import os
import signal
import socket
import sqlite3
import ssl
import sys
import time
import urllib.request
from contextlib import ExitStack
from functools import partial

import pytest
from shared.built_fabrics import PLAN
from shared.http_phones import forked, printed_by, server
from shared.site_events import random_events

from planner.commands.console.cli import main
from planner.install.serve import limits
from planner.install.serve.run import Settings, check
from planner.install.site import backup
from planner.install.site.journal import Journal

pytestmark = pytest.mark.slow


@pytest.fixture
def db(tmp_path):
    return tmp_path / "site.db"


def refused(capsys, *words):
    assert main(["serve", *map(str, words)]) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert all(line.startswith("planner: error: ") for line in lines), lines
    return lines


def test_other_machines_need_encryption_or_a_clear_word(capsys, db):
    for host in ("0.0.0.0", "::", "10.0.0.5", "site.local"):
        (line,) = refused(capsys, PLAN, "--db", db, "--host", host)
        assert "not encrypted" in line
        assert "--insecure-http" in line
    assert not db.exists()
    for settings in (Settings(PLAN), Settings(PLAN, host="::1"), Settings(PLAN, host="localhost"),
                     Settings(PLAN, host="0.0.0.0", tls=True), Settings(PLAN, host="0.0.0.0", insecure_http=True)):  # fmt: skip
        check(settings)


def test_everything_that_is_wrong_is_one_clear_error(capsys, db, tmp_path):
    assert "contradicts" in refused(capsys, PLAN, "--tls", "--insecure-http", "--db", db)[0]
    assert "out of bounds" in refused(capsys, PLAN, "--port", 70_000, "--db", db)[0]
    assert refused(capsys, tmp_path / "nothing", "--db", db)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE theirs(a)")
    connection.close()
    before = other.read_bytes()
    assert "journal" in refused(capsys, PLAN, "--db", other)[0]
    assert other.read_bytes() == before
    assert "folder does not exist" in refused(capsys, PLAN, "--db", tmp_path / "no" / "site.db")[0]
    assert "no address of a proxy" in refused(capsys, PLAN, "--db", db, "--behind-proxy", "site.example")[0]
    assert "no address of a proxy" in refused(capsys, PLAN, "--db", db, "--behind-proxy", "https://a.example/plan")[0]
    assert "not used behind a proxy" in refused(capsys, PLAN, "--db", db, "--behind-proxy", "https://a.example", "--name", "b")[0]
    assert "no host name" in refused(capsys, PLAN, "--db", db, "--name", "a b")[0]
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert "in use" in refused(capsys, PLAN, "--db", db, "--port", taken.getsockname()[1])[0]


def test_a_missing_package_is_named(capsys, monkeypatch, db):
    monkeypatch.delitem(sys.modules, "planner.install.serve.run", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    (line,) = refused(capsys, PLAN, "--db", db)
    assert "planner[serve]" in line


def get(port, path, *, context=None):
    scheme = "http" if context is None else "https"
    return urllib.request.urlopen(f"{scheme}://localhost:{port}{path}", timeout=20, context=context).read()


@pytest.mark.slow
def test_the_command_serves_and_ends_with_ctrl_c(db):
    with server(PLAN, db) as (process, port):
        assert b"foreman" in get(port, "/api/me")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert b"every acknowledged event is in the journal" in process.stdout.read()


def test_a_copy_of_the_journal_is_made_at_the_end(db):
    with forked(PLAN, db) as (process, port):
        get(port, "/api/me")
        with Journal(db) as journal:
            journal.write("test", "plan", "INSERT INTO plan VALUES (?, 0, '')", [("0123456789abcdef",)])
            journal.append(random_events(3, 1), crew="blue", role="crew")
        os.kill(process.pid, signal.SIGTERM)
        process.join(30)
        assert process.exitcode == 0
    with Journal(db) as journal:
        (copy,) = backup.copies(journal, db.parent / "backups")
        backup.check(copy)
        with Journal(copy) as other:
            assert list(other.events()) == list(journal.events())


def test_read_only_leaves_no_journal(db):
    with forked(PLAN, db, read_only=True) as (_, port):
        assert b'"viewer"' in get(port, "/api/me")
    assert not db.exists()


def test_a_plan_that_is_written_again_is_followed(db, tmp_path):
    plan = tmp_path / "cables.csv"
    lines = PLAN.read_text(encoding="utf-8").splitlines(keepends=True)
    plan.write_text("".join(lines), encoding="utf-8")
    with forked(plan, db, follow_s=0.05) as (_, port):
        before = json.loads(get(port, "/api/me"))["plan"]
        plan.write_text("".join(lines[:-1]), encoding="utf-8")
        for _ in range(1000):
            after = json.loads(get(port, "/api/me"))["plan"]
            if after != before:
                break
            time.sleep(0.02)
        assert after != before
        plan.write_text("nothing", encoding="utf-8")
        for _ in range(1000):
            if problem := json.loads(get(port, "/api/board"))["plan_problem"]:
                break
            time.sleep(0.02)
        assert "cables.csv" in problem
        assert json.loads(get(port, "/api/me"))["plan"] == after
    assert f"the plan has changed, revision {after}" in printed_by(db).read_text(encoding="utf-8")


def test_tls_is_trusted_with_the_authority_alone(db, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with forked(PLAN, db, tls=True) as (_, port):
        trusting = ssl.create_default_context(cafile=tmp_path / "planner" / "authority" / "authority.crt")
        assert b"role" in get(port, "/api/me", context=trusting)
        with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
            get(port, "/api/me", context=ssl.create_default_context())


def test_slow_heads_and_bodies_are_cut_off(db, monkeypatch):
    """A connection that sends a byte now and then is closed, and one whose answer is given may not go on for long."""
    assert (limits.HEAD_S, limits.REST_S) == (10, 2)
    monkeypatch.setattr(limits, "HEAD_S", 2.0)
    monkeypatch.setattr(limits, "REST_S", 0.5)
    with forked(PLAN, db) as (_, port), ExitStack() as opened:
        slow = [opened.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(3)]
        slow[0].sendall(b"GET /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        slow[1].sendall(b"POST /api/install/events HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{")
        for each in slow:
            # Without the limit they would be open for ever.
            each.settimeout(60)
        # Head and body of an answer may come one after the other; the end of the connection is an empty piece.
        first, second, third = (b"".join(iter(partial(each.recv, 4000), b"")) for each in slow)
        assert b" 403 " in second.split(b"\r\n")[0]
        assert (first, third) == (b"", b"")
        assert b"role" in get(port, "/api/me")


def test_help_names_every_option(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    text = capsys.readouterr().out
    for option in (
        "--db",
        "--host",
        "--port",
        "--tls",
        "--read-only",
        "--insecure-http",
        "--name",
        "--behind-proxy",
        "--own-code",
        "--backup-every",
        "--photos",
    ):
        assert option in text
