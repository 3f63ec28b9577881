"""Receives the bytes of a file over any number of responses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ._exchange import USER_AGENT
from ._sink import not_written
from .errors import DownloadError, FramegateError

_CONTENT_RANGE = re.compile(r"bytes (\d{1,18})-\d{1,18}/(\d{1,18})")


class Transfer:
    """Collects the bytes of responses across interruptions, and knows when the file is complete."""

    def __init__(
        self, write: Callable[[bytes], int | None], received: int = 0, *, kind: str
    ) -> None:
        self._write, self._kind = write, kind
        self.instead: str | None = None
        """Media type of a response instead of the file, such as text/html."""
        self.received = received
        """Bytes written."""
        self.total: int | None = None
        """Bytes of the whole file, once a response has stated them."""
        self.complete = False
        self._etag: str | None = None
        self._skip = 0

    def headers(self) -> dict[str, str]:
        """The headers that request the missing rest."""
        headers = {"Accept-Encoding": "identity", "User-Agent": USER_AGENT}
        if self.received > 0:
            headers["Range"] = f"bytes={self.received}-"
            if self._etag is not None:
                headers["If-Range"] = self._etag
        return headers

    def begin(self, status: int, headers: Mapping[str, str]) -> bool:
        """Read the head of a response.

        Returns:
            Whether its body belongs to the file.
        """
        self.instead = None
        if status == 416 and headers.get("content-range") == f"bytes */{self.received}":
            self.complete = True
        if status not in (200, 206):
            return False
        media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        if not media_type.startswith(f"{self._kind}/"):
            self.instead = media_type or "something without a type"
            return False
        if headers.get("content-encoding", "identity") != "identity":
            self.instead = "a changed file"
            return False
        start, total = _extent(status, headers)
        etag = headers.get("etag")
        if status == 206 and start != self.received:
            raise DownloadError(
                "The service answered with another part of the file than asked for."
            )
        if self._differs(total, etag):
            raise DownloadError(
                "The file at the service differs from the downloaded part: delete the part"
                " and download it again."
            )
        self.total, self._etag = total, etag
        # A server without range support sends everything again.
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
            except FramegateError:
                raise
            except Exception as error:
                raise not_written(error, self.received) from error
            # A raw file may accept only a part; some writers do not report how much.
            count = len(rest) if written is None else written
            if count <= 0:
                raise not_written(OSError("it takes nothing"), self.received)
            self.received += count
            rest = rest[count:]
        self.complete = self.received == self.total

    def end(self) -> None:
        """The body has ended according to HTTP; without a stated length the file is complete."""
        self.complete = self.total in (None, self.received)


def _extent(status: int, headers: Mapping[str, str]) -> tuple[int, int | None]:
    """The start of the body in the file, and the length of the whole file."""
    if status == 206:
        match = _CONTENT_RANGE.fullmatch(headers.get("content-range", ""))
        return (int(match[1]), int(match[2])) if match else (-1, None)
    length = headers.get("content-length", "")
    return 0, int(length) if re.fullmatch(r"\d{1,18}", length) else None
