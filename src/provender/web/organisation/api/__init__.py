"""Calls about an organisation, its members, grants and tokens. ``provender.services.accounts`` decides."""
