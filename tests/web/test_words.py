"""What pages, messages and the description of the API say is spelled as an American office spells."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import provender
from provender.web.api.build import api

BRITISH: Final = re.compile(
    r"\b(?:organisation|programme|favourabl|colour|labour|recognis|authoris|neighbour|behaviour|catalogue|licence)\w*",
    re.IGNORECASE,
)
ROOMS: Final = ("services", "web")
KNOWN: Final = {"create organisation", "change organisation"}
"""Names of deeds in the log: they stand in rows written long ago."""


def spoken() -> Iterator[tuple[str, str]]:
    """Yield place and text of every sentence that a service or a door says: no docstrings, no names of the program."""
    root = Path(provender.__file__).parent
    for path in sorted(file for room in ROOMS for file in (root / room).rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in told:
                continue
            if " " in node.value.strip() or node.value[:1].isupper():
                yield f"{path.relative_to(root)}:{node.lineno}", node.value


def test_sentences_of_services_and_doors_are_american() -> None:
    sentences = [(where, text) for where, text in spoken() if text not in KNOWN]
    assert len(sentences) > 1_000
    assert [(where, text) for where, text in sentences if BRITISH.search(text)] == []


def described(node: object) -> Iterator[str]:
    """Yield the prose of the description: summaries, descriptions, titles."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name in {"summary", "description"} and isinstance(value, str):
                yield value
            else:
                yield from described(value)
    elif isinstance(node, list):
        for one in node:
            yield from described(one)


def test_the_description_of_the_api_is_american() -> None:
    prose = list(described(json.loads(json.dumps(api.get_openapi_schema(), default=str))))
    assert len(prose) > 300
    code = re.compile(r"``[^`]*``")
    wrong = {found[0] for text in prose if (found := BRITISH.search(code.sub("", text)))}
    assert wrong == set()
