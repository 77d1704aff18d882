from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.get_sample_response import GetSampleResponse
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    audit: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/audits/{audit}/sample".format(
            audit=quote(str(audit), safe=""),
        ),
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> GetSampleResponse | ProblemDocument:
    if response.status_code == 200:
        response_200 = GetSampleResponse.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[GetSampleResponse | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    audit: str,
    *,
    client: AuthenticatedClient,
) -> Response[GetSampleResponse | ProblemDocument]:
    """Get Sample

     Return the sample file: everything that is needed to draw it again.

    Args:
        audit (str): Code of the audit.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[GetSampleResponse | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    audit: str,
    *,
    client: AuthenticatedClient,
) -> GetSampleResponse | ProblemDocument | None:
    """Get Sample

     Return the sample file: everything that is needed to draw it again.

    Args:
        audit (str): Code of the audit.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        GetSampleResponse | ProblemDocument
    """

    return sync_detailed(
        audit=audit,
        client=client,
    ).parsed


async def asyncio_detailed(
    audit: str,
    *,
    client: AuthenticatedClient,
) -> Response[GetSampleResponse | ProblemDocument]:
    """Get Sample

     Return the sample file: everything that is needed to draw it again.

    Args:
        audit (str): Code of the audit.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[GetSampleResponse | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    audit: str,
    *,
    client: AuthenticatedClient,
) -> GetSampleResponse | ProblemDocument | None:
    """Get Sample

     Return the sample file: everything that is needed to draw it again.

    Args:
        audit (str): Code of the audit.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        GetSampleResponse | ProblemDocument
    """

    return (
        await asyncio_detailed(
            audit=audit,
            client=client,
        )
    ).parsed
