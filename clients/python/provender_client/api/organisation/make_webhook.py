from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.hook_in import HookIn
from ...models.hook_made import HookMade
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    *,
    body: HookIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/webhooks",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> HookMade | ProblemDocument:
    if response.status_code == 201:
        response_201 = HookMade.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[HookMade | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: HookIn,
    idempotency_key: str,
) -> Response[HookMade | ProblemDocument]:
    """Make Webhook

     Make a webhook; each message to it is signed with the secret that this answer shows once.

    Args:
        idempotency_key (str):
        body (HookIn): Where to send what. The address is https and leads out of the server's own
            network.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[HookMade | ProblemDocument]
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
    body: HookIn,
    idempotency_key: str,
) -> HookMade | ProblemDocument | None:
    """Make Webhook

     Make a webhook; each message to it is signed with the secret that this answer shows once.

    Args:
        idempotency_key (str):
        body (HookIn): Where to send what. The address is https and leads out of the server's own
            network.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        HookMade | ProblemDocument
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: HookIn,
    idempotency_key: str,
) -> Response[HookMade | ProblemDocument]:
    """Make Webhook

     Make a webhook; each message to it is signed with the secret that this answer shows once.

    Args:
        idempotency_key (str):
        body (HookIn): Where to send what. The address is https and leads out of the server's own
            network.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[HookMade | ProblemDocument]
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
    body: HookIn,
    idempotency_key: str,
) -> HookMade | ProblemDocument | None:
    """Make Webhook

     Make a webhook; each message to it is signed with the secret that this answer shows once.

    Args:
        idempotency_key (str):
        body (HookIn): Where to send what. The address is https and leads out of the server's own
            network.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        HookMade | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
