"""Every way to tamper with the packages of the example chain, and whether verification named it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from provender.custody.documents.build import PERIOD, TRANSFER
from provender.demo.parties import demo_key
from tests.audit.forge import FORGER, Files, later, moved
from tests.audit.prairie import (
    CRUSHER,
    ELEVATOR,
    AuditFiles,
    FarmFiles,
    HouseFiles,
    Party,
    audit_party,
    farm_party,
    house_party,
    verify,
)
from tests.audit.prairie_books import (
    OR,
    bushels_of_farm,
    ci_of_farm,
    close_dropped,
    crushed_more,
    crushing_yield,
    loss_hidden,
    lot_border,
    moved_between_farms,
    period_border,
    received_less,
    received_lower_ci,
    sale_dropped,
    slip_dropped,
    sold_less,
    sold_on_another_day,
)
from tests.audit.prairie_draw import (
    amount_listed_lower,
    drawn_farm_exchanged,
    drawn_farm_not_packed,
    farm_left_out,
    other_county,
)
from tests.audit.prairie_evidence import (
    boundary_moved,
    evidence_dropped,
    evidence_dropped_with_record,
    evidence_swapped,
    evidence_swapped_with_hash,
    photo_day,
    photo_place,
    printout_forged,
    printout_ignored,
)
from tests.audit.prairie_papers import (
    farm_report_forged,
    forged_paper,
    line_dropped,
    paper_dropped,
    report_dropped,
    slip_forged,
)
from tests.audit.prairie_records import (
    acres,
    bushels,
    counted,
    declared,
    depth,
    harvest_date,
    moved_between_units,
    national_default,
    pass_date,
    pass_dropped,
    planted,
    reported_acres,
    run_ci,
    run_county,
    run_practice,
)
from tests.audit.prairie_reports import (
    attestation_reworded,
    edited,
    edited_under_signature,
    producer_renamed,
    second_report,
    signature_of_forger,
    signature_taken_off,
    verdict_in_report,
    version_of_nothing,
)

OfFarm = Callable[[FarmFiles], str]
OfHouse = Callable[[HouseFiles], str]
"""Changes the files and returns what a difference must name; of several things, one (``OR``) is enough."""
SHOWN: Final = 2000
"""Letters of what verification said instead, where a tampering was not named."""
AUDIT: Final = "audit"
"""The whole audit as one package."""


@dataclass(frozen=True)
class Tampering:
    """One way to tamper.

    Attributes:
        apply: the change.
        codes: what the code of the naming difference begins with.
        house: whose package; empty for a farm's.
        remake: what the changed records or book give is made anew and signed: by a farm with the key of its choice, by
            a house with its own; copies in other hands still tell.
        sealed: the book is sealed again after the change.
    """

    apply: Any
    codes: tuple[str, ...]
    house: str = ""
    remake: bool = False
    sealed: bool = True

    @property
    def name(self) -> str:
        """Return what it is called."""
        whose = self.house or "a farm"
        return f"{self.apply.__name__.strip('_')} of {whose}{', papers made again' if self.remake else ''}"


BOTH: Final = ("report_differs:", "copy_differs:")
RECORDS: Final = (*BOTH, "record_changed:")
"""A row is named itself where the farm's leaves open the roots; papers made again are held against what others hold."""
PHOTO: Final = ("photo_outside_field", "photo_outside_season", "photo_day_differs")
BOOK: Final = ("book_", "transfer_differs", "slip_differs", "balance_differs", "copies_differ", "signed_with_other_key")
FARM: Final = (
    "wrong_ci_of_farm",
    "wrong_bushels_of_farm",
    "report_",
    "other_report",
    "signed_with",
    "signature_",
    "copy",
)
RECEIVED: Final = ("booked_otherwise", "book_", "document_not_booked")
"""A line of few bushels falls below none, and the book cannot take the document in at all."""
_RECORDS: Final[tuple[OfFarm, ...]] = (
    depth, pass_date, pass_dropped, bushels, moved_between_units, harvest_date, acres, run_ci, run_practice,
    run_county, national_default, planted, declared, counted, reported_acres,
)  # fmt: skip
_BOOKS: Final[tuple[tuple[OfHouse, tuple[str, ...], str], ...]] = (
    (sold_less, BOOK, ELEVATOR), (sold_on_another_day, BOOK, ELEVATOR), (lot_border, BOOK, ELEVATOR),
    (moved_between_farms, BOOK, ELEVATOR), (ci_of_farm, FARM, ELEVATOR), (bushels_of_farm, FARM, ELEVATOR),
    (period_border, ("book_",), ELEVATOR), (close_dropped, BOOK, ELEVATOR), (slip_dropped, BOOK, ELEVATOR),
    (sale_dropped, BOOK, ELEVATOR), (crushing_yield, BOOK, CRUSHER), (crushed_more, BOOK, CRUSHER),
    (received_lower_ci, RECEIVED, CRUSHER), (received_less, RECEIVED, CRUSHER), (sold_less, BOOK, CRUSHER),
)  # fmt: skip

