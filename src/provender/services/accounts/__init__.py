"""Organisations, people, invitations, grants and tokens."""
