"""A real Nextflow runs pipelines: failing, killed, cancelled, without the service."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from conftest import Pipeline
from edition import ROOT, Service, run_service, start_service
from workflows import read_page, run_page, wait_for

pytestmark = pytest.mark.skipif(
    not Path(sys.executable).with_name("nextflow").exists(), reason="needs Nextflow"
)

#: Ten pieces, their sum, and a report of it. The third piece fails at first.
TWELVE = """
process SQUARE {
  tag "$number"
  cpus 2
  errorStrategy 'retry'
  input: val number
  output: path 'square.txt'
  script:
  \"\"\"
  test $number != 3 || test $task.attempt = 2
  echo \\$(($number * $number)) \\$SLIPWAY_CORES > square.txt
  \"\"\"
}
process SUM {
  input: path 'square*.txt'
  output: path 'sum.txt'
  script: "cat square*.txt | awk '{ s += \\$1; c += \\$2 } END { print s, c }' > sum.txt"
}
process REPORT {
  publishDir '.'
  input: path sum
  output: path 'report.txt'
  script: "echo squares: \\$(cat $sum) > report.txt"
}
workflow { REPORT(SUM(SQUARE(Channel.of(1..10)).collect())) }
"""

#: Two steps one after another. The second ends when the file `go` of the test appears.
STEPS = """
process EARLY {
  output: path 'early.txt'
  script: 'echo $SLIPWAY_JOB_ID > early.txt'
}
process SLOW {
  input: path early
  output: path 'slow.txt'
  script: 'while ! test -e GO; do sleep 0.2; done; cp early.txt slow.txt'
}
process LAST {
  publishDir '.'
  input: path slow
  output: path 'last.txt'
  script: 'cp slow.txt last.txt'
}
workflow { LAST(SLOW(EARLY())) }
"""


def write_steps(folder: Path, service: Service) -> tuple[Pipeline, Path]:
    """Returns the pipeline of two steps, and the file that its second step waits for."""
    go = folder / "go"
    return Pipeline(folder / "steps", service, STEPS.replace("GO", str(go))), go


def test_twelve_tasks_run_and_one_again(machine: Service, tmp_path: Path) -> None:
    pipeline = Pipeline(tmp_path / "twelve", machine, TWELVE)
    pipeline.execute()
    # 385 is the sum of the squares, and each of the ten jobs had two cores.
    assert pipeline.read("report.txt") == "squares: 385 20\n"
    squares = [f"SQUARE ({number})" for number in (*range(1, 11), 3)]
    assert pipeline.names() == sorted([*squares, "SUM", "REPORT"])
    assert {job.title.partition(" ")[0][:7] for job in pipeline.jobs()} == {"twelve-"}
    wait_for(lambda: all(job.ended for job in pipeline.jobs()))
    failed = [job for job in pipeline.jobs() if job.failed]
    assert [job.title.partition(" ")[2] for job in failed] == ["SQUARE (3)"]
    # Nothing has changed, so nothing is submitted.
    assert pipeline.execute("-resume").count("Cached process") == 12
    assert len(pipeline.jobs()) == 13


def test_all_commands_of_the_page_run(machine: Service, tmp_path: Path) -> None:
    pipeline = Pipeline(tmp_path / "study", machine)
    said = run_page(pipeline, "nextflow.md", {})
    assert said.count("Cached process") == 3
    titles = pipeline.names()
    assert titles == ["MEASURE (north)", "MEASURE (south)", "REPORT"]
    assert {job.hours for job in pipeline.jobs()} == {0.5}


def test_a_killed_pipeline_goes_on(machine: Service, tmp_path: Path) -> None:
    pipeline, go = write_steps(tmp_path, machine)
    run = pipeline.start("run", "main.nf")
    run.until(r"Submitted process > SLOW")
    wait_for(lambda: any(job.stage == "RUNNING" for job in pipeline.jobs()))
    run.kill()
    run = pipeline.start("run", "main.nf", "-resume")
    run.until(r"Submitted process > SLOW")
    go.touch()
    assert run.wait() == 0, run.output
    assert "Slipway: cancelled 1 jobs of a run that was killed." in run.output
    assert "Cached process > EARLY" in run.output
    wait_for(lambda: all(job.ended for job in pipeline.jobs()))
    ends = sorted((job.title.partition(" ")[2], job.stage) for job in pipeline.jobs())
    assert ends == [
        ("EARLY", "SUCCESSFUL"),
        ("LAST", "SUCCESSFUL"),
        ("SLOW", "CANCELED"),
        ("SLOW", "SUCCESSFUL"),
    ]
    [early] = [job.job_id for job in pipeline.jobs() if job.title.endswith("EARLY")]
    assert pipeline.read("last.txt").strip() == early


def test_a_second_run_cancels_nothing_of_the_first(machine: Service, tmp_path: Path) -> None:
    pipeline, go = write_steps(tmp_path, machine)
    first = pipeline.start("run", "main.nf")
    first.until(r"Submitted process > SLOW")
    pipeline.write("other.nf", "process A { script: 'true' }\nworkflow { A() }")
    pipeline.run("run", "other.nf")
    go.touch()
    assert first.wait() == 0, first.output


def test_ctrl_c_cancels_the_jobs(machine: Service, tmp_path: Path) -> None:
    pipeline, _ = write_steps(tmp_path, machine)
    run = pipeline.start("run", "main.nf")
    run.until(r"Submitted process > SLOW")
    run.interrupt()
    assert run.wait() != 0
    wait_for(lambda: all(job.ended for job in pipeline.jobs()))
    assert [job.stage for job in pipeline.jobs()] == ["SUCCESSFUL", "CANCELED"]


def test_a_job_that_somebody_cancels_is_not_done(machine: Service, tmp_path: Path) -> None:
    pipeline, _ = write_steps(tmp_path, machine)
    run = pipeline.start("run", "main.nf")
    run.until(r"Submitted process > SLOW")
    wait_for(lambda: any(job.stage == "RUNNING" for job in pipeline.jobs()))
    next(job for job in pipeline.jobs() if job.title.endswith("SLOW")).cancel()
    assert run.wait() == 1
    assert not (pipeline.folder / "last.txt").exists()


def test_a_task_whose_time_is_up_gets_more(machine: Service, tmp_path: Path) -> None:
    script = """
