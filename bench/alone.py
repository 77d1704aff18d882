"""``python -m bench.alone NAME``: run one benchmark in this process and print its figures as JSON."""

import json
import sys
from importlib import import_module

if __name__ == "__main__":
    rows = import_module(f"bench.{sys.argv[1]}").run()
    json.dump([row._asdict() for row in rows], sys.stdout)
