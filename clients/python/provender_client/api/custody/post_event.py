from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.event_in import EventIn
from ...models.outcome_out import OutcomeOut
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
        "url": "/api/v1/custody/events",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> OutcomeOut | ProblemDocument:
    if response.status_code == 201:
        response_201 = OutcomeOut.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[OutcomeOut | ProblemDocument]:
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
) -> Response[OutcomeOut | ProblemDocument]:
    """Post Event

     Enter one event of the organization; a repeat of the same event is recognized.

    Args:
        idempotency_key (str):
        body (EventIn): One event: ``type``, ``id``, ``day`` and the fields of its type. Amounts
            and days are text.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[OutcomeOut | ProblemDocument]
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
) -> OutcomeOut | ProblemDocument | None:
    """Post Event

     Enter one event of the organization; a repeat of the same event is recognized.

    Args:
        idempotency_key (str):
        body (EventIn): One event: ``type``, ``id``, ``day`` and the fields of its type. Amounts
            and days are text.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        OutcomeOut | ProblemDocument
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
) -> Response[OutcomeOut | ProblemDocument]:
    """Post Event

     Enter one event of the organization; a repeat of the same event is recognized.

    Args:
        idempotency_key (str):
        body (EventIn): One event: ``type``, ``id``, ``day`` and the fields of its type. Amounts
            and days are text.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[OutcomeOut | ProblemDocument]
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
) -> OutcomeOut | ProblemDocument | None:
    """Post Event

     Enter one event of the organization; a repeat of the same event is recognized.

    Args:
        idempotency_key (str):
        body (EventIn): One event: ``type``, ``id``, ``day`` and the fields of its type. Amounts
            and days are text.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        OutcomeOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
