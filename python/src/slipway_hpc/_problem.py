"""What the service refuses."""

from __future__ import annotations

import re
from typing import TypeVar

from . import models
from ._errors import SlipwayError

Member = TypeVar("Member")


class SlipwayProblem(SlipwayError):
    """
    The service refused a request (RFC 9457).

    ``str(error)`` is written for people and says what to do. Each type of problem has a subclass
    in ``slipway_hpc.problems``, with what this type tells, such as ``left`` of ``QuotaExceeded``.
    """

    type_name = "about:blank"

    def __init__(self, problem: models.Problem, retry_after: float | None = None) -> None:
        errors = problem.errors or []
        lines = [f"{error.name}: {error.message}" for error in errors]
        text = "\n".join(lines) if len(lines) > 1 else problem.detail
        # The contract's names of fields, in the words of ``submit``.
        super().__init__(re.sub(r"\b(node|core|task|gpu)_number\b", r"\1s", text))
        #: The whole answer.
        self.problem = problem
        #: In how many seconds a retry makes sense, if the service said so.
        self.retry_after = retry_after

    @property
    def name(self) -> str:
        """The type of the problem, such as ``quota-exceeded``."""
        return self.problem.type.rpartition(":")[2]

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.problem.status

    @property
    def errors(self) -> list[models.FieldError]:
        """The invalid fields of a request, each with ``location``, ``name`` and ``message``."""
        return list(self.problem.errors or [])

    @property
    def request_id(self) -> str:
        """The id of the request, which helps an operator."""
        return self.problem.instance


def need(member: Member | None, name: str) -> Member:
    """Returns what a type of problem tells. An older service may tell less."""
    if member is None:
        raise AttributeError(f"The service did not tell '{name}'.")
    return member
