"""A refiner's figures for every interface: as data, as paper, as CSV."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any, Final

from provender.audit.statement.papers import receive
from provender.audit.statement.statement import VerificationStatement, favourable
from provender.custody.documents.print import manual_pdf
from provender.custody.documents.read import Transfer, document_of
from provender.custody.documents.receive import ReceivedDocument
from provender.custody.documents.refiner_figures import (
    CERTIFICATES,
    Calculator,
    Energy,
    SignedStatement,
    StatementKey,
    figures_document,
    figures_text,
)
from provender.custody.events.parties import StatementEvent
from provender.custody.model.entities import Entity, Opinion, pinned_keys
from provender.custody.model.store_view import StoreView
from provender.exact import parse
from provender.paper.pdf import Attachment
from provender.paper.tables import Column, Table, as_csv
from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.signing.canonical import canonical_json
from provender.signing.jws import check, envelope_hash
from provender.signing.keys import PublicKey

# What proves the verification of a seller whose document is received: its verifier's own signature.

_PIN_IT = "Put a contract with the verifier on file that pins its key."


def proven_by(
    incoming: ReceivedDocument,
    store: StoreView,
    me: str,
    *,
    day: date,
    file: str,
    given: PublicKey | None = None,
    remedy: str = _PIN_IT,
) -> tuple[StatementEvent | None, list[Problem]]:
    """Return the seller's verification when its verifier's signature can be checked here, or say why it cannot.

    A statement that only the seller vouches for proves nothing about the seller (2100.032(b)(2), interpretation 46).
    The key is the one ``given``, or what contracts of the receiver ``me`` pin; ``remedy`` says what to do without any.
    """
    content = incoming.content
    if not isinstance(content, Transfer) or content.proof is None:
        return None, []
    place, cite = Place(file, column="verification.proof"), "2100.032(c)(1)"
    keys = {given.fingerprint: given} if given else _pinned(content.proof, store, me, day)
    if not keys:
        cause = "The verifier's statement is attached, but no key of the verifier was given to check it."
        return None, [Problem(place, cause, remedy, cite, Weight.CONFIRM, code="verifier_unknown")]
    received = receive(content.proof, keys, as_of=day)
    doubts = [replace(problem, place=place) for problem in received.problems]
    statement = received.statement
    if statement is None or any(doubt.weight is Weight.ERROR for doubt in doubts):
        return None, doubts
    if statement.audited != content.seller:
        cause = f"The statement attached is about {statement.audited!r}, not about the seller {content.seller!r}."
        return None, [Problem(place, cause, "Ask the seller for its own.", cite, code="other_statement")]
    return statement_event(statement, day, signed_by=received.kid), doubts


def _pinned(proof: object, store: StoreView, me: str, day: date) -> dict[str, PublicKey]:
    """Return the key that signed a statement, if a contract with the verifier it names pins it."""
    inner = document_of(proof)
    verifier = inner.get("verifier") if isinstance(inner, Mapping) else None
    key = check(proof, {}).key
    if key is None or not isinstance(verifier, str):
        return {}
    return {key.fingerprint: key} if key.fingerprint in pinned_keys(store, me, verifier, day) else {}


def statement_event(
    statement: VerificationStatement, day: date, ended: date | None = None, signed_by: str = ""
) -> StatementEvent:
    """Return a verifier's statement as the event that enters it into a book of custody, and who signed it.

    From the day ``ended`` on a fact found later takes it back: then it is entered as adverse.
    """
    good = favourable([], statement) and ended is None
    return StatementEvent(
        id=f"statement-{statement.audited}-{statement.verifier}-{statement.number}"
        + (f"-until-{ended}" if ended else ""),
        day=day,
        entity=statement.audited,
        verifier=statement.verifier,
        number=statement.number,
        start_day=statement.covered_first,
        end_day=statement.covered_last,
        crops=tuple(statement.crops),
        opinion=Opinion.FAVOURABLE if good else Opinion.ADVERSE,
        scope=statement.scope,
        signed_by=signed_by,
    )


_NUMBERS: Final = frozenset({"bushels", "product_lb", "ci_g_per_bu"})
_ABOUT: Final = ("crop", "harvest_year")
_YEARS: Final = range(2000, 2201)
KIND: Final = "A refiner's figures"


def days_of(year: int | None, since: date | None, on: date | None, today: date) -> tuple[date, date]:
    """Return the first and the last day that somebody asks about: a calendar year, or from a day to another.

    Without a first day it is that of the year of the last; without a last one today. Whatever is asked ends today, for
    nobody signs for days to come. Raises ProblemsError where no book has such a year, or all of it is to come.
    """
    if year is None:
        first, last = since or date((on or today).year, 1, 1), on or today
    elif year in _YEARS:
        first, last = date(year, 1, 1), date(year, 12, 31)
    else:
        raise refuse(
            "year", f"{year} is no year of a book.", f"Say one from {_YEARS.start} on.", code="year_unreadable"
        )
    if first > today:
        raise refuse("days", f"{first} lies after {today}.", "Ask for days that have been.", code="days_to_come")
    return first, min(last, today)


def energy_of(gallons_per_bu: str, btu_per_gallon: str, source: str) -> Energy | None:
    """Return the plant's own yield and heating value; None without any.

    Raises:
        ProblemsError: one is missing, or no number above zero.
    """
    if not (gallons_per_bu or btu_per_gallon):
        return None
    if not (gallons_per_bu and btu_per_gallon):
        lacking = "Btu a gallon" if gallons_per_bu else "gallons a bushel"
        remedy = "Say both for figures by energy, or neither."
        raise refuse("energy", f"The plant's {lacking} are missing.", remedy, code="energy_unreadable")
    try:
        gallons, btu = parse(gallons_per_bu), parse(btu_per_gallon, 0)
    except ValueError as wrong:
        raise refuse(
            "energy", f"{wrong}.", "Say gallons a bushel and Btu a gallon.", code="energy_unreadable"
        ) from None
    if gallons <= 0 or btu <= 0:
        raise refuse("energy", "A yield is above zero.", "Say gallons a bushel and Btu a gallon.", code="energy_zero")
    return Energy(gallons, btu, " ".join(source.split()) or "as the plant states them")


def _calculators_in(envelopes: Iterable[Mapping[str, Any]]) -> dict[str, Calculator]:
    """Return what signed farm reports name as their calculator, by the hash that a book knows them by."""
    found = {}
    for one in envelopes:
        document = one.get("document")
        named = document.get("calculator") if isinstance(document, Mapping) else None
        if isinstance(named, Mapping) and named.get("name"):
            found[envelope_hash(one)] = Calculator(str(named["name"]), str(named.get("version") or ""))
    return found


def _statements_in(
    envelopes: Iterable[Mapping[str, Any]], pinned: Callable[[str], Collection[str]]
) -> dict[StatementKey, SignedStatement]:
    """Return the signed verification statements that are as they were signed, by what a book says of each.

    Of two that say the same the one whose signer is known counts.
    """
    found: dict[StatementKey, SignedStatement] = {}
    for one in envelopes:
        key = check(one, {}).key
        if key is None:
            continue
        try:
            said = VerificationStatement.read(one["document"])
        except (KeyError, TypeError, ValueError, ProblemsError):
            continue
        event = statement_event(said, said.issued_on)
        days = (event.start_day, event.end_day)
        names = (event.entity, event.number, event.verifier)
        booked = (*names, *days, tuple(sorted(event.crops)), event.opinion)
        known = key.fingerprint in pinned(said.verifier)
        if known or booked not in found:
            found[booked] = SignedStatement(envelope_hash(one), known)
    return found


def figures(
    store: StoreView,
    entity: Entity,
    days: tuple[date, date],
    *,
    as_of: date,
    mark: Callable[[dict[str, Any]], dict[str, Any]],
    reports: Iterable[Mapping[str, Any]] = (),
    energy: Energy | None = None,
) -> dict[str, Any]:
    """Return a refiner's figures with the mark of the book; arguments as ``figures_document``.

    ``mark`` adds the head of the book that they are made from, and what else is said beside them. ``reports`` are the
    signed farm reports at hand, and signed verification statements. A report at hand names no calculator of a lot that
    is not its own, or of another crop or year; it is told. The hash of a statement that says what the book says stands
    beside its lots, and whether a contract of that day pins its signer to its verifier.
    """
    papers = list(reports)
    statements = _statements_in(papers, lambda verifier: pinned_keys(store, entity.id, verifier, as_of))
    sealed = {one.hash for one in statements.values()}
    handed = {seal: one for one in papers if (seal := envelope_hash(one)) not in sealed}
    known = figures_document(store, entity, days, as_of=as_of, calculators=_calculators_in(handed.values()),
                             energy=energy, statements=statements)  # fmt: skip
    behind = {one["report_sha256"] for one in known["lots"] if _is_about(handed.get(one["report_sha256"]), one)}
    for lot in known["lots"]:
        if lot["report_sha256"] not in behind:
            lot |= {"calculator": None, "calculator_version": None}
    strange = sorted(handed.keys() - behind)
    return mark({**known, "reports_left_out": strange} if strange else known)


def _is_about(envelope: Mapping[str, Any] | None, lot: Mapping[str, Any]) -> bool:
    """Tell whether a report at hand is of a lot's crop and year, as far as it says."""
    document = envelope["document"] if envelope else None
    return isinstance(document, Mapping) and all(document.get(one, lot[one]) == lot[one] for one in _ABOUT)


