"""Calls about a farm's book, imports and reports: what they take and answer. Services decide."""
