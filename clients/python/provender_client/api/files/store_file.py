from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.file_in import FileIn
from ...models.file_out import FileOut
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    *,
    body: FileIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/files",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> FileOut | ProblemDocument:
    if response.status_code == 201:
        response_201 = FileOut.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[FileOut | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: FileIn,
    idempotency_key: str,
) -> Response[FileOut | ProblemDocument]:
    """Store File

     Store a file under the hash of its bytes.

    Args:
        idempotency_key (str):
        body (FileIn): A file to store: its name, and its bytes in Base64.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FileOut | ProblemDocument]
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
    body: FileIn,
    idempotency_key: str,
) -> FileOut | ProblemDocument | None:
    """Store File

     Store a file under the hash of its bytes.

    Args:
        idempotency_key (str):
        body (FileIn): A file to store: its name, and its bytes in Base64.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FileOut | ProblemDocument
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: FileIn,
    idempotency_key: str,
) -> Response[FileOut | ProblemDocument]:
    """Store File

     Store a file under the hash of its bytes.

    Args:
        idempotency_key (str):
        body (FileIn): A file to store: its name, and its bytes in Base64.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FileOut | ProblemDocument]
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
    body: FileIn,
    idempotency_key: str,
) -> FileOut | ProblemDocument | None:
    """Store File

     Store a file under the hash of its bytes.

    Args:
        idempotency_key (str):
        body (FileIn): A file to store: its name, and its bytes in Base64.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FileOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
