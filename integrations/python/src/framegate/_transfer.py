"""A finished file on its way to where the caller wants it, whole or not at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ._effects import Fetch, Flow, Pause, perform
from ._exchange import USER_AGENT, Answer, NoAnswer, Outcome, get_request
from ._flows import call
from ._retry import Retries
from ._settings import Settings
from ._sink import Target, not_written, open_sink
from .errors import DownloadError, FilesDeletedError, UsageError
from .types import GenerationRecord

_CONTENT_RANGE = re.compile(r"bytes (\d{1,18})-\d{1,18}/(\d{1,18})")
_GONE = frozenset({403, 404, 410})
_MOST_NEW_URLS = 3


class Transfer:
    """Takes the bytes of answers, however often the line breaks, and knows when all are there."""

    def __init__(self, write: Callable[[bytes], int | None], received: int = 0) -> None:
        self._write = write
        self.received = received
        """Bytes that are written."""
        self.total: int | None = None
        """Bytes of the whole file, once an answer has told."""
        self.complete = False
        self._etag: str | None = None
        self._skip = 0

    def headers(self) -> dict[str, str]:
        """What to ask with: the rest of what is there already."""
        headers = {"Accept-Encoding": "identity", "User-Agent": USER_AGENT}
        if self.received > 0:
            headers["Range"] = f"bytes={self.received}-"
            if self._etag is not None:
                headers["If-Range"] = self._etag
        return headers

    def begin(self, status: int, headers: Mapping[str, str]) -> bool:
        """Look at the head of an answer.

        Returns:
            Whether its body belongs to the file.
        """
        if status == 416 and headers.get("content-range") == f"bytes */{self.received}":
            self.complete = True
        if status not in (200, 206):
            return False
        is_page = headers.get("content-type", "").startswith(("text/", "application/json"))
        if is_page or headers.get("content-encoding", "identity") != "identity":
            raise DownloadError(
                "A page or a changed file was answered in place of the file: a proxy or sign-in"
                " page lies between. Check what is between you and the service."
            )
        start, total = _extent(status, headers)
        etag = headers.get("etag")
        if status == 206 and start != self.received:
            raise DownloadError(
                "The service answered with another part of the file than asked for."
            )
        if self._differs(total, etag):
            raise DownloadError(
                "The file at the service is another one than the part that is here: delete what was"
                " written and download it again."
            )
        self.total, self._etag = total, etag
        # A server that does not know ranges sends everything again.
        self._skip = self.received - start
        return True

    def _differs(self, total: int | None, etag: str | None) -> bool:
        if self.total is not None and total is not None and total != self.total:
            return True
        if total is not None and self.received > total:
            return True
        return self._etag is not None and etag is not None and etag != self._etag

    def take(self, chunk: bytes) -> None:
        """Write the next bytes of the body."""
        rest = memoryview(chunk)[self._skip :]
        self._skip -= len(chunk) - len(rest)
        if self.total is not None and self.received + len(rest) > self.total:
            raise DownloadError("The service sent more than it had announced.")
        while rest:
            try:
                written = self._write(bytes(rest))
            except OSError as error:
                raise not_written(error, self.received) from error
            # A raw file may take a part only; some writers do not tell.
            count = len(rest) if written is None else written
            if count <= 0:
                raise not_written(OSError("it takes nothing"), self.received)
            self.received += count
            rest = rest[count:]
        self.complete = self.received == self.total

    def end(self) -> None:
        """The body has ended as HTTP says; where no length was told, that is all there is."""
        self.complete = self.total in (None, self.received)


def _extent(status: int, headers: Mapping[str, str]) -> tuple[int, int | None]:
    """Where the body begins, and how long the whole file is."""
    if status == 206:
        match = _CONTENT_RANGE.fullmatch(headers.get("content-range", ""))
        return (int(match[1]), int(match[2])) if match else (-1, None)
    length = headers.get("content-length", "")
    return 0, int(length) if re.fullmatch(r"\d{1,18}", length) else None


def download(
    settings: Settings, record: GenerationRecord, target: Target, *, index: int, timeout: float
) -> Flow[int]:
    """Fetch a finished file; gives its length in bytes.

    The key is not sent with it. A broken line is taken up where it broke, and an address that has
    expired is read anew.
    """
    deadline = settings.system.monotonic() + timeout
    url = _url_of(record, index)
    sink = open_sink(target, f"{record.id}-{index}")
    transfer = Transfer(sink.write, sink.received)
    try:
        yield from _fetch_all(settings, record, index, url, transfer, deadline)
        try:
            sink.finish()
        except OSError as error:
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
        if isinstance(outcome, Answer) and outcome.status in _GONE and new_urls < _MOST_NEW_URLS:
            # The address has expired, or the files are gone: the record tells.
            new_urls += 1
            request = get_request(record.id)
            record, _ = yield from call(settings, request, deadline, GenerationRecord)
            url = _url_of(record, index)
            continue
        if isinstance(outcome, Answer) and outcome.status in (200, 206):
            outcome = NoAnswer(reason="the answer ended too soon")
        seconds = retries.wait(outcome, system.monotonic())
        if seconds is None:
            raise _not_fetched(outcome, transfer)
        yield Pause(seconds)


def _url_of(record: GenerationRecord, index: int) -> str:
    """The address of a file.

    Raises:
        UsageError: When the generation has no such file.
        FilesDeletedError: When it had.
    """
    if record.status != "completed" or record.output is None:
        raise UsageError(
            f"{record.id} is {record.status} and has no file to download: wait for its end first."
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
        raise UsageError(f"{record.id} has {len(urls)} files, with the index 0 first.")
    return urls[index]


def _not_fetched(outcome: Outcome, transfer: Transfer) -> DownloadError:
    reason = f"status {outcome.status}" if isinstance(outcome, Answer) else outcome.reason
    error = DownloadError(
        f"The file could not be fetched ({reason}); {transfer.received} of"
        f" {transfer.total or 'unknown'} bytes are here. It is still at the service: download it"
        " again later."
    )
    error.status = outcome.status if isinstance(outcome, Answer) else None
    return error
