"""Acceptance of a built network: cabling record, fabric report, measured optical loss, bit error ratios, signatures."""

from planner.fabric.accept._accept import accepted, plan_of
from planner.fabric.accept._ber import ber_results, bound_of, minutes_needed
from planner.fabric.accept._files import examined_files
from planner.fabric.accept._loss import Channel, LossRules, loss_results
from planner.fabric.accept._measured import COLUMNS, columns_of, read_loss
from planner.fabric.accept._record import Acceptance, BerResult, CableRecord, CrewNote, LossResult, LossTest, OpenPoint, ScanFile
from planner.fabric.accept._scans import scan_files
from planner.fabric.accept.outputs import write

__all__ = [
    "COLUMNS",
    "Acceptance",
    "BerResult",
    "CableRecord",
    "Channel",
    "CrewNote",
    "LossResult",
    "LossRules",
    "LossTest",
    "OpenPoint",
    "ScanFile",
    "accepted",
    "ber_results",
    "bound_of",
    "columns_of",
    "examined_files",
    "loss_results",
    "minutes_needed",
    "plan_of",
    "read_loss",
    "scan_files",
    "write",
]
