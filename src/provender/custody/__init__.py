"""Subpart D over any store: serials of bushels, movements, periods and balances, processing, documents.

Decided here: every answer to an event, in any store. Not decided here: who may enter it
(``provender.services.custody``) and where it lies (``provender.database.store``, ``provender.custody.book_file``,
``provender.custody.store``).
"""
