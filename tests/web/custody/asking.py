"""What tests of the mill's pages ask in few words: where a page is, what it says, an entry, a file handed in."""

import json
import re
from typing import TYPE_CHECKING, Any, Final

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.custody.documents.build import TRANSFER
from provender.custody.documents.receive import TYPS
from provender.custody.events.registry import post, read_event
from provender.database.store.custody import SqlStore
from provender.services.custody.context import CustodyContext, context_of
from provender.signing.jws import sign
from provender.signing.keys import SigningKey
from tests.custody.world import Event
from tests.web.cast import Cast
from tests.web.custody_season import BY
from tests.web.producer_keys import post as send

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse

HIDDEN: Final = re.compile(r'<input type="hidden" name="(shown|made_on|lines)" value="([^"]*)"')
TOKEN: Final = re.compile(r'"\w{64}"')
"""What is another in every answer, against forgeries."""
TODAY: Final = timezone.localdate().isoformat()
TICKETS: Final = """Ticket No,Date,Location,Commodity,Customer,In/Out,Net Lbs,Moisture,Net Bu
1001,{day},north,Soybeans,Ada,In,60000,13.0,1000.00
1002,{day},north,Soybeans,Ben,In,30000,13.0,500.00
1003,{day},north,Soybeans,Mill,Out,12000,13.0,200.00
"""


def where(cast: Cast, name: str, *more: str) -> str:
    return reverse(name, args=(cast.mill.handle, *more))


def enter(client: Client, cast: Cast, kind: str, /, **fields: str) -> "_MonkeyPatchedWSGIResponse":
    return client.post(where(cast, "custody_enter", kind), {"do": "post", "day": TODAY, **fields})


def texts(response: "_MonkeyPatchedWSGIResponse") -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def sale(cast: Cast, bushels: str = "100", **more: str) -> dict[str, str]:
    return {"taker": cast.elevator.handle, "crop": "soybeans", "bushels": bushels, **more}


def hand_in(client: Client, address: str, name: str, content: str, **fields: str) -> "_MonkeyPatchedWSGIResponse":
    return client.post(address, {"file": SimpleUploadedFile(name, content.encode()), **fields})


def confirmed(answer: "_MonkeyPatchedWSGIResponse", **fields: str) -> dict[str, str]:
    """Return the fields of the page that asks what the columns mean, as it stands."""
    form = answer.context["form"]
    return {name: str(form[name].value() or "") for name in form.fields} | fields


def entered(*events: Event) -> None:
    for event in events:
        outcome = post(SqlStore(BY), read_event(event))
        assert outcome.status == "posted", (event, outcome.message)


def desk_of(cast: Cast) -> CustodyContext:
    found = context_of(cast.mill, actor=BY, today=timezone.localdate())
    assert found is not None
    return found


def fields_on(client: Client, address: str) -> dict[str, str]:
    """Return what the page names its document by."""
    return dict(HIDDEN.findall(client.get(address).content.decode()))


def signed(client: Client, address: str, key: SigningKey, kind: str = TRANSFER) -> HttpResponse:
    body: dict[str, Any] = {"fields": fields_on(client, address)}
    asked = json.loads(send(client, address, body).content)
    signature = sign(json.loads(asked["document"]), key, typ=TYPS[kind])["signature"]
    return send(client, address, {**body, "sha256": asked["sha256"], "signature": signature})


def file_of(client: Client, address: str) -> Any:  # noqa: ANN401 - JSON
    return json.loads(client.get(f"{address}&as=json").content)
