"""Papers and counts behind a report: a name without a file, a file exchanged, of another unit, kind or day, no paper.

Of each case the paragraph that refuses it stands first among what is said (2100.020(a), .031).
"""

from typing import Final

from tests.proof import changes as c
from tests.proof.outcome import NO, YES, Cases

_PHOTO: Final = "2100.052(b)(5)"
_SEED: Final = "2100.052(b)(1)"
_BOUGHT: Final = "Cover-crop seed bought or kept is enough"
_SOIL: Final = "2100.053(e)(2)"
_INHIBITOR: Final = "2100.053(b)(1)"
_RUN: Final = "2100.031(c)(3)(iii)"
_TOOL: Final = "2100.031(c)(2)(i)"
_NO_COUNT: Final = "Neither an acreage report"
_UNHASHED: Final = "no SHA-256 of the file"


def _e(row: int, **cells: str) -> c.Change:
    return c.of("evidence", row, **cells)


def _ticketed(**cells: str) -> c.Change:
    """Change the paper of the tickets, and leave no acreage report beside them."""
    return c.both(_e(c.TICKETS, **cells), c.less("reported_acres"))


def _two_units() -> c.Change:
    """Let rows of two units name one photograph."""
    cover = c.like("cover_crop", cover_id="C9", unit_id="S12", harvest_id="S25")
    return c.both(_e(c.COVER, unit_id=""), cover)


