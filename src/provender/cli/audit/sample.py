"""``provender audit population``, ``seed``, ``freeze``, ``sample``, ``redraw``: the farm sample (2100.040(a)(3))."""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console

from provender.audit.outcome import inside
from provender.audit.sampling import sample as drawing
from provender.audit.sampling.draw import Beacon, Frozen, Opened, Side, commitment, freeze_list
from provender.audit.sampling.population import (
    FarmCrop,
    Population,
    Proof,
    freeze,
    judge_proof,
    minimum_farms,
    pair_proofs,
    years_shown,
)
from provender.cli import output
from provender.custody.book_file import open_book
from provender.problem import Place, Problem, ProblemsError, Weight, counted, refuse
from provender.schema import read

if TYPE_CHECKING:
    from provender.audit.package.layout import Pins
    from provender.audit.sampling.population import FarmCropKey, SupplyingFarm


# Options by which farms are frozen and drawn.

Before = Annotated[
    list[Path] | None,
    typer.Option("--before", help="Proof of an earlier audit: its signed statement, and its sample file; repeat."),
]
Pinned = Annotated[Path | None, typer.Option("--pinned", help="Your list of keys, which holds those verifiers'.")]
Earlier = Annotated[
    list[Path] | None,
    typer.Option(
        "--earlier", help="A list frozen before for this point and year: its sample file, or the list; oldest first."
    ),
]
Verifier = Annotated[str, typer.Option("--verifier", help="Id of the verifier.")]
Commitments = Annotated[
    list[str] | None, typer.Option("--commitment", help="verifier=HASH or audited=HASH, as `audit seed` gave it.")
]
BeaconSource = Annotated[str, typer.Option("--beacon", help="In their place: source of a public beacon.")]
BeaconRound = Annotated[str, typer.Option(help="Its round.")]
BeaconDay = Annotated[date | None, output.day_option("Day of that round, after today.")]


_PART: Final = "provender/seed-part"


def _read_proofs(before: list[Path] | None, pinned: Path | None, as_of: date) -> tuple[Proof, ...]:
    """Read what proves that farms were audited before.

    Raises:
        ProblemsError: a file is none, or its signer is no accredited verifier whose key is pinned.
    """
    if not before:
        return ()
    from provender.audit.statement.papers import signed_by

    proofs, pins = pair_proofs(map(output.read_document, before)), _read_pins(pinned)
    for proof in proofs:
        signer = str(inside(proof.statement).get("verifier"))
        judge_proof(proof, signed_by(pins.keys_of(signer), as_of))
    return tuple(proofs)


def _read_pins(pinned: Path | None) -> "Pins":
    from provender.audit.package.layout import Pins, read_pins

    return read_pins(output.read_bytes(pinned), pinned.name) if pinned else Pins()


def _show_sample(document: dict[str, Any]) -> None:
    from provender.audit.fieldwork import chance_tables, sample_parts

    out = Console()
    farms, minimum, drawn = document["farms"], document["minimum"], len(document["sample"])
    out.print(f"{drawn} of {farms} farms; at least {minimum} [7 CFR 2100.040(a)(3)(ii)].", markup=False)
    out.print(f"Population {document['population_hash']}, seed {document['seed']}.", markup=False, soft_wrap=True)
    for note in drawing.draw_notes(document):
        out.print(note, markup=False, soft_wrap=True)
    for part in sample_parts(document):
        out.print(f"{', '.join(part.farms)}: {part.why} [7 CFR {part.cite}]", markup=False, soft_wrap=True)
    for table in chance_tables(document).values():
        output.print_table(out, table)


Farms = Annotated[Path, typer.Option(help="CSV: farm_id, county_fips, crop, bushels, ci_g_per_bu, acres.")]


@output.stopping
def seed(
    out: Annotated[
        Path, typer.Argument(help="The secret to write, .json: keep it to yourself until the farms are frozen.")
    ],
) -> None:
    """Make your part of the seed: a secret, and the commitment to hand over before the farms are frozen."""
    import secrets

    secret = secrets.token_hex(32)
    output.write_document(out, {"kind": _PART, "secret": secret, "commitment": commitment(secret)})
    words = f"Commitment: {commitment(secret)}\nHand it over before the farms are frozen; open {out} after that."
    Console().print(words, markup=False, highlight=False, soft_wrap=True)


