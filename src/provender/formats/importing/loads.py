"""The lines of an elevator's list that are this farm's deliveries, those that are not, and shares of one ticket.

An elevator lists whatever went over its scale: loads of other growers, loads that left, tickets that were taken back,
totals, and loads that several own. A line that is not this farm's delivery is no record of the farm and no damaged one
either: it stays out, told with the count and the reason. Where nobody can tell, it stays out and is asked about.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple

from provender.catalog.materials import BUSHEL_LB, crop_use
from provender.days import DayTextError
from provender.formats.columns import GROWER, LOAD_COLUMNS
from provender.formats.happened import OF_WORK
from provender.formats.importing.incoming_files import Arrival, Choices, IncomingTable, texts_of
from provender.formats.mapped import heading_of
from provender.formats.parsed import ColumnMap, MappedTable, Sheet, doubt
from provender.formats.units import number_out, read_number
from provender.problem import Place, Problem, Weight, listed
from provender.records.book import RecordBook, grouped
from provender.records.kind import KINDS
from provender.records.reading import NO, YES

TICKETS: Final = "scale_ticket"
OUTBOUND: Final = frozenset({"out", "outbound", "outgoing", "o", "ship", "shipped", "shipment", "shipping", "sale"})
INBOUND: Final = frozenset({
    "", "in", "inbound", "incoming", "i", "receipt", "receive", "received", "receiving", "purchase", "delivery",
})  # fmt: skip
"""A file that says nothing of it in any row is taken for a list of what came in, as most are."""
_VOID: Final = re.compile(
    r"(?<![a-z])(?<!not )(?<!non[ -])(?<!un[ -])(?:void(?:ed)?|cancell?(?:ed|ation)|deleted|reversed|reversal)(?![a-z])"
)
_YES: Final = YES | {"t", "v", "\u2713", "\u2714"}
_NO: Final = NO | {"", "f", "-", "not void", "non-void", "not voided"}
DELIVERED, VOID, NO_LOAD = "delivered", "void", "no load"
"""What a list says of a load: it came or left, it was taken back, or it never was one."""
_STANDS: Final = frozenset({
    "", "open", "closed", "complete", "completed", "settled", "unsettled", "applied", "unapplied", "posted", "paid",
    "unpaid", "priced", "unpriced", "final", "active", "ok", "good", "valid", "accepted", "weighed", "printed", "hold",
    "on hold", "stored", "storage", "contract", "spot", "delivered", "received", "finished", "transferred", "n/a",
})  # fmt: skip
"""What elevators say of a load that was delivered: on hold is one that has no contract yet."""
_NOT_DONE: Final = dict.fromkeys(("rejected", "refused", "replaced"), VOID) | dict.fromkeys(
    ("planned", "scheduled", "test", "duplicate", NO_LOAD), NO_LOAD
)
OTHER_CROP: Final = re.compile(
    r"wheat|\boats?\b|barley|\brye\b|canola|sunflower|\brice\b|cotton|\bpeas?\b|lentil|\bflax\b|millet|triticale|"
    r"\b(?:wht|ww|hrww?|hrs|srww?|sww|dur)\b"
)
_CROP: Final = "of other crops"
_COMPANY: Final = frozenset({
    "farm", "farms", "farming", "llc", "inc", "co", "company", "corp", "ltd", "lp", "llp", "partnership", "the", "and",
    "of", "ag", "agri", "acct", "account",
})  # fmt: skip
"""Words of a name that tell nobody from another."""
_SURE: Final = 8
"""Letters of a name that was cut off after them."""
_LEAST_SHRUNK, _ROUNDED = Fraction(3, 4), Fraction(1, 100)
"""Very wet corn loses a quarter of its weight until it is dry."""
_DRIEST, _SHRUNK_TOO = Fraction(87), Fraction(94, 100)
"""Percent of dry matter in the driest standard bushel, soybeans; what handling takes beside the water at most."""
_WHOLE: Final = 100
_AMOUNTS: Final = ("net_lb", "net_bushels")
_Row = Mapping[str, str]


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).strip(" .!")


def state_of_load(row: _Row) -> str | None:
    """Return what the words of a line say of its load; None where they do not say it clearly."""
    void, status = _folded(row.get("void", "")), _folded(row.get("status", ""))
    words = " ".join(row.get(name, "") for name in ("direction", "number", "ticket_id", "note"))
    if _VOID.search(f"{void} {status} {_folded(words)}") or void in _YES or re.match(r"\d+[-/]\d", void):
        return VOID
    if void not in _NO:
        return None
    return _NOT_DONE.get(status, DELIVERED if status in _STANDS else None)


def without_void(number: str) -> str:
    """Return the number of a ticket that a program marks as void in the number itself."""
    return _VOID.sub("", number.casefold()).strip(" -_*()[]/") if _VOID.search(number.casefold()) else number


def add_buyer(mapped: MappedTable, sheet: Sheet, column_map: ColumnMap, choices: Choices) -> list[Problem]:
    """Give loads the elevator that the first line above the headings names, where no column says it; ask about it."""
    if mapped.target != TICKETS or "buyer" in choices.constants or any(row.values.get("buyer") for row in mapped.rows):
        return []
    heading = heading_of(sheet, column_map)
    above = [line for line in sheet.lines if heading is not None and line.number < heading.number]
    titles = ((line, [cell.strip() for cell in line.cells if cell.strip()]) for line in above)
    line, title = next(((line, cells[0]) for line, cells in titles if len(cells) == 1), (None, ""))
    if line is None or not re.search(r"[^\W\d_]{3}", title):
        return []
    for row in mapped.rows:
        row.values["buyer"] = title
    cause = f"the loads were taken to be weighed at {title!r}, which stands above the headings."
    remedy = "Confirm it, or say where: --kind scale_ticket --set buyer='NAME'."
    place = Place(mapped.file, mapped.sheet, line.number, "buyer")
    return [doubt(place, cause, remedy, "buyer_by_title")]


def beside_loads(mapped: MappedTable) -> dict[int, dict[str, str]]:
    """Return what a list of loads, or of the work of several growers, says beside the records, by row."""
    if mapped.target in OF_WORK:
        return {row.number: {GROWER: said} for row in mapped.rows if (said := row.values.get(GROWER, ""))}
    rows = mapped.rows if mapped.target == TICKETS else ()
    # The file's own number, empty where it gives none: a load without one is told from a total by nobody.
    return {row.number: {name: row.values.get(name, "") for name in (*LOAD_COLUMNS, "ticket_id")} for row in rows}


def with_own_loads(arrivals: Iterable[Arrival], farms: Sequence[str], book: RecordBook | None) -> None:
    """Leave in each elevator's list the deliveries of the farms of this import, and in each of work theirs, in place.

    The rest is told.
    """
    arrivals = list(arrivals)
    growers = {name: farm for farm, name in texts_of(arrivals, book, "farm", "name") if farm in farms or not farms}
    growers |= dict.fromkeys(farms, "") | {farm: farm for farm in farms}
    growers |= {name: farm or next(iter(farms), "") for farm, name in texts_of(arrivals, book, "producer", "name")}
    units = {_plain(text) for column in ("unit_id", "name") for _, text in texts_of(arrivals, book, "unit", column)}
    standing = {_plain(text) for _, text in texts_of((), book, TICKETS, "ticket_id")}
    for one in arrivals:
        for table in one.tables:
            if table.beside and table.kind is not KINDS[TICKETS]:
                _leave_own(table, growers)
            elif table.beside:
                _sort(table, growers, units, standing)


def _leave_own(incoming: IncomingTable, growers: Mapping[str, str]) -> None:
    """Leave in a list of work the rows of these farms; where it names nobody whom the book knows, it is asked."""
    said = {number: row[GROWER] for number, row in incoming.beside.items()}
    means = {name: grower_of(name, growers) for name in dict.fromkeys(said.values())}
    place = Place(incoming.table.file, incoming.table.sheet, column=incoming.headings.get(GROWER, GROWER))
    others = {number for number, name in said.items() if means[name] == ""}
    if not any(means.values()):
        cause = f"the rows are of {listed(means)}, which the book does not know as this farm or its producer."
        remedy = "Confirm that they are this farm's; else leave the file out."
        # Of two growers at most one is the farm: until one is known, no row goes in.
        weight = Weight.CONFIRM if len(means) == 1 else Weight.ERROR
        incoming.problems.append(Problem(place, cause, remedy, weight=weight, code="customer_asked"))
        incoming.waits = incoming.waits or not incoming.accepted
    elif others:
        count = _counted([said[number] for number in sorted(others)])
        cause = f"{len(others)} of {len(incoming.table.rows)} rows are of other growers and were left out ({count})."
        remedy = "Confirm it; else correct the list, or this farm's names."
        incoming.problems = [one for one in incoming.problems if one.place.row not in others]
        incoming.problems.append(doubt(place, cause, remedy, "loads_left_out"))
        incoming.set_rows(row for row in incoming.table.rows if row[0] not in others)
    incoming.beside = {}


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _name_words(name: str) -> frozenset[str]:
    return frozenset(_plain(name).split()) - _COMPANY


def grower_of(customer: str, growers: Mapping[str, str]) -> str | None:
    """Return the farm that a customer's name means; empty for somebody else, None where it could be the farm.

    ``HOVLAND, DALE J`` is Dale Hovland, alone or behind the farm's name, and Walnut Ridge the farm of that name with
    *Farms LLC* behind it; another Hovland may be anybody.
    """
    mine, near = _name_words(customer), False
    known = frozenset(word for name in growers for word in _name_words(name))
    for name, farm in growers.items():
        words = _name_words(name)
        initials = all(len(word) == 1 or word in known for word in mine - words)
        cut_off = len(_plain(customer)) >= _SURE and _plain(name).startswith(_plain(customer))
        if mine and words and ((words <= mine and initials) or cut_off):
            return farm
        near = near or any(len(word) > 1 and not word.isdigit() for word in mine & words)
    return None if near else ""


class _Why(NamedTuple):
    """Why a line stays out; with a code it is asked about, without one it is clear."""

    said: str
    remedy: str = ""
    code: str = ""


_Left = dict[_Why, list[str]]
"""What stays out of a list by the reason: what each line is called."""


def _left_told(left: _Left, place: Place, lines: int) -> Iterator[Problem]:
    """Say how many lines stay out and why: the clear ones at once, the others by what is asked of them."""
    clear = {why.said: names for why, names in left.items() if not why.code}
    if clear:
        count = sum(map(len, clear.values()))
        parts = (f"{len(names)} {said} ({_counted(names)})" for said, names in clear.items())
        cause = f"{count} of {lines} lines are no deliveries of this farm and were left out: {listed(parts, 9)}."
        yield doubt(place, cause, "Confirm it; else correct the list, or this farm's names.", "loads_left_out")
    for why, names in left.items():
        if why.code:
            yield doubt(place, f"{len(names)} of {lines} lines {why.said} ({_counted(names)}).", why.remedy, why.code)


def _counted(names: Sequence[str]) -> str:
    counts = Counter(names)
    return listed((name if count == 1 else f"{name}: {count}" for name, count in counts.items()), 8)


def _sort(
    incoming: IncomingTable, growers: Mapping[str, str], units: AbstractSet[str], standing: AbstractSet[str]
) -> None:
    """Leave in a list the lines that are deliveries of these farms, each with its share."""
    table, left = incoming.table, _Left()
    rows = {number: {**row, **incoming.beside.get(number, {})} for number, row in incoming.numbered()}
    place = Place(table.file, table.sheet)
    if all(_plain(row.get("customer", "")) in {"", *units} for row in rows.values()):
        for row in rows.values():  # its farms are the farm's fields
            row |= {"unit_id": row.get("unit_id") or row.get("customer", ""), "customer": ""}
    kept = _delivered(rows, left, standing)
    kept, asked = _of_growers(kept, growers, left, place)
    kept = _split_by_percent(kept, rows, left)
    incoming.waits = incoming.waits or bool(asked and not incoming.accepted)
    for number in [number for number, row in kept.items() if not row.get("buyer")]:
        cause = "wait, since nothing says at which elevator they were weighed"
        why = _Why(cause, "Say it once: --kind scale_ticket --set buyer='NAME'.", "buyer_asked")
        left.setdefault(why, []).append(_called(number, kept.pop(number)))
    heading = table.heading if "farm_id" in table.heading else (*table.heading, "farm_id")
    cells = tuple((number, tuple(row.get(name, "") for name in heading)) for number, row in kept.items())
    told = [one for one in incoming.problems if not one.place.row or one.place.row in kept or one.place.row not in rows]
    if _are_pounds(kept.values()):
        told = [one for one in told if one.code != "no_unit"]
    incoming.problems = [*told, *asked, *_left_told(left, place, len(rows))]
    incoming.table, incoming.beside = replace(table, heading=heading, rows=cells), {}


def _are_pounds(rows: Iterable[_Row]) -> bool:
    """Tell whether the bushels of each load prove that its weights are pounds, and its bushels bushels."""
    proven = [one for one in map(_is_proven, rows) if one is not None]
    return bool(proven) and all(proven)


def _is_proven(row: _Row) -> bool | None:
    """Tell whether pounds and bushels are of one load; None where one of them or the crop is not told."""
    bushels, pounds = _amount(row, "net_bushels"), _amount(row, "net_lb")
    weight = BUSHEL_LB.get(row.get("crop", "").casefold())
    if bushels is None or not pounds or weight is None:
        return None
    return _LEAST_SHRUNK <= bushels * weight / 1000 / pounds <= 1 + _ROUNDED


def _called(number: int, row: _Row) -> str:
    ticket = row.get("ticket_id", "")
    return ticket if any(sign.isdigit() for sign in ticket) else f"row {number}"


def _delivered(rows: Mapping[int, _Row], left: _Left, standing: AbstractSet[str]) -> dict[int, _Row]:
    """Return the lines that are loads which came in and were not taken back, whoever's they are."""
    says_way = any(_way(row) in (OUTBOUND | INBOUND) - {""} for row in rows.values())
    kept: dict[int, _Row] = {}
    for number, row in rows.items():
        name, why = _called(number, row), _why_no_load(row, standing) or _why_not_in(row, says_way=says_way)
        if why is None:
            kept[number] = row
        else:
            left.setdefault(why, []).append(row["crop"].casefold() if why.said == _CROP else name)
        if _is_taken_back(row):
            kept = {at: one for at, one in kept.items() if not _takes_back(row, one)}
    # A list with the latest day first has a load behind the line that takes its amounts back.
    minus = [row for row in rows.values() if _is_taken_back(row) and _sizes(row) != _sizes(row, abs)]
    return {
        number: one
        for number, one in kept.items()
        if not any(_takes_back(row, one) and _sizes(row, abs) == _sizes(one) for row in minus)
    }