def certificates_of(given: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the certificates that a refiner names, each given as ``NUMBER, DAY, ISSUER``.

    Raises:
        ProblemsError: one of the three is missing, or the day is none.
    """
    found = {}
    for name in CERTIFICATES:
        if not given.get(name, "").strip():
            continue
        number, day, issuer = (" ".join(part.split()) for part in f"{given[name]},,".split(",", 2))
        issuer = issuer.rstrip(", ")
        try:
            found[name] = {"number": number, "day": date.fromisoformat(day).isoformat(), "issuer": issuer}
        except ValueError:
            issuer = ""
        if not (number and issuer):
            remedy = "Write it as number, day, issuer, such as C-17, 2026-03-01, Example Certifiers."
            raise refuse(
                name, "A certificate has a number, a day and an issuer.", remedy, code="certificate_unreadable"
            )
    return found


def figures_pdf(document: Mapping[str, Any], envelope: Mapping[str, Any] | None = None, fingerprint: str = "") -> bytes:
    """Return the figures as PDF, the signed ones inside it; without a signature it says NOT SIGNED."""
    signed = f"Signed by {fingerprint}, hash {envelope_hash(envelope)}." if envelope else "NOT SIGNED."
    title, *rest = figures_text(document).splitlines()
    text = "\n".join([title, "", signed, *rest])
    name = f"{document['type']}.json"
    inside = [Attachment(name, canonical_json(envelope), "application/json", "The signed figures")] if envelope else []
    return manual_pdf(text, date.fromisoformat(document["made_on"]), KIND, attachments=inside)


def lots_csv(document: Mapping[str, Any]) -> bytes:
    """Return the lots behind the figures as CSV, a row each, with the verification's number and verifier."""
    rows = [_flat(one) for one in document["lots"]]
    columns = [Column(name, number=name in _NUMBERS) for name in rows[0]]
    return as_csv(Table("lots", columns, [list(row.values()) for row in rows]))


def _flat(lot: Mapping[str, Any]) -> dict[str, str]:
    proof = lot["verification"] or {}
    plain = {name: "" if value is None else str(value) for name, value in lot.items() if name != "verification"}
    named = {f"verification_{name}": str(proof.get(name) or "") for name in ("number", "verifier", "opinion")}
    return plain | named
