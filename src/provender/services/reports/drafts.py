"""A report as it would be signed today, made as ``provender report`` makes it, and the key that signs it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.timezone import localdate

from provender.custody.events.registry import post
from provender.custody.events.reports import ReportEvent
from provender.custody.model.lots import origin_id, origin_name
from provender.database.actor import Actor, today, write_log
from provender.database.models.farm import Book, Change, ProducerKey, ReportVersion
from provender.database.store.custody import SqlStore
from provender.exact import CI_SCALE, parse
from provender.intensity.quantify import quantify
from provender.problem import Place, Problem, ProblemsError
from provender.records.kind import KINDS
from provender.report.document import Edition, build
from provender.report.print import state
from provender.report.signing import RULE_NOT_CURRENT, accept_signature, example_refusals, refusals, text_to_name
from provender.report.supporting import GOES_ON, PARENTS, WHOLE_FARM, BoundRows, Leaves
from provender.report.versions import next_edition
from provender.rule.calculators import known_calculators
from provender.rule.crops import Crop
from provender.services import transparency
from provender.services.custody.entry import register_entity
from provender.services.farm.book import FarmBook, called, head_of
from provender.services.farm.boundaries import bound_files, leaf_secret_of_book
from provender.services.farm.keys import key_named, registered_fingerprint
from provender.services.farm.verdicts import cached_result, day_that_counts
from provender.services.refused import MissingError, refusal
from provender.signing.canonical import canonical_json, document_hash, sha256_hex
from provender.signing.merkle import roots_over
from provender.verdicts.assess import Assessment

# Whether the records that a signed report rests on are still as they were signed, kind by kind and unit by unit.
#
# The report as it would be signed today also rests on what was recorded since of later days, such as seed of the next
# season. What a signed report rests on is held by the day it was made, as whoever verifies it holds it.

_WHAT: Final = "report moved 2"
Roots = Mapping[str, Mapping[str, str]]


def _moved_records(
    farm: FarmBook, last: ReportVersion, signed: Mapping[str, Any], now: Mapping[str, Any]
) -> frozenset[tuple[str, str]]:
    """Return unit (or ``farm``) and kind of the records that are others than those signed.

    Args:
        farm: the version of the book.
        last: the version in force.
        signed: its document.
        now: the report as it would be signed today.
    """
    touched = _differ(signed["rests_on"]["records"], now["rests_on"]["records"])
    otherwise = _judged(signed) != _judged(now)
    if not touched and not otherwise:
        return frozenset()
    what = f"{_WHAT} {last.crop} {last.harvest_year} {last.number}"
    rows, moved = cached_result(farm, what, lambda judged: _looked_closer(judged, farm, last, signed))
    if rows or not (otherwise and moved):
        return frozenset((unit, kind) for unit, kind in rows)
    # A row of no report or of a later day moved a verdict all the same: what a whole farm has is weighed together.
    return frozenset(touched) or frozenset({(WHOLE_FARM, "")})


def _looked_closer(
    judged: Assessment, farm: FarmBook, last: ReportVersion, signed: Mapping[str, Any]
) -> tuple[list[tuple[str, str]], bool]:
    """Return what of the records moved, and whether verdicts did that this program gives then and now."""
    head = Change.objects.filter(book=farm.book, hash=last.book_head).first()
    day = date.fromisoformat(signed["made_on"])
    rows = sorted(_differ(signed["rests_on"]["records"], _roots(judged, farm, last, day)))
    then = FarmBook(farm.book, head.number).judged if head else judged
    return rows, _verdicts(then, last) != _verdicts(judged, last)


def _verdicts(judged: Assessment, last: ReportVersion) -> dict[tuple[str, str, str], tuple[str, str]]:
    return {
        (of.unit_id, of.harvest_id, str(one.practice)): (str(one.implementation), str(one.records))
        for of in judged.intervals if (str(of.crop), of.harvest_year) == (last.crop, last.harvest_year)
        for one in of.practices
    }  # fmt: skip


def _judged(report: Mapping[str, Any]) -> dict[tuple[str, str, str], tuple[str, str]]:
    """Return how a report judges each practice of each crop: whether it was carried out, and is shown."""
    return {
        (unit["unit_id"], of["harvest_id"], one["practice"]): (one["implementation"], one["records"])
        for unit in report["units"] for of in unit.get("intervals", ()) for one in of["practices"]
    }  # fmt: skip


def _roots(judged: Assessment, farm: FarmBook, last: ReportVersion, day: date) -> Roots:
    known = known_calculators(settings.CALCULATORS)
    (farm_id,) = {one for one, crop, year in judged.harvests if (str(crop), year) == (last.crop, last.harvest_year)}
    quantified = quantify(judged, farm_id, Crop(last.crop), last.harvest_year, known=known)
    leaves = BoundRows(judged, quantified, day, bound_files(farm)).leaves(leaf_secret_of_book(farm))
    return {unit: roots_over(kinds) for unit, kinds in leaves.items()}


def _differ(before: Roots, after: Roots) -> set[tuple[str, str]]:
    """Return unit and kind of the roots that differ, without kinds that go on growing after a report."""
    return {
        (unit, kind)
        for unit in {*before, *after}
        for kind in {*before.get(unit, {}), *after.get(unit, {})} - GOES_ON
        if before.get(unit, {}).get(kind) != after.get(unit, {}).get(kind)
    }


# Which rows made a signed report out of date: each that was added, changed or removed since and that it rests on.

MOST: Final = 12
"""Rows that a page names; the history of the book has the others."""

ADDED: Final = "Added to {label}: {key}"
CHANGED: Final = "Changed in {label}: {key}"
_REMOVED: Final = "Removed from {label}: {key}"


@dataclass(frozen=True, slots=True)
class Reopening:
    """A row that says something else than when a report was signed."""

    kind: str  # of record
    key: str  # of the row
    words: str  # which row, and what became of it
    day: date  # on which it was touched last


def reopened_by(
    farm: FarmBook, last: ReportVersion, signed: Mapping[str, Any], now: Mapping[str, Any]
) -> list[Reopening]:
    """Return the rows that made a signed report out of date, crop entries before what was done to them.

    Args:
        farm: the version of the book.
        last: the version in force.
        signed: its document.
        now: the report as it would be signed today.
    """
    moved = _moved_records(farm, last, signed, now)
    units = {unit["unit_id"] for report in (signed, now) for unit in report["units"]}
    found = [
        Reopening(kind, key, became.format(label=KINDS[kind].label, key=called(KINDS[kind], key)), localdate(at))
        for (kind, key), (unit, became, at) in _since(farm, last).items()
        if (unit if unit in units else WHOLE_FARM, kind) in moved
    ]
    order = list(KINDS)
    return sorted(found, key=lambda one: order.index(one.kind))


def in_a_sentence(found: Sequence[Reopening]) -> str:
    """Say that the records have overtaken a report: by which row, and how many more there are."""
    if not found:
        return "The records say something else by now."
    first, more = found[0].words, len(found) - 1
    if more:
        return f"The records say something else by now: {first} (and {more} more)."
    return f"The records say something else by now: {first}."


def _since(farm: FarmBook, last: ReportVersion) -> dict[tuple[str, str], tuple[str, str, datetime]]:
    """Return by kind and key the unit of each row touched since a signature, what became of it, and when last."""
    head = Change.objects.filter(book=farm.book, hash=last.book_head).first()
    later = Change.objects.filter(book=farm.book, number__gt=head.number if head else 0, number__lte=farm.version)
    then = FarmBook(farm.book, head.number if head else 0)
    found: dict[tuple[str, str], tuple[str, str, datetime]] = {}
    for (kind, key), at in _touched(later).items():
        before, after = then.of(KINDS[kind]).get(key), farm.of(KINDS[kind]).get(key)
        if before == after:
            continue
        became = ADDED if before is None else _REMOVED if after is None else CHANGED
        found[kind, key] = _unit(farm if after else then, kind, after or before or {}), became, at
    return found


def _touched(changes: Any) -> dict[tuple[str, str], datetime]:  # noqa: ANN401 - a query
    seen: dict[tuple[str, str], datetime] = {}
    for text, at in changes.order_by("number").values_list("text", "at"):
        for edit in json.loads(text)["edits"]:
            if edit["kind"] in KINDS:
                seen[edit["kind"], edit["key"]] = at
    return seen


def _unit(farm: FarmBook, kind: str, row: Mapping[str, object]) -> str:
    """Return the unit that a row is of: its own, or that of the row or crop entry it names."""
    if row.get("unit_id"):
        return str(row["unit_id"])
    if kind in PARENTS:
        parent, column = PARENTS[kind]
        return _unit(farm, parent, farm.of(KINDS[parent]).get(str(row.get(column) or ""), {}))
    entry = farm.of(KINDS["harvest"]).get(str(row.get("harvest_id") or ""), {})
    return str(entry.get("unit_id") or "")


# Keeping a signed Biofuel Feedstock Report: verified against the producer's key before anything is written.

_CITE = "2100.031(c)"


def versions_of(book: Book, crop: str, harvest_year: int) -> list[ReportVersion]:
    """Return the signed versions of a report, oldest first."""
    return list(ReportVersion.objects.filter(book=book, crop=crop, harvest_year=harvest_year).order_by("number"))


def version_numbered(book: Book, crop: str, harvest_year: int, number: int) -> ReportVersion:
    """Return a signed version of a report.

    Raises:
        MissingError: there is none of this number.
    """
    version = next((each for each in versions_of(book, crop, harvest_year) if each.number == number), None)
    if version is None:
        raise MissingError
    return version


def document_of(version: ReportVersion) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(version.document)
    return found


def envelope_of(version: ReportVersion) -> dict[str, object]:
    """Return the signed report: document and detached signature."""
    return {"document": document_of(version), "signature": version.signature}


@transaction.atomic
def keep_report(
    book: Book, document: Mapping[str, Any], signature: str, *, fingerprint_on_file: str, today: date, actor: Actor
) -> ReportVersion:
    """Verify a signature over a report that was made here, keep the report, and enter its bushels as an origin.

    Args:
        book: the farm's book; the document must rest on its last change.
        document: the report, made anew by the server.
        signature: the producer's detached JWS over it.
        fingerprint_on_file: the key that the producer's record names.
        today: the day an amendment is entered.
        actor: who hands the signature in.

    Raises:
        ProblemsError: the report may not be signed or the signature does not fit; the book has changed; the version
            does not follow the last one; or the custody book refuses the origin. Nothing is written.
    """
    head = head_of(book)
    if head is None or document["rests_on"].get("book_head") != head.hash:
        raise refusal("overtaken", "The record book has changed since.", "Look at the report again.", cite=_CITE)
    example = [] if settings.DEMONSTRATION else example_refusals(document, Place("report"))
    if example:
        raise ProblemsError(example)
    envelope = accept_signature(document, signature, fingerprint_on_file=fingerprint_on_file)
    crop, year = document["crop"], document["harvest_year"]
    earlier = versions_of(book, crop, year)
    number, replaces = document["edition"]["version"], document["edition"]["replaces"]
    last = earlier[-1].document_hash if earlier else ""
    if number != len(earlier) + 1 or replaces != last:
        raise refusal("not_next", "Another version was signed meanwhile.", "Look at the report again.", cite=_CITE)
    text = canonical_json(document)
    made = ReportVersion.objects.create(
        book=book,
        crop=crop,
        harvest_year=year,
        number=number,
        book_head=head.hash,
        document=text.decode(),
        document_hash=sha256_hex(text),
        signature=signature,
        at=timezone.now(),
        actor=actor.person,
    )
    new = {"document": made.document_hash, "book": head.hash, "bushels": document["total_bushels"],
           "ci_g_per_bu": document["farm_ci_g_per_bu"]}  # fmt: skip
    write_log(actor, "keep signed report", organisation=book.organisation, about=str(made), new=new)
    _enter(book, document, envelope, today=today, actor=actor)
    transparency.append(book.organisation, "signed report", str(made), envelope)
    return made


def _enter(
    book: Book, document: Mapping[str, Any], envelope: Mapping[str, object], *, today: date, actor: Actor
) -> None:
    """Enter the report into the custody book: its bushels become serials, or its amendment reaches their holders."""
    farm = book.organisation
    made_on = date.fromisoformat(document["made_on"])
    register_entity(farm, day=made_on, actor=actor)
    edition, crop, year = document["edition"], document["crop"], document["harvest_year"]
    event = ReportEvent(
        id=f"report-{farm.handle}-{crop}-{year}-v{edition['version']}",
        day=made_on if edition["version"] == 1 else max(today, made_on),
        entity=farm.handle,
        crop=crop,
        harvest_year=year,
        bushels=parse(document["total_bushels"]),
        ci=parse(document["farm_ci_g_per_bu"], CI_SCALE),
        version=edition["version"],
        salt=edition["salt"],
        report=document_hash(envelope["document"]),
    )
    outcome = post(SqlStore(actor), event)
    if not outcome.status.well:
        raise refusal(str(outcome.status), outcome.message, "Ask who entered the earlier report.", cite=_CITE)


FLAGS_HELP: Final = "Three flags, each apart: calculator final, records complete, rule current."


class ReportState(StrEnum):
    """Where a report stands, in the words of page and API."""

    SIGNED = "Signed"
    SIGNED_UNDER = "Signed under a text not shown to be in force"
    READY = "Ready to sign"
    AMENDED = "Amendment ready to sign"
    READY_UNDER = "Ready to sign under a text not shown to be in force"
    BLOCKED = "Not ready"

    @classmethod
    def of(cls, *, versions: int, refused: int, is_news: bool, under: bool, signed_under: bool) -> "ReportState":
        """Return the state of a report.

        Args:
            versions: how many are signed.
            refused: how many things block the next one.
            is_news: whether the next one says something new.
            under: the text of the next one is not shown to be the rule in force on the day of harvest
                (interpretation 67).
            signed_under: that of the last signed one was not.
        """
        if versions and not is_news:
            return cls.SIGNED_UNDER if signed_under else cls.SIGNED
        if refused:
            return cls.BLOCKED
        if under:
            return cls.READY_UNDER
        return cls.AMENDED if versions else cls.READY


@dataclass(frozen=True)
class ReportDraft:
    """The next version of one report."""

    farm: FarmBook  # the version of the book it is made from
    crop: str  # whose report
    harvest_year: int  # whose report
    document: dict[str, Any]  # the report as plain data
    versions: list[ReportVersion]  # the signed versions before it, oldest first

    @cached_property
    def refused(self) -> list[Problem]:
        """Return why it may not be signed here; empty when it may."""
        example = [] if settings.DEMONSTRATION else example_refusals(self.document, Place("report"))
        return [*refusals(self.document), *example]

    @property
    def text_to_name(self) -> str:
        """Return the text that whoever signs must name; empty where it is shown to be the rule in force."""
        return text_to_name(self.document)

    @property
    def in_the_way(self) -> list[Problem]:
        """Return what keeps it from being signed by somebody who names the text."""
        return [one for one in self.refused if one.code != RULE_NOT_CURRENT]

    @property
    def state(self) -> str:
        """Return what it is: unsigned, draft, preliminary or estimate."""
        return state(self.document, signed=False, refused=self.refused)

    @property
    def standing(self) -> ReportState:
        return ReportState.of(
            versions=len(self.versions), refused=len(self.in_the_way), is_news=self.is_news,
            under=bool(self.text_to_name), signed_under=self.signed_under,
        )  # fmt: skip

    @property
    def last(self) -> ReportVersion | None:
        return self.versions[-1] if self.versions else None

    @property
    def signed_under(self) -> bool:
        """Whether the text of the version in force was not shown to be the rule in force."""
        return self.last is not None and bool(document_of(self.last)["rule"]["state"])

    @cached_property
    def is_news(self) -> bool:
        """Whether it says something else than the version in force, or rests on other records or another text."""
        if self.last is None:
            return True
        signed = document_of(self.last)
        if signed["rule"]["id"] != self.document["rule"]["id"]:
            return True
        changes = self.document["edition"]["changes"]
        return bool(changes) or bool(_moved_records(self.farm, self.last, signed, self.document))

    @cached_property
    def reopened_by(self) -> list[Reopening]:
        """Return the rows that made the version in force out of date; nothing where none did."""
        if self.last is None or not self.is_news:
            return []
        return reopened_by(self.farm, self.last, document_of(self.last), self.document)

    @property
    def salt_name(self) -> str:
        """Return the name of the origin that the first signature blinds; empty once there is a salt."""
        if self.document["edition"]["salt"]:
            return ""
        return origin_name(self.farm.farm_id, self.crop, self.harvest_year)

    @cached_property
    def key(self) -> ProducerKey | None:
        """Return the key that the record of the report's producer names, when it is registered here."""
        return key_named(self.farm.book.organisation, self.fingerprint_on_file)

    @property
    def fingerprint_on_file(self) -> str:
        """Return the fingerprint in the producer's record, or nothing."""
        return registered_fingerprint(self.farm, self.document["producer"]["producer_id"])


