"""The target of a file."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import inspect
import io
import os
import re
from os import PathLike
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISREG
from typing import IO, TypeAlias, cast

from .errors import DownloadError, UsageError

Target: TypeAlias = str | PathLike[str] | IO[bytes]
"""A path, or a file open for writing bytes."""

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

_DESCRIPTOR = re.compile(r"/(dev|proc/.+)/fd/\d+")
"""A file that is open already, such as the standard output."""

_LONG_NAME = 100
"""Bytes of a name that leave room for the rest of a part's name in every file system."""


def not_written(error: Exception, received: int) -> DownloadError:
    """The error for a full disk, a missing folder, and similar problems."""
    code = error.errno if isinstance(error, OSError) else None
    remedy = "Make room" if code in _FULL else "Choose another place"
    problem = DownloadError(
        f"The file could not be written: {getattr(error, 'strerror', None) or error}. After"
        f" {received} bytes. {remedy}, and download it again, which costs nothing."
    )
    problem.received = received
    problem.code = "disk_full" if code in _FULL else "not_written"
    return problem


class PathSink:
    """Writes next to the path under a name specific to the file; moves it once complete."""

    def __init__(self, path: Path, mode: int, name: str) -> None:
        own = os.fsencode(path.name)
        start = hashlib.sha256(own).hexdigest()[:32] if len(own) > _LONG_NAME else path.name
        self._path, self.part = path, path.with_name(f"{start}.{name}.part")
        # A link in its place would lead elsewhere. Not for appending, so that two writers write
        # the same bytes to the same places.
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        self._file = open(os.open(self.part, flags, mode), "r+b", buffering=0)  # noqa: PTH123, SIM115
        self.received = self._file.seek(0, io.SEEK_END)

    def write(self, chunk: bytes) -> int | None:
        """Write the next bytes."""
        return self._file.write(chunk)

    def finish(self) -> None:
        """Move the complete file to its place."""
        self._file.close()
        self.part.replace(self._path)

    def close(self) -> None:
        """Keep the received bytes for the next call; an empty part is useless."""
        if self._file.closed:
            return
        with contextlib.suppress(OSError):
            self._file.close()
            if self.part.stat().st_size == 0:
                self.part.unlink()


class DirectSink:
    """Writes into a device, a pipe or a file that is open already, which stays in its place."""

    received = 0

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    def write(self, chunk: bytes) -> int | None:
        """Write the next bytes."""
        if self._file is None:
            # Opening a pipe waits for its reader, so it is opened only with the first bytes.
            self._file = self._path.open("ab", buffering=0)
        return self._file.write(chunk)

    def finish(self) -> None:
        """Some devices report only now."""
        if self._file is not None:
            self._file.close()

    def close(self) -> None:
        """Leave it to its owner."""
        with contextlib.suppress(OSError):
            self.finish()


class FileSink:
    """Writes to a file opened by the caller, from its current position."""

    received = 0

    def __init__(self, file: IO[bytes]) -> None:
        write = getattr(file, "write", None)
        if isinstance(cast("object", file), io.TextIOBase) or not callable(write):
            raise UsageError("Pass a path, or a file that is open for writing in binary mode.")
        if inspect.iscoroutinefunction(write):
            raise UsageError(
                "Asynchronous files are not supported: pass a path, or a file that open() opened"
                " for writing in binary mode. Neither blocks the event loop."
            )
        if getattr(file, "closed", False):
            raise UsageError("The file is closed: pass a path, or an open file.")
        is_writable = getattr(file, "writable", None)
        if callable(is_writable) and not is_writable():
            raise UsageError("The file is not open for writing: open it with the mode 'wb'.")
        self._file = file

    def write(self, chunk: bytes) -> int | None:
        """Write the next bytes."""
        try:
            return self._file.write(chunk)
        except TypeError as error:
            raise UsageError(
                f"The file does not accept bytes ({error}): open it in binary mode."
            ) from error

    def finish(self) -> None:
        """A full disk may surface only now."""
        self._file.flush()

    def close(self) -> None:
        """The file stays open: it belongs to the caller."""


def open_sink(target: Target, name: str) -> PathSink | DirectSink | FileSink:
    """Open the caller's target; `name` identifies the file.

    Raises:
        UsageError: If bytes cannot be written to it.
        DownloadError: If the path cannot be written.
    """
    if not isinstance(target, str | PathLike):
        return FileSink(target)
    try:
        return _sink_at(os.fspath(target), name)
    except OSError as error:
        raise not_written(error, 0) from error


def _sink_at(target: str, name: str) -> PathSink | DirectSink:
    """Follow links to the place itself, so that no link is replaced by a file."""
    if "\0" in target:
        raise UsageError("A path must not contain a null character.")
    path = Path(target)
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = None
    if target == "" or target[-1] in (os.sep, os.altsep) or (mode is not None and S_ISDIR(mode)):
        raise UsageError(f"{target!r} is a folder: include the file name.")
    if _DESCRIPTOR.fullmatch(target) or (mode is not None and not S_ISREG(mode)):
        return DirectSink(path)
    if path.is_symlink():
        return _sink_at(str(path.parent / path.readlink()), name)
    if mode is not None and not mode & 0o222:
        raise PermissionError(errno.EACCES, f"{path} is write-protected")
    # A file that only its owner may read stays such a file.
    return PathSink(path, 0o666 if mode is None else S_IMODE(mode), name)
