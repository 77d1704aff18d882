from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.member_out import MemberOut
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    number: int,
    *,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/members/{number}/removal".format(
            number=quote(str(number), safe=""),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> MemberOut | ProblemDocument:
    if response.status_code == 201:
        response_201 = MemberOut.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[MemberOut | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    number: int,
    *,
    client: AuthenticatedClient,
    idempotency_key: str,
) -> Response[MemberOut | ProblemDocument]:
    """Remove Member

     End a membership whose right does not go beyond the token's scopes; the answer is the member as they
    were.

    Args:
        number (int):
        idempotency_key (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[MemberOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        number=number,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    number: int,
    *,
    client: AuthenticatedClient,
    idempotency_key: str,
) -> MemberOut | ProblemDocument | None:
    """Remove Member

     End a membership whose right does not go beyond the token's scopes; the answer is the member as they
    were.

    Args:
        number (int):
        idempotency_key (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        MemberOut | ProblemDocument
    """

    return sync_detailed(
        number=number,
        client=client,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    number: int,
    *,
    client: AuthenticatedClient,
    idempotency_key: str,
) -> Response[MemberOut | ProblemDocument]:
    """Remove Member

     End a membership whose right does not go beyond the token's scopes; the answer is the member as they
    were.

    Args:
        number (int):
        idempotency_key (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[MemberOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        number=number,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    number: int,
    *,
    client: AuthenticatedClient,
    idempotency_key: str,
) -> MemberOut | ProblemDocument | None:
    """Remove Member

     End a membership whose right does not go beyond the token's scopes; the answer is the member as they
    were.

    Args:
        number (int):
        idempotency_key (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        MemberOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            number=number,
            client=client,
            idempotency_key=idempotency_key,
        )
    ).parsed
