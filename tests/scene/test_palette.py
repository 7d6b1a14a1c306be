"""One palette: in order in gray, distinct for color-blind readers, and with readable text on every color."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import combinations, pairwise

import numpy as np
import pytest

from planner.hall.scene import palette
from planner.hall.scene.palette import COLORS, MEDIA, RAMPS, SERIES, STYLES, channels, named, shade, text_on

# G. Machado, M. Oliveira, L. Fernandes, "A physiologically-based model for simulation of color vision deficiency", 2009,
# table 1 at severity 1.0; for linear red, green and blue.
VISION = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
# sRGB to XYZ (IEC 61966-2-1), and the white point D65.
XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]])
WHITE = XYZ.sum(axis=1)


def lab(color: str, vision: str = "normal") -> np.ndarray:
    """CIE 1976 L*, a*, b* of a color as a reader sees it."""
    srgb = np.array(channels(color)) / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    x, y, z = XYZ @ np.clip(np.array(VISION[vision]) @ linear, 0, 1) / WHITE
    f = [t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29 for t in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(a: str, b: str) -> float:
    high, low = sorted((palette.luminance(a), palette.luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_known_colors():
    assert lab("#ffffff") == pytest.approx([100, 0, 0], abs=0.02)
    assert lab("#ff0000") == pytest.approx([53.24, 80.09, 67.20], abs=0.02)
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("ramp", RAMPS)
def test_more_is_farther_from_the_background(ramp, vision):
    for dark in (False, True):
        lightness = [lab(color, vision)[0] for color in RAMPS[ramp][dark]]
        steps = [b - a if dark else a - b for a, b in pairwise(lightness)]
        assert min(steps) > 2, (dark, lightness)


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(
    "names", [("use-router", "use-both", "use-endpoint"), tuple(style.fill for style in MEDIA.values())], ids=["use", "media"]
)
def test_categories_are_distinct_in_grey_and_in_color(names, dark, vision):
    for a, b in combinations([lab(named(name, dark=dark), vision) for name in names], 2):
        assert np.linalg.norm(a - b) > 20
        if not dark:
            assert abs(a[0] - b[0]) > 8


@pytest.mark.parametrize("vision", VISION)
def test_lines_of_a_plot_are_distinct(vision):
    for a, b in combinations([lab(color, vision) for color in SERIES], 2):
        assert np.linalg.norm(a - b) > 6


def test_aisles_differ_in_grey():
    cold, hot, mixed = (lab(named(name))[0] for name in ("cold", "hot", "mixed"))
    assert cold > mixed + 3
    assert cold > hot + 3
    assert hot > 80


def test_text_is_readable_on_every_color_of_a_cabinet():
    fills = [shade(ramp, share) for ramp in ("fill", "power", "heat") for share in np.linspace(0, 1, 41)]
    fills += [
        named(name) for name in ("use-router", "use-both", "use-endpoint", "over", "solid", "accent", "unit", "cold", "hot")
    ]
    for fill in fills:
        assert contrast(fill, text_on(fill)) >= 4.5, fill


def test_color_is_readable_on_paper():
    for dark in (False, True):
        paper = named("paper", dark=dark)
        for name in ("text", "muted", "accent", "alarm", "good"):
            assert contrast(named(name, dark=dark), paper) >= 4.5, (name, dark)
        for name in ("outline", "cabinet-edge", "tray", "route", "chosen", "cable"):
            assert contrast(named(name, dark=dark), paper) >= 3, (name, dark)


def test_steps_of_lines_differ_without_color():
    for widths in ([width for _, width, _ in palette.FILL_STEPS], list(palette.LOAD_WEIGHTS_PT)):
        assert widths == sorted(set(widths))


def test_every_color_of_a_style_exists():
    for kind, style in [*STYLES.items(), *MEDIA.items()]:
        assert {style.fill, style.stroke} <= {"", *COLORS}, kind
        assert style.hatch in ("", "diagonal", "level", "crossed")


def test_the_web_page_has_no_colors_of_its_own():
    """Scripts and style sheets of both pages name colors; values are in the palette."""
    defined = set(re.findall(r"--([\w-]+):", palette.css()))
    for package in ("planner.formats.web", "planner.studies.compare.outputs"):
        for file in files(package).iterdir():
            if file.name.endswith((".js", ".css")):
                text = file.read_text(encoding="utf-8")
                own = set(re.findall(r"--([\w-]+):", text))
                used = set(re.findall(r"var\(--([\w-]+)", text))
                assert used <= defined | own, file.name
                colors = {color for color in re.findall(r"#[0-9a-fA-F]{6}\b", text)}
                assert not colors, (file.name, colors)
