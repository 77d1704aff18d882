"""Tickets and contracts of other programs as rows: checked, turned into events of the book.

A ticket keeps the net bushels as printed; ours stand beside them, from pounds and moisture. It may come before its
contract, be split over several owners, be voided or replaced.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import date
from functools import lru_cache
from typing import Final

from provender.catalog.materials import BUSHEL_LB, crop_use, farm_crop
from provender.custody.model.entities import Contract, ContractKind, Delivery, Entity
from provender.custody.model.grain import name_with_field, plain_name
from provender.custody.model.store_view import StoreView, free_name
from provender.days import iso_day
from provender.exact import CI_SCALE, SCALE, floor_div, half_even, parse, show, show_whole, ticket_key, ticket_whole
from provender.formats.importing import loads as load_rows
from provender.problem import Place, Problem, Weight, listed
from provender.rule.crops import Crop
from provender.rule.law import rule_version
from provender.schema import frozen
from provender.signing.canonical import sha256_hex

_AMOUNTS: Final = ("net_lb", "moisture_pct", "gross_lb", "tare_lb", "split_pct", "net_bushels")
_WHOLE_PCT: Final = 100_000
_TOLERANCE_PCT: Final = 2_000
"""Printed and recomputed bushels that differ by more than 2 % are told: a buyer's own shrink explains less."""
_crop = lru_cache(maxsize=1_024)(farm_crop)
_CROPS: Final = frozenset(Crop)


@frozen
class ScaleTicket:
    """One line of a ticket: the whole of it, or a split owner's part."""

    row: int  # where it stands in the file
    number: str  # of the ticket
    site: str  # the elevator's site; empty when the file has one site only
    day: date | None  # of the scale; only a void one may lack it
    crop: str  # ``corn``, ``soybeans`` or ``sorghum``; may be empty where it is void
    customer: str  # whose grain
    outbound: bool  # it left
    split: int  # percent of the ticket, thousandths
    printed: int | None  # net bushels as printed, thousandths; None when not printed
    ours: int | None  # net bushels from pounds and moisture; None without them
    contract: str  # its number; empty while it has none
    void: bool  # cancelled
    # which farm or field the ticket names; two rows are not told apart by it
    farm: str = field(default="", compare=False)

    @property
    def net(self) -> int:
        """Return the bushels that count: those printed, else ours."""
        return self.printed if self.printed is not None else self.ours or 0


def dry_bushels(pounds: int, moisture: int | None, crop: Crop, day: date) -> int:
    """Return net bushels from net pounds and moisture, water shrink to the rule version's basis, rounded down.

    Grain drier than the basis is not stretched: a bushel more than was weighed would be a claim from nothing.
    """
    basis = _basis(day, crop)
    dry = min(_WHOLE_PCT - moisture, _WHOLE_PCT - basis) if moisture is not None else _WHOLE_PCT - basis
    return floor_div(pounds * dry * 10**SCALE, (_WHOLE_PCT - basis) * BUSHEL_LB[str(crop)])


@lru_cache(maxsize=1_024)
def _basis(day: date, crop: Crop) -> int:
    return rule_version(day).basis_moisture_pct(str(crop))


