"""Writing the chain into a server: its parties, their books, and the custody book they share.

A party's id in the chain is the code (handle) of its organisation, so events, origins and signed documents name the
same parties here as in the four separate books of ``provender demo chain``.
"""

from datetime import date, timedelta
from typing import Final

from provender.custody.events.registry import read_event
from provender.custody.model.statuses import Status
from provender.custody.store import post
from provender.database.actor import Actor
from provender.database.actor import today as today_here
from provender.database.choices import Right, Role
from provender.database.models import Organisation, Person
from provender.database.store.custody import SqlStore
from provender.demo.audit import begin_audit
from provender.demo.cast import CAST, CONSULTANT, VERIFIER
from provender.demo.chain import QUARTERS, Chain, build_chain
from provender.demo.farm_books import write_farms
from provender.demo.farms import Report, farm_frames, farm_id, signed_reports
from provender.demo.handles import COOP, CRUSHER, DIESEL, as_posted
from provender.demo.papers import sign_papers
from provender.demo.sealed_keys import seal_for_farm, seal_for_party, seal_for_verifier
from provender.services.accounts.grants import enter_contract, grant_reading
from provender.services.accounts.organisations import add_member, create_organisation
from provender.services.accounts.people import create_person

SEED: Final = 2100
BY: Final = Actor(None, "demo")
ADVISED: Final = 12
"""Farms whose books the consultant keeps."""
GRANTED_DAYS: Final = 365


def load_chain(farms: int, today: date | None) -> None:
    """Make the chain's parties with their books and papers; ``farms`` and ``today`` as in ``server.load_demo``.

    Raises:
        RuntimeError: an event of the chain was refused.
    """
    reports = list(signed_reports(SEED, farms))
    chain = build_chain(SEED, reports)
    if today is not None and today > QUARTERS[0][1]:
        chain.events = [event for event in chain.events if event["day"] <= today.isoformat()]
    organisations, managers = _organisations(reports, farms)
    _contracts(chain, organisations, managers)
    write_farms(SEED, farms, organisations, managers, reports)
    _post(chain)
    sign_papers([as_posted(event) for event in chain.events], organisations, managers)
    _visitors(organisations, managers, farms)
    seal_for_farm(organisations[farm_id(0)], managers[farm_id(0)])
    seal_for_verifier(organisations[VERIFIER], managers[VERIFIER])
    for party in (COOP, CRUSHER, DIESEL):
        seal_for_party(organisations[party], managers[party])
    if today is not None:
        begin_audit(organisations, VERIFIER, today, actor=Actor(managers[VERIFIER], BY.via))


def _organisations(reports: list[Report], farms: int) -> tuple[dict[str, Organisation], dict[str, Person]]:
    """Make every organisation with somebody who manages it, and return both by code."""
    organisations, managers = {}, {}
    for part in CAST:
        managers[part.handle] = create_person(part.email, name=part.person, password=None, actor=BY)
        organisations[part.handle] = create_organisation(
            part.organisation, roles=part.roles, manager=managers[part.handle], county=part.county, state="KS",
            handle=part.handle, actor=BY,
        )  # fmt: skip
    names = {one.farm: one.name for one in reports}
    counties = farm_frames(SEED, farms)["farm"]["county"].to_list()
    for number, county in enumerate(counties):
        farm = farm_id(number)
        if farm in organisations:
            continue
        family = names[farm].split()[0]
        # Nobody signs in as these: they are there so that each farm has somebody who let the verifier in.
        managers[farm] = create_person(f"{farm}@farms.example", name=f"{family} (made up)", password=None, actor=BY)
        organisations[farm] = create_organisation(
            names[farm], roles=[Role.FARM], manager=managers[farm], county=county, state="KS", handle=farm, actor=BY
        )
    return organisations, managers


def _contracts(chain: Chain, organisations: dict[str, Organisation], managers: dict[str, Person]) -> None:
    """Enter the chain's contracts of supply in the buyers' registers."""
    for event in (as_posted(one) for one in chain.events if one["type"] == "contract"):
        buyer, seller = event["entity"], event["counterparty"]
        if event["role"] != "supplier" or seller not in organisations:
            continue
        enter_contract(
            organisations[seller], organisations[buyer], number=event["number"],
            signed_on=read_event(event).day, actor=Actor(managers[buyer], BY.via),
        )  # fmt: skip


def _post(chain: Chain) -> None:
    store = SqlStore(BY)
    for event in chain.events:
        outcome = post(store, read_event(as_posted(event)))
        if outcome.status is not Status.POSTED:
            raise RuntimeError(f"{event['id']}: {outcome.status}: {outcome.message}")


def _visitors(organisations: dict[str, Organisation], managers: dict[str, Person], farms: int) -> None:
    """Let the consultant write for some farms, and the verifier read the elevator and its farms."""
    for number in range(min(ADVISED, farms)):
        add_member(
            organisations[farm_id(number)], managers[CONSULTANT], Right.WRITE, actor=BY,
            on_behalf_of=organisations[CONSULTANT],
        )  # fmt: skip
    today = today_here()
    for handle in (COOP, *(farm_id(number) for number in range(farms))):
        grant_reading(
            organisations[handle], organisations[VERIFIER], first_day=today - timedelta(days=7),
            last_day=today + timedelta(days=GRANTED_DAYS), purpose="Audit of the elevator",
            actor=Actor(managers[handle], BY.via),
        )  # fmt: skip
