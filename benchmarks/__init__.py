"""Speed and quality, as tables anybody can read: ``python -m benchmarks [name …]`` runs all or some of them."""
