"""Findings of papers that compare networks: PolarStar's and SpectralFly's studies show what their pages claim."""

import pytest
from shared.findings import assert_on_page, at, clearly, curve, markdown, table, throughput

NINE, TEN = "polarstar-routing/figure-9", "polarstar-routing/figure-10"
POLARSTARS = ("PS-IQ", "PS-Pal")
PATTERNS = ("uniform", "router_permutation", "bit_shuffle", "bit_reverse")


def nine(load, traffic, case):
    return at(NINE, load, **{"simulation.traffic": traffic, "case": case})


def test_polarstar_sustains_the_highest_uniform_traffic_on_single_minimal_paths():
    for case in POLARSTARS:
        alone = nine(0.8, "uniform", f"{case}-MIN")
        assert alone["accepted"] > 0.71
        assert all(clearly(alone, nine(0.8, "uniform", f"{other}-MIN")) for other in ("DF", "MF", "FT"))
        # Marginally better on all their minimal paths: SpectralFly; Bundlefly is between the two, or within 2 % of that.
        assert clearly(nine(0.8, "uniform", "SF-MIN"), alone)
        assert nine(0.8, "uniform", "BF-MIN")["accepted"] > 0.98 * alone["accepted"]


@pytest.mark.parametrize("traffic", PATTERNS)
def test_polarstar_with_ugal_sustains_its_share_and_is_comparable_to_bundlefly(traffic):
    for case in POLARSTARS:
        assert not nine(0.4, traffic, f"{case}-UGAL")["saturated"]
        bundlefly = nine(0.8, traffic, "BF-UGAL")["accepted"]
        assert nine(0.8, traffic, f"{case}-UGAL")["accepted"] == pytest.approx(bundlefly, rel=0.13)


@pytest.mark.parametrize("traffic", ["router_permutation", "bit_shuffle"])
def test_polarstar_with_ugal_is_ahead_of_dragonfly_where_few_groups_talk(traffic):
    assert all(clearly(nine(0.8, traffic, f"{case}-UGAL"), nine(0.8, traffic, "DF-UGAL")) for case in POLARSTARS)


def test_bit_shuffle_starves_networks_with_one_link_between_groups():
    for kind in ("MIN", "UGAL"):
        for poor in ("DF", "MF"):
            for better in ("PS-IQ", "PS-Pal", "BF"):
                assert clearly(nine(0.8, "bit_shuffle", f"{better}-{kind}"), nine(0.8, "bit_shuffle", f"{poor}-{kind}"))
        assert clearly(nine(0.8, "bit_reverse", f"MF-{kind}"), nine(0.8, "bit_shuffle", f"MF-{kind}"))


@pytest.mark.parametrize("traffic", PATTERNS)
def test_hyperx_and_spectralfly_with_ugal_sustain_the_maximum(traffic):
    others = {"PS-IQ", "PS-Pal", "BF", "DF", "MF"} - ({"MF"} if traffic == "bit_reverse" else set())
    for best in ("HX", "SF"):
        assert all(clearly(nine(0.8, traffic, f"{best}-UGAL"), nine(0.8, traffic, f"{other}-UGAL")) for other in others)


def ten(case):
    return max((row for row in curve(TEN) if row["case"] == case), key=lambda row: row["accepted"])


def test_adversarial_supernodes():
    for kind in ("MIN", "UGAL"):
        for lowest in ("DF", "MF"):
            assert all(clearly(ten(f"{other}-{kind}"), ten(f"{lowest}-{kind}")) for other in ("PS-IQ", "PS-Pal", "BF"))
    # PolarStar with Inductive-Quad before the other star products: with UGAL, and on the minimal paths of Bundlefly.
    assert all(clearly(ten("PS-IQ-UGAL"), ten(f"{other}-UGAL")) for other in ("PS-Pal", "BF"))
    assert all(clearly(ten("PS-IQ-MIN-all"), ten(other)) for other in ("PS-Pal-MIN-all", "BF-MIN"))
    assert clearly(ten("PS-IQ-MIN"), ten("PS-Pal-MIN"))


def test_page_of_polarstar():
    assert_on_page("polarstar-routing", markdown(table(NINE), "case", "simulation.traffic", throughput))
    assert_on_page("polarstar-routing", markdown(table(TEN), "case", "simulation.traffic", throughput))


