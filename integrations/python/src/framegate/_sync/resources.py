"""The operations of a client, by resource."""

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
        """Create a video, which is charged now and made later.

        Args:
            idempotency_key: A distinct value for each intended video, stored with your order: after
                a crash the same call with the same key returns the same video and is not charged
                again. Without it a key is generated and kept for the retries of this call.
            max_credits: The highest price; a more expensive video is refused before it is created.
            **body: `model`, `mode` and `prompt`, and optionally `inputs`, `parameters` and
                `compliance`; see `types.CreateVideo`.

        Raises:
            PriceLimitError: The price is higher. Nothing was created.
            InsufficientCreditsError: The account has too few credits. Nothing was created.
            APIError: Any other refusal, by its class.
            APIConnectionError: No response for longer than `retry_seconds`; `may_have_created`
                tells whether it may have been created, and repeating the call with
                `idempotency_key` settles the question.
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
            timeout: Time limit of the whole call in seconds; None for no limit.
            on_update: Called with the generation once it is created, and each time it is read; an
                async client awaits its result.
            on_progress: Called after it with the generation's progress; see `generations.wait`.
            **body: As in `create`.

        Raises:
            GenerationFailedError: It failed; `refunded` tells whether the credits were refunded.
            WaitTimeoutError: It continues; `generations.wait(error.id)` resumes the wait.
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
        """Create images, which are charged now and made later.

        Args:
            idempotency_key: As in `videos.create`.
            max_credits: As in `videos.create`.
            **body: `model` and `prompt`, and optionally `inputs` and `parameters`; see
                `types.CreateImage`.

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
            timeout: Time limit of the whole call in seconds; None for no limit.
            on_update: Called with the generation once it is created, and each time it is read; an
                async client awaits its result.
            on_progress: Called after it with the generation's progress; see `generations.wait`.
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
    """Created generations: `client.generations`."""

    def get(self, generation_id: str) -> Generation:
        """Read a generation in its current state; a failed one raises no error."""
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

        It polls at the service's intervals and waits out limits, restarts and lost connections.

        Args:
            generation_id: For example the `id` of a WaitTimeoutError.
            timeout: Seconds to wait; None for no limit.
            on_update: Called with the generation each time it is read.
            on_progress: Called after it with the share of the usual time and the place in the
                queue; the models' usual durations are read once for that.

        Raises:
            GenerationFailedError: It failed; `refunded` tells whether the credits were refunded.
            WaitTimeoutError: It continues; the same call resumes the wait.
            APIError: A final refusal, for example of a revoked key.
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
        """Read the models that the key may use, with their parameters and prices."""
        return self._driver.run(flows.list_models(self._settings))


class Credits(_Resource):
    """Credits: `client.credits`."""

    def balance(self) -> CreditBalance:
        """Read the account's credits."""
        return self._driver.run(flows.balance(self._settings))
