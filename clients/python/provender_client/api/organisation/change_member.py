from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.member_out import MemberOut
from ...models.problem_document import ProblemDocument
from ...models.right_in import RightIn
from ...types import Response


def _get_kwargs(
    number: int,
    *,
    body: RightIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/members/{number}".format(
            number=quote(str(number), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

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
    body: RightIn,
    idempotency_key: str,
) -> Response[MemberOut | ProblemDocument]:
    """Change Member

     Change what a member may do. Neither the old nor the new right may go beyond the token's scopes.

    Args:
        number (int):
        idempotency_key (str):
        body (RightIn): What a member may do from now on.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[MemberOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        number=number,
        body=body,
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
    body: RightIn,
    idempotency_key: str,
) -> MemberOut | ProblemDocument | None:
    """Change Member

     Change what a member may do. Neither the old nor the new right may go beyond the token's scopes.

    Args:
        number (int):
        idempotency_key (str):
        body (RightIn): What a member may do from now on.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        MemberOut | ProblemDocument
    """

    return sync_detailed(
        number=number,
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    number: int,
    *,
    client: AuthenticatedClient,
    body: RightIn,
    idempotency_key: str,
) -> Response[MemberOut | ProblemDocument]:
    """Change Member

     Change what a member may do. Neither the old nor the new right may go beyond the token's scopes.

    Args:
        number (int):
        idempotency_key (str):
        body (RightIn): What a member may do from now on.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[MemberOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        number=number,
        body=body,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    number: int,
    *,
    client: AuthenticatedClient,
    body: RightIn,
    idempotency_key: str,
) -> MemberOut | ProblemDocument | None:
    """Change Member

     Change what a member may do. Neither the old nor the new right may go beyond the token's scopes.

    Args:
        number (int):
        idempotency_key (str):
        body (RightIn): What a member may do from now on.

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
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
