"""Tasks: units of installation, and their duration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.model import CablePlan
from planner.parts import LaborRates


@dataclass(frozen=True)
class Tasks:
    """Columns of N tasks, as in `WorkOrder`; `of_cable` (W,) is the task of each cable.

    The trays of task n are ``trays[tray_start[n]:tray_start[n + 1]]``, its cabinets ``places[…]`` likewise.
    """

    of_cable: np.ndarray
    stage: np.ndarray
    bundle: np.ndarray
    cabinet: np.ndarray
    pieces: np.ndarray
    run_mm: np.ndarray
    tray_mm: np.ndarray
    person_s: np.ndarray
    tray_start: np.ndarray
    trays: np.ndarray
    place_start: np.ndarray
    places: np.ndarray

    @classmethod
    def of(cls, cables: CablePlan, rates: LaborRates) -> Tasks:
        piece, first = cables.piece, cables.first_of_piece
        cabinet, bundle = cables.cabinet[first].astype(np.int64), cables.bundle[first].astype(np.int64)
        outside = cabinet[:, 0] != cabinet[:, 1]
        # Bundles by number, then the insides of cabinets, then cables without a bundle, each a task. A piece
        # belongs to the task of its first row.
        bundles, cabinets = bundle.max(initial=-1) + 1, cabinet.max(initial=-1) + 1
        loose = bundles + cabinets + np.arange(len(first))
        key = np.select([bundle >= 0, ~outside], [bundle, bundles + cabinet[:, 0]], default=loose)
        _, example, of_piece = np.unique(key, return_index=True, return_inverse=True)
        count, of_piece = len(example), of_piece.ravel()
        of_cable = of_piece[piece]
        pieces = np.bincount(of_piece, minlength=count)
        run_mm, tray_mm = np.zeros(count, np.int64), np.zeros(count, np.int64)
        np.add.at(run_mm, of_piece, cables.run_mm[first])
        np.maximum.at(tray_mm, of_cable, cables.tray_mm)
        person_s = np.column_stack(
            [
                -(-tray_mm * rates.pull_s_per_m // 1000),
                pieces * np.where(outside[example], rates.between_cabinets_s, rates.in_cabinet_s),
                np.full(count, rates.dress_s),
                np.bincount(of_piece, _plugs(cables, piece), count).astype(np.int64) * rates.label_s,
                np.bincount(of_cable, minlength=count) * rates.test_s,
            ]
        )
        task, segment = _segments_of(cables, of_cable)
        stage = np.zeros(count, np.int64)
        np.maximum.at(stage, of_cable, cables.stage)
        return cls(
            of_cable,
            stage,
            bundle[example],
            cabinet[example],
            pieces,
            run_mm,
            tray_mm,
            person_s,
            *_grouped(task, segment, count),
            *_grouped(np.repeat(of_cable, 2), cables.cabinet.ravel(), count),
        )


def _plugs(cables: CablePlan, piece: np.ndarray) -> np.ndarray:
    """Return the number of distinct sockets of every piece, each with a label; int64 (pieces,)."""
    sockets = cables.device.astype(np.int64) * (int(cables.cage.max(initial=0)) + 1) + cables.cage
    owner, _ = _pairs(np.repeat(piece, 2), np.unique(sockets.ravel(), return_inverse=True)[1].ravel())
    return np.bincount(owner)


def _segments_of(cables: CablePlan, of_cable: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return tasks and the tray segments on the routes of their cables, in parallel."""
    routed = cables.route >= 0
    task, route = _pairs(of_cable[routed], cables.route[routed])
    length = np.diff(cables.route_indptr)[route]
    skipped = np.repeat(cables.route_indptr[route] - np.cumsum(length) + length, length)
    return np.repeat(task, length), cables.route_segments[np.arange(length.sum()) + skipped]


def _grouped(task: np.ndarray, content: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the start of the content of each task, and the distinct content."""
    owner, thing = _pairs(task, content)
    return np.searchsorted(owner, np.arange(count + 1)), thing


def _pairs(owner: np.ndarray, thing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct pairs, sorted. A combined key sorts faster than two columns."""
    width = int(thing.max(initial=0)) + 1
    key = np.sort(owner.astype(np.int64) * width + thing)
    return np.divmod(key[np.diff(key, prepend=-1) != 0], width)