@output.stopping
def freeze_farms(
    farms: Farms,
    year: Annotated[int, typer.Option(help="Harvest year under audit.")],
    out: Annotated[Path, typer.Option(help="The frozen list to write, .json.")],
    party: Annotated[str, typer.Option("--audited", help="Id of the audited party, which the sample is for.")],
    verifier: Verifier,
    before: Before = None,
    pinned: Pinned = None,
    earlier: Earlier = None,
    commitments: Commitments = None,
    beacon: BeaconSource = "",
    beacon_round: BeaconRound = "",
    beacon_on: BeaconDay = None,
    as_of: output.AsOf = None,
    as_json: output.Json = False,
) -> None:
    """Freeze the farms with what the seed will come from, before anybody can know the seed (2100.040(a)(3))."""
    import secrets

    from provender.audit.sampling.population import read_farms

    population, notes = read_farms(farms)
    day, salt = as_of or output.today(), secrets.token_hex(32)
    years = years_shown(_read_proofs(before, pinned, day), party.strip(), year, day)
    source = Beacon(beacon, beacon_round, beacon_on or day) if beacon else sides(commitments or [])
    marks = tuple(one.frozen.sha256 for one in _earlier(earlier))
    between = (party, verifier)
    frozen = freeze_list(population, year, years, source, between=between, day=day, salt=salt, earlier=marks)
    output.write_document(out, frozen.document())
    output.print_problems([*notes, *_strangers(years, population)])
    if as_json:
        output.print_json({"frozen_hash": frozen.sha256, **frozen.document()})
        return
    words = (
        f"{frozen.farms} farms, at least {minimum_farms(frozen.farms)} to be audited. Frozen as {frozen.sha256}.\n"
        "Give list and frozen file to the other side. Then the audited party opens its part of the seed first; from "
        f"{frozen.open_until} on a part that is closed counts as its refusal."
    )
    Console().print(words, markup=False, highlight=False, soft_wrap=True)


def sides(pairs: list[str]) -> dict[Side, str]:
    """Read ``side=text``, one for each side.

    Raises:
        ProblemsError: a side is not known, or named twice.
    """
    read = [pair.partition("=") for pair in pairs]
    names = [name.strip() for name, _, _ in read]
    if len(set(names)) != len(names) or set(names) - {str(side) for side in Side}:
        cause = f"{', '.join(names)}: these are not the two sides, each once."
        raise refuse("seed", cause, "Write verifier=... and audited=....", cite="2100.040(a)(3)", code="no_side")
    return {Side(name): text.strip() for name, (_, _, text) in zip(names, read, strict=True)}


@output.stopping
def sample(
    farms: Farms,
    frozen: Annotated[
        Path | None, typer.Option(help="The frozen list of `audit freeze`. Without it the farms are only counted.")
    ] = None,
    opened: Annotated[
        list[str] | None, typer.Option("--open", help="verifier=FILE or audited=FILE: the secret of `audit seed`.")
    ] = None,
    beacon_value: Annotated[str, typer.Option(help="What the beacon gave in the round that the list names.")] = "",
    before: Before = None,
    pinned: Pinned = None,
    earlier: Earlier = None,
    size: Annotated[int | None, typer.Option(help="Farms the verifier wants; at least the minimum.")] = None,
    add: Annotated[list[str] | None, typer.Option(help="FARM=REASON: a farm added by judgment.")] = None,
    population: Annotated[
        str | None, typer.Option(help="The hash that was frozen; refused if the list differs.")
    ] = None,
    decisions: Annotated[
        Path | None, typer.Option(help="JSON: treatments (borrowed audits), failures (failed farms).")
    ] = None,
    as_of: output.AsOf = None,
    as_json: output.Json = False,
) -> None:
    """Draw the sample to be audited from a frozen list and the opened seed (7 CFR 2100.040(a)(3))."""
    from provender.audit.sampling.population import read_farms

    listed, notes = read_farms(farms)
    if population is not None and listed.sha256 != population.strip().lower():
        cause = f"The list has the hash {listed.sha256}, not the one that was frozen."
        raise refuse(farms.name, cause, "Use the list that was frozen before the seed.", cite="2100.040(a)(3)(i)")
    if frozen is None:
        count = len(listed.farms)
        data = {"farms": count, "minimum": minimum_farms(count), "population_hash": listed.sha256}
        _report(data, notes, as_json=as_json)
        return
    day = as_of or output.today()
    bound, parts = _frozen(frozen), _opened_parts(opened or [], beacon_value, day)
    by_judgment = {farm.strip(): why.strip() for farm, _, why in (pair.partition("=") for pair in add or ())}
    proofs = _read_proofs(before, pinned, day)
    request = drawing.SampleRequest(listed, bound, parts, proofs, size, by_judgment, _earlier(earlier))
    notes += _strangers(request.audited, listed)
    document = drawing.sample_document(drawing.draw_sample(request), **_decided(decisions))
    output.print_problems(notes)
    if as_json:
        output.print_json(document)
    else:
        _show_sample(document)


