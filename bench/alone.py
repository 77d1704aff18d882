"""``python -m bench.alone NAME``: run one benchmark in this process and print its figures as JSON."""

import json
import sys
from importlib import import_module

from provender.cli.allocator import hold_freed_memory

if __name__ == "__main__":
    hold_freed_memory()  # as every command does
    rows = import_module(f"bench.{sys.argv[1]}").run()
    json.dump([row._asdict() for row in rows], sys.stdout)
