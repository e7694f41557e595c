"""Submits a job with a client of openapi-python-client, and finds it in the list."""

from io import BytesIO
from os import environ
from pathlib import Path

from slipway_client import AuthenticatedClient
from slipway_client.api.jobs import list_jobs, submit_job
from slipway_client.models import Job
from slipway_client.types import File

with AuthenticatedClient(environ["BASE_URL"], environ["TOKEN"]) as client:
    job = submit_job.sync(
        "hpc_one",
        client=client,
        payload=environ["PAYLOAD"],
        content_disposition="attachment; filename=job.zip",
        idempotency_key="openapi-python-client",
        body=File(payload=BytesIO(Path(environ["ZIP"]).read_bytes())),
    )
    jobs = list_jobs.sync(client=client)

assert isinstance(job, Job), job
assert isinstance(jobs, list), jobs
assert job.job_id in [each.job_id for each in jobs], jobs
print(job.job_id)
