"""A full server for measuring pages: one district made through the program itself, and copies of it."""
