"""The page where a party of custody makes its signing key: sealed in the browser, registered with proof."""

from django.core.exceptions import PermissionDenied
from django.http import HttpResponseBase
from django.views.decorators.http import require_http_methods

from provender.services.custody.context import CustodyContext
from provender.services.custody.sealed_signing import KEYS
from provender.signing.keys import PublicKey
from provender.web.access import PersonRequest
from provender.web.custody.pages.context import at, at_desk
from provender.web.key_page import key_context, keys_table, register_here
from provender.web.signing_json import answered
from provender.web.tables import page_with_tables

TOLD = "Give it to your buyers before you sign."
ALONE = (
    "Buyers on this server with which you have a contract get a notice that your key was replaced, and no more: the "
    "program changes no contract of theirs. Call each buyer yourself, read the new key to one another, and give the "
    "code for its contract; whoever is not on this server hears of it from you alone."
)


@require_http_methods(["GET", "POST"])
@at_desk()
def custody_key(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show the keys of the party; a POST registers one that the page has made.

    Raises:
        PermissionDenied: somebody registers who may not sign for the party.
    """
    access, here = request.access, at(desk, "custody_key")
    if request.method == "POST":
        if not access.may_sign:
            raise PermissionDenied
        return answered(lambda: register_here(request, access, KEYS, address=here, told=TOLD))
    context = {"here": here, **key_context(access, KEYS)}
    held, own = context["held"], context["own"]
    context["short"] = PublicKey.from_jwk(held.public).short if held else ""
    context["lost"] = (
        "I lost that passphrase: register a new key without it" if own
        else "Register a new key without a word of the key in use"
    )  # fmt: skip
    context["alone"] = ALONE
    keys = keys_table(access, KEYS, empty="No key yet. Make one below, and sign documents with it on their pages.")
    return page_with_tables(request, "custody/key.html", {"keys": keys}, context)
