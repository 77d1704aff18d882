"""Acts in another party's name: whether that party agrees (2100.032(a), interpretation 78).

A return, the refusal of a delivery or the correction of an accepted sale takes bushels from one party and gives them to
another. In a book that all parties share each enters what is its own to enter; in a book of one party everything is
entered by that one, so that the other's deed rests on the other's signed paper. The paper stands in the event itself,
and its signature is checked whenever the event is answered.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, cast

from provender.custody.events.report import check_ci
from provender.custody.events.rules import require
from provender.custody.model.amounts import product_of
from provender.custody.model.entities import Verification
from provender.custody.model.event import Event
from provender.custody.model.lots import Piece, Span, joined, part, subtract_spans
from provender.custody.model.periods import Period
from provender.custody.model.pinned_keys import pinned_keys
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import StoreView
from provender.problem import ProblemsError
from provender.quantity import CI_SCALE, parse
from provender.signing.canonical import read_json
from provender.signing.jws import check
from provender.wire import read_day

CONSENT: Final = "custody-consent"
"""The document by which a party says that it gives bushels back, refuses them, or agrees to a correction."""
Changed = tuple[Piece, Mapping[str, Any]]
"""A piece, and what becomes of it."""
TYP: Final = f"{CONSENT}+json"
PAPER_HELP: Final = "The other party's signed paper over it, as JSON, where the other does not enter it itself."


def number_of(request: Event) -> str:
    """Return what both parties of a trade know it by."""
    return str(getattr(request, "number", "") or getattr(request, "slip", "") or request.id)


def consents(
    facts: StoreView, request: Event, holder: str, gets: str, enters: str, movement: Event, pieces: Iterable[Piece]
) -> bool:
    """Tell whether the one who holds bushels agrees that they go to another.

    Args:
        facts: the book.
        request: the act, perhaps with a paper.
        holder: who has the bushels.
        gets: to whom they go.
        enters: who enters the act, by its own words.
        movement: the trade that the act is about.
        pieces: the bushels.

    Raises:
        Refusal: PAPER_NOT_SHOWN, for a paper that is not the holder's, not about these bushels, or not signed by it.
    """
    paper = str(getattr(request, "paper", ""))
    if paper:
        check_paper(facts, paper, ({holder}, gets), request, number_of(movement), pieces)
        return True
    return holder == (facts.owner or enters)


def shows(facts: StoreView, request: Event, piece: Piece, gets: str, movement: Event) -> bool:
    """Tell whether an act that needs no paper has one all the same, by which the holder of a piece hands it back."""
    paper = str(getattr(request, "paper", ""))
    if not paper or gets == piece.lot.owner:
        return False
    try:
        check_paper(facts, paper, ({piece.lot.owner}, gets), request, number_of(movement), [piece])
    except Refusal:
        return False
    return True


def check_paper(
    facts: StoreView,
    paper: str,
    parties: tuple[Iterable[str], str],
    request: Event,
    movement: str,
    pieces: Iterable[Piece],
) -> None:
    """Refuse a paper that does not show what it is to show.

    Whose key counts is said by the contract of the party that gets the bushels, never by whom the paper itself names.

    Args:
        facts: the book.
        paper: the signed envelope, as JSON.
        parties: who may have signed it, and to whom the bushels go.
        request: the act.
        movement: what both parties know the trade by that the act is about (``number_of``).
        pieces: the bushels.

    Raises:
        Refusal: PAPER_NOT_SHOWN.
    """
    try:
        envelope = read_json(paper.encode(), file="paper")
        document: Any = envelope["document"] if isinstance(envelope, Mapping) else {}
        signer, buyer, day = str(document["seller"]["id"]), str(document["buyer"]["id"]), read_day(document["day"])
        about, spans, told = str(document["movement"]), _spans(document), _worse(document)
        _pounds(document)
    except (ProblemsError, AttributeError, KeyError, TypeError, ValueError):
        raise Refusal(Status.PAPER_NOT_SHOWN, "It cannot be read as a signed paper.") from None
    signers, gets = parties
    require(signer in set(signers), Status.PAPER_NOT_SHOWN, f"It is {signer}'s.")
    require(buyer == gets, Status.PAPER_NOT_SHOWN, f"It gives the bushels to {buyer}, not to {gets}.")
    found = check(envelope, {}, typ=TYP)
    keys = pinned_keys(facts, facts.owner or gets, signer, day)
    said = f"Its signature is not by a key that a contract with {signer} pins: {found.status}."
    require(bool(found.kid) and found.kid in keys, Status.PAPER_NOT_SHOWN, said)
    require(day <= request.day, Status.PAPER_NOT_SHOWN, f"It is of {day}, after the event.")
    require(about == movement, Status.PAPER_NOT_SHOWN, f"It is about {about}, not about {movement}.")
    for piece in pieces:
        inside = any(low <= piece.start and piece.stop <= high for low, high in spans.get(piece.lot.origin, ()))
        require(inside, Status.PAPER_NOT_SHOWN, f"It does not name all serials of {piece.lot.origin}.")
    for ci, _, _ in told:
        check_ci(ci)


def _spans(document: Mapping[str, Any]) -> dict[str, list[Span]]:
    found: dict[str, list[Span]] = {}
    for row in document["spans"]:
        found.setdefault(str(row["origin"]), []).append((parse(row["start"]), parse(row["stop"])))
    return {name: joined(spans) for name, spans in found.items()}


def _worse(document: Mapping[str, Any]) -> list[tuple[int, str, Span]]:
    told = ((one["ci_g_per_bu"], one) for one in document["spans"] if "ci_g_per_bu" in one)
    rows = [(parse(ci, CI_SCALE), str(one["origin"]), (parse(one["start"]), parse(one["stop"]))) for ci, one in told]
    return sorted(rows, reverse=True)


def _pounds(document: Mapping[str, Any]) -> dict[tuple[str, int, int], int]:
    """Return the pounds of products by origin and serials.

    Raises:
        KeyError, TypeError, ValueError: a row that cannot be read, or pounds below nothing.
    """
    rows = [one for one in document["spans"] if "product_lb" in one]
    told = {(str(one["origin"]), parse(one["start"]), parse(one["stop"])): parse(one["product_lb"]) for one in rows}
    if any(pounds < 0 for pounds in told.values()):
        raise ValueError("pounds below nothing")
    return told


def as_told(
    request: Event, changed: Iterable[tuple[Piece, Mapping[str, Any]]]
) -> list[tuple[Piece, Mapping[str, Any]]]:
    """Return changes of pieces with the carbon intensities that the checked paper of an act says, where worse.

    A report amended while the other had the bushels was told to the other alone: its paper says so of what it hands
    back, as a transfer document would. A better one reaches nothing that was sold (interpretation 35).
    """
    document = _document_of(request)
    told = _worse(document) if document else ()
    found: list[Changed] = []
    for piece, change in changed:
        left = [(piece.start, piece.stop)]
        for ci, origin, (low, high) in told:
            if origin != piece.lot.origin or ci <= piece.lot.ci:
                continue
            met = [(max(low, start), min(high, stop)) for start, stop in left if low < stop and start < high]
            left = subtract_spans(left, met)
            found.extend((_cut(piece, span), {**change, "ci": ci}) for span in met)
        found.extend((_cut(piece, span), change) for span in left)
    return found


def with_pounds_told(
    facts: StoreView, request: Event, changed: Iterable[Changed], holders: Collection[str]
) -> list[Changed]:
    """Return changes of product that was out of sight with the pounds that the checked paper of its holder says.

    The holder may have cut it elsewhere than this book supposes, so that pounds are rounded away from other serials.
    They stay within what the serials give (interpretation 71) and, as a cut rounds away less than a serial gives,
    within that of what this book supposes: a paper makes no product.

    Args:
        facts: the book.
        request: the act, whose paper was checked.
        changed: what becomes of each piece.
        holders: who had the pieces; pounds on the paper of anybody else, such as a verifier, say nothing here.
    """
    told = _document_of(request)
    signer = str(told["seller"]["id"]) if told else ""
    if signer not in holders or not is_elsewhere(facts, signer):
        return [*changed]
    pounds, found = _pounds(told), list[Changed]()
    for piece, change in changed:
        said = pounds.get((piece.lot.origin, piece.start, piece.stop), 0) if piece.lot.is_product else 0
        most = product_of(piece.crop_amount, piece.lot.rate), piece.product + product_of(1, piece.lot.rate) + 1
        found.append((piece, {**change, "product": min(said, *most)} if said else change))
    return found


def is_elsewhere(facts: StoreView, party: str) -> bool:
    """Tell whether this is the book of one party and another's stock and periods are not in it."""
    return facts.owner not in ("", party) and not facts.many(Period, party)


def _document_of(request: Event) -> Any:  # noqa: ANN401 - a checked document, or none
    """Return what the checked paper of an act says; nothing where it has none."""
    paper = str(getattr(request, "paper", ""))
    return cast("Any", read_json(paper.encode(), file="paper"))["document"] if paper else {}


def _cut(piece: Piece, span: Span) -> Piece:
    return piece if span == (piece.start, piece.stop) else part(piece.lot, *span)


def verifiers_of(facts: StoreView, party: str, crops: Collection[str]) -> set[str]:
    """Return who issued a verification statement over a party and some crops that stands.

    That a first audit is contracted is the party's own word: it makes nobody its verifier.
    """
    stated = (one for one in facts.many(Verification, party) if one.opinion.good and not one.opinion.contracted)
    return {one.verifier for one in stated if {*crops} <= {*one.crops}}
