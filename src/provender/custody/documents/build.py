"""The documents of subpart D as plain data: transfer document, sale slip, statement of a closed period.

Amounts are decimal text; nothing depends on a clock, so the same book gives the same bytes. ``documents_sign`` signs
them, ``documents_paper`` prints them. Whose farm stands behind a claim is a business secret: origins appear under
their blinded ids, with the serial ranges, so that an overlap stays visible to everybody (interpretation 45).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import Any, Final, NamedTuple

from provender.custody.book_file import BookLine
from provender.custody.events.closing import Closing
from provender.custody.events.footing import Footed, footing_of, grounds
from provender.custody.events.parties import verified
from provender.custody.events.trade import SaleEvent
from provender.custody.model import lots as serials
from provender.custody.model.balances import Balance, Span, balance_document, balances
from provender.custody.model.entities import Entity, Opinion, Period, Policy, Verification, name_in, period_of
from provender.custody.model.event import Footing, weakest
from provender.custody.model.lots import Span as Serials
from provender.custody.model.store_view import CustodyStep, Posted, StoreView, taken_back_by
from provender.exact import CI_SCALE, RATE_SCALE, show
from provender.problem import refuse
from provender.rule.law import rule_version
from provender.signing.canonical import canonical_json, read_json, sha256_hex
from provender.signing.merkle import leaf_hash, root

TRANSFER: Final = "custody-transfer-document"
SLIP: Final = "custody-sale-slip"
PERIOD: Final = "custody-period-statement"
RESTATEMENT: Final = "custody-period-restatement"
_FORMAT: Final = 1

NO_VERIFICATION: Final = "The seller has no third-party verification that covers this sale."
_FIRST_AUDIT: Final = "First year: the seller's first third-party audit is contracted and not completed."
NEXT_AUDIT: Final = "The seller's next third-party audit is contracted; its latest statement was favorable."
_CONTRACTED: Final = {Opinion.FIRST_AUDIT_CONTRACTED: _FIRST_AUDIT, Opinion.NEXT_AUDIT_CONTRACTED: NEXT_AUDIT}
FAVOURABLE: Final = "The seller holds a favorable verification statement that covers this sale."

_HOW: Final = {
    Policy.OLDEST_FIRST: "oldest first, by the policy declared for the period",
    Policy.PROPORTIONAL: "proportional over carbon intensities, by the policy declared for the period",
    Policy.NAMED: "lots named",
}


def transfer_document(
    store: StoreView, movement: str, *, as_of: date, proof: Mapping[str, object] | None = None
) -> dict[str, Any]:
    """Return what 2100.032(c) and 2100.033(b) have a seller hand to the buyer with a sale.

    ``proof`` is the verifier's signed statement as it was received: carried along, not interpreted here.

    Raises:
        ProblemsError: the book has no such sale, or it was taken back.
    """
    posted = _sale(store, movement)
    sale = posted.event
    assert isinstance(sale, SaleEvent)  # noqa: S101 - ``_sale`` returns nothing else
    lots = [lot for lot in store.lots_by(movement) if lot.by == movement and lot.state is serials.LotState.IN_TRANSIT]
    seller, law = store.one(Entity, sale.giver), rule_version(sale.day)
    return {
        **paper_head(TRANSFER, sale.id, as_of, store, sale.giver, sale.taker),
        "rule": {"id": law.id, "citation": law.citation, "cite": ["2100.032(c)", "2100.033(b)"]},
        "title_date": sale.day.isoformat(),
        **({"bill_of_lading": sale.bill_of_lading} if sale.bill_of_lading else {}),
        "crop": sale.crop,
        "form": sale.of_form,
        "unit": serials.unit_of(sale.of_form),
        "amount": show(sum(lot.amount for lot in lots)),
        "crop_used_bu": show(sum(lot.crop_amount for lot in lots)),
        "cis": _by_ci(lots),
        "lines": [_line(lot) for lot in lots],
        "matched": _matched(store, sale),
        "verification": _verification(store, seller, sale.day, sale.crop, proof),
        "shipments": [
            {"ticket": one.number, "day": (one.day or sale.day).isoformat(), "amount": show(one.bushels)}
            for one in sale.tickets
        ],
        "rests_on": _rests_on(store, sale, lots),
        "warnings": _in_the_open(store, lots),
    }


def _rests_on(store: StoreView, sale: SaleEvent, lots: Sequence[serials.Lot]) -> dict[str, str]:
    """Return the weakest that the claims of a sale rest on at its seller (interpretation 87)."""
    found = [one.footing for lot in lots for one in grounds(store, lot, sale.id)]
    seller = store.one(Entity, sale.giver)
    statement = verified(store, seller, sale.day, sale.crop) if seller else None
    own = store.one(Footed, f"statement/{statement.entity}/{statement.id}") if statement else None
    least = weakest([*found, *([own.footing] if own else [])])
    # What the buyer's own scale says its book knows: that is told and weakens nothing.
    typed = "; the tickets of the buyer's scale are typed in" if footing_of(store, sale) is Footing.TYPED else ""
    return {"weakest": str(least), "words": f"{least.label}{typed}"}


def _sale(store: StoreView, movement: str) -> Posted:
    posted = store.posted(movement)
    if posted is None or not isinstance(posted.event, SaleEvent):
        raise refuse(
            movement, "The book has no sale of this name.", "`provender custody journal` lists what was entered."
        )
    if by := taken_back_by(store, posted):
        remedy = "Make a document for the sale that replaces it."
        raise refuse(movement, f"This sale was taken back by {by}.", remedy, cite="2100.032(c)")
    return posted


def paper_head(kind: str, number: str, as_of: date, store: StoreView, seller: str, buyer: str) -> dict[str, Any]:
    """Return what every paper between two parties begins with."""
    head = {"type": kind, "format": _FORMAT, "number": number, "made_on": as_of.isoformat()}
    return {**head, "seller": party(store, seller), "buyer": party(store, buyer)}


def party(store: StoreView, name: str) -> dict[str, str]:
    return {"id": name, "name": name_in(store, name)}


def _by_ci(lots: Sequence[serials.Lot]) -> list[dict[str, str]]:
    """Return amount and crop used for each carbon intensity, lowest first (2100.032(c)(3), 2100.033(b)(2))."""
    sums: dict[int, tuple[int, int]] = {}
    for lot in lots:
        amount, crop = sums.get(lot.ci, (0, 0))
        sums[lot.ci] = (amount + lot.amount, crop + lot.crop_amount)
    return [
        {"ci_g_per_bu": show(ci, CI_SCALE), "amount": show(amount), "crop_used_bu": show(crop)}
        for ci, (amount, crop) in sorted(sums.items())
    ]


def _line(lot: serials.Lot) -> dict[str, object]:
    return {
        "crop": lot.crop,
        "harvest_year": lot.harvest_year,
        "ci_g_per_bu": show(lot.ci, CI_SCALE),
        "form": lot.form,
        "origin": lot.origin,
        "start": show(lot.start),
        "stop": show(lot.stop),
        "crop_used_bu": show(lot.crop_amount),
        "product_lb": show(lot.product) if lot.is_product else None,
        "yield_lb_per_bu": show(lot.rate, RATE_SCALE) if lot.is_product else None,
        "campaign": lot.batch.rsplit("/", 1)[-1] if lot.batch else None,
    }


def _matched(store: StoreView, sale: SaleEvent) -> str:
    """Say how claims were matched to the sale (interpretation 44)."""
    if sale.lots:
        return sale.chosen or _HOW[Policy.NAMED]
    period = period_of(store.many(Period, sale.giver), sale.day)
    return _HOW[period.policy if period else Policy.OLDEST_FIRST]


def _verification(
    store: StoreView, seller: Entity | None, day: date, crop: str, proof: Mapping[str, object] | None
) -> dict[str, object]:
    """Return the seller's verification as it stands in its book, or the plain sentence that there is none."""
    found = verified(store, seller, day, crop) if seller else None
    if found is None:
        return {"status": "none", "words": NO_VERIFICATION, "statement": None, "proof": None}
    return {
        "status": str(found.opinion),
        "words": _CONTRACTED.get(found.opinion, FAVOURABLE),
        "statement": statement_data(found),
        "proof": dict(proof) if proof else None,
    }


