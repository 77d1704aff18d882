"""A verification package: what goes in, how it is laid out, and how it is written and read."""
