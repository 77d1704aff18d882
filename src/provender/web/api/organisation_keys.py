"""The signing keys of organisations in calls: how one is shown, and how one is brought."""

from typing import Annotated, Any

from ninja import Schema
from pydantic import Field

from provender.services.organisation_keys import OrganisationKeyView
from provender.web.api.view_schema import schema_of

KEY = schema_of(OrganisationKeyView, name="KeyOut")


class KeyIn(Schema):
    """A public key (JWK), or the rotation statement by which the key in use names the next one."""

    shown: dict[str, Any]
    reason: Annotated[
        str,
        Field(
            max_length=400, pattern=r"^[^\x00-\x1f\x7f]*$",
            description="Why a key in use is replaced without its own word.",
        ),
    ] = ""  # fmt: skip
