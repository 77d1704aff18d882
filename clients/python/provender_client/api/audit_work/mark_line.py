from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.entry_out import EntryOut
from ...models.mark_in import MarkIn
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    audit: str,
    line: str,
    *,
    body: MarkIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/audits/{audit}/work/{line}/marks".format(
            audit=quote(str(audit), safe=""),
            line=quote(str(line), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> EntryOut | ProblemDocument:
    if response.status_code == 201:
        response_201 = EntryOut.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[EntryOut | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    audit: str,
    line: str,
    *,
    client: AuthenticatedClient,
    body: MarkIn,
    idempotency_key: str,
) -> Response[EntryOut | ProblemDocument]:
    """Mark Line

     Mark a line with what was seen; earlier marks stay in the entries.

    Args:
        audit (str): Code of the audit.
        line (str):
        idempotency_key (str):
        body (MarkIn): What became of a line, what was seen, and where it shows.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EntryOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
        line=line,
        body=body,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    audit: str,
    line: str,
    *,
    client: AuthenticatedClient,
    body: MarkIn,
    idempotency_key: str,
) -> EntryOut | ProblemDocument | None:
    """Mark Line

     Mark a line with what was seen; earlier marks stay in the entries.

    Args:
        audit (str): Code of the audit.
        line (str):
        idempotency_key (str):
        body (MarkIn): What became of a line, what was seen, and where it shows.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EntryOut | ProblemDocument
    """

    return sync_detailed(
        audit=audit,
        line=line,
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    audit: str,
    line: str,
    *,
    client: AuthenticatedClient,
    body: MarkIn,
    idempotency_key: str,
) -> Response[EntryOut | ProblemDocument]:
    """Mark Line

     Mark a line with what was seen; earlier marks stay in the entries.

    Args:
        audit (str): Code of the audit.
        line (str):
        idempotency_key (str):
        body (MarkIn): What became of a line, what was seen, and where it shows.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EntryOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
        line=line,
        body=body,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    audit: str,
    line: str,
    *,
    client: AuthenticatedClient,
    body: MarkIn,
    idempotency_key: str,
) -> EntryOut | ProblemDocument | None:
    """Mark Line

     Mark a line with what was seen; earlier marks stay in the entries.

    Args:
        audit (str): Code of the audit.
        line (str):
        idempotency_key (str):
        body (MarkIn): What became of a line, what was seen, and where it shows.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EntryOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            audit=audit,
            line=line,
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