def read_ticket(
    row: int, values: Mapping[str, str], file: str, *, ways: bool = False
) -> tuple[ScaleTicket | None, list[Problem]]:
    """Read one mapped row; a crop that is none of the three makes no ticket of ours and is told.

    Args:
        row: where it stands in the file.
        values: the fields of the target ``ticket``, as text.
        file: what to call the file in problems.
        ways: the file says of other rows which way they went (``left_out.says_way``).
    """
    if not values.get("number"):
        cause, remedy = "The load has no ticket number.", "Type it from the ticket into the file."
        return None, [Problem(Place(file, row=row, column="number"), cause, remedy, "2100.031(b)", code="ticket_field")]
    state = load_rows.state_of_load(values)
    if state == load_rows.VOID:  # the book has what it takes back: the row needs its number alone
        return _ticket(row, values, _amounts(row, values, file)[0], iso_day(values.get("day", "")), void=True), []
    if state == load_rows.NO_LOAD:
        cause = f"{values['status']!r}: the row is of no load that came or left."
        return None, [Problem(Place(file, row=row), cause, "Nothing to do if so.", weight=Weight.NOTE, code="no_load")]
    found = _crop(values.get("crop", ""))
    if found is None or found.crop not in _CROPS or not found.is_grain:
        return None, [_no_crop_of_ours(row, values.get("crop", ""), found.crop if found else "", file)]
    amounts, unreadable = _amounts(row, values, file)
    day = iso_day(values.get("day", ""))
    if day is None:
        unreadable.insert(0, _left_out(row, "day", values.get("day", ""), file))
    if state is None:
        unreadable.append(_no_state(row, values, file))
    if day is None or unreadable:
        return None, unreadable
    way = values.get("direction", "").strip().casefold()
    if way not in load_rows.OUTBOUND | load_rows.INBOUND or (ways and not way):
        return None, [_no_way(row, values.get("direction", ""), file)]
    ticket = _ticket(row, values, amounts, day)
    return ticket, list(_doubts(ticket, amounts, file))


def _ticket(
    row: int, values: Mapping[str, str], amounts: dict[str, int], day: date | None, *, void: bool = False
) -> ScaleTicket:
    """Return the ticket of a row; ``amounts`` get the net pounds that gross and tare tell."""
    found = _crop(values.get("crop", ""))
    crop = str(Crop(found.crop)) if found and found.crop in _CROPS else ""
    if "net_lb" not in amounts and {"gross_lb", "tare_lb"} <= amounts.keys():
        amounts["net_lb"] = amounts["gross_lb"] - amounts["tare_lb"]
    pounds = amounts.get("net_lb", 0)
    return ScaleTicket(
        row=row,
        number=load_rows.without_void(values["number"]) if void else values["number"],
        site=values.get("site", ""),
        day=day,
        crop=crop,
        customer=values.get("customer", ""),
        outbound=values.get("direction", "").strip().casefold() in load_rows.OUTBOUND,
        split=amounts.get("split_pct") or _WHOLE_PCT,
        printed=amounts.get("net_bushels"),
        ours=dry_bushels(pounds, amounts.get("moisture_pct"), Crop(crop), day) if day and crop and pounds > 0 else None,
        contract=values.get("contract", ""),
        void=void,
        farm=values.get("field", ""),
    )


def _no_state(row: int, values: Mapping[str, str], file: str) -> Problem:
    """Ask what a word means of which nobody can tell whether its load was delivered."""
    column = "void" if load_rows.state_of_load({"void": values.get("void", "")}) is None else "status"
    cause = f"{values[column]!r} does not say whether the load was delivered or the ticket is void."
    remedy = f"Say what the word means: words of {column} in the column map."
    return Problem(Place(file, row=row, column=column), cause, remedy, "2100.031(b)", code="load_state")


ASKED: Final = ("crop", "direction", "site", "void", "status")
"""Fields of which the words of a file are asked, each once."""
_MOST_WORDS: Final = 40
"""A column with more different words is none of these."""