def _sizes(row: _Row, of: Callable[[Fraction], Fraction] = Fraction) -> list[Fraction]:
    return [of(_amount(row, name) or Fraction(0)) for name in _AMOUNTS]


def _why_no_load(row: _Row, standing: AbstractSet[str]) -> _Why | None:
    """Return why a line is no load at all, or none any more."""
    ticket, status = row.get("ticket_id", ""), _folded(row.get("status", ""))
    if _is_total(row):
        return _Why("total lines")
    if _is_taken_back(row):
        cause = "are void, and the book has them as delivered"
        remedy = "Take them out of the book, or correct the list."
        return (
            _Why(cause, remedy, "load_void_in_book")
            if _plain(ticket) in standing
            else _Why(status if status in _NOT_DONE else "void")
        )
    if not any(sign.isdigit() for sign in ticket):
        cause = "have no ticket number: nobody can tell a load from a total"
        return _Why(cause, "Type the number from the ticket.", "load_unnamed")
    state = state_of_load(row)
    if state == NO_LOAD:
        return _Why(status)
    if state is None:
        said = listed(filter(None, (row.get("void"), row.get("status"))))
        remedy = "Write what it is into the file: void, or blank where the load was delivered."
        return _Why(f"say {said!r}, which may mean that nothing was delivered", remedy, "load_state")
    return None


