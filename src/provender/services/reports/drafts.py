"""A report as it would be signed today, made as ``provender report`` makes it, and the key that signs it."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from django.conf import settings

from provender.custody.model.origins import origin_id, origin_name
from provender.database.actor import today
from provender.database.models import Change, ProducerKey, ReportVersion
from provender.intensity.quantify import quantify
from provender.practices.assess import Assessment
from provender.problem import Place, Problem
from provender.report.document import Edition, build
from provender.report.print_view import state
from provender.report.record_rows import BoundRows, Leaves
from provender.report.signing import RULE_NOT_CURRENT, example_refusals, refusals, text_to_name
from provender.report.versions import next_edition
from provender.rule.calculators import known_calculators
from provender.rule.crops import Crop
from provender.services.farm.book import FarmBook
from provender.services.farm.bound_files import bound_files, leaf_secret_of_book
from provender.services.farm.keys import key_named, registered_fingerprint
from provender.services.farm.verdicts import cached_result, day_that_counts
from provender.services.refused import MissingError
from provender.services.reports.held import moved_records
from provender.services.reports.reopened import Reopening, in_a_sentence, reopened_by
from provender.services.reports.signed import document_of, versions_of


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
    """The next version of one report.

    Attributes:
        farm: the version of the book it is made from.
        crop, harvest_year: whose report.
        document: the report as plain data.
        versions: the signed versions before it, oldest first.
    """

    farm: FarmBook
    crop: str
    harvest_year: int
    document: dict[str, Any]
    versions: list[ReportVersion]

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
        """Return where the report stands."""
        return ReportState.of(
            versions=len(self.versions), refused=len(self.in_the_way), is_news=self.is_news,
            under=bool(self.text_to_name), signed_under=self.signed_under,
        )  # fmt: skip

    @property
    def last(self) -> ReportVersion | None:
        """Return the version in force."""
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
        return bool(changes) or bool(moved_records(self.farm, self.last, signed, self.document))

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


def agrees_with(supposed: FarmBook, draft: ReportDraft) -> bool | None:
    """Return whether a supposed book would say what was signed, None without its harvest: made, and kept nowhere.

    Args:
        supposed: a book with other rows than it has.
        draft: the next version by the rows that it has; one is signed before it.
    """
    of = (draft.crop, draft.harvest_year, draft.versions)
    document = _build(supposed.judged, supposed, *of, rooted=True)
    if document is None:
        return None
    return not ReportDraft(supposed, of[0], of[1], document, draft.versions).is_news


def _draft(farm: FarmBook, crop: str, harvest_year: int, *, rooted: bool) -> ReportDraft:
    versions = versions_of(farm.book, crop, harvest_year)
    rooted = rooted or bool(versions)
    what = f"report {'4' if rooted else 'look 5'} {crop} {harvest_year} {day_that_counts(farm)} {len(versions)}"
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
        edition = next_edition(earlier, build(judged, quantified, as_of=day))
    leaves: Leaves = {}
    if rooted:
        leaves = BoundRows(judged, quantified, day, bound_files(farm)).leaves(leaf_secret_of_book(farm))
    return build(judged, quantified, as_of=day, edition=edition, book_head=head.hash if head else "", leaves=leaves)


@dataclass(frozen=True, slots=True)
class DraftState:
    """Where one report stands, without the report itself.

    Attributes:
        crop, harvest_year: whose report.
        total_bushels, farm_ci_g_per_bu: as the next version would say, decimal text or None.
        producer_id: who signs.
        refused: how many things block a signature by somebody who names the text.
        is_news: whether the next version says something else than the one in force.
        versions: how many are signed.
        official: the three things that *official* says, each apart.
        rule_state: that the text is not shown to be the rule in force; empty where it is.
        signed_under: that of the version in force was not, when it was signed.
        reopened_by: which rows made the version in force out of date, as a sentence; empty where none did.
    """

    crop: str
    harvest_year: int
    total_bushels: str | None
    farm_ci_g_per_bu: str | None
    producer_id: str
    refused: int
    is_news: bool
    versions: int
    official: dict[str, bool]
    rule_state: str
    signed_under: bool
    reopened_by: str = ""

    @property
    def state(self) -> ReportState:
        """Return where it stands, in words."""
        return ReportState.of(
            versions=self.versions, refused=self.refused, is_news=self.is_news, under=bool(self.rule_state),
            signed_under=self.signed_under,
        )  # fmt: skip


def standings_of(farm: FarmBook) -> list[DraftState]:
    """Return where every report of the book stands."""
    count = ReportVersion.objects.filter(book=farm.book).count()
    what = f"reports 5 {day_that_counts(farm)} {count}"
    return [DraftState(**one) for one in cached_result(farm, what, lambda _: [asdict(one) for one in _standings(farm)])]


def _standings(farm: FarmBook) -> Iterator[DraftState]:
    for crop, year in harvests_of(farm):
        draft = draft_at_hand(farm, crop, year)
        said = draft.document
        yield DraftState(
            crop, year, said["total_bushels"], said["farm_ci_g_per_bu"], said["producer"]["producer_id"],
            len(draft.in_the_way), draft.is_news, len(draft.versions), said["official"], said["rule"]["state"],
            draft.signed_under, in_a_sentence(draft.reopened_by) if draft.versions and draft.is_news else "",
        )  # fmt: skip


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
