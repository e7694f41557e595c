"""Submits a job with a client of openapi-generator, and finds it in the list."""

from os import environ
from pathlib import Path

from openapi_client import ApiClient, Configuration, JobsApi
from openapi_client.models.job import Job

configuration = Configuration(host=environ["BASE_URL"], access_token=environ["TOKEN"])
with ApiClient(configuration) as client:
    api = JobsApi(client)
    job = api.submit_job(
        "hpc_one",
        payload=environ["PAYLOAD"],
        content_disposition="attachment; filename=job.zip",
        idempotency_key="python",
        body=Path(environ["ZIP"]).read_bytes(),
    )
    jobs = api.list_jobs()

assert isinstance(job, Job), job
assert job.job_id in [each.job_id for each in jobs], jobs
print(job.job_id)
