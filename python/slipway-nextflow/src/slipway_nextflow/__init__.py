"""
Runs the processes of Nextflow as jobs of a Slipway service.

    slipway-nextflow run main.nf
"""

from ._version import __version__

__all__ = ["__version__"]
