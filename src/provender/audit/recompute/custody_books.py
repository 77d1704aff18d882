"""An entity's book replayed: seals, every decision, tiling of lots, and what farms and books say of each other.

A book that was changed and sealed again still replays, or is refused where the change breaks a rule of custody: a moved
border overlaps, a period leaves a gap, a yield gives other pounds. What still replays is held against what others hold:
the farms' reports, slips and tickets, the books of the other entities in the package.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from provender.audit.outcome import Answer, Difference, all_about, check, effect_g_co2e
from provender.audit.package.contents import PackageContents, ReportFile
from provender.audit.package.custody_section import EntityBook, Fault, books, papers, signatures_of
from provender.audit.recompute.statements import statements_of
from provender.audit.sampling.population import FarmCropKey, SupplyingFarm, incoming_by_year, incoming_farms, listed
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.custody.documents.build import SLIP, TRANSFER
from provender.custody.documents.consents import NOTICE, read_notice
from provender.custody.documents.read import read_slip, read_transfer
from provender.custody.events.closing import RetireEvent
from provender.custody.events.farm_trade import PurchaseEvent
from provender.custody.events.reports import ReportEvent
from provender.custody.model.balances import period_balances
from provender.custody.model.entities import Entity
from provender.custody.model.lots import FORMS, LotState, Origin, OriginKind, origin_id, show_amount, unit_of
from provender.custody.queries.alerts import PER_GALLON, AlertKind, alerts
from provender.custody.queries.columns import differing_lines, faults, legs_of
from provender.custody.reconcile.books import reconcile, unlike_papers
from provender.custody.reconcile.discrepancies import DiscrepancyKind
from provender.custody.reconcile.gathered import ReconcileInput
from provender.exact import CI_SCALE, SCALE, parse, show, ticket_key
from provender.report.typ import TYP
from provender.rule.crops import Crop
from provender.signing.canonical import read_json
from provender.signing.jws import check as check_signature

POPULATION: Final = "2100.040(a)(3)(i)"
_FOR_EYES: Final = frozenset(
    {
        DiscrepancyKind.BROKEN_CHAIN,
        DiscrepancyKind.LINK_NOT_SHOWN,
        DiscrepancyKind.SHORTFALL_DIFFERS,
        DiscrepancyKind.CHANGED_LATER,
        DiscrepancyKind.CIRCULAR_TRADE,
    }
)
"""What a missing book can explain, what nobody could know in time, and what is odd but allowed."""
_NO_BOOK: Final = "The package holds no custody book."

_CITES: Final[Mapping[str, str]] = {
    "period": "2100.034(b)",
    "close": "2100.034(b)",
    "yield": "2100.033(a)(1)",
    "convert": "2100.033(a)(1)",
    "crush": "2100.033(a)(1)",
    "process": "2100.033(a)(2)",
    "true_up": "2100.033(a)(2)",
    "contract": "2100.032(a)(2)",
    "report": "2100.032(b)(1)",
    "statement": "2100.032(b)(2)",
}


@check("book", "2100.032(a)", "2100.034(b)", nothing=_NO_BOOK)
def book(case: PackageContents) -> Iterator[Answer]:
    """Replay every book: each seal, each decision, periods continuous and closed in their order."""
    for found in books(case).values():
        yield found.lines
        yield from (_fault(found, fault) for fault in found.faults)
        yield from found.alone


def _fault(found: EntityBook, fault: Fault) -> Difference:
    kind = str(fault.event.get("type", ""))
    place = f"book of {found.entity}, line {fault.line}"
    if kind:
        place += f", {kind.replace('_', ' ')} {fault.event.get('id', '')}"
    claimed = "an event as sealed" if fault.what == "seal" else "a posted event"
    return Difference(
        f"book_{fault.what}", _CITES.get(kind, "2100.032(a)"), place, claimed, fault.message, _amount(fault.event)
    ).of((found.entity,))


def _amount(event: Mapping[str, Any]) -> int | None:
    try:
        return parse(str(event["bushels"]), SCALE)
    except (KeyError, ValueError):
        return None


@check("lots", "2100.032(a)", nothing=_NO_BOOK)
def lots(case: PackageContents) -> Iterator[Answer]:
    """Look whether the lots of every report tile its serials, and whether two books hold the same ones."""
    some = False
    for found in books(case).values():
        for name in dict.fromkeys(lot.origin for event in found.requests for lot in found.store.lots_by(event.id)):
            if origin := found.store.one(Origin, name):
                some = True
                yield 1
                yield from all_about(_tiling(found, origin), (found.entity,))
        yield from all_about(in_columns(found), (found.entity,))
    if some:
        yield from _side_by_side(case)


def _tiling(found: EntityBook, origin: Origin) -> Iterator[Difference]:
    if origin.source is not OriginKind.REPORT:
        return
    at = 0
    held = found.store.lots_at(origin.id, 0, max(origin.issued, 1))
    for lot in [*held, None]:
        start = lot.start if lot else origin.issued
        if start != at:
            place = f"book of {found.entity}, origin {origin.id[:12]}"
            words = ("every serial in one lot", f"from {show(at)} to {show(start)} in none or in two")
            yield Difference("lots_do_not_tile", "2100.032(a)", place, *words, abs(start - at))
        at = lot.stop if lot else at


def in_columns(found: EntityBook) -> Iterator[Difference]:
    """Check the whole book once more, in columns, by code that the decisions do not share: chain, time, balances."""
    legs = legs_of(found.store, found.store.events())
    for fault in faults(legs):
        place = f"book of {found.entity}, movement {fault.movement}"
        words = ("what the giver had, once", str(fault))
        yield Difference(f"lots_{fault.kind}", "2100.032(a)", place, *words, fault.stop - fault.start)
    for line in differing_lines(legs, found.entity, period_balances(found.store, found.entity)):
        place = f"book of {found.entity}, {line.period}, {line.key.crop} {line.key.harvest_year}"
        words = (f"{show(line.claimed)} bu at the end", f"{show(line.summed)} bu by the lots")
        yield Difference("balances_differ", "2100.034(d)", place, *words, abs(line.claimed - line.summed))


def _side_by_side(case: PackageContents) -> Iterator[Answer]:
    """Yield what books and documents show beside each other: double sales, tickets behind two origins, missing legs."""
    gathered = _gathered(case)
    yield from _not_shown(case, gathered)
    parties = books(case).keys() | {paper.issuer for paper in papers(case)}
    for one in reconcile(gathered):
        plain = one.as_json()
        if one.kind is DiscrepancyKind.PRODUCT_EXCEEDED:
            continue  # held against its product by ``plausibility``, which names the campaign
        if one.kind in _FOR_EYES:
            yield one.said
        else:
            where, _, what = one.said.partition(": ")
            about = [(party,) for party in parties if party in one.said]
            yield Difference(str(one.kind), str(plain["cite"]), where, what or one.said, "", one.bushels).of(*about)


def _gathered(case: PackageContents) -> ReconcileInput:
    gathered = ReconcileInput()
    for found in books(case).values():
        gathered.add_book(f"book of {found.entity}", found.store, found.store.events(), found.entity)
    for paper in papers(case):
        kid, document = signatures_of(case)[paper.path].kid, dict(paper.document)
        if paper.kind == TRANSFER and (transfer := read_transfer(document, paper.path)[0]):
            gathered.add_transfer(paper.path, transfer, kid)
        elif paper.kind == SLIP and (slip := read_slip(document, paper.path)[0]):
            gathered.add_slip(paper.path, slip, kid)
        elif paper.kind == NOTICE and (notice := read_notice(document, paper.path)[0]):
            gathered.show_notice(notice, kid, paper.path)
    for report in case.all_reports:
        about = f"report/{'/'.join(map(str, report.key))}/{report.version}"
        gathered.show(about, check_signature(report.envelope, {}, typ=TYP).kid, report.path)
    for path, received in statements_of(case).items():
        if one := received.statement:
            gathered.show(f"statement/{one.audited}/{one.number}", received.kid, path)
    return gathered


def _not_shown(case: PackageContents, gathered: ReconcileInput) -> Iterator[Difference]:
    """Yield the entries that say that they are signed and whose paper the package does not hold."""
    entities = [*books(case)]
    for source, one, why in unlike_papers(gathered):
        if one.signed_by and not why:
            words = (f"signed with key {one.signed_by}", "its paper is not here: it counts as typed in")
            place = f"book of {entities[source]}, {one.what}"
            yield Difference("signed_paper_missing", "2100.032(b)", place, *words, one.bushels).of((entities[source],))


@check("farms and entity", "2100.040(a)(2)(ii)", "2100.031(b)", nothing=_NO_BOOK)
def farms(case: PackageContents) -> Iterator[Answer]:
    """Hold what an entity wrote down of its farms against their reports, slips and tickets."""
    own = (one for farm in case.farms for one in farm.reports)
    reports = {(*one.key, one.version): one for one in (*case.held_reports, *own)}
    for found in books(case).values():
        for event in found.requests:
            if isinstance(event, ReportEvent):
                yield 1
                key = (event.entity, event.crop, event.harvest_year, event.version)
                yield from _report(found, event, reports.get(key), kept=_kept(case, found, key))
            if isinstance(event, PurchaseEvent):
                yield 1
                yield from _tickets(case, found, event)


def _kept(case: PackageContents, found: EntityBook, key: tuple[str, str, int, int]) -> bool:
    """Tell whether a party holds a farm's report itself: another's copy, or the verifier's, is none of its own."""
    if key[0] == found.entity:
        return True
    return any((*one.key, one.version) == key for one in case.held_reports if one.path.startswith(f"{found.prefix}/"))


