"""Biofuel Feedstock Reports of a farm: drafted, signed and kept (2100.031).

Decided here: which draft of which book may be kept. Not decided here: what a report says (``report``).
"""
