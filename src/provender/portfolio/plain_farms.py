"""Farms in which everything agrees: the columns show it, and their averages are sums over all such farms at once.

On most farms of a nation every run agrees with its record and every count with the harvest. Where the columns prove
that ``quantify`` would find no more than that a crop is no reduced-CI crop, its answer is a sum. Whatever is unusual
(a null, two runs of a field, a second harvest, a yield out of line) leaves its farm to ``quantify``. What rests on
lists and words (labels, notes, practices claimed) is asked of the core, once for each kind of run.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import polars as pl

from provender.days import says
from provender.exact import SCALE, half_even
from provender.intensity.average import DEFAULT_LIMITS, FarmAverage, Share, reduced_ci_findings
from provender.intensity.calculator import Combination, UnitCase
from provender.intensity.harvests import OTHER, Disagreement
from provender.intensity.quantify import NO_COUNTS, run_facts
from provender.intensity.runs import OfficialRuns, inputs_agree
from provender.portfolio.columns.evidence import links
from provender.portfolio.columns.judge import RECORDS
from provender.portfolio.columns.prepare import PreparedBook
from provender.records.book import HARVESTED, RecordBook
from provender.records.kinds.quantification import COUNTS
from provender.rule.calculators import Calculators
from provender.rule.law import Crop, Practice, governing_version
from provender.standards.evidence import PRINTOUT

GROUP: Final = ("farm_id", "crop", "harvest_year")
_FIELD: Final = (*GROUP, "unit_id")
_PRACTICES: Final = tuple(str(practice) for practice in Practice)
_RUN: Final = "run:"
_ANSWERS: Final = tuple(_RUN + name for name in ("tillage", "cover_crop", "n_timing", "inhibitor"))
_VERSION: Final = tuple(_RUN + name for name in ("calculator", "version", "status"))
_KIND: Final = (*_VERSION, _RUN + "run_on", *_ANSWERS, *_PRACTICES, "crop", "default")
"""What decides all that the lists and the practices say of a run whose other inputs are those of its record."""
_ANSWERED: Final[Mapping[str, pl.DataType | type[pl.DataType]]] = {
    "quiet": pl.Boolean, "label": pl.String, "notes": pl.List(pl.String),
}  # fmt: skip


class PlainFarms(NamedTuple):
    """What is known of the plain farms."""

    farms: pl.Series  # their identifiers
    units: pl.DataFrame  # a row for each of their units, in the order of the harvests
    averages: pl.DataFrame  # a row for each farm, crop and harvest year
    findings: list[tuple[str, Crop, int, Disagreement]]  # what is to be said of a crop, by farm, crop and harvest year


def plain_farms(book: RecordBook, loaded: PreparedBook, verdicts: pl.DataFrame, known: Calculators) -> PlainFarms:
    """Return the farms whose official runs, counts and records agree in everything, and their results.

    Args:
        book: the records.
        loaded: the same with their evidence judged.
        verdicts: of ``evaluate``, one row or more.
        known: the lists of calculators.
    """
    fields, odd = _fields(book, loaded.intervals, verdicts)
    fields = _with_runs(fields, loaded.supported[PRINTOUT.kind], book["national_default"])
    fields = fields.with_columns(_agrees().fill_null(value=False).alias("plain"))
    fields = _asked(fields, known).with_columns(
        pl.when("credited").then(_RUN + "ci_g_per_bu").otherwise("default").alias("counted")
    )
    groups = _with_elsewhere(_grouped(fields), book, loaded.evidence)
    fields = fields.join(
        groups.select(*GROUP, "sisters_most", pl.col("plain").alias("whole")), on=GROUP, maintain_order="left"
    )
    bad = fields.filter(~(pl.col("plain") & pl.col("whole") & _in_line()).fill_null(value=False))["farm_id"]
    odd = pl.concat([odd, bad, *_without_source(book["national_default"])]).unique()
    mine = ~pl.col("farm_id").is_in(odd.implode())
    fields, groups = fields.filter(mine), groups.filter(mine)
    return PlainFarms(fields["farm_id"].unique(), _unit_rows(fields), _averages(groups), _not_reduced(groups))


def _fields(book: RecordBook, closed: pl.DataFrame, verdicts: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
    """Return each interval with its one harvest, in the order of the harvests; and farms where more is to be told."""
    use, day = pl.col("use").cast(pl.String), pl.coalesce("last_day", "first_day")
    harvested = pl.col("ending").cast(pl.String) == HARVESTED
    ended = book["harvest"].filter(harvested)
    known = closed.select("farm_id", "harvest_year", pl.col("harvest_ids").alias("harvest_id")).explode("harvest_id")
    year = pl.coalesce("harvest_year", day.dt.year().cast(pl.Int32)).alias("harvest_year")
    harvests = ended.join(known, on=["farm_id", "harvest_id"], how="left", maintain_order="left").select(
        "farm_id", pl.col("crop").cast(pl.String), year, "unit_id",
        "harvest_id", "harvested_acres", "bushels", "first_day", day.alias("day"),
        "moisture_pct", (day.is_null() | (use.fill_null("grain") != "grain")).alias("odd"),
    )  # fmt: skip
    intervals = verdicts.select(
        "farm_id", pl.col("crop").cast(pl.String), pl.col("harvest_year").cast(pl.Int32), "unit_id",
        pl.col("county_fips").alias("county"), *_PRACTICES, *(name + RECORDS for name in _PRACTICES),
    )  # fmt: skip
    of_groups = harvests.join(intervals, on=GROUP, how="semi", maintain_order="left")
    units = book["unit"].select("farm_id", "unit_id", pl.col("acres").alias("unit_acres"))
    fields = of_groups.join(intervals, on=_FIELD, how="left", maintain_order="left").join(
        units, on=["farm_id", "unit_id"], how="left", maintain_order="left"
    )
    lost = intervals.join(harvests, on=_FIELD, how="anti")["farm_id"]
    # What was given up carries no bushels, and a crop that nobody named may be any.
    unclear = (~harvested & (pl.col("bushels") > 0)) | (harvested & (pl.col("crop").cast(pl.String) == OTHER))
    run = book["calculator_run"].select("farm_id", "harvest_id", pl.col("crop").cast(pl.String))
    homeless = run.join(of_groups, on=["farm_id", "harvest_id", "crop"], how="anti")["farm_id"]
    odd = pl.concat(
        [
            harvests.filter(pl.col("odd") & pl.col("crop").is_in(list(Crop)))["farm_id"],
            book["harvest"].filter(unclear)["farm_id"],
            homeless,
        ]
    )
    acres = pl.when(pl.col("harvested_acres") > 0).then("harvested_acres").otherwise("unit_acres")
    moisture = pl.col("moisture_pct")
    return fields.with_columns(
        acres.alias("acres"),
        (pl.col("unit_acres") == acres).alias("whole_unit"),
        moisture.is_null().alias("moisture_blank"),
        (moisture <= _basis(fields)).fill_null(value=True).alias("dry"),
        pl.any_horizontal(pl.col(name).fill_null(value=False) for name in _PRACTICES).alias("credited"),
    ), pl.concat([odd, lost])


def _basis(fields: pl.DataFrame) -> pl.Series:
    """Return the moisture of dry grain of each field, by the text that governs its harvest."""
    asked = fields.select("crop", "day").unique().drop_nulls()
    laws = {day: governing_version(day) for day in asked["day"].unique()}
    known = [(crop, day, law.basis_moisture_pct(crop)) for crop, day in asked.iter_rows() if (law := laws[day])]
    basis = pl.DataFrame(known, {"crop": pl.String, "day": pl.Date, "basis": pl.Int64}, orient="row")
    return fields.select("crop", "day").join(basis, on=["crop", "day"], how="left", maintain_order="left")["basis"]


def _with_runs(fields: pl.DataFrame, runs: pl.DataFrame, defaults: pl.DataFrame) -> pl.DataFrame:
    """Put its run beside each field, twice where there are two, and the default of the group's calculator."""
    words = ("crop", "status", "tillage", "n_timing")
    named = runs.select(
        pl.col("farm_id"), pl.col("harvest_id"),
        *((pl.col(name).cast(pl.String) if name in words else pl.col(name)).alias(_RUN + name)
          for name in runs.columns if name not in ("farm_id", "harvest_id")),
    )  # fmt: skip
    beside = fields.join(named, on=["farm_id", "harvest_id"], how="left", maintain_order="left")
    version = {name: pl.col(_RUN + name).drop_nulls().first().over(GROUP) for name in ("calculator", "version")}
    values = defaults.select(
        "farm_id", pl.col("crop").cast(pl.String), "calculator", "version", pl.col("ci_g_per_bu").alias("default")
    )
    on = ["farm_id", "crop", "calculator", "version"]
    return beside.with_columns(**version).join(values, on=on, how="left", maintain_order="left")


