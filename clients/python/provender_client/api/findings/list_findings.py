from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.page_finding_out import PageFindingOut
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response, Unset


def _get_kwargs(
    audit: str,
    *,
    limit: int | Unset = 100,
    after: int | Unset = 0,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["after"] = after

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/audits/{audit}/findings".format(
            audit=quote(str(audit), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> PageFindingOut | ProblemDocument:
    if response.status_code == 200:
        response_200 = PageFindingOut.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[PageFindingOut | ProblemDocument]:
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
    limit: int | Unset = 100,
    after: int | Unset = 0,
) -> Response[PageFindingOut | ProblemDocument]:
    """List Findings

     List the findings as they stand; both sides see them, and a party that must answer some sees those.

    Args:
        audit (str): Code of the audit.
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PageFindingOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
        limit=limit,
        after=after,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    audit: str,
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
) -> PageFindingOut | ProblemDocument | None:
    """List Findings

     List the findings as they stand; both sides see them, and a party that must answer some sees those.

    Args:
        audit (str): Code of the audit.
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PageFindingOut | ProblemDocument
    """

    return sync_detailed(
        audit=audit,
        client=client,
        limit=limit,
        after=after,
    ).parsed


async def asyncio_detailed(
    audit: str,
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
) -> Response[PageFindingOut | ProblemDocument]:
    """List Findings

     List the findings as they stand; both sides see them, and a party that must answer some sees those.

    Args:
        audit (str): Code of the audit.
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PageFindingOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
        limit=limit,
        after=after,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    audit: str,
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
) -> PageFindingOut | ProblemDocument | None:
    """List Findings

     List the findings as they stand; both sides see them, and a party that must answer some sees those.

    Args:
        audit (str): Code of the audit.
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PageFindingOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            audit=audit,
            client=client,
            limit=limit,
            after=after,
        )
    ).parsed
