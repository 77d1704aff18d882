"""Writing the reports of a record book on disk: as JSON and PDF into a folder, signed where a key is given."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from provender.custody.model.lots import origin_id, origin_name
from provender.intensity.quantify import Quantification
from provender.problem import Problem, ProblemsError
from provender.records.kinds.farm import Producer
from provender.report.document import Edition, build
from provender.report.print import report_pdf, signed_json, state
from provender.report.signing import leaf_secret_of, refusals, salt_of, sign_report
from provender.report.supporting import BoundRows, Leaves
from provender.report.versions import leaves_document, next_edition, read_report, stem, write_both
from provender.signing.canonical import canonical_json, document_hash
from provender.signing.keys import SigningKey
from provender.verdicts.assess import Assessment


@dataclass(frozen=True, slots=True)
class ReportTask:
    """What the reports of one call share."""

    assessment: Assessment
    day: date
    out: Path
    key: SigningKey | None
    amends: Path | None
    under: str

    def write(self, one: Quantification) -> dict[str, Any]:
        """Write one report as JSON and PDF; return where they are and why it is not official, if so."""
        edition, opening = self._edition(one), self._opening(one)
        document = build(self.assessment, one, as_of=self.day, edition=edition, leaves=opening and opening[1])
        envelope, refused = self._signed(document)
        if self.key is not None and envelope is None:
            # A salt opens the farm's name in other books: a draft that nobody stands behind gives none away.
            document["edition"] |= {"salt": "", "origin_id": origin_id(one.farm_id, one.crop, one.harvest_year, "")}
        what = state(document, signed=envelope is not None, refused=refused)
        files = self.assessment.book.files
        pdf = report_pdf(
            document, as_of=self.day, envelope=envelope, refused=refused,
            printout=lambda file, sha256: files.content_of(one.farm_id, file, sha256),
        )  # fmt: skip
        signed, content = envelope is not None, signed_json(envelope or document)
        # What opens the roots goes with a signature only: it holds the secret of every version, a draft's readers none.
        leaves = canonical_json(leaves_document(document, *opening)) if opening and signed else b""
        paths = write_both(self.out, stem(document, what), content, pdf, signed=signed, leaves=leaves)
        json_path, pdf_path = paths
        return {
            "farm_id": one.farm_id, "crop": str(one.crop), "harvest_year": one.harvest_year, "label": str(one.label),
            "state": what, "version": document["edition"]["version"], "changes": document["edition"]["changes"],
            "farm_ci_g_per_bu": document["farm_ci_g_per_bu"], "total_bushels": document["total_bushels"],
            "rule_state": document["rule"]["state"], "official": document["official"],
            "signed": signed, "hash": document_hash(document), "json": str(json_path),
            "pdf": str(pdf_path), "not_official_because": [problem.as_json() for problem in refused],
        }  # fmt: skip

    def _opening(self, one: Quantification) -> tuple[str, Leaves] | None:
        """Return the secret and the salted leaves of the records; without a key nothing is bound."""
        if self.key is None:
            return None
        secret = leaf_secret_of(self.key, origin_name(one.farm_id, str(one.crop), one.harvest_year))
        return secret, BoundRows(self.assessment, one, self.day).leaves(secret)

    def _signed(self, document: dict[str, Any]) -> tuple[dict[str, object] | None, Sequence[Problem]]:
        if self.key is None:
            return None, refusals(document)
        try:
            return sign_report(document, self.key, fingerprint_on_file=_on_file(self.assessment, document)), ()
        except ProblemsError as refused:
            return None, refused.problems

    def _edition(self, one: Quantification) -> Edition:
        key = one.farm_id, str(one.crop), one.harvest_year
        salt = "" if self.key is None else salt_of(self.key, origin_name(*key))
        edition = Edition(origin_id=origin_id(*key, salt), salt=salt, under=self.under)
        if self.amends is None:
            return edition
        later = replace(
            next_edition(read_report(self.amends), build(self.assessment, one, as_of=self.day)), under=self.under
        )
        # A first version signed by hand has no salt yet: the first electronic signature makes it.
        return later if later.salt else replace(later, origin_id=edition.origin_id, salt=salt)


def _on_file(assessment: Assessment, document: dict[str, Any]) -> str | None:
    producer = document["producer"]["producer_id"]
    rows = assessment.book.rows(Producer, document["farm"]["farm_id"])
    return next((row.key_fingerprint for row in rows if row.producer_id == producer), None)
