"""What motifs share: collectives, process grids, ranks of nodes."""