def _why_not_in(row: _Row, *, says_way: bool) -> _Why | None:
    """Return why a load did not come in as a feedstock."""
    way, crop = _way(row), row.get("crop", "").casefold()
    if way in OUTBOUND:
        return _Why("outbound")
    if says_way and way not in INBOUND - {""}:
        cause = f"do not say whether the load came in or left ({way or 'blank'})"
        return _Why(cause, "Write In or Out into the file.", "load_way")
    is_other = crop not in BUSHEL_LB and (crop_use(crop) or OTHER_CROP.search(crop))
    return _Why(_CROP) if is_other else None


def _way(row: _Row) -> str:
    return row.get("direction", "").strip().casefold()


def _is_total(row: _Row) -> bool:
    """Tell whether a line sums others up: it says so, or has neither a number of its own nor day and crop."""
    said = (row.get(name, "") for name in ("ticket_id", "customer", "unit_id", "crop", "buyer"))
    if any(re.search(r"\b(?:sub)?totals?\b|^\W*sum\b", text.casefold()) for text in said):
        return True
    return sum(bool(row.get(name)) for name in ("ticket_id", "day", "crop")) < 2  # noqa: PLR2004 - of a load


def _takes_back(void: _Row, one: _Row) -> bool:
    alike = (_plain(void.get(name, "")) == _plain(one.get(name, "")) for name in ("ticket_id", "customer", "buyer"))
    return bool(void.get("ticket_id")) and all(alike)


