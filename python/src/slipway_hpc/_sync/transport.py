# Made by `npm run describe` from _async/transport.py. Do not edit.
"""Sends requests: retries, limits, tokens, keys."""

from __future__ import annotations

import contextlib
import json
import os
import time
import uuid
from collections.abc import Iterator, Callable, Mapping
from dataclasses import dataclass, field
from multiprocessing.reduction import ForkingPickler
from typing import Any, TypeVar
from urllib.parse import urljoin

import httpx

from .._errors import ServiceUnreachable
from .._paths import read_next, write_path
from .._problem import SlipwayProblem
from .._profile import is_safe_address
from .._retry import choose_pause, may_repeat, pause, read_problem
from .._settings import Settings
from .._tokens import Token, ask_token
from .access import TokenFromHere
from .paged import Paged, Page

Item = TypeVar("Item")

_MOST_REDIRECTS = 3


@dataclass(frozen=True, kw_only=True)
class Sending:
    """A request."""

    method: str
    #: With its query.
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    #: Whether it may be sent again if no answer came. By default true for all methods but POST.
    repeatable: bool | None = None

    @property
    def may_repeat(self) -> bool:
        return self.method != "POST" if self.repeatable is None else self.repeatable


@dataclass(frozen=True)
class Answer:
    """A whole answer. One that was cut off counts as none."""

    status: int
    headers: httpx.Headers
    text: str

    def parse(self) -> Any:
        """Parses the answer. Text that is not JSON comes from something in between."""
        try:
            return json.loads(self.text)
        except ValueError as error:
            raise ServiceUnreachable("The answer is not JSON.") from error


