"""A refiner's figures over some days: what was retired into fuel, at which carbon intensity, and what stands behind it.

They are figures that a refiner may need for 45ZCF-GREET and has to keep for 45Z. No text at hand says what is accepted,
and the paper says so. Carbon intensities are grams CO2e per bushel of crop; a mean is given with its sum and divisor.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache, partial
from typing import Any, Final

from provender.custody.documents.build import MARK, mark_words, party, statement_data
from provender.custody.events.closing import RetireEvent
from provender.custody.events.parties import verified
from provender.custody.model.entities import Entity, Opinion, Period, Verification, period_of
from provender.custody.model.lots import Lot, LotState, Origin
from provender.custody.model.store_view import StoreView, standing_event
from provender.custody.queries.manual import table_lines
from provender.exact import CI_SCALE, SCALE, half_even, show
from provender.problem import refuse

FIGURES: Final = "custody-refiner-figures"
_FORMAT: Final = 1
_GRAMS_SCALE: Final = SCALE + CI_SCALE
TITLE: Final = "Figures a refiner may need for 45ZCF-GREET and has to keep for 45Z"
CAUTION: Final = (
    "No text at hand says which figures are accepted, or in which form. These are sums of the book named below, "
    "made by the rules of 7 CFR part 2100 and by nobody else's."
)
CERTIFICATES: Final = {"certification": "Certification", "purchaser_certificate": "Certificate of the purchaser"}
"""What a refiner may name beside its figures (number, day, issuer), by its word on the print; nothing checks them."""
_NOT_SAID: Final = "not said"
NO_STATEMENT: Final = (
    "Of a statement marked * the book keeps what it says and no hash: the signed statement was not at hand when these "
    "figures were made."
)
SHORT: Final = 12
"""Signs of a hash that a print shows."""
_SERIALS: Final = (
    f"Serials are of the origin's report, in bushels, up to but not including the last. Of each hash the first {SHORT} "
    "signs stand here; the figures as JSON, and the lots as CSV, have all of them. What is not said, no paper at hand "
    "says; the last column is the number of the verification below."
)
LOT_HEADS: Final = (
    "Day", "Origin", "Serials from", "up to", "Bushels", "g CO2e/bu", "Calculator", "Report or document", "Verif.",
)  # fmt: skip
StatementKey = tuple[str, str, str, date, date, tuple[str, ...], Opinion]
"""What a book says of a verification statement: whom it is about, its number, its verifier, the first and last day and
the crops it covers, its opinion."""


@dataclass(frozen=True, slots=True)
class SignedStatement:
    """A signed verification statement at hand."""

    hash: str  # of the signed file
    known: bool  # whether a contract pins the key that signed it to the verifier that it names


@dataclass(frozen=True, slots=True)
class Energy:
    """The plant's own yield, and what a gallon of its fuel holds: both as the plant states them."""

    gallons_per_bu: int  # thousandths of a gallon per bushel of crop
    btu_per_gallon: int  # lower heating value, whole Btu
    source: str  # who says so, for the paper


@dataclass(frozen=True, slots=True)
class Calculator:
    """What a signed farm report names as its calculator; found by the hash of the report."""

    name: str  # of the calculator
    version: str  # its version


