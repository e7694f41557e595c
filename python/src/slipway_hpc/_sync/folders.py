# Made by `npm run describe` from _async/folders.py. Do not edit.
"""The folder of a project, which stays from job to job."""

from __future__ import annotations

from .. import models
from .._paths import write_path
from .._rows import Rows
from .files import Files
from .operations import Operations

_FILE = "/folders/{hpc}/{project_name}/files/{file_id}/"
_FILES_OF_PAGE = 5000


class ProjectFolder(Files):
    """
    The folder of a project on a system.

    Jobs of all members find it in ``SLIPWAY_PROJECT_DIR``.
    """

    def __init__(self, api: Operations, hpc: str, project: str) -> None:
        self._api = api
        self.hpc = hpc
        self.project = project

    def size(self) -> models.ProjectFolder:
        """Returns how many bytes (``length``) of how many (``limit``) the folder has."""
        return self._api.get_project_folder(hpc=self.hpc, project_name=self.project)

    def files(self, folder: str | None = None) -> Rows[models.JobFile]:
        """
        Lists the files of the folder.

        With ``folder``, lists only what is directly in it, and its folders. ``""`` is the
        outermost folder.
        """
        return self._api.list_project_files(
            hpc=self.hpc, project_name=self.project, folder=folder, limit=_FILES_OF_PAGE
        ).all()

    def delete(self, name: str) -> models.ProjectFolder:
        """Deletes a file for all members, and returns how full the folder is then."""
        found = self._find(name)
        if found is None:
            raise FileNotFoundError(f"{self._name()} has no file '{name}'.")
        return self._api.delete_project_file(
            hpc=self.hpc, project_name=self.project, file_id=found.fileid
        )

    def empty(self, *, confirm: str) -> models.ProjectFolder:
        """
        Deletes everything in the folder for good. For leaders of the project and administrators.

        Args:
            confirm: The name of the project.
        """
        return self._api.empty_project_folder(
            hpc=self.hpc, project_name=self.project, confirm=confirm
        )

    def _path_of(self, file: models.JobFile) -> str:
        return write_path(
            _FILE, {"hpc": self.hpc, "project_name": self.project, "file_id": file.fileid}
        )

    def _name(self) -> str:
        return f"The folder of {self.project} on {self.hpc}"

    def __repr__(self) -> str:
        return f"<ProjectFolder {self.project} on {self.hpc}>"