def statement_data(one: Verification) -> dict[str, object]:
    return {
        "number": one.id,
        "entity": one.entity,
        "verifier": one.verifier,
        "start_day": one.start.isoformat(),
        "end_day": one.end.isoformat(),
        "crops": list(one.crops),
        "scope": one.scope,
        "opinion": str(one.opinion),
    }


def _in_the_open(store: StoreView, lots: Sequence[serials.Lot]) -> list[str]:
    """Warn of origins whose id names the farm, since their report was entered without its salt."""
    origins = {lot.origin: store.one(serials.Origin, lot.origin) for lot in lots}
    bare = sorted(
        name for name, one in origins.items() if one and one.source is serials.OriginKind.REPORT and name == one.group
    )
    return [f"The origin {name} names the farm; its report was entered without the salt." for name in bare]


def in_force(origin: serials.Origin, day: date) -> list[serials.Version]:
    """Return the versions of a report that somebody could have in hand on a day, the latest first.

    The one that the day began with is among them. Before the first there was none: then it is the first.
    """
    known = [one for one in origin.versions if one.day <= day] or [origin.versions[0]]
    that_day = [one for one in known if one.day == day]
    return [*known[: len(known) - len(that_day)][-1:], *that_day][::-1]


def slip_document(
    store: StoreView, slip: str, *, as_of: date, version: serials.Version | None = None
) -> dict[str, Any]:
    """Return a farm's sale slip: which serials of its report it assigns to which buyer (interpretation 34).

    It rests on a version of the report: the latest one of the day where none is named.

    Raises:
        ProblemsError: the book has no such slip.
    """
    found = store.one(serials.Slip, slip)
    origin = store.one(serials.Origin, found.origin) if found else None
    if found is None or origin is None:
        raise refuse(slip, "The book has no sale slip of this name.", "Enter the slip as an event first.")
    report = version or in_force(origin, as_of)[0]
    return {
        **paper_head(SLIP, found.id, as_of, store, found.giver, found.taker),
        "day": found.day.isoformat(),
        "crop": origin.crop,
        "harvest_year": origin.harvest_year,
        "origin": found.origin,
        "ci_g_per_bu": show(report.ci, CI_SCALE),
        "report": report.report,
        "spans": [{"start": show(start), "stop": show(stop)} for start, stop in found.spans],
        "bushels": show(sum(stop - start for start, stop in found.spans)),
        **({"returned": _returned(store, found.returned)} if found.returned else {}),
    }