def _amount(row: _Row, name: str) -> Fraction | None:
    try:
        return read_number(row[name]) if row.get(name) else None
    except DayTextError:
        return None


def _is_taken_back(row: _Row) -> bool:
    """Tell whether a line takes a load back: in words, or with amounts below zero as it entered it."""
    return state_of_load(row) == VOID or any((_amount(row, name) or 0) < 0 for name in _AMOUNTS)


def _of_growers(
    rows: Mapping[int, _Row], growers: Mapping[str, str], left: _Left, place: Place
) -> tuple[dict[int, _Row], list[Problem]]:
    """Return the loads of these farms with their farm, and what is asked of a list that is of one stranger alone."""
    customers = list(dict.fromkeys(row.get("customer", "") for row in rows.values()))
    means = {name: grower_of(name, growers) for name in customers if name}
    if not any(means.values()) and len(customers) == 1:
        name = customers[0]
        cause = f"all loads are of {name}, which the book does not know as this farm or its producer."
        remedy = "Confirm that they are this farm's; else leave the file out."
        asked = [doubt(replace(place, column="customer"), cause, remedy, "customer_asked")] if name else []
        return dict(rows), asked
    kept: dict[int, _Row] = {}
    for number, row in rows.items():
        customer = row.get("customer", "")
        farm = means.get(customer)
        if farm:
            kept[number] = {**row, "farm_id": row.get("farm_id") or farm}
        elif farm == "" and any(means.values()):
            left.setdefault(_Why("of other growers"), []).append(customer)
        else:
            unknown = "name customers of which none is known as this farm"
            cause = "name no grower, or one that may be this farm" if any(means.values()) else unknown
            remedy = "If they are this farm's, add the name to its producers, or write the farm's into the file."
            left.setdefault(_Why(cause, remedy, "load_grower"), []).append(customer or _called(number, row))
    return kept, []


