"""``provender audit request``: what a verifier asks a party for, and what may be left out (interpretation 53)."""

from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from provender.audit.package.layout import Part
from provender.audit.package.write import Allowance, PackageRequest, Subject
from provender.cli.audit.files import stop, write_document
from provender.cli.keys import PassphraseFile, open_key
from provender.cli.output import AsOf, parse_day, today
from provender.problem import ProblemsError, refuse
from provender.signing.jws import sign


def request(
    out: Annotated[Path, typer.Argument(help="The signed request to write, .json.")],
    verifier: Annotated[str, typer.Option(help="Your id, as it stands in lists of pinned keys.")],
    audited: Annotated[str, typer.Option(help="Id of the party that is asked.")],
    first: Annotated[date, typer.Option(parser=parse_day, metavar="DAY", help="First day to cover.")],
    last: Annotated[date, typer.Option(parser=parse_day, metavar="DAY", help="Last day to cover.")],
    key: Annotated[Path, typer.Option("--key", help="Your private key, NAME.key.pem.")],
    subject: Annotated[Subject, typer.Option(help="Kind of package.")] = Subject.FARM_REPORT,
    allow: Annotated[
        list[str] | None,
        typer.Option(metavar="PART[:PATH]=REASON", help="What may be left out, and why; repeat."),
    ] = None,
    passphrase_file: PassphraseFile = None,
    as_of: AsOf = None,
) -> None:
    """Ask a party for a package. Without --allow nothing may be left out; only the verifier's leave counts."""
    try:
        if verifier == audited:
            cause = f"{audited} cannot ask itself: only the verifier says what may be left out."
            raise refuse("--verifier", cause, "Name the verifier.", cite="2100.040")
        if first > last:
            raise refuse("--last", f"{last} is before {first}.", "Check the days.", cite="2100.030(d)")
        allowed = tuple(_allowance(text) for text in allow or ())
        asked = PackageRequest(verifier, audited, subject, first, last, allowed, as_of or today())
        write_document(out, sign(asked.document(), open_key(key, passphrase_file)))
    except ProblemsError as refused:
        raise stop(refused, as_json=False) from None
    words = f"Signed: {out}. {audited} uses it with `provender audit package --request`."
    Console().print(words, markup=False, highlight=False, soft_wrap=True)


def _allowance(text: str) -> Allowance:
    what, _, reason = text.partition("=")
    part, _, below = what.partition(":")
    if part not in set(Part) or not reason.strip():
        cause = f"{text!r} is not PART[:PATH]=REASON."
        raise refuse("--allow", cause, f"Say which part and why; parts are {', '.join(Part)}.", cite="2100.030(d)")
    return Allowance(Part(part), below, reason.strip())
