"""Each type of event: its fields, declared once, and the pure function that decides it.

Decided here: what every event needs and what it changes, as a ``Decision`` over what a store says. ``registry`` lists
all types. Nothing here knows a store, a document or a request.
"""