def figures_document(
    store: StoreView,
    entity: Entity,
    days: tuple[date, date],
    *,
    as_of: date,
    calculators: Mapping[str, Calculator] | None = None,
    energy: Energy | None = None,
    statements: Mapping[StatementKey, SignedStatement] | None = None,
) -> dict[str, Any]:
    """Return a refiner's figures as plain data.

    Args:
        store: its book.
        entity: the refiner.
        days: the first and the last.
        as_of: the day they are made.
        calculators: by the hash of a signed report.
        energy: to say them by energy, too.
        statements: signed verification statements at hand, by what a book says of each.

    Raises:
        ProblemsError: nothing was retired on these days, or the days run backward.
    """
    retired = _found(store, entity, days)
    periods = store.many(Period, entity.id)
    return {
        "type": FIGURES,
        "format": _FORMAT,
        "number": f"{entity.id}/{days[0]}/{days[1]}",
        "made_on": as_of.isoformat(),
        "title": TITLE,
        "caution": CAUTION,
        "refiner": party(store, entity.id),
        "start": days[0].isoformat(),
        "end": days[1].isoformat(),
        "crops": [_sums(of, energy) | {"crop": crop} for crop, of in _grouped(retired, lambda one: one.lot.crop)],
        "periods": [
            _sums(of, None) | {"crop": crop, "period": name}
            for (crop, name), of in _grouped(retired, lambda one: (one.lot.crop, _named(periods, one.day)))
        ],
        "batches": [
            _sums(of, None) | {"fuel": of[0].event.fuel, "batch": of[0].event.batch, "gallons": _gallons(of)}
            for _, of in _grouped(retired, lambda one: (one.event.fuel, one.event.batch))
        ],
        "energy": None if energy is None else _energy(energy),
        "lots": _lots(store, retired, calculators or {}, statements or {}),
    }


@dataclass(frozen=True, slots=True)
class _Retired:
    """A lot as a retirement left it, with the retirement."""

    lot: Lot
    day: date
    event: RetireEvent


def _found(store: StoreView, entity: Entity, days: tuple[date, date]) -> list[_Retired]:
    if days[0] > days[1]:
        raise refuse("days", f"{days[0]} lies after {days[1]}.", "Say the earlier day first.", code="days_reversed")
    if found := list(_retired(store, entity.id, days)):
        return found
    cause = f"Nothing was retired into fuel from {days[0]} to {days[1]}."
    raise refuse(entity.id, cause, "Enter a retirement first.", code="nothing_retired")


def _retired(store: StoreView, entity: str, days: tuple[date, date]) -> Iterator[_Retired]:
    stands = cache(partial(standing_event, store))
    for step in store.steps(entity, days[0]):
        if step.day <= days[1] and step.after.state is LotState.RETIRED and step.type == "retire":
            event = stands(step.movement)
            if isinstance(event, RetireEvent) and event.entity == entity:
                yield _Retired(step.after, step.day, event)


def _grouped(retired: Iterable[_Retired], key: Any) -> list[tuple[Any, list[_Retired]]]:  # noqa: ANN401 - sortable
    found: dict[Any, list[_Retired]] = defaultdict(list)
    for one in retired:
        found[key(one)].append(one)
    return sorted(found.items())


def _named(periods: Sequence[Period], day: date) -> str:
    held = period_of(periods, day)
    return f"{held.start} to {held.end}" if held else "no period"


def _sums(of: Sequence[_Retired], energy: Energy | None) -> dict[str, Any]:
    """Return bushels, the mean with its sum and divisor, and the range; by energy where a yield is given."""
    bushels = sum(one.lot.crop_amount for one in of)
    grams = sum(one.lot.crop_amount * one.lot.ci for one in of)
    found: dict[str, Any] = {
        "retired_bu": show(bushels),
        "sum_g": show(grams, _GRAMS_SCALE),
        "divisor_bu": show(bushels),
        "mean_ci_g_per_bu": show(half_even(grams, bushels), CI_SCALE, places=CI_SCALE),
        "lowest_ci_g_per_bu": show(min(one.lot.ci for one in of), CI_SCALE),
        "highest_ci_g_per_bu": show(max(one.lot.ci for one in of), CI_SCALE),
    }
    if energy is not None:
        found["kg_per_mmbtu"] = show(_per_energy(grams, bushels, energy), CI_SCALE, places=CI_SCALE)
    return found


