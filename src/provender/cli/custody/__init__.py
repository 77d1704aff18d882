"""``provender custody``: one module per group of commands."""
