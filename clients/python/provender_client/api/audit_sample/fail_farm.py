from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.entry_out import EntryOut
from ...models.failure_in import FailureIn
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    audit: str,
    *,
    body: FailureIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/audits/{audit}/sample/failures".format(
            audit=quote(str(audit), safe=""),
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
    *,
    client: AuthenticatedClient,
    body: FailureIn,
    idempotency_key: str,
) -> Response[EntryOut | ProblemDocument]:
    """Fail Farm

     Decide that a drawn farm failed: the sample is extended inside its stratum.

    Args:
        audit (str): Code of the audit.
        idempotency_key (str):
        body (FailureIn): A drawn farm that failed; ``more`` farms are added, null for as many as
            its stratum drew (interpretation 56).

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EntryOut | ProblemDocument]
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
    body: FailureIn,
    idempotency_key: str,
) -> EntryOut | ProblemDocument | None:
    """Fail Farm

     Decide that a drawn farm failed: the sample is extended inside its stratum.

    Args:
        audit (str): Code of the audit.
        idempotency_key (str):
        body (FailureIn): A drawn farm that failed; ``more`` farms are added, null for as many as
            its stratum drew (interpretation 56).

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EntryOut | ProblemDocument
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
    body: FailureIn,
    idempotency_key: str,
) -> Response[EntryOut | ProblemDocument]:
    """Fail Farm

     Decide that a drawn farm failed: the sample is extended inside its stratum.

    Args:
        audit (str): Code of the audit.
        idempotency_key (str):
        body (FailureIn): A drawn farm that failed; ``more`` farms are added, null for as many as
            its stratum drew (interpretation 56).

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EntryOut | ProblemDocument]
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
    body: FailureIn,
    idempotency_key: str,
) -> EntryOut | ProblemDocument | None:
    """Fail Farm

     Decide that a drawn farm failed: the sample is extended inside its stratum.

    Args:
        audit (str): Code of the audit.
        idempotency_key (str):
        body (FailureIn): A drawn farm that failed; ``more`` farms are added, null for as many as
            its stratum drew (interpretation 56).

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EntryOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            audit=audit,
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