def asked_words(rows: Iterable[Mapping[str, str]], sites: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return by field the words of a file that are not ours, with what each seems to mean; empty where nobody can tell.

    ``sites`` are those of whose book it is; where there are none, nothing is known of them.
    """
    texts: dict[str, dict[str, str]] = {name: {} for name in ASKED}
    for row in rows:
        for name in ASKED:
            if (text := row.get(name, "")) and row.get("number"):
                texts[name].setdefault(text.casefold(), text)
    asked = {
        name: {text: _suggested_meaning(name, text, sites) for text in each.values()} for name, each in texts.items()
    }
    found = {name: {text: word for text, word in each.items() if word is not None} for name, each in asked.items()}
    return {name: each for name, each in found.items() if 0 < len(each) <= _MOST_WORDS}


def _suggested_meaning(name: str, text: str, sites: Sequence[str]) -> str | None:
    """Return what a word seems to mean, empty where nobody can tell; None where there is nothing to ask."""
    plain = text.casefold().strip()
    state = load_rows.state_of_load({name: text})
    if name == "crop":
        found = farm_crop(text)
        return None if crop_use(text) or load_rows.OTHER_CROP.search(plain) else found.crop if found else ""
    if name == "direction":
        return None if plain in load_rows.INBOUND | load_rows.OUTBOUND or state == load_rows.VOID else ""
    if name == "site":
        alike = [site for site in sites if site.casefold() == plain]
        return None if not sites or text in sites else alike[0] if len(alike) == 1 else ""
    if name == "void":
        return None if state else ""
    return None if text in (load_rows.DELIVERED, load_rows.VOID, load_rows.NO_LOAD) else state or ""


def no_site(row: int, text: str, sites: Sequence[str], file: str) -> Problem:
    cause = f"{text!r} is none of your sites: {listed(sites)}."
    remedy = "Say which site the word means: words of site in the column map; else leave the load out."
    return Problem(Place(file, row=row, column="site"), cause, remedy, "2100.031(b)", Weight.CONFIRM, code="no_site")


def _no_crop_of_ours(row: int, text: str, crop: str, file: str) -> Problem:
    """Tell of a load whose crop is no feedstock, or of which nobody knows what it is: two things to do."""
    remedy = "If the word means one of the three, map it or correct it in the file; else leave the load out."
    if crop:
        cause = f"{text!r} is no feedstock: the grain book takes field corn, soybeans and sorghum."
    elif text.strip():
        cause = f"{text!r} is not field corn, soybeans or sorghum by any name that is known here."
    else:
        cause, remedy = "The row names no crop.", "Type the crop from the ticket into the file, or leave the load out."
    return Problem(Place(file, row=row, column="crop"), cause, remedy, weight=Weight.CONFIRM, code="crop")


def _amounts(row: int, values: Mapping[str, str], file: str) -> tuple[dict[str, int], list[Problem]]:
    """Read the amounts of a row; tell which of them the map could not make out."""
    found: dict[str, int] = {}
    problems = []
    for name in _AMOUNTS:
        text = values.get(name)
        if text:
            try:
                found[name] = parse(text)
            except ValueError:
                problems.append(_left_out(row, name, text, file))
    return found, problems


def _left_out(row: int, name: str, text: str, file: str) -> Problem:
    cause = f"{text!r} cannot be read, so the ticket is left out."
    remedy = "Say in the column map how days and numbers are written, and read the file again."
    return Problem(Place(file, row=row, column=name), cause, remedy, "2100.031(b)", code="ticket_field")


def _no_way(row: int, text: str, file: str) -> Problem:
    cause = f"{text!r} does not say whether the load came in or left, so the ticket is left out."
    if not text.strip():
        cause = "The cell is empty, other rows say whether the load came in or left; the ticket is left out."
    remedy = "Write In or Out into the file, and read it again."
    return Problem(Place(file, row=row, column="direction"), cause, remedy, "2100.031(b)", code="ticket_field")


def _doubts(one: ScaleTicket, amounts: Mapping[str, int], file: str) -> Iterator[Problem]:
    pounds, gross, tare = (amounts.get(name) for name in ("net_lb", "gross_lb", "tare_lb"))
    place = Place(file, row=one.row)
    if None not in (pounds, gross, tare) and pounds != (gross or 0) - (tare or 0):
        less, net = (show(each, group=True) for each in ((gross or 0) - (tare or 0), pounds or 0))
        cause = f"Ticket {one.number}: gross less tare is {less} lb, net {net}."
        yield Problem(place, cause, "Look at the ticket.", "2100.031(b)", Weight.CONFIRM, code="ticket_weights")
    if one.net <= 0:
        cause = f"Ticket {one.number} has neither net bushels nor net pounds."
        yield Problem(place, cause, "Type them from the ticket.", "2100.031(b)", code="ticket_empty")
    if one.printed is not None and one.ours is not None and one.split == _WHOLE_PCT:
        off = abs(one.printed - one.ours)
        if off * _WHOLE_PCT > _TOLERANCE_PCT * one.ours:
            printed, ours = show(one.printed, group=True), show(one.ours, group=True)
            cause = f"Ticket {one.number}: {printed} bu printed, {ours} bu from pounds and moisture."
            remedy = "The printed bushels are used; ask for the shrink table if it is not the buyer's own shrink."
            yield Problem(place, cause, remedy, "2100.031(b)", Weight.CONFIRM, code="ticket_shrink")


@frozen
class Split:
    """An owner's part of a ticket, exact: the parts of a ticket add up to its bushels."""

    ticket: ScaleTicket
    bushels: int


def splits(tickets: Iterable[ScaleTicket], file: str) -> tuple[dict[tuple[str, str], list[Split]], list[Problem]]:
    """Return the owners' parts of every ticket.

    Rows of a split ticket carry the whole ticket's bushels and a percent that adds up to 100, or each its own share,
    which are added up. Rows that say the same count once, and a void row takes the ticket back. Where one owner has
    several different rows and nothing says that they are shares, the ticket is asked about and left out; so is one of
    which a part alone is void.
    """
    by_ticket: dict[tuple[str, str], list[ScaleTicket]] = defaultdict(list)
    for one in tickets:
        by_ticket[one.site, ticket_key(one.number)].append(one)
    found: dict[tuple[str, str], list[Split]] = {}
    problems: list[Problem] = []
    first_part = {(site, whole): rows for (site, key), rows in by_ticket.items() if (whole := ticket_whole(key))}
    for key, rows in by_ticket.items():
        beside = by_ticket.get((key[0], ticket_whole(key[1]) or " ")) or first_part.get(key)
        if beside and not rows[0].void and not beside[0].void:
            problems.append(part_beside(rows[0], beside[0].number, file))
            continue
        made = _parts(rows, file)
        if isinstance(made, Problem):
            problems.append(made)
        else:
            found[key] = made
    return found, problems


def _parts(rows: list[ScaleTicket], file: str) -> list[Split] | Problem:
    """Return the owners' parts of the ticket that some rows are of, or what is asked about it."""
    if len(rows) == 1 and rows[0].split == _WHOLE_PCT:
        return [Split(rows[0], rows[0].net)]
    parts = _rows_that_count(rows)
    number, total = ticket_key(parts[0].number), sum(one.split for one in parts)
    if all(one.void for one in parts):
        return [Split(parts[0], 0)]
    if len(spelled := dict.fromkeys(one.number for one in parts)) > 1:
        cause = f"{' and '.join(spelled)} can be one ticket: spreadsheets lose the zeros before a number."
        remedy, code = "If they are one load, take one row out; if they are two, enter one of them by hand.", "double"
    elif any(one.void for one in parts):
        cause = f"Ticket {number} is void in row {listed(one.row for one in parts if one.void)} and stands in others."
        remedy, code = "If all of it is void, mark every row; otherwise take the void rows out.", "void"
    elif _own_shares(parts):
        return [Split(one, one.net) for one in parts]
    elif len({one.customer for one in parts}) < len(parts):
        shown = " and ".join(f"{show(one.net, group=True)} bu (row {one.row})" for one in parts)
        cause = f"Ticket {number} stands there {len(parts)} times for one owner: {shown}."
        remedy = "If they are shares, give each its percent or contract; otherwise take the wrong row out."
        code = "double"
    elif total != _WHOLE_PCT:
        cause = f"Ticket {number}: the splits add up to {show(total)} %, not 100 %."
        remedy, code = "Complete the splits.", "splits"
    else:
        return _exact(parts)
    place = Place(file, row=parts[0].row, column="split_pct")
    return Problem(place, cause, remedy, "2100.031(b)", code=f"ticket_{code}")


def part_beside(one: ScaleTicket, other: str, file: str) -> Problem:
    """Ask about a ticket beside one that may be a part of it, or it of that: splits are written so."""
    cause = f"Tickets {one.number} and {other} may be one load: parts of a ticket are written so."
    remedy = "If one is a part of the other, take the part or the whole out; if they are two loads, enter one by hand."
    return Problem(Place(file, row=one.row, column="number"), cause, remedy, "2100.031(b)", code="ticket_part")


def _rows_that_count(rows: list[ScaleTicket]) -> list[ScaleTicket]:
    """Return the rows of a ticket that count: each once, and a void row in place of what its owner had before."""
    kept: list[ScaleTicket] = []
    for one in rows:
        same = [each for each in kept if each.customer == one.customer and each.net == one.net]
        if one.void:
            kept = [each for each in kept if one.customer not in ("", each.customer)]
        elif any(each.void or replace(each, row=one.row, number=one.number) == one for each in same):
            continue
        kept.append(one)
    return kept


def _own_shares(parts: list[ScaleTicket]) -> bool:
    """Tell whether each row prints its own share: bushels as its percent, or owners or contracts of their own.

    Rows of the whole ticket all print the same bushels.
    """
    if len(parts) < 2 or len({one.net for one in parts}) < 2 or any(one.net <= 0 for one in parts):  # noqa: PLR2004 - two shares
        return False
    total, whole = sum(one.split for one in parts), sum(one.net for one in parts)
    if total == _WHOLE_PCT:
        return all(abs(one.net * _WHOLE_PCT - whole * one.split) <= _TOLERANCE_PCT * whole for one in parts)
    unsaid = all(one.split == _WHOLE_PCT for one in parts)
    return unsaid and len({(one.customer, one.contract) for one in parts}) == len(parts)


def _exact(parts: list[ScaleTicket]) -> list[Split]:
    whole, taken, made = parts[0].net, 0, []
    for place, one in enumerate(parts):
        share = whole - taken if place == len(parts) - 1 else half_even(whole * one.split, _WHOLE_PCT)
        taken += share
        made.append(Split(one, share))
    return made


def grain_events(found: Mapping[tuple[str, str], list[Split]], entity: str) -> Iterator[dict[str, object]]:
    """Return the events of the physical book, a day's incoming first; a void ticket, with its number alone, last.

    A ticket is one entry, however many own it: the physical book counts grain, not owners.
    """
    whole = [
        (
            parts[0].ticket,
            sum(part.bushels for part in parts),
            ", ".join(name_with_field(part.ticket.customer, part.ticket.farm) for part in parts),
        )
        for parts in found.values()
    ]
    # A ticket without bushels was told when it was read: there is nothing to enter.
    there = (each for each in whole if each[1] > 0 or each[0].void)
    for one, bushels, owners in sorted(
        there, key=lambda each: (each[0].day or date.max, each[0].outbound, each[0].row)
    ):
        key = ticket_key(one.number)
        event: dict[str, object] = {"entity": entity, "number": one.number}
        event |= {"site": one.site} if one.site else {}
        if one.void or one.day is None:
            yield {**event, "id": f"void-{one.site}-{key}", "void": True}
            continue
        event |= {
            "type": "shipment" if one.outbound else "receipt", "id": f"ticket-{one.site}-{key}",
            "day": one.day.isoformat(), "form": one.crop, "amount": show(bushels),
        }  # fmt: skip
        yield event | ({"name": owners} if owners.strip(", ") else {})


# Loads of a file that make no entry of the grain book: which rows, how much, and why. Absence is not clean.

_OF_A_LOAD: Final = ("number", "day", "crop")
"""What a row of a load says; one that says fewer than two of them is a sum or a remark."""


@frozen
class LeftOut:
    """A load that is not taken."""

    row: int  # where it stands in the file
    number: str  # of the ticket, as far as it has one
    crop: str  # as the file writes it
    bushels: int | None  # as far as the file says them, thousandths; None where it does not
    problem: Problem  # why, and what to do
    heading: str = ""  # of the column at which it is, as the file writes it; empty where it is of none


def is_load(values: Mapping[str, str]) -> bool:
    return sum(bool(values.get(name, "").strip()) for name in _OF_A_LOAD) > 1


def says_way(rows: Iterable[Mapping[str, str]]) -> bool:
    """Tell whether a file says of any row which way it went: a row that then says nothing is not known to be in."""
    return any(values.get("direction", "").strip() for values in rows)


def left_row(row: int, values: Mapping[str, str], problem: Problem) -> LeftOut:
    """Return a row of a load that could not be read, or whose crop is none of ours."""
    try:
        bushels = parse(values.get("net_bushels", ""))
    except ValueError:
        bushels = None
    return LeftOut(row, values.get("number", ""), values.get("crop", ""), bushels, problem)


def left_tickets(
    tickets: Iterable[ScaleTicket], parts: Mapping[tuple[str, str], Sequence[Split]], problems: Sequence[Problem]
) -> list[LeftOut]:
    """Return the tickets that were read and still make no entry: asked about as a whole, or without an amount.

    ``parts`` are those that make an entry, by site and number; ``problems`` what was told of the tickets.
    """
    found = []
    by_key: dict[tuple[str, str], list[ScaleTicket]] = {}
    for one in tickets:
        by_key.setdefault((one.site, ticket_key(one.number)), []).append(one)
    for key, rows in by_key.items():
        made = parts.get(key)
        if made is not None and (made[0].ticket.void or sum(part.bushels for part in made) > 0):
            continue
        numbers = {one.row for one in rows}
        why = next(each for each in reversed(problems) if each.place.row in numbers)
        found += [LeftOut(one.row, one.number, one.crop, one.net or None, why) for one in rows if not one.void]
    return found


def said_of(left: Sequence[LeftOut]) -> str:
    """Say how many loads are not taken, and how many bushels."""
    loads = "1 load is" if len(left) == 1 else f"{len(left):,} loads are"
    known = [one.bushels for one in left if one.bushels is not None]
    return f"{loads} not taken, {show_whole(sum(known))} bu as far as the file says."


def mark_of(left: Sequence[LeftOut]) -> str:
    """Return what a person confirms who leaves these loads out, and no others; empty where there are none."""
    told = [(one.row, one.number, one.crop, one.bushels, one.problem.code) for one in left]
    return sha256_hex(repr(told).encode())[:16] if told else ""


# Contracts of other programs as rows: who the other party is, and the event that puts each on file (2100.032(a)(2)).

_CITE: Final = "2100.032(a)(2)"
_SALES: Final = frozenset({"sale", "sales", "sell", "sold", "s", "out", "outbound"})
"""Words for a contract by which the book's owner sells."""
_PURCHASES: Final = frozenset({"", "purchase", "purchases", "buy", "bought", "p", "b", "in", "inbound"})


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


def names_of(store: StoreView) -> dict[str, str]:
    """Return the ids of a book's entities by id and by name, as ``plain_name`` writes both; shared names are left out.

    Two entities of one name are told apart by their ids only.
    """
    found: dict[str, str] = {}
    shared: set[str] = set()
    for one in store.many(Entity, ""):
        name = plain_name(one.name)
        shared |= {name} if found.get(name, one.id) != one.id else set()
        found[name] = one.id
    ids = {plain_name(one.id): one.id for one in store.many(Entity, "")}
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
    problems = [*_no_side_of_contract(row, values, file, ways=ways), *_problems(row, values, me, known, file)]
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
_SCALES: Final = {"amount": SCALE, "ci_min": CI_SCALE, "ci_max": CI_SCALE}


def _number(name: str, text: str) -> int | str:
    """Return a term as the book compares it; what cannot be read stays as it is, for the event to refuse."""
    try:
        return parse(text, _SCALES[name]) if name in _SCALES else text
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
    if values.get("direction", "").strip().casefold() in _SALES and not (seller and buyer):
        return ContractKind.RECIPIENT, seller or buyer
    selling = known.get(plain_name(seller)) == me or (not seller and known.get(plain_name(buyer)) not in (None, me))
    return (ContractKind.RECIPIENT, buyer) if selling else (ContractKind.SUPPLIER, seller)


def _no_side_of_contract(row: int, values: Mapping[str, str], file: str, *, ways: bool) -> Iterator[Problem]:
    """Tell where a row does not say whether it buys or sells; a buyer that is named says it without a word."""
    number, text = values.get("number", ""), values.get("direction", "").strip()
    if not text and ways and not values.get("buyer"):
        cause = f"Contract {number} does not say whether it buys or sells: the cell is empty, other rows say it."
    elif text.casefold() not in _SALES | _PURCHASES:
        cause = f"Contract {number}: {values['direction']!r} does not say whether it buys or sells."
    else:
        return
    remedy = "Write Purchase or Sale into the file, and read it again."
    yield Problem(Place(file, row=row, column="direction"), cause, remedy, _CITE, code="contract_direction")


def _problems(row: int, values: Mapping[str, str], me: str, known: Mapping[str, str], file: str) -> Iterator[Problem]:
    role, other = _sides(values, me, known)
    side = "buyer" if role is ContractKind.RECIPIENT else "seller"
    number = values.get("number", "")
    if not other or known.get(plain_name(other)) == me:
        cause = f"Contract {number} does not name the other party."
        remedy = "Map the column with the seller or the buyer."
        yield Problem(Place(file, row=row, column=side), cause, remedy, _CITE, code="contract_party")
    elif plain_name(other) not in known:
        cause = f"Contract {number}: the book knows no {other!r}."
        remedy = "Register it first, with an event of type entity."
        yield Problem(Place(file, row=row, column=side), cause, remedy, _CITE, code="contract_party")
    try:
        date.fromisoformat(values.get("day") or values.get("first_day", ""))
    except ValueError:
        cause = f"Contract {number} has no day that can be read."
        remedy = "Map the day of the contract or the first day of delivery, and say how days are written."
        yield Problem(Place(file, row=row, column="day"), cause, remedy, _CITE, code="contract_day")
    first, last = values.get("first_day", ""), values.get("last_day", "")
    if first and last and _reversed(first, last):
        cause = f"Contract {number} ends its deliveries on {last}, before they begin on {first}."
        remedy = "Correct the days of delivery, or leave them out."
        yield Problem(Place(file, row=row, column="last_day"), cause, remedy, _CITE, code="contract_days_reversed")


def _reversed(first: str, last: str) -> bool:
    try:
        return date.fromisoformat(last) < date.fromisoformat(first)
    except ValueError:
        return False


def contract_events(rows: list[ContractRow], store: StoreView, me: str, day: date) -> Iterator[dict[str, object]]:
    """Yield the events that put contracts on file; one that is on file with the same party since the same day, none.

    Of several rows with one number the last counts.
    """
    for one in {row.number: row for row in rows}.values():
        held = store.one(Contract, f"{me}/{one.number}")
        terms = (one.counterparty, one.role, one.start)
        if held is not None and (held.counterparty, held.role, held.start) == terms and _agrees(store, me, one):
            continue
        event: dict[str, object] = {
            "type": "contract", "id": free_name(store, f"contract-{one.number}"), "day": day.isoformat(), "entity": me,
            "counterparty": one.counterparty, "role": str(one.role), "number": one.number,
            "start_day": one.start.isoformat(), **one.delivery,
        }  # fmt: skip
        same = held is not None and held.counterparty == one.counterparty
        yield event | ({"signing_key": held.signing_key} if same and held is not None and held.signing_key else {})


def _agrees(store: StoreView, me: str, row: ContractRow) -> bool:
    """Tell whether the book has of deliveries what a row says, which may be nothing."""
    held = store.one(Delivery, f"{me}/{row.number}")
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
