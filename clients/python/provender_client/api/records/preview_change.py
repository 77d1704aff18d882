from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.change_preview_out import ChangePreviewOut
from ...models.edits_in import EditsIn
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    *,
    body: EditsIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/records/changes/preview",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ChangePreviewOut | ProblemDocument:
    if response.status_code == 200:
        response_200 = ChangePreviewOut.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ChangePreviewOut | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: EditsIn,
    idempotency_key: str,
) -> Response[ChangePreviewOut | ProblemDocument]:
    """Preview Change

     Tell what a change would do to verdicts, carbon intensities and signed reports; nothing is written.

    Every row is checked, and refused, as the change itself would be.

    Args:
        idempotency_key (str):
        body (EditsIn): The edits of one change, before anybody writes them.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ChangePreviewOut | ProblemDocument]
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
    body: EditsIn,
    idempotency_key: str,
) -> ChangePreviewOut | ProblemDocument | None:
    """Preview Change

     Tell what a change would do to verdicts, carbon intensities and signed reports; nothing is written.

    Every row is checked, and refused, as the change itself would be.

    Args:
        idempotency_key (str):
        body (EditsIn): The edits of one change, before anybody writes them.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ChangePreviewOut | ProblemDocument
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: EditsIn,
    idempotency_key: str,
) -> Response[ChangePreviewOut | ProblemDocument]:
    """Preview Change

     Tell what a change would do to verdicts, carbon intensities and signed reports; nothing is written.

    Every row is checked, and refused, as the change itself would be.

    Args:
        idempotency_key (str):
        body (EditsIn): The edits of one change, before anybody writes them.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ChangePreviewOut | ProblemDocument]
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
    body: EditsIn,
    idempotency_key: str,
) -> ChangePreviewOut | ProblemDocument | None:
    """Preview Change

     Tell what a change would do to verdicts, carbon intensities and signed reports; nothing is written.

    Every row is checked, and refused, as the change itself would be.

    Args:
        idempotency_key (str):
        body (EditsIn): The edits of one change, before anybody writes them.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ChangePreviewOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
