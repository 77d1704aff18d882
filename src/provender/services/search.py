"""Finding things of one organisation by a few letters: fields, rows, lots, papers. Only its own people see them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from django.db.models import Q

from provender.custody.documents.build import PERIOD, RESTATEMENT, TRANSFER
from provender.custody.documents.consents import NOTICE
from provender.custody.documents.refiner_figures import FIGURES
from provender.custody.events.trade import CONSENT
from provender.custody.model.grain import DESTINATION, Direction
from provender.custody.model.lots import unit_of
from provender.database.models.accounts import Organisation
from provender.database.models.custody import CustodyContract, CustodyGrainEntry, CustodyLot
from provender.database.models.farm import ReportVersion, SignedDocument, SignedSlip
from provender.database.store.custody_lists import names_of
from provender.exact import CI_SCALE, SCALE, half_even
from provender.records.kind import KINDS
from provender.services.custody.context import lots_meant
from provender.services.farm.book import FarmBook, called, is_farm, opened_book_of
from provender.services.reports.drafts import crop_label

_LEAST: Final = 2
MOST: Final = 8
"""Of each group; whoever wants more writes more letters."""
_SHOWN_FIRST: Final = 25
"""Entries on the first page of a list of tickets; what is older is led to by its place."""
_NOT_ROWS: Final = frozenset({"unit", "word"})


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that was found."""

    group: str  # what it is: Fields, Records, Partners, Tickets, Lots, Papers
    words: str  # what it is called
    note: str  # what helps to tell it from others
    page: str  # the name of its page
    about: tuple[object, ...] = ()  # what the page's address names beside the organisation
    query: tuple[tuple[str, str], ...] = ()  # what the address asks for besides


def search(organisation: Organisation, text: str) -> list[Found]:
    """Return what has every word of a text, at most so many of each group; nothing for fewer than two letters.

    Args:
        organisation: whose things; nothing of anybody else is looked at.
        text: in any case.
    """
    wanted = "".join(sign if sign.isprintable() else " " for sign in text).casefold().split()
    if len("".join(wanted)) < _LEAST:
        return []
    groups = [each(organisation, wanted) for each in (_partners, _tickets, _lots, _papers)]
    farm = opened_book_of(organisation) if is_farm(organisation) else None
    if farm is not None:
        groups = [_fields(farm, wanted), _find_rows(farm, wanted), *groups]
    return [one for group in groups for one in islice(group, MOST)]


def has(said: str, wanted: list[str]) -> bool:
    text = said.casefold()
    return all(word in text for word in wanted)


def _fields(farm: FarmBook, wanted: list[str]) -> Iterator[Found]:
    kind = KINDS["unit"]
    for key, row in farm.of(kind).items():
        name, acres = str(row.get("name") or ""), str(row.get("acres") or "")
        if has(f"{key} {name}", wanted):
            note = " · ".join(part for part in (name if name != key else "", f"{acres} acres" if acres else "") if part)
            yield Found("Fields", key, note, "farm_row", (kind.name,), (("row", key),))


def _find_rows(farm: FarmBook, wanted: list[str]) -> Iterator[Found]:
    for kind in (one for one in KINDS.values() if one.name not in _NOT_ROWS):
        for key, row in farm.of(kind).items():
            said = " ".join(str(value).replace("_", " ") for value in row.values() if value)
            if has(f"{kind.label} {called(kind, key)} {said}", wanted):
                day = str(row.get("day") or row.get("last_day") or "")
                note = " · ".join(part for part in (kind.label, str(row.get("unit_id") or ""), day) if part)
                yield Found("Records", called(kind, key), note, "farm_row", (kind.name,), (("row", key),))


def _partners(organisation: Organisation, wanted: list[str]) -> Iterator[Found]:
    """Yield those the organisation has a contract with, by name or code; each leads to the movements with it."""
    rows = CustodyContract.objects.filter(entity=organisation.handle).values_list("counterparty", flat=True)
    for code, name in sorted(names_of(rows).items(), key=lambda pair: pair[1]):
        if has(f"{name} {code}", wanted):
            yield Found("Partners", name, code if code != name else "", "custody_movements", (), (("partner", code),))


