"""Reads a page as a person does: its text, its forms field by field, where its links lead."""

import re
from html.parser import HTMLParser
from typing import Final

VOID: Final = frozenset({"input", "br", "hr", "img", "link", "meta", "wbr", "source", "col"})
NO_TEXT: Final = frozenset({"script", "style", "svg", "table", "textarea", "option", "label", "nav"})
"""Elements whose text is no sentence of the page: tables are saved as files, labels belong to fields."""
NO_CLASSES: Final = frozenset({"on-paper", "save", "help"})
FIELDS: Final = frozenset({"input", "select", "textarea"})


class Page(HTMLParser):
    """The main part of a page.

    Attributes:
        links: addresses of links and of forms asked by GET, in order.
        sentences: text outside tables and fields.
        fields: one line for each field that a person fills in.
        inside: whether the parser is in the main part.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.sentences: list[str] = []
        self._fields: list[dict[str, str]] = []
        self._labels: dict[str, str] = {}
        self._helps: dict[str, str] = {}
        self._open: list[tuple[str, dict[str, str]]] = []
        self._option = ""
        self.feed(html)
        self.close()

    @property
    def fields(self) -> list[str]:
        """Return each field with label, control, help and choices."""
        return [self._written(field) for field in self._fields]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note links, fields and choices."""
        has = {name: value or "" for name, value in attrs}
        if tag == "a":
            self.links.append(has.get("href", ""))
        if tag in FIELDS and has.get("type") not in ("hidden", "submit") and has.get("name") and self._in_main():
            self._fields.append({"tag": tag, **has, "required": "required" if "required" in has else ""})
        if tag == "option" and self._fields and self._in_main():
            self._option = has.get("value", "")
        if tag not in VOID:
            self._open.append((tag, has))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, text: str) -> None:
        words = re.sub(r"\s+", " ", text).strip()
        if not words or not self._in_main():
            return
        for tag, has in reversed(self._open):
            if tag == "option" and self._fields:
                self._fields[-1]["options"] = f"{self._fields[-1].get('options', '')}; {self._option}={words}"
                return
            if tag == "label":
                self._add(self._labels, has.get("for", ""), words)
                return
            if has.get("class") == "help":
                self._add(self._helps, has.get("id", ""), words)
                return
        if not any(tag in NO_TEXT or has.get("class") in NO_CLASSES for tag, has in self._open):
            self.sentences.append(words)

    def _in_main(self) -> bool:
        return any(tag == "main" for tag, _ in self._open)

    @staticmethod
    def _add(texts: dict[str, str], name: str, words: str) -> None:
        texts[name] = f"{texts.get(name, '')} {words}".strip()

    def _written(self, field: dict[str, str]) -> str:
        name = field.get("id", "")
        control = " ".join(part for part in (field["tag"], field.get("type", ""), field["required"]) if part)
        parts = [f"{field['name']}: {self._labels.get(name, '')}", control, field.get("inputmode", "")]
        parts += [self._helps.get(f"{name}_helptext", ""), field.get("options", "").removeprefix("; ")]
        return " | ".join(part for part in parts if part)
