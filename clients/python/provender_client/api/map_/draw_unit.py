from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.boundary_in import BoundaryIn
from ...models.import_out import ImportOut
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    *,
    body: BoundaryIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/boundaries",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ImportOut | ProblemDocument:
    if response.status_code == 201:
        response_201 = ImportOut.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ImportOut | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: BoundaryIn,
    idempotency_key: str,
) -> Response[ImportOut | ProblemDocument]:
    """Draw Unit

     Draw or replace a boundary: an import is begun, which asks where acres or neighbors do not fit.

    Boundaries of several parts, or with islands, come as a GeoJSON file through ``POST /files`` and
    ``POST /imports``.

    Args:
        idempotency_key (str):
        body (BoundaryIn): A boundary to draw: a unit of the book or the name of a new one, and
            its corners in order around the field.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ImportOut | ProblemDocument]
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
    body: BoundaryIn,
    idempotency_key: str,
) -> ImportOut | ProblemDocument | None:
    """Draw Unit

     Draw or replace a boundary: an import is begun, which asks where acres or neighbors do not fit.

    Boundaries of several parts, or with islands, come as a GeoJSON file through ``POST /files`` and
    ``POST /imports``.

    Args:
        idempotency_key (str):
        body (BoundaryIn): A boundary to draw: a unit of the book or the name of a new one, and
            its corners in order around the field.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ImportOut | ProblemDocument
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: BoundaryIn,
    idempotency_key: str,
) -> Response[ImportOut | ProblemDocument]:
    """Draw Unit

     Draw or replace a boundary: an import is begun, which asks where acres or neighbors do not fit.

    Boundaries of several parts, or with islands, come as a GeoJSON file through ``POST /files`` and
    ``POST /imports``.

    Args:
        idempotency_key (str):
        body (BoundaryIn): A boundary to draw: a unit of the book or the name of a new one, and
            its corners in order around the field.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ImportOut | ProblemDocument]
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
    body: BoundaryIn,
    idempotency_key: str,
) -> ImportOut | ProblemDocument | None:
    """Draw Unit

     Draw or replace a boundary: an import is begun, which asks where acres or neighbors do not fit.

    Boundaries of several parts, or with islands, come as a GeoJSON file through ``POST /files`` and
    ``POST /imports``.

    Args:
        idempotency_key (str):
        body (BoundaryIn): A boundary to draw: a unit of the book or the name of a new one, and
            its corners in order around the field.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ImportOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
