from http import HTTPStatus
from io import BytesIO
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem_document import ProblemDocument
from ...types import File, Response


def _get_kwargs(
    crop: str,
    year: int,
    number: int,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/reports/{crop}/{year}/versions/{number}/jws".format(
            crop=quote(str(crop), safe=""),
            year=quote(str(year), safe=""),
            number=quote(str(number), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> File | ProblemDocument:
    if response.status_code == 200:
        response_200 = File(payload=BytesIO(response.content))

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[File | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    crop: str,
    year: int,
    number: int,
    *,
    client: AuthenticatedClient,
) -> Response[File | ProblemDocument]:
    """Get Report Jws

     Return a signed version as compact JWS (RFC 7515) with its payload inside.

    Args:
        crop (str):
        year (int):
        number (int): 0 is the one that is not signed yet.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[File | ProblemDocument]
    """

    kwargs = _get_kwargs(
        crop=crop,
        year=year,
        number=number,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    crop: str,
    year: int,
    number: int,
    *,
    client: AuthenticatedClient,
) -> File | ProblemDocument | None:
    """Get Report Jws

     Return a signed version as compact JWS (RFC 7515) with its payload inside.

    Args:
        crop (str):
        year (int):
        number (int): 0 is the one that is not signed yet.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        File | ProblemDocument
    """

    return sync_detailed(
        crop=crop,
        year=year,
        number=number,
        client=client,
    ).parsed


async def asyncio_detailed(
    crop: str,
    year: int,
    number: int,
    *,
    client: AuthenticatedClient,
) -> Response[File | ProblemDocument]:
    """Get Report Jws

     Return a signed version as compact JWS (RFC 7515) with its payload inside.

    Args:
        crop (str):
        year (int):
        number (int): 0 is the one that is not signed yet.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[File | ProblemDocument]
    """

    kwargs = _get_kwargs(
        crop=crop,
        year=year,
        number=number,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    crop: str,
    year: int,
    number: int,
    *,
    client: AuthenticatedClient,
) -> File | ProblemDocument | None:
    """Get Report Jws

     Return a signed version as compact JWS (RFC 7515) with its payload inside.

    Args:
        crop (str):
        year (int):
        number (int): 0 is the one that is not signed yet.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        File | ProblemDocument
    """

    return (
        await asyncio_detailed(
            crop=crop,
            year=year,
            number=number,
            client=client,
        )
    ).parsed