def _returned(store: StoreView, slip: str) -> dict[str, str]:
    earlier = store.one(serials.Slip, slip)
    return {"slip": slip, "buyer": earlier.taker if earlier else ""}


def period_document(store: StoreView, entity: str, start: date) -> dict[str, Any]:
    """Return the statement of a closed period as it was closed (2100.034(c)); restatements stand beside it.

    Raises:
        ProblemsError: the book has no closed period of that entity with that first day.
    """
    closing = store.one(Closing, f"{entity}/{start}")
    if closing is None:
        cause = f"{entity} has no closed period that begins on {start}."
        raise refuse("period", cause, "Close the period first.", cite="2100.034(c)")
    balance = read_json(closing.statement.encode(), file="period")
    periods = store.many(Period, entity)
    period = next((one for one in periods if one.start == start), None)
    return {
        "type": PERIOD,
        "format": _FORMAT,
        "number": closing.key,
        "entity": party(store, entity),
        "start": closing.start.isoformat(),
        "end": closing.end.isoformat(),
        "closed_on": closing.closed_on.isoformat(),
        "policy": str(period.policy) if period else "",
        **({"typed": list(closing.typed)} if closing.typed else {}),
        "balance": balance,
        "balance_sha256": closing.digest,
    }


def form_words(form: str) -> str:
    """Return a form as people write it, ``soybean oil``."""
    known = serials.FORMS.get(form)
    return (known.name if known else form).replace("_", " ")