class Transport:
    """Sends requests to one service."""

    def __init__(
        self,
        url: str,
        token: Token | None,
        settings: Settings,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.url = url.rstrip("/")
        self.settings = settings
        self.requests = 0
        self._token = token
        self._given = transport
        self._connect()
        #: Pauses between two tries. Tests replace it.
        self.pause: Callable[[float], None] = pause

    def _connect(self) -> None:
        self._http = httpx.Client(
            timeout=httpx.Timeout(self.settings.timeout),
            # Only files have other addresses, and these never get the token.
            follow_redirects=False,
            transport=self._given,
        )
        self._process = os.getpid()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the address. A token that is a text stays here, because pickles get around."""
        token = TokenFromHere(self.url) if isinstance(self._token, str) else self._token
        return Transport, (self.url, token, self.settings, self._given)

    def __deepcopy__(self, _: object) -> Transport:
        """Copies of jobs share the connection."""
        return self

    def close(self) -> None:
        self._http.close()

    def call(
        self,
        method: str,
        path: str,
        named: Mapping[str, object],
        read: Callable[[object], Item],
        *,
        body: Mapping[str, Any] | None = None,
    ) -> Item:
        """Calls an operation and reads its answer."""
        return read(self._ask(method, write_path(path, named), body))

    def call_list(
        self,
        method: str,
        path: str,
        named: Mapping[str, object],
        read: Callable[[object], Item],
        *,
        body: Mapping[str, Any] | None = None,
    ) -> list[Item]:
        """Calls an operation whose answer is a list."""
        answer = self._ask(method, write_path(path, named), body)
        return [read(each) for each in require_list(answer)]

    def list_pages(
        self, path: str, named: Mapping[str, object], read: Callable[[object], Item]
    ) -> Paged[Item]:
        """Returns a list whose pages are fetched as they are needed."""

        def read_page(page: str) -> Page[Item]:
            answer = self.send(Sending(method="GET", path=page))
            items = [read(each) for each in require_list(answer.parse())]
            return Page(items, read_next(answer.headers.get("link")))

        return Paged(write_path(path, named), read_page, self.settings.max_pages)

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None) -> Any:
        headers: dict[str, str] = {}
        content: bytes | None = None
        repeatable = method != "POST"
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = json.dumps(body).encode()
            # A grant that adds would add twice. All other changes can be repeated.
            repeatable = repeatable and "add" not in body
        elif method == "POST":
            # The service recognizes the key, so the request can be sent again.
            headers["Idempotency-Key"] = str(uuid.uuid4())
            repeatable = True
        answer = self.send(
            Sending(method=method, path=path, headers=headers, body=content, repeatable=repeatable)
        )
        return answer.parse()

    def send(self, sending: Sending) -> Answer:
        """
        Sends a request, and retries while the service is busy or away, no sooner than it says.

        A request that must not happen twice is retried only if nothing has happened.
        """
        with self._insist(sending, whole=True) as response:
            text: str = response.extensions["slipway_text"]
            return Answer(response.status_code, response.headers, text)

    def poll(self, path: str, etag: str | None) -> tuple[Any, str | None]:
        """Gets an answer, or None if it is unchanged since the last one (ETag)."""
        headers = {"If-None-Match": etag} if etag is not None else {}
        answer = self.send(Sending(method="GET", path=path, headers=headers))
        if answer.status == 304:
            return None, etag
        value = answer.parse()
        if value is None:
            raise ServiceUnreachable("The answer is empty.")
        return value, answer.headers.get("etag")

    @contextlib.contextmanager
    def stream(self, path: str, start: int = 0) -> Iterator[httpx.Response]:
        """
        Gets a file and streams it. A large one is at another address, without the token.

        With ``start``, asks for the rest of it from this byte on.
        """
        headers = {"Accept": "*/*"}
        if start > 0:
            headers["Range"] = f"bytes={start}-"
        sending = Sending(method="GET", path=path, headers=headers)
        with self._insist(sending, whole=False) as response:
            yield response

    @contextlib.contextmanager
    def _insist(self, sending: Sending, *, whole: bool) -> Iterator[httpx.Response]:
        refused: str | None = None
        count = 0
        while True:
            token = self._find_token(refused)
            failure: Exception
            retry_after: float | None = None
            try:
                response = self._send_once(sending, token, whole=whole)
                break
            except SlipwayProblem as problem:
                if problem.status == 401 and refused is None and callable(self._token):
                    refused = token or ""
                    continue
                failure = problem
                passing = may_repeat(problem, sending.may_repeat)
                retry_after = problem.retry_after
            except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, _Bounded) as error:
                failure = ServiceUnreachable(
                    f"{self.url} did not answer {sending.method} {sending.path}: "
                    f"{str(error) or type(error).__name__}"
                )
                failure.__cause__ = error
                passing = sending.may_repeat
            seconds = choose_pause(count, retry_after)
            if count >= self.settings.retries or not passing or seconds is None:
                raise failure
            self.pause(seconds)
            count += 1
        try:
            yield response
        except (httpx.HTTPError, httpx.StreamError) as error:
            raise CutOff(f"The answer to {sending.method} {sending.path} was cut off.") from error
        finally:
            response.close()

    def _send_once(
        self, sending: Sending, token: str | None, *, whole: bool
    ) -> httpx.Response:
        deadline = time.monotonic() + self.settings.time_for(len(sending.body or b""))
        if self._process != os.getpid():
            # The connections that a fork has inherited belong to the process that opened them.
            self._connect()
        headers = {"Accept": "application/json", **sending.headers}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        request = self._http.build_request(
            sending.method, f"{self.url}{sending.path}", headers=headers, content=sending.body
        )
        self.requests += 1
        response = self._http.send(request, stream=True)
        if not whole:
            response = self._follow(response, sending.headers)
        try:
            if response.is_success and not whole:
                return response
            text = self._read_text(response, deadline)
        except BaseException:
            response.close()
            raise
        if response.is_success or response.status_code == 304:
            response.extensions["slipway_text"] = text
            return response
        response.close()
        if response.is_redirect:
            raise _Bounded("It redirects, which only files may do")
        raise read_problem(response.status_code, text, response.headers.get("retry-after"))

    def _follow(self, response: httpx.Response, headers: Mapping[str, str]) -> httpx.Response:
        """Follows the redirects of a file, without the token."""
        for _ in range(_MOST_REDIRECTS):
            if not response.is_redirect:
                return response
            target = urljoin(str(response.url), response.headers.get("location", ""))
            response.close()
            if not is_safe_address(target):
                raise _Bounded("The file is at an address that is not encrypted")
            request = self._http.build_request("GET", target, headers=headers)
            self.requests += 1
            response = self._http.send(request, stream=True)
        return response

    def _read_text(self, response: httpx.Response, deadline: float) -> str:
        """Reads a whole answer, and refuses one that is too large or too slow."""
        most = self.settings.max_answer_bytes
        pieces = bytearray()
        for piece in response.iter_bytes():
            pieces += piece
            if len(pieces) > most:
                raise _Bounded(f"Its answer has more than {most} bytes")
            if time.monotonic() > deadline:
                raise _Bounded("It timed out")
        return pieces.decode("utf-8", "replace")

    def _find_token(self, refused: str | None) -> str | None:
        return None if self._token is None else ask_token(self._token, refused)


def _reduce_for_process(transport: Transport) -> tuple[Any, ...]:
    """Pickles a client for a process of this program, which may have its token."""
    rest = (transport._token, transport.settings, transport._given)
    return Transport, (transport.url, *rest)


ForkingPickler.register(Transport, _reduce_for_process)


class CutOff(ServiceUnreachable):
    """A file did not arrive as a whole."""


class _Bounded(Exception):
    """An answer exceeds a limit."""


def require_list(value: object) -> list[Any]:
    """Requires an answer to be a list."""
    if isinstance(value, list):
        return value
    raise ServiceUnreachable("The answer is not a list.")
