"""Outputs of studies by two checkouts of the program, compared byte for byte but for versions and fingerprints.

    python tools/same_outputs.py OLD NEW [STUDY …]

OLD and NEW are checkouts with their environments in ``.venv``; studies are names of folders in ``reports``, by default all with a
``study.toml``. Archives, workbooks and records are compared member by member, pages of PDF files after unpacking.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

ARCHIVES = {".npz", ".xlsx", ".zip"}
OF_THE_RUN = {"provenance.json", "stages.json", "phases.json"}
"""Files about the run itself: times, versions and fingerprints."""

_MARK = re.compile(rb'\b[0-9a-f]{16}\b|\b[0-9a-f]{32}\b|"version": \d+, (?="fields")')
"""A fingerprint, or the version of a record."""

_STREAM = re.compile(rb"(?<!end)stream\r?\n(.*?)endstream", re.DOTALL)
_OBJECT = re.compile(rb"/(Length|ID|ModDate|CreationDate) ?[^\n]*|^\d{10} \d{5} [nf] $|startxref\n\d+", re.MULTILINE)
"""Lengths, dates and places in a PDF file, which follow from its streams."""


def parts(path: Path, checkout: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the members of a file by name, without fingerprints and the path of the checkout."""
    content = path.read_bytes()
    if path.suffix in ARCHIVES:
        with zipfile.ZipFile(path) as archive:
            # Values of a record are an array of bytes behind a header with their number.
            members = [(name, archive.read(name).rpartition(b'{"record"')[2]) for name in sorted(archive.namelist())]
    elif path.suffix == ".pdf":
        members = [(f"stream {n}", _unpacked(stream)) for n, stream in enumerate(_STREAM.findall(content))]
        members.append(("objects", _OBJECT.sub(b"", _STREAM.sub(b"", content))))
    else:
        members = [("", content)]
    for name, text in members:
        yield name, _MARK.sub(b"", text.replace(str(checkout).encode(), b"*"))


def _unpacked(stream: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(stream)
    except zlib.error:
        return stream


def run(checkout: Path, study: str, out: Path) -> None:
    """Plan a study of a checkout into a folder."""
    command = [checkout / ".venv/bin/python", "-m", "planner", "run", checkout / "reports" / study, "--out", out, "--quiet"]
    done = subprocess.run(list(map(str, command)), cwd=checkout, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        print(f"{study}: {checkout}: exit code {done.returncode}: {done.stderr[-300:]}")


def differences(study: str, old: Path, new: Path) -> Iterator[str]:
    """Yield what differs between the outputs of a study."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, checkout in (("old", old), ("new", new)):
            out = Path(folder, name)
            run(checkout, study, out)
            files.append({str(path.relative_to(out)): path for path in out.rglob("*") if path.is_file()})
        for name in sorted(files[0].keys() ^ files[1].keys()):
            yield f"{name} is written by one of them"
        both = sorted(files[0].keys() & files[1].keys())
        for name in both:
            if Path(name).name in OF_THE_RUN:
                continue
            one, other = (dict(parts(each[name], checkout)) for each, checkout in zip(files, (old, new), strict=True))
            wrong = [part for part in one.keys() | other.keys() if one.get(part) != other.get(part)]
            if wrong:
                yield f"{name} {', '.join(sorted(wrong)[:5])}".rstrip()
        yield f"= {len(both)} files"


def main(arguments: list[str]) -> int:
    """Compare all studies and return whether anything differs."""
    old, new = (Path(name).resolve() for name in arguments[:2])
    studies = arguments[2:] or sorted(path.parent.name for path in (new / "reports").glob("*/study.toml"))
    count = 0
    for study in studies:
        *found, total = differences(study, old, new)
        print(f"{study}: {total[2:]}, {len(found)} differ", flush=True)
        for line in found:
            print(f"  {line}", flush=True)
        count += len(found)
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
