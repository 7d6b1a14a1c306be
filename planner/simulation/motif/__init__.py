"""Motifs, one file each: ``messages(ranks, **parameters) -> Messages``, what a job of so many ranks sends."""
