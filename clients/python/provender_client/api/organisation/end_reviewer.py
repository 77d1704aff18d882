from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem_document import ProblemDocument
from ...models.reviewer_out import ReviewerOut
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
        "url": "/api/v1/reviewers/{number}/revocation".format(
            number=quote(str(number), safe=""),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ProblemDocument | ReviewerOut:
    if response.status_code == 201:
        response_201 = ReviewerOut.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ProblemDocument | ReviewerOut]:
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
) -> Response[ProblemDocument | ReviewerOut]:
    """End Reviewer

     Take a reviewer's access back at once, and close the link if nobody opened it.

    Args:
        number (int):
        idempotency_key (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | ReviewerOut]
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
) -> ProblemDocument | ReviewerOut | None:
    """End Reviewer

     Take a reviewer's access back at once, and close the link if nobody opened it.

    Args:
        number (int):
        idempotency_key (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | ReviewerOut
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
) -> Response[ProblemDocument | ReviewerOut]:
    """End Reviewer

     Take a reviewer's access back at once, and close the link if nobody opened it.

    Args:
        number (int):
        idempotency_key (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | ReviewerOut]
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
) -> ProblemDocument | ReviewerOut | None:
    """End Reviewer

     Take a reviewer's access back at once, and close the link if nobody opened it.

    Args:
        number (int):
        idempotency_key (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | ReviewerOut
    """

    return (
        await asyncio_detailed(
            number=number,
            client=client,
            idempotency_key=idempotency_key,
        )
    ).parsed
