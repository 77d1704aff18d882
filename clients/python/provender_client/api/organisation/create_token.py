from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem_document import ProblemDocument
from ...models.token_in import TokenIn
from ...models.token_made import TokenMade
from ...types import Response


def _get_kwargs(
    *,
    body: TokenIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/tokens",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ProblemDocument | TokenMade:
    if response.status_code == 201:
        response_201 = TokenMade.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ProblemDocument | TokenMade]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: TokenIn,
    idempotency_key: str,
) -> Response[ProblemDocument | TokenMade]:
    """Create Token

     Make a token: with scopes of this one but ``tokens:write``, and no longer than it. It ends when this
    one does.

    Args:
        idempotency_key (str):
        body (TokenIn): What a token is for, what it may do, and its last day.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | TokenMade]
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
    body: TokenIn,
    idempotency_key: str,
) -> ProblemDocument | TokenMade | None:
    """Create Token

     Make a token: with scopes of this one but ``tokens:write``, and no longer than it. It ends when this
    one does.

    Args:
        idempotency_key (str):
        body (TokenIn): What a token is for, what it may do, and its last day.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | TokenMade
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: TokenIn,
    idempotency_key: str,
) -> Response[ProblemDocument | TokenMade]:
    """Create Token

     Make a token: with scopes of this one but ``tokens:write``, and no longer than it. It ends when this
    one does.

    Args:
        idempotency_key (str):
        body (TokenIn): What a token is for, what it may do, and its last day.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | TokenMade]
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
    body: TokenIn,
    idempotency_key: str,
) -> ProblemDocument | TokenMade | None:
    """Create Token

     Make a token: with scopes of this one but ``tokens:write``, and no longer than it. It ends when this
    one does.

    Args:
        idempotency_key (str):
        body (TokenIn): What a token is for, what it may do, and its last day.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | TokenMade
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
