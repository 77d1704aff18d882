"""Single changes of packages: every field, row and file of every kind, by seed."""
