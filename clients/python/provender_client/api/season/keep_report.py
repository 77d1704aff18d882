from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem_document import ProblemDocument
from ...models.signed_in import SignedIn
from ...models.version_out import VersionOut
from ...types import Response


def _get_kwargs(
    crop: str,
    year: int,
    *,
    body: SignedIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/reports/{crop}/{year}/versions".format(
            crop=quote(str(crop), safe=""),
            year=quote(str(year), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ProblemDocument | VersionOut:
    if response.status_code == 201:
        response_201 = VersionOut.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ProblemDocument | VersionOut]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    crop: str,
    year: int,
    *,
    client: AuthenticatedClient,
    body: SignedIn,
    idempotency_key: str,
) -> Response[ProblemDocument | VersionOut]:
    """Keep Report

     Hand in a report that the producer signed: verified against the key on file before anything is kept.

    Args:
        crop (str):
        year (int):
        idempotency_key (str):
        body (SignedIn): A report signed on the producer's own machine: the file that `provender
            keys sign` writes.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | VersionOut]
    """

    kwargs = _get_kwargs(
        crop=crop,
        year=year,
        body=body,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    crop: str,
    year: int,
    *,
    client: AuthenticatedClient,
    body: SignedIn,
    idempotency_key: str,
) -> ProblemDocument | VersionOut | None:
    """Keep Report

     Hand in a report that the producer signed: verified against the key on file before anything is kept.

    Args:
        crop (str):
        year (int):
        idempotency_key (str):
        body (SignedIn): A report signed on the producer's own machine: the file that `provender
            keys sign` writes.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | VersionOut
    """

    return sync_detailed(
        crop=crop,
        year=year,
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    crop: str,
    year: int,
    *,
    client: AuthenticatedClient,
    body: SignedIn,
    idempotency_key: str,
) -> Response[ProblemDocument | VersionOut]:
    """Keep Report

     Hand in a report that the producer signed: verified against the key on file before anything is kept.

    Args:
        crop (str):
        year (int):
        idempotency_key (str):
        body (SignedIn): A report signed on the producer's own machine: the file that `provender
            keys sign` writes.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | VersionOut]
    """

    kwargs = _get_kwargs(
        crop=crop,
        year=year,
        body=body,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    crop: str,
    year: int,
    *,
    client: AuthenticatedClient,
    body: SignedIn,
    idempotency_key: str,
) -> ProblemDocument | VersionOut | None:
    """Keep Report

     Hand in a report that the producer signed: verified against the key on file before anything is kept.

    Args:
        crop (str):
        year (int):
        idempotency_key (str):
        body (SignedIn): A report signed on the producer's own machine: the file that `provender
            keys sign` writes.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | VersionOut
    """

    return (
        await asyncio_detailed(
            crop=crop,
            year=year,
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
