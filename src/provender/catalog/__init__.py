"""Packaged tables with provenance: field operations and STIR, fertilizers, inhibitors, cover crops, counties.

Decided here: what an everyday name means, and the flags of an operation (full width, primary inversion) with reasons.
Not decided here: what follows from them for a practice (``practices``).
"""
