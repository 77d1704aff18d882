"""Whoever may only read is shown nothing that is then refused: every link opens, no form is offered that writes."""

from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin, urlsplit

from django.test import Client
from django.urls import resolve, reverse

from tests.web.cast import Cast
from tests.web.custody_season import fill_custody
from tests.web.farm_season import fill_season

OWN = frozenset({"account_logout", "account", "account_sessions"})
"""What is the reader's own: these forms are for everybody."""
SEVERAL = 1
"""Pages of one kind that are opened."""


class Offered(HTMLParser):
    """The links and the forms of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.deeds: list[str] = []
        self.form = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note it."""
        said = dict(attrs)
        if tag == "a" and said.get("href"):
            self.links.append(str(said["href"]))
        if tag == "form":
            self.form = (said.get("action") or "?") if (said.get("method") or "").lower() == "post" else ""
        if self.form and tag == "button" and said.get("type", "submit") == "submit":
            self.deeds.append(self.form)


def walk(client: Client, start: str) -> Iterator[tuple[str, str, int]]:
    """Yield for every page in reach, some of a kind, what it offers: where it stands, what it is, the answer."""
    waiting, seen, opened = [("", start)], {start}, dict[str, int]()
    while waiting:
        before, where = waiting.pop(0)
        name = resolve(urlsplit(where).path).view_name
        if opened.get(name, 0) >= SEVERAL or name in {"account_logout", "field"}:
            continue
        opened[name] = opened.get(name, 0) + 1
        answer = client.get(where)
        yield before, where, answer.status_code
        if answer.streaming:
            b"".join(answer.streaming_content)  # type: ignore[attr-defined]  # whose end closes the file
        elif answer.status_code == 200 and "text/html" in answer.headers["Content-Type"]:
            yield from offered_by(answer.content.decode(), where, client, seen, waiting)


def offered_by(
    page: str, where: str, client: Client, seen: set[str], waiting: list[tuple[str, str]]
) -> Iterator[tuple[str, str, int]]:
    """Put the links of a page among what waits, and yield the answer to each deed that it offers."""
    offered = Offered(page)
    for deed in offered.deeds:
        to = where if deed == "?" else urljoin(where, deed)
        if resolve(urlsplit(to).path).view_name not in OWN:
            yield where, f"POST {to}", client.post(to).status_code
    for link in offered.links:
        to = urldefrag(urljoin(where, link))[0]
        if to.startswith("/") and to not in seen:
            seen.add(to)
            waiting.append((where, to))


def test_whoever_only_reads_is_shown_nothing_that_is_refused(cast: Cast) -> None:
    fill_season(cast)
    fill_custody(cast)
    for part in ("reader", "verifier_in"):
        found = list(walk(cast.client(part), reverse("organisation", args=(cast.farm.handle,))))
        assert len(found) > 20, "the walk reaches the pages"
        assert [one for one in found if one[2] >= 400] == [], part
