"""A real Snakemake runs workflows: with and without a shared disk, killed, failing, cancelled."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from conftest import Workflow
from edition import Service, start_service
from workflows import wait_for

TWELVE = Path(__file__).parent / "twelve"

#: Two steps one after another. The first ends when the file `go` of the test appears.
STEPS = """
rule all:
    input: "last.txt"

rule early:
    output: "early.txt"
    shell: "echo $SLIPWAY_JOB_ID > {output}"

rule slow:
    input: "early.txt"
    output: "slow.txt"
    shell: "while ! test -e GO; do sleep 0.2; done; echo $SLIPWAY_JOB_ID > {output}"

rule last:
    input: "early.txt", "slow.txt"
    output: "last.txt"
    shell: "cat {input} > {output}"
"""

REPORT = """left\t9\t5.0
right\t9\t5.0
9 left
9 right
"""


def copy_twelve(folder: Path) -> Path:
    return Path(shutil.copytree(TWELVE, folder / "twelve"))


def write_steps(workflow: Workflow, folder: Path) -> Path:
    """Writes the workflow of two steps, and returns the file that its second step waits for."""
    go = folder / "go"
    workflow.write("Snakefile", STEPS.replace("GO", str(go)))
    return go


def test_twelve_rules_run_without_a_shared_disk(
    sandbox: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workflow = Workflow(copy_twelve(tmp_path), sandbox)
    output = workflow.run()
    assert workflow.read("report.txt") == REPORT
    assert workflow.read("logs/count-left.log") == "2 threads\n"
    assert "max_rss" in workflow.read("benchmarks/count-left.tsv")
    parts = [each.name for each in (workflow.folder / "parts/left").iterdir()]
    assert {"part-aa", "part-ab", "part-ac"} < set(parts)
    assert not (workflow.folder / "clean/left.txt").exists()
    # Nothing of Snakemake's own notes comes back from a job, or stays after the run.
    assert not list((workflow.folder / ".snakemake/slipway").glob("*.json"))
    names = workflow.names()
    assert len(names) == 18
    assert {"count sample=left", "first:sample=left sort sample=left", "report"} & set(names)
    assert {job.stage for job in workflow.jobs()} == {"SUCCESSFUL"}
    charged = output[output.index("Charged in this run:") :]
    assert len(re.findall(r"^\S+ +[12] +0\.\d+$", charged, re.MULTILINE)) >= 10
    with capsys.disabled():
        print(f"\n{charged}")
    # Nothing has changed, so nothing runs.
    assert "Nothing to be done" in workflow.run()


def test_twelve_rules_run_on_a_shared_disk(machine: Service, tmp_path: Path) -> None:
    workflow = Workflow(copy_twelve(tmp_path), machine)
    workflow.run("--shared-fs-usage", *SHARED)
    assert workflow.read("report.txt") == REPORT
    job = next(job for job in workflow.jobs() if job.title.endswith(" report"))
    # The input stayed where it was, and so did the results.
    assert {file.filename for file in job.files()} == {"slipway-job.sh", "stdout", "stderr"}


SHARED = (
    "input-output",
    "persistence",
    "software-deployment",
    "software-deployment-cache",
    "source-cache",
    "sources",
    "storage-local-copies",
)


def test_a_disk_that_jobs_cannot_see_is_named(sandbox: Service, tmp_path: Path) -> None:
    workflow = Workflow(copy_twelve(tmp_path), sandbox)
    output = workflow.run("--shared-fs-usage", *SHARED, code=1)
    assert "exit code 1" in output
    log = next((workflow.folder / ".snakemake/slipway/logs").rglob("*.log")).read_text()
    assert f"cannot see or write the folder {workflow.folder}" in log
    assert "--shared-fs-usage none" in log


@pytest.mark.parametrize("is_noted", [True, False], ids=["answered", "not answered"])
def test_a_killed_workflow_finds_its_jobs_again(
    machine: Service, tmp_path: Path, is_noted: bool
) -> None:
    workflow = Workflow(tmp_path / "steps", machine)
    go = write_steps(workflow, tmp_path)
    run = workflow.start()
    run.until(r"Submitted \S+ .* slow")
    run.kill()
    [note] = (workflow.folder / ".snakemake/slipway").glob("*.json")
    if not is_noted:
        # As if it had been killed before the answer arrived.
        known = json.loads(note.read_text())
        note.write_text(json.dumps({**known, "job_id": None, "submitted": None}))
    go.touch()
    # The job ends while nobody watches, and its files have to be fetched later.
    wait_for(lambda: all(job.ended for job in workflow.jobs()))
    workflow.run("--unlock")
    output = workflow.run()
    assert ("Resumes" in output) == is_noted
    assert "rule early" not in output
    assert workflow.names() == ["early", "last", "slow"]
    by_name = {job.title.split()[-1]: job.job_id for job in workflow.jobs()}
    assert workflow.read("last.txt").split() == [by_name["early"], by_name["slow"]]


@pytest.mark.parametrize("has_ended", [True, False], ids=["ended", "active"])
def test_a_workflow_killed_on_a_shared_disk_goes_on(
    machine: Service, tmp_path: Path, has_ended: bool
) -> None:
    workflow = Workflow(tmp_path / "steps", machine)
    go = write_steps(workflow, tmp_path)
    words = ("--shared-fs-usage", *SHARED)
    run = workflow.start(*words)
    run.until(r"Submitted \S+ .* slow")
    run.kill()
    workflow.run("--unlock")
    if has_ended:
        # The job writes its output, and records its end in Snakemake's folder.
        go.touch()
        wait_for(lambda: all(job.ended for job in workflow.jobs()))
    run = workflow.start(*words, "--rerun-incomplete")
    if not has_ended:
        run.until("Resumes")
        go.touch()
    assert run.wait() == 0, run.output
    assert workflow.names() == ["early", "last", "slow"]
    if has_ended:
        # What is forced to run again runs again.
        workflow.run(*words, "--forcerun", "slow")
        assert workflow.names() == ["early", "last", "last", "slow", "slow"]


def test_a_changed_file_submits_a_killed_rule_anew(machine: Service, tmp_path: Path) -> None:
    workflow = Workflow(tmp_path / "steps", machine)
    go = write_steps(workflow, tmp_path)
    run = workflow.start()
    run.until(r"Submitted \S+ .* slow")
    run.kill()
    workflow.write("Snakefile", workflow.read("Snakefile").replace("sleep 0.2", "sleep 0.1"))
    workflow.run("--unlock")
    run = workflow.start()
    run.until(r"Submitted \S+ .* slow")
    go.touch()
    assert run.wait() == 0, run.output
    stages = sorted(job.stage for job in workflow.jobs() if job.title.endswith("slow"))
    assert stages == ["CANCELED", "SUCCESSFUL"]


def test_only_a_failed_rule_runs_again(machine: Service, tmp_path: Path) -> None:
    workflow = Workflow(tmp_path / "steps", machine)
    go = write_steps(workflow, tmp_path)
    text = STEPS.replace("while ! test -e GO; do sleep 0.2; done;", f"cat {go} >&2;")
    workflow.write("Snakefile", text)
    output = workflow.run(code=1)
    assert "Slipway: The job failed. The command ended with exit code 1." in output
    [log] = (workflow.folder / ".snakemake/slipway/logs").rglob("*.log")
    assert str(log) in output
    assert "No such file or directory" in log.read_text()
    go.touch()
    workflow.run()
    assert workflow.names() == ["early", "last", "slow", "slow"]


def test_retries_submit_again(machine: Service, tmp_path: Path) -> None:
    workflow = Workflow(tmp_path / "flaky", machine)
    workflow.write(
        "Snakefile",
        """
