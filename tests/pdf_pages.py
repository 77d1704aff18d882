"""The text of a printed PDF, page by page."""

from contextlib import closing

import pypdfium2


def page_texts(pdf: bytes) -> list[str]:
    """Return what stands on each page, by the library that reads papers: it takes a tenth of the time of pypdf."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        # A hyphen at the end of a line comes as this sign.
        return [page.get_textpage().get_text_range().replace("\ufffe", "-") for page in document]
