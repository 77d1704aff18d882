"""Contracts of other programs as rows: who the other party is, and the event that puts each on file (2100.032(a)(2)).

A file names people, a book names entities; a name that is no entity of the book is told, never guessed. What a contract
on file has beyond the row, the counterparty's pinned key, stays as it is.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final

from provender.catalog.materials import farm_crop
from provender.custody.model.entities import Contract, ContractKind, Delivery, Entity
from provender.custody.model.grain import plain_name
from provender.custody.model.store_view import StoreView
from provender.exact import CI_SCALE, SCALE, parse
from provender.problem import Place, Problem, Weight
from provender.rule.crops import Crop
from provender.schema import frozen

CITE: Final = "2100.032(a)(2)"
SALES: Final = frozenset({"sale", "sales", "sell", "sold", "s", "out", "outbound"})
"""Words for a contract by which the book's owner sells."""
PURCHASES: Final = frozenset({"", "purchase", "purchases", "buy", "bought", "p", "b", "in", "inbound"})


@frozen
class ContractRow:
    """One contract of a file."""

    row: int  # where it stands in the file
    number: str  # of the contract
    counterparty: str  # the other party's id in the book
    role: ContractKind  # what the other party is to us
    start: date  # the day it was made, else the first day of delivery
    bushels: str  # contracted, as the file writes them; empty when it does not say
    crop: str  # ``corn``, ``soybeans`` or ``sorghum``
    delivery: Mapping[str, str]  # what it says of deliveries, by the fields of the event; empty without an amount


def names_of(facts: StoreView) -> dict[str, str]:
    """Return the ids of a book's entities by id and by name, as ``plain_name`` writes both; shared names are left out.

    Two entities of one name are told apart by their ids only.
    """
    found: dict[str, str] = {}
    shared: set[str] = set()
    for one in facts.many(Entity, ""):
        name = plain_name(one.name)
        shared |= {name} if found.get(name, one.id) != one.id else set()
        found[name] = one.id
    ids = {plain_name(one.id): one.id for one in facts.many(Entity, "")}
    return {name: entity for name, entity in found.items() if name not in shared} | ids


def read_contract(
    row: int, values: Mapping[str, str], me: str, known: Mapping[str, str], file: str, *, ways: bool = False
) -> tuple[ContractRow | None, list[Problem]]:
    """Read one mapped row; a contract about another crop is none of ours.

    Args:
        row: where it stands in the file.
        values: the fields of the target ``contract``, as text.
        me: whose book it is.
        known: entities by name; see ``names_of``.
        file: what to call the file in problems.
        ways: the file says of other rows whether they buy or sell (``left_out.says_way``).
    """
    crop = farm_crop(values.get("crop", ""))
    if crop is None or crop.crop not in set(Crop) or not crop.is_grain:
        cause = f"{values.get('crop', '')!r} is not field corn, soybeans or sorghum; the contract is left out."
        place = Place(file, row=row, column="crop")
        # A crop that is known to be another needs nobody; a word that nobody knows may be one of the three.
        weight = Weight.NOTE if crop else Weight.CONFIRM
        return None, [Problem(place, cause, "Nothing to do if so; else map the word.", weight=weight, code="crop")]
    problems = [*_no_way(row, values, file, ways=ways), *_problems(row, values, me, known, file)]
    if problems:
        return None, problems
    role, other = _sides(values, me, known)
    start = values.get("day") or values["first_day"]
    number, bushels = values["number"], values.get("bushels", "")
    other = known[plain_name(other)]
    return ContractRow(
        row, number, other, role, date.fromisoformat(start), bushels, str(crop.crop), _delivery(values, str(crop.crop))
    ), []


DELIVERY: Final = {
    "bushels": "amount", "first_day": "first_delivery", "last_day": "last_delivery", "ci_min_g_per_bu": "ci_min",
    "ci_max_g_per_bu": "ci_max",
}  # fmt: skip
"""What a row calls the fields of an event that are about deliveries."""
SCALES: Final = {"amount": SCALE, "ci_min": CI_SCALE, "ci_max": CI_SCALE}


def _number(name: str, text: str) -> int | str:
    """Return a term as the book compares it; what cannot be read stays as it is, for the event to refuse."""
    try:
        return parse(text, SCALES[name]) if name in SCALES else text
    except ValueError:
        return text


def _delivery(values: Mapping[str, str], crop: str) -> dict[str, str]:
    """Return what a row says of deliveries, as the event holds it; an amount of zero says nothing."""
    said = {
        ours: values[theirs]
        for theirs, ours in DELIVERY.items()
        if values.get(theirs) and (ours != "amount" or _number(ours, values[theirs]) != 0)
    }
    return {"form": crop, **said} if "amount" in said else {}


