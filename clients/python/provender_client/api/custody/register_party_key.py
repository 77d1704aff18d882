from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.key_in import KeyIn
from ...models.key_out import KeyOut
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    *,
    body: KeyIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/custody/keys",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> KeyOut | ProblemDocument:
    if response.status_code == 201:
        response_201 = KeyOut.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[KeyOut | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: KeyIn,
    idempotency_key: str,
) -> Response[KeyOut | ProblemDocument]:
    """Register Party Key

     Register a public key, or the next one by rotation. A private key is refused; the token's maker must
    sign.

    Args:
        idempotency_key (str):
        body (KeyIn): A public key (JWK), or the rotation statement by which the key in use names
            the next one.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[KeyOut | ProblemDocument]
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
    body: KeyIn,
    idempotency_key: str,
) -> KeyOut | ProblemDocument | None:
    """Register Party Key

     Register a public key, or the next one by rotation. A private key is refused; the token's maker must
    sign.

    Args:
        idempotency_key (str):
        body (KeyIn): A public key (JWK), or the rotation statement by which the key in use names
            the next one.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        KeyOut | ProblemDocument
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: KeyIn,
    idempotency_key: str,
) -> Response[KeyOut | ProblemDocument]:
    """Register Party Key

     Register a public key, or the next one by rotation. A private key is refused; the token's maker must
    sign.

    Args:
        idempotency_key (str):
        body (KeyIn): A public key (JWK), or the rotation statement by which the key in use names
            the next one.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[KeyOut | ProblemDocument]
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
    body: KeyIn,
    idempotency_key: str,
) -> KeyOut | ProblemDocument | None:
    """Register Party Key

     Register a public key, or the next one by rotation. A private key is refused; the token's maker must
    sign.

    Args:
        idempotency_key (str):
        body (KeyIn): A public key (JWK), or the rotation statement by which the key in use names
            the next one.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        KeyOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
