"""The whole package against the laptop edition."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import Service, eventually

from slipway_hpc import Slipway, WaitTimeout, problems
from slipway_hpc._files import open_input
from slipway_hpc._sync import uploads

TITLE = "Нейроны 神经元 🧠 naïve"


def test_a_job_from_submission_to_results(service: Service, study: Path, tmp_path: Path) -> None:
    s = service.connect()
    estimate = s.estimate(study, "hpc_one", command="python3 main.py", runtime=0.5, nodes=2)
    assert estimate.held.time == 3600
    job = s.submit(study, "hpc_one", command="python3 main.py", runtime=0.5, nodes=2, title=TITLE)
    assert (job.stage, job.title, job.failed, job.ended) == ("QUEUED", TITLE, False, False)
    assert job.wait(60, progress=True) is job
    assert (job.stage, job.failed) == ("SUCCESSFUL", False)
    assert [file.filename for file in job.files()] == ["listing.txt", "stderr", "stdout"]
    saved = job.download(tmp_path / "out")
    assert [path.name for path in saved] == ["listing.txt", "stderr", "stdout"]
    assert "main.py" in saved[0].read_text()
    assert job.logs() == saved[2].read_text()
    assert list(job.logs(follow=True)) == saved[2].read_text().splitlines()
    assert [each.stage for each in job.timeline().stages][-1] == "SUCCESSFUL"
    assert s.job(job.job_id) == job
    kinds = [line.kind for line in s.ledger("hpc_one", job.project)]
    assert kinds == ["settle", "hold", "grant"]
    assert s.quota("hpc_one", job.project).usage.time.used == 2880
    eventually(lambda: [row.time_used for row in s.usage("system")] == [2880])
    assert "<script" not in job._repr_html_()


def test_a_large_folder_goes_through_the_storage(service: Service, study: Path) -> None:
    (study / "noise.bin").write_bytes(os.urandom(5_000_000))
    s = service.connect()
    job = s.submit(study, "hpc_one", command="ls", runtime=0.1, progress=True).wait()
    assert "noise.bin" in job.read("listing.txt").decode()


def test_a_very_large_folder_goes_in_parts(
    service: Service, study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "_MOST_IN_ONE_PIECE", 66_000_000)
    (study / "noise.bin").write_bytes(os.urandom(67_000_000))
    told: list[tuple[int, int]] = []
    s = service.connect()
    with open_input(study) as (path, name):
        assert path
        upload_id = uploads.upload_file(
            s._transport, path, name, lambda done, all: told.append((done, all))
        )
        size = path.stat().st_size
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (size, size)
    assert s.api.continue_upload(upload_id=upload_id).complete


def test_a_key_makes_one_job(service: Service) -> None:
    s = service.connect()
    made = [
        s.submit(None, "hpc_one", command="ls", runtime=0.1, idempotency_key="the-one").job_id
        for _ in range(2)
    ]
    assert made[0] == made[1]


def test_jobs_are_listed_page_by_page(service: Service) -> None:
    s = service.connect()
    for number in range(3):
        s.submit(None, "hpc_one", command="ls", runtime=0.1, title=f"job {number}")
    before = s.requests_sent
    assert [job.title for job in s.jobs(limit=1).first(2)] == ["job 0", "job 1"]
    assert s.requests_sent - before == 2
    assert [job.title for job in s.jobs(limit=1, order="desc")] == ["job 2", "job 1", "job 0"]


def test_a_job_waits_for_another_and_is_cancelled(service: Service) -> None:
    s = service.connect()
    first = s.submit(None, "hpc_one", command="ls", runtime=24)
    second = s.submit(None, "hpc_one", command="ls", runtime=0.1, after=first)
    with pytest.raises(WaitTimeout, match="It goes on"):
        second.wait(0.2)
    assert first.cancel().stage == "CANCELED"
    assert first.cancel().stage == "CANCELED"
    assert second.wait(60).ended


def test_a_map_refuses_names_that_no_row_has(service: Service) -> None:
    s = service.connect()
    rows = [{"seed": 1}]
    with pytest.raises(ValueError, match=r"\{sed\}"):
        s.map(None, "hpc_one", command="ls {sed}", rows=rows, runtime=0.1)
    batch = s.map(None, "hpc_one", command="ls {sed}", rows=rows, runtime=0.1, allow_unmatched=True)
    assert len(batch.cancel()) == 1


def test_a_job_collects_a_batch(service: Service) -> None:
    s = service.connect()
    batch = s.map(None, "hpc_one", command="ls {index}", count=3, runtime=0.1)
    job = s.submit(
        None,
        "hpc_one",
        command="ls",
        runtime=0.1,
        input_from=batch,
        input_folder="sweep",
        input_failed="leave_out",
    )
    assert not job.wait(60).failed
    assert b"sweep/2/stdout" in job.read("listing.txt")


def test_problems_have_classes_and_members(service: Service) -> None:
    s = service.connect()
    with pytest.raises(problems.InvalidRequest) as refusal:
        s.submit(None, "hpc_one", command="ls", runtime=1, nodes=513)
    assert refusal.value.status == 400
    assert [each.name for each in refusal.value.errors] == ["node_number"]
    assert refusal.value.request_id
    with pytest.raises(problems.QuotaExceeded) as exceeded:
        s.submit(None, "hpc_one", command="ls", runtime=24, nodes=512)
    assert exceeded.value.problem.left is not None
    assert exceeded.value.problem.left.time == 18_000_000
    with pytest.raises(LookupError):
        s.job("NO-SUCH-JOB")


def test_a_map_takes_one_request_a_round(service: Service, study: Path) -> None:
    s = service.connect()
    rows = [{"alpha": number / 10, "how": "good"} for number in range(40)]
    rows[7]["how"] = "sim:fail"
    batch = s.map(
        study,
        "hpc_one",
        command="python3 main.py {alpha}",
        rows=rows,
        runtime=0.5,
        title="{how} {alpha}",
        max_running=10,
    )
    assert len(batch) == 40
    before = s.requests_sent
    began = time.monotonic()
    batch.wait(120, progress=True)
    assert s.requests_sent - before <= time.monotonic() - began + 1
    assert (batch.counts.done, batch.counts.failed) == (39, 1)
    assert [job.index for job in batch.failed] == [7]
    before = s.requests_sent
    assert batch[7].title == "sim:fail 0.7"
    assert [job.title for job in batch[38:]] == ["good 3.8", "good 3.9"]
    assert s.requests_sent == before
    results = batch.results()
    assert results[7] is None
    assert "SLIPWAY_ALPHA=3.9" in (results[39] or "")
    again = batch.again().wait(60)
    assert [job.index for job in again] == [7]
    assert len(batch + again) == 41
    assert "1 failed" in batch._repr_html_()


def test_slices_are_like_those_of_a_list(service: Service) -> None:
    s = service.connect()
    one = s.map(None, "hpc_one", command="ls", count=5, runtime=0.1, title="a{index}")
    two = s.map(None, "hpc_one", command="ls", count=4, runtime=0.1, title="b{index}")
    both = (one + two).wait(60)
    titles = [job.title for job in both]
    assert titles == ["a0", "a1", "a2", "a3", "a4", "b0", "b1", "b2", "b3"]
    for key in [
        slice(2),
        slice(3, 7),
        slice(None, None, 2),
        slice(None, None, -1),
        slice(-3, None),
        slice(1, None, 3),
        slice(7, 1, -2),
        slice(3, 3),
    ]:
        assert [job.title for job in both[key]] == titles[key], key
        assert [job.title for job in both[key][1:]] == titles[key][1:], key
    assert both[-1].title == "b3"
    with pytest.raises(IndexError):
        both[9]
    assert both[3:7].wait(60).ended
    with pytest.raises(ValueError, match="whole"):
        both[3:7].again()


def test_a_slice_ends_before_its_batch(service: Service) -> None:
    s = service.connect()
    rows = [{"how": "quick"}, {"how": "slow"}]
    batch = s.map(None, "hpc_one", command="ls", rows=rows, runtime=6, max_running=1, title="{how}")
    batch[:1].wait(60)
    assert not batch.ended
    batch.cancel().wait(60)


def test_an_administrator_grants_many_quotas(service: Service) -> None:
    administrator = Slipway.local(
        service.url, user="100001", administrator=True, key_file=service.key_file
    )
    user = service.next_user()
    row = {"user_id": user, "hpc": "hpc_one", "project_name": "proj_hpc_one_01"}
    rows = [{**row, "add": {"time": 3600}}, {**row, "user_id": "?", "add": {"time": 1}}]
    tried = administrator.grant_quotas(rows, reason="why", dry_run=True)
    assert [each.outcome for each in tried] == ["granted", "refused"]
    for _ in range(2):
        done = administrator.grant_quotas(rows, reason="why", idempotency_key=f"grant-{user}")
        assert done[1].outcome == "refused"
    assert service.connect(user).quota("hpc_one", "proj_hpc_one_01").time_left == 18_003_600
    csv = f"user_id,hpc,project_name,add.time\n{user},hpc_one,proj_hpc_one_01,60\n"
    assert [each.outcome for each in administrator.grant_quotas(csv=csv, reason="why")] == [
        "granted"
    ]
    accounts = [{"user_id": user, "hpc": "hpc_one", "account": "?"}]
    refused = administrator.map_accounts(accounts, reason="why")
    assert [each.outcome for each in refused] == ["refused"]
    assert administrator.report_usage_as_csv("user").startswith("user,")
    assert service.connect(user).usage_as_csv("system").startswith("project_hpc,")


def test_a_hundred_submissions_through_a_hostile_proxy(
    service: Service, hostile_proxy: str
) -> None:
    direct = service.connect("306390")
    token = direct._transport._token
    s = Slipway(hostile_proxy, token, retries=20)
    s._transport.pause = lambda _: None
    with ThreadPoolExecutor(5) as pool:
        made = list(
            pool.map(
                lambda number: s.submit(
                    None, "hpc_one", command="ls", runtime=0.1, title=f"заявка {number}"
                ),
                range(100),
            )
        )
    assert len({job.job_id for job in made}) == 100
    listed = sorted(job.title for job in direct.jobs(limit=30))
    assert listed == sorted(f"заявка {number}" for number in range(100))


def test_ctrl_c_in_a_terminal_leaves_the_job(service: Service) -> None:
    s = service.connect("306391")
    program = f"""
