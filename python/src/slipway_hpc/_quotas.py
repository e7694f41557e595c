"""A quota as people ask for it."""

from __future__ import annotations

from dataclasses import dataclass, field

from . import models


@dataclass(frozen=True, kw_only=True)
class QuotaWithUsage(models.Quota):
    """A quota with what was granted, is left, reserved and used."""

    usage: models.QuotaUsage = field()
