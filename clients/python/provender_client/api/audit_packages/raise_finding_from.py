from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.finding_out import FindingOut
from ...models.problem_document import ProblemDocument
from ...types import Response


def _get_kwargs(
    audit: str,
    number: int,
    index: int,
    *,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/audits/{audit}/results/{number}/differences/{index}/finding".format(
            audit=quote(str(audit), safe=""),
            number=quote(str(number), safe=""),
            index=quote(str(index), safe=""),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> FindingOut | ProblemDocument:
    if response.status_code == 201:
        response_201 = FindingOut.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[FindingOut | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    audit: str,
    number: int,
    index: int,
    *,
    client: AuthenticatedClient,
    idempotency_key: str,
) -> Response[FindingOut | ProblemDocument]:
    """Raise Finding From

     Make a difference a finding: its words, its bushels, its paragraph; major, due in a month.

    Args:
        audit (str): Code of the audit.
        number (int):
        index (int): Place of the difference in the result, from 0.
        idempotency_key (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FindingOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
        number=number,
        index=index,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    audit: str,
    number: int,
    index: int,
    *,
    client: AuthenticatedClient,
    idempotency_key: str,
) -> FindingOut | ProblemDocument | None:
    """Raise Finding From

     Make a difference a finding: its words, its bushels, its paragraph; major, due in a month.

    Args:
        audit (str): Code of the audit.
        number (int):
        index (int): Place of the difference in the result, from 0.
        idempotency_key (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FindingOut | ProblemDocument
    """

    return sync_detailed(
        audit=audit,
        number=number,
        index=index,
        client=client,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    audit: str,
    number: int,
    index: int,
    *,
    client: AuthenticatedClient,
    idempotency_key: str,
) -> Response[FindingOut | ProblemDocument]:
    """Raise Finding From

     Make a difference a finding: its words, its bushels, its paragraph; major, due in a month.

    Args:
        audit (str): Code of the audit.
        number (int):
        index (int): Place of the difference in the result, from 0.
        idempotency_key (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FindingOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        audit=audit,
        number=number,
        index=index,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    audit: str,
    number: int,
    index: int,
    *,
    client: AuthenticatedClient,
    idempotency_key: str,
) -> FindingOut | ProblemDocument | None:
    """Raise Finding From

     Make a difference a finding: its words, its bushels, its paragraph; major, due in a month.

    Args:
        audit (str): Code of the audit.
        number (int):
        index (int): Place of the difference in the result, from 0.
        idempotency_key (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FindingOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            audit=audit,
            number=number,
            index=index,
            client=client,
            idempotency_key=idempotency_key,
        )
    ).parsed
