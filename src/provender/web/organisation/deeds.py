"""What the log says somebody did, in the words of an office; a file keeps the log's own."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple
from unicodedata import combining, normalize
from urllib.parse import urlencode

from django.urls import reverse

from provender.database.actor import today
from provender.database.choices import Role
from provender.records.kind import KINDS
from provender.services.accounts.access import Access
from provender.services.accounts.views import LogView
from provender.services.audits.standing import answer_steps, verifier_steps
from provender.services.clients import farm_steps
from provender.services.custody.book_entry import OFFERS, offered
from provender.services.custody.checks import trade_steps
from provender.services.custody.context import context_of, trades
from provender.services.dashboard import Ending, Tile
from provender.services.farm.book import is_farm
from provender.services.farm.growing import GrowingNeeds
from provender.services.search import PAPERS, Found, has, paper_called
from provender.services.steps import NextStep
from provender.web.navigation import Entry, menu, title_of
from provender.web.tables import days_said

_LOOKS: Final = ("look as verifier", "look as reviewer")
KEPT: Final = "keep signed document"
_CODED: Final = frozenset({"areas", "kind", "kinds", "roles", "scopes", "type"})
"""What of a deed the log keeps as names of the program."""
CHANGED: Final = "change book"
"""It is about why: in the words of a person, or of the page that changed the records."""

FINDING: Final = "audit: finding"
_OF_FINDING: Final = re.compile(r"(.+), (raised|responded|resolved|reopened|changed) (\S+)")
FOUND: Final[Mapping[str, str]] = {
    "raised": "finding {number} raised",
    "responded": "finding {number} answered",
    "resolved": "finding {number} resolved",
    "reopened": "finding {number} opened again",
    "changed": "finding {number} changed",
}
_OF_SAMPLE: Final = re.compile(r", (?:freezing|seed) [0-9a-f]{12}$")
"""The mark by which a file of the log tells one sample from another."""
STORED: Final = "store file"
COLUMNS: Final[Mapping[str, str]] = {
    "columns-of-ticket-": "what the columns of a file of tickets mean",
}
"""Files that the program kept itself, by how their names begin."""
DONE: Final[Mapping[str, str]] = {
    "add member": "added a member",
    "audit: borrowed audit decided": "decided about a borrowed audit",
    "audit: engagement recorded": "recorded what an audit was engaged for",
    "audit: fact found later": "told a fact that was found later",
    "audit: failed farm, sample extended": "extended a sample by a farm that failed",
    FINDING: "wrote about a finding",
    "audit: package asked for": "asked for a package",
    "audit: package made": "made a package",
    "audit: package recomputed": "had a package recomputed",
    "audit: part of the seed committed": "committed a part of a seed",
    "audit: part of the seed opened": "opened a part of a seed",
    "audit: population frozen": "froze the farms of an audit",
    "audit: seed committed, sample drawn": "drew the farms of an audit",
    "audit: statement drafted": "drafted a verification statement",
    "audit: statement signed": "signed a verification statement",
    "audit: visit logged": "logged a visit",
    "audit: work done": "marked a line of a work program",
    "begin import": "handed in files",
    "begin review": "opened a reviewer's sign-in",
    "change book": "changed the records",
    "choose for import": "answered questions about files",
    "create organisation": "opened the organization",
    "create token": "made an API token",
    "end review": "ended a reviewer's sign-in",
    "end session": "signed a device out",
    "enter contract": "entered a contract",
    "give up import": "gave up files that were handed in",
    "grant reading": "let a verifier read",
    "invite": "invited somebody",
    "keep signed document": "kept a signed document",
    "keep signed report": "kept a signed report",
    "let reviewer in": "let a reviewer read",
    "look as reviewer": "looked as a reviewer",
    "look as verifier": "looked as a verifier",
    "lose reading": "lost access to read",
    "open audit": "opened an audit",
    "open book": "opened the record book",
    "post movement": "entered in the ledger",
    "receive reading": "was let in to read",
    "record accreditation": "recorded an accreditation",
    "register signing key": "registered a signing key",
    "register verifier key": "registered a verifier's key",
    "revoke reading": "ended a verifier's access",
    "revoke token": "ended an API token",
    "sign sale slip": "signed a sale slip",
    "store file": "kept a file",
    "withdraw invitation": "withdrew an invitation",
}
"""By deed in the log; another one is shown as it stands there."""


_ENTERED: Final[Mapping[str, str]] = {
    "sale": "a sale",
    "purchase": "a purchase",
    "purchase_pending": "a purchase that waits for its report",
    "assign": "slips for a purchase that waited",
    "accept": "a delivery that was accepted",
    "reject": "a delivery that was sent back",
    "return": "a return to the seller",
    "move": "a move between sites",
    "receipt": "a ticket in",
    "shipment": "a ticket out",
    "measurement": "a measured stock",
    "slip": "a sale slip",
    "share": "a landowner's share",
    "report": "a farm's report",
    "contract": "a contract",
    "period": "a period",
    "close": "the close of a period",
    "correct": "the taking back of an entry",
    "process": "a processing",
    "retire": "claims retired into fuel",
    "loss": "a loss",
    "release": "claims that were given up",
    "statement": "a verification",
    "entity": "name, roles and sites",
    "opening": "an opening stock",
}
"""What was entered in the ledger, by the type of the event; another one by its number."""


def deed_said(deed: str) -> str:
    return DONE.get(deed, deed)


def about_of(row: LogView) -> str:
    """Return what a deed was about, as people know it: of a look the page, of a signed document what it is."""
    if row.deed in _LOOKS:
        return title_of(row.about)
    if row.deed == CHANGED:
        return row.about
    if row.deed == FINDING and (found := _OF_FINDING.fullmatch(row.about)):
        return f"{FOUND[found[2]].format(number=found[3])} ({found[1]})"
    if row.deed == STORED and (
        kept := next((text for name, text in COLUMNS.items() if row.about.startswith(name)), "")
    ):
        return kept
    kind = row.new.get("kind") if row.deed == KEPT and isinstance(row.new, dict) else None
    return days_said(paper_called(kind, row.about)) if kind in PAPERS else _OF_SAMPLE.sub("", row.about)


def latest_said(row: LogView) -> str:
    """Return the same where only the last deeds stand: of an entry what it is, which its number does not tell."""
    kind = str(row.new.get("type", "")) if row.deed == "post movement" and isinstance(row.new, dict) else ""
    return _ENTERED[kind] if kind in _ENTERED else about_of(row)


def values_said(value: object) -> str:
    """Return what a deed left, name by name, in words: the program's own names lose their underscores."""
    return _joined(value, lambda name, one: one.replace("_", " ") if name in _CODED else one)


