"""Tokens, limits and redirects."""

from __future__ import annotations

import http.server
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.utils import formatdate
from pathlib import Path

import httpx
import pytest
from conftest import Script, refuse

from slipway_hpc import FileTooLarge, ServiceUnreachable, Slipway, problems

EMPTY = httpx.Response(200, json=[])


def test_retry_after_may_be_a_date() -> None:
    date = formatdate(time.time() + 100, usegmt=True)
    script = Script(refuse(429, "too-fast", {"retry-after": date}), EMPTY)
    script.client.systems()
    assert 90 < script.pauses[0] <= 101


def test_a_token_is_renewed_once_after_a_refusal() -> None:
    refused: list[str | None] = []

    def token(old: str | None) -> str:
        refused.append(old)
        return "old" if old is None else "new"

    script = Script(
        refuse(503, "busy"),
        refuse(401, "invalid-token"),
        EMPTY,
        token=token,
    )
    script.client.systems()
    assert refused == [None, None, "old"]
    sent = [request.headers["authorization"] for request in script.asked]
    assert sent == ["Bearer old", "Bearer old", "Bearer new"]


def test_a_token_that_is_refused_again_is_an_error() -> None:
    script = Script(refuse(401, "invalid-token"), token=lambda: "a")
    with pytest.raises(problems.InvalidToken):
        script.client.systems()
    assert len(script.asked) == 2


def test_a_token_that_is_text_is_not_renewed() -> None:
    script = Script(refuse(401, "invalid-token"))
    with pytest.raises(problems.InvalidToken):
        script.client.systems()
    assert len(script.asked) == 1


def test_an_answer_of_something_else_is_refused() -> None:
    script = Script(httpx.Response(200, json={"mood": "good"}))
    with pytest.raises(ServiceUnreachable, match="has no 'status'"):
        script.client.status()


def test_an_older_service_may_lack_fields() -> None:
    script = Script(httpx.Response(200, json={"status": "up"}))
    assert script.client.status().status == "up"


def test_fields_that_are_new_are_kept() -> None:
    script = Script(httpx.Response(200, json={"status": "up", "mood": "good"}))
    assert script.client.status().to_dict()["mood"] == "good"


@contextmanager
def serve(answer: Callable[[http.server.BaseHTTPRequestHandler], None]) -> Iterator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            answer(self)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def test_a_silent_service_times_out() -> None:
    release = threading.Event()

    def wait(_: http.server.BaseHTTPRequestHandler) -> None:
        release.wait(20)

    with serve(wait) as url:
        began = time.monotonic()
        with pytest.raises(ServiceUnreachable):
            Slipway(url, "a", timeout=0.3, retries=0).status()
        assert time.monotonic() - began < 10
        release.set()