def _report(found: EntityBook, event: ReportEvent, known: ReportFile | None, *, kept: bool) -> Iterator[Difference]:
    """Yield where the CI or the bushels written down are not those of the farm's report (2100.040(a)(2)(ii))."""
    place = (
        f"book of {found.entity}, report of {event.entity}, {event.crop} {event.harvest_year}, version {event.version}"
    )
    if known is None or not kept:
        where = "it is not here" if known is None else f"the party has it not; it is in {known.path}"
        yield Difference("report_not_kept", "2100.032(b)(1)", place, "a farm report", where, event.bushels)
    if known is None:
        return
    ci = parse(known.document["farm_ci_g_per_bu"] or "0", CI_SCALE)
    bushels = known.bushels or 0
    if event.ci != ci:
        words = (f"{show(event.ci, CI_SCALE)} g CO2e/bu", f"{show(ci, CI_SCALE)} g CO2e/bu in {known.path}")
        grams = effect_g_co2e(event.bushels, event.ci, ci)
        yield Difference("wrong_ci_of_farm", "2100.040(a)(2)(ii)", place, *words, event.bushels, grams)
    if event.bushels != bushels:
        words = (f"{show(event.bushels)} bu", f"{show(bushels)} bu in {known.path}")
        yield Difference("wrong_bushels_of_farm", "2100.032(a)(1)(i)", place, *words, abs(event.bushels - bushels))
    marks = {known.digest, known.mark}
    if event.report and event.report not in marks:
        words = (f"hash {event.report[:12]}", f"hash {min(marks)[:12]} in {known.path}")
        yield Difference("other_report_than_received", "2100.032(b)(1)", place, *words, event.bushels)


