"""The steps of a wait for a generation, and its reports to the caller."""

from __future__ import annotations

from ._calls import await_turn, pace_of, polled_at
from ._effects import Flow, Pause, Send, Tell, perform
from ._ended import Failed
from ._exchange import MODELS, ApiResponse, get_request
from ._progress import progress_of
from ._refusals import generation_failed, refusal, wait_timeout
from ._response import recast
from ._retry import Retries, is_limit, is_transient
from ._settings import Settings
from .errors import FramegateError
from .types import GenerationRecord, ModelList

_USUAL_POLL_SECONDS = 5.0
_DAY = 86_400


class Telling:
    """Reports each generation read and, on request, its progress to the caller of a wait."""

    def __init__(self, settings: Settings, wants_progress: bool) -> None:
        self._settings = settings
        self._wants_progress = wants_progress
        self._asked = False

    def tell(self, record: GenerationRecord) -> Flow[None]:
        waits = self._settings.waits
        position = waits.note(record)
        yield Tell(record)
        if not self._wants_progress:
            return
        if record.model not in waits.usual and not self._asked:
            self._asked = True
            yield from self._read_usual()
        yield Tell(progress_of(record, waits.usual.get(record.model), position))

    def _read_usual(self) -> Flow[None]:
        """One attempt, because progress must not delay a wait."""
        timeout = min(_USUAL_POLL_SECONDS, self._settings.request_timeout)
        _, found = polled_at((yield from perform(Send(MODELS, timeout))), ModelList, MODELS)
        if found is not None:
            self._settings.waits.usual |= {each.id: each.typical_seconds for each in found.data}


def follow(
    settings: Settings,
    generation_id: str,
    deadline: float,
    told: Telling,
    record: GenerationRecord | None = None,
    seconds: float = 0.0,
) -> Flow[GenerationRecord]:
    """Poll at the server's intervals until a generation has ended or the time is up.

    Limits, restarts and lost connections are waited out: temporary trouble never ends a wait.

    Args:
        settings: The client's settings.
        generation_id: The generation.
        deadline: End of the wait, by the monotonic clock.
        told: The caller's callbacks.
        record: The latest known state.
        seconds: Time until the first poll; 0 polls once even if no time is left.
    """
    system = settings.system
    request = get_request(generation_id)
    pace = pace_of(settings, request)
    retries = Retries(deadline=deadline, fault_seconds=float("inf"), chance=system.random)
    trouble: FramegateError | None = None
    try:
        while record is None or not has_ended(record):
            left = deadline - system.monotonic()
            if left <= 0 and seconds > 0:
                raise wait_timeout(generation_id, record) from trouble
            if seconds > 0:
                yield Pause(min(seconds, left))
            turn = yield from await_turn(system, pace, deadline)
            if isinstance(turn, ApiResponse):
                trouble, seconds = refusal(request, turn), max(1.0, left)
                continue
            # The last poll comes at the deadline, with one second to be answered.
            within = max(1.0, deadline - system.monotonic())
            outcome, found = polled_at(
                (yield from perform(Send(request, min(settings.request_timeout, within)))),
                GenerationRecord,
                request,
            )
            if found is not None:
                pace.accepted(turn)
                record = found
                yield from told.tell(record)
                retries.progressed()
                seconds, trouble = poll_seconds(record), None
                continue
            trouble = refusal(request, outcome)
            if not is_transient(outcome):
                raise trouble
            # No time for another attempt: the last poll is at the deadline.
            seconds = retries.wait(outcome, system.monotonic()) or max(1.0, left)
            if isinstance(outcome, ApiResponse) and is_limit(outcome):
                pace.refused(turn, system.monotonic() + seconds, outcome)
        if record.status == "failed":
            raise generation_failed(recast(Failed, record))
        return record
    finally:
        settings.waits.end(generation_id)


def has_ended(record: GenerationRecord) -> bool:
    """Whether a generation is final."""
    return record.status in ("completed", "failed")


def poll_seconds(record: GenerationRecord) -> float:
    """Seconds until the next poll: the server's hint, at least one second."""
    told = record.retry_after_seconds
    return _USUAL_POLL_SECONDS if told is None else float(max(1, min(told, _DAY)))
