"""What the made-up verifier of the example does after the year: freeze, draw, state. Nobody was audited."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Any, Final

from provender.audit.package.keys import Pin, pins_document
from provender.audit.programme import Role, assertions_of
from provender.audit.sampling.before import sample_hash
from provender.audit.sampling.population import freeze, incoming_farms, listed
from provender.audit.sampling.sample import SampleRequest, draw_notes, draw_sample, sample_document
from provender.audit.sampling.seed import Opened, Side, commitment, freeze_list
from provender.audit.statement.accreditation import Accreditation, Forum, Membership
from provender.audit.statement.opinion import scope_of
from provender.audit.statement.papers import Papers, blank_work
from provender.audit.statement.statement import Assurance, Opinion, VerificationStatement
from provender.custody.book_file import BookFile
from provender.custody.documents.build import marked, period_document
from provender.custody.events.closing import Closing
from provender.custody.store import MemoryStore
from provender.demo.chain import LANDOWNER, TRADERS, VERIFIER
from provender.demo.farms import Report
from provender.demo.parties import COOP, demo_key
from provender.problem import ProblemsError

SECRETS: Final = {
    Side.AUDITED: "made-up secret of the elevator, 2026",
    Side.VERIFIER: "made-up secret of the verifier, 2026",
}
"""What each side committed to before the elevator's list was frozen, and opened after it."""
YEAR: Final = 2026
FROZEN_ON: Final = date(2027, 1, 8)
ISSUED_ON: Final = date(2027, 1, 20)
REVIEWED_ON: Final = "2027-01-18"
SEEN_ON: Final = "2027-01-12"
LEAD: Final = "L. Example"
REVIEWER: Final = "R. Example"
MADE_UP: Final = "Made up for the example."
PINNED_BY: Final = "made-up contract of the example"


def sample_of(store: MemoryStore, reports: Iterable[Report]) -> dict[str, Any]:
    """Draw the farm sample from the elevator's book and the reports it holds, as ``provender audit sample`` does.

    Raises:
        ProblemsError: a supplying farm's report is not among them.
    """
    documents = [one["document"] for report in reports for one in (report.envelope, report.amended) if one]
    rows, problems = listed(incoming_farms(store, COOP), documents, COOP)
    if problems:
        raise ProblemsError(problems)
    population = freeze(rows)
    made = {side: commitment(secret) for side, secret in SECRETS.items()}
    frozen = freeze_list(
        population, YEAR, {}, made, between=(COOP, VERIFIER), day=FROZEN_ON, salt="made-up salt of the example"
    )
    return sample_document(draw_sample(SampleRequest(population, frozen, Opened(SECRETS, on=FROZEN_ON))))


def seed_parts() -> dict[str, dict[str, Any]]:
    """Return the secret of each side as ``provender audit seed`` writes it."""
    return {
        f"seed-{side}": {"kind": "provender/seed-part", "secret": secret, "commitment": commitment(secret)}
        for side, secret in SECRETS.items()
    }


def _engagement() -> dict[str, Any]:
    """Return a made-up engagement with every part."""
    people = ((LEAD, "lead verifier"), (REVIEWER, "independent reviewer"))
    cites = assertions_of(Role.FIRST_POINT)
    texts = (
        "engaged_by", "addressee", "party_responsibility", "verifier_responsibility", "impartiality", "sampling_plan",
        "later_facts",
    )  # fmt: skip
    return {
        **dict.fromkeys(texts, MADE_UP),
        "engaged_on": "2026-01-05",
        "team": [{"name": name, "part": part, "competence": MADE_UP} for name, part in people],
        "risks": [{"risk": MADE_UP, "cite": cites[0], "level": "middle", "response": MADE_UP}],
        "procedures": [{"cite": cite, "procedure": MADE_UP, "evidence": MADE_UP, "result": MADE_UP} for cite in cites],
        "reviewed_on": REVIEWED_ON,
        "retention_years": 10,
    }


def _work(sample: dict[str, Any], book: BookFile) -> dict[str, Any]:
    """Return the work as if every line had been answered and every drawn farm seen, with the closed periods."""
    store = book.store
    # The statements that the elevator signed: each carries the head of its book.
    periods = [marked(period_document(store, COOP, one.start), book.lines) for one in store.many(Closing, COOP)]
    blank = blank_work([Role.FIRST_POINT], Papers(sample, records=periods))
    done = {"answer": "done", "by": LEAD, "on": SEEN_ON}
    seen = {"way": "visit", "by": LEAD, "on": SEEN_ON}
    return {
        **blank,
        "lines": [{**row, **done} for row in blank["lines"]],
        "sites": [{"site": site, "seen": MADE_UP, **seen} for site in ("north", "south")],
        "farms": [{**row, **seen} for row in blank["farms"]],
    }


def verification(sample: dict[str, Any], book: BookFile) -> VerificationStatement:
    """Return the made-up statement about the elevator's year, with the sample that was drawn from its book."""
    forum = Membership(Forum.SUCCESSOR, date(2026, 1, 1), None, "made up for the example")
    accreditation = Accreditation(
        VERIFIER, "ISO 14065:2020", "An accreditor (made up)", "EXAMPLE-1", date(2024, 3, 1), date(2027, 2, 28), (),
        (forum,), MADE_UP, VERIFIER,
    )  # fmt: skip
    one = VerificationStatement(
        number=f"PV-{COOP}-2026",
        audited=COOP,
        audited_name="Prairie Cooperative Elevator",
        role=Role.FIRST_POINT,
        verifier=VERIFIER,
        verifier_name=VERIFIER,
        lead_verifier=LEAD,
        independent_reviewer=REVIEWER,
        accreditation=accreditation,
        objectives="Show what a statement looks like; nobody was audited.",
        scope="",
        criteria=("7 CFR part 2100, 90 FR 5512",),
        crops=("corn", "soybeans"),
        covered_first=date(2026, 1, 1),
        covered_last=date(2026, 12, 31),
        issued_on=ISSUED_ON,
        assurance=Assurance.REASONABLE,
        materiality_pct=5_000,
        materiality="Applied to claimed bushels of each CI.",
        farms=int(sample["farms"]),
        sampled=len(sample["sample"]),
        sample_hash=sample_hash(sample),
        draw=tuple(draw_notes(sample)),
        engagement=_engagement(),
        work=_work(sample, book),
        opinion=Opinion.FAVOURABLE,
        basis=MADE_UP,
    )
    return replace(one, scope=scope_of(one))


def pinned_keys(farms: Iterable[str]) -> dict[str, Any]:
    """Return the verifier's list of keys: every farm, the landowner, every trader."""
    parties = (*farms, LANDOWNER, *TRADERS, VERIFIER)
    return pins_document(Pin(party, demo_key(party).public, PINNED_BY) for party in parties)
