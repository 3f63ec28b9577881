"""A real server on this machine that does what a test says, and passes the rest on to a gateway."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A request that arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a request gets."""

    status: int = 200
    json: object = None
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """A content-type, content-length or date here takes the place of the usual one."""
    forwarded: bool = False
    """Lets the gateway do its work first, so that only its response is lost."""
    cut: bool = False
    """Closes the line after `body`; with status 0 before anything is sent."""
    silent: threading.Event | None = None
    """Nothing is sent until this is set."""
    sent: threading.Event | None = None
    """Set once the gateway has done its work."""


CUT = Reply(status=0, cut=True)


class Server:
    """Responses with what was planned, in order; the last reply stays."""

    def __init__(self, target: str | None) -> None:
        self._target = target
        self._planned: list[tuple[str, Reply]] = []
        self.seen: list[Seen] = []
        self.origin = ""

    @property
    def url(self) -> str:
        """What a client takes as its base URL."""
        return f"{self.origin}/v1"

    def plan(self, *replies: Reply, method: str = "") -> None:
        """Add replies, to requests of a method or to all."""
        self._planned += [(method, reply) for reply in replies]

    def forget(self) -> None:
        """What was planned and what was seen."""
        self._planned.clear()
        self.seen.clear()

    def posts(self) -> list[Seen]:
        """The create requests that arrived."""
        return [each for each in self.seen if each.method == "POST"]

    def take(self, seen: Seen) -> Reply:
        """What a request gets, from the plan or from the gateway."""
        self.seen.append(seen)
        fitting = [each for each in self._planned if each[0] in ("", seen.method)]
        if self._target is None:
            if len(fitting) > 1:
                self._planned.remove(fitting[0])
            return fitting[0][1]
        reply = fitting[0][1] if fitting else None
        if fitting:
            self._planned.remove(fitting[0])
        if reply is not None and not reply.forwarded:
            return reply
        forwarded = self._forward(seen)
        if reply is not None and reply.sent is not None:
            reply.sent.set()
        return forwarded if reply is None else reply

    def _forward(self, seen: Seen) -> Reply:
        own = {"host", "connection", "accept-encoding"}
        headers = {name: text for name, text in seen.headers.items() if name not in own}
        response = httpx.request(
            seen.method, f"{self._target}{seen.path}", headers=headers, content=seen.body
        )
        dropped = {"connection", "keep-alive", "transfer-encoding", "date", "content-encoding"}
        kept = {name: text for name, text in response.headers.items() if name not in dropped}
        kept["content-length"] = str(len(response.content))
        return Reply(status=response.status_code, body=response.content, headers=kept)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: Server

    def do_GET(self) -> None:
        length = int(self.headers.get("content-length", 0))
        reply = self.owner.take(
            Seen(
                method=self.command,
                path=self.path,
                headers={name.lower(): text for name, text in self.headers.items()},
                body=self.rfile.read(length),
            )
        )
        if reply.silent is not None:
            reply.silent.wait(30)
        if reply.status:
            self._response(reply)
        self.close_connection = self.close_connection or reply.cut

    do_POST = do_GET

    def _response(self, reply: Reply) -> None:
        body = reply.body if reply.json is None else json.dumps(reply.json).encode()
        headers = {
            "content-type": "text/html" if reply.json is None else "application/json",
            "content-length": str(len(body)),
            **reply.headers,
        }
        # With its own date unless the reply has one.
        send = self.send_response_only if "date" in headers else self.send_response
        send(reply.status)
        for name, text in headers.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the tests' output free."""


class _QuietServer(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is none."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


@contextmanager
def serving(target: str | None = None) -> Generator[Server, None, None]:
    """A server on 127.0.0.1; with a target, a line to that gateway."""
    owner = Server(target)
    handler = type("Handler", (_Handler,), {"owner": owner})
    with _QuietServer(("127.0.0.1", 0), handler) as server:
        owner.origin = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield owner
        finally:
            server.shutdown()
            thread.join()
