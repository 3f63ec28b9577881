"""Downloads a finished file to its target, completely or not at all."""

from __future__ import annotations

from ._calls import call
from ._effects import Fetch, Flow, Pause, perform
from ._exchange import ApiResponse, NoResponse, Outcome, get_request
from ._retry import Retries
from ._settings import Settings
from ._sink import Target, not_written, open_sink
from ._transfer import Transfer
from .errors import DownloadError, FilesDeletedError, UsageError
from .types import GenerationRecord

_GONE = frozenset({403, 404, 410})
_MOST_NEW_URLS = 3


def download(
    settings: Settings, record: GenerationRecord, target: Target, *, index: int, timeout: float
) -> Flow[int]:
    """Fetch a finished file; return its length in bytes.

    The key is not sent. An interrupted download resumes where it broke, and an expired address is
    read again.
    """
    deadline = settings.system.monotonic() + timeout
    url = _url_of(record, index)
    sink = open_sink(target, f"{record.id}-{index}")
    transfer = Transfer(sink.write, sink.received, kind=record.type)
    try:
        yield from _fetch_all(settings, record, index, url, transfer, deadline)
        try:
            sink.finish()
        except Exception as error:
            raise not_written(error, transfer.received) from error
    except DownloadError as error:
        error.generation_id, error.received = record.id, transfer.received
        raise
    finally:
        sink.close()
    return transfer.received


def _fetch_all(
    settings: Settings,
    record: GenerationRecord,
    index: int,
    url: str,
    transfer: Transfer,
    deadline: float,
) -> Flow[None]:
    system = settings.system
    retries = Retries(deadline=deadline, fault_seconds=settings.retry_seconds, chance=system.random)
    new_urls = 0
    while True:
        before = transfer.received
        outcome = yield from perform(Fetch(url, transfer, deadline))
        if transfer.complete:
            return
        if transfer.received > before:
            retries.progressed()
        is_gone = isinstance(outcome, ApiResponse) and outcome.status in _GONE
        if not is_gone or new_urls >= _MOST_NEW_URLS:
            if isinstance(outcome, ApiResponse) and outcome.status in (200, 206):
                outcome = NoResponse(reason=_fault_of(transfer))
            seconds = retries.wait(outcome, system.monotonic())
            if seconds is None:
                raise _not_fetched(outcome, transfer)
            yield Pause(seconds)
        if (is_gone or transfer.instead is not None) and new_urls < _MOST_NEW_URLS:
            # The URL has expired or leads elsewhere, or the files are deleted: read the record.
            new_urls += 1
            request = get_request(record.id)
            record, _ = yield from call(settings, request, deadline, GenerationRecord)
            url = _url_of(record, index)


def _fault_of(transfer: Transfer) -> str:
    if transfer.instead is None:
        return "the response ended too soon"
    return f"{transfer.instead} came in its place: a proxy or a sign-in page may lie between"


def _url_of(record: GenerationRecord, index: int) -> str:
    """The URL of a file.

    Raises:
        UsageError: If the generation has no such file.
        FilesDeletedError: If it had one.
    """
    if record.status != "completed" or record.output is None:
        raise UsageError(
            f"{record.id} is {record.status} and has no file to download: wait for it first."
        )
    urls = record.output.urls
    if not urls:
        error = FilesDeletedError(
            f"The service no longer keeps the files of {record.id}. Create it again if you still"
            " need it."
        )
        error.generation_id, error.code = record.id, "file_gone"
        raise error
    if not 0 <= index < len(urls):
        raise UsageError(f"{record.id} has {len(urls)} files; the first one has index 0.")
    return urls[index]


def _not_fetched(outcome: Outcome, transfer: Transfer) -> DownloadError:
    reason = f"status {outcome.status}" if isinstance(outcome, ApiResponse) else outcome.reason
    error = DownloadError(
        f"The file could not be fetched ({reason}); {transfer.received} of"
        f" {transfer.total or 'unknown'} bytes are here. It is still at the service: download it"
        " again later."
    )
    error.status = outcome.status if isinstance(outcome, ApiResponse) else None
    return error