from slipway_hpc import Slipway
s = Slipway.local({service.url!r}, user="306391", key_file={str(service.key_file)!r})
s.submit(None, "hpc_one", command="ls", runtime=12).wait()
"""
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
        preexec_fn=lambda: os.close(controller) or _take_terminal(),  # type: ignore[func-returns-value]
    )
    os.close(terminal)
    shown = b""
    while b"QUEUED" not in shown and b"RUNNING" not in shown:
        shown += os.read(controller, 4096)
    os.write(controller, b"\x03")
    try:
        while piece := os.read(controller, 4096):
            shown += piece
    except OSError:
        pass
    assert process.wait(30) in (1, 130, -signal.SIGINT)
    os.close(controller)
    assert b"goes on. wait() waits again" in shown
    (job,) = s.jobs()
    assert job.stage in ("QUEUED", "RUNNING", "READY") or not job.ended
    job.cancel()


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_the_outputs_of_a_thousand_jobs_take_a_few_requests(service: Service) -> None:
    s = service.connect()
    batch = s.map(None, "hpc_one", command="ls", count=1000, runtime=0.01, title="{index}").wait(
        300
    )
    before = s.requests_sent
    results = batch.results("stdout")
    assert s.requests_sent - before <= 12
    assert len(results) == 1000
    for place, each in enumerate(results):
        assert f"SLIPWAY_INDEX={place}\n" in (each or "")
