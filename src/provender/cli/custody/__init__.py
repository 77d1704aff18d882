"""``provender custody``: one module per group of commands. They read lines and arguments; ``custody`` decides."""
