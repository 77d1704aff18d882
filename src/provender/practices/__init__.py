"""Subpart F: which practice standards each management unit meets, with the working and what is missing.

Decided here: where an interval begins, what the records show of it, and each requirement as *met*, *not met* or *not
shown*. The numbers come from ``rule``. Not decided here: what a practice is worth (``intensity``).
"""