def _frozen(path: Path) -> Frozen:
    try:
        return Frozen.read(output.read_document(path))
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        cause = f"This is no frozen list of farms: {type(wrong).__name__}, {wrong}."
        raise refuse(path.name, cause, "Use the file that `provender audit freeze` wrote.") from None


def _earlier(files: list[Path] | None) -> tuple[drawing.SampleRequest, ...]:
    """Read the lists frozen before for this point and year: sample files, or frozen lists that were never drawn."""
    try:
        return tuple(
            replace(drawing.read_request(one), earlier=())
            if "frozen" in one
            else drawing.SampleRequest(freeze(()), Frozen.read(one))
            for one in map(output.read_document, files or ())
        )
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        cause = f"This is no list frozen before: {type(wrong).__name__}, {wrong}."
        raise refuse("--earlier", cause, "Use the sample file, or the frozen list where none was drawn.") from None


def _opened_parts(pairs: list[str], beacon_value: str, on: date) -> Opened:
    """Read what the seed is made of on a day: files of secrets by side, or the value of the beacon."""
    secrets = {side: output.read_document(Path(path)).get("secret") for side, path in sides(pairs).items()}
    if not all(isinstance(secret, str) for secret in secrets.values()):
        raise refuse("--open", "A file holds no secret.", "Use the file that `provender audit seed` wrote.")
    return Opened({side: str(secret) for side, secret in secrets.items()}, beacon_value, on)


def _decided(file: Path | None) -> dict[str, Any]:
    """Read the verifier's decisions about drawn farms: audits borrowed, farms failed (interpretations 52, 56)."""
    if file is None:
        return {}
    data = output.read_document(file)
    try:
        return {
            "treatments": [read(drawing.Treatment, one) for one in data.get("treatments", [])],
            "failures": [read(drawing.Failure, one) for one in data.get("failures", [])],
        }
    except (KeyError, TypeError, ValueError) as wrong:
        cause = f"The decisions cannot be read: {type(wrong).__name__}, {wrong}."
        remedy = "Write treatments and failures as the guide to audits shows."
        raise refuse(file.name, cause, remedy, cite="2100.040(b)(2)") from None


def _strangers(audited: Mapping[str, object], population: Population) -> list[Problem]:
    unknown = sorted(audited.keys() - {farm.farm_id for farm in population.farms})
    if not unknown:
        return []
    farms = counted(len(unknown), "farm audited before supplies", "farms audited before supply")
    cause = f"{farms} nothing now: {', '.join(unknown[:5])}."
    remedy = "Nothing to do, if their names have not changed."
    return [Problem(Place("--before"), cause, remedy, "2100.040(a)(3)(iii)", Weight.NOTE, "audited_unknown")]


def _report(data: dict[str, Any], notes: list[Problem], *, as_json: bool) -> None:
    output.print_problems(notes)
    if as_json:
        output.print_json(data)
    else:
        Console().print(
            f"{data['farms']} farms, at least {data['minimum']} to be audited.\n"
            f"The list has the hash {data['population_hash']}.\n"
            "Make the parts of the seed (`audit seed`), then freeze the list (`audit freeze`).",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )


