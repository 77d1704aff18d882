from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.confirm_column_map_response import ConfirmColumnMapResponse
from ...models.map_in import MapIn
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    *,
    body: MapIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/custody/maps",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ConfirmColumnMapResponse | ProblemDocument:
    if response.status_code == 201:
        response_201 = ConfirmColumnMapResponse.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ConfirmColumnMapResponse | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: MapIn,
    idempotency_key: str,
) -> Response[ConfirmColumnMapResponse | ProblemDocument]:
    """Confirm Column Map

     Confirm what the columns of a layout mean: from now on its files are read so.

    Args:
        idempotency_key (str):
        body (MapIn): A column map that somebody looked at: as a reading gave it, or corrected.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ConfirmColumnMapResponse | ProblemDocument]
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
    body: MapIn,
    idempotency_key: str,
) -> ConfirmColumnMapResponse | ProblemDocument | None:
    """Confirm Column Map

     Confirm what the columns of a layout mean: from now on its files are read so.

    Args:
        idempotency_key (str):
        body (MapIn): A column map that somebody looked at: as a reading gave it, or corrected.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ConfirmColumnMapResponse | ProblemDocument
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: MapIn,
    idempotency_key: str,
) -> Response[ConfirmColumnMapResponse | ProblemDocument]:
    """Confirm Column Map

     Confirm what the columns of a layout mean: from now on its files are read so.

    Args:
        idempotency_key (str):
        body (MapIn): A column map that somebody looked at: as a reading gave it, or corrected.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ConfirmColumnMapResponse | ProblemDocument]
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
    body: MapIn,
    idempotency_key: str,
) -> ConfirmColumnMapResponse | ProblemDocument | None:
    """Confirm Column Map

     Confirm what the columns of a layout mean: from now on its files are read so.

    Args:
        idempotency_key (str):
        body (MapIn): A column map that somebody looked at: as a reading gave it, or corrected.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ConfirmColumnMapResponse | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