def _agrees() -> pl.Expr:
    """Return which fields agree with their run in every number, so that only lists and practices are left to ask."""
    run = {name: pl.col(_RUN + name) for name in ("unit_id", "crop", "county_fips", "acres", "yield_bu_per_ac")}
    small = pl.all_horizontal(
        pl.col(name).is_between(1, 2**29) for name in ("acres", "bushels")
    ) & pl.col("default").is_between(0, 2**29)  # fmt: skip
    step = pl.lit(1)
    for place in range(1, SCALE + 1):
        step = pl.when(run["yield_bu_per_ac"] % 10**place == 0).then(10**place).otherwise(step)
    off = (pl.col("acres") * run["yield_bu_per_ac"] - pl.col("bushels") * 10**SCALE).abs()
    rounded = 2 * off <= pl.col("acres") * step
    same = (
        (run["unit_id"] == pl.col("unit_id"))
        & (run["crop"] == pl.col("crop"))
        & (run["county_fips"] == pl.col("county"))
        & (run["acres"] == pl.col("acres"))
        & rounded
        & pl.col(_RUN + "farm_ci_g_per_bu").is_not_null()
    )
    printed = pl.col(_RUN + "supported") & pl.col(_RUN + "ci_g_per_bu").is_between(0, 2**29)
    ran = pl.col(_RUN + "run_id").is_not_null()
    alone = pl.len().over(_FIELD) == 1
    sized = pl.col("whole_unit") & pl.col("dry")
    return small & alone & sized & (~ran | same) & (~pl.col("credited") | printed)


