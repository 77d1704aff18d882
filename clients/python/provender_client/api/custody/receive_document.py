from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.document_in import DocumentIn
from ...models.outcome_out import OutcomeOut
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    *,
    body: DocumentIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/custody/documents",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ProblemDocument | list[OutcomeOut]:
    if response.status_code == 201:
        response_201 = []
        _response_201 = response.json()
        for response_201_item_data in _response_201:
            response_201_item = OutcomeOut.from_dict(response_201_item_data)

            response_201.append(response_201_item)

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ProblemDocument | list[OutcomeOut]]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: DocumentIn,
    idempotency_key: str,
) -> Response[ProblemDocument | list[OutcomeOut]]:
    """Receive Document

     Take in a signed document: signature against the pinned key, chain, overlap, then the book; its file
    is kept.

    Args:
        idempotency_key (str):
        body (DocumentIn): A signed document from a party without an account here.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | list[OutcomeOut]]
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
    body: DocumentIn,
    idempotency_key: str,
) -> ProblemDocument | list[OutcomeOut] | None:
    """Receive Document

     Take in a signed document: signature against the pinned key, chain, overlap, then the book; its file
    is kept.

    Args:
        idempotency_key (str):
        body (DocumentIn): A signed document from a party without an account here.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | list[OutcomeOut]
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: DocumentIn,
    idempotency_key: str,
) -> Response[ProblemDocument | list[OutcomeOut]]:
    """Receive Document

     Take in a signed document: signature against the pinned key, chain, overlap, then the book; its file
    is kept.

    Args:
        idempotency_key (str):
        body (DocumentIn): A signed document from a party without an account here.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | list[OutcomeOut]]
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
    body: DocumentIn,
    idempotency_key: str,
) -> ProblemDocument | list[OutcomeOut] | None:
    """Receive Document

     Take in a signed document: signature against the pinned key, chain, overlap, then the book; its file
    is kept.

    Args:
        idempotency_key (str):
        body (DocumentIn): A signed document from a party without an account here.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | list[OutcomeOut]
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
