"""How an organisation stands today: the number that leads its overview, and those beside it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.utils.formats import date_format

from provender.custody.model.entities import Opinion
from provender.database.actor import Actor
from provender.database.models.accounts import Membership, Organisation, ReadGrant, Review
from provender.database.models.audits import Audit
from provender.database.models.custody import CustodyContract, CustodyVerification
from provender.database.store.custody_lists import in_transit_to, names_of, stock_of
from provender.days import iso_day, years_after
from provender.exact import CI_SCALE, SCALE, half_even, parse, show, show_whole, weighted_mean
from provender.intensity.calculator import Label
from provender.records.kind import KINDS
from provender.rule.law import rule_version
from provender.services.audits.audits import accreditation_of, statement_of
from provender.services.audits.standing import agreed_ending, covered_ending, cycle_of, trading_roles
from provender.services.custody.context import CustodyContext, context_of
from provender.services.farm.book import FarmBook, is_farm, opened_book_of
from provender.services.farm.intensity import ESTIMATED, OFFICIAL_RUNS, intensities_of, leading
from provender.services.refused import refusal
from provender.services.reports.checklist import ReportView, standings_of
from provender.services.reports.drafts import crop_label
from provender.services.reports.signing import bushels_of

_WIDTH: Final = 300
_GRAMS: Final = 1_000_000
"""Grams in a ton of CO2e."""
_MOST: Final = 10_000
"""Dollars a ton that somebody may reckon with."""
_MEANT: Final[Mapping[str, str]] = {
    Label.EXAMPLE: "EXAMPLE: the calculator is made up, and no crop is sold by its figures",
}
"""What a mark beside figures and money means, where it does not say so itself."""
_DOLLARS: Final = re.compile(r"(\d{1,5})(?:\.(\d{1,2}))?", re.ASCII)
_CENTS: Final = 2
KEY: Final = "price"
_AGAINST: Final = {
    OFFICIAL_RUNS: (
        "At the national default",
        "{apart} below the national default",
        "{apart} above the national default",
        "{number} of the national default of {limit}",
    ),
    ESTIMATED: (
        "At the open model's own default",
        "{apart} below the open model's own default",
        "{apart} above the open model's own default",
        "{number} of the open model's own default of {limit}",
    ),
}
"""What a CI is held against, by its source: each against the default of the same, as after a row is saved."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One number with what it means."""

    label: str  # of what it is
    number: str  # as it is shown, without its unit
    unit: str = ""  # behind the number
    note: str = ""  # what it means, in a line
    page: str = ""  # the name of the page it comes from
    share: int | None = None  # of a bar's width, in the units of ``_WIDTH``; None without a bar
    bar: str = ""  # what the bar shows, in words
    about: tuple[object, ...] = ()  # what the page's address names beside the organisation
    query: tuple[tuple[str, str], ...] = ()  # what the address asks for besides


def price_of(membership: Membership | None) -> int | None:
    """Return the cents a ton that a member reckons with here; None where they typed none, or only visit."""
    return membership.ton_price if membership else None


def keep_price(membership: Membership, text: str) -> None:
    """Keep the dollars a ton that a member reckons with until they type others; a blank forgets them.

    It is theirs alone, so no log of the organisation tells it.

    Raises:
        RefusedError: it is no price.
    """
    bare, cents = text.strip().removeprefix("$"), None
    if bare:
        cents = parse(bare, _CENTS) if _DOLLARS.fullmatch(bare) else None
        if cents is None or cents > _MOST * 10**_CENTS:
            remedy = f"Type dollars from 0 to {_MOST:,}, such as 50 or 20.50; a blank forgets the price."
            raise refusal("no_price", f"{text[:20]!r} is no price of a ton.", remedy, column=KEY)
    membership.ton_price = cents
    membership.save(update_fields=["ton_price"])


def dollars(cents: int) -> str:
    """Write a price as it is typed: cents only where there are some."""
    return show(cents, _CENTS, places=_CENTS if cents % 10**_CENTS else 0)


def tiles_of(organisation: Organisation, price: int | None, today: date) -> list[Tile]:
    """Return the numbers of an organisation, the one that leads first.

    Args:
        organisation: whose.
        price: cents a ton of CO2e that somebody reckons with; None for none.
        today: the day.
    """
    found: list[Tile] = []
    if is_farm(organisation) and (farm := opened_book_of(organisation)) is not None:
        found += _farm(farm, price)
    trader = context_of(organisation, actor=Actor(None, "page"), today=today)
    if trader is not None and not is_farm(organisation):
        found += _trade(trader)
    return found


def _farm(farm: FarmBook, price: int | None) -> Iterator[Tile]:
    standings = {one.key: one for one in standings_of(farm)}
    found = sorted(intensities_of(farm), key=lambda one: -int(one["harvest_year"]))
    for one in found[:3]:
        yield _intensity(one, price)
    for one in found[:3]:
        standing = standings.get((one["crop"], one["harvest_year"]))
        if standing is not None:
            yield _report(farm, standing)


