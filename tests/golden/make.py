"""Makes the committed files of this room anew: ``python -m tests.golden.make book``.

Run it only when an answer changes on purpose, and read the difference line by line before committing it.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.golden import book, machine
from tests.golden.book_stories import stories
from tests.golden.recorded import WRITE


def make_book() -> None:
    """Write ``book.jsonl``: each story posted into a store in memory and written on disk."""
    lines: list[str] = []
    for story in stories():
        recorded = book.record(story.name, story.lines, machine.memory_store())
        with tempfile.TemporaryDirectory() as folder:
            lines += book.as_lines(recorded, book.on_disk(recorded, Path(folder)))
    book.BOOK.write_text("\n".join(lines) + "\n", encoding="utf-8")


def make_answers() -> None:
    """Write ``answers/*.json``: the tests of the doors write instead of comparing."""
    program = [sys.executable, "-m", "pytest", "-q", *map(str, sorted(Path(__file__).parent.glob("test_*.py")))]
    sys.exit(subprocess.run(program, env={**os.environ, WRITE: "write"}, check=False).returncode)  # noqa: S603 - pytest


MAKERS: Final = {"book": make_book, "answers": make_answers}


def main(names: list[str]) -> int:
    if not names or not set(names) <= MAKERS.keys():
        sys.stderr.write(f"Name what to make: {', '.join(MAKERS)}.\n")
        return 2
    for name in names:
        MAKERS[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
