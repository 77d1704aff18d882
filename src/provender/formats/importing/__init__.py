"""Other people's files into a record book: what each file is, which rows are sound, what the book says already.

``plan.plan_import`` works out everything and writes nothing; ``plan.write_plan`` writes what was worked out. No row is
lost without a word: each is added, completes or repeats a record, waits for a person's nod, or lies in ``rejected/``.
"""
