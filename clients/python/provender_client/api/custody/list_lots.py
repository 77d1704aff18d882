from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.lot_state import LotState
from ...models.page_lot_out import PageLotOut
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    crop: str | Unset = "",
    form: str | Unset = "",
    site: str | Unset = "",
    state: LotState | None | Unset = UNSET,
    harvest_year: int | None | Unset = UNSET,
    ci_g_per_bu: str | Unset = "",
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["after"] = after

    params["crop"] = crop

    params["form"] = form

    params["site"] = site

    json_state: None | str | Unset
    if isinstance(state, Unset):
        json_state = UNSET
    elif isinstance(state, LotState):
        json_state = state.value
    else:
        json_state = state
    params["state"] = json_state

    json_harvest_year: int | None | Unset
    if isinstance(harvest_year, Unset):
        json_harvest_year = UNSET
    else:
        json_harvest_year = harvest_year
    params["harvest_year"] = json_harvest_year

    params["ci_g_per_bu"] = ci_g_per_bu

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/custody/lots",
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> PageLotOut | ProblemDocument:
    if response.status_code == 200:
        response_200 = PageLotOut.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[PageLotOut | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    crop: str | Unset = "",
    form: str | Unset = "",
    site: str | Unset = "",
    state: LotState | None | Unset = UNSET,
    harvest_year: int | None | Unset = UNSET,
    ci_g_per_bu: str | Unset = "",
) -> Response[PageLotOut | ProblemDocument]:
    """List Lots

     List the lots in stock: all, or those of a crop, form, site, state, harvest year or carbon
    intensity.

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        crop (str | Unset):  Default: ''.
        form (str | Unset):  Default: ''.
        site (str | Unset):  Default: ''.
        state (LotState | None | Unset): `unverified` names those held unverified.
        harvest_year (int | None | Unset):
        ci_g_per_bu (str | Unset): As the stock says. Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PageLotOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        limit=limit,
        after=after,
        crop=crop,
        form=form,
        site=site,
        state=state,
        harvest_year=harvest_year,
        ci_g_per_bu=ci_g_per_bu,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    crop: str | Unset = "",
    form: str | Unset = "",
    site: str | Unset = "",
    state: LotState | None | Unset = UNSET,
    harvest_year: int | None | Unset = UNSET,
    ci_g_per_bu: str | Unset = "",
) -> PageLotOut | ProblemDocument | None:
    """List Lots

     List the lots in stock: all, or those of a crop, form, site, state, harvest year or carbon
    intensity.

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        crop (str | Unset):  Default: ''.
        form (str | Unset):  Default: ''.
        site (str | Unset):  Default: ''.
        state (LotState | None | Unset): `unverified` names those held unverified.
        harvest_year (int | None | Unset):
        ci_g_per_bu (str | Unset): As the stock says. Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PageLotOut | ProblemDocument
    """

    return sync_detailed(
        client=client,
        limit=limit,
        after=after,
        crop=crop,
        form=form,
        site=site,
        state=state,
        harvest_year=harvest_year,
        ci_g_per_bu=ci_g_per_bu,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    crop: str | Unset = "",
    form: str | Unset = "",
    site: str | Unset = "",
    state: LotState | None | Unset = UNSET,
    harvest_year: int | None | Unset = UNSET,
    ci_g_per_bu: str | Unset = "",
) -> Response[PageLotOut | ProblemDocument]:
    """List Lots

     List the lots in stock: all, or those of a crop, form, site, state, harvest year or carbon
    intensity.

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        crop (str | Unset):  Default: ''.
        form (str | Unset):  Default: ''.
        site (str | Unset):  Default: ''.
        state (LotState | None | Unset): `unverified` names those held unverified.
        harvest_year (int | None | Unset):
        ci_g_per_bu (str | Unset): As the stock says. Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PageLotOut | ProblemDocument]
    """

    kwargs = _get_kwargs(
        limit=limit,
        after=after,
        crop=crop,
        form=form,
        site=site,
        state=state,
        harvest_year=harvest_year,
        ci_g_per_bu=ci_g_per_bu,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    limit: int | Unset = 100,
    after: int | Unset = 0,
    crop: str | Unset = "",
    form: str | Unset = "",
    site: str | Unset = "",
    state: LotState | None | Unset = UNSET,
    harvest_year: int | None | Unset = UNSET,
    ci_g_per_bu: str | Unset = "",
) -> PageLotOut | ProblemDocument | None:
    """List Lots

     List the lots in stock: all, or those of a crop, form, site, state, harvest year or carbon
    intensity.

    Args:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
        crop (str | Unset):  Default: ''.
        form (str | Unset):  Default: ''.
        site (str | Unset):  Default: ''.
        state (LotState | None | Unset): `unverified` names those held unverified.
        harvest_year (int | None | Unset):
        ci_g_per_bu (str | Unset): As the stock says. Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PageLotOut | ProblemDocument
    """

    return (
        await asyncio_detailed(
            client=client,
            limit=limit,
            after=after,
            crop=crop,
            form=form,
            site=site,
            state=state,
            harvest_year=harvest_year,
            ci_g_per_bu=ci_g_per_bu,
        )
    ).parsed
