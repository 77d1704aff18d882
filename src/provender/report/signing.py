"""Signing a report: what must hold before a farm producer's signature makes it official (interpretations 5, 6, 33)."""

from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any, Final, TypeAlias

from provender.intensity.calculator import SIGNABLE
from provender.paper.pdf import Attachment
from provender.problem import Place, Problem, ProblemsError, listed
from provender.report.attestation import Footing
from provender.report.document import FORMAT
from provender.report.typ import TYP
from provender.rule.calculators import packaged_calculators
from provender.signing.canonical import sha256_hex
from provender.signing.jws import MEANING, check, sign
from provender.signing.keys import SigningKey
from provender.standards.standard import Part, Verdict
from provender.verdicts.words import MOST_NAMED

SALT_TYP: Final = "provender-origin-salt"
SALT_LENGTH: Final = 32
_LEAVES_TYP: Final = "provender-record-leaves"
RULE_NOT_CURRENT: Final = "rule_not_current"


def refusals(report: Mapping[str, Any]) -> list[Problem]:
    """Return why the report cannot be signed as official; empty when it can."""
    place = Place(f"{report['crop']} {report['harvest_year']}")
    found = []
    if report["label"] not in SIGNABLE:
        cause = f"The result is {report['label']}; it can be printed, not signed."
        remedy = "Enter the runs of a final version of USDA FD-CIC, as a list names it, with their printouts."
        found.append(Problem(place, cause, remedy, "2100.031(c)(2)(i)", code="not_official"))
    found += _of_its_format(report, place)
    rule = report.get("rule", {})
    if (text := text_to_name(report)) and rule.get("signed_under") != text:
        cause = f"The harvest is {rule['state']}: the text was read up to {rule['read_up_to']}."
        remedy = f"Name the text under which you sign: --under {text}; or load the later text (PROVENDER_RULE)."
        found.append(Problem(place, cause, remedy, "2100.020", code=RULE_NOT_CURRENT))
    found += [
        Problem(place, f"The attestation is contradicted: {one['why']}", "Correct the records or the claim.",
                one["cite"], code="attestation_contradicted")
        for one in report["attestation"]
        if one["footing"] == Footing.CONTRADICTED
    ]  # fmt: skip
    found += [
        Problem(place, f"The attestation rests on silence: {one['why']}", "Answer it in the record that is named.",
                one["cite"], code="attestation_unanswered")
        for one in report["attestation"]
        if one["footing"] == Footing.UNANSWERED
    ]  # fmt: skip
    found += [
        Problem(place, f"{unit['unit_id']}: {cause}", "Add what is missing, then make the report again.", cite,
                code="records_incomplete")
        for unit in report["units"]
        if unit["used"] and not unit["records_met"]
        for cause, cite in open_records(unit)
    ]  # fmt: skip
    found += [
        Problem(place, str(one["cause"]), str(one["remedy"]), str(one["cite"]), code=str(one["code"]))
        for one in report.get("contradictions", ())
    ]
    if "name" in report["farm"] and not report["farm"]["name"]:
        cause, remedy = "The record of the farm is missing.", "Enter the farm with its name and county."
        found.append(Problem(place, cause, remedy, "2100.031(c)(1)", code="no_farm"))
    if report["total_bushels"] is None:
        found.append(
            Problem(
                place,
                "The bushels of a unit are not recorded.",
                "Record the whole harvest.",
                "2100.020",
                code="no_total",
            )
        )
    return found


def text_to_name(report: Mapping[str, Any]) -> str:
    """Return the text that whoever signs a report must name; empty where it is shown to be the rule in force."""
    rule = report.get("rule")
    return str(rule["id"]) if isinstance(rule, Mapping) and rule.get("state") else ""


def _of_its_format(report: Mapping[str, Any], place: Place) -> list[Problem]:
    if report.get("format") != FORMAT:
        cause = f"The report is of format {report.get('format')!r}, which this version does not know."
        return [Problem(place, cause, "Use the version that made it.", "2100.031", code="unknown_format")]
    rule = report.get("rule")
    if not isinstance(rule, Mapping) or "state" not in rule:
        cause = "The report does not say whether its text is shown to be the rule in force."
        return [Problem(place, cause, "Make the report again.", "2100.020", code="no_rule_state")]
    return []


def is_example(report: Mapping[str, Any]) -> bool:
    """Return whether a report rests on the made-up calculator of the examples."""
    calculator = report.get("calculator")
    if not isinstance(calculator, Mapping):
        return False
    listed = packaged_calculators().find(str(calculator.get("name")), str(calculator.get("version")))
    return bool(calculator.get("example")) or (listed is not None and listed.example)


def example_refusals(report: Mapping[str, Any], place: Place) -> list[Problem]:
    """Return why no book outside the demonstrations takes a report; empty for a report that is no example."""
    if not is_example(report):
        return []
    cause = "The report rests on the made-up calculator of the examples: only a demonstration takes it."
    remedy = "Make the report anew with the runs of USDA FD-CIC."
    return [Problem(place, cause, remedy, "2100.020(a)", code="example_report")]