def _per_energy(grams: int, bushels: int, energy: Energy) -> int:
    """Return hundredths of a kilogram CO2e per million Btu.

    Grams in hundred-thousandths over bushels in thousandths are hundredths of a gram a bushel; over gallons a bushel
    (thousandths) and Btu a gallon, times a million Btu, over a thousand grams: a factor of a million in hundredths.
    """
    return half_even(grams * 1_000_000, bushels * energy.gallons_per_bu * energy.btu_per_gallon)


def _energy(energy: Energy) -> dict[str, str]:
    return {
        "gallons_per_bu": show(energy.gallons_per_bu),
        "btu_per_gallon": str(energy.btu_per_gallon),
        "source": energy.source,
        "formula": "kg CO2e/mmBtu = g CO2e/bu / (gal/bu * Btu/gal) * 1,000,000 / 1,000; the crop alone, no process",
    }


def _gallons(of: Sequence[_Retired]) -> str | None:
    """Return the gallons of a batch: each retirement states its own; None where one states none."""
    each = {one.event.id: one.event.gallons for one in of}
    return show(sum(each.values())) if all(each.values()) else None


def _lots(
    store: StoreView,
    retired: Iterable[_Retired],
    calculators: Mapping[str, Calculator],
    statements: Mapping[StatementKey, SignedStatement],
) -> list[dict[str, Any]]:
    """Return what stands behind each lot; a seller's verification of a day and crop is asked for once."""
    proofs: dict[tuple[str, date, str], Verification | None] = {}
    found = []
    for one in retired:
        asked = (one.lot.supplier, one.lot.titled, one.lot.crop)
        if asked not in proofs:
            seller = store.one(Entity, one.lot.supplier) if one.lot.supplier else None
            proofs[asked] = verified(store, seller, one.lot.titled, one.lot.crop) if seller else None
        proof = proofs[asked]
        sealed = (
            statements.get(
                (
                    proof.entity,
                    proof.id,
                    proof.verifier,
                    proof.start,
                    proof.end,
                    tuple(sorted(proof.crops)),
                    proof.opinion,
                )
            )
            if proof
            else None
        )
        signer = ("pinned" if sealed.known else "unknown") if sealed else None
        beside = {"statement_sha256": sealed.hash if sealed else None, "statement_signer": signer}
        found.append(_lot(store, one, calculators, proof) | beside)
    return found


def _lot(
    store: StoreView, one: _Retired, calculators: Mapping[str, Calculator], proof: Verification | None
) -> dict[str, Any]:
    lot, origin = one.lot, store.one(Origin, one.lot.origin)
    report = origin.current.report if origin else ""
    known = calculators.get(report)
    return {
        "retirement": one.event.id, "day": one.day.isoformat(), "fuel": one.event.fuel, "batch": one.event.batch,
        "crop": lot.crop, "harvest_year": lot.harvest_year, "origin": lot.origin, "start": show(lot.start),
        "stop": show(lot.stop), "bushels": show(lot.crop_amount), "form": lot.form,
        "product_lb": show(lot.product) if lot.is_product else None, "ci_g_per_bu": show(lot.ci, CI_SCALE),
        "supplier": lot.supplier, "title_date": lot.titled.isoformat(),
        "calculator": known.name if known else None, "calculator_version": known.version if known else None,
        "report_sha256": report or None, "document": origin.number or None if origin else None,
        "verification": statement_data(proof) if proof else None,
    }  # fmt: skip


def figures_text(document: Mapping[str, Any]) -> str:
    return "\n".join(_text(document))


