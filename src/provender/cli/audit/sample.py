"""``provender audit sample`` and ``redraw``: the farm sample (7 CFR 2100.040(a)(3))."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from provender.audit.sampling.drawn_farms import Treatment
from provender.audit.sampling.extension import Failure
from provender.audit.sampling.minimum import minimum_farms
from provender.audit.sampling.sample import SampleRequest, draw_sample, merge_years, unknown_audited
from provender.audit.sampling.sample_file import check_sample, sample_document
from provender.cli.audit.files import read_document, stop
from provender.cli.output import SOMETHING_TO_LOOK_AT, Json, print_json, print_problems
from provender.problem import Place, Problem, ProblemsError, Weight, refuse


def _added(pairs: list[str]) -> dict[str, str]:
    return {farm.strip(): why.strip() for farm, _, why in (pair.partition("=") for pair in pairs)}


def _show_sample(document: dict[str, Any]) -> None:
    out = Console()
    farms, minimum, drawn = document["farms"], document["minimum"], len(document["sample"])
    out.print(f"{drawn} of {farms} farms; at least {minimum} [7 CFR 2100.040(a)(3)(ii)].", markup=False)
    out.print(f"Population {document['population_hash']}, seed {document['seed']}.", markup=False, soft_wrap=True)
    table = Table("Stratum", "Farms", "Audited before", "Drawn", "Chance")
    for one in document["strata"]:
        chances = "\n".join(f"{name.replace('_', ' ')} {chance}" for name, chance in one["chance"].items())
        table.add_row(one["name"], str(one["farms"]), str(one["audited_before"]), ", ".join(one["sample"]), chances)
    out.print(table)
    for farm, why in document["added"].items():
        out.print(f"Added by judgement: {farm}, {why}", markup=False)
    _show_mirror(document, out)


def _show_mirror(document: dict[str, Any], out: Console) -> None:
    mirror = Table("Characteristic", "Farms", "In the sample")
    for kind, values in document["representation"].items():
        for value, count in values.items():
            mirror.add_row(f"{kind} {value}", str(count["farms"]), str(count["sample"]))
    out.print(mirror)
    found = Table("Farms that do not conform", "Share", "Chance that the sample finds one")
    for line in document["detection"]:
        found.add_row(str(line["non_conforming_farms"]), f"{line['share_pct']} %", line["chance_found"])
    out.print(found)


def sample(
    farms: Annotated[Path, typer.Option(help="CSV: farm_id, county_fips, crop, bushels, ci_g_per_bu, acres.")],
    seed: Annotated[
        str | None, typer.Option(help="What the verifier committed. Without it the list is frozen only.")
    ] = None,
    previous: Annotated[Path | None, typer.Option(help="CSV: farm_id, year of farms audited before.")] = None,
    size: Annotated[int | None, typer.Option(help="Farms the verifier wants; at least the minimum.")] = None,
    add: Annotated[list[str] | None, typer.Option(help="FARM=REASON: a farm added by judgement.")] = None,
    population: Annotated[
        str | None, typer.Option(help="The hash that was frozen; refused if the list differs.")
    ] = None,
    decisions: Annotated[
        Path | None, typer.Option(help="JSON: year, treatments (borrowed audits), failures (failed farms).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Freeze the list of supplying farms, then draw the sample to be audited (7 CFR 2100.040(a)(3))."""
    from provender.audit.sampling.farm_list import read_farms, read_previous

    try:
        frozen, notes = read_farms(farms)
        if population is not None and frozen.sha256 != population.strip().lower():
            cause = f"The list has the hash {frozen.sha256}, not the one that was frozen."
            raise refuse(farms.name, cause, "Use the list that was frozen before the seed.", cite="2100.040(a)(3)(i)")
        if seed is None:
            count = len(frozen.farms)
            data = {"farms": count, "minimum": minimum_farms(count), "population_hash": frozen.sha256}
            _report(data, notes, as_json=as_json)
            return
        audited, more = read_previous(previous) if previous else ([], [])
        request = SampleRequest(frozen, seed.strip(), merge_years(audited), size, _added(add or []))
        notes += more + _strangers(request, previous)
        document = sample_document(draw_sample(request), **_decided(decisions))
    except ProblemsError as refused:
        raise stop(refused, as_json=as_json) from None
    print_problems(notes)
    if as_json:
        print_json(document)
    else:
        _show_sample(document)


def _decided(file: Path | None) -> dict[str, Any]:
    """Read the verifier's decisions about drawn farms: audits borrowed, farms failed (interpretations 52, 56)."""
    if file is None:
        return {}
    data = read_document(file)
    try:
        return {
            "year": int(data["year"]),
            "treatments": [Treatment.read(one) for one in data.get("treatments", [])],
            "failures": [Failure.read(one) for one in data.get("failures", [])],
        }
    except (KeyError, TypeError, ValueError) as wrong:
        cause = f"The decisions cannot be read: {type(wrong).__name__}, {wrong}."
        remedy = "Write year, treatments and failures as the guide to audits shows."
        raise refuse(file.name, cause, remedy, cite="2100.040(b)(2)") from None


def _strangers(request: SampleRequest, previous: Path | None) -> list[Problem]:
    unknown = unknown_audited(request)
    if previous is None or not unknown:
        return []
    cause = f"{len(unknown)} farms audited before supply nothing now: {', '.join(unknown[:5])}."
    remedy = "Nothing to do, if their names have not changed."
    return [Problem(Place(previous.name), cause, remedy, "2100.040(a)(3)(iii)", Weight.NOTE, "audited_unknown")]


def _report(data: dict[str, Any], notes: list[Problem], *, as_json: bool) -> None:
    print_problems(notes)
    if as_json:
        print_json(data)
    else:
        Console().print(
            f"{data['farms']} farms, at least {data['minimum']} to be audited. Frozen as {data['population_hash']}.\n"
            "Give this hash to the verifier, who then commits a seed.",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )


def redraw(
    file: Annotated[Path, typer.Argument(help="A sample file, as `provender audit sample --json` wrote it.")],
    population: Annotated[str | None, typer.Option(help="The hash frozen before the seed was committed.")] = None,
    as_json: Json = False,
) -> None:
    """Draw a sample again from its own file and list every difference."""
    try:
        problems = check_sample(read_document(file), population)
    except ProblemsError as refused:
        raise stop(refused, as_json=as_json) from None
    if as_json:
        print_json({"same": not problems, "problems": [problem.as_json() for problem in problems]})
    else:
        print_problems(problems)
        Console().print("The sample drawn again differs." if problems else "The same sample, drawn again.")
    if problems:
        raise typer.Exit(SOMETHING_TO_LOOK_AT)