# What a paper says of the book it was made from: its head, and the roots of a period's records (interpretation 72).
#
# The head is the hash of the book's last line, and through it of every line before. A buyer who keeps the paper so
# keeps the seller's whole book as it was on that day: a line that is changed, dropped or put in between later gives
# another head. The roots of a period are over the hashes of its lines, one for each kind of event; each of them hides
# its event behind the hash of the line before, so that one line can be shown and no other be guessed.

MARK: Final = "book"
SHARED: Final = "entries in a shared book"
"""What a mark says it is of where the book is one that many share; else it is of a book of its own."""


def marked(document: Mapping[str, Any], lines: Sequence[BookLine], *, shared: bool = False) -> dict[str, Any]:
    """Return a document with the mark of the book it was made from; a book without lines gives none.

    The lines are those of the book as it stands; of a shared book the party's own entries.
    """
    if not lines:
        return dict(document)
    mark: dict[str, Any] = {"head": lines[-1].head, "lines": len(lines)}
    if shared:
        mark["of"] = SHARED
    if document.get("type") == PERIOD:
        first, last = (date.fromisoformat(document[name]) for name in ("start", "end"))
        mark["roots"] = roots_of(lines, first, last)
    return {**document, MARK: mark}


def roots_of(lines: Iterable[BookLine], first: date, last: date) -> dict[str, str]:
    """Return the root over the lines of a period, by kind of event, in the order of the book."""
    kinds: dict[str, list[bytes]] = {}
    for line in lines:
        if first.isoformat() <= line.day <= last.isoformat():
            kinds.setdefault(line.kind, []).append(leaf_hash(bytes.fromhex(line.head)))
    return {kind: root(leaves).hex() for kind, leaves in sorted(kinds.items())}


def mark_words(mark: Mapping[str, Any], *, head: bool = True) -> str:
    """Return a mark as the words that name the book on a paper; a page leaves the head to the paper and the file."""
    made = f"Made from {mark['lines']:,} {mark.get('of', 'lines of its own book')}"
    return f"{made}, head {mark['head']}" if head else made


# The restatement of a closed period, to stand beside its original statement (interpretation 35).
#
# The original is never touched. The restatement is what the period would have said had the present report been known:
# each claim at the worst of the carbon intensity it was booked at and those that later versions of its report say of
# its serials, and without bushels that the report no longer has. A version before the movement says nothing about it:
# what the farm sold later, at a better one, stays as it was sold. What the book had when it closed the first period in
# which it held any of a report, every statement knew: it restates none.


class _Changes(NamedTuple):
    """What changed of a report after its holder's first close that covers any of it, by place in the book."""

    versions: list[tuple[int, serials.Version]]  # later versions, oldest first
    void: list[tuple[int, Serials]]  # serials that it lost


def _changes(store: StoreView, entity: str) -> tuple[list[CustodyStep], dict[str, _Changes]]:
    """Return an entity's steps, and by origin what changed after its first close; nothing of one that did not."""
    steps = [one for one in store.steps(entity) if entity in (one.after.owner, one.before.owner if one.before else "")]
    first = {step.after.origin: step.day for step in reversed(steps)}
    closings, found = store.many(Closing, entity), dict[str, _Changes]()
    for name, day in first.items():
        origin, closed = store.one(serials.Origin, name), next((one.by for one in closings if day <= one.end), "")
        if origin is None or not closed:
            continue
        gone = [lot for lot in store.lots_at(name, *origin.span) if lot.state is serials.LotState.VOID]
        versions = [(_place(store, one.by), one) for one in origin.versions[1:]]
        void = [(_place(store, lot.by), (lot.start, lot.stop)) for lot in gone]
        if any(place > _place(store, closed) for place, _ in (*versions, *void)):
            found[name] = _Changes(versions, void)
    return steps, found


