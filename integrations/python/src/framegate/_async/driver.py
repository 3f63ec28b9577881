"""Runs flows. The logic of calls is in `_flows`; nothing is decided here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar, cast

from .. import _effects as effects
from .._exchange import MAX_BYTES, NoResponse, Outcome, api_response, no_response
from .._settings import Settings
from ..errors import FramegateError
from .io import Connections, Sleep, in_thread, settle

T = TypeVar("T")


class AsyncDriver:
    """Sends, waits and calls back for effects."""

    def __init__(self, settings: Settings, connections: Connections, sleep: Sleep) -> None:
        self.settings = settings
        self._connections = connections
        self._sleep = sleep

    async def run(
        self, flow: effects.Flow[T], tell: Callable[[effects.News], object] | None = None
    ) -> T:
        """Run a flow; errors on the way are raised inside it."""
        step: Callable[[], effects.Effect] = partial(next, flow)
        while True:
            try:
                effect = step()
            except StopIteration as ended:
                return cast("T", ended.value)
            try:
                result = await self._perform(effect, tell)
            except BaseException as error:
                step = partial(flow.throw, error)
            else:
                step = partial(flow.send, result)

    async def _perform(
        self, effect: effects.Effect, tell: Callable[[effects.News], object] | None
    ) -> Outcome | None:
        if isinstance(effect, effects.Send):
            return await self._send(effect)
        if isinstance(effect, effects.Fetch):
            return await self._fetch(effect)
        if isinstance(effect, effects.Pause):
            await self._sleep(effect.seconds)
        elif tell is not None:
            await settle(tell(effect.news))
        return None

    async def _send(self, effect: effects.Send) -> Outcome:
        request, settings = effect.request, self.settings
        deadline = settings.system.monotonic() + effect.timeout
        body = b""
        try:
            async with self._connections.current().stream(
                request.method,
                settings.base_url + request.path,
                content=request.body,
                headers=request.headers(settings.api_key),
                # The key goes only to the base URL.
                follow_redirects=False,
                timeout=effect.timeout,
            ) as response:
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if len(body) > MAX_BYTES or settings.system.monotonic() > deadline:
                        return NoResponse(reason="the response did not end")
                return api_response(response, body)
        except FramegateError:
            raise
        except Exception as error:
            return no_response(error)

    async def _fetch(self, effect: effects.Fetch) -> Outcome:
        transfer, settings = effect.transfer, self.settings
        try:
            async with self._connections.current().stream(
                "GET",
                effect.url,
                headers=transfer.headers(),
                follow_redirects=True,
                timeout=settings.request_timeout,
            ) as response:
                if transfer.begin(response.status_code, response.headers):
                    async for chunk in response.aiter_raw():
                        await in_thread(transfer.take, chunk)
                        if settings.system.monotonic() > effect.deadline:
                            return NoResponse(reason="the time is over")
                    transfer.end()
                return api_response(response)
        except FramegateError:
            raise
        except Exception as error:
            return no_response(error)
