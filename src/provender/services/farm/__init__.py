"""A farm's record book: opened, changed, judged; its evidence, boundaries and keys."""
