"""The comparison of bundlings on paper, read back from the file as text."""

import re
from dataclasses import replace

import numpy as np
import pypdfium2
import pytest
from shared.paper import printed

from planner.core.storage import restore, save
from planner.domain.model import BigBundle, Bundlings, Plan
from planner.domain.quantities import measure
from planner.formats import write


@pytest.fixture
def table() -> Bundlings:
    return Bundlings(
        methods=("single", "loom", "multicore"), arguments=("", "max_cables = 24", ""), cables=[1968, 1968, 2625],
        pulls=[1968, 371, 246], bundles=[1968, 371, 246], types=[15, 29, 55], panels=[0, 0, 3], direct=[0, 0, 486],
        fill_mm2_m=[400_000, 400_000, 100_000], fullest_percent=[21.25, 21.25, 7.5], cents=(38_580_000, 38_580_000, None),
        largest=(
            BigBundle(5, "trunk", "os2-trunk-144f", ("tray at A10", "tray at D10"), 11, 12, 10_500, 120, 11_400, "B"),
            BigBundle(7, "loom", "", ("A01", "B02"), 8, 8, 9375, 35, 8420),
        ),
    )  # fmt: skip


def text_of(plan: Plan, folder) -> str:
    document = pypdfium2.PdfDocument(write(plan, folder, "pdf"))
    text = "\n".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    return text.replace("\xa0", " ").replace("\r\n", "\n")


def test_every_kind_is_printed_with_what_it_takes_and_saves(table, tmp_path):
    text = text_of(Plan("small", "", {}, bundlings=table), tmp_path)
    assert "single cables 1,968 1,968 1,968 15 0 0 400,000 21.2 385,800.00" in text
    assert "multi-core fiber 2,625 246 246 55 3 486 100,000 7.5 not priced" in text
    # 1968 - 371 = 1597 of 1968 are 81 %; 400,000 - 100,000 are 75 %.
    assert "looms between cabinets 0 (0 %) 1,597 (81 %) -14 (-93 %) 0 (0 %) 0.00" in text
    assert "multi-core fiber -657 (-33 %) 1,722 (88 %) -40 (-267 %) 300,000 (75 %) not priced" in text
    assert "looms between cabinets: max_cables = 24" in text


def test_largest_bundles_are_printed(table, tmp_path):
    text = text_of(Plan("small", "", {}, bundlings=table), tmp_path)
    assert "6 trunk tray at A10 tray at D10 11 12 10.5 120 11.400 os2-trunk-144f, type B" in text
    assert "8 loom A01 B02 8 8 9.4 35 8.420" in text


@pytest.mark.slow
def test_the_list_names_every_cable_of_every_bundle(plan, tmp_path):
    text = " ".join(printed(plan, tmp_path).chapter("Bundle list").split())
    found = {}
    for bundle, one, other, count, numbers in re.findall(r"(\d+) loom (\w+) (\w+) (\d+): ((?:[\d–]+, )*[\d–]+)", text):
        ends = [[int(end) for end in part.split("–")] for part in numbers.split(", ")]
        cables = [number - 1 for low, *high in ends for number in range(low, (high or [low])[0] + 1)]
        assert len(cables) == int(count)
        cabinets = plan.room.slot_names
        assert [cabinets[plan.placement.slot_of[end]] for end in plan.cables.bundle_cabinet[int(bundle) - 1]] == [one, other]
        found |= dict.fromkeys(cables, int(bundle) - 1)
    inside = plan.cables.bundle >= 0
    assert found == dict(zip(np.flatnonzero(inside).tolist(), plan.cables.bundle[inside].tolist(), strict=True))


def test_no_sheet_without_a_comparison(tmp_path):
    assert "Largest bundles" not in text_of(Plan("small", "", {}), tmp_path)


def test_quantities(table):
    found = {name: entry["value"] for name, entry in measure(Plan("small", "", {}, bundlings=table)).items()}
    assert (found["pulls_single"], found["pulls_loom"], found["pulls_multicore"]) == (1968, 371, 246)
    assert found["bundled_cents_loom"] == 38_580_000
    assert not {"bundled_cents_multicore", "pulls_trunk"} & set(found)


def test_record_comes_back_from_disk(table, tmp_path):
    save(table, tmp_path / "bundlings.npz")
    again = restore(Bundlings, tmp_path / "bundlings.npz")
    assert again.fingerprint == table.fingerprint
    assert again.largest == table.largest
    assert replace(again, panels=[0, 0, 4]).fingerprint != table.fingerprint
