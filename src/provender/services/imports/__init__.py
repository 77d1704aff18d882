"""Files on their way into a farm's book: read in a process of their own, asked about, written as one change.

Decided here: the steps of an import and which attempt may be written. Not decided here: what a file means
(``formats``).
"""
