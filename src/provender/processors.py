"""How many processors this process may use: as many processes, and no more, pay."""

import os


def processors() -> int:
    """Return how many processors this process may use, at least 1; all of the machine where nothing limits it."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
