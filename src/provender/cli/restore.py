"""``provender restore``: see ``provender.cli.backup``."""

from provender.cli.backup import back as app

__all__ = ["app"]
