"""Small studies, run in full: what the verifier is tried on."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from planner.check import Source
from planner.domain import catalog
from planner.domain.model import Plan
from planner.network import topology
from planner.studies import pipeline, study

PAID = {"spares": "one-per-hundred", "trays": "used", "years": 5}

IN_EUROS = {"currency": "EUR", "rates": [{"currency": "EUR", "rate": 0.925, "date": "2026-11-02", "source": "a bank"}]}

LESS_SLACK = {"slack": {"end_min_mm": 200, "loop_min_mm": 200}}

RUN = {"routing": "minimal", "loads": [0.2, 0.5], "warmup": 200, "cycles": 600, "max_cycles": 600}

STUDIES = {
    "plain": {
        "topology": {"family": "slimfly", "q": 3, "endpoints_per_router": 2},
        "catalog": {"router": "nvidia-sb7800", "endpoint": "server-half-unit", "cabinet": "apc-ar3300"},
        "room": {"plan": "lab"},
        "placement": {"algorithm": "random", "front": 2, "interior": {"reserve_top_units": 32}},
        "bill": PAID,
        "near_misses": {"within_mm": 1500, "detailed": 4},
        "simulation": RUN,
        "workload": {"jobs": [{"motif": "allreduce", "ranks": 8}]},
    },
    "in use": {
        "topology": {"family": "slimfly", "q": 3, "endpoints_per_router": 2},
        "catalog": {"router": "nvidia-sb7800", "endpoint": "server-half-unit", "cabinet": "apc-ar3300", "pdu": "apc-ap8886"},
        "room": {
            "plan": "lab",
            "existing": {
                "taken": [
                    {"cabinet": ["A01", "B08"], "name": "storage", "power_w": 9000, "mass_kg": 700},
                    {"cabinet": "A04", "units": "1-28", "name": "old switch", "power_w": 1000, "mass_kg": 50},
                    *({"cabinet": f"B0{n}", "units": "1-20", "power_w": 500} for n in range(1, 8)),
                ],
                "fixed": {"R000": {"cabinet": "A04", "unit": 40}},
                "trays": {"default": 0.1, "row A": 0.3},
                "power_w": {"A05": 2000},
                "keep_free": {"slots": 0.2, "units": 0.05, "ports": 0.2, "trays": 0.1},
            },
        },
        "placement": {"algorithm": "random", "interior": {"reserve_top_units": 2}},
        "cabling": LESS_SLACK,
        "bill": PAID,
        "near_misses": {"within_mm": 1500, "detailed": 4},
    },
    "trunks": {
        "topology": {"family": "dragonfly", "a": 4, "h": 1, "endpoints_per_router": 2},
        "catalog": {
            "router": "nvidia-sn4700",
            "endpoint": "server-half-unit-400g",
            "cabinet": "hpe-10648-g2",
            "media": ["passive copper", "transceiver"],
        },
        "room": {"plan": "raised-hall"},
        "placement": {"algorithm": "random", "interior": {"reserve_top_units": 36}},
        "cabling": {"bundling": "trunk"},
        "bill": PAID,
        "near_misses": {"within_mm": 1500, "detailed": 4},
    },
    "two halls": {
        "topology": {"family": "dragonfly", "a": 4, "h": 1, "endpoints_per_router": 2},
        "catalog": {
            "router": "nvidia-sn4700",
            "endpoint": "server-half-unit-400g",
            "cabinet": "hpe-10648-g2",
            "pdu": "apc-ap8886",
            "cable_manager": "panduit-wmpf1e",
            "blanking_panel": "apc-ar8136blk",
        },
        "room": {"plan": "two-halls"},
        "placement": {"algorithm": "random", "interior": {"routers_per_manager": 4, "reserve_top_units": 30}},
        "cabling": {"label": "hpe"} | LESS_SLACK,
        "latency": {"fec": "auto"},
        "work": {"crews": 3},
        "bill": PAID | IN_EUROS,
        "near_misses": {"detailed": 4},
    },
    "twin ports": {
        "topology": {"family": "fattree", "k": 4},
        "catalog": {
            "router": "nvidia-qm9700",
            "endpoint": "server-half-unit-400g-osfp",
            "cabinet": "hpe-10648-g2",
        },
        "room": {"plan": "two-halls"},
        "placement": {"interior": {"reserve_top_units": 40}},
        "bill": PAID,
    },
    "several networks": {
        "catalog": {"cabinet": "hpe-10648-g2"},
        "room": {"plan": "two-halls"},
        "node": [
            {
                "name": "dgx",
                "part": "dgx-h100",
                "count": 5,
                "per_cabinet": 2,
                "unit": 2,
                "names": "dgx{n:03}",
                "cabinets": ["dgx", "east"],
            },
            {"name": "ufm", "part": "nvidia-ufm-3.1", "count": 2, "cabinets": "management", "role": "service", "at": 20},
        ],
        "cabinets": [{"name": "management", "count": 2, "position": "end of row"}],
        "network": [
            {
                "name": "compute",
                "topology": {"family": "leafspine", "leaves": 8, "spines": 2, "uplinks": 2, "endpoints_per_leaf": 8},
                "parts": {"leaf": "nvidia-qm9700", "spine": "nvidia-qm9700"},
                "place": {"leaf": ["management", "east"], "spine": "management"},
                "attach": [
                    {"node": "dgx", "ports": "compute", "rule": "rail", "block": 5},
                    {"node": "ufm", "ports": "ib", "count": 2, "rule": "free", "kind": "fabric manager"},
                ],
            },
            {
                "name": "inband",
                "topology": {"family": "leafspine", "leaves": 2, "spines": 1, "uplinks": 1, "endpoints_per_leaf": 8},
                "parts": {"leaf": "nvidia-sn4600c", "spine": "nvidia-sn4600c"},
                "names": {"leaf": "eth{n:02}"},
                "attach": [{"node": "dgx", "ports": "inband", "rule": "pairs"}],
            },
            {
                "name": "oob",
                "topology": {"family": "leaves", "leaves": 2, "endpoints_per_leaf": 24},
                "parts": {"leaf": "nvidia-sn2201"},
                "place": {"leaf": "management"},
                "at": {"leaf": "middle"},
                "attach": [
                    {"node": "dgx", "ports": "mgmt", "rule": "near"},
                    {"node": "ufm", "ports": "mgmt", "rule": "fill", "per_leaf": 1},
                    {"routers": ["compute", "inband"], "rule": "near"},
                ],
                "direct": [{"node": "ufm", "ports": "peer"}],
            },
        ],
        "bill": PAID,
        "near_misses": {"detailed": 0},
    },
    "planes": {
        "catalog": {"cabinet": "hpe-10648-g2"},
        "room": {"plan": "lab"},
        "node": [{"name": "dgx", "part": "dgx-h100", "count": 4, "per_cabinet": 2}],
        "network": [
            {
                "name": "inband",
                "topology": {"family": "leafspine", "leaves": 2, "spines": 2, "uplinks": 2, "endpoints_per_leaf": 8},
                "parts": {"leaf": "nvidia-sn4600c", "spine": "nvidia-sn4600c"},
                "place": {"leaf": "inband", "spine": "inband"},
                "attach": [{"node": "dgx", "ports": "inband", "rule": "pairs"}],
            },
            {
                "name": "compute",
                "topology": {
                    "family": "multiplane",
                    "planes": 2,
                    "plane": "leafspine",
                    "plane_parameters": {"leaves": 2, "spines": 2, "uplinks": 2, "endpoints_per_leaf": 8},
                },
                "parts": {"leaf": "nvidia-qm9700", "spine": "nvidia-qm9700"},
                "place": {"leaf": "compute", "spine": "compute"},
                "attach": [{"node": "dgx", "ports": "compute", "rule": "planes"}],
            },
        ],
        "bill": PAID,
        "near_misses": {"detailed": 0},
        "simulation": RUN | {"network": "compute", "planes": "spray", "loads": [0.1, 0.4], "warmup": 2000, "cycles": 3000},
        "workload": {
            "network": "compute",
            "jobs": [{"motif": "alltoall", "port_rule": "spray"}, {"motif": "allreduce", "ranks": 12, "port_rule": "hashed"}],
        },
    },
}


UNPRINTED = {"report": {"formats": []}}
"""Plans that are run into a folder for their records, not for their reports."""


def asked(name: str) -> study.Study:
    """Return one of the studies, checked."""
    return study.check({"name": name.replace(" ", "-"), "seed": 1, **UNPRINTED, **STUDIES[name]}, base=Path())


@cache
def planned(name: str) -> Plan:
    """Return the finished plan of one of the studies."""
    return pipeline.make(asked(name))


@cache
def source(name: str) -> Source:
    """Return what the study of a plan alone decides, built again."""
    given = asked(name)
    networks = {network: f"topology@{network}" if number else "topology" for number, network in enumerate(given.network_names)}
    fresh = pipeline.make(given, ("catalog", "room", *networks.values()))
    topologies = {network: fresh.of(network).topology for network in networks}
    return Source(
        topologies, fresh.catalog, fresh.room, cache(lambda kind: tuple(catalog.rows(kind))),
        cache(lambda number: topology.build(**given.of(number).sections["topology"])),
    )  # fmt: skip


def kept_study(first: str, folder: Path, keep: dict | None = None, **changes: dict) -> study.Study:
    """Return a study that keeps the plan of one of the studies, which is run into a folder; `changes` replace sections.

    Neither is simulated.
    """
    sections = {name: section for name, section in STUDIES[first].items() if name not in ("simulation", "workload")}
    built = folder / "built"
    if not built.exists():
        pipeline.run(study.check({"name": first.replace(" ", "-"), "seed": 1, **UNPRINTED, **sections}, base=Path()), out=built)
    kept = {"keep": {"plan": str(built)} | (keep or {})}
    return study.check({"name": "kept", "seed": 1, **UNPRINTED, **sections, **changes, **kept}, base=Path())


@cache
def grown() -> Plan:
    """Return the finished plan of a Dragonfly of five groups that keeps one of four groups."""
    with TemporaryDirectory() as folder:
        topology = {"family": "dragonfly", "a": 4, "h": 2, "endpoints_per_router": 2}
        four = STUDIES["plain"] | UNPRINTED | {"topology": topology | {"groups": 4}}
        pipeline.run(study.check({"name": "four", "seed": 1, **four}, base=Path()), out=Path(folder) / "built")
        return pipeline.make(kept_study("plain", Path(folder), topology=topology | {"groups": 5}))