def draft_of(farm: FarmBook, crop: str, harvest_year: int, *, salt: str = "", under: str = "") -> ReportDraft:
    """Return the report as it would be signed today.

    Args:
        farm: the version of the book.
        crop: such as ``corn``.
        harvest_year: year of harvest.
        salt: what blinds a first version's origin; empty to look at it.
        under: the text that the signer names, where it is not shown to be the rule in force.

    Raises:
        MissingError: the book holds no such harvest.
    """
    draft = _draft(farm, crop, harvest_year, rooted=True)
    bare = draft.document
    if bare["rule"]["state"]:
        bare["rule"]["signed_under"] = under
    if salt and not bare["edition"]["salt"]:
        bare["edition"] |= {"salt": salt, "origin_id": origin_id(farm.farm_id, crop, harvest_year, salt)}
    return draft


def draft_at_hand(farm: FarmBook, crop: str, harvest_year: int) -> ReportDraft:
    """Return the report as it would be signed today, to look at: a first version without working and records.

    They take most of its time, and only a version that would replace another is held against them.

    Raises:
        MissingError: the book holds no such harvest.
    """
    return _draft(farm, crop, harvest_year, rooted=False)


def _draft(farm: FarmBook, crop: str, harvest_year: int, *, rooted: bool) -> ReportDraft:
    versions = versions_of(farm.book, crop, harvest_year)
    rooted = rooted or bool(versions)
    what = f"report {'4' if rooted else 'look 6'} {crop} {harvest_year} {day_that_counts(farm)} {len(versions)}"
    found = cached_result(farm, what, lambda judged: _build(judged, farm, crop, harvest_year, versions, rooted=rooted))
    if found is None:
        raise MissingError
    found["made_on"] = today().isoformat()  # what is kept of a settled book was made on an earlier day
    return ReportDraft(farm, crop, harvest_year, found, versions)


