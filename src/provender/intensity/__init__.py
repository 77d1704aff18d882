"""Subpart C: calculator runs, CI models, the farm-level weighted average, completeness tests."""