def _asked(fields: pl.DataFrame, known: Calculators) -> pl.DataFrame:
    """Ask the core once for each kind of run what it says; fields of which it says something are plain no longer."""
    kinds = fields.filter("plain", pl.col(_RUN + "run_id").is_not_null()).unique(_KIND, keep="first")
    told = [_answer(row, known) for row in kinds.iter_rows(named=True)]
    answers = kinds.select(_KIND).hstack(pl.DataFrame(told, schema=_ANSWERED, orient="row"))
    beside = fields.join(answers, on=list(_KIND), how="left", nulls_equal=True, maintain_order="left")
    quiet = pl.col("quiet") | pl.col(_RUN + "run_id").is_null()
    return beside.with_columns((pl.col("plain") & quiet.fill_null(value=False)).alias("plain"))


def _answer(row: Mapping[str, Any], known: Calculators) -> tuple[bool, str, list[str]]:
    crop, year, credited = Crop(row["crop"]), row["harvest_year"], frozenset(p for p in Practice if row[str(p)])
    own = {name.removeprefix(_RUN): value for name, value in row.items() if name.startswith(_RUN)}
    run = run_facts({**own, "farm_id": row["farm_id"]}, crop, year)
    default = {(run.tool, run.version, crop): row["default"]}
    official = OfficialRuns([run], default, run.tool, run.version, known)
    shown = Combination.of(credited)
    case = UnitCase(run.unit, crop, year, row["county"], shown, credited, row["acres"], row["bushels"])
    (answer,) = official.evaluate([case])
    quiet = not official.findings() and not inputs_agree(run, case)
    return quiet, str(answer.label), list(answer.notes)


def _enters_practice() -> pl.Expr:
    """Return whether a field's run enters some practice; a farm may enter none of those that its records show."""
    usual = {"tillage": "conventional", "cover_crop": False, "n_timing": "as_usual", "inhibitor": False}
    return pl.any_horizontal(
        (pl.col(_RUN + name) != pl.lit(word)).fill_null(value=False) for name, word in usual.items()
    )


