"""A JSON document of rows, as read, to its answers: one per row, in order, with the problems of each."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import polars as pl

from provender.intensity.argonne2021.check import brief, check_inputs, column_name
from provender.intensity.argonne2021.inputs import CROPS, DTYPES, Value, inputs_of
from provender.intensity.argonne2021.model import evaluate, outputs_of
from provender.problem import Place, Problem, Weight, refuse

ROW_KEYS: Final = ("id", "crop", "inputs")
ALSO_READ_PAST: Final = ("label", "outputs")
"""What a file of test vectors carries beside the question."""

Outputs = Mapping[str, float | None]


@dataclass(slots=True)
class _Row:
    """A row on its way: its id, and either what to compute or why not."""

    id: object
    crop: str = ""
    inputs: dict[str, Value] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    outputs: Outputs | None = None

    def refused(self) -> bool:
        return any(problem.weight is Weight.ERROR for problem in self.problems)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one row.

    Attributes:
        id: the row's id as written; null where it had none.
        crop: the crop, or empty where it could not be read.
        inputs: every input used, defaults included; empty where the row is refused.
        outputs: every output of the crop by name, g CO2e/bu unless the name says otherwise; None inside where the
            value does not exist, None as a whole where the row is refused.
        problems: everything found in this row.
    """

    id: object
    crop: str
    inputs: Mapping[str, Value]
    outputs: Outputs | None
    problems: tuple[Problem, ...]

    def as_json(self) -> dict[str, object]:
        """Return id and outputs and, only where there are any, the problems."""
        data: dict[str, object] = {"id": self.id, "outputs": self.outputs}
        if self.problems:
            data["problems"] = [problem.as_json() for problem in self.problems]
        return data


def rows_of(document: object, file: str) -> Sequence[object]:
    """Return the rows of a document: a list, or an object with the list under ``vectors``.

    Raises:
        ProblemsError: it is neither.
    """
    rows = document.get("vectors") if isinstance(document, Mapping) else document
    if not isinstance(rows, list):
        raise refuse(
            file,
            "This is not a list of rows.",
            'Write a list of {"id": ..., "crop": ..., "inputs": {...}}, or an object with that list under "vectors".',
            code="no_rows",
        )
    return rows


def _read(raw: object, at: Place) -> _Row:
    """Read one row; every problem of its shape and of its inputs."""
    if not isinstance(raw, Mapping):
        cause = f"A row is an object, and this is {brief(raw)}."
        return _Row(None, problems=[Problem(at, cause, 'Write {"id": ..., "crop": ..., "inputs": {...}}.', code="row")])
    row = _Row(raw.get("id"))
    for name in raw:
        if name not in ROW_KEYS + ALSO_READ_PAST:
            place = Place(at.file, at.sheet, at.row, column_name(name))
            remedy = "Move it into inputs if the model should read it."
            note = Problem(place, f"{brief(name)} was not read.", remedy, weight=Weight.NOTE, code="not_read")
            row.problems.append(note)
    if not (isinstance(row.id, str | int) and not isinstance(row.id, bool)):
        place = Place(at.file, at.sheet, at.row, "id")
        row.problems.append(Problem(place, "The row has no id.", "Give it a name of its own, as text.", code="no_id"))
        row.id = None
    crop, inputs = _crop(raw.get("crop")), raw.get("inputs")
    if not isinstance(crop, str) or crop not in CROPS:
        place = Place(at.file, at.sheet, at.row, "crop")
        cause = f"{brief(crop)} is not a crop of the model."
        row.problems.append(Problem(place, cause, f"Choose one of: {', '.join(CROPS)}.", code="unknown_crop"))
    if not isinstance(inputs, Mapping):
        place = Place(at.file, at.sheet, at.row, "inputs")
        remedy = "Give an object of inputs; {} asks for every default."
        row.problems.append(Problem(place, "The row has no object of inputs.", remedy, code="no_inputs"))
    elif isinstance(crop, str) and crop in CROPS:
        row.crop = crop
        row.inputs, found = check_inputs(crop, inputs, at)
        row.problems += found
    return row


def _crop(written: object) -> object:
    """Return the model's name of a crop however it is written; the rule speaks of soybeans, the workbook of soybean."""
    if not isinstance(written, str):
        return written
    name = written.strip().casefold()
    return "soybean" if name == "soybeans" else name


def _refuse_repeats(rows: Iterable[_Row], file: str) -> None:
    """Refuse every row whose id stands further up already: an answer must belong to one question."""
    first: dict[object, int] = {}
    for number, row in enumerate(rows, start=1):
        if row.id is None:
            continue
        seen = first.setdefault(row.id, number)
        if seen != number:
            cause = f"The id {brief(row.id)} stands in row {seen} already."
            row.problems.append(Problem(Place(file, "", number, "id"), cause, "Give each row its own.", code="same_id"))


def _compute(rows: Sequence[_Row], crop: str, file: str, numbers: Mapping[int, int]) -> None:
    """Answer the rows of one crop in place; one whose numbers overflow is refused."""
    columns = [
        pl.Series(name, [row.inputs[name] for row in rows], dtype=DTYPES[one.kind])
        for name, one in inputs_of(crop).items()
    ]
    frame = pl.DataFrame(columns).with_columns(crop=pl.lit(crop))
    for row, outputs in zip(rows, evaluate(frame).select(outputs_of(crop)).to_dicts(), strict=True):
        if all(value is None or math.isfinite(value) for value in outputs.values()):
            row.outputs = outputs
            continue
        place = Place(file, "", numbers[id(row)], "inputs")
        cause = "The result is not a finite number: an input is absurdly large or the yield absurdly small."
        row.problems.append(Problem(place, cause, "Check the units of the inputs.", code="absurd_result"))


def answer_rows(document: object, file: str) -> list[Answer]:
    """Answer every row of a document, in order; a row with an error has no outputs and says why.

    Args:
        document: parsed JSON: a list of rows, or an object with that list under ``vectors``.
        file: the document's name, for the places of problems.

    Raises:
        ProblemsError: the document holds no list of rows.
    """
    rows = [_read(raw, Place(file, "", number)) for number, raw in enumerate(rows_of(document, file), start=1)]
    _refuse_repeats(rows, file)
    numbers = {id(row): number for number, row in enumerate(rows, start=1)}
    for crop in CROPS:
        of_crop = [row for row in rows if row.crop == crop and not row.refused()]
        if of_crop:
            _compute(of_crop, crop, file, numbers)
    return [
        Answer(row.id, row.crop, {} if row.refused() else row.inputs, row.outputs, tuple(row.problems)) for row in rows
    ]