def open_records(unit: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what the records behind a unit's practices do not show yet: a sentence and a paragraph for each."""
    found = {
        name: (f"{one['says']} Not shown; missing is {'; '.join(lacks(one)) or 'the record'}.", one["cite"])
        for interval in unit["intervals"]
        for practice in interval["practices"]
        if practice["practice"] in unit["used"]
        for name in practice["requirements"]
        if (one := interval["requirements"][name])["part"] == Part.RECORDS and one["verdict"] != Verdict.MET
    }
    return list(found.values())


def lacks(requirement: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what a requirement of a report lacks, each once: ``Harvests: Last day (it is not recorded), for H25``."""
    rows: dict[str, dict[str, None]] = {}
    for one in requirement["missing"]:
        what = f"{one['label']}: {one['column_label']}" if one["column_label"] else one["label"]
        why = one["says"].rstrip(".")
        named = rows.setdefault(f"{what} ({why[:1].lower()}{why[1:]})" if why else what, {})
        if row := one["words"] or one["asked_by"]:
            named[row] = None
    return tuple(f"{lack}, for {listed(named, MOST_NAMED)}" if named else lack for lack, named in rows.items())


def salt_of(key: SigningKey, name: str) -> str:
    """Return the salt of an origin (``custody.model.lots.origin_name``): the same for one key, unknown without it.

    Signing one harvest twice so gives one origin and not two (interpretation 34). Later versions carry the salt of the
    first, whichever key signs them.
    """
    return _salt(str(sign({"origin": name}, key, typ=SALT_TYP)["signature"]))


def leaf_secret_of(key: SigningKey, name: str) -> str:
    """Return the secret behind the salted leaves of an origin's reports: the same for one key, unknown without it."""
    return sha256_hex(str(sign({"records of": name}, key, typ=_LEAVES_TYP)["signature"]).encode())


def sign_report(report: Mapping[str, Any], key: SigningKey, *, fingerprint_on_file: str | None) -> dict[str, object]:
    """Sign a report with the producer's key.

    Args:
        report: the document of ``document.build``.
        key: the farm producer's own key.
        fingerprint_on_file: the key that the producer's record names; None when it names none.

    Raises:
        ProblemsError: the report may not be signed, with every reason; or another key is on file for this producer.
    """
    _check_signable(report, key.fingerprint, fingerprint_on_file)
    return sign(report, key, typ=TYP)


def _check_signable(report: Mapping[str, Any], fingerprint: str, on_file: str | None) -> None:
    problems = refusals(report)
    if on_file is not None and on_file != fingerprint:
        cause = "The producer's record names another signing key."
        remedy = "Sign with that key, or have the producer rotate it (`provender keys rotate`)."
        problems.append(Problem(Place("producer"), cause, remedy, "2100.031(c)(3)", code="other_key"))
    if problems:
        raise ProblemsError(problems)


def accept_signature(report: Mapping[str, Any], signature: str, *, fingerprint_on_file: str) -> dict[str, object]:
    """Take a signature that the producer made elsewhere over a report made here; return the signed report.

    Args:
        report: the document of ``document.build``, made anew here.
        signature: the detached JWS.
        fingerprint_on_file: the key that the producer's record names.

    Raises:
        ProblemsError: the report may not be signed, the signature does not cover it, or another key is on file.
    """
    envelope: dict[str, object] = {"document": dict(report), "signature": signature}
    found = check(envelope, {}, typ=TYP)
    if found.key is None:
        cause, remedy = MEANING[found.status]
        raise ProblemsError([Problem(Place("signature"), cause, remedy, "2100.031(c)(3)", code=str(found.status))])
    _check_signable(report, found.kid, fingerprint_on_file)
    return envelope


def check_salt(name: str, signature: str, fingerprint: str) -> str:
    """Return the salt of an origin from its producer's signature over the origin's name (see ``salt_of``).

    Raises:
        ProblemsError: the signature is not that key's over this name.
    """
    found = check({"document": {"origin": name}, "signature": signature}, {}, typ=SALT_TYP)
    if found.key is None or found.kid != fingerprint:
        cause, remedy = "The signature over the origin's name does not fit the key.", "Sign again with that key."
        raise ProblemsError([Problem(Place("signature"), cause, remedy, "2100.031(c)(3)", code="salt_not_signed")])
    return _salt(signature)


def _salt(signature: str) -> str:
    return sha256_hex(signature.encode())[:SALT_LENGTH]


# The calculator's printouts that a signed report carries along, by the hashes it names (2100.031(c)(2)(i)).

Printouts: TypeAlias = Callable[[str, str], bytes]
"""Gives the content of a file by its name and SHA-256; empty where it is not at hand."""
_MEDIA: Final = {
    ".pdf": "application/pdf", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".csv": "text/csv",
    ".txt": "text/plain", ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}  # fmt: skip
_ELSE: Final = "application/octet-stream"


def no_printout(file: str, sha256: str) -> bytes:  # noqa: ARG001 - as a source of printouts is asked
    return b""


def printouts(report: Mapping[str, Any], content_of: Printouts) -> list[Attachment]:
    """Return the printouts of the runs behind a report, each once, in the order of the units.

    Only content with the hash that the report names is carried: another file under the same name is not its printout.
    """
    found: dict[str, Attachment] = {}
    for unit in report["units"]:
        for run in unit["runs"]:
            for one in run["evidence"]:
                name, digest = str(one.get("file") or ""), str(one.get("sha256") or "").lower()
                if digest and digest not in found:
                    content = content_of(name, digest)
                    if sha256_hex(content) == digest:
                        found[digest] = _attachment(len(found) + 1, name, content, one["evidence_id"])
    return list(found.values())


def _attachment(number: int, file: str, content: bytes, evidence_id: str) -> Attachment:
    ending = PurePath(file).suffix.lower()
    ending = ending if ending in _MEDIA else ""
    name, words = f"calculator-printout-{number}{ending}", f"Printout of the calculator, {evidence_id}"
    return Attachment(name, content, _MEDIA.get(ending, _ELSE), words)
