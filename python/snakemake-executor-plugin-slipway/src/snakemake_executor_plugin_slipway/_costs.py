"""Adds up what the rules of a run were charged."""

from __future__ import annotations

from collections import defaultdict

from slipway_hpc import Job, Slipway


class Costs:
    """The jobs that ended in this run, by rule."""

    def __init__(self) -> None:
        self._rules: dict[str, dict[str, Job]] = defaultdict(dict)

    def add(self, rule: str, job: Job) -> None:
        """Takes in a job that has ended, however that was."""
        self._rules[rule][job.job_id] = job

    def write(self, client: Slipway) -> str:
        """Asks the ledgers, once for each project, and writes a line for each rule."""
        if not self._rules:
            return ""
        charged = self._read_ledgers(client)
        width = max(len(rule) for rule in [*self._rules, "rule"])
        lines = [f"{'rule':<{width}}  jobs  node-hours"]
        for rule, jobs in sorted(self._rules.items()):
            hours = sum(charged.get(job_id, 0.0) for job_id in jobs) / 3600
            lines.append(f"{rule:<{width}}  {len(jobs):>4}  {hours:>10.4f}")
        return "Charged in this run:\n" + "\n".join(lines)

    def _read_ledgers(self, client: Slipway) -> dict[str, float]:
        jobs = [job for each in self._rules.values() for job in each.values()]
        since: dict[tuple[str, str], str] = {}
        for job in jobs:
            place = (job.hpc, job.project)
            since[place] = min(job.submitted, since.get(place, job.submitted))
        return {
            line.job_id: line.used.time
            for (hpc, project), first in since.items()
            for line in client.ledger(hpc, project, since=first, sum="job")
        }
