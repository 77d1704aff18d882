from http import HTTPStatus
from io import BytesIO
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.get_work_file_ending import GetWorkFileEnding
from ...models.problem_document import ProblemDocument
from ...types import File, Response


def _get_kwargs(
    audit: str,
    ending: GetWorkFileEnding,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/audits/{audit}/work/file/{ending}".format(
            audit=quote(str(audit), safe=""),
            ending=quote(str(ending), safe=""),
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
    audit: str,
    ending: GetWorkFileEnding,
    *,
    client: AuthenticatedClient,
) -> Response[File | ProblemDocument]:
    """Get Work File

     Return the program to carry along: a workbook to fill in, or a PDF.

    Args:
        audit (str): Code of the audit.
        ending (GetWorkFileEnding):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[File | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
        ending=ending,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    audit: str,
    ending: GetWorkFileEnding,
    *,
    client: AuthenticatedClient,
) -> File | ProblemDocument | None:
    """Get Work File

     Return the program to carry along: a workbook to fill in, or a PDF.

    Args:
        audit (str): Code of the audit.
        ending (GetWorkFileEnding):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        File | ProblemDocument
    """

    return sync_detailed(
        audit=audit,
        ending=ending,
        client=client,
    ).parsed


async def asyncio_detailed(
    audit: str,
    ending: GetWorkFileEnding,
    *,
    client: AuthenticatedClient,
) -> Response[File | ProblemDocument]:
    """Get Work File

     Return the program to carry along: a workbook to fill in, or a PDF.

    Args:
        audit (str): Code of the audit.
        ending (GetWorkFileEnding):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[File | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
        ending=ending,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    audit: str,
    ending: GetWorkFileEnding,
    *,
    client: AuthenticatedClient,
) -> File | ProblemDocument | None:
    """Get Work File

     Return the program to carry along: a workbook to fill in, or a PDF.

    Args:
        audit (str): Code of the audit.
        ending (GetWorkFileEnding):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        File | ProblemDocument
    """

    return (
        await asyncio_detailed(
            audit=audit,
            ending=ending,
            client=client,
        )
    ).parsed
