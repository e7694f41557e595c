"""
Jobs and quotas of HPC systems from Python.

    from slipway_hpc import Slipway

    s = Slipway()
    job = s.submit("study/", "hpc_one", command="python3 main.py", runtime=0.5)
    job.wait()
    job.download("results/")
"""

from . import models, problems
from ._async.batches import AsyncBatch
from ._async.client import AsyncSlipway
from ._async.folders import AsyncProjectFolder
from ._async.jobs import AsyncJob
from ._async.paged import AsyncPaged
from ._errors import (
    FilesSkipped,
    FileTooLarge,
    FolderNotPackable,
    NotSignedIn,
    ServiceUnreachable,
    SlipwayError,
    WaitTimeout,
)
from ._files import pack_folder
from ._job_failed import JobFailed
from ._magic import load_ipython_extension
from ._problem import SlipwayProblem
from ._submission import JobOptions
from ._sync.batches import Batch
from ._sync.client import Slipway
from ._sync.folders import ProjectFolder
from ._sync.jobs import Job
from ._sync.paged import Paged
from ._version import __version__
from ._webhooks import verify_webhook

__all__ = [
    "AsyncBatch",
    "AsyncJob",
    "AsyncPaged",
    "AsyncProjectFolder",
    "AsyncSlipway",
    "Batch",
    "FileTooLarge",
    "FilesSkipped",
    "FolderNotPackable",
    "Job",
    "JobFailed",
    "JobOptions",
    "NotSignedIn",
    "Paged",
    "ProjectFolder",
    "ServiceUnreachable",
    "Slipway",
    "SlipwayError",
    "SlipwayProblem",
    "WaitTimeout",
    "__version__",
    "load_ipython_extension",
    "models",
    "pack_folder",
    "problems",
    "verify_webhook",
]