def _tickets(case: PackageContents, found: EntityBook, event: PurchaseEvent) -> Iterator[Difference]:
    """Yield where tickets behind a purchase are not the farm's tickets, or the sale is not in the farm's records."""
    farm = next((one for one in case.farms if one.farm_id == event.giver), None)
    if farm is None:
        return
    mine = {ticket_key(row["ticket_id"]): row for row in farm.rows("scale_ticket")}
    place = f"book of {found.entity}, purchase {event.id} from {event.giver}"
    for ticket in event.tickets if mine else ():
        row = mine.get(ticket_key(ticket.number))
        if row is None:
            words = (f"ticket {ticket.number}", "the farm has no such ticket")
            yield Difference("ticket_unknown_to_farm", "2100.031(b)", place, *words, ticket.bushels)
            continue
        if row["net_bushels"] is not None and row["net_bushels"] != ticket.bushels:
            words = (f"ticket {ticket.number}: {show(ticket.bushels)} bu", f"{show(row['net_bushels'])} bu at the farm")
            off = abs(ticket.bushels - row["net_bushels"])
            yield Difference("ticket_differs", "2100.032(a)(1)(i)", place, *words, off)
        day = ticket.day or event.day
        if row["day"] is not None and row["day"] != day:
            words = (f"ticket {ticket.number} of {day}", f"{row['day']} at the farm")
            yield Difference("ticket_day_differs", "2100.032(a)(1)(iv)", place, *words, ticket.bushels)


