"""``provender audit``: one module per group of commands. They read files and arguments; ``audit`` decides."""
