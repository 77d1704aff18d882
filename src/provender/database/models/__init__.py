"""Every table, one module per subject."""

from provender.database.models import accounts, audits, custody, farm

__all__ = ["accounts", "audits", "custody", "farm"]
