from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.opened_in import OpenedIn
from ...models.opened_out import OpenedOut
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    *,
    body: OpenedIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/custody/documents/check",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> OpenedOut | ProblemDocument:
    if response.status_code == 200:
        response_200 = OpenedOut.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[OpenedOut | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: OpenedIn,
    idempotency_key: str,
) -> Response[OpenedOut | ProblemDocument]:
    """Check Document

     Open a document without taking it in: its signature against the pinned key, and what cures an
    unknown one.

    Args:
        idempotency_key (str):
        body (OpenedIn): A document to look at.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[OpenedOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        body=body,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    body: OpenedIn,
    idempotency_key: str,
) -> OpenedOut | ProblemDocument | None:
    """Check Document

     Open a document without taking it in: its signature against the pinned key, and what cures an
    unknown one.

    Args:
        idempotency_key (str):
        body (OpenedIn): A document to look at.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        OpenedOut | ProblemDocument
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: OpenedIn,
    idempotency_key: str,
) -> Response[OpenedOut | ProblemDocument]:
    """Check Document

     Open a document without taking it in: its signature against the pinned key, and what cures an
    unknown one.

    Args:
        idempotency_key (str):
        body (OpenedIn): A document to look at.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[OpenedOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        body=body,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    body: OpenedIn,
    idempotency_key: str,
) -> OpenedOut | ProblemDocument | None:
    """Check Document

     Open a document without taking it in: its signature against the pinned key, and what cures an
    unknown one.

    Args:
        idempotency_key (str):
        body (OpenedIn): A document to look at.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        OpenedOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
