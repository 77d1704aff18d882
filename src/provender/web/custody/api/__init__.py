"""Calls about a party's custody book: what they take and answer. ``provender.services.custody`` decides."""