def _place(store: StoreView, event: str) -> int:
    posted = store.posted(event)
    return posted.number if posted else 0


def restated(store: StoreView, closing: Closing, upto: int | None = None) -> Balance:
    """Return the equations of a closed period as the reports stand now, or stood at a place of the book."""
    steps, changes = _changes(store, closing.entity)
    known = {
        name: _Changes(
            [one for one in change.versions if upto is None or one[0] <= upto],
            [one for one in change.void if upto is None or one[0] <= upto],
        )
        for name, change in changes.items()
    }
    found = (each for step in steps for each in _as_known_now(step, known.get(step.after.origin)))
    return balances(found, closing.entity, [Span(closing.start, closing.end)])[0]


def changes_after(store: StoreView, closing: Closing) -> list[int]:
    """Return the places of the book at which a report behind a closed period changed after the close."""
    changes, closed = _changes(store, closing.entity)[1].values(), _place(store, closing.by)
    return sorted({place for one in changes for place, _ in (*one.versions, *one.void) if place > closed})


def restatements(store: StoreView, entity: str) -> list[dict[str, object]]:
    """Return the restatement of every closed period that differs from its statement, as documents."""
    found = []
    for closing in store.many(Closing, entity):
        document = balance_document(restated(store, closing))
        if document != read_json(closing.statement.encode(), file="statement"):
            found.append({**document, "restates": closing.digest})
    return found


def restatement_document(
    store: StoreView, entity: str, start: date, *, as_of: date, upto: int | None = None
) -> dict[str, Any]:
    """Return the restatement of a closed period as a document to be signed beside its statement (interpretation 35).

    Its number is made of what it says: the same on any day, another one when a report changes again. ``upto`` is the
    place of the book up to which changes of reports count; all of them where None.

    Raises:
        ProblemsError: the book has no closed period of that entity with that first day, or nothing in it changed.
    """
    statement = period_document(store, entity, start)
    closing = store.one(Closing, f"{entity}/{start}")
    balance = balance_document(restated(store, closing, upto)) if closing else statement["balance"]
    if balance == statement["balance"]:
        cause = f"No report behind the period from {start} changed since it was closed."
        raise refuse("restatement", cause, "The statement made at the close stands: use that.", cite="2100.034(c)")
    digest = sha256_hex(canonical_json(balance))
    return {
        **statement,
        "type": RESTATEMENT,
        "number": f"{statement['number']}/{digest[:8]}",
        "made_on": as_of.isoformat(),
        "restates": statement["balance_sha256"],
        "balance": balance,
        "balance_sha256": digest,
    }


def _as_known_now(step: CustodyStep, changes: _Changes | None) -> Iterator[CustodyStep]:
    """Return a step without voided serials, its lots at the carbon intensity known now."""
    after = step.after
    later = [one for _, one in changes.versions if one.day >= step.day] if changes else []
    edges = sorted({place for version in later for span in version.spans for place in span})
    for low, high in serials.subtract_spans(
        [(after.start, after.stop)], (span for _, span in changes.void) if changes else ()
    ):
        inside = [low, *(place for place in edges if low < place < high), high]
        for start, stop in pairwise(inside):
            about = [one.ci for one in later if one.is_about(start, stop)]
            before = _part_with_later_ci(step.before, start, stop, about) if step.before else None
            yield replace(step, before=before, after=_part_with_later_ci(after, start, stop, about))


def _part_with_later_ci(lot: serials.Lot, start: int, stop: int, later: Iterable[int]) -> serials.Lot:
    """Return a part of a lot; the pounds of its parts add up to its own, wherever it is cut."""
    upto, before = (lot.product * (place - lot.start) // lot.crop_amount for place in (stop, start))
    product = upto - before
    return replace(lot, id=f"{lot.id}:{start}", start=start, stop=stop, product=product, ci=max([lot.ci, *later]))
