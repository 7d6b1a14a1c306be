"""Photos: kept once, by their content, up to limits that leave room for events."""

from collections import namedtuple

import pytest

from planner.core.errors import InputError
from planner.install.site import photos
from planner.install.site.journal import Journal
from planner.install.site.photos import Full, Limits


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "site.db") as journal:
        yield journal


def picture(number: int, size: int = 100) -> bytes:
    return (b"\xff\xd8\xff" + str(number).encode()).ljust(size, b"\0")


def test_a_photo_is_kept_once_whoever_sends_it(journal):
    first = photos.keep(journal, picture(1), crew="blue")
    assert photos.keep(journal, picture(1), crew="red") == first
    assert photos.read(journal, first) == (picture(1), "image/jpeg")
    assert journal.query("SELECT count(*) FROM photo") == [(1,)]


@pytest.mark.parametrize("limits", [Limits(count=8, total_bytes=10**6), Limits(count=10**6, total_bytes=800)])
def test_a_crew_cannot_take_more_than_its_share_and_all_crews_no_more_than_there_is(journal, limits):
    for number in range(4):
        photos.keep(journal, picture(number), crew="blue", limits=limits)
    with pytest.raises(Full, match="crew blue has 4 photos"):
        photos.keep(journal, picture(4), crew="blue", limits=limits)
    # One that is there already is no new one.
    photos.keep(journal, picture(3), crew="blue", limits=limits)
    for number in range(4, 8):
        photos.keep(journal, picture(number), crew=f"crew {number}", limits=limits)
    with pytest.raises(Full, match="the journal has 8 photos") as refused:
        photos.keep(journal, picture(8), crew="red", limits=limits)
    assert "--photos" in refused.value.problem.remedy
    assert journal.query("SELECT count(*) FROM photo") == [(8,)]


def test_photos_leave_space_on_the_disk_to_events(journal, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(10**12, 0, photos.SPARE_BYTES + 99))
    with pytest.raises(Full, match="the disk of the journal has 200 MB left"):
        photos.keep(journal, picture(1), crew="blue")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(10**12, 0, photos.SPARE_BYTES + 101))
    photos.keep(journal, picture(1), crew="blue")


@pytest.mark.parametrize("content", [b"", b"<svg/>", b"\xff\xd8\xff" + b"\0" * photos.MAX_BYTES])
def test_what_is_no_picture_or_too_large_is_refused(journal, content):
    with pytest.raises(InputError):
        photos.keep(journal, content, crew="blue")