def values_kept(value: object) -> str:
    """Return what a deed left, name by name, as the log has it."""
    return _joined(value, lambda _, one: one)


def _joined(value: object, written: Callable[[str, str], str]) -> str:
    if not isinstance(value, dict):
        return ""
    return "; ".join(
        f"{name.replace('_', ' ')}: "
        + ", ".join(written(name, str(each)) for each in (one if isinstance(one, list) else [one]))
        for name, one in value.items()
        if one not in ("", None)
    )


# What somebody may do in an organisation, found by the words that people use for it.


class Doing(NamedTuple):
    """One thing to do: what it is called, and where."""

    label: str
    href: str


def pages_found(access: Access, text: str) -> list[Entry]:
    """Return the entries of the menu whose title or other words have every word of a text."""
    entries = (entry for group in menu(access, "") for entry in group.entries)
    return [entry for entry in entries if _is_meant_by(text, entry.label, "page", entry.view)]


def doings_found(access: Access, text: str) -> list[Doing]:
    """Return what may be entered or added, whose title or other words have every word of a text."""
    return [Doing(label, href) for part, name, label, href in _offered(access) if _is_meant_by(text, label, part, name)]


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


def _is_meant_by(text: str, label: str, part: str, name: str) -> bool:
    known = _other_words()
    asked = _plain(text).split()
    wanted = [word for word in asked if word not in _says_nothing()] or asked
    return bool(wanted) and has(_plain(f"{label} {known[part].get(name, '')}"), wanted)


def _plain(text: str) -> str:
    """Return a text without capitals and accents, which a phone's keyboard seldom gives."""
    return "".join(sign for sign in normalize("NFKD", text.casefold()) if not combining(sign))


@cache
def _other_words() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(files("provender.web.organisation").joinpath("data/other_words.toml").read_text("utf-8"))


@cache
def _says_nothing() -> frozenset[str]:
    """Return the words, English and Spanish, that say nothing of what is meant."""
    return frozenset(" ".join(_other_words()["says nothing"].values()).split())


# What an organisation does next, with the pages on which it is done: services say what, here are the addresses.


@dataclass(frozen=True, slots=True)
class StepLink:
    """One thing to do: where it is done, what it is, and why."""

    href: str
    words: str
    why: str


def next_steps(access: Access) -> list[StepLink]:
    """Return what the organisation does next with where it is done, the first thing first."""
    return [StepLink(address(access, step), step.words, step.why) for step in steps_of(access)]


def steps_of(access: Access, growing: GrowingNeeds | None = None) -> list[NextStep]:
    """Return what the organisation does next, the first thing first; ``growing`` where a page has counted it."""
    organisation, day = access.organisation, today()
    context = context_of(organisation, actor=access.actor, today=day) if trades(organisation) else None
    own = [*farm_steps(organisation, growing), *trade_steps(organisation, context), *verifier_steps(organisation, day)]
    # Who only looks at the organisation answers nothing in its name.
    return [*answer_steps(organisation), *own] if access.membership is not None else own


def address(access: Access, step: NextStep | Tile | Ending | Found) -> str:
    """Return where a thing is done, or a number comes from."""
    return address_at(access.organisation.handle, step)


def address_at(handle: str, step: NextStep | Tile | Ending | Found) -> str:
    """Return where a thing of an organisation is done that somebody looks at from outside."""
    query = f"?{urlencode(step.query)}" if step.query else ""
    anchor = f"#{step.anchor}" if isinstance(step, NextStep) and step.anchor else ""
    return f"{reverse(step.page, args=(handle, *step.about))}{query}{anchor}"
