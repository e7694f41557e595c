"""
Runs the rules of a Snakemake workflow as jobs of a Slipway service.

    snakemake --executor slipway --slipway-system hpc_one --shared-fs-usage none --jobs 20
"""

from snakemake_interface_executor_plugins.settings import CommonSettings

from ._executor import Executor
from ._settings import ExecutorSettings
from ._version import __version__

__all__ = ["Executor", "ExecutorSettings", "__version__", "common_settings"]

#: What Snakemake wants to know of an executor.
common_settings = CommonSettings(
    non_local_exec=True,
    # A shared disk is possible: the service may run on this machine, or on the front end of a
    # cluster.
    implies_no_shared_fs=False,
    # Without one, the input of each job has its sources and its files.
    job_deploy_sources=False,
    can_transfer_local_files=True,
    # Nodes often reach no registry, so nothing is installed when a job begins.
    auto_deploy_default_storage_provider=False,
    pass_default_storage_provider_args=True,
    pass_default_resources_args=True,
    pass_envvar_declarations_to_cmd=True,
    pass_group_args=True,
    init_seconds_before_status_checks=1,
)
