"""The client."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING

from .. import _flows as flows
from .._settings import System, read_settings
from ..types import Model
from .driver import AsyncDriver
from .io import Connections, HTTPClient, Sleep, sleep
from .resources import AsyncCredits, AsyncGenerations, AsyncImages, AsyncModels, AsyncVideos

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import Self
    else:
        from typing_extensions import Self


class AsyncFramegate:
    """A client of a Framegate gateway, which threads or tasks may share.

    Args:
        base_url: The API's address, which ends in `/v1`; by default FRAMEGATE_URL.
        api_key: A key of the account; by default FRAMEGATE_KEY.
        request_timeout: Time limit of one request, in seconds.
        retry_seconds: Seconds for which a call retries after temporary faults.
        http_client: An httpx client to use, for example with a proxy; it is left open.
        system: Time and randomness, for tests.
        sleep: How to wait, for tests.

    Raises:
        UsageError: For an unusable base URL or key.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        request_timeout: float = 30.0,
        retry_seconds: float = 120.0,
        http_client: HTTPClient | None = None,
        system: System | None = None,
        sleep: Sleep = sleep,
    ) -> None:
        settings = read_settings(
            base_url=base_url,
            api_key=api_key,
            request_timeout=request_timeout,
            retry_seconds=retry_seconds,
            system=system or System(),
            environment=os.environ,
        )
        self._connections = Connections(http_client)
        driver = AsyncDriver(settings, self._connections, sleep)
        self._driver = driver
        self.videos = AsyncVideos(driver)
        self.images = AsyncImages(driver)
        self.generations = AsyncGenerations(driver)
        self.models = AsyncModels(driver)
        self.credits = AsyncCredits(driver)

    async def price(
        self,
        model: str | Model,
        *,
        duration_seconds: int | None = None,
        resolution: str | None = None,
        generate_audio: bool | None = None,
        n: int | None = None,
    ) -> int:
        """Compute the cost of a create request in credits; None means the model's default.

        Args:
            model: One of `models.list()`, which requires no request; or an id, for which prices are
                read.
            duration_seconds: Of a video.
            resolution: Of a video or image.
            generate_audio: Whether a video has sound.
            n: Number of images.

        Raises:
            UsageError: For values that the model does not offer.
        """
        parameters = {
            "duration_seconds": duration_seconds,
            "resolution": resolution,
            "generate_audio": generate_audio,
            "n": n,
        }
        return await self._driver.run(flows.price_of(self._driver.settings, model, parameters))

    async def aclose(self) -> None:
        """Close the connections, except those of the caller's `http_client`.

        Another call opens new ones.
        """
        await self._connections.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self._driver.settings.base_url!r})"
