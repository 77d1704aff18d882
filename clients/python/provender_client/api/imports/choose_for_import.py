from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.choices_in import ChoicesIn
from ...models.import_out import ImportOut
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    code: str,
    *,
    body: ChoicesIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/imports/{code}/choices".format(
            code=quote(str(code), safe=""),
        ),
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
    code: str,
    *,
    client: AuthenticatedClient,
    body: ChoicesIn,
    idempotency_key: str,
) -> Response[ImportOut | ProblemDocument]:
    """Choose For Import

     Answer questions of an import; the files are read again with the answers. A problem keeps none of
    them.

    Args:
        code (str):
        idempotency_key (str):
        body (ChoicesIn): Choices that are kept together, or none of them; then the files are read
            again.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ImportOut | ProblemDocument]
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
    body: ChoicesIn,
    idempotency_key: str,
) -> ImportOut | ProblemDocument | None:
    """Choose For Import

     Answer questions of an import; the files are read again with the answers. A problem keeps none of
    them.

    Args:
        code (str):
        idempotency_key (str):
        body (ChoicesIn): Choices that are kept together, or none of them; then the files are read
            again.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ImportOut | ProblemDocument
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
    body: ChoicesIn,
    idempotency_key: str,
) -> Response[ImportOut | ProblemDocument]:
    """Choose For Import

     Answer questions of an import; the files are read again with the answers. A problem keeps none of
    them.

    Args:
        code (str):
        idempotency_key (str):
        body (ChoicesIn): Choices that are kept together, or none of them; then the files are read
            again.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ImportOut | ProblemDocument]
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
    body: ChoicesIn,
    idempotency_key: str,
) -> ImportOut | ProblemDocument | None:
    """Choose For Import

     Answer questions of an import; the files are read again with the answers. A problem keeps none of
    them.

    Args:
        code (str):
        idempotency_key (str):
        body (ChoicesIn): Choices that are kept together, or none of them; then the files are read
            again.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ImportOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            code=code,
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