def _grouped(fields: pl.DataFrame) -> pl.DataFrame:
    """Return the sums of each farm, crop and harvest year, and whether its runs are of one version and one CI each."""
    ran, inputs = pl.col(_RUN + "run_id").is_not_null(), (_RUN + "county_fips", *_ANSWERS)
    one_ci = pl.struct(inputs).filter(ran).n_unique() == pl.struct(*inputs, _RUN + "ci_g_per_bu").filter(ran).n_unique()
    printed, counted = pl.col(_RUN + "farm_ci_g_per_bu"), pl.col("counted")
    groups = fields.group_by(GROUP, maintain_order=True).agg(
        pl.col("calculator").first(), pl.col("version").first(), pl.col("default").first(),
        pl.col("label").drop_nulls().first(), (pl.col("credited") & _enters_practice()).any().alias("practised"),
        pl.len().cast(pl.Int32).alias("units"), pl.col("bushels").sum(), pl.col("acres").sum(),
        (pl.col("bushels").cast(pl.Int128) * counted).sum().alias("product"), pl.col("day").max(),
        pl.col("first_day").min(), pl.col("moisture_blank").any(),
        printed.min().alias("least_printed"), printed.max().alias("most_printed"),
        (
            pl.col("plain").all()
            & pl.all_horizontal(pl.col(name).drop_nulls().n_unique() == 1 for name in _VERSION)
            & one_ci
        ).alias("plain"),
    )  # fmt: skip
    fine = groups["plain"].fill_null(value=False)
    means = [
        half_even(product, bushels) if plain else None
        for product, bushels, plain in zip(groups["product"], groups["bushels"], fine, strict=True)
    ]
    mean = pl.Series("ci_g_per_bu", means, pl.Int64)
    shown = pl.all_horizontal(
        pl.col(name).is_null() | (pl.col(name) == pl.col("ci_g_per_bu")) for name in ("least_printed", "most_printed")
    )
    laws = {day: governing_version(day) for day in groups["day"].drop_nulls().unique()}
    limits = {day: law.sister_yield_pct_max // 1000 for day, law in laws.items() if law}
    most = pl.col("day").replace_strict(limits, default=None, return_dtype=pl.Int64)
    return groups.with_columns(mean, most.alias("sisters_most")).with_columns((pl.col("plain") & shown).alias("plain"))


def _with_elsewhere(groups: pl.DataFrame, book: RecordBook, states: pl.DataFrame) -> pl.DataFrame:
    """Say of each group whether papers count its bushels and report its acres, all of them sound and all the same."""
    year = pl.date(pl.col("harvest_year"), 1, 1)
    since = groups.select(*GROUP, pl.max_horizontal("first_day", year).alias("since"))
    what, amount = pl.col("what").cast(pl.String), pl.col("amount")
    reported = what.is_null() | (what == "report")
    sound = pl.col("sound").all().alias("sound")
    counts = (
        _papers(book["bushel_total"], "bushels", states, since)
        .group_by(GROUP)
        .agg(
            sound & what.is_in(COUNTS).any() & (what != "settlements").all(),
            amount.sum().alias("total"),
            (what == "scale_tickets").any().alias("weighed"),
        )
    )
    acres = _papers(book["reported_acres"], "acres", states, since).group_by(GROUP).agg(
        sound & reported.any() & ~(what == OTHER).fill_null(value=False).any(),
        amount.filter(~reported).sum().alias("explained"),
        amount.filter(reported).min().alias("least"), amount.filter(reported).max().alias("most"),
    )  # fmt: skip
    beside = groups.join(counts, on=GROUP, how="left", maintain_order="left").join(
        acres, on=GROUP, how="left", maintain_order="left", suffix="_acres"
    )
    whole = pl.col("acres") + pl.col("explained")
    complete = (
        pl.col("sound") & pl.col("sound_acres") & (pl.col("total") == pl.col("bushels"))
        & (pl.col("least") == whole) & (pl.col("most") == whole) & (pl.col("weighed") | ~pl.col("moisture_blank"))
    )  # fmt: skip
    return beside.with_columns((pl.col("plain") & complete).fill_null(value=False).alias("plain"))


def _papers(rows: pl.DataFrame, amount: str, states: pl.DataFrame, since: pl.DataFrame) -> pl.DataFrame:
    """Return totals with their group, each with ``sound``: it names papers, and every one may show it."""
    own = rows.with_row_index("row").select(
        "row", "farm_id", pl.col("crop").cast(pl.String), pl.col("harvest_year").cast(pl.Int32), "what",
        pl.col(amount).alias("amount"), "evidence",
    )  # fmt: skip
    own = own.join(since, on=GROUP, maintain_order="left")
    named = links(own.select("row", "farm_id", "since", "evidence"), "evidence", states)
    taken, kind = pl.col("taken_on"), pl.col("what")
    good = pl.col("is_sound") & ~kind.is_in(NO_COUNTS).fill_null(value=False)
    in_time = taken.is_null() | (taken >= pl.col("since"))
    worth = named.group_by("row").agg((good & in_time).all().alias("sound"))
    judged = own.join(worth, on="row", how="left", maintain_order="left")
    return judged.with_columns(pl.col("sound").fill_null(value=False))


def _in_line() -> pl.Expr:
    """Return which fields' yields lie within the limits, held against the farm's others of the crop."""
    bushels, acres = (pl.col(name).cast(pl.Int128) for name in ("bushels", "acres"))
    others_bushels, others_acres = (own.sum().over(GROUP) - own for own in (bushels, acres))
    yield_pct, whole = 100 * bushels * others_acres, acres * others_bushels
    least, most = DEFAULT_LIMITS.sisters_least, pl.col("sisters_most")
    return (others_acres == 0) | ((yield_pct > least * whole) & (yield_pct < most * whole))


def _without_source(defaults: pl.DataFrame) -> list[pl.Series]:
    silent = [text for text in defaults["source"].unique() if not says(text)]
    return [defaults.filter(pl.col("source").is_in(silent) | pl.col("source").is_null())["farm_id"]]


def _unit_rows(fields: pl.DataFrame) -> pl.DataFrame:
    credited = pl.col("credited")
    names = pl.concat_list(
        pl.when(pl.col(name).fill_null(value=False)).then(pl.lit(name)) for name in _PRACTICES
    ).list.drop_nulls()  # fmt: skip
    records = pl.all_horizontal(
        pl.col(name + RECORDS).fill_null(value=False) | ~pl.col(name).fill_null(value=False) for name in _PRACTICES
    )
    return fields.select(
        "farm_id", "unit_id", "crop", "harvest_year", pl.col("county").alias("county_fips"), "acres", "bushels",
        names.alias("practices"), records.alias("records_met"), (~credited).alias("conventional"),
        pl.when(credited).then(_RUN + "ci_g_per_bu").alias("ci_g_per_bu"),
        pl.when(credited).then("label").alias("label"),
        pl.when(credited).then("notes").otherwise(pl.lit([], pl.List(pl.String))).alias("notes"),
    )  # fmt: skip


def _averages(groups: pl.DataFrame) -> pl.DataFrame:
    return groups.select(
        *GROUP, "calculator", "version", "label", pl.col("default").alias("national_default_g_per_bu"), "units",
        "bushels", "ci_g_per_bu", pl.lit([], pl.List(pl.String)).alias("missing"),
    )  # fmt: skip


def _not_reduced(groups: pl.DataFrame) -> list[tuple[str, Crop, int, Disagreement]]:
    """Return what the core says of crops without a practice or not below the national default."""
    rows = groups.filter(~pl.col("practised") | (pl.col("ci_g_per_bu") >= pl.col("default")))
    found = []
    for farm, name, year, practised, bushels, product, ci, default in rows.select(
        *GROUP, "practised", "bushels", "product", "ci_g_per_bu", "default"
    ).iter_rows():
        share = Share(farm, bushels, ci, conventional=not practised)
        average = FarmAverage((), bushels, product, ci)
        found += [(farm, Crop(name), year, one) for one in reduced_ci_findings(Crop(name), [share], average, default)]
    return found
