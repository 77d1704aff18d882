"""A party's custody book: events entered, documents signed and received, slips, tickets, and views of each.

Decided here: who may enter which event, and what a party sees of others. Not decided here: the answer to an event
(``provender.custody.events``).
"""
