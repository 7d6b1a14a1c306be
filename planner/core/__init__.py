"""The ground: records, registries, reading of files, errors, seeds, progress, processes, units of people. Imports nothing
above."""
