"""What ends or is due within sixty days: soil tests, accreditation, statements, contracts, whom one lets in."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from provender.custody.model.entities import Opinion
from provender.database.models import Audit, CustodyContract, CustodyVerification, Organisation, ReadGrant, Review
from provender.database.store.audits import accreditation_of, statement_of
from provender.database.store.custody_lists import names_of
from provender.practices.due import years_later
from provender.records import KINDS
from provender.rule.version import rule_version
from provender.services.audits.days_said import agreed_ending, covered_ending
from provender.services.audits.standing import cycle_of, trading_roles
from provender.services.farm.book import FarmBook, is_farm, opened_book_of

DAYS: Final = 60
"""Before the end it is shown, and as long afterwards while nothing took its place."""
GOOD: Final = tuple(str(one) for one in Opinion if one.good)


@dataclass(frozen=True, slots=True)
class Ending:
    """Something that ends.

    Attributes:
        what: it is.
        last: the last day on which it counts.
        page: the name of the page where it is renewed.
        about: what the page's address names beside the organisation.
        query: what the address asks for besides.
    """

    what: str
    last: date
    page: str
    about: tuple[object, ...] = ()
    query: tuple[tuple[str, str], ...] = ()

    def left(self, today: date) -> int:
        """Return the days until then, below zero afterwards."""
        return (self.last - today).days


def endings(organisation: Organisation, today: date) -> list[Ending]:
    """Return what ends within sixty days of a day, the soonest first."""
    found = [*_accreditation(organisation), *_trade(organisation), *_doors(organisation, today)]
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
        unit = str(row.get("unit_id") or "")
        try:
            day = date.fromisoformat(str(row.get("sampled_on") or ""))
        except ValueError:
            continue  # a test without a day is told among the gaps
        if unit:
            newest[unit] = max(newest.get(unit, (day, key)), (day, key))
    for unit, (day, key) in newest.items():
        about, query = ("soil_test",), (("row", key),)
        yield Ending(f"Soil test of {unit}", years_later(day, years), "farm_row", about, query)


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


def _trade(organisation: Organisation) -> Iterator[Ending]:
    """Yield what a trader buys and sells by: contracts, its own statement, those of its suppliers."""
    contracts = list(CustodyContract.objects.filter(entity=organisation.handle))
    suppliers = {one.counterparty for one in contracts}
    statements = CustodyVerification.objects.filter(
        entity__in={organisation.handle, *suppliers} if contracts else {organisation.handle}, opinion__in=GOOD
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


def _doors(organisation: Organisation, today: date) -> Iterator[Ending]:
    """Yield the days until which verifiers and reviewers may look."""
    open_now = ReadGrant.objects.filter(audited=organisation, revoked_at=None, last_day__gte=today)
    for grant in open_now.select_related("verifier"):
        yield Ending(f"Access of {grant.verifier}", grant.last_day, "grants")
    for review in Review.objects.filter(organisation=organisation, revoked_at=None, last_day__gte=today):
        yield Ending(f"Sign-in of {review.label} as a reviewer", review.last_day, "reviewers")
