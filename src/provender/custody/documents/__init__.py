"""Papers between parties: built, signed, printed, read from strangers, received as events (2100.032).

Decided here: what a paper shows and what is wrong with a foreign one. Not decided here: whether its claims enter the
book; the event that it becomes is decided in ``provender.custody.events``.
"""
