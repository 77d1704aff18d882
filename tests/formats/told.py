"""What a reader told of a file."""

from typing import Any

from provender.formats.parsed import Parsed


def codes(parsed: Parsed[Any]) -> list[str]:
    """Return the codes of all problems, in their order."""
    return [problem.code for problem in parsed.problems]
