"""Citations in the pages: ``interpretation 7`` and ``decision 0007`` become links to the pages they name."""

import re
from pathlib import Path
from posixpath import relpath
from typing import Final

DOCS: Final = Path(__file__).parent.parent
FOLDERS: Final = {"interpretation": "interpretations", "decision": "decisions"}
CITATION: Final = re.compile(r"\b(interpretation|decision)(s? )(\d+(?:(?:, | and | to )\d+)*)", re.IGNORECASE)
AMENDS: Final = re.compile(r"This (?:amends|adds to|narrows)\s+interpretations?\s+(\d+(?:(?:,\s|\sand\s)\d+)*)")
# Code, links that stand already, and comments are left as they are.
LEFT_ALONE: Final = re.compile(r"(```.*?```|`[^`\n]*`|\[[^\]]*\]\([^)]*\)|<!--.*?-->)", re.DOTALL)


def cited_pages(folder: str) -> dict[int, tuple[str, str]]:
    """Return the title and the file of each numbered page of a folder of the docs, by number."""
    pages = {}
    for path in sorted((DOCS / folder).glob("0*.md")):
        number, title = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ").split(" ", 1)
        pages[int(number)] = (title, path.name)
    return pages


def amended_by(name: str) -> str:
    """Return a sentence that names the later interpretations that amend one; empty where there is none.

    Args:
        name: the file of the interpretation.
    """
    amended = int(name[:4])
    later = [
        f"interpretation {number}"
        for number, (_, page) in cited_pages("interpretations").items()
        for found in AMENDS.findall((DOCS / "interpretations" / page).read_text(encoding="utf-8"))
        if amended in map(int, re.findall(r"\d+", found))
    ]
    return f"*Amended by {' and '.join(later)}.*" if later else ""


def link_citations(markdown: str, page: str) -> str:
    """Return the text of a page with its citations as links.

    Args:
        markdown: the page.
        page: its file, seen from the folder of the docs; links are relative to it.

    Raises:
        KeyError: the page cites a number that has no page.
    """

    def link(citation: re.Match[str]) -> str:
        word, gap, numbers = citation.groups()
        folder = FOLDERS[word.casefold()]
        pages = cited_pages(folder)

        def address(number: str) -> str:
            return relpath(f"{folder}/{pages[int(number)][1]}", page.rpartition("/")[0] or ".")

        if numbers.isdecimal():
            return f"[{word}{gap}{numbers}]({address(numbers)})"
        return word + gap + re.sub(r"\d+", lambda number: f"[{number[0]}]({address(number[0])})", numbers)

    parts = LEFT_ALONE.split(markdown)
    return "".join(part if at % 2 else CITATION.sub(link, part) for at, part in enumerate(parts))
