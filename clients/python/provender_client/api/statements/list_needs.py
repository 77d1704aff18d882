from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.need_out import NeedOut
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    audit: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/audits/{audit}/statement/needs".format(
            audit=quote(str(audit), safe=""),
        ),
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ProblemDocument | list[NeedOut]:
    if response.status_code == 200:
        response_200 = []
        _response_200 = response.json()
        for response_200_item_data in _response_200:
            response_200_item = NeedOut.from_dict(response_200_item_data)

            response_200.append(response_200_item)

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ProblemDocument | list[NeedOut]]:
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
) -> Response[ProblemDocument | list[NeedOut]]:
    """List Needs

     List what a favorable opinion still needs: before, it is neither drafted nor signed.

    Args:
        audit (str): Code of the audit.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | list[NeedOut]]
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
) -> ProblemDocument | list[NeedOut] | None:
    """List Needs

     List what a favorable opinion still needs: before, it is neither drafted nor signed.

    Args:
        audit (str): Code of the audit.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | list[NeedOut]
    """

    return sync_detailed(
        audit=audit,
        client=client,
    ).parsed


async def asyncio_detailed(
    audit: str,
    *,
    client: AuthenticatedClient,
) -> Response[ProblemDocument | list[NeedOut]]:
    """List Needs

     List what a favorable opinion still needs: before, it is neither drafted nor signed.

    Args:
        audit (str): Code of the audit.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | list[NeedOut]]
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
) -> ProblemDocument | list[NeedOut] | None:
    """List Needs

     List what a favorable opinion still needs: before, it is neither drafted nor signed.

    Args:
        audit (str): Code of the audit.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | list[NeedOut]
    """

    return (
        await asyncio_detailed(
            audit=audit,
            client=client,
        )
    ).parsed
