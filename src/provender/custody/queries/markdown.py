"""Tables of papers that are written as Markdown, for ``documents.manual_print`` to lay out."""

from collections.abc import Iterable, Iterator, Sequence


def table_lines(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield a table line by line; one without rows says so."""
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    if not lines:
        yield "None."
        return
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    yield from lines
