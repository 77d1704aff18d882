"""``provender report``: the Biofuel Feedstock Report of a crop and harvest year, as PDF and JSON, signed or not."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from provender.cli.harvests import Book, Calculator, Calculators, OneCrop, Year, judged, quantified
from provender.cli.keys import PassphraseFile, open_key
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, today
from provender.custody.model.origins import origin_id, origin_name
from provender.intensity.calculator import OFFICIAL
from provender.problem import Problem, ProblemsError, refuse
from provender.quantity import parse, show
from provender.signing.canonical import canonical_json
from provender.signing.keys import SigningKey

if TYPE_CHECKING:
    from provender.intensity.quantify import Quantification
    from provender.practices.assess import Assessment
    from provender.report.document import Edition
    from provender.report.record_rows import Leaves

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def report(
    book: Book,
    out: Annotated[Path, typer.Option("--out", help="Folder for the PDF and the JSON.")],
    crop: OneCrop = None,
    year: Year = None,
    calculator: Calculator = OFFICIAL,
    calculators: Calculators = None,
    key: Annotated[Path | None, typer.Option("--key", help="Sign with this key (`provender keys new`).")] = None,
    passphrase_file: PassphraseFile = None,
    amends: Annotated[
        Path | None, typer.Option("--amends", help="The earlier report (JSON) that this one replaces.")
    ] = None,
    under: Annotated[
        str,
        typer.Option("--under", metavar="TEXT", help="Sign a later harvest under this text, such as interim-2025."),
    ] = "",
    as_of: AsOf = None,
    json: Json = False,
) -> None:
    """Make the report of each crop and harvest year; with --key the farm producer signs it.

    A report that may not be signed is still written, marked ESTIMATE, PRELIMINARY or DRAFT on every page and in its
    file name; the reasons are printed. Exit status 1 when a report could not be official.
    """
    day = as_of or today()
    if day > today():
        raise refuse(
            "--as-of", f"{day} is in the future.", "A report bears the day on which it is made.", cite="2100.031"
        )
    signer = None if key is None else open_key(key, passphrase_file)
    assessment = judged(book)
    chosen = quantified(assessment, crop, year, calculator, calculators)
    if amends is not None and len(chosen) != 1:
        raise refuse(str(amends), "One report replaces one.", "Name the crop and year with --crop and --year.")
    task = _Task(assessment, day, out, signer, amends, under)
    written = [task.write(one) for one in chosen]
    if json:
        print_json({"as_of": day.isoformat(), "reports": written})
    else:
        for one in written:
            _print(Console(), one)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if any(one["not_official_because"] for one in written) else ALL_WELL)


@dataclass(frozen=True, slots=True)
class _Task:
    """What the reports of one call share."""

    assessment: "Assessment"
    day: date
    out: Path
    key: SigningKey | None
    amends: Path | None
    under: str

    def write(self, one: "Quantification") -> dict[str, Any]:
        """Write one report as JSON and PDF; return where they are and why it is not official, if so."""
        from provender.report.document import build
        from provender.report.files import stem, write_both
        from provender.report.leaves_file import leaves_document
        from provender.report.pdf import report_files
        from provender.report.print_view import state

        edition, opening = self._edition(one), self._opening(one)
        document = build(self.assessment, one, as_of=self.day, edition=edition, leaves=opening and opening[1])
        envelope, refused = self._signed(document)
        if self.key is not None and envelope is None:
            # A salt opens the farm's name in other books: a draft that nobody stands behind gives none away.
            document["edition"] |= {"salt": "", "origin_id": origin_id(one.farm_id, one.crop, one.harvest_year, "")}
        what = state(document, signed=envelope is not None, refused=refused)
        files = self.assessment.book.files
        made = report_files(
            document, as_of=self.day, envelope=envelope, refused=refused,
            printout=lambda file, sha256: files.content_of(one.farm_id, file, sha256),
        )  # fmt: skip
        signed = envelope is not None
        # What opens the roots goes with a signature only: it holds the secret of every version, a draft's readers none.
        leaves = canonical_json(leaves_document(document, *opening)) if opening and signed else b""
        paths = write_both(self.out, stem(document, what), made.json, made.pdf, signed=signed, leaves=leaves)
        json_path, pdf_path = paths
        return {
            "farm_id": one.farm_id, "crop": str(one.crop), "harvest_year": one.harvest_year, "label": str(one.label),
            "state": what, "version": document["edition"]["version"], "changes": document["edition"]["changes"],
            "farm_ci_g_per_bu": document["farm_ci_g_per_bu"], "total_bushels": document["total_bushels"],
            "rule_state": document["rule"]["state"], "official": document["official"],
            "signed": signed, "hash": made.hash, "json": str(json_path),
            "pdf": str(pdf_path), "not_official_because": [problem.as_json() for problem in refused],
        }  # fmt: skip

    def _opening(self, one: "Quantification") -> "tuple[str, Leaves] | None":
        """Return the secret and the salted leaves of the records; without a key nothing is bound."""
        from provender.report.record_rows import BoundRows
        from provender.report.signing import leaf_secret_of

        if self.key is None:
            return None
        secret = leaf_secret_of(self.key, origin_name(one.farm_id, str(one.crop), one.harvest_year))
        return secret, BoundRows(self.assessment, one, self.day).leaves(secret)

    def _signed(self, document: dict[str, Any]) -> tuple[dict[str, object] | None, Sequence[Problem]]:
        """Return the signed report, or why there is none."""
        from provender.report.signing import refusals, sign_report

        if self.key is None:
            return None, refusals(document)
        try:
            return sign_report(document, self.key, fingerprint_on_file=_on_file(self.assessment, document)), ()
        except ProblemsError as refused:
            return None, refused.problems

    def _edition(self, one: "Quantification") -> "Edition":
        from provender.report.document import Edition, build
        from provender.report.files import read_report
        from provender.report.signing import salt_of
        from provender.report.versions import amend

        key = one.farm_id, str(one.crop), one.harvest_year
        salt = "" if self.key is None else salt_of(self.key, origin_name(*key))
        edition = Edition(origin_id=origin_id(*key, salt), salt=salt, under=self.under)
        if self.amends is None:
            return edition
        later = replace(amend(read_report(self.amends), build(self.assessment, one, as_of=self.day)), under=self.under)
        # A first version signed by hand has no salt yet: the first electronic signature makes it.
        return later if later.salt else replace(later, origin_id=edition.origin_id, salt=salt)


def _on_file(assessment: "Assessment", document: dict[str, Any]) -> str | None:
    import polars as pl

    mine = pl.col("farm_id") == document["farm"]["farm_id"]
    rows = assessment.book["producer"].filter(mine & (pl.col("producer_id") == document["producer"]["producer_id"]))
    return rows["key_fingerprint"][0] if rows.height else None


def _print(console: Console, one: dict[str, Any]) -> None:
    bushels = "bushels not all recorded" if one["total_bushels"] is None else f"{_amount(one['total_bushels'])} bu"
    ci = "no farm CI" if one["farm_ci_g_per_bu"] is None else f"{one['farm_ci_g_per_bu']} g CO2e/bu"
    key = f"{one['crop']} {one['harvest_year']}, farm {one['farm_id']}"
    lines = [
        *([f"{key}: {one['rule_state']}"] if one["rule_state"] else []),
        f"{key}: {one['state']}, version {one['version']}, {bushels}, {ci}",
        f"  {one['pdf']}",
        f"  {one['json']}",
        *(f"  changed: {text}" for text in one["changes"]),
        *(f"  not official: {p['cause']} [7 CFR {p['cite']}] {p['remedy']}" for p in one["not_official_because"]),
    ]
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _amount(text: str) -> str:
    return show(parse(text), group=True)
