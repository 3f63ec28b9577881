"""A file on a server, whole and in parts, and a generation that has it."""

from __future__ import annotations

from typing import Any

from . import samples
from .conftest import Connect, Either
from .server import Reply, Server

FILE = bytes(range(256)) * 400
SIZE = len(FILE)
VIDEO = {"content-type": "video/mp4", "etag": '"one"'}
HALF = SIZE // 2


def whole(**more: str) -> Reply:
    return Reply(body=FILE, headers={**VIDEO, **more})


def cut_after(count: int, start: int = 0) -> Reply:
    """A response that announces all from `start` on and stops after so many bytes."""
    headers = {**VIDEO, "content-length": str(SIZE - start)}
    if start:
        headers["content-range"] = f"bytes {start}-{SIZE - 1}/{SIZE}"
    status = 206 if start else 200
    return Reply(status=status, body=FILE[start : start + count], headers=headers, cut=True)


def rest_from(start: int, **more: str) -> Reply:
    headers = {**VIDEO, "content-range": f"bytes {start}-{SIZE - 1}/{SIZE}", **more}
    return Reply(status=206, body=FILE[start:], headers=headers)


def finished(connect: Connect, server: Server, **settings: Any) -> tuple[Either, Any]:
    """A client, and a generation whose files are on the server."""
    server.plan(Reply(json=samples.completed(f"{server.origin}/0.mp4", f"{server.origin}/1.mp4")))
    either = connect(server.url, **settings)
    generation = either(lambda c: c.generations.get(samples.GENERATION_ID))
    server.forget()
    return either, generation
