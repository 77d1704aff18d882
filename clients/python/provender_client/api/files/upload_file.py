from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.file_out import FileOut
from ...models.problem_document import ProblemDocument
from ...models.upload_file_file_params import UploadFileFileParams
from ...types import Response


def _get_kwargs(
    *,
    body: UploadFileFileParams,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/files/upload",
    }

    _kwargs["files"] = body.to_multipart()

    headers["Content-Type"] = "multipart/form-data; boundary=+++"

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
    body: UploadFileFileParams,
    idempotency_key: str,
) -> Response[FileOut | ProblemDocument]:
    """Upload File

     Store a file of up to 50 MB, sent as a form sends it, under the hash of its bytes.

    Args:
        idempotency_key (str):
        body (UploadFileFileParams):

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
    body: UploadFileFileParams,
    idempotency_key: str,
) -> FileOut | ProblemDocument | None:
    """Upload File

     Store a file of up to 50 MB, sent as a form sends it, under the hash of its bytes.

    Args:
        idempotency_key (str):
        body (UploadFileFileParams):

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
    body: UploadFileFileParams,
    idempotency_key: str,
) -> Response[FileOut | ProblemDocument]:
    """Upload File

     Store a file of up to 50 MB, sent as a form sends it, under the hash of its bytes.

    Args:
        idempotency_key (str):
        body (UploadFileFileParams):

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
    body: UploadFileFileParams,
    idempotency_key: str,
) -> FileOut | ProblemDocument | None:
    """Upload File

     Store a file of up to 50 MB, sent as a form sends it, under the hash of its bytes.

    Args:
        idempotency_key (str):
        body (UploadFileFileParams):

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
