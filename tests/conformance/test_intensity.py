"""The farm's average by hand, and the open model against the cells of the workbook."""

from typing import Any

import polars as pl

from provender.exact import CI_SCALE, parse, show
from provender.intensity.argonne2021.inputs import input_schema
from provender.intensity.argonne2021.model import evaluate, outputs_of
from provender.intensity.average import Share, farm_average
from tests.conformance.kit import differences, part


def scaled(text: str | None, places: int = 3) -> int | None:
    return None if text is None else parse(text, places)


def average(asked: dict[str, Any]) -> str | None:
    shares = [
        Share(str(at), scaled(one["bushels"]), scaled(one["ci_g_per_bu"], CI_SCALE), one["conventional"])
        for at, one in enumerate(asked["units"])
    ]
    found = farm_average(shares, scaled(asked["national_default"], CI_SCALE)).ci_g_per_bu
    return None if found is None else show(found, CI_SCALE, places=CI_SCALE)


def test_the_average_of_a_farm_is_that_of_the_kit() -> None:
    assert differences("intensity/averages", average) == []


def test_every_line_item_of_the_workbook_is_met_in_one_frame_of_mixed_crops() -> None:
    cases = part("intensity/open_model")["cases"]
    mixed = cases[::2] + cases[1::2]
    empty = dict.fromkeys(input_schema())
    rows = [{**empty, **one["input"]} for one in mixed]
    answers = evaluate(pl.DataFrame(rows, schema=dict(input_schema())))
    assert answers["crop"].to_list() == [one["input"]["crop"] for one in mixed]
    found = {
        one["id"]: {name: row[name] for name in outputs_of(one["input"]["crop"])}
        for one, row in zip(mixed, answers.iter_rows(named=True), strict=True)
    }
    ordered = iter([found[one["id"]] for one in cases])
    assert differences("intensity/open_model", lambda _: next(ordered)) == []