rule flaky:
    output: "done.txt"
    resources: attempt=lambda wildcards, attempt: attempt
    shell: "test {resources.attempt} = 2 && touch {output}"
""",
    )
    workflow.run("--retries", "1")
    assert [job.failed for job in workflow.jobs()] == [True, False]


def test_ctrl_c_cancels_the_jobs(machine: Service, tmp_path: Path) -> None:
    workflow = Workflow(tmp_path / "steps", machine)
    write_steps(workflow, tmp_path)
    run = workflow.start()
    run.until(r"Submitted \S+ .* slow")
    run.interrupt()
    assert run.wait() == 1
    jobs = {job.title.split()[-1]: job for job in workflow.jobs()}
    wait_for(lambda: jobs["slow"].refresh().ended)
    assert (jobs["early"].stage, jobs["slow"].stage) == ("SUCCESSFUL", "CANCELED")


def test_a_job_that_somebody_cancels_is_not_done(machine: Service, tmp_path: Path) -> None:
    workflow = Workflow(tmp_path / "steps", machine)
    write_steps(workflow, tmp_path)
    run = workflow.start()
    run.until(r"Submitted \S+ .* slow")
    next(job for job in workflow.jobs() if job.title.endswith("slow")).cancel()
    assert run.wait() == 1
    assert "Slipway: The job was cancelled" in run.output
    assert not (workflow.folder / "last.txt").exists()


def test_a_service_that_is_away_ends_nothing(tmp_path: Path) -> None:
    home = tmp_path / "service"
    home.mkdir()
    process, url = start_service(home)
    try:
        workflow = Workflow(tmp_path / "steps", Service(url, home))
        go = write_steps(workflow, tmp_path)
        run = workflow.start()
        run.until(r"Submitted \S+ .* slow")
        process.kill()
        process.wait(30)
        run.until("Slipway: waits, and tries again")
        go.touch()
        process, _ = start_service(home, port=url.rpartition(":")[2])
        assert run.wait() == 0, run.output
        assert workflow.names() == ["early", "last", "slow"]
    finally:
        process.terminate()
        process.wait(30)
