from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem_document import ProblemDocument
from ...models.write_in import WriteIn
from ...models.written_out import WrittenOut
from ...types import Response


def _get_kwargs(
    code: str,
    *,
    body: WriteIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/imports/{code}/write".format(
            code=quote(str(code), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ProblemDocument | WrittenOut:
    if response.status_code == 201:
        response_201 = WrittenOut.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ProblemDocument | WrittenOut]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    code: str,
    *,
    client: AuthenticatedClient,
    body: WriteIn,
    idempotency_key: str,
) -> Response[ProblemDocument | WrittenOut]:
    """Write Import

     Write what was seen as one change of the book. When the book changed meanwhile, read the files again
    first.

    Args:
        code (str):
        idempotency_key (str):
        body (WriteIn): The nod: which attempt was seen, and that what is to be confirmed was
            looked at.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | WrittenOut]
    """

    kwargs = _get_kwargs(
        code=code,
        body=body,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    code: str,
    *,
    client: AuthenticatedClient,
    body: WriteIn,
    idempotency_key: str,
) -> ProblemDocument | WrittenOut | None:
    """Write Import

     Write what was seen as one change of the book. When the book changed meanwhile, read the files again
    first.

    Args:
        code (str):
        idempotency_key (str):
        body (WriteIn): The nod: which attempt was seen, and that what is to be confirmed was
            looked at.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | WrittenOut
    """

    return sync_detailed(
        code=code,
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    code: str,
    *,
    client: AuthenticatedClient,
    body: WriteIn,
    idempotency_key: str,
) -> Response[ProblemDocument | WrittenOut]:
    """Write Import

     Write what was seen as one change of the book. When the book changed meanwhile, read the files again
    first.

    Args:
        code (str):
        idempotency_key (str):
        body (WriteIn): The nod: which attempt was seen, and that what is to be confirmed was
            looked at.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | WrittenOut]
    """

    kwargs = _get_kwargs(
        code=code,
        body=body,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    code: str,
    *,
    client: AuthenticatedClient,
    body: WriteIn,
    idempotency_key: str,
) -> ProblemDocument | WrittenOut | None:
    """Write Import

     Write what was seen as one change of the book. When the book changed meanwhile, read the files again
    first.

    Args:
        code (str):
        idempotency_key (str):
        body (WriteIn): The nod: which attempt was seen, and that what is to be confirmed was
            looked at.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | WrittenOut
    """

    return (
        await asyncio_detailed(
            code=code,
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
