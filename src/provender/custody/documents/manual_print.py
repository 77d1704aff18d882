"""The manual of 2100.032(a) as PDF: what ``manual`` wrote as Markdown, laid out for people who keep paper."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from importlib.resources import files
from itertools import groupby
from typing import Final

from provender.custody.queries.markdown import is_right
from provender.paper.pdf import Attachment, render

_NUMBERED: Final = re.compile(r"\d+\. ")
_CELLS: Final = re.compile(r"(?<!\\)\|")


def manual_pdf(
    text: str,
    as_of: date,
    kind: str = "Documented system, 7 CFR 2100.032(a)",
    *,
    attachments: Sequence[Attachment] = (),
    picture: str = "",
) -> bytes:
    """Print a manual, or another paper that is written as one.

    Args:
        text: Markdown as ``manual`` writes it: headings, lists, tables and paragraphs, nothing else.
        as_of: the day it was written.
        kind: what the paper is, at the head of its pages.
        attachments: files to carry along.
        picture: SVG below the title; empty for none.
    """
    title, *lines = text.splitlines()
    data = {
        "kind": kind,
        "title": title.removeprefix("# "),
        "blocks": list(_blocks(lines)),
        "picture": "picture.svg" if picture else "",
    }
    return render(
        files("provender.custody") / "templates" / "manual.typ",
        data,
        as_of=as_of,
        attachments=attachments,
        images={"picture.svg": picture} if picture else {},
    )


def _blocks(lines: list[str]) -> Iterator[dict[str, object]]:
    """Return runs of lines of one kind, each as the template takes it."""
    for kind, run in groupby(lines, key=_kind):
        words = list(run)
        match kind:
            case "heading":
                for one in words:
                    yield {"kind": kind, "items": [one.removeprefix("## ")]}
            case "bullets":
                yield {"kind": kind, "items": [one.removeprefix("- ") for one in words]}
            case "steps":
                yield {"kind": kind, "items": [_NUMBERED.sub("", one, count=1) for one in words]}
            case "table":
                rows = [[cell.strip().replace("\\|", "|") for cell in _CELLS.split(one)[1:-1]] for one in words]
                yield {"kind": kind, "head": rows[0], "right": list(map(is_right, rows[1])), "rows": rows[2:]}
            case "text":
                yield {"kind": kind, "items": [" ".join(words)]}


def _kind(line: str) -> str:
    if line.startswith("## "):
        return "heading"
    if line.startswith("- "):
        return "bullets"
    if _NUMBERED.match(line):
        return "steps"
    return "table" if line.startswith("|") else "text" if line else ""
