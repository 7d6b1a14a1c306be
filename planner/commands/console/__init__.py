"""The terminal: the command line, progress bars, and the figures of a plan."""