def _text(document: Mapping[str, Any]) -> Iterator[str]:
    refiner, energy = document["refiner"], document["energy"]
    yield from (f"# {document['title']}", "", document["caution"], "")
    days = f"{document['start']} to {document['end']}, made on {document['made_on']}"
    yield f"{refiner['name']} ({refiner['id']}), {days}."
    if book := document.get(MARK):
        yield from ("", f"{mark_words(book)}.")
    for name, word in CERTIFICATES.items():
        if one := document.get(name):
            yield from ("", f"{word} {one['number']} of {one['day']}, issued by {one['issuer']}, as the refiner says.")
    yield from ("", "## Retired into fuel, by crop", "")
    heads = ("Bushels", "Sum, g CO2e", "Mean, g CO2e/bu", "Lowest", "Highest")
    yield from table_lines(
        ("Crop", *heads, *(("kg CO2e/mmBtu",) if energy else ())),
        ((one["crop"], *_row(one), *((one["kg_per_mmbtu"],) if energy else ())) for one in document["crops"]),
        amounts=heads,
    )
    yield from ("", "Mean = sum / bushels, to the nearest hundredth, ties to even.", "")
    if energy:
        yield f"Yield {energy['gallons_per_bu']} gal/bu and {energy['btu_per_gallon']} Btu/gal ({energy['source']})."
        yield from (f"{energy['formula']}.", "")
    yield from ("## By mass balance period", "")
    yield from table_lines(
        ("Period", "Crop", *heads),
        ((one["period"], one["crop"], *_row(one)) for one in document["periods"]),
        amounts=heads,
    )
    yield from ("", "## By batch of fuel", "")
    yield from table_lines(
        ("Fuel", "Batch", "Gallons", *heads),
        ((one["fuel"], one["batch"], _commas(one["gallons"]), *_row(one)) for one in document["batches"]),
        amounts=("Gallons", *heads),
    )
    yield from ("", "## Lots, and what stands behind each", "", _SERIALS, "")
    # Hundreds of lots have few verifications: each is written once, so that a lot takes a line.
    proofs = [*dict.fromkeys(_proof(one) for one in document["lots"] if one["verification"])]
    rows = (_lot_row(one, proofs) for one in document["lots"])
    yield from table_lines(LOT_HEADS, rows, amounts=("Serials from", "up to", "Bushels", "g CO2e/bu"))
    if proofs:
        yield from ("", "## Verifications of the sellers", "")
        yield from (f"{number}. {words}" for number, words in enumerate(proofs, 1))
    if any(one["verification"] and not one.get("statement_sha256") for one in document["lots"]):
        yield from ("", NO_STATEMENT)
    for one in document.get("reports_left_out", ()):
        yield from ("", f"The report {one[:SHORT]} that was handed in stands behind none of these lots.")


def _row(one: Mapping[str, Any]) -> tuple[str, ...]:
    names = ("retired_bu", "sum_g", "mean_ci_g_per_bu", "lowest_ci_g_per_bu", "highest_ci_g_per_bu")
    return tuple(_commas(one[name]) for name in names)


def _commas(text: str | None) -> str:
    """Write a number of the figures for people; its digits stay."""
    return f"{Decimal(text):,f}" if text else "not said"


def _lot_row(one: Mapping[str, Any], proofs: Sequence[str]) -> tuple[str, ...]:
    calculator = f"{one['calculator']} {one['calculator_version']}" if one["calculator"] else _NOT_SAID
    report = one["report_sha256"][:SHORT] if one["report_sha256"] else ""
    return (
        one["day"], one["origin"][:SHORT], _commas(one["start"]), _commas(one["stop"]), _commas(one["bushels"]),
        _commas(one["ci_g_per_bu"]), calculator, report or one["document"] or _NOT_SAID,
        str(proofs.index(_proof(one)) + 1) if one["verification"] else "none",
    )  # fmt: skip


def _proof(one: Mapping[str, Any]) -> str:
    proof, sealed = one["verification"], one.get("statement_sha256")
    behind = f", statement {sealed[:SHORT]}" if sealed else " *"
    behind += ", signer unknown" if one.get("statement_signer") == "unknown" else ""
    # The book keeps the spelling of its first statements.
    opinion = str(proof["opinion"]).replace("_", " ").replace("favourable", "favorable")
    return f"{proof['number']} of {proof['verifier']}, {opinion}{behind}"
