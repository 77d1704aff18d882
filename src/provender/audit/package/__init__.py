"""A verification package: what goes in, how it is laid out, and how it is written and read (2100.040(b)).

Decided here: which files belong to whose audit, and what may be left out, which the verifier allows. Not decided here:
whether what is inside is right (``provender.audit.recompute``).
"""
