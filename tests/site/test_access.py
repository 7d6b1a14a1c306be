"""Links and sessions: only their hashes are kept, and they end."""

import pytest

from planner.core.errors import InputError
from planner.install.site import access, photos
from planner.install.site.journal import Journal


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "site.db") as journal:
        yield journal


def test_a_link_opens_sessions_until_it_is_revoked(journal):
    link = access.issue(journal, "blue")
    phones = [access.session(journal, link) for _ in range(2)]
    assert phones[0] != phones[1]
    assert [access.who(journal, phone)[1:3] for phone in phones] == [("blue", "crew")] * 2
    assert access.session(journal, phones[0]) is None
    assert access.revoke(journal, access.links(journal)[0].key) == 1
    assert [access.who(journal, token) for token in (link, *phones)] == [None] * 3
    assert access.session(journal, link) is None
    assert access.links(journal)[0].revoked


def test_revoking_a_crew_ends_its_sessions_and_no_others(journal):
    blue, red = access.issue(journal, "blue"), access.issue(journal, "red", "foreman")
    phone = access.session(journal, blue)
    assert access.revoke(journal, "blue") == 2
    assert access.who(journal, phone) is None
    assert access.who(journal, red).role == "foreman"


def test_links_and_sessions_expire(journal, monkeypatch):
    link = access.issue(journal, "blue", hours=2)
    phone = access.session(journal, link, hours=16)
    assert access.who(journal, phone).expires == access.who(journal, link).expires
    end = access.who(journal, link).expires
    monkeypatch.setattr("time.time_ns", lambda: end * 1000 + 1)
    assert access.who(journal, link) is None
    assert access.who(journal, phone) is None


def test_no_token_is_in_the_file(journal):
    link = access.issue(journal, "blue")
    phone = access.session(journal, link)
    journal.query("PRAGMA wal_checkpoint(TRUNCATE)")
    content = journal.path.read_bytes()
    assert b"blue" in content
    assert link.encode() not in content
    assert phone.encode() not in content
    assert all(link not in what and phone not in what for _, _, what in journal.audit())
    assert [who for _, who, _ in journal.audit()] == ["terminal", "blue"]


@pytest.mark.parametrize("token", [None, 5, "", "A" * 26, "a" * 26, "A" * 25, "' OR 1=1 --", "A" * 10**6])
def test_forged_tokens_open_nothing(journal, token):
    access.issue(journal, "blue")
    assert access.who(journal, token) is None


def test_tokens_have_128_bits_and_differ(journal):
    found = {access.issue(journal, "blue") for _ in range(50)}
    assert len(found) == 50
    assert {len(token) for token in found} == {26}


def test_wrong_links_are_refused_with_all_problems(journal):
    with pytest.raises(InputError) as caught:
        access.issue(journal, "fabric", "boss", hours=0)
    assert [problem.place for problem in caught.value.problems] == ["crew", "role", "hours"]
    assert access.links(journal) == []


def test_photos_are_kept_once_by_content(journal):
    png = b"\x89PNG\r\n\x1a\n" + b"0" * 50
    key = photos.keep(journal, png, crew="blue")
    assert photos.keep(journal, png, crew="red") == key
    assert photos.read(journal, key) == (png, "image/png")
    assert photos.read(journal, "0" * 64) is None
    for content in (b"<svg onload=alert(1)>", b"", b"\xff\xd8\xff" + bytes(photos.MAX_BYTES)):
        with pytest.raises(InputError):
            photos.keep(journal, content, crew="blue")
