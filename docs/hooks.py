"""What MkDocs does with the pages beside its own work (``hooks`` in ``mkdocs.yml``)."""

import re
from pathlib import Path
from typing import Any

from makers.citations import link_citations

ROOT = Path(__file__).parent.parent
INCLUDED = re.compile(r'^--8<-- "(.+)"$', re.MULTILINE)


def on_page_markdown(markdown: str, *, page: Any, **_: object) -> str:  # noqa: ANN401 -- MkDocs' own type is not stubbed
    """Put in the files that a page includes, and turn its citations into links."""
    whole = INCLUDED.sub(lambda file: (ROOT / file[1]).read_text(encoding="utf-8"), markdown)
    return link_citations(whole, page.file.src_uri)
