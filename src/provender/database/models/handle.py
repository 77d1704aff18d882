"""Short random names for rows that appear in an address: they tell nothing and cannot be counted through."""

import secrets
from typing import Final

LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""No letter that looks like another or like a digit: people read handles out on the telephone."""
LENGTH: Final = 10


def new_handle() -> str:
    """Return ten random letters and digits (about 49 bits)."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