PAPERS: Final[Cases] = {
    "photograph: a name without a file": (
        _e(c.COVER, file="gone.jpg"), NO, (_PHOTO, "is not there", "the file gone.jpg of E1 is not"),
    ),
    "photograph: no hash on record": (_e(c.COVER, sha256=""), NO, (_PHOTO, _UNHASHED)),
    "photograph: exchanged": (_e(c.COVER, sha256="ab" * 32), NO, (_PHOTO, "changed or exchanged")),
    "photograph: an invoice": (_e(c.COVER, what="invoice"), NO, (_PHOTO, "is filed as invoice")),
    "photograph: of another unit": (_e(c.COVER, unit_id="S12"), NO, (_PHOTO, "belongs to unit S12")),
    "photograph: one for two units": (_two_units(), NO, (_PHOTO, "rows of several units name it")),
    "photograph: before seeding": (_e(c.COVER, taken_on="2024-10-08"), NO, (_PHOTO, "E1 is of 2024-10-08")),
    "photograph: of the day of seeding": (_e(c.COVER, taken_on="2024-10-09"), YES, ""),
    "photograph: of the day of termination": (_e(c.COVER, taken_on="2025-04-16"), YES, ""),
    "photograph: after termination": (_e(c.COVER, taken_on="2025-04-17"), NO, (_PHOTO, "2025-04-17")),
    "photograph: of no day": (_e(c.COVER, taken_on=""), NO, (_PHOTO, "it has no day")),
    "photograph: none named": (c.of("cover_crop", established_photo=""), NO, _PHOTO),
    "seed: file deleted": (_e(c.SEED, file="gone.pdf"), NO, (_SEED, "is not there")),
    "seed: a photograph as invoice": (c.of("seed_purchase", evidence="E1"), NO, (_SEED, "is filed as photograph")),
    "seed: a name that names nothing": (
        c.of("seed_purchase", evidence="E77"), NO, (_SEED, "E77 is the name of no evidence record"),
    ),
    "seed: one sound paper beside a broken one": (c.of("seed_purchase", evidence="E77; E3"), YES, ""),
    "seed: no paper": (c.of("seed_purchase", evidence=""), NO, (_SEED, _BOUGHT)),
    "seed: no day": (c.of("seed_purchase", received_on=""), NO, (_SEED, _BOUGHT)),
    "seed: no supplier": (c.of("seed_purchase", supplier=""), NO, (_SEED, _BOUGHT)),
    "seed: received after seeding": (c.of("seed_purchase", received_on="2024-10-10"), NO, (_SEED, _BOUGHT)),
    "seed: paper of another year": (_e(c.SEED, taken_on="2026-09-20"), NO, (_SEED, "2026-09-20")),
    "soil test: no report": (c.of("soil_test", evidence=""), NO, _SOIL),
    "soil test: report older than sample": (
        _e(c.SOIL, taken_on="2023-11-04"), NO, (_SOIL, "cannot have been made"),
    ),
    "soil test: exchanged": (_e(c.SOIL, sha256="cd" * 32), NO, (_SOIL, "changed or exchanged")),
    "inhibitor: no day": (c.of("inhibitor_purchase", received_on=""), NO, _INHIBITOR),
    "inhibitor: no supplier": (c.of("inhibitor_purchase", supplier=""), NO, _INHIBITOR),
    "inhibitor: no paper": (c.of("inhibitor_purchase", evidence=""), NO, _INHIBITOR),
    "inhibitor: received after it was used": (c.of("inhibitor_purchase", received_on="2025-04-29"), NO, _INHIBITOR),
    "inhibitor: file deleted": (_e(c.INHIBITOR, file="gone.pdf"), NO, (_INHIBITOR, "is not there")),
    "printout: none": (c.of("calculator_run", evidence=""), NO, (_RUN, "No printout of this run is on file")),
    "printout: names nothing": (c.of("calculator_run", evidence="E77"), NO, (_RUN, "E77")),
    "printout: file deleted": (_e(c.RUN, file="gone.pdf"), NO, (_RUN, "is not there")),
    "printout: exchanged": (_e(c.RUN, sha256="ef" * 32), NO, (_RUN, "changed or exchanged")),
    "printout: no hash on record": (_e(c.RUN, sha256=""), NO, (_RUN, _UNHASHED)),
    "printout: of another unit": (_e(c.RUN, unit_id="S12"), NO, (_RUN, "E2 belongs to unit S12")),
    "printout: older than the run": (_e(c.RUN, taken_on="2025-12-18"), NO, (_RUN, "cannot have been made")),
    "printout: a photograph of rye": (c.of("calculator_run", evidence="E1"), NO, (_RUN, "photograph")),
    "harvest: counted nowhere": (
        c.both(c.less("reported_acres"), c.less("bushel_total")), NO,
        (_RUN, _NO_COUNT, "nothing shows that the whole harvest is in"),
    ),
    "harvest: no acreage report": (c.less("reported_acres"), YES, ""),
    "harvest: no count, and a moisture": (c.both(c.less("bushel_total"), c.dry()), YES, ""),
    "harvest: no count and no moisture": (c.less("bushel_total"), NO, (_RUN, "nothing shows that its bushels are dry")),
    "harvest: counted by a paper of no named kind, and no acreage report": (
        _ticketed(what="other"), NO, (_RUN, "which counts nothing"),
    ),
    "seed: a paper of no named kind": (_e(c.SEED, what="other"), NO, (_SEED, "is filed as other")),
    "soil test: a paper of no named kind": (_e(c.SOIL, what="other"), NO, _SOIL),
    "inhibitor: a paper of no named kind": (_e(c.INHIBITOR, what="other"), NO, _INHIBITOR),
    "harvest: tickets and acres that no paper shows": (
        c.both(c.of("bushel_total", evidence=""), c.of("reported_acres", evidence="")), NO, (_RUN, _NO_COUNT),
    ),
    "harvest: measured bins that no paper shows, and no acreage report": (
        c.both(c.of("bushel_total", what="bin_measurement", evidence=""), c.less("reported_acres")), NO,
        (_RUN, "no evidence is named"),
    ),
    "harvest: counted by a yield log, and no acreage report": (
        _ticketed(what="machine_file"), NO, (_RUN, "which counts nothing"),
    ),
    "harvest: tickets of the year before, and no acreage report": (
        _ticketed(taken_on="2024-11-03"), NO, (_RUN, "before the first day of this harvest"),
    ),
    "harvest: a count whose file is gone, and no acreage report": (
        _ticketed(file="gone.pdf"), NO, (_RUN, "gone.pdf of E9 is not there"),
    ),
    "harvest: tickets 1.1 % short": (c.of("bushel_total", bushels="9395"), NO, (_RUN, "more than counted")),
    "harvest: 3.2 % of the acres missing": (c.of("reported_acres", acres="53.7"), NO, (_RUN, "more than the units")),
    "harvest: feed without evidence": (
        c.counted("fed", "500", "9000", evidence=""), NO, (_RUN, "no evidence is named"),
    ),
    "harvest: feed by a file that is gone": (
        c.counted("fed", "500", "9000", evidence="E77"), NO, (_RUN, "E77 is the name of no evidence record"),
    ),
    "calculator: GREET 2024": (
        c.of("calculator_run", calculator="GREET", version="2024"), NO, (_TOOL, "The result is UNLISTED"),
    ),
    "calculator: FD-CIC 2025 beta 0.9 as final": (
        c.of("calculator_run", calculator="FD-CIC", version="2025 beta 0.9"), NO, (_TOOL, "UNLISTED"),
    ),
    "calculator: a listed beta as final": (
        c.of("calculator_run", version="made up 9.9 beta"), NO, (_TOOL, "The result is PRELIMINARY"),
    ),
}  # fmt: skip