SIX, SEVEN, EIGHT, MOTIFS = (f"spectralfly-workloads/{name}" for name in ("figure-6", "figure-7", "figure-8", "figures-9-10"))


@pytest.mark.parametrize("traffic", ["uniform", "bit_shuffle", "bit_transpose", "bit_reverse"])
def test_spectralfly_with_ugal_is_ahead_of_networks_of_as_many_links(traffic):
    six = {row["case"]: row for row in curve(SIX) if (row["offered"], row["simulation.traffic"]) == (0.7, traffic)}
    assert clearly(six["SpectralFly"], six["BundleFly"])
    assert clearly(six["BundleFly"], six["DragonFly"])
    # Slim Fly of as many links is about equal to it, that of twice the links ahead.
    assert six["SlimFly 19"]["accepted"] == pytest.approx(six["SpectralFly"]["accepted"], rel=0.07)
    assert clearly(six["SlimFly 27"], six["SpectralFly"])


def test_spectralfly_on_minimal_paths():
    seven = {row["case"]: row for row in curve(SEVEN) if row["offered"] == 0.7}
    assert clearly(seven["SpectralFly"], seven["BundleFly"])
    assert clearly(seven["BundleFly"], seven["DragonFly"])
    assert seven["SlimFly 19"]["accepted"] == pytest.approx(seven["SpectralFly"]["accepted"], rel=0.03)


def eight(load, traffic, case):
    return at(EIGHT, load, **{"simulation.traffic": traffic, "case": case})["delay_max"]


@pytest.mark.parametrize("load", [0.3, 0.5, 0.7])
def test_valiant_shortens_the_slowest_message_where_traffic_has_a_pattern(load):
    for traffic in ("bit_shuffle", "bit_transpose", "bit_reverse"):
        assert eight(load, traffic, "Valiant") < eight(load, traffic, "minimal")
    assert eight(load, "uniform", "Valiant") > 1.2 * eight(load, "uniform", "minimal")


def speed_up(routing, program, family):
    """Speed of a motif relative to the Dragonfly."""
    time = {
        row["topology.family"]: row["workload_ns"]
        for row in table(MOTIFS)
        if (row["workload.routing"], row["case"]) == (routing, program)
    }
    return time["dragonfly"] / time[family]


@pytest.mark.parametrize("routing", ["minimal", "ugal"])
def test_motifs_are_faster_on_spectralfly_than_on_dragonfly(routing):
    for program, lowest in (("Halo3D-26", 1.4), ("Sweep3D", 1.1), ("FFT balanced", 1.05), ("FFT unbalanced", 1.1)):
        spectralfly, bundlefly = (speed_up(routing, program, family) for family in ("spectralfly", "bundlefly"))
        assert spectralfly > lowest
        # Bundlefly equals it at most.
        assert bundlefly < 1.03 * spectralfly


def test_page_of_spectralfly():
    folder, six, by = "spectralfly-workloads", curve(SIX), "simulation.traffic"
    assert_on_page(
        folder, markdown([row for row in six if row["offered"] == 0.7], "case", by, lambda row: f"{row['accepted']:.3f}")
    )
    assert_on_page(
        folder, markdown([row for row in six if row["offered"] == 0.3], "case", by, lambda row: f"{row['delay_p99']:.0f}")
    )
    assert_on_page(
        folder, markdown(curve(SEVEN), "case", "offered", lambda row: f"{row['accepted']:.3f}, {row['delay_mean']:.0f}")
    )
    rows = [row | {"run": f"{row['case']}, {row['offered']}"} for row in curve(EIGHT)]
    rows.sort(key=lambda row: row["offered"])
    assert_on_page(folder, markdown(rows, by, "run", lambda row: str(row["delay_max"])))
    for routing in ("minimal", "ugal"):
        assert_on_page(folder, markdown(faster(routing), "program", "family", lambda row: f"{row['speed']:.2f}"))


def faster(routing):
    """Speeds relative to the Dragonfly of all motifs on all networks under a routing."""
    pairs = dict.fromkeys((row["case"], row["topology.family"]) for row in table(MOTIFS))
    return [{"program": p, "family": f, "speed": speed_up(routing, p, f)} for p, f in pairs if f != "dragonfly"]