def _split_by_percent(kept: Mapping[int, _Row], rows: Mapping[int, _Row], left: _Left) -> dict[int, _Row]:
    """Return loads with this farm's share of each, where a list splits them by percent."""
    percents = {number: pct for number, row in rows.items() if (pct := _amount(row, "split_pct")) is not None}
    scale = _WHOLE if percents and max(percents.values()) <= 1 else 1
    found = {}
    for number, row in kept.items():
        pct = percents.get(number, Fraction(_WHOLE, scale)) * scale
        unread = row.get("split_pct") and number not in percents
        same = [one for at, one in rows.items() if at != number and one.get("ticket_id") == row.get("ticket_id")]
        whole = None if unread or not 0 < pct <= _WHOLE else _is_whole(row, pct, same)
        if pct == _WHOLE and not unread:
            found[number] = row
        elif whole is None:
            cause = "are split, and nobody can tell which bushels are this farm's"
            why = _Why(cause, "Write this farm's own bushels into the file.", "load_split")
            left.setdefault(why, []).append(_called(number, row))
        else:
            found[number] = _share(row, pct, whole)
    return found


def _share(row: _Row, pct: Fraction, whole: tuple[str, ...]) -> _Row:
    """Return a load with this farm's part of the amounts that are of the whole ticket."""
    parts = {name: number_out((_amount(row, name) or Fraction()) * pct / _WHOLE)[0] for name in whole if row.get(name)}
    said = " and ".join(
        f"{row[name]} {unit}" for name, unit in (("net_bushels", "bu"), ("net_lb", "lb")) if name in parts
    )
    told = f"{number_out(pct)[0]} % of {said}." if said else f"A share of {number_out(pct)[0]} %."
    return {**row, **parts, "note": " ".join(filter(None, (row.get("note", ""), told)))}


