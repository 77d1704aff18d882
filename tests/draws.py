"""How many examples a random test draws: forty in `make test`, of what is large a part of them.

`PROVENDER_HYPOTHESIS=deep` draws fifty times as many of each.
"""

from hypothesis import settings


def part_of_draws(parts: int) -> int:
    """Return how many examples a test draws whose examples cost several times what others do."""
    return (settings.default.max_examples if settings.default else 40) // parts
