"""Benchmarks of speed and quality: ``python -m benchmarks [name …]`` prints all or some tables."""
