from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.draft_out import DraftOut
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    audit: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/audits/{audit}/statement/draft".format(
            audit=quote(str(audit), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> DraftOut | ProblemDocument:
    if response.status_code == 200:
        response_200 = DraftOut.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[DraftOut | ProblemDocument]:
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
) -> Response[DraftOut | ProblemDocument]:
    """Get Draft

     Return the statement as it is to be signed: ``document`` goes to ``provender audit statement sign``.

    Args:
        audit (str): Code of the audit.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DraftOut | ProblemDocument]
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
) -> DraftOut | ProblemDocument | None:
    """Get Draft

     Return the statement as it is to be signed: ``document`` goes to ``provender audit statement sign``.

    Args:
        audit (str): Code of the audit.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DraftOut | ProblemDocument
    """

    return sync_detailed(
        audit=audit,
        client=client,
    ).parsed


async def asyncio_detailed(
    audit: str,
    *,
    client: AuthenticatedClient,
) -> Response[DraftOut | ProblemDocument]:
    """Get Draft

     Return the statement as it is to be signed: ``document`` goes to ``provender audit statement sign``.

    Args:
        audit (str): Code of the audit.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DraftOut | ProblemDocument]
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
) -> DraftOut | ProblemDocument | None:
    """Get Draft

     Return the statement as it is to be signed: ``document`` goes to ``provender audit statement sign``.

    Args:
        audit (str): Code of the audit.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DraftOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            audit=audit,
            client=client,
        )
    ).parsed
