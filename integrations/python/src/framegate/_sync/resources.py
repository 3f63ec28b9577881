"""What a client offers, by what it is about."""

# Made from _async/resources.py by "npm run generate": do not edit.

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from .. import _flows as flows
from .._progress import Progress
from .._settings import USUAL_TIMEOUT, read_timeout
from ..types import CreateImage, CreateVideo, CreditBalance, Model
from .driver import Driver
from .generation import Completed, Generation, run_bound, run_to_end

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import Unpack
    else:
        from typing_extensions import Unpack


class _Resource:
    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._settings = driver.settings


class Videos(_Resource):
    """Videos: `client.videos`."""

    def create(
        self,
        *,
        idempotency_key: str | None = None,
        max_credits: int | None = None,
        **body: Unpack[CreateVideo],
    ) -> Generation:
        """Create a video; it is charged now, and made later.

        Args:
            idempotency_key: One value for each video you want, kept with your order: after a crash
                the same call with the same key gives the same video and is not paid again. Without
                it one is made, and kept over the retries of this call.
            max_credits: The highest price; what costs more is refused before it is created.
            **body: `model`, `mode` and `prompt`, and optionally `inputs`, `parameters` and
                `compliance`, as `types.CreateVideo` has them.

        Raises:
            PriceLimitError: It would cost more. Nothing was created.
            InsufficientCreditsError: The account has too few credits. Nothing was created.
            APIError: Any other refusal, by its class.
            APIConnectionError: No answer for longer than `retry_seconds`; `may_have_created` tells
                whether it may have been created, and `idempotency_key` settles it.
        """
        flow = flows.create(
            self._settings,
            "videos",
            body,
            idempotency_key=idempotency_key,
            max_credits=max_credits,
        )
        return run_bound(self._driver, flow)

    def create_and_wait(
        self,
        *,
        idempotency_key: str | None = None,
        max_credits: int | None = None,
        timeout: float | None = USUAL_TIMEOUT,
        on_update: Callable[[Generation], object] | None = None,
        on_progress: Callable[[Progress], object] | None = None,
        **body: Unpack[CreateVideo],
    ) -> Completed:
        """Create a video and wait until it is finished.

        Args:
            idempotency_key: As in `create`.
            max_credits: As in `create`.
            timeout: Seconds for all of it; None for no limit.
            on_update: Called with the generation once it is created, and each time it is read; an
                async client awaits what it gives.
            on_progress: Called after it with how far the generation is, as in `generations.wait`.
            **body: As in `create`.

        Raises:
            GenerationFailedError: It failed; `refunded` tells that the credits are back.
            WaitTimeoutError: It goes on; `generations.wait(error.id)` takes it up.
            FramegateError: As in `create`.
        """
        flow = flows.create_and_wait(
            self._settings,
            "videos",
            body,
            idempotency_key=idempotency_key,
            max_credits=max_credits,
            timeout=read_timeout(timeout),
            wants_progress=on_progress is not None,
        )
        return run_to_end(self._driver, flow, on_update, on_progress)


class Images(_Resource):
    """Images: `client.images`."""

    def create(
        self,
        *,
        idempotency_key: str | None = None,
        max_credits: int | None = None,
        **body: Unpack[CreateImage],
    ) -> Generation:
        """Create images; they are charged now, and made later.

        Args:
            idempotency_key: As in `videos.create`.
            max_credits: As in `videos.create`.
            **body: `model` and `prompt`, and optionally `inputs` and `parameters`, as
                `types.CreateImage` has them.

        Raises:
            FramegateError: As in `videos.create`.
        """
        flow = flows.create(
            self._settings,
            "images",
            body,
            idempotency_key=idempotency_key,
            max_credits=max_credits,
        )
        return run_bound(self._driver, flow)

    def create_and_wait(
        self,
        *,
        idempotency_key: str | None = None,
        max_credits: int | None = None,
        timeout: float | None = USUAL_TIMEOUT,
        on_update: Callable[[Generation], object] | None = None,
        on_progress: Callable[[Progress], object] | None = None,
        **body: Unpack[CreateImage],
    ) -> Completed:
        """Create images and wait until they are finished.

        Args:
            idempotency_key: As in `create`.
            max_credits: As in `create`.
            timeout: Seconds for all of it; None for no limit.
            on_update: Called with the generation once it is created, and each time it is read; an
                async client awaits what it gives.
            on_progress: Called after it with how far the generation is, as in `generations.wait`.
            **body: As in `create`.

        Raises:
            FramegateError: As in `videos.create_and_wait`.
        """
        flow = flows.create_and_wait(
            self._settings,
            "images",
            body,
            idempotency_key=idempotency_key,
            max_credits=max_credits,
            timeout=read_timeout(timeout),
            wants_progress=on_progress is not None,
        )
        return run_to_end(self._driver, flow, on_update, on_progress)


class Generations(_Resource):
    """What was created: `client.generations`."""

    def get(self, generation_id: str) -> Generation:
        """Read a generation as it is now; a failed one is no error here."""
        return run_bound(self._driver, flows.get(self._settings, generation_id))

    def wait(
        self,
        generation_id: str,
        *,
        timeout: float | None = USUAL_TIMEOUT,
        on_update: Callable[[Generation], object] | None = None,
        on_progress: Callable[[Progress], object] | None = None,
    ) -> Completed:
        """Wait for the end of a generation, whichever program created it.

        It asks as often as the service says, and bears with limits, restarts and lost connections.

        Args:
            generation_id: Such as the `id` of a WaitTimeoutError.
            timeout: Seconds to wait; None for no limit.
            on_update: Called with the generation each time it is read.
            on_progress: Called after it with the share of the usual time and the place in the
                queue; what the models usually take is read once for that.

        Raises:
            GenerationFailedError: It failed; `refunded` tells that the credits are back.
            WaitTimeoutError: It goes on; the same call takes it up again.
            APIError: A refusal that will not pass, such as of a revoked key.
        """
        flow = flows.wait(
            self._settings,
            generation_id,
            read_timeout(timeout),
            wants_progress=on_progress is not None,
        )
        return run_to_end(self._driver, flow, on_update, on_progress)


class Models(_Resource):
    """Models: `client.models`."""

    def list(self) -> builtins.list[Model]:
        """Read the models that the key may use, with what they take and cost."""
        return self._driver.run(flows.list_models(self._settings))


class Credits(_Resource):
    """Credits: `client.credits`."""

    def balance(self) -> CreditBalance:
        """Read the credits of the account."""
        return self._driver.run(flows.balance(self._settings))
