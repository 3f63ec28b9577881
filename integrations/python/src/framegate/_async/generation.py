"""A generation as returned by calls: the record, with methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from .. import _flows as flows
from .._download import download
from .._effects import Flow, News
from .._progress import Progress
from .._response import recast
from .._settings import USUAL_TIMEOUT, read_timeout
from .._sink import Target
from ..types import GenerationRecord, Output
from .driver import AsyncDriver


class AsyncGeneration(GenerationRecord):
    """A generation in the state in which it was read."""

    _driver: AsyncDriver

    async def wait(
        self,
        *,
        timeout: float | None = USUAL_TIMEOUT,
        on_update: Callable[[AsyncGeneration], object] | None = None,
        on_progress: Callable[[Progress], object] | None = None,
    ) -> AsyncCompleted:
        """Wait for its end; see `generations.wait`."""
        flow = flows.wait(
            self._driver.settings,
            self.id,
            read_timeout(timeout),
            wants_progress=on_progress is not None,
        )
        return await run_to_end(self._driver, flow, on_update, on_progress)

    async def download(
        self, target: Target, *, index: int = 0, timeout: float | None = USUAL_TIMEOUT
    ) -> int:
        """Download a finished file, without the API key, and check its length.

        An interrupted download resumes where it broke. A file `….part` next to the path keeps the
        received bytes; the path itself appears once complete. Another call continues the part.

        Args:
            target: A path, or a file open for writing in binary mode.
            index: Which file, if there are several images.
            timeout: Time limit in seconds; None for no limit.

        Returns:
            The length of the file in bytes.

        Raises:
            DownloadError: With advice; the file is still at the service.
            FilesDeletedError: The service keeps files only for some days.
        """
        settings = self._driver.settings
        flow = download(settings, self, target, index=index, timeout=read_timeout(timeout))
        return await self._driver.run(flow)


class AsyncCompleted(AsyncGeneration):
    """A completed generation with its files."""

    status: Literal["completed"]
    output: Output


async def run_bound(
    driver: AsyncDriver,
    flow: Flow[GenerationRecord],
    on_update: Callable[[AsyncGeneration], object] | None = None,
    on_progress: Callable[[Progress], object] | None = None,
) -> AsyncGeneration:
    """Run a flow that returns a generation."""

    def tell(news: News) -> object:
        if isinstance(news, Progress):
            return None if on_progress is None else on_progress(news)
        return None if on_update is None else on_update(_bind(driver, news))

    return _bind(driver, await driver.run(flow, tell))


async def run_to_end(
    driver: AsyncDriver,
    flow: Flow[GenerationRecord],
    on_update: Callable[[AsyncGeneration], object] | None = None,
    on_progress: Callable[[Progress], object] | None = None,
) -> AsyncCompleted:
    """Run a flow that returns a completed generation, and raises for any other end."""
    ended = await run_bound(driver, flow, on_update, on_progress)
    assert isinstance(ended, AsyncCompleted)  # noqa: S101
    return ended


def _bind(driver: AsyncDriver, record: GenerationRecord) -> AsyncGeneration:
    cls = AsyncCompleted if record.status == "completed" else AsyncGeneration
    bound = recast(cls, record)
    # Not a field: only the record is compared, shown and copied.
    object.__setattr__(bound, "_driver", driver)
    return bound