@check("population", POPULATION)
def population(case: PackageContents) -> Iterator[Answer]:
    """Hold the list of farms behind the sample against the incoming lots (interpretation 52)."""
    if SAMPLE not in case or not books(case):
        yield "The package holds no sample, or no book."
        return
    document = read_json(case[SAMPLE], file=SAMPLE)
    rows = document.get("population") if isinstance(document, dict) else None
    if not isinstance(document, dict) or not isinstance(rows, list):
        yield "The sample names no population."
        return
    said_of = {
        (str(row["farm_id"]), str(row["crop"])): (parse(str(row["bushels"])), parse(str(row["ci_g_per_bu"]), CI_SCALE))
        for row in rows
    }
    found = _incoming(case)
    bought = {key: (one.bushels, one.ci) for key, one in found.items()}
    yield len(bought)
    here = {farm.farm_id for farm in case.farms}
    for farm_id in document.get("sample", ()):
        if farm_id not in here | case.spared:
            words = ("a drawn farm", "no package")
            yield Difference("sampled_farm_missing", "2100.040(b)(1)", f"{SAMPLE}, {farm_id}", *words)
    yield from (*_year(case, document), *_places(case, rows, found))
    for farm, crop in sorted({*said_of, *bought}):
        said, booked = said_of.get((farm, crop)), bought.get((farm, crop))
        if said != booked:
            place = f"{SAMPLE}, {farm}, {crop}"
            effect = abs((said[0] if said else 0) - (booked[0] if booked else 0)) or (booked or said or (0, 0))[0]
            yield Difference("population_differs", POPULATION, place, _words(said), _words(booked), effect)


def _year(case: PackageContents, document: Mapping[str, Any]) -> Iterator[Difference]:
    """Yield where the year of a sample is none of the days under audit, and none whose harvest came in on them."""
    head, year = case.header, document.get("year")
    found = books(case).get(head.audited) if head else None
    if head is None or found is None or year is None:
        return
    came = {key[2] for key in incoming_by_year(found.store, found.entity, head.first, head.last)}
    if year not in {*came, *range(head.first.year, head.last.year + 1)}:
        words = (f"harvest year {year}", f"harvests of {', '.join(map(str, sorted(came)))} came in")
        yield Difference("sample_of_other_year", POPULATION, f"{SAMPLE}, year", *words)


def _incoming(case: PackageContents) -> Mapping[FarmCropKey, SupplyingFarm]:
    """Return what came in from farms to the audited entity in the days of the package."""
    head = case.header
    found = books(case).get(head.audited) if head else None
    return incoming_farms(found.store, found.entity, head.first, head.last) if head and found else {}


def _places(
    case: PackageContents, rows: Sequence[Mapping[str, Any]], found: Mapping[FarmCropKey, SupplyingFarm]
) -> Iterator[Difference]:
    """Yield where place or acres of the list are not those of the farm's report: they decide strata and risk."""
    again, _ = listed(found, (one.document for one in case.all_reports), SAMPLE)
    said = {(str(row["farm_id"]), str(row["crop"])): row for row in rows}
    for one in again:
        row, right = said.get((one.farm_id, one.crop), {}), one.document()
        for name in ("county_fips", "acres"):
            if name in row and row[name] != right[name]:
                place = f"{SAMPLE}, {one.farm_id}, {one.crop}"
                words = (f"{name.replace('_', ' ')} {row[name]}", f"{right[name]} in the farm's report")
                yield Difference("population_differs", POPULATION, place, *words, one.bushels)


def _words(pair: tuple[int, int] | None) -> str:
    return "" if pair is None else f"{show(pair[0])} bu at {show(pair[1], CI_SCALE)} g CO2e/bu"


# What a book alone cannot decide: whether its fuel, product, stock and contracts are plausible (2100.033 to 2100.040).
#
# Gallons are outside the rule's scope: one that does not fit the claims retired into it is a finding about the fuel,
# and no bushel hangs on it (interpretation 71). Whatever else the keeper of a book is warned of, its verifier is told
# too.

_FUEL: Final = "2100.040(f)"
PRODUCT: Final = "2100.040(e)(1)"
_LEFT_OUT: Final = frozenset(
    {AlertKind.PERIOD_ENDS, AlertKind.PENDING_DUE, AlertKind.VERIFICATION_LAPSES, AlertKind.FUEL_FIGURE}
)
"""What only reminds a keeper of a day to come, and fuel, which is a difference here."""