def _is_whole(row: _Row, pct: Fraction, same: Sequence[_Row]) -> tuple[str, ...] | None:
    """Return which amounts of a split line are those of the whole ticket; None where nobody can tell.

    They are held against the pounds over the scale, gross less tare; else bushels against pounds, of which one may be
    the share and the other the whole; else against the lines of the other owners.
    """
    bushels, pounds, gross, tare = (_amount(row, name) for name in ("net_bushels", "net_lb", "gross_lb", "tare_lb"))
    weight, moisture = BUSHEL_LB.get(row.get("crop", "").casefold()), _amount(row, "moisture_pct")
    scaled = gross - tare if gross is not None and tare is not None else None
    dry = bushels * weight / 1000 if bushels is not None and weight is not None else None
    least = _LEAST_SHRUNK if moisture is None else min(Fraction(1), (_WHOLE - moisture) / _DRIEST) * _SHRUNK_TOO
    of_pounds = _fits(pounds, scaled, pct, 1 - _ROUNDED)
    of_bushels = _fits(dry, pounds if scaled is None else scaled, pct, least)
    if scaled is None:  # pounds and bushels alike are both of the whole, or both of the share
        of_bushels, of_pounds = (False, True) if of_bushels is False else (None, None)
    of_bushels = _by_others(row, "net_bushels", pct, same) if of_bushels is None else of_bushels
    of_pounds = _by_others(row, "net_lb", pct, same) if of_pounds is None else of_pounds
    known = [(name, is_of) for name, is_of in (("net_bushels", of_bushels), ("net_lb", of_pounds)) if row.get(name)]
    if not known or known[0][1] is None:
        return None
    return tuple(name for name, is_of in known if is_of or (is_of is None and of_bushels))


def _fits(amount: Fraction | None, whole: Fraction | None, pct: Fraction, least: Fraction) -> bool | None:
    """Tell whether an amount is the whole (True) or the share of it (False); None where it may be both or neither."""
    if not whole or amount is None:
        return None
    most = 1 + _ROUNDED
    is_whole, is_part = (least * part <= amount / whole <= most * part for part in (Fraction(1), pct / _WHOLE))
    return is_whole if is_whole != is_part else None


