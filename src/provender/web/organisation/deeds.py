"""What the log says somebody did, in the words of an office; a file keeps the log's own."""

from collections.abc import Mapping
from typing import Final

DONE: Final[Mapping[str, str]] = {
    "add member": "added a member",
    "begin import": "handed in files",
    "begin review": "opened a reviewer's sign-in",
    "change book": "changed the records",
    "choose for import": "answered questions about files",
    "create organisation": "opened the organization",
    "create token": "made an API token",
    "end review": "ended a reviewer's sign-in",
    "end session": "signed a device out",
    "enter contract": "entered a contract",
    "give up import": "gave up files that were handed in",
    "grant reading": "let a verifier read",
    "invite": "invited somebody",
    "keep signed document": "kept a signed document",
    "keep signed report": "kept a signed report",
    "let reviewer in": "let a reviewer read",
    "look as reviewer": "looked as a reviewer",
    "look as verifier": "looked as a verifier",
    "lose reading": "lost access to read",
    "open audit": "opened an audit",
    "open book": "opened the record book",
    "post movement": "entered in the ledger",
    "receive reading": "was let in to read",
    "record accreditation": "recorded an accreditation",
    "register signing key": "registered a signing key",
    "register verifier key": "registered a verifier's key",
    "revoke reading": "ended a verifier's access",
    "revoke token": "ended an API token",
    "sign sale slip": "signed a sale slip",
    "store file": "kept a file",
    "withdraw invitation": "withdrew an invitation",
}
"""By deed in the log; another one is shown as it stands there."""


def deed_said(deed: str) -> str:
    """Return a deed of the log in words."""
    return DONE.get(deed, deed)