def _sides(values: Mapping[str, str], me: str, known: Mapping[str, str]) -> tuple[ContractKind, str]:
    """Return what the other party is to us, and its name: the seller, unless that is ourselves or the row says sale.

    Programs that have one column for the customer say beside it whether the contract buys or sells.
    """
    seller, buyer = values.get("seller", ""), values.get("buyer", "")
    if values.get("direction", "").strip().casefold() in SALES and not (seller and buyer):
        return ContractKind.RECIPIENT, seller or buyer
    selling = known.get(plain_name(seller)) == me or (not seller and known.get(plain_name(buyer)) not in (None, me))
    return (ContractKind.RECIPIENT, buyer) if selling else (ContractKind.SUPPLIER, seller)


def _no_way(row: int, values: Mapping[str, str], file: str, *, ways: bool) -> Iterator[Problem]:
    """Tell where a row does not say whether it buys or sells; a buyer that is named says it without a word."""
    number, text = values.get("number", ""), values.get("direction", "").strip()
    if not text and ways and not values.get("buyer"):
        cause = f"Contract {number} does not say whether it buys or sells: the cell is empty, other rows say it."
    elif text.casefold() not in SALES | PURCHASES:
        cause = f"Contract {number}: {values['direction']!r} does not say whether it buys or sells."
    else:
        return
    remedy = "Write Purchase or Sale into the file, and read it again."
    yield Problem(Place(file, row=row, column="direction"), cause, remedy, CITE, code="contract_direction")


def _problems(row: int, values: Mapping[str, str], me: str, known: Mapping[str, str], file: str) -> Iterator[Problem]:
    role, other = _sides(values, me, known)
    side = "buyer" if role is ContractKind.RECIPIENT else "seller"
    number = values.get("number", "")
    if not other or known.get(plain_name(other)) == me:
        cause = f"Contract {number} does not name the other party."
        remedy = "Map the column with the seller or the buyer."
        yield Problem(Place(file, row=row, column=side), cause, remedy, CITE, code="contract_party")
    elif plain_name(other) not in known:
        cause = f"Contract {number}: the book knows no {other!r}."
        remedy = "Register it first, with an event of type entity."
        yield Problem(Place(file, row=row, column=side), cause, remedy, CITE, code="contract_party")
    try:
        date.fromisoformat(values.get("day") or values.get("first_day", ""))
    except ValueError:
        cause = f"Contract {number} has no day that can be read."
        remedy = "Map the day of the contract or the first day of delivery, and say how days are written."
        yield Problem(Place(file, row=row, column="day"), cause, remedy, CITE, code="contract_day")
    first, last = values.get("first_day", ""), values.get("last_day", "")
    if first and last and _reversed(first, last):
        cause = f"Contract {number} ends its deliveries on {last}, before they begin on {first}."
        remedy = "Correct the days of delivery, or leave them out."
        yield Problem(Place(file, row=row, column="last_day"), cause, remedy, CITE, code="contract_days_reversed")


def _reversed(first: str, last: str) -> bool:
    try:
        return date.fromisoformat(last) < date.fromisoformat(first)
    except ValueError:
        return False


def contract_events(rows: list[ContractRow], facts: StoreView, me: str, day: date) -> Iterator[dict[str, object]]:
    """Yield the events that put contracts on file; one that is on file with the same party since the same day, none.

    Of several rows with one number the last counts.
    """
    for one in {row.number: row for row in rows}.values():
        held = facts.one(Contract, f"{me}/{one.number}")
        terms = (one.counterparty, one.role, one.start)
        if held is not None and (held.counterparty, held.role, held.start) == terms and _agrees(facts, me, one):
            continue
        event: dict[str, object] = {
            "type": "contract", "id": _new_id(facts, f"contract-{one.number}"), "day": day.isoformat(), "entity": me,
            "counterparty": one.counterparty, "role": str(one.role), "number": one.number,
            "start_day": one.start.isoformat(), **one.delivery,
        }  # fmt: skip
        same = held is not None and held.counterparty == one.counterparty
        yield event | ({"signing_key": held.signing_key} if same and held is not None and held.signing_key else {})


def _agrees(facts: StoreView, me: str, row: ContractRow) -> bool:
    """Tell whether the book has of deliveries what a row says, which may be nothing."""
    held = facts.one(Delivery, f"{me}/{row.number}")
    if not row.delivery:
        return True
    if held is None:
        return False
    known = {
        "form": held.form, "amount": held.amount, "ci_min": held.ci_min, "ci_max": held.ci_max,
        "first_delivery": str(held.first or "") or None, "last_delivery": str(held.last or "") or None,
    }  # fmt: skip
    said = {name: _number(name, text) for name, text in row.delivery.items()}
    return {name: term for name, term in known.items() if term is not None} == said


def _new_id(facts: StoreView, name: str) -> str:
    times = 1
    while facts.posted(name if times == 1 else f"{name}-{times}") is not None:
        times += 1
    return name if times == 1 else f"{name}-{times}"
