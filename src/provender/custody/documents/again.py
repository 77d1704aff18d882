"""Signed papers of subpart D made again from a book, so that each kind is held against what its signer's book says."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Any, Final

from provender.custody.documents import build
from provender.custody.documents.consents import NOTICE, consent_document, given_by, notices_of, read_notice
from provender.custody.documents.refiner_figures import FIGURES, figures_document
from provender.custody.events.closing import Closing
from provender.custody.events.reports import NoticeKind
from provender.custody.events.trade import CONSENT
from provender.custody.model.entities import Entity
from provender.custody.model.lots import LIVE, Origin, Slip, Span, joined, length, overlaps
from provender.custody.model.store_view import StoreView
from provender.exact import CI_SCALE, parse, show
from provender.problem import ProblemsError, refuse

Document = Mapping[str, Any]
ISSUERS: Final = {build.PERIOD: "entity", build.RESTATEMENT: "entity", FIGURES: "refiner"}
"""Which party of a paper signs it; of all others the seller."""


def issuer_of(document: Document) -> str:
    """Return the party that must have signed a paper."""
    return str(document[ISSUERS.get(str(document["type"]), "seller")]["id"])


def parties_of(document: Document) -> set[str]:
    """Return who signed a paper, and to whom it is, as far as it says so."""
    buyer = document.get("buyer")
    return {issuer_of(document), *([str(buyer.get("id"))] if isinstance(buyer, Mapping) else [])}


def again(store: StoreView, document: Document) -> list[dict[str, Any]]:
    """Return what the book of a paper's signer could have given it as, one of which it must be.

    Raises:
        ProblemsError: the book has nothing to make it from.
    """
    return _AGAIN[str(document["type"])](store, document)


def decided(document: Document) -> dict[str, Any]:
    """Return what of a paper the book of its signer decides; the rest is of the day of making, or of other papers."""
    kind, keep = str(document["type"]), dict[str, Any]()
    if kind == FIGURES:
        sums = {name: [{**one, "kg_per_mmbtu": None} for one in document[name]] for name in ("crops", "periods")}
        keep = {**sums, "batches": list(document["batches"]), "lots": list(_retired(document["lots"]))}
    elif kind == CONSENT:
        spans = [(one["origin"], (parse(one["start"]), parse(one["stop"]))) for one in document["spans"]]
        keep = {name: document[name] for name in ("day", "act", "movement")} | {"spans": _by_origin(spans)}
    elif kind == NOTICE:
        keep = {name: document[name] for name in ("origin", "ci_g_per_bu")}
        keep["changes"] = [
            {
                "change": one["change"],
                "spans": _joined((parse(each["start"]), parse(each["stop"])) for each in one["spans"]),
            }
            for one in document["changes"]
        ]
    return {**keep, "type": kind} if keep else dict(document)


def _joined(spans: Any) -> list[dict[str, str]]:  # noqa: ANN401 - any spans
    return [{"start": show(start), "stop": show(stop)} for start, stop in joined(spans)]


def _by_origin(spans: list[tuple[str, Span]]) -> list[dict[str, str]]:
    found: dict[str, list[Span]] = defaultdict(list)
    for origin, span in spans:
        found[origin].append(span)
    return [{"origin": origin, **one} for origin in sorted(found) for one in _joined(found[origin])]


def _retired(lots: list[Document]) -> Iterator[dict[str, Any]]:
    """Yield what each retirement took, whatever lots a book had cut it into."""
    found: dict[tuple[str, ...], list[Span]] = defaultdict(list)
    names = ("retirement", "day", "fuel", "batch", "origin", "ci_g_per_bu", "form")
    for one in lots:
        found[tuple(str(one[name]) for name in names)].append((parse(one["start"]), parse(one["stop"])))
    for key in sorted(found):
        yield from ({**dict(zip(names, key, strict=True)), **span} for span in _joined(found[key]))


def _day(document: Document) -> date:
    return date.fromisoformat(str(document.get("made_on", "2025-01-17")))


def _transfer(store: StoreView, document: Document) -> list[dict[str, Any]]:
    made = build.transfer_document(store, str(document["number"]), as_of=_day(document))
    # Campaigns of products that came from a supplier: the paper names them, the book does not.
    named = {(line.get("origin"), line.get("start")): line.get("campaign") for line in document["lines"]}
    lines = [
        {**line, "campaign": named.get((line["origin"], line["start"]))}
        if line["product_lb"] is not None and line["campaign"] is None
        else line
        for line in made["lines"]
    ]
    return [{**made, "lines": lines}]


def _slip(store: StoreView, document: Document) -> list[dict[str, Any]]:
    """Return a slip with each version of the report that the farm could have in hand that day."""
    number, day = str(document["number"]), _day(document)
    slip = store.one(Slip, number)
    origin = store.one(Origin, slip.origin) if slip else None
    versions = build.in_force(origin, day) if origin else [None]
    return [build.slip_document(store, number, as_of=day, version=one) for one in versions]


def _period(store: StoreView, document: Document) -> list[dict[str, Any]]:
    return [build.period_document(store, issuer_of(document), date.fromisoformat(str(document["start"])))]


def _restatement(store: StoreView, document: Document) -> list[dict[str, Any]]:
    """Return a restatement after each change of a report behind it: a later one makes no earlier one false."""
    entity, start = issuer_of(document), date.fromisoformat(str(document["start"]))
    closing = store.one(Closing, f"{entity}/{start}")
    if closing is None:
        return _period(store, document)  # which says that there is none
    changes = build.changes_after(store, closing)
    found = [build.restatement_document(store, entity, start, as_of=_day(document), upto=one) for one in changes]
    return found or [build.restatement_document(store, entity, start, as_of=_day(document))]


def _figures(store: StoreView, document: Document) -> list[dict[str, Any]]:
    refiner = issuer_of(document)
    entity = store.one(Entity, refiner)
    if entity is None:
        raise refuse(refiner, "The book does not know this refiner.", "Give the book of the refiner.")
    first, last = (date.fromisoformat(str(document[name])) for name in ("start", "end"))
    return [figures_document(store, entity, (first, last), as_of=_day(document))]


def _consent(store: StoreView, document: Document) -> list[dict[str, Any]]:
    return [consent_document(store, issuer_of(document), str(document["number"]), as_of=_day(document))]


def _notice(store: StoreView, document: Document) -> list[dict[str, Any]]:
    """Return a notice with what its sender's book knows of such a change of these serials.

    What the holder has from the sender moves on and comes back: serials that a change concerned belong to the notice,
    and those that the holder had of the sender at the change and has still may not be left out.
    """
    paper, problems = read_notice(document, "notice")
    if paper is None:
        raise ProblemsError(problems)
    told = [one for one in notices_of(store, paper.origin) if one.day <= max(paper.day, _day(document))]
    origin = store.one(Origin, paper.origin)
    if origin is None or (not told and origin.issuer != paper.buyer):
        raise refuse(paper.number, "The book has no such change of the report.", "Ask the sender for its book.")
    if not told:
        return [dict(document)]  # of what it tells the first writer a book keeps no notice
    changes = []
    for row, (kind, spans) in zip(document["changes"], paper.changes, strict=True):
        concerned = [one for one in told if one.change is kind]
        left_out = given_by(store, paper.seller, [one for one in concerned if one.holder != paper.seller])
        still = [(one.start, one.stop) for one in left_out if one.holder == paper.buyer]
        mine = [*overlaps(joined(spans), joined((one.start, one.stop) for one in concerned)), *still]
        row_made = {**row, "bushels": show(length(joined(mine))), "spans": _joined(mine)}
        changes += [row_made] if mine else []
    stated = {one.ci for one in origin.versions[1:]}
    is_known = paper.ci is None or paper.ci in stated
    ci = document["ci_g_per_bu"] if is_known else show(origin.current.ci, CI_SCALE)
    return [{**document, "ci_g_per_bu": ci, "changes": changes}]


_AGAIN: Final[Mapping[str, Callable[[StoreView, Document], list[dict[str, Any]]]]] = {
    build.TRANSFER: _transfer,
    build.SLIP: _slip,
    build.PERIOD: _period,
    build.RESTATEMENT: _restatement,
    FIGURES: _figures,
    CONSENT: _consent,
    NOTICE: _notice,
}
"""Every kind of paper that this program signs for a trader or farm, but the report itself, which records make again."""


def passed_over(store: StoreView, document: Document) -> int:
    """Return how many bushels of a notice its buyer's book has as if it had not come, in thousandths."""
    paper, _ = read_notice(document, "notice")
    left: list[Span] = []
    for kind, spans in paper.changes if paper else ():
        for lot in (lot for span in spans for lot in store.lots_at(paper.origin, *span)):  # type: ignore[union-attr]
            gone = kind in (NoticeKind.FEWER_BUSHELS, NoticeKind.WITHDRAWN)
            worse = kind is NoticeKind.WORSE_CI and lot.ci < (paper.ci or 0)  # type: ignore[union-attr]
            if lot.owner == paper.buyer and lot.state in LIVE and (gone or worse):  # type: ignore[union-attr]
                left += overlaps(spans, [(lot.start, lot.stop)])
    return length(joined(left))
