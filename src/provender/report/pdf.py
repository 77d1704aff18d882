"""The Biofuel Feedstock Report on paper: the JSON document given to the template, nothing computed anew."""

from collections.abc import Mapping
from datetime import date
from importlib.resources import files
from typing import Any

from provender.paper.pdf import render
from provender.signing.hashes import document_hash


def report_pdf(report: Mapping[str, Any], *, as_of: date, envelope: Mapping[str, object] | None = None) -> bytes:
    """Return the report as PDF/A; with ``envelope`` it prints the signature, its hash and the QR code of both."""
    data = {"report": report, "hash": document_hash(report), "signed": envelope is not None}
    return render(files("provender.report") / "templates" / "report.typ", data, as_of=as_of)