@check("plausible", PRODUCT, _FUEL)
def plausibility(case: PackageContents) -> Iterator[Answer]:
    """Hold gallons against claims, claims against product, and tell what each book warns its keeper of."""
    for found in books(case).values():
        yield 1
        for event in found.requests:
            if isinstance(event, RetireEvent):
                yield 1
                yield from _fuel(found, event)
        entity = found.store.one(Entity, found.entity)
        for alert in alerts(found.store, entity, case.header.last) if entity and case.header else ():
            if alert.kind is AlertKind.CAMPAIGN_BEYOND_PRODUCT:
                place = f"book of {found.entity}, {alert.said.partition(':')[0]}"
                words = ("claims within their share of the product", alert.said)
                yield Difference("product_exceeded", PRODUCT, place, *words, alert.bushels).of((found.entity,))
            elif alert.kind not in _LEFT_OUT:
                yield f"book of {found.entity}: {alert.said}"


def _fuel(found: EntityBook, event: RetireEvent) -> Iterator[Difference]:
    """Yield a batch whose gallons do not fit what was retired into it."""
    lots = [lot for lot in found.store.lots_by(event.id) if lot.by == event.id and lot.state is LotState.RETIRED]
    amount = sum(lot.amount for lot in lots)
    place = f"book of {found.entity}, retirement {event.id} into {event.fuel}, batch {event.batch}"
    unit = unit_of(event.of_form)
    least, most = PER_GALLON[unit, FORMS[event.of_form].crop == Crop.soybeans]
    if event.gallons <= 0 or not least * event.gallons <= amount * 10**SCALE <= most * event.gallons:
        again = f"{show_amount(amount, unit)} of {event.of_form}; one gallon takes {show(least)} to {show(most)} {unit}"
        claimed = f"{show(event.gallons, group=True)} gallons (a finding about the fuel only)"
        yield Difference("fuel_implausible", _FUEL, place, claimed, again)


# Origin ids against the salts that open them: one farm, crop and year is one origin in every book (2100.031(c)).
#
# An id is the hash of farm, crop and year with a salt that stands in the signed report. An id that is not of its salt
# would let one harvest stand under two names.

CITE: Final = "2100.031(c)"


@check("origin ids", CITE, "2100.032(b)(1)")
def origins(case: PackageContents) -> Iterator[Answer]:
    """Form the id of every reported origin anew, and hold books against it."""
    first: dict[tuple[str, str, int], ReportFile] = {}
    for one in case.all_reports:
        yield 1
        salt, named = str(one.document["edition"].get("salt") or ""), _named(one)
        if named or salt:
            if named != (again := _of(one, salt)):
                words = (f"origin {named[:12]}", again[:60])
                yield Difference("origin_not_of_salt", CITE, one.name, *words, one.bushels)
        elif "signature" in one.envelope:
            yield f"{one.name}: it names no origin id; every book knows it by its readable name."
        # Two origins of one harvest are told in ``cross_party``; a book may know a later version by its salt.
        if one.key not in first or not first[one.key].document["edition"].get("salt"):
            first[one.key] = one
    yield from _in_books(case, first)


def _named(one: ReportFile) -> str:
    return str(one.document["edition"].get("origin_id") or "")


def _of(one: ReportFile, salt: str) -> str:
    try:
        return origin_id(*one.key, salt)
    except ValueError:
        return "nothing: the salt is too short to hide anything"


def _in_books(case: PackageContents, reports: dict[tuple[str, str, int], ReportFile]) -> Iterator[Difference]:
    """Yield reports that a book has under another origin than the farm's signed report gives."""
    for found in books(case).values():
        for event in found.requests:
            if not isinstance(event, ReportEvent):
                continue
            known = reports.get((event.entity, event.crop, event.harvest_year))
            mine = origin_id(event.entity, event.crop, event.harvest_year, event.salt)
            if known is not None and event.salt and mine != _named(known):
                place = f"book of {found.entity}, report of {event.entity}, {event.crop} {event.harvest_year}"
                words = (f"origin {mine[:12]}", f"origin {_named(known)[:12]} in {known.path}")
                yield Difference("origin_differs", "2100.032(b)(1)", place, *words, event.bushels)
