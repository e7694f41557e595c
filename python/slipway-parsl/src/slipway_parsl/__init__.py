"""
Runs the blocks of Parsl as jobs of a Slipway service.

    SlipwayProvider("hpc_one", runtime=1, cores_per_node=8)
"""

from ._provider import SlipwayProvider
from ._version import __version__

__all__ = ["SlipwayProvider", "__version__"]
