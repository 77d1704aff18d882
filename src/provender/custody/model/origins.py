"""Origins: the bushels of one farm, crop and harvest year, under the versions of one Biofuel Feedstock Report."""

from datetime import date
from enum import StrEnum

from provender.custody.model.event import Record
from provender.custody.model.lots import Piece, Span, length
from provender.schema import frozen
from provender.signing.canonical import blinded


class OriginKind(StrEnum):
    """How an origin came into this store."""

    REPORT = "report"
    """A farm's own report: the serials tile from 0 to its bushels."""
    DOCUMENT = "document"
    """Seen on a transfer document with blinded serials: only the ranges seen are known."""
    FOREIGN = "foreign"
    """A document under 2100.032(c) without serials: issuer and number are the key (interpretation 45)."""
    OPENING = "opening"
    """Stock declared at the start of the first period (interpretation 51)."""


class ReportStanding(StrEnum):
    """Whether the report behind an origin stands."""

    ACTIVE = "active"
    SUSPENDED = "suspended"
    WITHDRAWN = "withdrawn"


@frozen
class Version:
    """One version of a report."""

    number: int  # 1, 2, ..
    day: date  # the day it was signed
    bushels: int  # thousandths of a bushel
    ci: int  # hundredths of a gram CO2e per bushel
    report: str  # hash of the signed report; empty when the report is not at hand
    # the serials it is about, where a giver's notice named some; empty where it is about all of them
    spans: tuple[Span, ...] = ()
    by: str = ""  # the event that entered it

    def is_about(self, start: int, stop: int) -> bool:
        """Tell whether it is about any of some serials."""
        return not self.spans or any(start < high and low < stop for low, high in self.spans)


@frozen
class Origin(Record, kind="origin", key="id"):
    """Where serials come from."""

    id: str  # what lots and events call it: blinded when the farm's salt is known
    form: str  # the crop, or the product a foreign document is about
    issuer: str  # the farm, or who wrote the document or the declaration
    crop: str  # ``corn``, ``soybeans`` or ``sorghum``
    harvest_year: int  # year of harvest
    source: OriginKind  # how it came here
    number: str  # the document's number; empty for a report
    standing: ReportStanding  # active, suspended or withdrawn
    versions: tuple[Version, ...]  # at least one, oldest first
    issued: int  # the serial after the last one ever issued, thousandths of a bushel
    # serials that rest because whoever gave them gave notice of a suspension; the others do not
    resting: tuple[Span, ...] = ()

    @property
    def group(self) -> str:
        """Origins are listed per farm, crop and year, which holds one report at most (interpretation 34)."""
        return origin_name(self.issuer, self.crop, self.harvest_year) if self.source is OriginKind.REPORT else ""

    @property
    def current(self) -> Version:
        """Return the version in force."""
        return self.versions[-1]

    @property
    def version(self) -> int:
        """Return the number of the version in force."""
        return self.current.number

    @property
    def is_doubtful(self) -> bool:
        """Tell whether the report is not in force for all of its serials."""
        return self.standing is not ReportStanding.ACTIVE or bool(self.resting)

    def rests(self, start: int, stop: int) -> bool:
        """Tell whether the report is suspended for any of some serials."""
        noticed = any(start < high and low < stop for low, high in self.resting)
        return self.standing is ReportStanding.SUSPENDED or noticed

    def worst_since(self, piece: Piece) -> int:
        """Return the worst CI stated of any serial of a piece since its lot's owner has it (interpretation 35).

        A farm's own bushels follow its report: of what that says, only the version in force counts.
        """
        lot = piece.lot
        if self.source is OriginKind.REPORT and lot.owner == self.issuer:
            return max(lot.ci, self.current.ci)
        later = [one for one in self.versions[1:] if one.day >= lot.since]
        return max([lot.ci, *(one.ci for one in later if one.is_about(piece.start, piece.stop))])

    @property
    def span(self) -> Span:
        """Return the serials there are or were: bushels that a later version dropped stay as void lots."""
        return (0, self.issued)


def origin_name(farm: str, crop: str, harvest_year: int) -> str:
    """Return the readable key of an origin, ``farm/crop/year``."""
    return f"{farm}/{crop}/{harvest_year}"


def origin_id(farm: str, crop: str, harvest_year: int, salt: str) -> str:
    """Return the id under which every book knows the origin: blinded with the salt that stands in the farm's report.

    Without a salt the readable key is the id: for books that never leave one house.

    Raises:
        ValueError: the salt is too short to hide anything.
    """
    name = origin_name(farm, crop, harvest_year)
    return blinded(name, salt) if salt else name


@frozen
class Slip(Record, kind="slip", key="id", group="origin"):
    """A sale slip signed by the farm: the only thing that assigns serials."""

    id: str  # the slip's id
    giver: str  # who sells: the farm, or the landowner for a share
    taker: str  # who buys
    origin: str  # whose serials
    spans: tuple[Span, ...]  # which serials
    day: date  # the day it was signed
    open_spans: tuple[Span, ...]  # what has not been purchased yet; none left when the slip is used up or voided
    returned: str = ""  # an earlier slip whose buyer gave these serials back to the giver, where the giver says so

    @property
    def open_bushels(self) -> int:
        """Return how much has not been purchased yet, thousandths of a bushel."""
        return length(self.open_spans)
