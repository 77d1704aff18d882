"""How long a command holds on to memory that it has freed, before the machine gets it back."""

import os
from typing import Final

KEPT_FOR: Final = "dirty_decay_ms:3000"
"""Milliseconds, of the allocator that Polars is built with (jemalloc, ``opt.dirty_decay_ms``); it gives back after 500.

A search over many millions of rows takes the same memory again within a second, and each page that it gave back
meanwhile is cleared for it anew: a tenth of the time of a hundred million claims.
"""
SETTING: Final = "_RJEM_MALLOC_CONF"


def hold_freed_memory() -> None:
    """Ask for it, before Polars is loaded; whoever set the allocator is left alone."""
    os.environ.setdefault(SETTING, KEPT_FOR)
