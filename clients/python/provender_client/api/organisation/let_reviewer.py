from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem_document import ProblemDocument
from ...models.reviewer_in import ReviewerIn
from ...models.reviewer_made import ReviewerMade
from ...types import Response


def _get_kwargs(
    *,
    body: ReviewerIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/reviewers",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ProblemDocument | ReviewerMade:
    if response.status_code == 201:
        response_201 = ReviewerMade.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ProblemDocument | ReviewerMade]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: ReviewerIn,
    idempotency_key: str,
) -> Response[ProblemDocument | ReviewerMade]:
    """Let Reviewer

     Let a person from outside read some areas for a time; the token itself must be one that may read
    everything.

    Args:
        idempotency_key (str):
        body (ReviewerIn): Whom to let look, at which areas, what for and until when.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | ReviewerMade]
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
    body: ReviewerIn,
    idempotency_key: str,
) -> ProblemDocument | ReviewerMade | None:
    """Let Reviewer

     Let a person from outside read some areas for a time; the token itself must be one that may read
    everything.

    Args:
        idempotency_key (str):
        body (ReviewerIn): Whom to let look, at which areas, what for and until when.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | ReviewerMade
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: ReviewerIn,
    idempotency_key: str,
) -> Response[ProblemDocument | ReviewerMade]:
    """Let Reviewer

     Let a person from outside read some areas for a time; the token itself must be one that may read
    everything.

    Args:
        idempotency_key (str):
        body (ReviewerIn): Whom to let look, at which areas, what for and until when.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | ReviewerMade]
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
    body: ReviewerIn,
    idempotency_key: str,
) -> ProblemDocument | ReviewerMade | None:
    """Let Reviewer

     Let a person from outside read some areas for a time; the token itself must be one that may read
    everything.

    Args:
        idempotency_key (str):
        body (ReviewerIn): Whom to let look, at which areas, what for and until when.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | ReviewerMade
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