def _read_amount(text: str | None, scale: int) -> int | None:
    return None if text is None else parse(text.replace(",", ""), scale)


def _intensity(one: dict[str, Any], price: int | None) -> Tile:
    """Return the carbon intensity of a crop against the national default: by official runs, else the estimate."""
    source = leading(one)
    shown, (same, below, above, part) = one[source], _AGAINST[source]
    ci, default = (_read_amount(shown[name], CI_SCALE) for name in ("ci", "national_default"))
    label, page = f"{one['crop_label']} {one['harvest_year']}", "farm_intensity"
    kind = "" if shown["official"] else f" · {_MEANT.get(shown['label'], shown['label'])}"
    if ci is None or default is None:
        return Tile(label, "—", note="Enter USDA's calculator run to see its carbon intensity.", page=page)
    number, limit = (show_whole(value, CI_SCALE) for value in (ci, default))
    apart = show_whole(abs(default - ci), CI_SCALE)
    said = same if ci == default else (below if ci < default else above).format(apart=apart)
    note = f"{said}{_worth(shown, default - ci, price)}{kind}"
    share = max(0, min(_WIDTH, ci * _WIDTH // default)) if default > 0 else None
    return Tile(label, number, "g CO2e/bu", note, page, share, part.format(number=number, limit=limit))


def _worth(shown: dict[str, Any], below: int, price: int | None) -> str:
    """Return tons saved over all bushels, and their dollars at the price that somebody reckons with."""
    bushels = _read_amount(shown["bushels"], SCALE)
    if not bushels or below <= 0:
        return ""
    grams = below * bushels  # in hundredths of a gram times thousandths of a bushel
    tons = half_even(grams, 10 ** (CI_SCALE + SCALE) * _GRAMS)
    said = f" · {tons:,}\u00a0t over {show_whole(bushels)} bu"
    if price is None:
        return said
    worth = half_even(grams * price, 10 ** (CI_SCALE + SCALE + _CENTS) * _GRAMS)
    each = half_even(below * price * 10, 10**CI_SCALE * _GRAMS)  # tenths of a cent, of one bushel
    return f"{said} · ${worth:,} at your ${dollars(price)} a ton, {show(each, 1, places=1)}¢ a bushel"


def _report(farm: FarmBook, standing: ReportView) -> Tile:
    crop, year = standing.crop, standing.harvest_year
    name = f"{crop_label(crop)} {year}"
    found = bushels_of(farm, standing)
    if found.serials is None:
        blocked = standing.blocked
        things = f"{standing.things} to do before you can sign" if blocked else str(standing.state)
        page: tuple[str, tuple[object, ...]] = ("farm_todo", ()) if blocked else ("farm_report", (crop, year))
        return Tile(f"Report on {name.lower()}", "Not signed", note=things, page=page[0], about=page[1])
    of = f"of {show_whole(found.serials.issued)} in the signed report"
    return Tile(f"{name}, left to sell", show_whole(found.left or 0), "bu", of, "farm_sales")


def _trade(trader: CustodyContext) -> Iterator[Tile]:
    held: dict[str, dict[int, int]] = {}
    for row in stock_of(trader.id):
        of_crop = held.setdefault(row.key.crop, {})
        of_crop[row.key.ci] = of_crop.get(row.key.ci, 0) + row.bushels
    if not held:
        yield Tile("On hand with CI", "0", "bu", "Nothing with a claim is in stock.", "custody_stock")
    # A mean over two crops says nothing of either: each has a default of its own.
    for crop, by_ci in sorted(held.items(), key=lambda one: -sum(one[1].values())):
        mean = weighted_mean(by_ci.items())
        note = "" if mean is None else f"Mean CI {show_whole(mean, CI_SCALE)} g CO2e/bu"
        bushels = show_whole(sum(by_ci.values()))
        label, query = f"{crop.capitalize()} on hand with CI", (("crop", crop),)
        yield Tile(label, bushels, "bu", note, "custody_stock", query=query)
    sent = sum(lot.crop_amount for lot in in_transit_to(trader.id))
    on_way = "Accept it under Incoming." if sent else "Nothing is on its way to you."
    yield Tile("On the way to you", show_whole(sent), "bu", on_way, "custody_incoming")
    if trader.period is not None:
        days = (trader.period.end - trader.today).days
        ends = f"Ends {date_format(trader.period.end, 'DATE_FORMAT')}"
        start = (("start", str(trader.period.start)),)
        yield Tile("Days left of the period", str(days), "", ends, "custody_period", query=start)


# What ends or is due within sixty days: soil tests, accreditation, statements, contracts, whom one lets in.

DAYS: Final = 60
"""Before the end it is shown, and as long afterwards while nothing took its place."""
_GOOD: Final = tuple(str(one) for one in Opinion if one.good)


@dataclass(frozen=True, slots=True)
class Ending:
    """Something that ends."""

    what: str  # it is
    last: date  # the last day on which it counts
    page: str  # the name of the page where it is renewed
    about: tuple[object, ...] = ()  # what the page's address names beside the organisation
    query: tuple[tuple[str, str], ...] = ()  # what the address asks for besides

    def left(self, today: date) -> int:
        """Return the days until then, below zero afterwards."""
        return (self.last - today).days


def endings(organisation: Organisation, today: date) -> list[Ending]:
    """Return what ends within sixty days of a day, the soonest first."""
    found = [*_accreditation(organisation), *_expiry_trade(organisation), *_expiring_access(organisation, today)]
    found += _statements_due(organisation, today)
    if is_farm(organisation) and (farm := opened_book_of(organisation)) is not None:
        found += _soil_tests(farm, today)
    near = [one for one in found if abs(one.left(today)) <= DAYS]
    return sorted(near, key=lambda one: (one.last, one.what))


def _soil_tests(farm: FarmBook, today: date) -> Iterator[Ending]:
    """Yield the last day on which a budget may rest on the newest soil test of each field (2100.053(a)(2))."""
    years = rule_version(today).soil_test_max_years
    newest: dict[str, tuple[date, str]] = {}
    for key, row in farm.of(KINDS["soil_test"]).items():
        unit, day = str(row.get("unit_id") or ""), iso_day(row.get("sampled_on"))
        if unit and day is not None:  # a test without a day is told among the gaps
            newest[unit] = max(newest.get(unit, (day, key)), (day, key))
    for unit, (day, key) in newest.items():
        about, query = ("soil_test",), (("row", key),)
        yield Ending(f"Soil test of {unit}", years_after(day, years), "farm_row", about, query)


def _accreditation(organisation: Organisation) -> Iterator[Ending]:
    shown = accreditation_of(organisation)
    if shown is not None:
        yield Ending(f"Your accreditation by {shown.body}", shown.last, "audit_accreditation")


def _statements_due(organisation: Organisation, today: date) -> Iterator[Ending]:
    """Yield the days for the organisation's next statement: the rule's last one, and those agreed for its audits."""
    for audit in Audit.objects.filter(audited=organisation).select_related("verifier"):
        if statement_of(audit) is None:
            yield Ending(agreed_ending(str(audit.verifier)), audit.due_on, "audit_of_us", (audit.handle,))
    if trading_roles(organisation) and (due := cycle_of(organisation, today).due_on) is not None:
        yield Ending("Your yearly statement: due by the rule", due, "audits_of_us")


def _expiry_trade(organisation: Organisation) -> Iterator[Ending]:
    """Yield what a trader buys and sells by: contracts, its own statement, those of its suppliers."""
    contracts = list(CustodyContract.objects.filter(entity=organisation.handle))
    suppliers = {one.counterparty for one in contracts}
    statements = CustodyVerification.objects.filter(
        entity__in={organisation.handle, *suppliers} if contracts else {organisation.handle}, opinion__in=_GOOD
    )
    names = names_of([*suppliers])
    for one in _latest((contract.counterparty, contract.role, contract.end, contract.number) for contract in contracts):
        partner, _, last, number = one
        yield Ending(f"Contract {number} with {names.get(partner, partner)}", last, "custody_partners")
    for entity, _, last, opinion in _latest((row.entity, "", row.end, row.opinion) for row in statements):
        # Neither the day on which the next statement is due by the rule, nor the one agreed for an audit.
        whose = "" if entity == organisation.handle else names[entity]
        yield Ending(covered_ending(whose, contracted=Opinion(opinion).contracted), last, "custody_partners")


def _latest(rows: Iterable[tuple[str, str, date | None, str]]) -> Iterator[tuple[str, str, date, str]]:
    """Yield the row that ends last of each party and role; nothing of one that runs on."""
    ends: dict[tuple[str, str], tuple[date | None, str]] = {}
    for party, role, last, number in rows:
        known = ends.setdefault((party, role), (last, number))
        if known[0] is not None and (last is None or last > known[0]):
            ends[party, role] = (last, number)
    yield from ((party, role, last, number) for (party, role), (last, number) in ends.items() if last is not None)


def _expiring_access(organisation: Organisation, today: date) -> Iterator[Ending]:
    """Yield the days until which verifiers and reviewers may look."""
    open_now = ReadGrant.objects.filter(audited=organisation, revoked_at=None, last_day__gte=today)
    for grant in open_now.select_related("verifier"):
        yield Ending(f"Access of {grant.verifier}", grant.last_day, "grants")
    for review in Review.objects.filter(organisation=organisation, revoked_at=None, last_day__gte=today):
        yield Ending(f"Sign-in of {review.label} as a reviewer", review.last_day, "reviewers")
