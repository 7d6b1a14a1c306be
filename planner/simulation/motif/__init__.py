"""Motifs, one file each: ``messages(ranks, **parameters) -> Messages``, the messages of a job."""
