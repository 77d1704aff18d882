from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.event_in import EventIn
from ...models.preview_out import PreviewOut
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    *,
    body: EventIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/custody/events/preview",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> PreviewOut | ProblemDocument:
    if response.status_code == 200:
        response_200 = PreviewOut.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[PreviewOut | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: EventIn,
    idempotency_key: str,
) -> Response[PreviewOut | ProblemDocument]:
    """Preview Event

     Return the answer that posting an event now would get; nothing is written.

    Args:
        idempotency_key (str):
        body (EventIn): One event: ``type``, ``id``, ``day`` and the fields of its type. Amounts
            and days are text.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PreviewOut | ProblemDocument]
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
    body: EventIn,
    idempotency_key: str,
) -> PreviewOut | ProblemDocument | None:
    """Preview Event

     Return the answer that posting an event now would get; nothing is written.

    Args:
        idempotency_key (str):
        body (EventIn): One event: ``type``, ``id``, ``day`` and the fields of its type. Amounts
            and days are text.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PreviewOut | ProblemDocument
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: EventIn,
    idempotency_key: str,
) -> Response[PreviewOut | ProblemDocument]:
    """Preview Event

     Return the answer that posting an event now would get; nothing is written.

    Args:
        idempotency_key (str):
        body (EventIn): One event: ``type``, ``id``, ``day`` and the fields of its type. Amounts
            and days are text.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PreviewOut | ProblemDocument]
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
    body: EventIn,
    idempotency_key: str,
) -> PreviewOut | ProblemDocument | None:
    """Preview Event

     Return the answer that posting an event now would get; nothing is written.

    Args:
        idempotency_key (str):
        body (EventIn): One event: ``type``, ``id``, ``day`` and the fields of its type. Amounts
            and days are text.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PreviewOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