def _build(
    judged: Assessment, farm: FarmBook, crop: str, harvest_year: int, versions: list[ReportVersion], *, rooted: bool
) -> dict[str, Any] | None:
    key = next(
        (one for one in judged.harvests if (str(one[1]), one[2]) == (crop, harvest_year)),
        None,
    )
    if key is None:
        return None
    day = today()
    quantified = quantify(judged, *key, known=known_calculators(settings.CALCULATORS))
    head = Change.objects.filter(book=farm.book, number=farm.version).defer("text").first()
    edition = Edition(origin_id=origin_id(farm.farm_id, crop, harvest_year, ""), whole=rooted)
    if versions:
        earlier = document_of(versions[-1])
        edition = next_edition(earlier, build(judged, quantified, as_of=day, edition=Edition(whole=False)))
    leaves: Leaves = {}
    if rooted:
        leaves = BoundRows(judged, quantified, day, bound_files(farm)).leaves(leaf_secret_of_book(farm))
    return build(judged, quantified, as_of=day, edition=edition, book_head=head.hash if head else "", leaves=leaves)


def harvests_of(farm: FarmBook) -> list[tuple[str, int]]:
    """Return every crop and harvest year that the book can report on."""
    found = cached_result(farm, "harvests 1", lambda judged: [(str(crop), year) for _, crop, year in judged.harvests])
    return [(str(crop), int(year)) for crop, year in found]


def crop_label(crop: str) -> str:
    """Return the rule's name of a crop.

    Raises:
        MissingError: it is no crop of the rule.
    """
    try:
        return Crop(crop).label
    except ValueError:
        raise MissingError from None
