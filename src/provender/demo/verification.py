"""What the made-up verifier of the example does after the year: freeze, draw, state. Nobody was audited."""

from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from provender.audit.package.pins import Pin, pins_document
from provender.audit.sampling.incoming import incoming_farms, listed
from provender.audit.sampling.population import freeze
from provender.audit.sampling.sample import SampleRequest, draw_sample
from provender.audit.sampling.sample_file import sample_document
from provender.audit.statement.accreditation import Accreditation, Forum, Membership
from provender.audit.statement.statement import Assurance, Opinion, Role, VerificationStatement
from provender.custody.memory_store import MemoryStore
from provender.demo.chain import COOP, LANDOWNER, TRADERS, VERIFIER
from provender.demo.farms import Report
from provender.demo.keys import demo_key
from provender.problem import ProblemsError
from provender.signing.hashes import document_hash

VERIFIER_SEED: Final = "20270108"
"""What the verifier committed after the elevator's list was frozen."""
ISSUED_ON: Final = date(2027, 1, 20)
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
    return sample_document(draw_sample(SampleRequest(freeze(rows), VERIFIER_SEED)))


def verification(sample: dict[str, Any]) -> VerificationStatement:
    """Return the made-up statement about the elevator's year, with the sample that was drawn."""
    forum = Membership(Forum.SUCCESSOR, date(2026, 1, 1), None, "made up for the example")
    accreditation = Accreditation(
        VERIFIER, "ISO 14065:2020", "An accreditor (made up)", "EXAMPLE-1", date(2024, 3, 1), date(2027, 2, 28), (),
        (forum,),
    )  # fmt: skip
    return VerificationStatement(
        number=f"PV-{COOP}-2026",
        audited=COOP,
        audited_name="Prairie Cooperative Elevator",
        role=Role.FIRST_POINT,
        verifier=VERIFIER,
        lead_verifier="L. Example",
        independent_reviewer="R. Example",
        accreditation=accreditation,
        objectives="Show what a statement looks like; nobody was audited.",
        scope="Both sites, corn and soybeans; made up for the example.",
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
        sample_hash=document_hash(sample),
        opinion=Opinion.FAVOURABLE,
        basis="Made up for the example.",
    )


def pinned_keys(farms: Iterable[str]) -> dict[str, Any]:
    """Return the verifier's list of keys: every farm, the landowner, every trader."""
    parties = (*farms, LANDOWNER, *TRADERS, VERIFIER)
    return pins_document(Pin(party, demo_key(party).public, PINNED_BY) for party in parties)
