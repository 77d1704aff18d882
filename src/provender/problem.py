"""What a person must fix: place, cause, remedy, paragraph. Bad input ends here, never in a traceback."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum


class Weight(StrEnum):
    """How much a problem matters."""

    ERROR = "error"
    """The value could not be used; what depends on it is not shown."""
    CONFIRM = "confirm"
    """Readable but doubtful; a person must confirm or correct it."""
    NOTE = "note"
    """Worth knowing; nothing to do."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a problem stands: a file, and inside it a sheet, a row (as a person counts, from 1) and a column."""

    file: str
    sheet: str = ""
    row: int = 0
    column: str = ""

    def __str__(self) -> str:
        """Write the place as ``file, sheet S, row 14, column depth_in``."""
        parts = [self.file]
        if self.sheet:
            parts.append(f"sheet {self.sheet}")
        if self.row:
            parts.append(f"row {self.row}")
        if self.column:
            parts.append(f"column {self.column}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something in someone's input that a person must fix or confirm."""

    place: Place  # where it stands
    cause: str  # what is wrong, with the value as written
    remedy: str  # what to do about it
    cite: str = ""  # the paragraph that asks for it, such as ``2100.051(c)(5)``, or empty
    weight: Weight = Weight.ERROR  # error, confirm or note
    code: str = "problem"  # a stable name for machines, such as ``unreadable_number``

    def __str__(self) -> str:
        """Write the problem as one line: place, cause, paragraph, remedy."""
        law = f" [7 CFR {self.cite}]" if self.cite else ""
        return f"{self.place}: {self.cause}{law} {self.remedy}"

    def as_json(self) -> dict[str, object]:
        """Return plain data for ``--json``, the API and the pages."""
        data = asdict(self)
        data["weight"] = str(self.weight)
        return data


class ProblemsError(Exception):
    """Input that cannot be used at all; carries every problem found.

    Raised only where nothing useful can be returned beside the problems (a package that is not a zip, a key that
    does not open). Command line, pages and API turn it into messages.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


def refuse(file: str, cause: str, remedy: str, **more: object) -> ProblemsError:
    """Build the error for a single problem about a whole file."""
    options: Mapping[str, object] = more
    return ProblemsError([Problem(Place(file), cause, remedy, **options)])  # type: ignore[arg-type]


def listed(names: Iterable[object], most: int = 5, apart: str = ", ") -> str:
    """Write names with commas, the first few in full and the rest as a number, so that a message stays short."""
    texts = [str(name) for name in names]
    rest = len(texts) - most
    return apart.join(texts[:most]) + (f" and {rest} more" if rest > 0 else "")


def counted(number: int, word: str, many: str = "") -> str:
    """Return a number of things in words, such as ``1 notice`` or ``2 notices``; ``many`` where no s makes it so."""
    return f"{number} {word}" if number == 1 else f"{number} {many or f'{word}s'}"
