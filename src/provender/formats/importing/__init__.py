"""Other people's files into a record book: what each file is, which rows are sound, what the book says already.

``prepare`` works out everything and writes nothing; ``write.commit`` writes what was worked out. No row is lost without
a word: each one is added, completes or repeats a record, waits for a person's confirmation, or lies in ``rejected/``.
"""
