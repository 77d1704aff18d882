from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.get_log_consistency_response import GetLogConsistencyResponse
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    since: list[int] | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_since: list[int] | Unset = UNSET
    if not isinstance(since, Unset):
        json_since = since

    params["since"] = json_since

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/log/consistency",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> GetLogConsistencyResponse | ProblemDocument:
    if response.status_code == 200:
        response_200 = GetLogConsistencyResponse.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[GetLogConsistencyResponse | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    since: list[int] | Unset = UNSET,
) -> Response[GetLogConsistencyResponse | ProblemDocument]:
    """Get Log Consistency

     Return what shows that the log grew out of heads of these sizes.

    Args:
        since (list[int] | Unset): Size of a head that you hold; repeat for another.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[GetLogConsistencyResponse | ProblemDocument]
    """

    kwargs = _get_kwargs(
        since=since,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    since: list[int] | Unset = UNSET,
) -> GetLogConsistencyResponse | ProblemDocument | None:
    """Get Log Consistency

     Return what shows that the log grew out of heads of these sizes.

    Args:
        since (list[int] | Unset): Size of a head that you hold; repeat for another.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        GetLogConsistencyResponse | ProblemDocument
    """

    return sync_detailed(
        client=client,
        since=since,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    since: list[int] | Unset = UNSET,
) -> Response[GetLogConsistencyResponse | ProblemDocument]:
    """Get Log Consistency

     Return what shows that the log grew out of heads of these sizes.

    Args:
        since (list[int] | Unset): Size of a head that you hold; repeat for another.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[GetLogConsistencyResponse | ProblemDocument]
    """

    kwargs = _get_kwargs(
        since=since,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    since: list[int] | Unset = UNSET,
) -> GetLogConsistencyResponse | ProblemDocument | None:
    """Get Log Consistency

     Return what shows that the log grew out of heads of these sizes.

    Args:
        since (list[int] | Unset): Size of a head that you hold; repeat for another.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        GetLogConsistencyResponse | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            since=since,
        )
    ).parsed
