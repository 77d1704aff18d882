"""What MkDocs does with the pages beside its own work (``hooks`` in ``mkdocs.yml``)."""

import re
from pathlib import Path

from generate import BUILT, NOTICE
from makers.citations import link_citations
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
INCLUDED = re.compile(r'^--8<-- "(.+)"$', re.MULTILINE)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages that git does not hold."""
    for name, make in BUILT.items():
        files.append(File.generated(config, name, content=NOTICE + make()))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: object) -> str:
    """Put in the files that a page includes, and turn its citations into links."""
    whole = INCLUDED.sub(lambda file: (ROOT / file[1]).read_text(encoding="utf-8"), markdown)
    return link_citations(whole, page.file.src_uri)