@output.stopping
def redraw(
    file: Annotated[Path, typer.Argument(help="A sample file, as `provender audit sample --json` wrote it.")],
    population: Annotated[str | None, typer.Option(help="The hash frozen before the seed was committed.")] = None,
    pinned: Pinned = None,
    as_of: output.AsOf = None,
    as_json: output.Json = False,
) -> None:
    """Draw a sample again from its own file and list every difference.

    With your list of keys, also what stands against the statements by which farms count as audited before.
    """
    from provender.audit.statement.papers import proof_problems

    document = output.read_document(file)
    problems = drawing.check_sample(document, population)
    notes = [] if problems else drawing.draw_notes(document)
    if pinned and not problems:
        keys = _read_pins(pinned).keys_of
        problems = [one for _, one in proof_problems(document, keys, as_of or output.today())]
    if as_json:
        told = {"problems": [problem.as_json() for problem in problems], "notes": notes}
        output.print_json({"same": not problems, **told})
    else:
        output.print_problems(problems)
        for note in notes:
            Console().print(note, markup=False, soft_wrap=True)
        Console().print("The sample drawn again differs." if problems else "The same sample, drawn again.")
    if problems:
        raise typer.Exit(output.SOMETHING_TO_LOOK_AT)


@output.stopping
def population(
    book: Annotated[Path, typer.Argument(help="The first point's custody book (.jsonl).")],
    out: Annotated[Path, typer.Option("--out", help="The list to write, .csv, for `provender audit sample --farms`.")],
    report: Annotated[list[Path] | None, typer.Option(help="A farm's report, or a folder of them; repeat.")] = None,
    first: Annotated[date | None, output.day_option("First day of the period.")] = None,
    last: Annotated[date | None, output.day_option("Last day of the period.")] = None,
    as_json: output.Json = False,
) -> None:
    """List every farm whose crop came in, with what it supplied here, and freeze the list under its hash."""
    from provender.audit.sampling.population import incoming_farms

    with open_book(book) as opened:
        found = incoming_farms(opened.store, opened.entity, first, last)
    rows = _listed(found, report or (), book.name)
    output.write_new(out, _csv(rows))
    _tell(freeze(rows), out, as_json=as_json)


def _listed(found: "Mapping[FarmCropKey, SupplyingFarm]", reports: Iterable[Path], file: str) -> list[FarmCrop]:
    """Return the rows; a farm that cannot be listed could never be drawn, so it refuses the whole list."""
    from provender.audit.sampling.population import CITE, listed

    rows, problems = listed(found, _documents(reports), file)
    if problems:
        raise ProblemsError(problems)
    if not rows:
        raise refuse(file, "No farm's crop came in.", "Check the book and the days.", cite=CITE)
    return rows


def _documents(given: Iterable[Path]) -> list[dict[str, Any]]:
    from provender.audit.package.collect import json_files
    from provender.audit.package.contents import read_report

    read = (read_report(path.name, output.read_bytes(path)) for path in json_files(given))
    return [dict(one.document) for one in read if one is not None]


def _csv(rows: Iterable[FarmCrop]) -> bytes:
    from provender.audit.sampling.population import FARM_COLUMNS

    out = io.StringIO()
    writer = csv.DictWriter(out, list(FARM_COLUMNS), lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(row.document() for row in rows)
    return out.getvalue().encode()


def _tell(frozen: Population, out: Path, *, as_json: bool) -> None:
    count = len(frozen.farms)
    if as_json:
        data = {"file": str(out), "farms": count, "minimum": minimum_farms(count), "population_hash": frozen.sha256}
        output.print_json(data)
        return
    words = (
        f"{counted(count, 'farm')}, {counted(len(frozen.rows), 'row')} in {out}; "
        f"at least {minimum_farms(count)} to be audited "
        f"[7 CFR 2100.040(a)(3)(ii)].\nFrozen as {frozen.sha256}.\n"
        "Make the parts of the seed (`audit seed`), then freeze the list (`audit freeze`)."
    )
    Console().print(words, markup=False, highlight=False, soft_wrap=True)
