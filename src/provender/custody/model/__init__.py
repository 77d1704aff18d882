"""The nouns of the custody book: events, lots, origins, entities, periods, and what a decision may ask of a store.

Decided here: what can be said of serials, days and parties, and in which order answers count (``statuses``). Not
decided here: what may happen to them (``provender.custody.events``).
"""
