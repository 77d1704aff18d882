"""Organisations, people, invitations, grants and tokens: opened, changed, taken back.

Decided here: who may give what to whom. Not decided here: who may open a page (the interfaces ask ``Access``).
"""
