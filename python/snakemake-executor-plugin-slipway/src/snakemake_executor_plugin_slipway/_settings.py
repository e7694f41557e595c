"""The options that this plugin adds to Snakemake."""

from dataclasses import dataclass, field
from typing import Optional

from snakemake_interface_executor_plugins.settings import ExecutorSettingsBase

# Snakemake makes command-line options of these types, and knows no other way to write them.
# ruff: noqa: UP045


@dataclass
class ExecutorSettings(ExecutorSettingsBase):
    """The options ``--slipway-...``."""

    system: Optional[str] = field(
        default=None,
        metadata={"help": "The system that rules run on, unless they name one (slipway_system)"},
    )
    project: Optional[str] = field(
        default=None,
        metadata={"help": "The project that is charged (default: the first one of the system)"},
    )
    profile: Optional[str] = field(
        default=None,
        metadata={"help": "The sign-in of `slipway login` to use"},
    )
    python: Optional[str] = field(
        default=None,
        metadata={
            "help": "The command that starts a Python with Snakemake on the system "
            "(default: python3, with a shared disk the one that runs this Snakemake)"
        },
    )
