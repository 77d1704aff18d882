"""A farm's record book: opened, changed, judged; its evidence, boundaries and keys.

Decided here: how a change becomes a version, and when verdicts are judged anew. Not decided here: verdicts
(``practices``) and columns (``records``).
"""
