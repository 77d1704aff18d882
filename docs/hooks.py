"""What MkDocs does with the pages beside its own work (``hooks`` in ``mkdocs.yml``).

The pages of ``MADE`` are not in git: they are written from the tables of the code each time the site is built, by a
function in ``docs/makers`` that returns Markdown. A new one needs a line here and a place in the menu.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from makers import api, commands, custody, operations, records, requirements, rule, surface
from makers.citations import amended_by, link_citations
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).parent.parent
INCLUDED: Final = re.compile(r'^--8<-- "(.+)"$', re.MULTILINE)
MADE: Final[Mapping[str, Callable[[], str]]] = {
    "reference/rule.md": rule.rule_page,
    "reference/parameters.md": rule.parameters_page,
    "reference/records.md": records.records_page,
    "reference/requirements.md": requirements.requirements_page,
    "reference/custody_events.md": custody.events_page,
    "reference/custody_statuses.md": custody.statuses_page,
    "reference/package_surface.md": surface.surface_page,
    "reference/field_operations.md": operations.operations_page,
    "reference/commands.md": commands.commands_page,
    "reference/api.md": api.api_page,
    "interpretations/index.md": rule.interpretations_page,
    "decisions/index.md": rule.decisions_page,
}
MAY_BE_BLANK: Final[Mapping[str, frozenset[str]]] = {
    "reference/rule.md": frozenset({*map(str.capitalize, rule.paragraphs.AnswerKind), "For"}),
    "reference/parameters.md": frozenset({"Unit"}),
    "reference/records.md": frozenset({"7 CFR", "help"}),
    "reference/custody_events.md": frozenset({"made from"}),
    "reference/custody_statuses.md": frozenset({"what to do, where the meaning does not say it"}),
    "reference/field_operations.md": frozenset({"type", "mph", "in", "%"}),
    "reference/api.md": frozenset({"meaning"}),
}
"""Columns of the tables in which a cell may say nothing. A blank cell of any other ends the build."""
BETWEEN_CELLS: Final = re.compile(r"(?<!\\)\|")


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages that git does not hold."""
    for name, make in MADE.items():
        content = make()
        blank = list(blank_cells(content, MAY_BE_BLANK.get(name, frozenset())))
        if blank:
            raise PluginError(f"{name} leaves something undocumented: {'; '.join(blank)}")
        files.append(File.generated(config, name, content=content))
    return files


def blank_cells(page: str, may_be_blank: frozenset[str]) -> Iterator[str]:
    """Yield the row and the column of each table cell that is blank and may not be."""
    heading: list[str] = []
    for line in page.splitlines():
        if not line.startswith("|"):
            heading = []
        elif not heading:
            heading = _cells(line)
        else:
            cells = _cells(line)
            row = next(filter(None, cells), "")
            named = zip(heading, cells, strict=True)
            yield from (f"{row}, {column}" for column, cell in named if not cell and column not in may_be_blank)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in BETWEEN_CELLS.split(line)[1:-1]]


def on_page_markdown(markdown: str, *, page: Page, **_: object) -> str:
    """Put in the files that a page includes and what amends it, and turn its citations into links."""
    folder, name = page.file.src_uri.rpartition("/")[::2]
    if folder == "interpretations" and name[0].isdigit():
        markdown = markdown.replace("\n\n", f"\n\n{amended_by(name)}\n\n", 1)
    whole = INCLUDED.sub(lambda file: (ROOT / file[1]).read_text(encoding="utf-8"), markdown)
    return link_citations(whole, page.file.src_uri)
