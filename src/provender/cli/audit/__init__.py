"""``provender audit``: one module per group of commands."""
