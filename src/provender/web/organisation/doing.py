"""What somebody may do in an organisation, found by the words that people use for it."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple
from unicodedata import combining, normalize

from django.urls import reverse

from provender.database.choices import Role
from provender.records import KINDS
from provender.services.custody.context import trades
from provender.services.custody.offers import OFFERS, offered
from provender.services.farm.book import is_farm
from provender.services.search import has
from provender.web.access import Access
from provender.web.navigation import Entry, menu


class Doing(NamedTuple):
    """One thing to do: what it is called, and where."""

    label: str
    href: str


def pages_found(access: Access, text: str) -> list[Entry]:
    """Return the entries of the menu whose title or other words have every word of a text."""
    entries = (entry for group in menu(access, "") for entry in group.entries)
    return [entry for entry in entries if _meant(text, entry.label, "page", entry.view)]


def doings_found(access: Access, text: str) -> list[Doing]:
    """Return what may be entered or added, whose title or other words have every word of a text."""
    return [Doing(label, href) for part, name, label, href in _offered(access) if _meant(text, label, part, name)]


def _offered(access: Access) -> Iterator[tuple[str, str, str, str]]:
    """Yield part and name in the file of words, title and address of all that somebody may enter or add."""
    organisation = access.organisation
    if not access.may_write:
        return
    if trades(organisation):
        fuel = organisation.roles.filter(role=Role.REFINER).exists()
        for kind in offered(OFFERS, fuel=fuel):
            yield "enter", kind, OFFERS[kind].title, reverse("custody_enter", args=(organisation.handle, kind))
    if is_farm(organisation):
        for kind, one in KINDS.items():
            if kind != "word":  # what the farm calls things is learnt by imports
                yield "add", kind, one.label, reverse("farm_row", args=(organisation.handle, kind))


def _meant(text: str, label: str, part: str, name: str) -> bool:
    known = _words()
    asked = _plain(text).split()
    wanted = [word for word in asked if word not in _says_nothing()] or asked
    return bool(wanted) and has(_plain(f"{label} {known[part].get(name, '')}"), wanted)


def _plain(text: str) -> str:
    """Return a text without capitals and accents, which a phone's keyboard seldom gives."""
    return "".join(sign for sign in normalize("NFKD", text.casefold()) if not combining(sign))


@cache
def _words() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(files("provender.web.organisation").joinpath("data/other_words.toml").read_text("utf-8"))


@cache
def _says_nothing() -> frozenset[str]:
    """Return the words, English and Spanish, that say nothing of what is meant."""
    return frozenset(" ".join(_words()["says nothing"].values()).split())
