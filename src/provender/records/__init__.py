"""What a farm or an elevator keeps: one schema per kind of record, and RecordBook folders of plain CSV."""
