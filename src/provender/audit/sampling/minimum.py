"""How many farms at least: the square root of their number, rounded up (2100.040(a)(3)(ii))."""

from math import isqrt


def minimum_farms(farms: int) -> int:
    """Return the smallest sample allowed, in farms; exact for any size, since the root is an integer root.

    No factor, discount, fixed floor or percentage of another scheme applies: the square root is the rule's floor.

    Raises:
        ValueError: the number of farms is negative.
    """
    root = isqrt(farms)
    return root + (root * root < farms)