def _by_others(row: _Row, name: str, pct: Fraction, same: Sequence[_Row]) -> bool | None:
    """Tell by the other owners' lines of a ticket: amounts of the whole are the same, shares go as their percents."""
    amount, parts = _amount(row, name), [(_amount(one, "split_pct"), _amount(one, name)) for one in same]
    of_all = {at for at, _ in parts} | {pct}
    if amount is None or not parts or len(of_all) == 1 or any(at is None or other is None for at, other in parts):
        return None
    if all(other == amount for _, other in parts):
        return True
    goes = all(abs((other or 0) * pct - amount * (at or 0)) * 50 <= amount * (at or 0) for at, other in parts)
    return False if goes else None


def join_shares(incoming: IncomingTable, *, accept: bool) -> None:
    """Let the shares of a ticket be one row of a table of scale tickets, and tell of them.

    A load that was split over contracts, owners or fields is printed once for each share (600 and 400 bushels). Where
    anything but amounts and field differs, or the pounds of the load are not those of the bushels of its rows, nobody
    can tell, and the rows stay out until a person says which is right, or accepts them as shares.
    """
    table, gone, wholes = incoming.table, set[int](), dict[int, _Row]()
    groups = grouped(
        ((row.get("farm_id", ""), row.get("ticket_id", "")), (number, row)) for number, row in incoming.numbered()
    )
    problems = incoming.problems
    for (_, ticket), same in groups.items():
        whole = _whole_ticket_row([row for _, row in same]) if ticket and len(same) > 1 else None
        proven = _is_proven(whole) if whole else None
        if whole is None or proven is False:
            continue
        amount = "net_bushels" if "net_bushels" in whole else "net_lb"
        shown = " and ".join(row.get(amount, "") for _, row in same)
        fields = list(dict.fromkeys(row.get("unit_id", "") for _, row in same))
        of_fields = f" of {listed(fields)}, so it names no field" if len(fields) > 1 else ""
        cause = f"ticket {ticket} stands in rows {listed(number for number, _ in same)} with {shown}{of_fields}"
        place = Place(table.file, table.sheet, same[0][0], "ticket_id")
        if accept or proven:
            gone |= {number for number, _ in same[1:]}
            wholes[same[0][0]] = whole
            told = f"{cause}: shares of one load, which make {whole.get(amount, '')}."
            problems.append(doubt(place, told, "Confirm it.", "shares_added"))
        else:
            remedy = "If they are shares of one load, import with --accept and they are added up."
            problems.append(doubt(place, f"{cause}.", remedy, "shares_asked"))
    incoming.set_rows(row for row in table.rows if row[0] not in gone)
    incoming.set_cells(lambda number, _: wholes.get(number, {}))


def _whole_ticket_row(rows: Sequence[_Row]) -> dict[str, str] | None:
    """Return the row of the whole ticket, or None where the rows are no shares of one.

    Pounds that all rows print alike are those of the whole load; bushels of their own are added up. Rows of which two
    are the same say nothing of shares.
    """
    names = rows[0].keys() - {*_AMOUNTS, "unit_id"}
    alike = all(row[name] == rows[0][name] for row in rows for name in names)
    if not alike or any(rows.count(row) > 1 for row in rows):
        return None
    whole, own = dict(rows[0]), False
    for name in whole.keys() & set(_AMOUNTS):
        texts = [row[name] for row in rows]
        try:
            parts = [read_number(text) for text in texts if text]
        except DayTextError:
            return None
        if any(part <= 0 for part in parts) or len(parts) not in (0, len(texts)):
            return None
        if len(set(texts)) > 1:
            whole[name], own = number_out(sum(parts, Fraction()))[0], True
    if len({row.get("unit_id") for row in rows}) > 1:
        whole["unit_id"] = ""
    return whole if own else None
