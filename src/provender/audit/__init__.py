"""Subpart E: sample, work programme, verification package, recomputation, findings, statement."""
