"""What the package decides by itself, before any service."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

import httpx
import pytest
from conftest import ROOT, Script

from slipway_hpc import (
    FilesSkipped,
    JobFailed,
    ServiceUnreachable,
    SlipwayProblem,
    WaitTimeout,
    problems,
)
from slipway_hpc._model import Model, read_one_of
from slipway_hpc._parallel import map_parallel, map_parallel_async
from slipway_hpc._paths import read_next, write_path
from slipway_hpc._progress import ProgressLine
from slipway_hpc._retry import (
    choose_pause,
    may_repeat,
    pause,
    pause_async,
    read_problem,
    read_retry_after,
)
from slipway_hpc._rows import Rows
from slipway_hpc._settings import Settings
from slipway_hpc._submission import refuse_unmatched, write_headers, write_payload
from slipway_hpc._sync.paged import Page, Paged
from slipway_hpc._sync.waiting import wait_until_ended
from slipway_hpc._tokens import ask_token, ask_token_async
from slipway_hpc._webhooks import verify_webhook


def write_problem(status: int, name: str = "busy", **more: Any) -> str:
    told = {"type": f"urn:slipway:problem:{name}", "detail": "It is.", "instance": "r-1"}
    return json.dumps({"status": status, **told, **more})


# Retries


@pytest.mark.parametrize(("count", "longest"), [(0, 0.25), (1, 0.5), (3, 2), (7, 30), (99, 30)])
def test_a_pause_is_between_half_and_all_of_what_it_has_grown_to(
    count: int, longest: float
) -> None:
    pauses = [choose_pause(count, None) or 0 for _ in range(200)]
    assert min(pauses) >= longest / 2
    assert max(pauses) <= longest
    # Clients that were refused together do not return together.
    assert max(pauses) - min(pauses) > longest / 4


def test_callers_decide_about_waits_of_more_than_five_minutes() -> None:
    assert choose_pause(0, 300.0) == 300.0
    assert choose_pause(0, 300.1) is None


@pytest.mark.parametrize(
    ("status", "name", "of_once", "of_any"),
    [
        (409, "idempotency-key-in-use", True, True),
        (503, "busy", True, True),
        (503, "identity-unavailable", True, True),
        (429, "too-many-requests", True, True),
        (502, "about:blank", False, True),
        (503, "system-unavailable", False, True),
        (504, "about:blank", False, True),
        (500, "internal-error", False, False),
        (409, "quota-exceeded", False, False),
    ],
)
def test_what_may_be_sent_again(status: int, name: str, of_once: bool, of_any: bool) -> None:
    problem = read_problem(status, write_problem(status, name), None)
    assert (may_repeat(problem, False), may_repeat(problem, True)) == (of_once, of_any)


def test_a_problem_has_what_the_service_said() -> None:
    errors = [{"location": "body", "name": "runtime", "message": "It is too long."}]
    text = write_problem(400, "quota-exceeded", errors=errors)
    problem = read_problem(403, text, "7")
    assert isinstance(problem, problems.QuotaExceeded)
    assert (problem.name, problem.status, problem.request_id) == ("quota-exceeded", 403, "r-1")
    assert (str(problem), problem.retry_after) == ("It is.", 7.0)
    assert [error.name for error in problem.errors] == ["runtime"]
    assert read_problem(403, write_problem(403, "of-tomorrow"), None).name == "of-tomorrow"
    assert read_problem(404, write_problem(404), None).errors == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The service answered 502."),
        ("<html>", "The service answered 502: <html>"),
        ("x" * 201, f"The service answered 502: {'x' * 200}"),
        ("[]", "The service answered 502: []"),
        ('{"type": 1, "detail": "d"}', 'The service answered 502: {"type": 1, "detail": "d"}'),
        ('{"type": "t"}', 'The service answered 502: {"type": "t"}'),
        ('{"type": "t", "detail": "d"}', "d"),
    ],
)
def test_a_gateway_in_between_is_quoted(text: str, said: str) -> None:
    problem = read_problem(502, text, None)
    assert type(problem) is SlipwayProblem
    assert (str(problem), problem.status, problem.retry_after) == (said, 502, None)
    assert (problem.request_id, problem.problem.title) == ("", "")
    assert problem.problem.type == ("t" if said == "d" else "about:blank")


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("0", 0.0),
        ("12", 12.0),
        ("9" * 12, 999_999_999.0),
        ("１２", None),
        ("soon", None),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
    ],
)
def test_retry_after_is_seconds_or_a_date(header: str | None, seconds: float | None) -> None:
    assert read_retry_after(header) == seconds


def test_a_pause_takes_its_time() -> None:
    begun = time.monotonic()
    pause(0.02)
    asyncio.run(pause_async(0.02))
    assert time.monotonic() - begun >= 0.03


def test_a_large_body_gets_more_time() -> None:
    assert Settings(timeout=10).time_for(0) == 10
    assert Settings(timeout=10).time_for(100_000) == 15


# Waiting


class Awaited:
    """Something that ends after some rounds, and changes in some of them."""

    def __init__(self, rounds: int, changes: tuple[int, ...] = ()) -> None:
        self.left = rounds
        self.round = 0
        self.shown = 0
        self._changes = changes
        self.stop: BaseException | None = None

    @property
    def ended(self) -> bool:
        return self.left <= 0

    def _check(self) -> bool:
        if self.stop:
            raise self.stop
        self.left -= 1
        self.round += 1
        return self.round in self._changes

    def _show(self, line: Any) -> None:
        assert isinstance(line, ProgressLine)
        self.shown += 1

    def _name(self) -> str:
        return "The job A"


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[float]]:
    """Waits by a clock that only pauses move, and returns the pauses."""
    now = 1000.0
    monkeypatch.setattr("slipway_hpc._sync.waiting.time.monotonic", lambda: now)

    def run(awaited: Awaited, timeout: float | None = None) -> list[float]:
        pauses: list[float] = []

        def pause(seconds: float) -> None:
            nonlocal now
            now += seconds
            pauses.append(seconds)

        transport: Any = Script().client._transport
        transport.pause = pause
        try:
            wait_until_ended(awaited, transport, timeout=timeout, progress=False)
        finally:
            run.pauses = pauses  # type: ignore[attr-defined]
        return pauses

    return run


def test_polls_become_rarer_and_frequent_again_after_a_change(
    wait: Callable[..., list[float]],
) -> None:
    awaited = Awaited(12)
    pauses = wait(awaited)
    assert pauses[:4] == [1, 1.5, 2.25, 3.375]
    assert pauses[9:] == [30, 30, 30]
    assert awaited.shown == 13
    assert wait(Awaited(4, changes=(2,))) == [1, 1.5, 1, 1.5]
    assert wait(Awaited(0)) == []


def test_a_wait_ends_when_its_time_is_over(wait: Any) -> None:
    with pytest.raises(WaitTimeout, match=r"The job A has not ended within 3 seconds\."):
        wait(Awaited(99), 3)
    assert wait.pauses == [1, 1.5, 0.5]
    with pytest.raises(WaitTimeout, match="within 0 seconds"):
        wait(Awaited(1), 0)
    assert wait.pauses == []
    assert wait(Awaited(0), 0) == []


def test_ctrl_c_says_that_it_goes_on(
    wait: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    awaited = Awaited(9)
    awaited.stop = KeyboardInterrupt()
    transport: Any = Script().client._transport
    transport.pause = lambda _: None
    with pytest.raises(KeyboardInterrupt):
        wait_until_ended(awaited, transport, timeout=None, progress=True)
    assert "The job A goes on." in capsys.readouterr().err


# Submissions

NOTHING: dict[str, Any] = {
    "command": None,
    "tool": None,
    "runtime": 1,
    "nodes": 1,
    "cores": 1,
    "tasks": None,
    "memory": None,
    "gpus": None,
    "gpu_kind": None,
    "class_": None,
    "image": None,
    "title": None,
    "after": None,
    "after_any": None,
    "input_from": None,
    "input_folder": None,
    "fields": None,
}
LEAST = {"node_number": 1, "core_number": 1, "runtime": 1}


def test_a_submission_has_the_names_of_the_interface() -> None:
    assert write_payload(**NOTHING) == LEAST
    given: dict[str, Any] = {
        "command": "ls",
        "tool": "neuron",
        "runtime": 0.5,
        "nodes": 2,
        "cores": 3,
        "tasks": 3,
        "memory": "4GB",
        "gpus": 4,
        "gpu_kind": "a100",
        "class_": "short",
        "image": "ghcr.io/org/tool:2",
        "title": "a title",
        "after": "A",
        "after_any": ["B", "C"],
        "input_from": "D",
        "input_folder": "results",
        "input_failed": "leave_out",
        "fields": {"field": 5},
        "count": 6,
        "table": "rows.csv",
        "max_running": 7,
    }
    assert write_payload(**given) == {
        "command": "ls",
        "tool": "neuron",
        "node_number": 2,
        "core_number": 3,
        "task_number": 3,
        "memory": "4GB",
        "gpu_number": 4,
        "gpu_kind": "a100",
        "class": "short",
        "image": "ghcr.io/org/tool:2",
        "runtime": 0.5,
        "title": "a title",
        "count": 6,
        "table": "rows.csv",
        "max_running": 7,
        "after": ["A"],
        "after_any": ["B", "C"],
        "input_from": "D",
        "input_folder": "results",
        "input_failed": "leave_out",
        "field": 5,
    }


class Named:
    def __init__(self, **names: Any) -> None:
        self.__dict__.update(names)


@pytest.mark.parametrize(
    ("after", "ids"),
    [
        (Named(job_id="J"), ["J"]),
        (Named(batch_id="B"), ["B"]),
        ((Named(job_id="J"), "A", Named(batch_id="B")), ["J", "A", "B"]),
    ],
)
def test_others_are_named_by_ids_jobs_or_batches(after: object, ids: list[str]) -> None:
    payload = write_payload(**{**NOTHING, "after": after, "input_from": after})
    assert payload == {**LEAST, "after": ids, "input_from": ids[0]}


@pytest.mark.parametrize("wrong", [5, [5], Named(job_id=5), [Named(job_id=None)]])
def test_whatever_else_is_given_is_not_a_job(wrong: object) -> None:
    with pytest.raises(TypeError, match="is not a job"):
        write_payload(**{**NOTHING, "after": wrong})


def test_headers_of_a_submission_are_ascii() -> None:
    headers = write_headers({"title": "é"}, "ä/b c.zip")
    assert headers == {
        "Content-Disposition": "attachment; filename*=UTF-8''%C3%A4%2Fb%20c.zip",
        "Payload": '{"title": "\\u00e9"}',
    }


# Tokens


def _without_signature() -> Callable[..., Any]:
    class Built:
        __signature__ = "no signature"

        def __call__(self) -> str:
            return "built"

    return Built()


def test_a_token_is_text_or_what_a_function_returns() -> None:
    assert ask_token("a", None) == "a"
    assert ask_token(lambda: "b", "old") == "b"
    assert ask_token(lambda refused: f"after {refused}", "old") == "after old"
    assert ask_token(_without_signature(), "old") == "built"

    async def renew(refused: str | None) -> str:
        return f"after {refused}"

    async def ask() -> list[str]:
        sources: list[Any] = ["a", lambda: "b", renew]
        return [await ask_token_async(source, "old") for source in sources]

    assert asyncio.run(ask()) == ["a", "b", "after old"]


# Paths


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({}, "/jobs/"),
        ({"hpc": "one"}, "/jobs/one/"),
        ({"hpc": "one", "project_name": "p/q"}, "/jobs/one/p%2Fq/"),
        ({"hpc": None, "limit": 5, "failed": True}, "/jobs/?limit=5&failed=true"),
        ({"hpc": "one", "stage": "A B"}, "/jobs/one/?stage=A+B"),
    ],
)
def test_a_path_is_as_long_as_what_is_given(given: dict[str, object], path: str) -> None:
    assert write_path("/jobs/[{hpc}/[{project_name}/]]", given) == path


def test_a_name_that_a_path_needs_is_missed() -> None:
    with pytest.raises(TypeError, match="'hpc' is missing"):
        write_path("/jobs/[{hpc}/[{project_name}/]]", {"project_name": "p"})


@pytest.mark.parametrize(
    ("link", "path"),
    [
        (None, None),
        ("", None),
        ('<https://inside/jobs/?cursor=1>; rel="next"', "/jobs/?cursor=1"),
        ('<https://inside/jobs/> ;  rel="next"', "/jobs/"),
        ('<https://a/?c=0>; rel="prev", <https://a/jobs/?c=2>; rel="next"', "/jobs/?c=2"),
        ('<https://inside/jobs/>; rel="prev"', None),
    ],
)
def test_the_next_page_is_read_without_its_host(link: str | None, path: str | None) -> None:
    assert read_next(link) == path


# Answers


@dataclass(frozen=True)
class Leaf(Model):
    name: str
    from_: str | None = None


@dataclass(frozen=True)
class Tree(Model):
    leaf: Leaf
    leaves: list[Leaf]
    by_name: dict[str, Leaf]
    either: Leaf | str
    many: list[Leaf] | None = None


@dataclass(frozen=True)
class Cat(Model):
    kind: Literal["cat"]
    lives: int


@dataclass(frozen=True)
class Dog(Model):
    kind: Literal["dog"]
    tricks: list[str] | None = None


LEAF = {"name": "a", "from": "b"}


def test_an_answer_is_read_by_the_types_of_its_fields() -> None:
    tree = Tree.from_json(
        {
            "leaf": LEAF,
            "leaves": [LEAF],
            "by_name": {"x": LEAF},
            "either": LEAF,
            "many": [LEAF],
            "new": 1,
        }
    )
    leaf = Leaf("a", "b")
    assert (tree.leaf, tree.leaves, tree.by_name) == (leaf, [leaf], {"x": leaf})
    assert (tree.either, tree.many) == (leaf, [leaf])
    assert tree.to_dict()["new"] == 1
    assert Leaf("a").to_dict() == {}


def test_an_older_service_may_send_less_but_not_something_else() -> None:
    tree = Tree.from_json({"either": "text", "leaves": "none", "by_name": None})
    read: dict[str, Any] = vars(tree)
    assert (read["either"], read["leaves"], read["by_name"]) == ("text", "none", None)
    assert tree.many is None
    with pytest.raises(ServiceUnreachable, match="has no 'leaf'"):
        Tree.from_json({"many": []})
    others: list[object] = [None, [], "text"]
    for wrong in others:
        with pytest.raises(ServiceUnreachable, match="not a JSON object"):
            Tree.from_json(wrong)


def test_one_of_several_kinds_is_found_by_its_constants_and_fields() -> None:
    assert read_one_of({"kind": "dog"}, Cat, Dog) == Dog("dog")
    assert read_one_of({"kind": "cat", "lives": 9}, Dog, Cat) == Cat("cat", 9)
    # None of them fits: the first one says what is missing, or is filled as far as possible.
    assert isinstance(read_one_of({"kind": "cat"}, Cat, Dog), Cat)
    with pytest.raises(ServiceUnreachable, match="has no 'kind'"):
        read_one_of({}, Dog, Cat)
    with pytest.raises(ServiceUnreachable, match="not a JSON object"):
        read_one_of("text", Dog, Cat)


def test_rows_are_shown_by_their_own_faces_or_as_a_table() -> None:
    class Face:
        _has_face = True

        def _repr_html_(self) -> str:
            return "<b>"

    assert Rows([Face(), Face()])._repr_html_() == "<b><b>"
    assert "<table>" in Rows([])._repr_html_()
    assert "<td>a</td>" in Rows([Leaf.from_json(LEAF)])._repr_html_()


def test_a_data_frame_needs_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        Rows([Leaf.from_json(LEAF)]).to_dataframe()
    frames: list[object] = []
    pandas = type("pandas", (), {"json_normalize": staticmethod(frames.append)})
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    Rows([Leaf.from_json(LEAF)]).to_dataframe()
    Paged("/", lambda _: Page([Leaf.from_json(LEAF)], None), 1).to_dataframe()
    assert frames == [[LEAF], [LEAF]]


def test_a_failed_job_is_named() -> None:
    job: Any = Named(job_id="A", stage="TIMEOUT")
    error = JobFailed(job, "It ended without a result.")
    assert str(error) == "The job A ended as TIMEOUT. It ended without a result."
    assert error.job is job


def test_files_that_were_skipped_are_named() -> None:
    error = FilesSkipped([Path("a")], {"b:": "It is odd.", "c": "It is long."})
    assert str(error).endswith("names. 'b:': It is odd. 'c': It is long.")
    assert (error.saved, error.skipped["c"]) == ([Path("a")], "It is long.")


# Lists


def read_page(path: str) -> Page[int]:
    """Three pages of two numbers."""
    number = int(path or "0")
    return Page([2 * number, 2 * number + 1], str(number + 1) if number < 2 else None)


def test_a_list_is_fetched_as_far_as_it_is_needed() -> None:
    asked: list[str] = []

    def read(path: str) -> Page[int]:
        asked.append(path)
        return read_page(path)

    numbers = Paged("0", read, 3)
    assert (numbers.first(), numbers.first(2), numbers.first(0)) == ([0], [0, 1], [])
    assert asked == ["0", "0"]
    assert (numbers.first(3), asked[2:]) == ([0, 1, 2], ["0", "1"])
    assert numbers.all() == [0, 1, 2, 3, 4, 5]
    assert isinstance(numbers.all(), Rows)
    assert list(numbers.change(str).pages()) == [["0", "1"], ["2", "3"], ["4", "5"]]
    for endless in [Paged("0", read, 2), Paged("0", lambda path: Page([1], path), 9)]:
        with pytest.raises(ServiceUnreachable, match="The list 0 does not end"):
            endless.all()
    with pytest.raises(ServiceUnreachable):
        Paged("0", read, 2).change(str).all()


def test_rows_are_sent_as_lines_of_json_or_as_csv() -> None:
    done = httpx.Response(200, json=[{"line": 1, "outcome": "granted"}])
    rows = Script(done)
    rows.client.grant_quotas([{"user_id": "1"}, {"user_id": "2"}], idempotency_key="a key")
    csv = Script(done)
    csv.client.grant_quotas(csv="user_id\n1\n")
    (sent,), (table,) = rows.asked, csv.asked
    assert (sent.method, sent.content) == ("POST", b'{"user_id": "1"}\n{"user_id": "2"}')
    assert sent.headers["content-type"] == "application/x-ndjson"
    assert sent.headers["idempotency-key"] == "a key"
    assert (table.content, table.headers["content-type"]) == (b"user_id\n1\n", "text/csv")
    assert len(table.headers["idempotency-key"]) == 36
    empty = Script(httpx.Response(200, json=[]))
    assert empty.client.grant_quotas([]) == []
    assert empty.asked[0].content == b""


def test_rows_are_sent_again_if_no_answer_came() -> None:
    done = httpx.Response(200, json=[{"line": 1, "outcome": "granted"}])
    script = Script(httpx.ConnectError("refused"), done)
    assert len(script.client.grant_quotas([{"user_id": "1"}])) == 1


def test_each_page_of_a_table_is_asked_for() -> None:
    link = '<https://slipway.test/usage/?cursor=2>; rel="next"'
    script = Script(
        httpx.Response(200, text="system\na\nb\n", headers={"link": link}),
        httpx.Response(200, text="system\nc\n"),
    )
    assert script.client.usage_as_csv("system") == "system\na\nb\nc\n"
    assert [(each.method, each.url.path) for each in script.asked] == [("GET", "/usage/")] * 2
    assert script.asked[1].url.query == b"cursor=2"


# Pushes


def sign(key: bytes, timestamp: int) -> dict[str, str]:
    mark = hmac.new(key, f"m.{timestamp}.{{}}".encode(), "sha256").digest()
    written = f"v1,{base64.b64encode(mark).decode()}"
    return {"webhook-id": "m", "webhook-timestamp": str(timestamp), "webhook-signature": written}


def test_a_push_is_fresh_by_the_clock() -> None:
    key = b"a secret of twenty-four."
    secret = f"whsec_{base64.b64encode(key).decode()}"
    now = int(time.time())
    assert verify_webhook(secret, sign(key, now), "{}")
    assert not verify_webhook(secret, sign(key, now - 400), "{}")
    assert not verify_webhook(secret, sign(key, now + 400), "{}")
    with pytest.raises(ValueError, match="not the secret of a webhook"):
        verify_webhook(secret.replace("_", "_?"), sign(key, now), "{}")


# A few things at once


def test_eight_things_are_done_at_once_in_their_order() -> None:
    together = threading.Barrier(8)

    def work(item: int) -> int:
        together.wait(60)
        return -item

    assert map_parallel(work, range(16)) == [-item for item in range(16)]

    running = most = 0

    async def work_async(item: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        running -= 1
        return -item

    async def run() -> list[int]:
        return await map_parallel_async(work_async, range(30))

    assert asyncio.run(run()) == [-item for item in range(30)]
    assert most == 8


def test_what_has_not_begun_when_one_fails_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = threading.Event()
    begun: list[int] = []

    class Pool(ThreadPoolExecutor):
        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            failed.set()
            super().shutdown(wait)

    monkeypatch.setattr("slipway_hpc._parallel.ThreadPoolExecutor", Pool)

    def work(item: int) -> None:
        begun.append(item)
        if item == 0:
            raise KeyError(item)
        failed.wait(60)

    with pytest.raises(KeyError):
        map_parallel(work, range(40))
    assert len(begun) < 40

    ended: list[int] = []

    async def work_async(item: int) -> None:
        if item == 0:
            raise KeyError(item)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        ended.append(item)

    async def run() -> None:
        with pytest.raises(KeyError):
            await map_parallel_async(work_async, range(40))
        for _ in range(40):
            await asyncio.sleep(0)

    asyncio.run(run())
    assert len(ended) < 40


CHECKED = {"from": "https://h/a", "to": "a", "sha256": "0"}


@pytest.mark.parametrize(
    ("inputs", "listed"),
    [
        ({"data/a": "https://h/a"}, [{"from": "https://h/a", "to": "data/a"}]),
        ([CHECKED], [CHECKED]),
    ],
)
def test_inputs_are_listed_or_named_by_their_places(inputs: Any, listed: list[Any]) -> None:
    assert write_payload(**NOTHING, inputs=inputs) == {**LEAST, "inputs": listed}
    assert write_payload(**NOTHING, inputs={}) == LEAST


@pytest.mark.parametrize(
    "outputs", [{"a/*.nc": "s3://lab/a/"}, [{"files": "a/*.nc", "to": "s3://lab/a/"}]]
)
def test_outputs_are_listed_or_named_by_their_files(outputs: Any) -> None:
    listed = [{"files": "a/*.nc", "to": "s3://lab/a/"}]
    assert write_payload(**NOTHING, outputs=outputs) == {**LEAST, "outputs": listed}
    assert write_payload(**NOTHING, outputs={}) == LEAST


DURATIONS = json.loads((ROOT / "test/fixtures/durations.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("given", "hours"),
    [(2, 2), (0.5, 0.5), (timedelta(minutes=90), 1.5)]
    + [tuple(each) for each in DURATIONS["numbers"] + DURATIONS["texts"]],
)
def test_a_runtime_is_written_as_people_do(given: Any, hours: float) -> None:
    assert write_payload(**{**NOTHING, "runtime": given})["runtime"] == pytest.approx(hours, 1e-9)


@pytest.mark.parametrize("given", [*DURATIONS["refused"], None, True, float("nan"), [1]])
def test_what_is_not_a_duration_is_said(given: Any) -> None:
    with pytest.raises(ValueError, match="Write a number of hours, a text such as"):
        write_payload(**{**NOTHING, "runtime": given})


def test_the_text_of_a_refusal_names_every_field() -> None:
    errors = [
        {"location": "payload", "name": name, "message": f"It must be {name}."}
        for name in ("node_number", "runtime")
    ]
    body = {
        "type": "urn:slipway:problem:invalid-request",
        "detail": "2 parts of the request are not valid. See 'errors' for each.",
        "errors": errors,
    }
    problem = read_problem(400, json.dumps(body), None)
    assert str(problem) == "nodes: It must be nodes.\nruntime: It must be runtime."
    assert [error.location for error in problem.errors] == ["payload", "payload"]


def test_problems_have_what_their_type_tells() -> None:
    body = {"type": "urn:slipway:problem:quota-exceeded", "detail": "no", "left": {"time": 5}}
    problem = read_problem(403, json.dumps(body), None)
    assert isinstance(problem, problems.QuotaExceeded)
    assert problem.left.time == 5
    with pytest.raises(AttributeError, match="did not tell 'asked'"):
        _ = problem.asked


@pytest.mark.parametrize(
    ("columns", "texts"),
    [
        ([], ["ls {index}"]),
        (["seed"], ["run {seed} {index}", "title {seed}"]),
        ([], ["echo ${HOME} {1..3} {} '{ print }'"]),
    ],
)
def test_braces_that_mean_something_are_sent(columns: list[str], texts: list[str]) -> None:
    refuse_unmatched(columns, texts)


def test_a_mistyped_name_in_braces_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^No row has the name \{sed\}, \{b\}\. Correct it, or"):
        refuse_unmatched(["seed"], ["run {sed} {seed} {b} {sed}", "{b}"])
