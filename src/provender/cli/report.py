"""``provender report``: the Biofuel Feedstock Report of a crop and harvest year, as PDF and JSON, signed or not."""

import json as json_text
import secrets
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer
from rich.console import Console

from provender.cli.harvests import Book, Calculator, Year, judged, quantified
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, today
from provender.custody.origins import origin_id
from provender.intensity.quantify import OFFICIAL, Quantification
from provender.practices.assess import Assessment
from provender.problem import refuse
from provender.report.document import Edition, build
from provender.report.pdf import report_pdf
from provender.report.signing import refusals, sign_report
from provender.report.versions import amend
from provender.rule.crops import Crop
from provender.signing.canonical import read_json
from provender.signing.hashes import document_hash
from provender.signing.keys import SigningKey

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def report(
    book: Book,
    out: Annotated[Path, typer.Option("--out", help="Folder for the PDF and the JSON.")],
    crop: Annotated[Crop | None, typer.Option("--crop", help="Only this crop.")] = None,
    year: Year = None,
    calculator: Calculator = OFFICIAL,
    key: Annotated[Path | None, typer.Option("--key", help="Sign with this key (`provender keys new`).")] = None,
    passphrase_file: Annotated[
        Path | None, typer.Option("--passphrase-file", help="File that holds its passphrase.")
    ] = None,
    amends: Annotated[
        Path | None, typer.Option("--amends", help="The earlier report (JSON) that this one replaces.")
    ] = None,
    as_of: AsOf = None,
    json: Json = False,
) -> None:
    """Make the report of each crop and harvest year; with --key the farm producer signs it.

    Exit status 1 when a report could not be official; the reasons are printed.
    """
    day = as_of or today()
    assessment = judged(book)
    out.mkdir(parents=True, exist_ok=True)
    written = [
        _write(assessment, one, day, out, _Signer(key, passphrase_file), amends)
        for one in quantified(assessment, crop, year, calculator)
    ]
    if json:
        print_json({"as_of": day.isoformat(), "reports": written})
    else:
        for one in written:
            _print(Console(), one)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if any(one["not_official_because"] for one in written) else ALL_WELL)


class _Signer:
    """The key of a signing run, opened once when it is first needed."""

    def __init__(self, key: Path | None, passphrase_file: Path | None) -> None:
        self.file = key
        self.passphrase_file = passphrase_file

    def open(self) -> SigningKey | None:
        """Return the key, asking for its passphrase where no file holds it; None for an unsigned report."""
        if self.file is None:
            return None
        if not self.file.is_file():
            raise refuse(str(self.file), "There is no such key file.", "Make one with `provender keys new`.")
        if self.passphrase_file is not None:
            passphrase = self.passphrase_file.read_text(encoding="utf-8").rstrip("\n")
        else:
            passphrase = typer.prompt("Passphrase", hide_input=True)
        return SigningKey.unseal(self.file.read_bytes(), passphrase, file=str(self.file))


def _write(
    assessment: Assessment, one: Quantification, day: date, out: Path, signer: _Signer, amends: Path | None
) -> dict[str, Any]:
    """Write one report as JSON and PDF; return where they are and why it is not official, if so."""
    edition = _edition(assessment, one, day, amends, signed=signer.file is not None)
    document = build(assessment, one, as_of=day, edition=edition)
    key = signer.open()
    envelope = None
    if key is not None:
        envelope = sign_report(document, key, fingerprint_on_file=_on_file(assessment, document))
    stem = f"{one.farm_id}-{one.crop}-{one.harvest_year}-v{edition.version}".replace("/", "_")
    json_path, pdf_path = out / f"{stem}.json", out / f"{stem}.pdf"
    json_path.write_text(json_text.dumps(envelope or document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    pdf_path.write_bytes(report_pdf(document, as_of=day, envelope=envelope))
    return {
        "farm_id": one.farm_id,
        "crop": str(one.crop),
        "harvest_year": one.harvest_year,
        "label": str(one.label),
        "version": edition.version,
        "farm_ci_g_per_bu": document["farm_ci_g_per_bu"],
        "total_bushels": document["total_bushels"],
        "signed": envelope is not None,
        "hash": document_hash(document),
        "json": str(json_path),
        "pdf": str(pdf_path),
        "not_official_because": [problem.as_json() for problem in refusals(document)],
    }


def _edition(assessment: Assessment, one: Quantification, day: date, amends: Path | None, *, signed: bool) -> Edition:
    if amends is not None:
        earlier = read_json(amends.read_bytes(), file=str(amends))
        if isinstance(earlier, dict) and isinstance(earlier.get("document"), dict):
            earlier = earlier["document"]
        if not isinstance(earlier, dict) or "edition" not in earlier:
            raise refuse(str(amends), "This is no Biofuel Feedstock Report.", "Name the JSON of the earlier report.")
        return amend(earlier, build(assessment, one, as_of=day))
    # The salt hides the farm in transfer documents; it is made once, with the first signed report of the origin.
    salt = secrets.token_hex(16) if signed else ""
    return Edition(origin_id=origin_id(one.farm_id, str(one.crop), one.harvest_year, salt), salt=salt)


def _on_file(assessment: Assessment, document: dict[str, Any]) -> str | None:
    rows = assessment.book["producer"].filter(pl.col("producer_id") == document["producer"]["producer_id"])
    return rows["key_fingerprint"][0] if rows.height else None


def _print(console: Console, one: dict[str, Any]) -> None:
    state = "signed" if one["signed"] else "not signed"
    console.print(
        f"{one['crop']} {one['harvest_year']}: {one['label']}, {state}, version {one['version']}, "
        f"{one['total_bushels']} bu at {one['farm_ci_g_per_bu']} g CO2e/bu",
        highlight=False,
    )
    console.print(f"  {one['pdf']}\n  {one['json']}", highlight=False)
    for problem in one["not_official_because"]:
        console.print(f"  not official: {problem['cause']} [7 CFR {problem['cite']}] {problem['remedy']}", markup=False)
