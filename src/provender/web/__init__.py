"""Pages and REST API: routes, forms, rendering, status codes.

Decided here: how things are asked for and shown, and who may open which object. Not decided here: anything about the
rule, and what an act consists of (``services``).
"""
