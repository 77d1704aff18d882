from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.finding_whole import FindingWhole
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    audit: str,
    number: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/audits/{audit}/findings/{number}".format(
            audit=quote(str(audit), safe=""),
            number=quote(str(number), safe=""),
        ),
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> FindingWhole | ProblemDocument:
    if response.status_code == 200:
        response_200 = FindingWhole.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[FindingWhole | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    audit: str,
    number: str,
    *,
    client: AuthenticatedClient,
) -> Response[FindingWhole | ProblemDocument]:
    """Get Finding

     Return a finding with everything that was said about it; both sides see it, and the party that must
    answer.

    Args:
        audit (str): Code of the audit.
        number (str): Number of the finding.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FindingWhole | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
        number=number,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    audit: str,
    number: str,
    *,
    client: AuthenticatedClient,
) -> FindingWhole | ProblemDocument | None:
    """Get Finding

     Return a finding with everything that was said about it; both sides see it, and the party that must
    answer.

    Args:
        audit (str): Code of the audit.
        number (str): Number of the finding.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FindingWhole | ProblemDocument
    """

    return sync_detailed(
        audit=audit,
        number=number,
        client=client,
    ).parsed


async def asyncio_detailed(
    audit: str,
    number: str,
    *,
    client: AuthenticatedClient,
) -> Response[FindingWhole | ProblemDocument]:
    """Get Finding

     Return a finding with everything that was said about it; both sides see it, and the party that must
    answer.

    Args:
        audit (str): Code of the audit.
        number (str): Number of the finding.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FindingWhole | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
        number=number,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    audit: str,
    number: str,
    *,
    client: AuthenticatedClient,
) -> FindingWhole | ProblemDocument | None:
    """Get Finding

     Return a finding with everything that was said about it; both sides see it, and the party that must
    answer.

    Args:
        audit (str): Code of the audit.
        number (str): Number of the finding.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FindingWhole | ProblemDocument
    """

    return (
        await asyncio_detailed(
            audit=audit,
            number=number,
            client=client,
        )
    ).parsed
