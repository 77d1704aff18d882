from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.envelope_in import EnvelopeIn
from ...models.hand_in_statement_response import HandInStatementResponse
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    audit: str,
    *,
    body: EnvelopeIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/audits/{audit}/statement".format(
            audit=quote(str(audit), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> HandInStatementResponse | ProblemDocument:
    if response.status_code == 201:
        response_201 = HandInStatementResponse.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[HandInStatementResponse | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    audit: str,
    *,
    client: AuthenticatedClient,
    body: EnvelopeIn,
    idempotency_key: str,
) -> Response[HandInStatementResponse | ProblemDocument]:
    """Hand In Statement

     Hand in the signed statement: taken in when it is the draft as it stands, under the verifier's key
    on file.

    Args:
        audit (str): Code of the audit.
        idempotency_key (str):
        body (EnvelopeIn): A document signed on the verifier's own machine, as ``provender audit
            statement sign`` or ``add`` writes it.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[HandInStatementResponse | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
        body=body,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    audit: str,
    *,
    client: AuthenticatedClient,
    body: EnvelopeIn,
    idempotency_key: str,
) -> HandInStatementResponse | ProblemDocument | None:
    """Hand In Statement

     Hand in the signed statement: taken in when it is the draft as it stands, under the verifier's key
    on file.

    Args:
        audit (str): Code of the audit.
        idempotency_key (str):
        body (EnvelopeIn): A document signed on the verifier's own machine, as ``provender audit
            statement sign`` or ``add`` writes it.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        HandInStatementResponse | ProblemDocument
    """

    return sync_detailed(
        audit=audit,
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    audit: str,
    *,
    client: AuthenticatedClient,
    body: EnvelopeIn,
    idempotency_key: str,
) -> Response[HandInStatementResponse | ProblemDocument]:
    """Hand In Statement

     Hand in the signed statement: taken in when it is the draft as it stands, under the verifier's key
    on file.

    Args:
        audit (str): Code of the audit.
        idempotency_key (str):
        body (EnvelopeIn): A document signed on the verifier's own machine, as ``provender audit
            statement sign`` or ``add`` writes it.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[HandInStatementResponse | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
        body=body,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    audit: str,
    *,
    client: AuthenticatedClient,
    body: EnvelopeIn,
    idempotency_key: str,
) -> HandInStatementResponse | ProblemDocument | None:
    """Hand In Statement

     Hand in the signed statement: taken in when it is the draft as it stands, under the verifier's key
    on file.

    Args:
        audit (str): Code of the audit.
        idempotency_key (str):
        body (EnvelopeIn): A document signed on the verifier's own machine, as ``provender audit
            statement sign`` or ``add`` writes it.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        HandInStatementResponse | ProblemDocument
    """

    return (
        await asyncio_detailed(
            audit=audit,
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