process LONG {
  time { 3.sec * task.attempt ** 3 }
  errorStrategy { task.exitStatus == 143 ? 'retry' : 'finish' }
  script: "test $task.attempt = 2 || sleep 60"
}
workflow { LONG() }
"""
    pipeline = Pipeline(tmp_path / "long", machine, script)
    pipeline.execute()
    wait_for(lambda: all(job.ended for job in pipeline.jobs()))
    assert [job.failed for job in pipeline.jobs()] == [True, False]
    assert [round(job.hours * 3600) for job in pipeline.jobs()] == [3, 24]


def test_all_resources_arrive(tmp_path: Path) -> None:
    catalog = json.loads((ROOT / "lib/catalog/catalog.json").read_text())
    del catalog["$schema"]
    system = {
        "memoryPerNode": 8,
        "gpusPerNode": 4,
        "gpuKinds": ["a100"],
        "classes": [{"name": "big"}],
    }
    catalog["systems"][0] |= system
    file = tmp_path / "catalog.json"
    file.write_text(json.dumps(catalog))
    script = """
process ALL {
  cpus 2
  memory '1 GB'
  time '90m'
  accelerator 1, type: 'a100'
  queue 'hpc_one/big'
  script: 'true'
}
workflow { ALL() }
"""
    with run_service(CATALOG=str(file)) as service:
        lines = re.search(r"^process.clusterOptions.*?^}$", read_page("nextflow.md"), re.M | re.S)
        assert lines
        pipeline = Pipeline(tmp_path / "all", service, script, lines[0])
        run = pipeline.start("run", "main.nf")
        # Simulated systems have GPUs, and run nothing.
        run.until("Submitted process > ALL")
        [job] = pipeline.jobs()
        asked = pipeline.client.api.get_job(**job._place, expand="request").request
        run.kill()
    assert asked
    assert (job.hours, asked.core_number, asked.class_) == (1.5, 2, "big")
    assert (asked.memory, asked.gpu_number, asked.gpu_kind) == ("1.074 GB", 1, "a100")


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("process.time = null", "Slipway: A job needs a time."),
        ("process.clusterOptions = '--qos=long'", "unrecognized arguments: --qos=long"),
        ("process.queue = 'hpc_on'", "hpc_on"),
    ],
)
def test_the_reason_of_a_refusal_is_shown(
    machine: Service, tmp_path: Path, config: str, words: str
) -> None:
    script = "process A { script: 'true' }\nworkflow { A() }"
    pipeline = Pipeline(tmp_path / "refused", machine, script, config)
    assert words in pipeline.execute(code=1)
    assert pipeline.jobs() == []


def test_a_disk_that_jobs_cannot_see_is_named(sandbox: Service, tmp_path: Path) -> None:
    script = "process A { script: 'true' }\nworkflow { A() }"
    pipeline = Pipeline(tmp_path / "unseen", sandbox, script)
    pipeline.execute(code=1)
    [job] = pipeline.jobs()
    assert "cannot see or write the folder" in job.logs(stream="stderr")


def test_a_service_that_is_away_ends_nothing(tmp_path: Path) -> None:
    home = tmp_path / "service"
    home.mkdir()
    process, url = start_service(home)
    try:
        pipeline, go = write_steps(tmp_path, Service(url, home))
        run = pipeline.start("run", "main.nf")
        run.until(r"Submitted process > SLOW")
        process.kill()
        process.wait(30)
        # The last step is submitted while nobody answers.
        go.touch()
        wait_for(lambda: len(list(pipeline.folder.glob("work/*/*/.command.run"))) == 3)
        process, _ = start_service(home, port=url.rpartition(":")[2])
        assert run.wait() == 0, run.output
        assert pipeline.names() == ["EARLY", "LAST", "SLOW"]
    finally:
        process.terminate()
        process.wait(30)
        shutil.rmtree(home, ignore_errors=True)