def _lots(organisation: Organisation, wanted: list[str]) -> Iterator[Found]:
    own = CustodyLot.objects.filter(owner=organisation.handle, ended_by=None)
    named = own
    for word in wanted:
        named = named.filter(name__icontains=word)
    found = list(named.order_by("id")[:MOST])
    meant = [lot.id for lot in lots_meant(organisation.handle, " ".join(wanted))] if not found else []
    for lot in found or own.filter(name__in=meant[:MOST]).order_by("id"):
        bushels = half_even(lot.span_stop - lot.span_start, 10**SCALE)
        note = f"{lot.crop} {lot.harvest_year} · {bushels:,} bu · CI {half_even(lot.ci, 10**CI_SCALE):,}"
        yield Found("Lots", lot.name, note, "custody_trace", (), (("lot", lot.name),))


def _tickets(organisation: Organisation, wanted: list[str]) -> Iterator[Found]:
    """Yield tickets of the grain book by number or by the name on them, the last entered first.

    Each leads to the list of its site and form, as far down as it stands; one of a buyer's scale to its movement.
    """
    words = [word for word in wanted if word != "ticket"]
    own = CustodyGrainEntry.objects.filter(entity=organisation.handle).exclude(direction=Direction.MEASURED)
    named = own.filter(*(Q(number__icontains=word) | Q(name__icontains=word) for word in words))
    for one in named.order_by("-id")[:MOST] if words else ():
        number = one.number.rpartition(":")[2] if one.site == DESTINATION else one.number
        bushels = half_even(one.amount, 10**SCALE)
        void = " · void" if one.void else ""
        note = f"{one.site} · {one.form} {one.direction} · {one.day} · {bushels:,} {unit_of(one.form)}{void}"
        if one.site == DESTINATION:
            yield Found("Tickets", f"Ticket {number}", note, "custody_movement", (), (("id", one.claim),))
            continue
        below = CustodyGrainEntry.objects.filter(group=one.group, id__gt=one.id).count() >= _SHOWN_FIRST
        place = (("before", str(one.id + 1)),) if below else ()
        query = (("site", one.site), ("form", one.form), *place)
        yield Found("Tickets", f"Ticket {number}", note, "custody_grain", (), query)


def _papers(organisation: Organisation, wanted: list[str]) -> Iterator[Found]:
    versions = ReportVersion.objects.filter(book__organisation=organisation).order_by(
        "-harvest_year", "crop", "-number"
    )
    for crop, year, version in versions.values_list("crop", "harvest_year", "number"):
        name = f"Report on {crop_label(crop).lower()} {year}, version {version}"
        if has(name, wanted):
            yield Found("Papers", name, "signed", "farm_report", (crop, year))
    slips = SignedSlip.objects.filter(organisation=organisation).order_by("-id")
    for number in slips.values_list("number", flat=True):
        if has(f"slip {number}", wanted):
            yield Found("Papers", f"Sale slip {number}", "signed", "farm_sales")
    signed = SignedDocument.objects.filter(organisation=organisation, kind__in=PAPERS).order_by("-id")
    for kind, number in signed.values_list("kind", "number"):
        what = paper_called(kind, number)
        if has(f"{what} {number}", wanted):
            yield _paper(kind, what, number)


PAPERS: Final = (TRANSFER, PERIOD, RESTATEMENT, FIGURES, CONSENT, NOTICE)


def paper_called(kind: str, number: str) -> str:
    """Return what people call a signed paper: that of a period by its first day, which follows the stroke."""
    if kind == TRANSFER:
        return f"Transfer document of {number}"
    if kind == NOTICE:
        buyer = number.partition("/")[2]
        return f"Notice of a changed report to {buyer}"
    if kind == CONSENT:
        return f"Paper on what went back, {number}"
    first = number.partition("/")[2].partition("/")[0]
    if kind == FIGURES:
        return f"Figures of the days from {first}"
    return f"Restatement of the period from {first}" if kind == RESTATEMENT else f"Statement of the period from {first}"


def _paper(kind: str, words: str, number: str) -> Found:
    """Return a signed paper under the address of its page."""
    if kind == TRANSFER:
        return Found("Papers", words, "signed", "custody_document", (), (("sale", number),))
    if kind == NOTICE:
        return Found("Papers", words, "signed", "custody_notice", (), (("number", number),))
    if kind == CONSENT:
        return Found("Papers", words, "signed", "custody_consent", (), (("act", number),))
    if kind == FIGURES:
        return Found("Papers", words, "signed", "custody_figures", (), (("year", number.split("/")[1][:4]),))
    again = (("restated", "yes"),) if kind == RESTATEMENT else ()
    return Found("Papers", words, "signed", "custody_statement", (), (("start", number.split("/")[1]), *again))
