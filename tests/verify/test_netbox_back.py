"""Cables that NetBox 4.6.8 itself holds after the import of a plan, and its answers in pages."""

import gzip
import json
from pathlib import Path

import pytest

from planner.core.errors import InputError
from planner.fabric.verify import readers, verified
from planner.fabric.verify.found import Port

DATA = Path(__file__).parents[1] / "data" / "verify"
PLAN, NETBOX = DATA / "plan-slimfly-200.csv", DATA / "netbox-4.6.8"


def answer():
    return json.loads(gzip.decompress((NETBOX / "slimfly-200-connected.json.gz").read_bytes()))


def pages(folder, whole, size=100):
    """The answer as NetBox gives it with a maximum size of pages."""
    names = []
    for first in range(0, len(whole["results"]), size):
        following = f"https://netbox/api/dcim/cables/?offset={first + size}" if first + size < len(whole["results"]) else None
        names.append(folder / f"cables-{first}.json")
        names[-1].write_text(json.dumps(whole | {"next": following, "results": whole["results"][first : first + size]}))
    return names


@pytest.mark.parametrize("name", ["slimfly-200-connected.csv.gz", "slimfly-200-connected.json.gz"])
def test_what_netbox_holds_is_as_planned(name):
    """Boxes of four endpoints, E000+3, are their endpoints."""
    found = verified(PLAN, [NETBOX / name])
    assert (found.right, found.wrong, found.unknown, found.removals, found.findings) == (375, [], [], [], [])


def test_pages_are_read_together(tmp_path):
    files = pages(tmp_path, answer())
    assert verified(PLAN, files).right == 375
    together = tmp_path / "all" / "cables.json"
    together.parent.mkdir()
    together.write_text("\n".join(file.read_text() for file in files))
    assert verified(PLAN, [together]).right == 375
    together.write_text("[" + ",".join(file.read_text() for file in files) + "]")
    assert verified(PLAN, [together]).right == 375
    with pytest.raises(InputError, match="is a page of an answer of 375 entries, of which the files hold 275"):
        verified(PLAN, [files[0], *files[2:]])


def test_one_exchanged_pair_is_found_in_boxes(tmp_path):
    """Two endpoints of one box whose ports at the router are exchanged."""
    whole = answer()
    ends = [cable for cable in whole["results"] if cable["b_terminations"][0]["object"]["device"]["name"] == "E000+3"][:2]
    ends[0]["a_terminations"], ends[1]["a_terminations"] = ends[1]["a_terminations"], ends[0]["a_terminations"]
    (tmp_path / "cables.json").write_text(json.dumps(whole))
    found = verified(PLAN, [tmp_path / "cables.json"])
    assert (found.right, len(found.wrong)) == (373, 2)


@pytest.mark.parametrize(
    ("device", "ports", "expected"),
    [
        ("E000+3", ("E000", "E003"), [Port("E000", "1"), Port("E003", "1")]),
        ("gpu1+1", ("gpu1-p1", "gpu1-p2", "gpu2-p1"), [Port("gpu1", "1"), Port("gpu1", "2"), Port("gpu2", "1")]),
        # A device of others with such a name: more interfaces than endpoints, or none that is an endpoint's.
        ("rack+1", ("eth1", "eth2", "eth3"), [Port("rack+1", "eth1"), Port("rack+1", "eth2"), Port("rack+1", "eth3")]),
        ("C++", ("eth1",), [Port("C++", "eth1")]),
    ],
)
def test_only_boxes_of_plans_are_undone(tmp_path, device, ports, expected):
    rows = "".join(f"{device},{port} (7),R000,p{number}\n" for number, port in enumerate(ports))
    (tmp_path / "cables.csv").write_text("Device A,Termination A,Device B,Termination B\n" + rows)
    (scan,) = readers.read([tmp_path / "cables.csv"])
    found = [reading.port for reading in scan.readings]
    assert [Port(port.device, port.port.removesuffix(" (7)")) for port in found] == expected
