"""What a farm or an elevator keeps: one schema per kind of record, and RecordBook folders of plain CSV.

``KINDS`` maps the name of every kind to its schema, label, help and paragraph.
"""

from provender.records import kinds as _kinds
from provender.records.kind import BASES, KINDS, Kind, Record

__all__ = ["BASES", "KINDS", "Kind", "Record"]

assert _kinds  # noqa: S101 - the import registers the kinds
