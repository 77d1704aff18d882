"""Pages as a reviewer gets them: a link to what is closed to them is text, a button to it is not there.

Templates are written for whoever works here; which links a reviewer may follow hangs on the areas they were let see.
"""

import re
from typing import Final

from django.http import HttpResponse, HttpResponseBase
from django.urls import Resolver404, resolve

from provender.services.accounts.access import Access

ANCHOR: Final = re.compile(r"<a\b([^>]*)>(.*?)</a>", re.DOTALL)
HREF: Final = re.compile(r'\bhref="(/o/[^"?#]*)')
BUTTON: Final = re.compile(r'\bclass="[^"]*\bbutton\b')


def is_open(access: Access, address: str) -> bool:
    """Tell whether a page of an organisation that asks for reading opens for whoever stands in its door."""
    if access.review is None:
        return True
    try:
        return access.sees(getattr(resolve(address).func, "areas", ()))
    except Resolver404:
        return False


def unlinked(access: Access, answer: HttpResponseBase) -> HttpResponseBase:
    """Take out of a page what its reviewer could not open; anything else stays as it is."""
    html = answer.headers.get("Content-Type", "").startswith("text/html")
    if access.review is None or not html or not isinstance(answer, HttpResponse):
        return answer

    def kept(found: re.Match[str]) -> str:
        href = HREF.search(found[1])
        if href is None or is_open(access, href[1]):
            return found[0]
        return "" if BUTTON.search(found[1]) else found[2]

    answer.content = ANCHOR.sub(kept, answer.content.decode()).encode()
    return answer