TAMPERINGS: Final[tuple[Tampering, ...]] = (
    *(Tampering(one, RECORDS) for one in _RECORDS),
    *(Tampering(one, BOTH, remake=True) for one in _RECORDS),
    *(Tampering(one, PHOTO) for one in (photo_place, photo_day, boundary_moved)),
    *(Tampering(one, PHOTO, remake=True) for one in (photo_place, photo_day)),
    Tampering(evidence_swapped, ("evidence_swapped",)),
    Tampering(evidence_swapped_with_hash, ("evidence_swapped",)),
    Tampering(evidence_swapped_with_hash, ("evidence_swapped",), remake=True),
    Tampering(evidence_dropped, ("evidence_missing",)),
    Tampering(evidence_dropped_with_record, ("evidence_record_missing",)),
    Tampering(printout_forged, ("evidence_swapped",)),
    Tampering(printout_forged, ("evidence_swapped",), remake=True),
    Tampering(printout_ignored, ("printout_differs",)),
    *(Tampering(edited(name), BOTH) for name in ("total_bushels", "farm_ci_g_per_bu", "total_acres")),
    *(Tampering(one, BOTH) for one in (verdict_in_report, producer_renamed, attestation_reworded)),
    Tampering(signature_of_forger, ("signed_with_other_key",)),
    Tampering(signature_taken_off, ("not_signed",)),
    Tampering(edited_under_signature, ("signature_signature_wrong",)),
    Tampering(second_report, ("second_report",)),
    Tampering(version_of_nothing, ("version_chain_broken",)),
    *(Tampering(one, codes, house) for one, codes, house in _BOOKS),
    *(Tampering(one, codes, house, remake=True) for one, codes, house in _BOOKS),
    Tampering(loss_hidden, BOOK, ELEVATOR),
    Tampering(forged_paper(TRANSFER, "title_date", lambda _, day: later(day, 1)), ("signed_with",), ELEVATOR),
    Tampering(forged_paper(TRANSFER, "crop_used_bu", lambda _, text: moved(text, "9")), BOOK, ELEVATOR),
    Tampering(forged_paper(PERIOD, "end", lambda _, day: later(day, -2)), BOOK, ELEVATOR),
    Tampering(slip_forged, ("slip_differs", "signed_with"), ELEVATOR),
    Tampering(paper_dropped, ("paper_missing",), ELEVATOR),
    Tampering(paper_dropped, ("paper_missing",), CRUSHER),
    Tampering(report_dropped, ("report_not_kept",), ELEVATOR),
    Tampering(farm_report_forged, FARM, ELEVATOR),
    *(Tampering(one, ("population_differs",), AUDIT) for one in (farm_left_out, amount_listed_lower, other_county)),
    Tampering(drawn_farm_exchanged, ("sample_differs",), AUDIT),
    Tampering(drawn_farm_not_packed, ("part_missing",), AUDIT),
    Tampering(line_dropped, ("book_seal",), ELEVATOR, sealed=False),
    Tampering(line_dropped, ("book_seal",), CRUSHER, sealed=False),
)


def forged(folder: Path, tampering: Tampering, farms: tuple[str, ...], seed: str) -> str:
    """Tamper as told, verify, and return what verification failed to say; empty when it named everything."""
    party, named, files = _tampered(folder, tampering, farms, Random(seed))
    found = verify(folder, party, files, held=tampering.remake)
    told = [str(one) for one in found.differences if one.code.startswith(tampering.codes)]
    if any(name in text for name in named.split(OR) for text in told):
        return ""
    what = f"{tampering.name} ({party.name}), seed {seed!r}: {named[:SHOWN]!r} of {tampering.codes}"
    return f"{what} is not in:\n{found.text[:SHOWN]}"


def _tampered(folder: Path, tampering: Tampering, farms: tuple[str, ...], rng: Random) -> tuple[Party, str, Files]:
    if tampering.house == AUDIT:
        party = audit_party(folder, farms)
        audit = AuditFiles(dict(party.files), rng)
        return party, tampering.apply(audit), audit.files
    if not tampering.house:
        party = farm_party(folder, rng.choice(farms))
        farm = FarmFiles(party.name, dict(party.files), rng)
        named = tampering.apply(farm)
        if tampering.remake:
            farm.remake(rng.choice((FORGER, demo_key(party.name))))
        return party, named, farm.files
    party = house_party(folder, tampering.house)
    house = HouseFiles(tampering.house, dict(party.files), rng)
    named = tampering.apply(house)
    if tampering.sealed:
        house.seal()
    if tampering.remake:
        house.remake()
    return party, named, house.files
