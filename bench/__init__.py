"""Benchmarks of provender, beside the package: `make bench` runs them, the wheel does not hold them."""
