"""The target of a file."""

from __future__ import annotations

import contextlib
import errno
import io
from os import PathLike
from pathlib import Path
from typing import IO, TypeAlias, cast

from .errors import DownloadError, UsageError

Target: TypeAlias = str | PathLike[str] | IO[bytes]
"""A path, or a file open for writing bytes."""

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def not_written(error: OSError, received: int) -> DownloadError:
    """The error for a full disk, a missing folder, and similar problems."""
    problem = DownloadError(
        f"The file could not be written: {error.strerror or error}. After {received} bytes; make"
        " room, or choose another place, and download it again: it resumes there."
    )
    problem.received = received
    problem.code = "disk_full" if error.errno in _FULL else "not_written"
    return problem


class PathSink:
    """Writes beside the path under a name specific to the file; moves it once complete."""

    def __init__(self, path: Path, name: str) -> None:
        if path.is_dir():
            raise UsageError(f"{path} is a folder: give the name of the file as well.")
        self._path = path
        self.part = path.with_name(f"{path.name}.{name}.part")
        try:
            self.part.touch()
            # Not for appending, so that two writers write the same bytes to the same places.
            self._file = self.part.open("r+b", buffering=0)
            self.received = self._file.seek(0, io.SEEK_END)
        except OSError as error:
            raise not_written(error, 0) from error

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


class FileSink:
    """Writes to a file opened by the caller, from its current position."""

    received = 0

    def __init__(self, file: IO[bytes]) -> None:
        if isinstance(cast("object", file), io.TextIOBase) or not hasattr(file, "write"):
            raise UsageError("Give a path, or a file that is open for writing in binary.")
        self._file = file

    def write(self, chunk: bytes) -> int | None:
        """Write the next bytes."""
        return self._file.write(chunk)

    def finish(self) -> None:
        """A full disk may surface only now."""
        self._file.flush()

    def close(self) -> None:
        """The file stays open: it belongs to the caller."""


def open_sink(target: Target, name: str) -> PathSink | FileSink:
    """Open the caller's target; `name` identifies the file.

    Raises:
        UsageError: If bytes cannot be written to it.
        DownloadError: If the path cannot be written.
    """
    if isinstance(target, str | PathLike):
        return PathSink(Path(target), name)
    return FileSink(target)
