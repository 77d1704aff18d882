"""The Biofuel Feedstock Report on paper: the JSON document given to the template, nothing computed anew."""

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial
from importlib.resources import files
from typing import Any, Final, NamedTuple

from provender.paper.pdf import Attachment, qr_svg, render
from provender.problem import Problem
from provender.report.print_view import charts, view
from provender.report.printout_files import Printouts, no_printout, printouts
from provender.report.signing import refusals
from provender.report.typ import TYP
from provender.signing.hashes import document_hash
from provender.signing.jws import check

ATTACHED: Final = "biofuel-feedstock-report.json"


class Files(NamedTuple):
    """A report as it is handed over.

    Attributes:
        json: the signed report, or the bare document.
        pdf: its print.
        hash: SHA-256 of the document, as printed.
    """

    json: bytes
    pdf: bytes
    hash: str


def report_pdf(
    report: Mapping[str, Any],
    *,
    as_of: date,
    envelope: Mapping[str, object] | None = None,
    refused: Sequence[Problem] | None = None,
    printout: Printouts = no_printout,
) -> bytes:
    """Return the report as PDF/A.

    Args:
        report: the document of ``document.build``.
        as_of: the day of the print.
        envelope: the signed report; the print then shows key, hashes and a QR code of them, and carries the signed
            JSON along (PDF/A-3), so that one file is both.
        refused: why it may not be signed; without it, what the document itself says.
        printout: gives the content of a calculator's printout by its hash; a signed print carries those it names.

    Raises:
        ValueError: the envelope signs another document, or was changed.
    """
    content = b"" if envelope is None else signed_json(envelope)
    return _printing(report, document_hash(report), as_of, envelope, content, refused, printout)()


def report_files(
    report: Mapping[str, Any],
    *,
    as_of: date,
    envelope: Mapping[str, object] | None = None,
    refused: Sequence[Problem] | None = None,
    printout: Printouts = no_printout,
) -> Files:
    """Return the report as JSON and as PDF/A; see ``report_pdf``.

    The pages are laid out on a thread of their own, without the interpreter, which writes an unsigned JSON meanwhile.
    """
    content = b"" if envelope is None else signed_json(envelope)
    mark = document_hash(report)
    printing = _printing(report, mark, as_of, envelope, content, refused, printout)
    with ThreadPoolExecutor(max_workers=1) as beside:
        pdf = beside.submit(printing)
        return Files(content or signed_json(report), pdf.result(), mark)


def _printing(
    report: Mapping[str, Any],
    mark: str,
    as_of: date,
    envelope: Mapping[str, object] | None,
    content: bytes,
    refused: Sequence[Problem] | None,
    printout: Printouts,
) -> Callable[[], bytes]:
    """Return the call that prints; ``mark`` is the document's hash, ``content`` the signed JSON to carry along."""
    reasons = refusals(report) if refused is None else refused
    images = charts(report)
    checked = None if envelope is None else check(envelope, {}, typ=TYP)
    carried = printouts(report, printout) if envelope is not None else []
    data: dict[str, object] = {
        "report": _printed(report),
        "view": view(report, signed=checked is not None, refused=reasons, key=checked.kid if checked else ""),
        "printouts": [one.name for one in carried],
        "hash": mark,
        "pictures": sorted(images),
        "seal": None,
    }
    attachments = []
    if checked is not None:
        if checked.document != report:
            raise ValueError(f"the envelope does not sign this report: {checked.status}")
        words = f"key {checked.kid}\nsha256 {mark}\nsigned {checked.hash}"
        images["qr.svg"] = qr_svg(words, title="Key and hashes")
        data["seal"] = {"fingerprint": checked.kid, "signature": checked.hash}
        attachments = [Attachment(ATTACHED, content, "application/json", "The signed report, for machines"), *carried]
    template = files("provender.report") / "templates" / "report.typ"
    return partial(render, template, data, as_of=as_of, images=images, attachments=attachments)


def _printed(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document without what the template takes from the view as rows, or does not print."""
    bare = [
        {**interval, "passes": [], "practices": [{**one, "requirements": []} for one in interval["practices"]]}
        for unit in report["units"]
        for interval in unit["intervals"]
    ]
    rest = iter(bare)
    units = [{**unit, "intervals": [next(rest) for _ in unit["intervals"]]} for unit in report["units"]]
    return {
        **report,
        "units": units,
        "problems": report["problems"][:1],
        "rests_on": {name: report["rests_on"].get(name, "") for name in ("evidence", "book_head")},
    }


def signed_json(document: Mapping[str, object]) -> bytes:
    """Return the bytes of a report's JSON file, signed or not: readable, and the same for the same content."""
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()
