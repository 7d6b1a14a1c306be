"""A campus of eight halls on both sides of a cable gallery, 22,464 slots, as a floor plan.

Each hall has two blocks of 26 rows of 54 cabinets on both sides of a main aisle, pitches and aisles as in the large hall. A tray
follows each line of rows; eight cross trays of each pair of halls run from the southern hall through the gallery into the
northern one, and twelve trays join them along the gallery. Wide trays stand for stacks of ladders, wide enough for the cables
of a PolarStar of 79,506 routers. Made for Planner: no real
site.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

PAIRS, ROWS, COUNT = 4, 26, 54
WIDTH_MM, DEPTH_MM, GAP_MM, GALLERY_MM = 73_200, 66_600, 600, 15_000
BLOCKS_MM = {"W": 3_300, "E": 38_100}
CROSS_MM = (2_400, 12_000, 21_600, 31_200, 42_000, 51_600, 61_200, 70_800)
FIRST_MM, PITCH_MM = 3_000, 2_400

HEAD = """title = "Campus of eight halls"
source = "made for Planner: no real site; trays sized for single fibers of 3 mm"
confidence = "D"
estimates = ["hall", "penetration", "row", "tray", "power_mw", "load_g"]
tile_mm = 600
power_mw = 60_000_000
load_g = 2_000_000
design_fill = 0.4
max_fill = 0.5
"""


def write(path: Path) -> Path:
    """Write the floor plan and return its path."""
    path.write_text(HEAD + "".join([*_halls(), *_openings(), *_rows(), *_trays()]), encoding="utf-8")
    return path


def _corners() -> Iterator[tuple[str, int, int]]:
    """Yield the name and the south-western corner of each hall."""
    for side, south in (("S", 0), ("N", DEPTH_MM + GALLERY_MM)):
        for pair in range(PAIRS):
            yield f"{side}{pair + 1}", pair * (WIDTH_MM + GAP_MM), south


def _halls() -> Iterator[str]:
    length = PAIRS * (WIDTH_MM + GAP_MM) - GAP_MM
    places = [(name, x, y, WIDTH_MM, DEPTH_MM) for name, x, y in _corners()]
    for name, x, y, wide, deep in (*places, ("Gallery", 0, DEPTH_MM, length, GALLERY_MM)):
        corners = [[x, y], [x + wide, y], [x + wide, y + deep], [x, y + deep]]
        yield f'\n[[hall]]\nname = "{name}"\noutline_mm = {corners}\n'


def _crossings() -> Iterator[tuple[str, int]]:
    """Yield the name of each cross tray and its distance from the western end."""
    for pair in range(PAIRS):
        for number, x in enumerate(CROSS_MM):
            yield f"{pair + 1}.{number + 1}", pair * (WIDTH_MM + GAP_MM) + x


def _openings() -> Iterator[str]:
    for name, x in _crossings():
        for side, wall in (("south", DEPTH_MM), ("north", DEPTH_MM + GALLERY_MM)):
            yield (
                f'\n[[penetration]]\nname = "opening {name} {side}"\nat_mm = {[x - 950, wall - 200]}\nsize_mm = [1900, 400]\n'
                'through = "y"\nheight_mm = 1200\nelevation_mm = 2900\n'
            )


def _rows() -> Iterator[str]:
    for hall, x, y in _corners():
        for block, first in BLOCKS_MM.items():
            for row in range(ROWS):
                place, facing = [x + first, y + FIRST_MM + row * PITCH_MM], "-+"[row % 2 == 0] + "y"
                name = f"{hall}-{block}{row + 1:02}"
                yield f'\n[[row]]\nname = "{name}"\nfirst_mm = {place}\ncount = {COUNT}\nfacing = "{facing}"\n'


def _trays() -> Iterator[str]:
    last_mm = FIRST_MM + (ROWS - 1) * PITCH_MM
    for hall, x, y in _corners():
        for row in range(ROWS):
            north = y + FIRST_MM + row * PITCH_MM
            ends = [[x + CROSS_MM[0], north], [x + CROSS_MM[-1], north]]
            yield _tray(f"{hall} row {row + 1:02}", ends, 2_600, (900, 300), serves=True)
    for name, x in _crossings():
        ends = [[x, FIRST_MM], [x, DEPTH_MM + GALLERY_MM + last_mm]]
        yield _tray(f"cross {name}", ends, 2_900, (1_800, 1_200), serves=False)
    east_mm = (PAIRS - 1) * (WIDTH_MM + GAP_MM) + CROSS_MM[-1]
    for number in range(12):
        north = DEPTH_MM + 900 + 1_200 * number
        yield _tray(f"gallery {number + 1:02}", [[CROSS_MM[0], north], [east_mm, north]], 4_200, (1_800, 2_400), serves=False)


def _tray(name: str, ends: list[list[int]], elevation_mm: int, size_mm: tuple[int, int], *, serves: bool) -> str:
    text = f'\n[[tray]]\nname = "{name}"\npath_mm = {ends}\nelevation_mm = {elevation_mm}\n'
    return f"{text}width_mm = {size_mm[0]}\nheight_mm = {size_mm[1]}\n" + ("" if serves else "serves = false\n")