def test_a_slow_answer_times_out() -> None:
    def trickle(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000000")
        handler.end_headers()
        try:
            for _ in range(200):
                handler.wfile.write(b" ")
                handler.wfile.flush()
                time.sleep(0.1)
        except OSError:
            pass

    with serve(trickle) as url:
        began = time.monotonic()
        with pytest.raises(ServiceUnreachable, match="timed out"):
            Slipway(url, "a", timeout=0.5, retries=0).status()
        assert time.monotonic() - began < 10


@pytest.mark.parametrize("status", [200, 400])
def test_an_endless_answer_is_read_up_to_a_limit(status: int) -> None:
    def flood(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Length", "1000000000")
        handler.end_headers()
        try:
            while True:
                handler.wfile.write(b" " * 100_000)
        except OSError:
            pass

    with serve(flood) as url:
        client = Slipway(url, "a", max_answer_bytes=1_000_000, retries=0)
        with pytest.raises(ServiceUnreachable, match="more than 1000000 bytes"):
            client.status()


JOB_FILES = [{"fileid": "a", "filename": "a", "length": 3}]


def test_a_redirected_file_is_followed_without_the_token() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.host == "storage.test":
            return httpx.Response(200, content=b"abc")
        if request.url.path.endswith("/a/"):
            return httpx.Response(302, headers={"location": "https://storage.test/x"})
        if request.url.path.startswith("/files/"):
            return httpx.Response(200, json=JOB_FILES)
        return httpx.Response(200, json=[_job()])

    script = Script(answer)
    assert script.client.job("A").read("a") == b"abc"
    assert "authorization" not in script.asked[-1].headers
    assert script.asked[-1].url.host == "storage.test"


def test_a_file_at_an_unencrypted_address_is_refused() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/a/"):
            return httpx.Response(302, headers={"location": "http://storage.test/x"})
        if request.url.path.startswith("/files/"):
            return httpx.Response(200, json=JOB_FILES)
        return httpx.Response(200, json=[_job()])

    with pytest.raises(ServiceUnreachable, match="not encrypted"):
        Script(answer).client.job("A").read("a")


class Broken(httpx.SyncByteStream):
    """The beginning of a file, whose rest does not arrive."""

    def __iter__(self) -> Iterator[bytes]:
        yield b"a\nb"
        raise httpx.ReadError("reset")


def answer_with_broken_files(times: int) -> Callable[[httpx.Request], httpx.Response]:
    broken = iter([True] * times)

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/a/"):
            if next(broken, False):
                return httpx.Response(200, stream=Broken())
            return httpx.Response(200, content=b"a\nbc\n")
        if request.url.path.startswith("/files/"):
            return httpx.Response(200, json=[{**JOB_FILES[0], "length": 5}])
        job = {**_job(), "terminal_stage": True}
        return httpx.Response(200, json=[job] if "job_id" in request.url.query.decode() else job)

    return answer


def test_a_file_that_is_cut_off_is_read_again(tmp_path: Path) -> None:
    assert Script(answer_with_broken_files(2)).client.job("A").read("a") == b"a\nbc\n"
    job = Script(answer_with_broken_files(2)).client.job("A")
    assert list(job.logs(follow=True, stream="a")) == ["a", "bc"]
    (saved,) = Script(answer_with_broken_files(2)).client.job("A").download(tmp_path)
    assert saved.read_bytes() == b"a\nbc\n"


class Cut(httpx.SyncByteStream):
    """A part of a file, whose rest does not arrive."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __iter__(self) -> Iterator[bytes]:
        yield self._content
        raise httpx.ReadError("reset")


def answer_in_parts(
    asked: list[str | None], cuts: list[int], versions: list[str]
) -> Callable[[httpx.Request], httpx.Response]:
    """A file of ten bytes, cut at these places, with these versions."""
    content = b"0123456789"

    def answer(request: httpx.Request) -> httpx.Response:
        if not request.url.path.endswith("/a/"):
            return answer_with_broken_files(0)(request)
        number, wanted = len(asked), request.headers.get("range")
        asked.append(wanted)
        start = int(wanted[len("bytes=") : -1]) if wanted else 0
        if start >= len(content):
            return refuse(416, "invalid-range")
        headers = {"etag": versions[min(number, len(versions) - 1)]}
        if wanted:
            headers["content-range"] = f"bytes {start}-9/10"
        status = 206 if wanted else 200
        if number < len(cuts):
            return httpx.Response(
                status, headers=headers, stream=Cut(content[start : cuts[number]])
            )
        return httpx.Response(status, headers=headers, content=content[start:])

    return answer


@pytest.mark.parametrize(
    ("cuts", "versions", "expected"),
    [
        # It goes on where it was, more often than it is tried in one place.
        ([1, 3, 5, 7, 9], ['"a"'], [None, *(f"bytes={start}-" for start in (1, 3, 5, 7, 9))]),
        # Another file, or one that may be another, begins again.
        ([4], ['"a"', '"b"'], [None, "bytes=4-", None]),
        ([4], ['W/"a"'], [None, None]),
        # All of it is there, but not its end.
        ([10], ['"a"'], [None, "bytes=10-", None]),
    ],
)
def test_a_download_goes_on_where_it_was_cut_off(
    tmp_path: Path, cuts: list[int], versions: list[str], expected: list[str | None]
) -> None:
    asked: list[str | None] = []
    job = Script(answer_in_parts(asked, cuts, versions)).client.job("A")
    (saved,) = job.download(tmp_path)
    assert saved.read_bytes() == b"0123456789"
    assert asked == expected


def test_a_file_that_never_arrives_is_an_error_of_this_package(tmp_path: Path) -> None:
    job = Script(answer_with_broken_files(99)).client.job("A")
    ways: list[Callable[[], object]] = [
        lambda: job.read("a"),
        lambda: list(job.logs(follow=True, stream="a")),
        lambda: job.download(tmp_path),
    ]
    for read in ways:
        with pytest.raises(ServiceUnreachable, match="cut off"):
            read()
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_too_large_says_what_to_do() -> None:
    large = httpx.Response(200, content=b" " * 10_001)

    def answer(request: httpx.Request) -> httpx.Response:
        return large if request.url.path.endswith("/a/") else answer_with_broken_files(0)(request)

    with pytest.raises(FileTooLarge, match="download"):
        Script(answer, max_answer_bytes=10_000).client.job("A").read("a")


def _job() -> dict[str, object]:
    from test_scripts import ANSWERS

    job: dict[str, object] = ANSWERS["job"]
    return job


def test_pages_end_at_a_limit() -> None:
    count = 0

    def page(_: httpx.Request) -> httpx.Response:
        nonlocal count
        count += 1
        link = f'<https://slipway.test/jobs/?cursor={count}>; rel="next"'
        return httpx.Response(200, json=[], headers={"link": link})

    with pytest.raises(ServiceUnreachable, match="does not end"):
        Script(page, max_pages=50).client.jobs().all()
    assert count == 50


def test_rows_are_sent_until_all_are_done() -> None:
    def answer_rows(*outcomes: str) -> httpx.Response:
        return httpx.Response(200, json=[{"line": 1, "outcome": each} for each in outcomes])

    script = Script(
        answer_rows("granted", "not-done", "not-done"),
        answer_rows("unchanged", "granted", "not-done"),
        answer_rows("unchanged", "unchanged", "not-done"),
    )
    done = script.client.grant_quotas([{"user_id": "1"}], reason="why", dry_run=False)
    assert [each.outcome for each in done] == ["granted", "granted", "not-done"]
    assert len(script.asked) == 3
    assert len({request.headers["idempotency-key"] for request in script.asked}) == 1
    assert script.asked[0].url.query == b"reason=why&dry_run=false"
    with pytest.raises(ValueError, match="either rows or csv"):
        script.client.grant_quotas()


def test_pages_of_a_table_have_one_heading() -> None:
    link = '<https://slipway.test/usage/?cursor=2>; rel="next"'
    script = Script(
        httpx.Response(200, text="system,jobs\na,1\n", headers={"link": link}),
        httpx.Response(200, text="system,jobs\nb,2\n"),
    )
    assert script.client.usage_as_csv("system") == "system,jobs\na,1\nb,2\n"
    assert script.asked[0].headers["accept"] == "text/csv"
