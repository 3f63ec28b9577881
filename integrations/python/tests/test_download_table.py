"""What a download can be told to write to: the table that all clients hold."""

from __future__ import annotations

import contextlib
import io
import json
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

import framegate

from .conftest import Connect
from .downloads import FILE, finished, whole
from .server import Server

_TABLE = Path(__file__).parents[3] / "test/clients/downloadTargets.json"
_TARGETS: dict[str, list[dict[str, Any]]] = (
    json.loads(_TABLE.read_text()) if _TABLE.exists() else {"paths": [], "objects": []}
)


def _make(path: Path, kind: str) -> None:
    """Make an entry of a folder as the table describes it."""
    what, _, rest = kind.partition(" ")
    if what == "folder":
        path.mkdir()
    elif what == "link":
        path.symlink_to(rest.removeprefix("to "))
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "device":
        try:
            os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, int(rest)))
        except PermissionError:
            # Only root makes devices.
            path.symlink_to({"3": "/dev/null", "7": "/dev/full"}[rest])
    else:
        path.write_text("old")
        path.chmod({"private": 0o600, "protected": 0o444}.get(what, 0o644))


def _kind_of(path: Path, asked: str) -> str:
    """An entry of a folder, in the words of the table."""
    status = path.lstat()
    if stat.S_ISDIR(status.st_mode):
        return "folder"
    if stat.S_ISFIFO(status.st_mode):
        return "pipe"
    if stat.S_ISCHR(status.st_mode):
        return f"device {os.minor(status.st_rdev)}"
    if path.is_symlink():
        return asked if asked.startswith("device") else f"link to {path.readlink()}"
    if path.read_bytes() != FILE:
        return "old" if status.st_mode & 0o222 else "protected"
    return "whole" if status.st_mode & 0o077 else "whole, private"


def _end_of(download: Callable[[], Any]) -> str | None:
    """How a download ends, in the words of the table."""
    try:
        download()
    except framegate.UsageError:
        return "usage"
    except framegate.DownloadError as error:
        return error.code
    return "written"


@pytest.mark.parametrize("row", _TARGETS["paths"], ids=lambda row: row["case"])
def test_a_path(connect: Connect, server: Server, tmp_path: Path, row: dict[str, Any]) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    before = row.get("before", {})
    for name, kind in before.items():
        _make(folder / name, kind)
    either, video = finished(connect, server)
    server.plan(whole())
    target = f"{folder}/{row['target']}" if row["target"] else ""
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(Path(target).read_bytes()))
    if "pipe" in before.values():
        reader.start()
    assert _end_of(lambda: either(lambda _: video.download(target))) == row["end"]
    if "pipe" in before.values():
        reader.join()
        assert read == [FILE]
    # An impossible target is refused before a byte is fetched.
    assert len(server.seen) == (0 if row["end"] in ("usage", "not_written") else 1)
    after: dict[str, str] = row["after"]
    found = {each.name: _kind_of(each, after.get(each.name, "")) for each in folder.iterdir()}
    assert found == after


class _Failing(io.RawIOBase):
    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        raise RuntimeError("no")


class _Foreign:
    """A file of another library."""

    async def write(self, data: bytes) -> int:
        return len(data)


OBJECTS: dict[str, Callable[[Path, contextlib.ExitStack], Any]] = {
    "nothing": lambda _path, _stack: None,
    "a number": lambda _path, _stack: 5,
    "bytes in place of a path": lambda path, _stack: os.fsencode(path),
    "a file open for reading": lambda _path, stack: stack.enter_context(
        _open(Path(__file__), "rb")
    ),
    "a closed file": lambda path, _stack: _closed(path),
    "an asynchronous file": lambda _path, _stack: _Foreign(),
    "a writer that fails": lambda _path, _stack: _Failing(),
    "a full disk": lambda _path, stack: stack.enter_context(_open(Path("/dev/full"), "wb")),
}


def _open(path: Path, mode: str) -> Any:
    return path.open(mode, buffering=0)


def _closed(path: Path) -> Any:
    with path.open("wb") as file:
        return file


@pytest.mark.parametrize("row", _TARGETS["objects"], ids=lambda row: row["case"])
def test_an_object(connect: Connect, server: Server, tmp_path: Path, row: dict[str, Any]) -> None:
    either, video = finished(connect, server)
    server.plan(whole())
    with contextlib.ExitStack() as stack:
        target = OBJECTS[row["case"]](tmp_path / "out.mp4", stack)
        assert _end_of(lambda: either(lambda _: video.download(target))) == row["end"]
    assert len(server.seen) == (0 if row["end"] == "usage" else 1)


def test_asynchronous_files_of_anyio_and_texts_are_told_as_misuse(
    connect: Connect, server: Server, tmp_path: Path
) -> None:
    either, video = finished(connect, server)
    server.plan(whole())
    with (tmp_path / "out.mp4").open("wb") as file:
        with pytest.raises(framegate.UsageError, match="Asynchronous files"):
            either(lambda _: video.download(anyio.wrap_file(file)))
        assert _end_of(lambda: either(lambda _: video.download(anyio.Path(tmp_path / "a.mp4"))))
    with (tmp_path / "text").open("w") as text, pytest.raises(framegate.UsageError, match="binary"):
        either(lambda _: video.download(text))


def test_the_standard_output_is_appended_to(
    connect: Connect, server: Server, tmp_path: Path
) -> None:
    either, video = finished(connect, server)
    server.plan(whole())
    log = tmp_path / "log"
    log.write_text("old")
    with log.open("ab") as file:
        either(lambda _: video.download(f"/proc/self/fd/{file.fileno()}"))
    assert log.read_bytes() == b"old" + FILE


def test_a_part_that_is_a_link_of_somebody_else_is_not_written(
    connect: Connect, server: Server, tmp_path: Path
) -> None:
    either, video = finished(connect, server)
    (tmp_path / "theirs").write_text("old")
    part = tmp_path / f"out.mp4.{video.id}-0.part"
    part.symlink_to(tmp_path / "theirs")
    assert _end_of(lambda: either(lambda _: video.download(tmp_path / "out.mp4"))) == "not_written"
    assert (tmp_path / "theirs").read_text() == "old"
