"""What pages, papers, commands, messages and the description of the API say is spelled as an American office spells."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import provender
from provender.web.urls import api

BRITISH: Final = re.compile(
    r"\b(?:organisation|programme|favourabl|colour|labour|recognis|authoris|neighbour|behaviour|catalogue|licence|honour"
    r"|judgement|enrolment|fulfil\b|fulfils\b|cancell(?:ed|ing)|travell|labell|modell|centre|litre|analys(?:e|ed|ing)\b"
    r"|organis|realis|summaris|standardis|normalis|minimis|maximis|prioritis|specialis|plough|sulph|fibre|grey\b|whilst"
    r"|amongst|learnt|spelt\b|practis|defence|offence|ageing|cheque|artefact|acknowledgement|metres?\b|kilometre)\w*",
    re.IGNORECASE,
)
KNOWN: Final = {
    "create organisation": "the name of a deed in the log, in rows written long ago",
    "change organisation": "the name of a deed in the log, in rows written long ago",
    "Organisation": "the name of a class",
    "OrganisationKey": "the name of a class",
    "OrganisationRole": "the name of a class",
    "Enrolment": "the name of a column in workbooks that farms have",
    "Program enrolments": "the name of a sheet in workbooks that farms have",
}
"""What is spelled otherwise, and why."""


def spoken() -> Iterator[tuple[str, str]]:
    """Yield place and text of every sentence that the program says or signs: no docstrings, no names of its own."""
    root = Path(provender.__file__).parent
    for path in sorted(file for file in root.rglob("*.py") if "migrations" not in file.parts):
        tree = ast.parse(path.read_text("utf-8"))
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in told:
                continue
            if (" " in node.value.strip() or node.value[:1].isupper()) and not node.value.startswith("INSERT "):
                yield f"{path.relative_to(root)}:{node.lineno}", node.value


def test_sentences_of_every_room_are_american() -> None:
    sentences = [(where, text) for where, text in spoken() if text not in KNOWN]
    assert len(sentences) > 4_000
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
