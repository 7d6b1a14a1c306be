"""Opening of discovery files: folders, archives and workbooks, within bounds; nothing is written and no link is followed."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from shared.small_plans import ring

from planner.core.errors import InputError
from planner.fabric.verify import readers
from planner.fabric.verify.found import Port
from planner.fabric.verify.readers import stated_time
from planner.fabric.verify.readers.syntax import open
from planner.formats import xlsx

SAMPLES = Path(__file__).parents[1] / "data/verify/formats"
TEXT = (SAMPLES / "ibnetdiscover.txt").read_bytes()
PORTS = (SAMPLES / "ibnetdiscover_ports.txt").read_bytes()


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def tarred(path: Path, members: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz" if path.name.endswith("gz") else "w") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


ARCHIVES: dict[str, Callable[[Path, dict[str, bytes]], Path]] = {
    "a.zip": zipped,
    "a.tar": tarred,
    "a.tar.gz": tarred,
    "a": tarred,
}


def refused(path: Path) -> str:
    with pytest.raises(InputError) as error:
        readers.read([path])
    return str(error.value)


def names(path: Path) -> list[str]:
    return [scan.file.removeprefix(f"{path}") for scan in readers.read([path])]


@pytest.mark.parametrize("name", ARCHIVES)
def test_members_of_an_archive_are_read(name, tmp_path):
    path = ARCHIVES[name](tmp_path / name, {"x/one.txt": TEXT, "two": PORTS})
    found = readers.read([path])
    assert [(scan.file, scan.format) for scan in found] == [
        (f"{path}:x/one.txt", "ibnetdiscover"),
        (f"{path}:two", "ibnetdiscover_ports"),
    ]


@pytest.mark.parametrize("name", ARCHIVES)
def test_names_of_members_lead_nowhere(name, tmp_path):
    (tmp_path / "in").mkdir()
    path = ARCHIVES[name](tmp_path / "in" / name, {"../../out.txt": TEXT, "/etc/passwd": PORTS})
    assert len(readers.read([path])) == 2
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == [name]


def test_links_in_archives_are_left_out(tmp_path):
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE):
            info = tarfile.TarInfo(f"link{kind!r}")
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
        info = tarfile.TarInfo("fabric.txt")
        info.size = len(TEXT)
        archive.addfile(info, io.BytesIO(TEXT))
    assert names(path) == [":fabric.txt"]
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as zip_file:
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        zip_file.writestr(link, "/etc/passwd")
        zip_file.writestr("fabric.txt", TEXT)
    assert names(path) == [":fabric.txt"]


def test_an_archive_of_the_folder_itself_is_read(tmp_path):
    """As ``tar czf scan.tgz .`` packs it."""
    assert names(tarred(tmp_path / "a.tgz", {"./x/fabric.txt": TEXT, "./.hidden": b"no discovery"})) == [":./x/fabric.txt"]
    assert "contains no files" in refused(tarred(tmp_path / "b.tgz", {"./.hidden": b"no discovery"}))


def test_links_in_folders_are_not_followed(tmp_path):
    folder = tmp_path / "scans"
    folder.mkdir()
    (folder / "fabric.txt").write_bytes(TEXT)
    (folder / "around").symlink_to(folder)
    (tmp_path / "other.txt").write_bytes(b"no discovery")
    (folder / "out.txt").symlink_to(tmp_path / "other.txt")
    assert names(folder) == ["/fabric.txt"]


def test_what_accompanies_discovery_files_is_left_out(tmp_path):
    for name in (".DS_Store", "ibdiagnet2.log", "ibdiagnet2.fdbs", "ibdiagnet2.pm"):
        (tmp_path / name).write_text("no discovery")
    (tmp_path / "ibdiagnet2.lst").write_bytes((SAMPLES / "ibdiagnet_lst.lst").read_bytes())
    (tmp_path / "ibdiagnet2.db_csv").write_bytes((SAMPLES / "ibdiagnet_db_csv.csv").read_bytes())
    assert names(tmp_path) == ["/ibdiagnet2.db_csv", "/ibdiagnet2.lst"]
    # A file named by the user is never left out.
    assert "no known discovery format" in refused(tmp_path / "ibdiagnet2.log")


def test_a_compressed_file_is_read(tmp_path):
    path = tmp_path / "fabric.txt.gz"
    path.write_bytes(gzip.compress(TEXT))
    assert names(path) == [""]


def test_a_file_of_powershell_is_read(tmp_path):
    path = tmp_path / "fabric.txt"
    path.write_bytes(TEXT.decode().encode("utf-16"))
    assert names(path) == [""]


def test_a_name_that_is_not_utf8_is_read(tmp_path):
    path = tmp_path / "fabric.txt"
    path.write_bytes(TEXT.replace(b"E000", b"Knoten\xfc"))
    (scan,) = readers.read([path])
    assert scan.devices["ec0d9a0300b000b0"].name == "Knoten\ufffd mlx5_0"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x00\x01\x02", "is not text: it contains null bytes"),
        (b" \n \n", "is empty"),
        (b"", "is empty"),
        (gzip.compress(TEXT)[:-9], "is a damaged archive"),
        (b"\x1f\x8b" + b"x" * 100, "is a damaged archive"),
        (b"PK\x03\x04" + b"x" * 100, "is a damaged archive"),
    ],
)
def test_files_without_text_are_refused(content, message, tmp_path):
    path = tmp_path / "fabric.txt"
    path.write_bytes(content)
    assert message in refused(path)


def test_paths_that_cannot_be_read(tmp_path):
    assert "cannot be read: No such file" in refused(tmp_path / "none.txt")
    assert "contains no files" in refused(tmp_path)
    assert "cannot be read" in refused(Path("a\0b"))


def test_every_damaged_member_is_named(tmp_path):
    path = zipped(tmp_path / "a.zip", {"a.txt": b"hello", "b.txt": TEXT, "c.txt": b"\x00", "d.txt": b""})
    text = refused(path)
    assert [line.split(": ")[0] for line in text.splitlines()] == [f"{path}:{name}.txt" for name in "acd"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_that_unpacks_to_too_much_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.setattr(open, "MAX_TOTAL", 1_000_000)
    path = ARCHIVES[name](tmp_path / name, {"bomb.txt": b"#" * 2_000_000})
    assert "is larger than 1 MB" in refused(path)
    path = ARCHIVES[name](tmp_path / name, {f"bomb{number}.txt": b"#" * 90_000 for number in range(20)})
    assert "is larger than 1 MB" in refused(path)


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_of_too_many_files_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.setattr(open, "MAX_FILES", 10)
    path = ARCHIVES[name](tmp_path / name, {f"{number}.txt": TEXT for number in range(11)})
    assert "contains more than 10 files" in refused(path)


def test_a_compressed_file_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(open, "MAX_TOTAL", 1_000_000)
    path = tmp_path / "fabric.gz"
    path.write_bytes(gzip.compress(b"#" * 2_000_000))
    assert "is larger than 1 MB" in refused(path)


def test_an_archive_with_a_false_size_is_refused(tmp_path, monkeypatch):
    """The head of a member claims more bytes than follow, or fewer."""
    monkeypatch.setattr(open, "MAX_TOTAL", 1_000_000)
    path = tmp_path / "a.tar"
    info = tarfile.TarInfo("bomb.txt")
    info.size = 10**12
    path.write_bytes(info.tobuf() + b"#" * 1000)
    assert "is larger than 1 MB" in refused(path)
    data = bytearray(zipped(tmp_path / "a.zip", {"bomb.txt": b"#" * 2_000_000}).read_bytes())
    place = data.rindex(b"PK\x01\x02")
    data[place + 24 : place + 28] = (100).to_bytes(4, "little")
    (tmp_path / "a.zip").write_bytes(data)
    assert "is a damaged archive" in refused(tmp_path / "a.zip")


def test_a_member_without_a_name_is_read(tmp_path):
    data = zipped(tmp_path / "a.zip", {"ab": TEXT}).read_bytes()
    # Both heads state a name of no bytes; its two are then an extra field.
    for mark, place in ((b"PK\x03\x04", 26), (b"PK\x01\x02", 28)):
        start = data.rindex(mark)
        name = start + place + (4 if mark.startswith(b"PK\x03") else 18)
        data = data[: start + place] + b"\0\0" + data[start + place + 2 : name] + data[name + 2 :]
    end = data.rindex(b"PK\x05\x06")
    size, offset = (int.from_bytes(data[end + at : end + at + 4], "little") for at in (12, 16))
    data = data[: end + 12] + (size - 2).to_bytes(4, "little") + (offset - 2).to_bytes(4, "little") + data[end + 20 :]
    (tmp_path / "a.zip").write_bytes(data)
    assert names(tmp_path / "a.zip") == [":"]


HEADERS = {
    "a chain": [(b"x", b"11 path=ab\n")] * 3000,
    "digits": [(b"g", b"1" * 200_000)],
    "a long name": [(b"L", b"a" * 100_000)],
    "a sparse file": [(b"S", b"")],
    "sparse by record": [(b"x", b"22 GNU.sparse.major=1\n")],
    "a length of its own": [(b"x", b"99999 path=a\n")],
    "no length": [(b"x", b"path=a\n")],
}


@pytest.mark.parametrize("ending", ["tar", "tar.gz"])
@pytest.mark.parametrize("what", HEADERS)
def test_extended_headers_of_a_tar_are_bounded(what, ending, tmp_path):
    """The module followed chains by recursion, and took minutes for a long header of digits."""
    content = b""
    for kind, record in HEADERS[what]:
        info = tarfile.TarInfo("extended")
        info.type, info.size = kind, len(record)
        content += info.tobuf(tarfile.USTAR_FORMAT) + record + bytes(-len(record) % 512)
    info = tarfile.TarInfo("fabric.txt")
    info.size = len(TEXT)
    content += info.tobuf() + TEXT
    path = tmp_path / f"a.{ending}"
    path.write_bytes(gzip.compress(content) if ending == "tar.gz" else content)
    assert "is a damaged archive" in refused(path)


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT])
@pytest.mark.parametrize("name", ["fabric.txt", "d" * 99 + "/" + "f" * 90, "ö" * 60 + "/ü.txt", "x/" * 40 + "y"])
def test_tars_of_every_program_are_read(form, name, tmp_path):
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w", format=form, pax_headers={"comment": "x"} if form == tarfile.PAX_FORMAT else None) as archive:
        folder = tarfile.TarInfo(name.rpartition("/")[0] or "folder")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        info = tarfile.TarInfo(name)
        info.size, info.mtime, info.uname = len(TEXT), 1.5, "jürgen"
        archive.addfile(info, io.BytesIO(TEXT))
    assert names(path) == [f":{name}"]


def test_the_directory_of_a_zip_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(open, "MAX_FILES", 3)
    path = zipped(tmp_path / "a.zip", {f"{number}{'x' * 1000}.txt": TEXT for number in range(4)})
    assert "its directory has" in refused(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.txt", TEXT)
    assert "packed by a method other than deflate" in refused(path)


def test_an_encrypted_archive_is_refused(tmp_path):
    data = bytearray(zipped(tmp_path / "a.zip", {"a.txt": TEXT}).read_bytes())
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.rindex(mark) + flags] |= 1
    (tmp_path / "a.zip").write_bytes(data)
    assert "is a damaged archive" in refused(tmp_path / "a.zip")


# -- workbooks --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def book(tmp_path_factory) -> Path:
    """Return the workbook of three routers in a ring."""
    path = tmp_path_factory.mktemp("book") / "plan.xlsx"
    xlsx.write(ring(), path)
    return path


def filled(book: Path, path: Path, cells: dict[tuple[str, int, str], object]) -> Path:
    """Write a copy in which a person filled in cells: sheet, row of the table from 0, name of the column."""
    sheets = openpyxl.load_workbook(book)
    for (sheet, row, column), value in cells.items():
        columns = [cell.value for cell in sheets[sheet][1]]
        sheets[sheet].cell(row + 3, columns.index(column) + 1).value = value
    sheets.save(path)
    return path


@pytest.mark.slow
def test_a_workbook_states_what_is_installed(book, tmp_path):
    (empty,) = readers.read([book])
    assert (empty.format, empty.readings, empty.claims) == ("workbook", [], True)
    plan = list(openpyxl.load_workbook(book)["cables"].iter_rows(values_only=True))
    first, second = (dict(zip(plan[0], row, strict=True)) for row in plan[2:4])
    path = filled(
        book,
        tmp_path / "filled.xlsx",
        {
            ("cables", 0, "installed"): "x",
            ("cables", 0, "actual_m"): 3.5,
            ("cables", 1, "installed"): "yes",
            ("cables", 1, "built_b_port"): "30",
            ("cables", 2, "built_b_port"): "31",
            ("routers", 0, "serial_number"): " MT1234 ",
        },
    )
    (scan,) = readers.read([path])
    assert [(reading.port, reading.far) for reading in scan.readings] == [
        (Port(first["a_device"], str(first["a_port"])), Port(first["b_device"], str(first["b_port"]))),
        (Port(second["a_device"], str(second["a_port"])), Port(second["b_device"], "30")),
    ]
    assert scan.readings[0].plug is not None
    assert scan.readings[0].plug.length_m == 3.5
    assert [device.serial for device in scan.devices.values() if device.serial] == ["MT1234"]


@pytest.mark.slow
def test_problems_of_a_workbook_are_reported(book, tmp_path):
    path = filled(book, tmp_path / "filled.xlsx", {("cables", 0, "installed"): "perhaps"})
    assert "'perhaps' is neither yes nor no" in refused(path)
    assert "a workbook inside an archive; unpack it" in refused(zipped(tmp_path / "a.zip", {"plan.xlsx": book.read_bytes()}))


@pytest.mark.parametrize(
    ("head", "time"),
    [
        ("#\n# Topology file: generated on Sun Nov 22 14:00:00 2026\n", "2026-11-22T14:00:00"),
        ('# Running version: "IBDIAGNET 2.9"\n# Run date: 2026-11-22 14:00:00\n', "2026-11-22T14:00:00"),
        ('{"when": "2026-11-22T14:00:00Z"}', "2026-11-22T14:00:00+00:00"),
        ("START_NODES\n", ""),
    ],
)
def test_the_time_of_a_scan_is_that_of_its_file(head, time):
    assert stated_time(head) == time


def test_scans_know_their_time():
    (scan,) = readers.read([Path(__file__).parents[1] / "data/verify/sf-clean/ibnetdiscover.txt"])
    assert scan.taken == "2026-11-22T14:00:00"
