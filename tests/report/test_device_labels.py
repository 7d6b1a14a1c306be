"""Labels of devices: every device once, in the order of the cabinets, with a code that opens it on the page of the crews."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pypdfium2 as pdfium
import pytest
import zxingcpp
from shared.small_plans import make_plan

from planner import formats
from planner.core.errors import InputError
from planner.fabric.baseline import Planned
from planner.install.site import codes
from planner.install.site.cables import Site
from planner.view import schedule
from planner.view.names import device_names

URL = "HTTP://10.0.0.5:8080"


@pytest.fixture(scope="module")
def plan():
    return make_plan(q=3, endpoints_per_router=2, simulate=False)


def read(path: Path) -> tuple[list[str], str]:
    """Return the contents of all codes, and the text."""
    found, text = [], ""
    with pdfium.PdfDocument(path) as document:
        for page in document:
            text += page.get_textpage().get_text_bounded()
            image = page.render(scale=300 / 72).to_pil()
            found += [code.text for code in zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode)]
    return found, text


@pytest.mark.slow
def test_every_device_has_a_label_whose_code_opens_it(plan, tmp_path):
    path = formats.write(plan, tmp_path, "device_labels", url=URL)
    assert path.name.endswith(".device-labels.pdf")
    found, text = read(path)
    site = Site.of(Planned(schedule.of_plan(plan), Path("small"), plan))
    opened = [codes.device(site, urlsplit(each).path.removeprefix("/D/")) for each in found]
    assert sorted(opened) == sorted(device_names(plan))
    assert all(name in text for name in device_names(plan))


@pytest.mark.slow
def test_devices_of_a_cabinet_without_an_address(plan, tmp_path):
    cabinet = plan.room.slot_names[plan.placement.slot_of[0]]
    found, text = read(formats.write(plan, tmp_path, "device_labels", cabinet=cabinet, sheet="avery-l7651"))
    own = [name for name, home in zip(device_names(plan), plan.placement.cabinet.tolist(), strict=True) if home == 0]
    assert sorted(found) == sorted(own)
    assert f"{cabinet} U" in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sheet": "self-laminating-25x38"}, "wrapped around cables"),
        ({"url": "two words"}, "not 1 to 100 characters of ASCII"),
        ({"cabinet": "Z99"}, "Z99"),
    ],
)
def test_what_is_refused_writes_nothing(plan, tmp_path, options, words):
    with pytest.raises(InputError, match=words):
        formats.write(plan, tmp_path, "device_labels", **options)
    assert not [*tmp_path.iterdir()]
