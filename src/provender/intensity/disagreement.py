"""A finding: something that does not agree, with what was claimed, what is expected and how many bushels hang on it."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A disagreement between a claim and the records, or between two claims."""

    code: str  # stable name for machines, such as ``unit_acres_differ``
    cite: str  # the paragraph it touches, such as ``2100.020``
    subject: str  # the unit, crop or run it is about, as a person would name it
    cause: str  # what does not agree, as a sentence
    claimed: str  # the claimed value as text with its unit; empty where nothing was claimed
    expected: str  # the value it should have, likewise
    effect_bushels: int | None  # thousandths of a bushel whose CI depends on it; null where nobody can say
    remedy: str  # what to do
    unit_id: str = ""  # the unit it is about; empty where it is about several or none
    row: str = ""  # the key of the record it is about, of the kind that its code names; empty where it is about none

    def as_json(self) -> dict[str, object]:
        """Return plain data; bushels stay whole thousandths."""
        return {name: value for name, value in asdict(self).items() if value or name not in ("unit_id", "row")}
